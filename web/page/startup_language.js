// What stands in the page in every language, because Python is not there to choose: all but the reader's is hidden.

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

/** Hides each sentence of the start but the one in the language that is read; where there is none, but the first. */
export function chooseLanguage() {
  for (const notice of document.querySelectorAll("#startup > .notice")) {
    const sentences = Array.from(notice.querySelectorAll("[lang]"));
    const spoken = sentences.map((sentence) => /** @type {HTMLElement} */ (sentence).lang);
    const chosen = wanted().map((tag) => tag.split("-")[0]).find((code) => spoken.includes(code)) ?? spoken[0];
    for (const sentence of sentences) /** @type {HTMLElement} */ (sentence).hidden = sentence.getAttribute("lang") !== chosen;
  }
}
