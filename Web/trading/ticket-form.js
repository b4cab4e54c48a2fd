import { byId, fillOptions, setText } from "../dom.js";
import { readPositive } from "./form-values.js";
import { FORCES, typeName } from "../money.js";

/** @typedef {"limit_price" | "stop_price" | "trail"} PriceField */
/** @type {PriceField[]} */
const PRICES = ["limit_price", "stop_price", "trail"];
/** @type {Record<string, PriceField[]>} Types with the price fields that each needs. */
const TYPES = {
    market: [],
    limit: ["limit_price"],
    stop: ["stop_price"],
    stop_limit: ["stop_price", "limit_price"],
    trailing_stop: ["trail"],
};

/**
 * The fields of the ticket, by the server's names: an error about one finds it by that name.
 *
 * A price is text from the keyboard to the server; nothing here turns it into a binary number.
 */
export class TicketForm {
    element = byId("ticket-form", HTMLFormElement);
    /** All that may not change while an order is on its way. */
    fields = byId("ticket-fields", HTMLFieldSetElement);

    constructor() {
        fillOptions(this.#field("type"), Object.fromEntries(Object.keys(TYPES).map((type) => [type, typeName(type)])));
        fillOptions(this.#field("time_in_force"), FORCES);
        this.#field("type").addEventListener("change", () => this.#showType());
        this.#field("leverage").addEventListener("input", () => this.#showLeverage());
        this.#showType();
    }

    get side() {
        return this.#field("side").value;
    }

    set side(side) {
        this.#field("side").value = side;
    }

    get leverage() {
        return Number(this.#field("leverage").value);
    }

    set leverage(leverage) {
        this.#field("leverage").value = String(leverage);
        this.#showLeverage();
    }

    /** The highest that the server allows. */
    set maxLeverage(/** @type {number} */ most) {
        this.#field("leverage").max = String(most);
        this.#showLeverage();
    }

    /** What the leverage means for what there is already; empty: nothing.
     * @param {string} words */
    set leverageNote(words) {
        setText(byId("ticket-leverage-note"), words);
    }

    get isReducing() {
        return this.#field("reduce_only").checked;
    }

    /** As it was typed. */
    get quantity() {
        return this.#field("quantity").value;
    }

    set quantity(text) {
        this.#field("quantity").value = text;
    }

    /** The price that the order names, as it was typed; "" for one at the market. */
    get price() {
        const name = this.#needed.findLast((each) => each !== "trail");
        return name ? this.#field(name).value : "";
    }

    /** Puts a price where the order has none yet.
     * @param {string} text */
    proposePrice(text) {
        this.#field("limit_price").value ||= text;
        this.#field("stop_price").value ||= text;
    }

    /** Prices belong to a market: another one begins without. */
    clearPrices() {
        [...PRICES, "take_profit", "stop_loss", "quantity"].forEach((name) => (this.#field(name).value = ""));
    }

    /** After an order was accepted: what was meant for it alone goes, so that the next one does not carry it unseen. */
    beginAnother() {
        ["take_profit", "stop_loss"].forEach((name) => (this.#field(name).value = ""));
        this.#field("reduce_only").checked = false;
    }

    /** @param {string} base of the market. @param {string} quote */
    name(base, quote) {
        for (const [unit, words] of Object.entries({ base, quote })) {
            this.element.querySelectorAll(`[data-unit=${unit}]`).forEach((each) => setText(each, words));
        }
    }

    focus() {
        this.#field("quantity").focus();
        this.#field("quantity").select();
    }

    /**
     * The order as it is sent, without market and number.
     *
     * @returns {Omit<import("./trading-desk.js").OrderRequest, "symbol">}
     * @throws {import("../stream/rest.js").RestError} that names the first field that is not as it should be.
     */
    read() {
        const request = {
            side: /** @type {"buy" | "sell"} */ (this.side),
            type: this.#field("type").value,
            time_in_force: this.#field("time_in_force").value,
            leverage: this.leverage,
            post_only: this.#needed.includes("limit_price") && this.#field("post_only").checked,
            reduce_only: this.isReducing,
        };
        const positive = (/** @type {string} */ name) => readPositive(this.#field(name).value, name);
        const prices = this.#needed.map((name) => {
            const text = positive(name);
            return { [name]: name === "trail" ? { [this.#field("trail_unit").value]: text } : text };
        });
        const quantity = positive("quantity");
        const bracket = ["take_profit", "stop_loss"].filter((name) => this.#field(name).value.trim());
        return Object.assign(request, { quantity }, ...prices, ...bracket.map((name) => ({ [name]: positive(name) })));
    }

    /** The price fields that the chosen type needs. */
    get #needed() {
        return TYPES[this.#field("type").value];
    }

    #showType() {
        const needed = this.#needed;
        PRICES.forEach((name) => this.#showField(name, needed.includes(name)));
        this.#showField("post_only", needed.includes("limit_price"));
    }

    /** @param {string} name @param {boolean} isShown */
    #showField(name, isShown) {
        this.#field(name).closest("label")?.toggleAttribute("hidden", !isShown);
    }

    #showLeverage() {
        setText(byId("ticket-leverage"), `${this.leverage}×`);
        this.#field("leverage").setAttribute("aria-valuetext", `${this.leverage} times`);
    }

    /** A field by its name. Of the sides, which are radio buttons, only the `value` is there.
     * @param {string} name */
    #field(name) {
        return /** @type {HTMLInputElement} */ (this.element.elements.namedItem(name));
    }
}
