/** Candles requested with a chart's snapshot; the server's largest. */
const CHART_HISTORY = 1000;
/** Updates a second for the chart: more than this no eye sees. */
const CHART_RATE = 30;
/** Updates a second for a row of the market list. */
const LIST_RATE = 4;
/** The timeframe of a market row's stream. */
const LIST_TIMEFRAME = "1m";

/**
 * What the page requests of one stream. Only symbol and timeframe name the stream; the rest says how.
 *
 * @typedef {object} Subscription
 * @property {string} symbol
 * @property {string} timeframe
 * @property {number} history candles in the snapshot.
 * @property {number} maxRate ticks and forming candles per second at most.
 * @property {boolean} [isCharted] whether the chart shows its bars.
 */

/**
 * Which streams the page requests.
 *
 * A symbol never has two: with both the list's stream and the chart's every trade of the charted symbol would arrive
 * twice. The chart's stream feeds that row of the list too. A hidden page has no list to keep current, only alerts that
 * wait; its streams the session slows down.
 *
 * @param {object} view
 * @param {string[]} view.symbols the market list, in order.
 * @param {?{symbol: string, timeframe: string}} view.selection
 * @param {boolean} view.hidden whether the tab is in the background.
 * @param {ReadonlySet<string>} view.watched symbols whose streams go on in the background too.
 * @returns {Subscription[]}
 */
export function planSubscriptions({ symbols, selection, hidden, watched }) {
    /** @type {Subscription[]} */
    const plan = selection ? [{ ...selection, history: CHART_HISTORY, maxRate: CHART_RATE, isCharted: true }] : [];
    for (const symbol of symbols) {
        if (symbol !== selection?.symbol && (!hidden || watched.has(symbol))) {
            plan.push({ symbol, timeframe: LIST_TIMEFRAME, history: 0, maxRate: LIST_RATE });
        }
    }
    return plan;
}
