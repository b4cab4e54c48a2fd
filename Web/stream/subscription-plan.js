/** Candles asked for with a chart's snapshot; the server's largest. */
const CHART_HISTORY = 1000;
/** A chart draws once per frame: more than this many messages a second would only be merged. */
const CHART_RATE = 60;
/** Messages a second for a row of the market list. */
const LIST_RATE = 4;
/** Messages a second while nobody looks; enough for the price in the tab's title. */
const HIDDEN_RATE = 1;
/** The stream a market row listens to. */
const LIST_TIMEFRAME = "1m";

/** @typedef {import("./subscription-set.js").Subscription} Subscription */

/**
 * Which streams the page wants.
 *
 * A symbol never has two: ticks carry a symbol but no timeframe, so with both the list's stream and the chart's every
 * trade of the charted symbol would arrive twice and count twice. The chart's stream feeds that row of the list too.
 *
 * @param {object} view
 * @param {string[]} view.symbols the market list, in order.
 * @param {?{symbol: string, timeframe: string}} view.selection
 * @param {boolean} view.chartReady whether there is an engine to draw with.
 * @param {boolean} view.hidden whether the tab is in the background.
 * @returns {Subscription[]}
 */
export function planSubscriptions({ symbols, selection, chartReady, hidden }) {
    /** @type {Subscription[]} */
    const plan = [];
    if (selection && hidden) {
        plan.push({ ...selection, history: 0, maxRate: HIDDEN_RATE });
    } else if (selection && chartReady) {
        plan.push({ ...selection, history: CHART_HISTORY, maxRate: CHART_RATE, recovers: true });
    }
    if (hidden) {
        return plan;
    }
    for (const symbol of symbols) {
        if (plan.length === 0 || symbol !== selection?.symbol) {
            plan.push({ symbol, timeframe: LIST_TIMEFRAME, history: 0, maxRate: LIST_RATE });
        }
    }
    return plan;
}
