// What PyScript's `interpreter` points at, on the page and in workers: Pyodide with our precompiled standard library, and
// our package in front of everything else on sys.path. Both archives are fetched while the WebAssembly is.
import { loadPyodide as load, version } from "./pyodide.mjs";

const address = (/** @type {string} */ name) => new URL(name, import.meta.url).href;
const archive = fetch(address("APPLICATION")).then((response) => {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.arrayBuffer();
});
archive.catch(() => {}); // reported where it is awaited

/** @param {Parameters<typeof load>[0]} options */
export async function loadPyodide(options) {
  const own = { lockFileContents: "LOCK", packageBaseUrl: address("./"), stdLibURL: address("LIBRARY") };
  const py = await load({ ...options, ...own });
  py.FS.writeFile("/lib/tabletin.zip", new Uint8Array(await archive), { canOwn: true });
  py.runPython("import sys; sys.path.insert(0, '/lib/tabletin.zip')");
  return py;
}
export { version };
