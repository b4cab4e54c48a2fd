import { decimalText, minus, parseDecimal } from "../decimal.js";
import { byId, setText } from "../dom.js";
import { formatMoney, formatSigned, moneyDecimals, signOf } from "../money.js";

/** Shows the account in one line, also while the dock is closed: equity, and what was won or lost since the beginning.
 * @param {import("./trading.js").Parts} parts */
export function showDockFigures({ store, markets, chart, symbol }) {
    const show = () => {
        // The currency of the chosen market: sums over several would need a rate.
        const quote = markets.markets.get(symbol())?.quote;
        const portfolio = store.portfolios.find(({ currency }) => currency === quote) ?? store.portfolios[0];
        const equity = parseDecimal(portfolio?.equity ?? "");
        const capital = parseDecimal(portfolio?.initial_capital ?? "");
        byId("dock-figures").hidden = !(portfolio && equity && capital);
        if (portfolio && equity && capital) {
            const gain = decimalText(minus(equity, capital));
            const decimals = moneyDecimals(portfolio.currency);
            setText(byId("dock-equity"), formatMoney(portfolio.equity, portfolio.currency));
            setText(byId("dock-profit"), formatSigned(gain, decimals));
            byId("dock-profit").dataset.direction = signOf(gain, decimals);
        }
    };
    store.addEventListener("change", show);
    chart.addEventListener("selected", show);
}

/**
 * Shows whether the figures can be trusted: the connection, the ledger behind the desk, the account's state, the feed. A shape and
 * a word say it, not colour alone.
 *
 * @param {import("./trading.js").Parts} parts
 * @param {import("../stream/session.js").Session} session
 */
export function showHealth({ store, markets, chart, symbol, offWords }, session) {
    const show = () => {
        const [state, words, title] = healthOf(store, session, offWords(symbol()));
        const shown = byId("desk-health");
        shown.dataset.state = state;
        shown.title !== title && (shown.title = title);
        setText(byId("desk-health-words"), words);
    };
    session.addEventListener("state", show);
    markets.addEventListener("list", show);
    chart.addEventListener("selected", show);
    store.addEventListener("change", show);
    show();
}

/**
 * @param {import("./trading-store.js").TradingStore} store
 * @param {import("../stream/session.js").Session} session
 * @param {string} off that the feed of the chosen market is switched off; "" where it is not.
 * @returns {string[]} state, words, and what they mean.
 */
function healthOf({ health, known, problem }, session, off) {
    if (session.state !== "open") {
        return ["off", "Not connected", "The figures are from before the connection was lost."];
    }
    if (health?.ledger === "failing") {
        return ["bad", "Orders off", "The ledger can’t be written, so orders are not accepted."];
    }
    if (problem) {
        return ["bad", "Trading unavailable", problem];
    }
    if (!known.has("orders")) {
        return ["off", "Loading account", "Waiting for the account’s state."];
    }
    if (off) {
        return ["off", "Feed off", `${off} No orders are accepted in it.`];
    }
    return ["good", "Trading ready", "Connected. Every order is written to the ledger before it is acknowledged."];
}
