// Which language is read here, before Python is there to say it. What stands in the page in every language is hidden but for
// the reader's.

/** The languages that somebody reads here, the dearest first. */
function wanted() {
  try {
    const { language } = JSON.parse(localStorage.getItem("tabletin.settings") ?? "{}");
    if (language) return [language];
  } catch {
    // storage is forbidden, or what it holds is not readable: the browser's languages
  }
  return navigator.languages ?? [navigator.language];
}

/**
 * The first of the reader's languages that is one of `codes`, as `App.language` finds it in Python.
 * @param {string[]} codes
 */
export function languageOf(codes) {
  return wanted().flatMap((tag) => [tag, tag.split("-")[0]]).find((code) => codes.includes(code));
}

/** Hides each sentence of the start but the one in the language that is read; where there is none, but the first. */
export function chooseLanguage() {
  for (const said of document.querySelectorAll("[data-languages]")) {
    const sentences = Array.from(said.querySelectorAll("[lang]"));
    const spoken = sentences.map((sentence) => /** @type {HTMLElement} */ (sentence).lang);
    const chosen = languageOf(spoken) ?? spoken[0];
    for (const sentence of sentences) /** @type {HTMLElement} */ (sentence).hidden = sentence.getAttribute("lang") !== chosen;
  }
}
