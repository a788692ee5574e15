// Packages that the scripts run in Node or by the interpreter use and that come without types.

declare module "node-turn";

declare module "*/pyodide.mjs" {
  export * from "pyodide";
}
