import { byId, setText } from "../dom.js";
import { decimalText, minus, parseDecimal } from "./decimal.js";
import { formatMoney, formatSigned, moneyDecimals, signOf } from "./money-words.js";

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
