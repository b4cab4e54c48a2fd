/** Attempts with growing pauses before the slow retry begins. */
const FAST_ATTEMPTS = 10;
/** Longest pause of the growing series, seconds. */
const CEILING_SECONDS = 30;
/** Attempts whose pauses stay short while somebody looks at the page. */
const WATCHED_ATTEMPTS = 6;
/** Longest of those pauses, seconds. */
const WATCHED_CEILING_SECONDS = 3;
/** Pause of the slow retry, seconds. */
const SLOW_SECONDS = 60;

/**
 * How long to wait before the next attempt: full jitter over `min(2^attempt, 30)` seconds, so that a restarted server
 * meets its clients one by one and not all at once; after ten attempts one try a minute. Somebody who looks at the page
 * waits at most three seconds for each of the first six attempts.
 *
 * @param {number} attempt failed attempts so far, counted from 0.
 * @param {() => number} random a number in [0, 1).
 * @param {object} [circumstances]
 * @param {number} [circumstances.atLeast] seconds the server asked us to stay away.
 * @param {boolean} [circumstances.isWatched] whether the page is visible.
 * @returns {number} seconds.
 */
export function reconnectDelay(attempt, random, { atLeast = 0, isWatched = false } = {}) {
    const longest = isWatched && attempt < WATCHED_ATTEMPTS ? WATCHED_CEILING_SECONDS : CEILING_SECONDS;
    const ceiling = Math.min(2 ** attempt, longest);
    const delay = attempt < FAST_ATTEMPTS ? random() * ceiling : SLOW_SECONDS;
    return Math.max(delay, atLeast > 0 ? atLeast + random() : 0);
}
