/** Attempts with growing pauses before the slow retry begins. */
const FAST_ATTEMPTS = 10;
/** Longest pause of the growing series, seconds. */
const CEILING_SECONDS = 30;
/** Pause of the slow retry, seconds. */
const SLOW_SECONDS = 60;

/**
 * How long to wait before the next attempt: full jitter over `min(2^attempt, 30)` seconds, so that a restarted server
 * meets its clients one by one and not all at once; after ten attempts one try a minute.
 *
 * @param {number} attempt failed attempts so far, counted from 0.
 * @param {() => number} random a number in [0, 1).
 * @param {number} [atLeast] seconds the server asked us to stay away.
 * @returns {number} seconds.
 */
export function reconnectDelay(attempt, random, atLeast = 0) {
    const ceiling = Math.min(2 ** attempt, CEILING_SECONDS);
    const delay = attempt < FAST_ATTEMPTS ? random() * ceiling : SLOW_SECONDS;
    return Math.max(delay, atLeast > 0 ? atLeast + random() : 0);
}
