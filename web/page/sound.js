// The one sound of the page.

/** @type {AudioContext | undefined} */
let audio;

/** Plays a piece put down on wood: a short burst of noise without its highs. */
export function knock() {
  audio ??= new AudioContext();
  const length = Math.round(audio.sampleRate * 0.06);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "lowpass", frequency: 700 });
  source.connect(filter).connect(new GainNode(audio, { gain: 0.5 })).connect(audio.destination);
  source.start();
}
