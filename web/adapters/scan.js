// QR codes from a picture or the camera, by zxing-cpp in WebAssembly: loaded when somebody scans, from this site alone.

import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

const OPTIONS = { formats: ["QRCode"], maxNumberOfSymbols: 1, tryHarder: true, tryInvert: true, tryDownscale: true };
const LOOK_AGAIN = 150; // ms between two looks of the camera
const LARGEST = 1600; // px: photographs are looked at no larger

let prepared;

/** `wasm`: the address of the WebAssembly file. */
function prepare(wasm) {
  prepared ??= prepareZXingModule({
    overrides: { locateFile: () => wasm }, fireImmediately: true,
  }).catch((error) => {
    prepared = undefined;
    throw error;
  });
  return prepared;
}

function pixels(source, width, height) {
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function look(source, width, height) {
  const found = await readBarcodes(pixels(source, width, height), OPTIONS);
  return found.find((one) => one.isValid)?.text ?? "";
}

/** The text of the QR code in a picture (a File); "" where there is none, or it is no picture. */
export async function picture(file, wasm) {
  await prepare(wasm);
  let image;
  try {
    image = await createImageBitmap(file);
  } catch {
    image = await drawn(file);
  }
  return image ? look(image, image.width, image.height) : "";
}

/** A picture without a size of its own, such as an SVG, as an image; null for no picture. */
async function drawn(file) {
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

/** Shows the camera in `video` and resolves to the text of the first QR code; "" once `stop` was called.
 *  Rejects with the browser's own error where there is no camera, or it may not be used. */
export async function camera(video, wasm, signal) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: { ideal: "environment" } }, audio: false });
  try {
    video.srcObject = stream;
    await Promise.all([prepare(wasm), video.play()]);
    while (!signal.aborted && video.isConnected) {
      if (video.videoWidth > 0) {
        const text = await look(video, video.videoWidth, video.videoHeight);
        if (text) return text;
      }
      await new Promise((later) => setTimeout(later, LOOK_AGAIN));
    }
    return "";
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}
