/** Two short tones: frequency in Hz, start and length in seconds. */
const TONES = [
    [880, 0, 0.14],
    [1174.66, 0.16, 0.22],
];
const LOUDNESS = 0.12;

/** @type {?AudioContext} */
let context = null;

/** Plays the alert's sound, where the browser allows sounds. */
export function playAlert() {
    context ??= new AudioContext();
    context.resume();
    for (const [frequency, start, length] of TONES) {
        const from = context.currentTime + start;
        const tone = new OscillatorNode(context, { type: "sine", frequency });
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(0, from);
        gain.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
        gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
        tone.connect(gain).connect(context.destination);
        tone.start(from);
        tone.stop(from + length);
    }
}
