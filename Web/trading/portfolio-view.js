import { byId, fillOptions } from "../dom.js";
import { dividedDown, decimalText, minus, parseDecimal, times } from "../decimal.js";
import { EquityChart } from "./equity-chart.js";
import { formatMoney, formatSigned, moneyDecimals, signOf } from "../money.js";
import { showCards } from "./stat-cards.js";

/** Milliseconds between two looks at the history, while it is shown. */
const AGAIN = 30_000;

/** What the account is worth, one currency at a time (they are never summed), and how that changed. */
export class PortfolioView {
    id = "portfolio";
    chart = new EquityChart();
    #parts;
    #currency = byId("portfolio-currency", HTMLSelectElement);
    #cards = byId("portfolio-cards");
    /** What the curve shows, and since when. */
    #loaded = "";
    #loadedAt = 0;

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        this.#currency.addEventListener("change", () => this.#reload());
    }

    show() {
        const { store } = this.#parts;
        const currencies = store.portfolios.map(({ currency }) => currency);
        const select = this.#currency;
        if ([...select.options].map(({ value }) => value).join() !== currencies.join()) {
            const chosen = select.value;
            fillOptions(select, Object.fromEntries(currencies.map((each) => [each, each])));
            select.value = currencies.includes(chosen) ? chosen : (currencies[0] ?? "");
        }
        select.hidden = currencies.length < 2;
        const portfolio = store.portfolios.find(({ currency }) => currency === select.value);
        showCards(this.#cards, portfolio ? cardsOf(portfolio) : [["Portfolio", "Loading…"]]);
        if (!portfolio) {
            return;
        }
        const key = `${store.account} ${portfolio.currency}`;
        if (key !== this.#loaded || performance.now() - this.#loadedAt > AGAIN) {
            this.#loaded = key;
            this.#loadedAt = performance.now();
            this.#load(portfolio);
        } else {
            this.chart.update(portfolio.last_updated, portfolio.equity);
        }
    }

    #reload() {
        this.#loaded = "";
        this.show();
    }

    /** @param {import("./trading-store.js").Portfolio} portfolio */
    async #load(portfolio) {
        const { currency, initial_capital: capital } = portfolio;
        const points = await this.#parts.attempt(this.#parts.desk.equity(currency));
        if (points && this.#currency.value === currency) {
            const now = { timestamp: portfolio.last_updated, equity: portfolio.equity };
            const isNewer = now.timestamp > (points.at(-1)?.timestamp ?? 0);
            this.chart.show(isNewer ? [...points, now] : points, { currency, capital, decimals: moneyDecimals(currency) });
        }
    }
}

/** @param {import("./trading-store.js").Portfolio} portfolio @returns {string[][]} as `showCards` has them. */
function cardsOf({ currency, equity, available_balance: available, used_margin: margin, fees, initial_capital: capital, ...rest }) {
    const decimals = moneyDecimals(currency);
    const money = (/** @type {string} */ text) => formatMoney(text, currency);
    const profit = (/** @type {string} */ text) => [`${formatSigned(text, decimals)} ${currency}`, signOf(text, decimals)];
    const [now, begun] = [parseDecimal(equity), parseDecimal(capital)];
    const gain = now && begun ? minus(now, begun) : { units: 0n, decimals: 0 };
    const percent = begun && begun.units !== 0n ? dividedDown(times(gain, { units: 100n, decimals: 0 }), begun, 6) : null;
    const change = percent ? `${formatSigned(decimalText(percent))}% of ${money(capital)}` : "";
    return [
        ["Equity", money(equity), signOf(decimalText(gain), decimals), change],
        ["Available", money(available)],
        ["Margin in use", money(margin)],
        ["Unrealized profit", ...profit(rest.unrealized_pnl)],
        ["Realized profit", ...profit(rest.realized_pnl)],
        ["Fees paid", money(fees)],
    ];
}
