// Starts Pyodide in Node and runs test files in it: {root, pyodide, packages, folders, report, limit} as JSON on standard input.
// `packages` is where pytest and hypothesis are installed. What pytest prints is printed; the report is JUnit XML.
// `limit`: the words that tell pytest until when it may begin tests.
// The worker's group arithmetic is there as the module `tabletin_sodium`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { root, pyodide, packages, folders, report, limit } = JSON.parse(readFileSync(0, "utf8"));
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const py = await loadPyodide({
  indexURL: pyodide,
  env: {
    HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
    HYPOTHESIS_STORAGE_DIRECTORY: "/tmp/hypothesis",
  },
});
for (const [place, folder] of [["/repo", root], ["/packages", packages]]) {
  py.FS.mkdirTree(place);
  py.mountNodeFS(place, folder);
}
Object.assign(globalThis, { self: globalThis }); // libsodium looks for its randomness there
const { openGroup } = await import(pathToFileURL(`${root}/web/crypto/sodium.js`).href);
py.registerJsModule("tabletin_sodium", await openGroup());
try {
  py.runPython(readFileSync(new URL("run_tests.py", import.meta.url), "utf8"));
  process.exitCode = py.globals.get("run")(JSON.stringify([...folders, ...limit]), report);
} catch (error) {
  console.error(String(/** @type {Error} */ (error).message ?? error).slice(-4000));
  process.exitCode = 3;
}
