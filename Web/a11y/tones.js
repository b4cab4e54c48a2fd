/**
 * A series as tones: a high price is a high tone, and time goes from left to right, as in the sonifications of Highcharts
 * (pitch by y, time and pan by x) and Apple's Audio Graphs (y as pitch, x as time).
 *
 * Pitch is logarithmic in price: the ear counts ratios, so an equal percentage is an equal interval wherever it is. The
 * range is three octaves up to Highcharts' highest note; what is lower, small speakers do not play.
 */

/** Hertz of the lowest and the highest price: C3 and C6. */
export const LOWEST = 130.8128;
export const HIGHEST = 1046.502;
/** Seconds of a tone, at most: Highcharts' duration of a note. */
const MAX_SECONDS = 0.2;
/** Seconds in which a tone comes and goes; without them it clicks. */
const FADE = 0.01;
/** Loudness of a tone, of 1; screen readers speak over it. */
const LOUDNESS = 0.25;

/** @typedef {{low: number, high: number}} PriceRange */

/**
 * The range of prices that the tones stand for.
 *
 * @param {number[]} closes
 * @returns {PriceRange}
 */
export function priceRange(closes) {
    return { low: Math.min(...closes), high: Math.max(...closes) };
}

/**
 * @param {number} price
 * @param {PriceRange} range a price beyond it has the pitch of its end. Prices that are not above zero have no ratio: a range
 *     with such is divided evenly.
 * @returns {number} hertz; the middle of the scale where all prices are the same.
 */
export function pitch(price, { low, high }) {
    const place = low > 0 ? Math.log(price / low) / Math.log(high / low) : (price - low) / (high - low);
    const part = high > low ? Math.min(1, Math.max(0, place)) : 0.5;
    return LOWEST * (HIGHEST / LOWEST) ** part;
}

/**
 * @param {number} index
 * @param {{first: number, last: number}} range
 * @returns {number} -1 is left, 1 is right.
 */
export function pan(index, { first, last }) {
    return last > first ? Math.min(1, Math.max(-1, (2 * (index - first)) / (last - first) - 1)) : 0;
}

/**
 * Plays one tone, now.
 *
 * @param {BaseAudioContext} audio
 * @param {{frequency: number, pan: number, seconds: number}} tone
 */
export function playTone(audio, { frequency, pan, seconds }) {
    const start = audio.currentTime;
    const end = start + Math.max(3 * FADE, Math.min(MAX_SECONDS, seconds));
    const oscillator = new OscillatorNode(audio, { frequency, type: "sine" });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + FADE);
    gain.gain.setValueAtTime(LOUDNESS, end - FADE);
    gain.gain.linearRampToValueAtTime(0, end);
    oscillator.connect(gain).connect(new StereoPannerNode(audio, { pan })).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(end);
}
