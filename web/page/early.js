// Before the first paint, inlined into the page: the chosen theme, motion and size of text (as web/page/page.js does later),
// whether the address leads elsewhere than home, and what PyScript needs where the browser forbids databases.

const root = document.documentElement;

try {
  const { theme, motion, text } = JSON.parse(localStorage.getItem("tabletin.settings") ?? "{}");
  if (theme && theme !== "auto") root.dataset.theme = theme;
  if (motion && motion !== "auto") root.dataset.motion = motion;
  if (text && text !== "100") root.style.fontSize = `${text}%`;
} catch {
  // forbidden: as it comes
}

root.dataset.screen = /^#(\/.|join=|reply=)/.test(location.hash) ? "elsewhere" : "home";

// PyScript opens databases of its own while it starts, on the page and in workers, and would not start without. Where that is
// forbidden they are answered as if empty; web/storage/matches.js keeps nothing then, and says so.
function forgetful(forbidden) {
  const answer = (result) => {
    const request = new EventTarget();
    setTimeout(() => request.onsuccess?.({ target: { result } }));
    return request;
  };
  const empty = new Proxy({}, { get: (_, name) => () => answer(name.startsWith("getAll") ? [] : undefined) });
  const database = { close() {}, transaction: () => ({ objectStore: () => empty }) };
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...asked) {
    try {
      return open.apply(this, asked);
    } catch (error) {
      forbidden(error);
      return answer(database);
    }
  };
}

forgetful((error) => {
  if (root.dataset.storage) return;
  root.dataset.storage = error.name;
  globalThis.Blob = class extends Blob {
    constructor(parts, options) {
      const worker = String(parts?.[0]).startsWith("/*@*/"); // how the script of PyScript's workers begins
      super(worker ? [`(${forgetful})(() => {});`, ...parts] : parts, options);
    }
  };
});
