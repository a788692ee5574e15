// The sounds of the table, made here from notes and noise, and a touch where the device has one. No file is loaded.

/**
 * A note of a wooden bar, or a breath of noise around a pitch (Hz). It begins `at` and takes `length` (seconds), is as loud as `gain`
 * after `rise` seconds, and fades. Noise may glide `to` another pitch.
 * @typedef {{pitch: number, at: number, length: number, gain: number, rise?: number, noise?: boolean, to?: number}} Tone
 */

const SOFT = 0.5; // how loud the others' acts are beside one's own
const LATE = 0.4; // seconds after which a sound that had to wait is heard no more
const ONCE = 0.06; // seconds in which the same sound is heard once
const BAR = 4; // a wooden bar rings two octaves higher, too: small loudspeakers have that of low notes

/**
 * Notes one after another.
 * @param {number} gain
 * @param {number} apart seconds
 * @param {...number} pitches
 * @returns {Tone[]}
 */
const melody = (gain, apart, ...pitches) => pitches.map((pitch, index) => ({ pitch, at: index * apart, length: 0.5, gain }));

const FLUTTER = [0, 1, 2, 3].map((index) => ({ pitch: 3000, noise: true, at: index * 0.085, length: 0.06, gain: 0.3, rise: 0.012 }));
const KNOCK = [{ pitch: 1250, noise: true, at: 0, length: 0.07, gain: 0.8 }, { pitch: 294, at: 0, length: 0.12, gain: 0.12 }];
const SLIDE = [{ pitch: 1400, to: 3600, noise: true, at: 0, length: 0.2, gain: 0.26, rise: 0.09 }];
const CHORD = [1047, 1319, 1568].map((pitch) => ({ pitch, at: 0.6, length: 1.2, gain: 0.075 }));

/**
 * Cards are noise. What they mean is told by notes of one scale (C D E G A), so that two at once go together: upwards it is good.
 * @type {Record<string, {tones: Tone[], touch?: number[], calls?: boolean}>}
 */
export const SOUNDS = {
  deal: { tones: FLUTTER },
  lay: { tones: KNOCK, touch: [12] },
  take: { tones: SLIDE },
  score: { tones: melody(0.11, 0.09, 784, 1047), touch: [15, 40, 15] },
  error: { tones: melody(0.15, 0.13, 392, 330), touch: [40] },
  win: { tones: [...melody(0.11, 0.11, 523, 659, 784, 1047, 1319), ...CHORD], touch: [20, 50, 20, 50, 60] },
  end: { tones: melody(0.1, 0.16, 659, 587, 523) },
  turn: { tones: melody(0.12, 0, 587), touch: [20], calls: true },
};

/** @type {AudioContext | undefined} */
let audio;
/** @type {AudioBuffer | undefined} */
let hiss;
let last = { name: "", at: 0 };

/**
 * Plays the sound `name`, and lets the device be felt where it was one's own act. Where nobody looks only a sound that `calls` is heard.
 * @param {string} name
 * @param {boolean} own what somebody else did is softer, and is not felt
 */
export function play(name, own = true) {
  const sound = SOUNDS[name];
  if (!sound) return;
  if (document.visibilityState === "hidden" && !sound.calls) return;
  if (own && sound.touch && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(sound.touch);
  const context = (audio ??= new AudioContext());
  if (context.state === "running") begin(context, name, own);
  else void wakeFor(context, name, own);
}

/**
 * A browser keeps silent until somebody taps. What happened long before must not be heard all at once then.
 * @param {AudioContext} context
 * @param {string} name
 * @param {boolean} own
 */
async function wakeFor(context, name, own) {
  const asked = performance.now();
  for (const act of ["pointerup", "keydown"]) addEventListener(act, wake, { capture: true, once: true });
  await context.resume();
  if (performance.now() - asked < LATE * 1000) begin(context, name, own);
}

function wake() {
  void audio?.resume();
}

/**
 * @param {AudioContext} context
 * @param {string} name
 * @param {boolean} own
 */
function begin(context, name, own) {
  const now = context.currentTime;
  if (name === last.name && now - last.at < ONCE) return;
  last = { name, at: now };
  for (const tone of SOUNDS[name].tones) {
    const start = now + tone.at;
    const gain = tone.gain * (own ? 1 : SOFT);
    if (tone.noise) blow(context, start, tone, gain);
    else {
      ring(context, start, tone.pitch, tone.length, gain);
      ring(context, start, tone.pitch * BAR, tone.length / 4, gain / 4);
    }
  }
}

/**
 * @param {AudioContext} context
 * @param {number} start
 * @param {number} pitch
 * @param {number} length
 * @param {number} gain
 */
function ring(context, start, pitch, length, gain) {
  const tone = new OscillatorNode(context, { frequency: pitch });
  tone.connect(loudness(context, start, length, gain, 0.004));
  tone.start(start);
  tone.stop(start + length);
}

/**
 * Noise, each time from another place and a little higher or lower, as no two cards fall alike.
 * @param {AudioContext} context
 * @param {number} start
 * @param {Tone} tone
 * @param {number} gain
 */
function blow(context, start, { pitch, to = pitch, length, rise = 0.002 }, gain) {
  hiss ??= noise(context);
  const source = new AudioBufferSourceNode(context, { buffer: hiss });
  const slightly = 0.95 + Math.random() / 10;
  const around = new BiquadFilterNode(context, { type: "bandpass", Q: 1.2 });
  around.frequency.setValueAtTime(pitch * slightly, start);
  around.frequency.exponentialRampToValueAtTime(to * slightly, start + length);
  source.connect(around).connect(loudness(context, start, length, gain, rise));
  source.start(start, Math.random() * 0.5, length);
}

/**
 * @param {AudioContext} context
 * @param {number} start
 * @param {number} length
 * @param {number} gain
 * @param {number} rise
 */
function loudness(context, start, length, gain, rise) {
  const node = new GainNode(context, { gain: 0 });
  node.gain.setValueAtTime(0, start);
  node.gain.linearRampToValueAtTime(gain, start + rise);
  node.gain.exponentialRampToValueAtTime(0.0005, start + length);
  node.connect(context.destination);
  return node;
}

/** @param {AudioContext} context */
function noise(context) {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
