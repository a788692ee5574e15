// What PyScript's `interpreter` points at, on the page and in workers: Pyodide with our precompiled standard library.
import { loadPyodide as load, version } from "./pyodide.mjs";
const stdLibURL = new URL("LIBRARY", import.meta.url).href;
export const loadPyodide = (options) => load({ lockFileContents: "LOCK", ...options, stdLibURL });
export { version };
