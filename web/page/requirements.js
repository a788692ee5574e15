// Whether this browser can run Python: tries the features themselves, and asks no name or version. Runs in browsers of any
// age: the build writes it in older JavaScript (workshop/assets.py).

// A module of WebAssembly with what Pyodide's is made of: a function that throws an exception and catches it, fills memory,
// and returns a 64-bit number.
const MODULE = [
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  1, 9, 2, 0x60, 1, 0x7f, 0, 0x60, 0, 1, 0x7e, // types: (i32) → nothing, () → i64
  3, 2, 1, 1, // one function, of the second type
  5, 3, 1, 0, 1, // a memory of one page
  13, 3, 1, 0, 0, // an exception that carries the first type's i32
  7, 5, 1, 1, 0x66, 0, 0, // exported as "f"
  10, 26, 1, 24, 0,
  0x06, 0x40, // try
  0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 11, 0, // memory.fill
  0x41, 1, 0xc0, // i32.extend8_s
  0x08, 0, // throw
  0x07, 0, 0x1a, 0x0b, // catch, drop, end
  0x42, 42, 0x0b, // 42
];

/** Whether WebAssembly runs with exceptions, bulk memory and 64-bit numbers as BigInt. */
export function runsWebAssembly() {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(MODULE)));
    return typeof /** @type {() => unknown} */ (exports.f)() === "bigint";
  } catch {
    return false;
  }
}

// What PyScript and Pyodide are written in: a module in a worker, a class with a static block, waiting outside a function.
const SCRIPT = "export {}; await 0; class Block { static { postMessage(0); } }";

/**
 * Calls `onFailure` where a worker cannot run modules, or modules cannot be written as Python's are.
 * @param {() => void} onFailure
 */
export function tryModules(onFailure) {
  /** @type {Worker} */
  let worker;
  const address = URL.createObjectURL(new Blob([SCRIPT], { type: "text/javascript" }));
  const end = () => {
    worker.terminate();
    URL.revokeObjectURL(address);
  };
  try {
    worker = new Worker(address, { type: "module" });
  } catch {
    return; // workers are forbidden here: that is no matter of age, and the bots say so themselves
  }
  worker.addEventListener("message", end);
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end();
    onFailure();
  });
}
