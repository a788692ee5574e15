// Starts Pyodide in Node and hands the order on standard input (JSON) to compile_tree.py. The machine's files are seen
// under /repo: {root, pyodide, library?, order}. Never writes outside the paths named in the order.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { root, pyodide, library, order } = JSON.parse(readFileSync(0, "utf8"));
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const options = library ? { stdLibURL: library } : {};
try {
  // Columns of every instruction (the carets of a traceback) are a fifth of a .pyc: left out.
  const py = await loadPyodide({ indexURL: pyodide, ...options, env: { HOME: "/home", PYTHONNODEBUGRANGES: "1" } });
  py.FS.mkdirTree("/repo");
  py.mountNodeFS("/repo", root);
  py.runPython(readFileSync(new URL("compile_tree.py", import.meta.url), "utf8"));
  py.globals.get("work")(JSON.stringify(order));
} catch (error) {
  console.error(String(/** @type {Error} */ (error).message ?? error).slice(-2000));
  process.exit(1);
}
