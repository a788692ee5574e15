// Hands a picture or words out: to whatever the device shares them with, or as a file, or to be pasted. Nothing is sent.

/**
 * Draws `svg` as a PNG picture and lets the person share or keep it: "shared", "saved" as a file, or "" where it cannot be drawn.
 * @param {string} svg a whole document with its size
 * @param {string} name of the file
 * @param {string} words that go along
 */
export async function sharePicture(svg, name, words) {
  const address = URL.createObjectURL(new Blob([await lettered(svg)], { type: "image/svg+xml" }));
  try {
    const drawn = new Image();
    drawn.src = address;
    await drawn.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height });
    canvas.getContext("2d")?.drawImage(drawn, 0, 0);
    const blob = /** @type {Blob | null} */ (await new Promise((resolve) => canvas.toBlob(resolve, "image/png")));
    if (!blob) return "";
    const file = new File([blob], name, { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], text: words }).catch(() => {}); // put away again: nothing is wrong
      return "shared";
    }
    const place = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    place.click();
    setTimeout(() => URL.revokeObjectURL(place.href), 60_000);
    return "saved";
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * `svg` with the page's own faces in it: a picture sees no style sheet. As it is, where a face cannot be had.
 * @param {string} svg
 */
async function lettered(svg) {
  const sheets = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => ({ sheet, rule })));
  const faces = await Promise.all(sheets.map(async ({ sheet, rule }) => {
    const [, path] = (rule instanceof CSSFontFaceRule && rule.style.getPropertyValue("src").match(/url\("?([^")]+)/)) || [];
    if (!path) return "";
    const answer = await fetch(new URL(path, sheet.href ?? document.baseURI)).catch(() => null); // offline, and never needed before
    return answer?.ok ? rule.cssText.replace(path, await asData(await answer.blob())) : "";
  }));
  return svg.replace(">", `><style>${faces.join("")}</style>`);
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>} as an address that holds it
 */
function asData(blob) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.readAsDataURL(blob);
  });
}

/**
 * Lets the person share `words`; resolves to "shared", "copied" where they can only be copied, "" where neither can be.
 * @param {string} words
 */
export async function shareWords(words) {
  if (navigator.share) {
    const done = await navigator.share({ text: words }).then(
      () => true,
      (error) => error.name === "AbortError", // put away again: nothing is wrong
    );
    if (done) return "shared";
  }
  return (await navigator.clipboard?.writeText(words).then(() => "copied").catch(() => "")) ?? "";
}
