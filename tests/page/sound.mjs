// Plays web/page/sound.js on a table of notes instead of a loudspeaker. Run by test_sound.py; prints what was heard as JSON.

let now = 0;
let state = "running";
/** @type {{at: number, length: number, gain: number, pitch: number}[]} */
let heard = [];
/** @type {number[][]} */
let felt = [];
/** @type {(() => void)[]} */
let waiting = [];
/** @type {(() => void)[]} */
let taps = [];

class Parameter {
  value = 0;
  first = 0;
  last = 1;
  /** @param {number} value */
  setValueAtTime(value) { this.first = value; }
  /** @param {number} value */
  linearRampToValueAtTime(value) { this.value = value; }
  /** @param {number} value */
  exponentialRampToValueAtTime(value) { this.last = value; }
}
class Node {
  /** @type {any} */
  next;
  /** @param {any} _context @param {any} options */
  constructor(_context, options) { this.options = options; }
  /** @param {any} next */
  connect(next) { return (this.next = next); }
  /** @param {number} at */
  start(at, _offset = 0, length = 0) {
    let end = this.next;
    while (!end.gain) end = end.next;
    if (end.gain.first !== 0 || end.gain.last > 0.001) throw new Error("a sound that clicks");
    this.sound = { at, length, gain: end.gain.value, pitch: this.options.frequency ?? 0 };
    heard.push(this.sound);
  }
  /** @param {number} at */
  stop(at) { if (this.sound) this.sound.length = at - this.sound.at; }
}
class Gain extends Node { gain = new Parameter(); }
class Filter extends Node { frequency = new Parameter(); }
Object.assign(globalThis, {
  performance: { now: () => now * 1000 },
  document: { visibilityState: "visible" },
  addEventListener: (/** @type {string} */ _name, /** @type {() => void} */ act) => { taps.push(act); },
  OscillatorNode: Node, AudioBufferSourceNode: Node, GainNode: Gain, BiquadFilterNode: Filter,
  AudioContext: class {
    destination = {};
    sampleRate = 100;
    get state() { return state; }
    get currentTime() { return now; }
    createBuffer() { return { getChannelData: () => new Float32Array(100) }; }
    /** @returns {Promise<void>} */
    resume() { return state === "running" ? Promise.resolve() : new Promise((resolve) => { waiting.push(resolve); }); }
  },
});
Object.defineProperty(globalThis, "navigator", { value: {
  userActivation: { hasBeenActive: true }, vibrate: (/** @type {number[]} */ touch) => { felt.push(touch); } } });

const { SOUNDS, play } = await import("../../web/page/sound.js");

/** @param {() => unknown} act what was heard and felt while `act` */
async function during(act) {
  [heard, felt] = [[], []];
  now += 10;
  await act();
  await new Promise((resolve) => { setTimeout(resolve); });
  return { notes: heard.length, felt: felt.length, loud: heard.reduce((sum, { gain }) => sum + gain, 0) };
}

/** How loud `name` can be, of 1, with three more sounds at the same moment: all its notes at their loudest. @param {string} name */
async function peak(name) {
  await during(() => { for (const other of [name, "score", "turn", "lay"]) play(other); });
  const at = [...new Set(heard.map((note) => note.at))];
  return Math.max(...at.map((time) => heard.filter((note) => note.pitch && note.at <= time && time < note.at + note.length)
    .reduce((sum, { gain }) => sum + gain, 0)));
}

async function asleep() {
  state = "suspended";
  [waiting, taps] = [[], []];
  const early = await during(() => { for (const name of ["lay", "take", "score"]) play(name); });
  now += 60;
  state = "running";
  for (const tap of taps) tap();
  const woken = await during(() => { for (const resume of waiting) resume(); });
  state = "suspended";
  waiting = [];
  const soon = await during(() => {
    play("turn");
    state = "running";
    for (const resume of waiting) resume();
  });
  return { early: early.notes, taps: taps.length, woken: woken.notes, soon: soon.notes };
}

async function hidden() {
  /** @type {any} */ (globalThis.document).visibilityState = "hidden";
  const names = Object.keys(SOUNDS);
  const calls = [];
  for (const name of names) if ((await during(() => play(name))).notes) calls.push(name);
  /** @type {any} */ (globalThis.document).visibilityState = "visible";
  return calls;
}

const peaks = [];
for (const name of Object.keys(SOUNDS)) peaks.push(await peak(name));
console.log(JSON.stringify({
  names: Object.keys(SOUNDS), peak: Math.max(...peaks),
  own: await during(() => play("lay")), other: await during(() => play("lay", false)),
  twice: await during(() => { play("lay"); play("lay"); }), unknown: await during(() => play("noise")),
  asleep: await asleep(), hidden: await hidden(),
}));
