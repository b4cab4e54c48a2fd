import { decimalText, minus, parseDecimal } from "../decimal.js";
import { byId, setText } from "../dom.js";
import { formatMoney, formatSigned, moneyDecimals, signOf } from "../money.js";

/** The account in one line, also while the dock is closed: equity, and what was won or lost since the beginning. */
export class DockFigures {
    #equity = byId("dock-equity");
    #profit = byId("dock-profit");
    #parts;

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        parts.store.addEventListener("change", () => this.#show());
        parts.chart.addEventListener("selected", () => this.#show());
    }

    #show() {
        const { store, markets, symbol } = this.#parts;
        // The currency of the chosen market: sums over several would need a rate.
        const quote = markets.markets.get(symbol())?.quote;
        const portfolio = store.portfolios.find(({ currency }) => currency === quote) ?? store.portfolios[0];
        const equity = parseDecimal(portfolio?.equity ?? "");
        const capital = parseDecimal(portfolio?.initial_capital ?? "");
        const isThere = Boolean(portfolio && equity && capital);
        byId("dock-figures").hidden = !isThere;
        if (portfolio && equity && capital) {
            const gain = decimalText(minus(equity, capital));
            const decimals = moneyDecimals(portfolio.currency);
            setText(this.#equity, formatMoney(portfolio.equity, portfolio.currency));
            setText(this.#profit, formatSigned(gain, decimals));
            this.#profit.dataset.direction = signOf(gain, decimals);
        }
    }
}

/**
 * Whether what is shown can be trusted: the connection, the ledger behind the desk, the account's state. A shape and a
 * word say it, not colour alone.
 */
export class HealthIndicator {
    #element = byId("desk-health");
    #words = byId("desk-health-words");
    #store;
    #session;

    /** @param {import("./trading-store.js").TradingStore} store @param {import("../stream/session.js").Session} session */
    constructor(store, session) {
        this.#store = store;
        this.#session = session;
        session.addEventListener("state", () => this.#show());
        store.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const [state, words, title] = this.#judge();
        this.#element.dataset.state = state;
        this.#element.title !== title && (this.#element.title = title);
        setText(this.#words, words);
    }

    /** @returns {string[]} state, words, and what they mean. */
    #judge() {
        const { health, known, problem } = this.#store;
        if (this.#session.state !== "open") {
            return ["off", "Not connected", "The figures are from before the connection was lost."];
        }
        if (health?.ledger === "failing") {
            return ["bad", "Orders off", "The ledger can’t be written, so the desk accepts no orders."];
        }
        if (problem) {
            return ["bad", "No desk", problem];
        }
        if (!known.has("orders")) {
            return ["off", "Loading account", "Waiting for the account’s state."];
        }
        return ["good", "Desk ready", "Connected. Every order is written to the ledger before it is acknowledged."];
    }
}
