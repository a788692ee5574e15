// Starts Pyodide in Node as a page has it, and runs Python there: {pyodide, library, application, code} as JSON on standard
// input. Prints what the code's last expression is, a text.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { pyodide, library, application, code } = JSON.parse(readFileSync(0, "utf8"));
try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
  const py = await loadPyodide({ indexURL: pyodide, stdLibURL: library });
  py.FS.writeFile("/lib/tabletin.zip", readFileSync(application));
  py.runPython("import sys; sys.path.insert(0, '/lib/tabletin.zip')");
  console.log(py.runPython(code));
} catch (error) {
  console.error(String(/** @type {Error} */ (error).message ?? error).slice(-2000));
  process.exit(1);
}
