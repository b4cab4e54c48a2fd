import { element, setText } from "../dom.js";
import { choice } from "./trade-settings.js";
import { dividedDown, decimalText, minus, parseDecimal, times } from "../decimal.js";
import { EquityChart } from "./equity-chart.js";
import { formatMoney, formatSigned, moneyDecimals, signOf } from "../money.js";

/** Milliseconds between two looks at the history, while it is shown. */
const AGAIN = 30_000;

/** What the account is worth, one currency at a time (they are never summed), and how that changed. */
export class PortfolioView {
    id = "portfolio";
    name = "Portfolio";
    element = element("div", { class: "trade-view portfolio" });
    chart = new EquityChart();
    #parts;
    #currency = choice("Currency", {}, () => this.#reload());
    #cards = element("dl", { class: "stat-cards" });
    /** What the curve shows, and since when. */
    #loaded = "";
    #loadedAt = 0;

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        this.element.append(this.#currency.element, this.#cards, this.chart.element);
    }

    show() {
        const { store } = this.#parts;
        const currencies = store.portfolios.map(({ currency }) => currency);
        const select = this.#currency.element;
        if ([...select.options].map(({ value }) => value).join() !== currencies.join()) {
            const chosen = select.value;
            select.replaceChildren(...currencies.map((each) => element("option", { value: each }, each)));
            select.value = currencies.includes(chosen) ? chosen : (currencies[0] ?? "");
        }
        select.hidden = currencies.length < 2;
        const portfolio = store.portfolios.find(({ currency }) => currency === select.value);
        this.#showCards(portfolio);
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

    /** @param {import("./trading-store.js").Portfolio | undefined} portfolio */
    #showCards(portfolio) {
        const cards = portfolio ? cardsOf(portfolio) : [["Portfolio", "Loading…", "", ""]];
        cards.forEach(([name, text, note, direction], at) => {
            const card = this.#cards.children[at] ?? this.#cards.appendChild(emptyCard());
            const [title, value] = card.children;
            setText(title, name);
            setText(value.children[0], text);
            setText(value.children[1], note);
            /** @type {HTMLElement} */ (card).dataset.direction = direction;
        });
        while (this.#cards.children.length > cards.length) {
            this.#cards.lastElementChild?.remove();
        }
    }
}

function emptyCard() {
    return element("div", { class: "stat-card" }, element("dt"), element("dd", {}, element("span"), element("small")));
}

/** @param {import("./trading-store.js").Portfolio} portfolio @returns {string[][]} name, value, note, direction. */
function cardsOf({ currency, equity, available_balance: available, used_margin: margin, fees, initial_capital: capital, ...rest }) {
    const decimals = moneyDecimals(currency);
    const money = (/** @type {string} */ text) => formatMoney(text, currency);
    const profit = (/** @type {string} */ text) => [`${formatSigned(text, decimals)} ${currency}`, "", signOf(text, decimals)];
    const [now, begun] = [parseDecimal(equity), parseDecimal(capital)];
    const gain = now && begun ? minus(now, begun) : { units: 0n, decimals: 0 };
    const percent = begun && begun.units !== 0n ? dividedDown(times(gain, { units: 100n, decimals: 0 }), begun, 6) : null;
    const change = percent ? `${formatSigned(decimalText(percent))}% of ${money(capital)}` : "";
    return [
        ["Equity", money(equity), change, signOf(decimalText(gain), decimals)],
        ["Available", money(available), "", ""],
        ["Margin in use", money(margin), "", ""],
        ["Unrealized profit", ...profit(rest.unrealized_pnl)],
        ["Realized profit", ...profit(rest.realized_pnl)],
        ["Fees paid", money(fees), "", ""],
    ];
}
