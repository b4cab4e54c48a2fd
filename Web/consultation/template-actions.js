import { formatDecimal, statusName } from "../money.js";
import { timeframe } from "../timeframes.js";
import { SERIES_KINDS } from "../engine/boundary.js";
import { orderWords } from "./template-words.js";

/** What an indicator's name may look like: `sma20`, `EMA 50`, `bollinger(20)`, `macd`. */
const INDICATOR = /^([a-z][a-z-]*?)[\s_(]*((?:\d+(?:\.\d+)?[\s,/]*)*)\)?$/i;

/** @typedef {import("./conversation-machine.js").Template} Template */
/** @typedef {import("./template-card.js").CardAction} CardAction */

/**
 * What a template does when it is applied: the chart shows it, an alert waits, a page of the market list has it, an order is
 * placed on paper.
 */
export class TemplateActions {
    #page;
    #decide;
    /** What was decided here and the conversation did not report yet, by template.
     * @type {Map<string, {decision: string, orderID: string}>} */
    #decided = new Map();

    /**
     * @param {import("./consultation.js").ChatParts} page
     * @param {(template: string, decision: "approve" | "decline", account: string) => Promise<Partial<ServerOrder>>} decide on
     *   the server.
     */
    constructor(page, decide) {
        this.#page = page;
        this.#decide = decide;
    }

    /** @param {Template} template @returns {{actions: CardAction[], state: string}} */
    offer(template) {
        const { fields } = template;
        switch (template.type) {
            case "chart_layout":
                return one("Apply", () => this.#layOut(fields));
            case "alert":
                return one("Set alert", () => this.#alert(fields));
            case "watchlist":
                return one("Add page", () => this.#list(template));
            case "order_proposal":
                return this.#proposal(template);
            default:
                return { actions: [], state: "" };
        }
    }

    /** @param {unknown} symbol @returns {string} @throws {Error} where this server has no such market. */
    #market(symbol) {
        if (typeof symbol !== "string" || !this.#page.store.markets.has(symbol)) {
            throw new Error(`There is no market ${symbol ?? ""} on this server.`);
        }
        return symbol;
    }

    /** @param {{symbol?: string, timeframe?: string, chart_type?: string, indicators?: string[]}} fields */
    #layOut({ symbol: wanted, timeframe: id, chart_type: kind, indicators = [] }) {
        const { terminal, settings } = this.#page;
        const symbol = this.#market(wanted);
        if (id !== undefined && !timeframe(id)) {
            throw new Error(`There is no timeframe ${id}.`);
        }
        terminal.choose({ symbol, ...(id === undefined ? {} : { timeframe: id }) });
        const known = SERIES_KINDS.find((each) => each === kind);
        known && settings.set("kind", known);
        const unknown = indicators.filter((name) => !this.#addStudy(String(name)));
        const missing = unknown.length > 0 ? ` Unknown indicators: ${unknown.join(", ")}.` : "";
        return `Applied to the chart: ${symbol}${id ? `, ${id}` : ""}.${missing}`;
    }

    /** @param {string} text @returns {boolean} false where there is no such indicator. */
    #addStudy(text) {
        const { studies } = this.#page;
        const [, word = "", numbers = ""] = INDICATOR.exec(text.trim()) ?? [];
        const kind = studies.kinds.find(({ identifier }) => identifier === word.toLowerCase());
        if (!kind) {
            return false;
        }
        const parameters = numbers.split(/[\s,/]+/).filter((each) => each !== "").map(Number);
        // What is on the chart already is not put there twice.
        const isSame = (/** @type {StudyOnChart} */ each) =>
            each.kind === kind && parameters.every((number, at) => each.parameters[at] === number);
        const isThere = studies.list.some(isSame);
        return isThere || studies.add(kind, filled(kind, parameters)) !== 0;
    }

    /** @param {{symbol?: string, condition?: string, price?: string | number}} fields */
    #alert({ symbol: wanted, condition, price }) {
        const { levels } = this.#page;
        const symbol = this.#market(wanted);
        const direction = /** @type {Record<string, string>} */ ({ above: "up", below: "down" })[String(condition)] ?? "either";
        const isSame = (/** @type {PriceAlert} */ each) =>
            each.price === Number(price) && each.direction === direction && each.firedAt === null;
        if (!levels.of(symbol).alerts.some(isSame) && !levels.addAlert(symbol, Number(price), direction)) {
            throw new Error(`An alert at ${this.#price(symbol, String(price))} can’t be set: the price is not valid, or ${symbol} has too many alerts.`);
        }
        return `Alert set: ${symbol} ${condition} ${this.#price(symbol, String(price))}.`;
    }

    /** @param {{name: string, fields: {symbols?: string[]}}} template */
    #list({ name, fields: { symbols = [] } }) {
        const { pages, store } = this.#page;
        const known = symbols.filter((each) => store.markets.has(each));
        if (known.length === 0) {
            throw new Error("This server has none of these markets.");
        }
        const page = pages.create();
        if (!page) {
            throw new Error("There are too many pages; delete one first.");
        }
        pages.rename(page.id, name);
        known.forEach((symbol) => pages.add(symbol));
        const left = symbols.length - known.length;
        return `Page “${pages.shown?.name ?? name}” added.${left > 0 ? ` ${left} of its markets are not on this server.` : ""}`;
    }

    /** @param {Template} template */
    #proposal(template) {
        const { id, fields } = template;
        const { decision, orderID } = template.decision === "" ? (this.#decided.get(id) ?? template) : template;
        if (decision !== "") {
            return { actions: [], state: decision === "declined" ? "Declined. Nothing was traded." : this.#orderState(orderID) };
        }
        const { trading } = this.#page;
        const decide = async (/** @type {"approve" | "decline"} */ answer) => {
            const order = await this.#decide(id, answer, trading.store.account);
            order?.status && trading.store.answer(/** @type {ServerOrder} */ (order));
            this.#decided.set(id, { decision: answer === "approve" ? "approved" : "declined", orderID: order?.id ?? "" });
            return answer === "approve" ? this.#orderState(order?.id ?? "") : "Declined. Nothing was traded.";
        };
        return {
            actions: [
                { name: "Decline", act: () => decide("decline") },
                { name: "Approve", isMain: true, act: () => decide("approve") },
            ],
            state: `${orderWords(fields)}, on paper. Nothing is traded until you approve.`,
        };
    }

    /** @param {string} id of an order. */
    #orderState(id) {
        const order = this.#page.trading.store.orders.get(id);
        if (!order) {
            return "Approved.";
        }
        const price = order.average_fill_price ? ` at ${this.#price(order.symbol, order.average_fill_price)}` : "";
        return `Approved: ${statusName(order.status).toLowerCase()}${price}${order.reason ? ` (${order.reason})` : ""}.`;
    }

    /** @param {string} symbol @param {string} text */
    #price(symbol, text) {
        return formatDecimal(text, this.#page.store.markets.get(symbol)?.precision ?? 2);
    }
}

/** @param {string} name @param {() => string} act */
function one(name, act) {
    return { actions: [{ name, isMain: true, act }], state: "" };
}

/** Parameters of a study, the default ones where none is named.
 * @param {import("../engine/engine.js").StudyKind} kind @param {number[]} parameters */
function filled(kind, parameters) {
    const defaults = kind.parameters.map(({ standard }) => standard);
    return parameters.length === 0 ? [] : defaults.map((each, at) => parameters[at] ?? each);
}
