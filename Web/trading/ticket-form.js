import { element, setText } from "../dom.js";
import { readDecimal } from "./form-values.js";
import { FORCES, typeName } from "../money.js";

/** @type {Record<string, ("limit_price" | "stop_price" | "trail")[]>} Types with the price fields that each needs. */
const TYPES = {
    market: [],
    limit: ["limit_price"],
    stop: ["stop_price"],
    stop_limit: ["stop_price", "limit_price"],
    trailing_stop: ["trail"],
};
/** Of an account that has no limit of its own. */
const MOST_LEVERAGE = 100;

/**
 * The fields of the ticket, by the server's names: an error about one finds it by that name.
 *
 * A price is text from the keyboard to the server; nothing here turns it into a binary number.
 */
export class TicketForm {
    element = element("form", { class: "ticket-form", novalidate: "", "aria-label": "Order" });
    /** All that may not change while an order is on its way. */
    fields = element("fieldset", { class: "ticket-fields" });
    problem = element("p", { class: "form-problem", role: "alert" });
    sizes = element("div", { class: "ticket-sizes", role: "group", "aria-label": "Share of the available balance" });
    #side = radios("side", "Side", { buy: "Buy", sell: "Sell" });
    #type = select("type", "Type", Object.fromEntries(Object.keys(TYPES).map((type) => [type, typeName(type)])));
    #force = select("time_in_force", "Time in force", FORCES);
    #quantity = decimal("quantity", "Quantity");
    #prices = {
        stop_price: decimal("stop_price", "Stop price"),
        limit_price: decimal("limit_price", "Limit price"),
        trail: decimal("trail", "Trailing distance"),
    };
    #trailUnit = element("select", { name: "trail_unit", "aria-label": "Unit" });
    #leverage = element("input", { type: "range", name: "leverage", min: "1", max: String(MOST_LEVERAGE), value: "1" });
    #leverageWords = element("b", {}, "1×");
    #leverageNote = element("small", { class: "field-hint", id: "ticket-leverage-note", role: "status" });
    #post = box("post_only", "Post-only", "Maker only: never fills immediately");
    #reduce = box("reduce_only", "Reduce-only", "Only ever reduces a position");
    #profit = decimal("take_profit", "Take profit");
    #loss = decimal("stop_loss", "Stop loss");

    constructor() {
        this.#trailUnit.append(element("option", { value: "percent" }, "%"), element("option", { value: "amount" }, "price"));
        this.#prices.trail.row.append(this.#trailUnit);
        this.#leverage.addEventListener("input", () => this.#showLeverage());
        const leverage = element("label", { class: "field ticket-leverage" }, element("span", {}, "Leverage ", this.#leverageWords), this.#leverage);
        this.#leverage.setAttribute("aria-describedby", this.#leverageNote.id);
        const bracket = element("details", { class: "ticket-bracket" }, element("summary", {}, "Take profit and stop loss"));
        bracket.append(this.#profit.field, this.#loss.field);
        this.#type.input.addEventListener("change", () => this.#showType());
        this.fields.append(
            this.#side.element,
            this.#type.field,
            this.#prices.stop_price.field,
            this.#prices.limit_price.field,
            this.#prices.trail.field,
            this.#quantity.field,
            this.sizes,
            leverage,
            this.#leverageNote,
            this.#force.field,
            element("div", { class: "ticket-boxes" }, this.#post.field, this.#reduce.field),
            bracket,
        );
        this.element.append(this.fields, this.problem);
        this.#showType();
    }

    get side() {
        return this.#side.value;
    }

    set side(side) {
        this.#side.value = side;
    }

    get type() {
        return this.#type.input.value;
    }

    get leverage() {
        return Number(this.#leverage.value);
    }

    set leverage(leverage) {
        this.#leverage.value = String(leverage);
        this.#showLeverage();
    }

    /** What the leverage means for what there is already; empty: nothing.
     * @param {string} words */
    set leverageNote(words) {
        setText(this.#leverageNote, words);
    }

    get isReducing() {
        return this.#reduce.input.checked;
    }

    /** As it was typed. */
    get quantity() {
        return this.#quantity.input.value;
    }

    set quantity(text) {
        this.#quantity.input.value = text;
    }

    /** The price that the order names, as it was typed; "" for one at the market. */
    get price() {
        const [name] = [...TYPES[this.type]].reverse().filter((each) => each !== "trail");
        return name ? this.#prices[name].input.value : "";
    }

    /** Puts a price where the order has none yet.
     * @param {string} text */
    proposePrice(text) {
        for (const { input } of [this.#prices.limit_price, this.#prices.stop_price]) {
            input.value ||= text;
        }
    }

    /** Prices belong to a market: another one begins without. */
    clearPrices() {
        const all = [...Object.values(this.#prices), this.#profit, this.#loss, this.#quantity];
        all.forEach(({ input }) => (input.value = ""));
    }

    /** @param {string} base of the market. @param {string} quote */
    name(base, quote) {
        this.#quantity.unit.textContent = base;
        [this.#prices.limit_price, this.#prices.stop_price, this.#profit, this.#loss].forEach(({ unit }) => (unit.textContent = quote));
    }

    focus() {
        this.#quantity.input.focus();
        this.#quantity.input.select();
    }

    /**
     * The order as it is sent, without market and number.
     *
     * @returns {Omit<import("./trading-desk.js").OrderRequest, "symbol">}
     * @throws {import("../stream/rest.js").RestError} that names the first field that is not as it should be.
     */
    read() {
        const { type } = this;
        const request = {
            side: /** @type {"buy" | "sell"} */ (this.side),
            type,
            time_in_force: this.#force.input.value,
            leverage: this.leverage,
            post_only: this.#post.field.hidden ? false : this.#post.input.checked,
            reduce_only: this.isReducing,
        };
        const positive = (/** @type {HTMLInputElement} */ { value, name }) => readDecimal(value, name, { above: "0" });
        const prices = TYPES[type].map((name) => {
            const text = positive(this.#prices[name].input);
            return { [name]: name === "trail" ? { [this.#trailUnit.value]: text } : text };
        });
        const quantity = positive(this.#quantity.input);
        const bracket = [this.#profit.input, this.#loss.input].filter(({ value }) => value.trim());
        return Object.assign(request, { quantity }, ...prices, ...bracket.map((input) => ({ [input.name]: positive(input) })));
    }

    #showType() {
        const needed = TYPES[this.type];
        for (const [name, { field }] of Object.entries(this.#prices)) {
            field.hidden = !needed.some((each) => each === name);
        }
        this.#post.field.hidden = !needed.includes("limit_price");
    }

    #showLeverage() {
        this.#leverageWords.textContent = `${this.leverage}×`;
        this.#leverage.setAttribute("aria-valuetext", `${this.leverage} times`);
    }
}

/** @param {string} name @param {string} label */
function decimal(name, label) {
    const input = element("input", { type: "text", inputmode: "decimal", name, autocomplete: "off", spellcheck: "false" });
    const unit = element("span", { class: "field-unit", "aria-hidden": "true" });
    const row = element("span", { class: "field-row" }, input, unit);
    return { input, unit, row, field: element("label", { class: "field" }, element("span", {}, label), row) };
}

/** @param {string} name @param {string} label @param {Record<string, string>} options */
function select(name, label, options) {
    const input = element("select", { name });
    Object.entries(options).forEach(([value, words]) => input.append(element("option", { value }, words)));
    return { input, field: element("label", { class: "field" }, element("span", {}, label), input) };
}

/** @param {string} name @param {string} label @param {string} title */
function box(name, label, title) {
    const input = element("input", { type: "checkbox", name });
    return { input, field: element("label", { class: "switch", title }, input, label) };
}

/** @param {string} name @param {string} label @param {Record<string, string>} options */
function radios(name, label, options) {
    const inputs = Object.keys(options).map((value) => element("input", { type: "radio", name, value }));
    const labels = inputs.map((input) => element("label", { "data-side": input.value }, input, options[input.value]));
    const group = element("fieldset", { class: "ticket-side" }, element("legend", { class: "visually-hidden" }, label), ...labels);
    inputs[0].checked = true;
    return {
        element: group,
        get value() {
            return inputs.find(({ checked }) => checked)?.value ?? "";
        },
        set value(value) {
            inputs.forEach((input) => (input.checked = input.value === value));
        },
    };
}
