// The sounds of the table, made here from tones and noise, and a touch where the device has one. No file is loaded.

/**
 * A tone: what it is made of, when it begins, how long it takes (seconds), how loud it is. `pitch` 0 is the dull noise of wood.
 * @typedef {{pitch: number, at: number, length: number, gain: number, shape?: OscillatorType}} Tone
 */

/** @param {...number} pitches */
const chime = (...pitches) =>
  pitches.map((pitch, index) => ({ pitch, at: index * 0.09, length: 0.42, gain: 0.16, shape: /** @type {const} */ ("sine") }));

/** @type {Record<string, {tones: Tone[], touch?: number[]}>} */
const SOUNDS = {
  deal: { tones: [0, 1, 2, 3, 4].map((index) => ({ pitch: 0, at: index * 0.07, length: 0.04, gain: 0.3 })) },
  lay: { tones: [{ pitch: 0, at: 0, length: 0.06, gain: 0.5 }], touch: [12] },
  take: { tones: [{ pitch: 0, at: 0, length: 0.03, gain: 0.3 }, { pitch: 0, at: 0.06, length: 0.04, gain: 0.35 }] },
  score: { tones: chime(784, 1047), touch: [15, 40, 15] },
  error: { tones: [{ pitch: 196, at: 0, length: 0.16, gain: 0.12, shape: "triangle" }], touch: [40] },
  win: { tones: chime(523, 659, 784, 1047, 1319), touch: [20, 50, 20, 50, 60] },
  end: { tones: chime(659, 587, 523) },
  turn: { tones: chime(880), touch: [20] },
};

/** @type {AudioContext | undefined} */
let audio;

/**
 * Plays the sound `name`, and lets the device be felt.
 * @param {string} name
 */
export function play(name) {
  const sound = SOUNDS[name];
  if (!sound) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  for (const tone of sound.tones) begin(audio, tone);
  if (sound.touch && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(sound.touch);
}

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 */
function begin(context, { pitch, at, length, gain, shape }) {
  const start = context.currentTime + at;
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(gain, start);
  loudness.gain.exponentialRampToValueAtTime(0.001, start + length);
  loudness.connect(context.destination);
  if (pitch) {
    const tone = new OscillatorNode(context, { frequency: pitch, type: shape });
    tone.connect(loudness);
    tone.start(start);
    tone.stop(start + length);
  } else {
    const noise = new AudioBufferSourceNode(context, { buffer: wood(context, length) });
    noise.connect(new BiquadFilterNode(context, { type: "lowpass", frequency: 700 })).connect(loudness);
    noise.start(start);
  }
}

/**
 * A short burst of noise that fades.
 * @param {AudioContext} context
 * @param {number} length seconds
 */
function wood(context, length) {
  const count = Math.round(context.sampleRate * length);
  const buffer = context.createBuffer(1, count, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < count; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / count) ** 4;
  return buffer;
}
