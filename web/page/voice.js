// Reads sentences aloud with the browser's own voices, one after another. Nothing leaves the device but by the browser's choice of
// voice. Where the browser has no voice nothing happens.

const MOST_WAITING = 6; // sentences; who is further behind hears what is new
/** @type {Set<SpeechSynthesisUtterance>} */
const waiting = new Set();

/**
 * Reads `sentence` aloud once what is being read has ended.
 * @param {string} sentence
 * @param {string} language as in <html lang>
 */
export function speak(sentence, language) {
  const voices = globalThis.speechSynthesis;
  if (!voices) return;
  if (waiting.size >= MOST_WAITING) hush();
  const said = new SpeechSynthesisUtterance(sentence);
  said.lang = language;
  for (const end of ["end", "error"]) said.addEventListener(end, () => waiting.delete(said));
  waiting.add(said);
  voices.speak(said);
}

/** Stops reading, and forgets what was still to be read. */
export function hush() {
  waiting.clear();
  globalThis.speechSynthesis?.cancel();
}
