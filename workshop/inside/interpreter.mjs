// What PyScript's `interpreter` points at, on the page and in workers: Pyodide with our precompiled standard library, and
// our package in front of everything else on sys.path, and on the page the words of the language that is read there. The
// archives are fetched while the WebAssembly is. What is on its way to the page already (web/page/delivery.js) is taken from there:
// archives where Pyodide asks for them by `fetch`, the WebAssembly as the compiled module that it is. Where this device keeps the
// memory of a started interpreter, Python goes on from that.
import { forget, keep, keptMemory } from "./memory.mjs";
import { loadPyodide as load, version } from "./pyodide.mjs";

const address = (/** @type {string} */ name) => new URL(name, import.meta.url).href;
const plainFetch = globalThis.fetch;
/** @type {Record<string, string>} language → its archive, or "" where our package has its words */
// @ts-expect-error: the build puts the addresses in place of this text
const LANGUAGES = "LANGUAGES";

// The page's compiled module. Pyodide is given an empty one instead, so that it completes what it imports (its error marker).
const compiled = /** @type {Promise<WebAssembly.Module> | undefined} */ (globalThis.tabletin?.deliver?.(address("pyodide.asm.wasm")));
const EMPTY_MODULE = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const WEBASSEMBLY = { headers: { "Content-Type": "application/wasm" } };

/**
 * @param {RequestInfo | URL} asked
 * @param {RequestInit} [options]
 */
async function fetchOrTake(asked, options) {
  const url = String(asked instanceof Request ? asked.url : asked);
  if (compiled && url === address("pyodide.asm.wasm")) return new Response(EMPTY_MODULE, WEBASSEMBLY);
  const given = globalThis.tabletin?.deliver?.(url);
  return given ? new Response(/** @type {ArrayBuffer} */ (await given)) : plainFetch(asked, options);
}

/** Lets the page answer a tap. A timer would wait longer than it takes. */
const breathe = () => new Promise((/** @type {(value: void) => void} */ resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener("message", () => {
    port1.close();
    resolve();
  });
  port1.start();
  port2.postMessage(0);
});

/** @typedef {Parameters<NonNullable<NonNullable<Parameters<typeof load>[0]>["createPyodideModule"]>>[0]} Settings */

/**
 * Starts the WebAssembly, with pauses: of the module that the page compiled, where there is one.
 * @param {Settings} settings
 */
async function createModule(settings) {
  const { default: create } = await import(address("pyodide.asm.mjs"));
  await breathe();
  const complete = /** @type {NonNullable<Settings["instantiateWasm"]>} */ (settings.instantiateWasm);
  /** @type {typeof complete} */
  const instantiateWasm = (imports, receive) => complete(imports, async (instance, module) => {
    await breathe();
    if (!compiled) {
      receive(instance, module);
      return;
    }
    const own = await WebAssembly.instantiate(await compiled, imports);
    await breathe();
    receive(own, await compiled);
  });
  return create({ ...settings, instantiateWasm, breathe });
}

/** @param {string} name */
async function get(name) {
  const response = await fetchOrTake(address(name));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const kept = keptMemory(import.meta.url);
const archive = get("APPLICATION");
archive.catch(() => {}); // reported where it is awaited
const language = globalThis.tabletin?.languageOf?.(Object.keys(LANGUAGES)) ?? ""; // a worker says nothing
const words = LANGUAGES[language] ? get(LANGUAGES[language]).catch(() => null) : null; // without them the page is in English

// What Pyodide's own start imports, in an order in which none brings much along: all at once is one task of a second on a slow
// phone, in which no tap is heard. `site` is Python's own first step, put off by its option -S.
const STEPS = [
  "site; site.main()", "ast", "linecache", "operator", "collections", "functools", "enum", "re", "weakref", "textwrap",
  "annotationlib", "typing", "json", "importlib.machinery", "inspect", "threading", "signal", "concurrent.futures", "codeop",
  "traceback", "heapq", "asyncio", "dataclasses", "random", "hashlib", "_pyodide", "_pyodide_core",
];
const PYSCRIPT_STEPS = ["tokenize", "fnmatch", "glob", "pathlib"]; // what PyScript's own start imports

/**
 * Starts the interpreter; on a page, step by step.
 * @param {Settings} settings
 */
async function createPyodideModule(settings) {
  const module = await createModule(settings);
  for (const name of globalThis.document ? STEPS : []) {
    await breathe();
    module.API.rawRun(`import ${name}`);
  }
  return module;
}

// `fsInit` is what Pyodide waits for between its WebAssembly and the interpreter.
const OWN = { lockFileContents: "LOCK", packageBaseUrl: address("./"), stdLibURL: address("LIBRARY"), fsInit: breathe };
// What a memory holds that must not be the same after every start; and the folder that Pyodide has put before our package on the
// path once more, where PyScript's modules lie as sources.
const RENEW = "import random, sys; random.seed(); sys.path.remove('')";

/** @param {Awaited<ReturnType<typeof load>>} py */
async function bringPackage(py) {
  py.FS.writeFile("/lib/tabletin.zip", await archive, { canOwn: true });
}

/** @param {Awaited<ReturnType<typeof load>>} py */
async function putOnPath(py) {
  await bringPackage(py);
  py.runPython("import sys; sys.path.insert(0, '/lib/tabletin.zip')");
}

/** @param {Parameters<typeof load>[0]} options */
async function startAnew(options) {
  const args = globalThis.document ? ["-S"] : [];
  const py = await load({ ...options, ...OWN, args, createPyodideModule });
  await breathe();
  await putOnPath(py);
  for (const name of globalThis.document ? PYSCRIPT_STEPS : []) {
    await breathe();
    py.runPython(`import ${name}`);
  }
  return py;
}

/**
 * The interpreter as it was when `memory` was kept. Where it does not start, it starts anew, and what was kept goes.
 * @param {Parameters<typeof load>[0]} options
 * @param {Uint8Array} memory
 */
async function goOn(options, memory) {
  try {
    const py = await load({ ...options, ...OWN, _loadSnapshot: memory, createPyodideModule: createModule });
    await breathe();
    globalThis.document?.documentElement.setAttribute("data-memory", "kept"); // nobody sees whence it started
    py.runPython(RENEW);
    await bringPackage(py);
    return py;
  } catch (error) {
    console.info("Python starts anew:", String(error));
    await forget(import.meta.url);
    return startAnew(options);
  }
}

/** @param {Parameters<typeof load>[0]} options */
export async function loadPyodide(options) {
  globalThis.fetch = fetchOrTake;
  try {
    const memory = await kept;
    const py = await (memory ? goOn(options, memory) : startAnew(options));
    await breathe();
    const said = await words;
    if (said) py.FS.writeFile(`/lib/words-${language}.zip`, said, { canOwn: true }); // app/browser/languages.py reads it
    return py;
  } finally {
    globalThis.fetch = plainFetch;
  }
}

/**
 * Keeps the memory of an interpreter that has imported what every start imports. For a worker of its own, which ends then.
 * False where the site is not kept on this device, or the memory is kept already.
 */
export async function keepMemory() {
  if (await kept) return false;
  const py = await load({ ...OWN, _makeSnapshot: true });
  await putOnPath(py);
  py.runPython(`import ${PYSCRIPT_STEPS.join(", ")}\nfrom tabletin.app.main.beginning import import_plain; import_plain()`);
  return keep(import.meta.url, /** @type {Uint8Array<ArrayBuffer>} */ (py.makeMemorySnapshot()));
}
export { version };
