// What PyScript's `interpreter` points at, on the page and in workers: Pyodide with our precompiled standard library, and
// our package in front of everything else on sys.path, and on the page the words of the language that is read there. The
// archives are fetched while the WebAssembly is.
import { loadPyodide as load, version } from "./pyodide.mjs";

const address = (/** @type {string} */ name) => new URL(name, import.meta.url).href;
/** @type {Record<string, string>} language → its archive, or "" where our package has its words */
// @ts-expect-error: the build puts the addresses in place of this text
const LANGUAGES = "LANGUAGES";

/** @param {string} name */
async function get(name) {
  const response = await fetch(address(name));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const archive = get("APPLICATION");
archive.catch(() => {}); // reported where it is awaited
const language = globalThis.tabletin?.languageOf?.(Object.keys(LANGUAGES)) ?? ""; // a worker says nothing
const words = LANGUAGES[language] ? get(LANGUAGES[language]).catch(() => null) : null; // without them the page is in English

/** @param {Parameters<typeof load>[0]} options */
export async function loadPyodide(options) {
  const own = { lockFileContents: "LOCK", packageBaseUrl: address("./"), stdLibURL: address("LIBRARY") };
  const py = await load({ ...options, ...own });
  py.FS.writeFile("/lib/tabletin.zip", await archive, { canOwn: true });
  const said = await words;
  if (said) py.FS.writeFile(`/lib/words-${language}.zip`, said, { canOwn: true }); // app/browser/languages.py reads it
  py.runPython("import sys; sys.path.insert(0, '/lib/tabletin.zip')");
  return py;
}
export { version };
