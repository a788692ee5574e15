// What PyScript's `interpreter` points at, on the page and in workers: Pyodide with our precompiled standard library, and
// our package in front of everything else on sys.path, and on the page the words of the language that is read there. The
// archives are fetched while the WebAssembly is. What is on its way to the page already (web/page/delivery.js) is taken from there:
// archives where Pyodide asks for them by `fetch`, the WebAssembly as the compiled module that it is. Python goes on from the memory
// of a started interpreter that the build made; where that is not possible, it starts anew.
import { isRefused, putBack, read, refuse, unpacked } from "./memory.mjs";
import { loadPyodide as load, version } from "./pyodide.mjs";

const address = (/** @type {string} */ name) => new URL(name, import.meta.url).href;
const plainFetch = globalThis.fetch;
/**
 * What the build made: the archives of Python's library and of our package, whole; those without what the memory holds, and the
 * memory, where there is one; language → the archive with its words, or "" where our package has them.
 * @type {{library: string, application: string, rest: {library: string, application: string, memory: string} | null,
 *   languages: Record<string, string>}}
 */
// @ts-expect-error: the build puts the addresses in place of this text
const SITE = "SITE";

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

/** Lets the page answer a tap, and show the answer. A timer would wait longer than it takes. */
async function breathe() {
  await new Promise((/** @type {(value: void) => void} */ resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(0);
  });
  await globalThis.tabletin?.answered?.();
}

// Read while the memory is on its way.
const script = import(address("pyodide.asm.mjs"));
script.catch(() => {}); // reported where it is awaited

/** @typedef {Parameters<NonNullable<NonNullable<Parameters<typeof load>[0]>["createPyodideModule"]>>[0]} Settings */

/**
 * Starts the WebAssembly, with pauses: of the module that the page compiled, where there is one.
 * @param {Settings} settings
 * @param {(instance: WebAssembly.Instance) => void} [look] sees the instance before anything of it runs
 */
async function createModule(settings, look) {
  const { default: create } = await script;
  await breathe();
  const complete = /** @type {NonNullable<Settings["instantiateWasm"]>} */ (settings.instantiateWasm);
  /** @type {typeof complete} */
  const instantiateWasm = (imports, receive) => complete(imports, async (instance, module) => {
    await breathe();
    const own = compiled ? await WebAssembly.instantiate(await compiled, imports) : instance;
    await breathe();
    look?.(own);
    receive(own, compiled ? await compiled : module);
  });
  return create({ ...settings, instantiateWasm, breathe });
}

/** @param {string} name */
async function get(name) {
  const response = await fetchOrTake(address(name));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {string} name */
function begin(name) {
  const loading = get(name);
  loading.catch(() => {}); // reported where it is awaited
  return loading;
}

const keepsNothing = globalThis.document && !navigator.serviceWorker?.controller; // so nothing was noted here before
const rest = SITE.rest && (keepsNothing || !(await isRefused(import.meta.url))) ? SITE.rest : null;
const memory = rest && begin(rest.memory);
const reading = memory?.then(unpacked).then((file) => read(file, breathe)); // while PyScript's own script starts
reading?.catch(() => {}); // reported where it is awaited
const archive = begin(rest ? rest.application : SITE.application);
const language = globalThis.tabletin?.languageOf?.(Object.keys(SITE.languages)) ?? ""; // a worker says nothing
const words = SITE.languages[language] ? get(SITE.languages[language]).catch(() => null) : null; // without them the page is in English

// What Pyodide's own start imports, in an order in which none brings much along: all at once is one task of a second on a slow
// phone, in which no tap is heard. `site` is Python's own first step, put off by its option -S.
const STEPS = [
  "site; site.main()", "ast", "linecache", "operator", "collections", "functools", "enum", "re", "weakref", "textwrap",
  "annotationlib", "typing", "json", "importlib.machinery", "inspect", "threading", "signal", "concurrent.futures", "codeop",
  "traceback", "heapq", "asyncio", "dataclasses", "random", "hashlib", "_pyodide", "_pyodide_core",
];

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
const OWN = { lockFileContents: "LOCK", packageBaseUrl: address("./"), fsInit: breathe };
// What a memory holds that must not be the same after every start; and the folder that Pyodide has put before our package on the
// path once more, where PyScript's modules lie as sources.
const RENEW = "import random, sys; random.seed(); sys.path.remove('')";

/**
 * @param {Awaited<ReturnType<typeof load>>} py
 * @param {Uint8Array} application
 */
const bringPackage = (py, application) => py.FS.writeFile("/lib/tabletin.zip", application, { canOwn: true });

/**
 * From the whole archives.
 * @param {Parameters<typeof load>[0]} options
 */
async function startAnew(options) {
  const application = rest ? begin(SITE.application) : archive;
  const args = globalThis.document ? ["-S"] : [];
  const py = await load({ ...options, ...OWN, stdLibURL: address(SITE.library), args, createPyodideModule });
  await breathe();
  bringPackage(py, await application);
  py.runPython("import sys; sys.path.insert(0, '/lib/tabletin.zip')");
  return py;
}

/**
 * The interpreter as it was when the build made its memory.
 * @param {Parameters<typeof load>[0]} options
 * @param {string} library without what the memory holds
 * @param {Awaited<ReturnType<typeof read>>} made
 */
async function goOn(options, library, made) {
  const module = async (/** @type {Settings} */ settings) => {
    let data = new Uint8Array();
    const begun = await createModule(settings, ({ exports }) => {
      data = new Uint8Array(/** @type {WebAssembly.Memory} */ (exports.memory).buffer, 0, made.numbers.data).slice();
    });
    await putBack(made, begun.HEAPU8, data, breathe);
    return begun;
  };
  const py = await load({
    ...options, ...OWN, stdLibURL: address(library), _loadSnapshot: made.head, createPyodideModule: module,
  });
  await breathe();
  py.runPython(RENEW);
  bringPackage(py, await archive);
  globalThis.document?.documentElement.setAttribute("data-memory", "used"); // nobody sees whence it started
  return py;
}

/** @param {Parameters<typeof load>[0]} options */
async function start(options) {
  if (!rest || !memory) return startAnew(options);
  await memory;
  try {
    return await goOn(options, rest.library, /** @type {Awaited<ReturnType<typeof read>>} */ (await reading));
  } catch (error) {
    console.info("Python starts anew:", String(error));
    await refuse(import.meta.url);
    return startAnew(options);
  }
}

/** @param {Parameters<typeof load>[0]} options */
export async function loadPyodide(options) {
  globalThis.fetch = fetchOrTake;
  try {
    const py = await start(options);
    await breathe();
    const said = await words;
    if (said) py.FS.writeFile(`/lib/words-${language}.zip`, said, { canOwn: true }); // app/browser/languages.py reads it
    return py;
  } finally {
    globalThis.fetch = plainFetch;
  }
}
export { version };
