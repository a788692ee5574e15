// Reads QR codes from a picture or the camera, by zxing-cpp in WebAssembly. Loaded when somebody scans, from this site.

import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

/** @type {import("zxing-wasm/reader").ReaderOptions} */
const OPTIONS = { formats: ["QRCode"], maxNumberOfSymbols: 1, tryHarder: true, tryInvert: true, tryDownscale: true };
const INTERVAL = 150; // ms between two looks at the camera
const LARGEST = 1600; // px: larger photographs are scaled down

/** @typedef {ImageBitmap | HTMLImageElement | HTMLVideoElement} Source */

/** @type {Promise<unknown> | undefined} */
let prepared;

/**
 * Loads the reader once; again after a failure.
 * @param {string} wasm the address of the WebAssembly file
 */
function prepare(wasm) {
  prepared ??= Promise.resolve(prepareZXingModule({
    overrides: { locateFile: () => wasm }, fireImmediately: true,
  })).catch((error) => {
    prepared = undefined;
    throw error;
  });
  return prepared;
}

/**
 * The pixels of a picture on white, scaled down where it is large.
 * @param {Source} source
 * @param {number} width
 * @param {number} height
 */
function pixels(source, width, height) {
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("No canvas can be drawn on.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/**
 * The text of the QR code in a picture; "" for none.
 * @param {Source} source
 * @param {number} width
 * @param {number} height
 */
async function textIn(source, width, height) {
  const found = await readBarcodes(pixels(source, width, height), OPTIONS);
  return found.find((code) => code.isValid)?.text ?? "";
}

/**
 * The text of the QR code in a file; "" where there is none, or the file is no picture.
 * @param {File} file
 * @param {string} wasm
 */
export async function picture(file, wasm) {
  await prepare(wasm);
  let image;
  try {
    image = await createImageBitmap(file);
  } catch {
    image = await draw(file);
  }
  return image ? textIn(image, image.width, image.height) : "";
}

/**
 * A picture without a size of its own, such as an SVG, as an image; null where the file is no picture.
 * @param {File} file
 */
async function draw(file) {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image(1000, 1000);
    image.src = address;
    await image.decode();
    return image;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Shows the camera in `video` and resolves to the text of the first QR code; "" once `signal` was aborted.
 * Rejects with the browser's own error where there is no camera, or it may not be used.
 * @param {HTMLVideoElement} video
 * @param {string} wasm
 * @param {AbortSignal} signal
 */
export async function camera(video, wasm, signal) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: { ideal: "environment" } }, audio: false });
  try {
    video.srcObject = stream;
    await Promise.all([prepare(wasm), video.play()]);
    while (!signal.aborted && video.isConnected) {
      if (video.videoWidth > 0) {
        const text = await textIn(video, video.videoWidth, video.videoHeight);
        if (text) return text;
      }
      await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    }
    return "";
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}
