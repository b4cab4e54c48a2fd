import { byId, setText } from "../dom.js";
import { RestError } from "../stream/rest.js";
import { formatDecimal, formatMoney } from "../money.js";

/** Milliseconds after the last change before the desk gets the order. */
const PAUSE = 250;
/** Milliseconds after which what is shown is requested again: the market moves. */
const AGAIN = 4000;

/** @typedef {import("./trading-desk.js").OrderRequest} OrderRequest */
/** @typedef {import("./trading-desk.js").Preview} Preview */

/** What an order would cost, as the desk says, while it is being written. */
export class TicketPreview {
    #parts;
    #read;
    #marks;
    #timer = 0;
    #running = new AbortController();

    /**
     * @param {import("./trading.js").Parts} parts
     * @param {() => ?OrderRequest} read the order as it is now; null while it is not complete.
     * @param {import("../ui/field-marks.js").FieldMarks} marks
     */
    constructor(parts, read, marks) {
        this.#parts = parts;
        this.#read = read;
        this.#marks = marks;
    }

    /** The order changed: requests a preview once nothing changed for a moment. */
    refresh() {
        this.#schedule(PAUSE);
    }

    stop() {
        clearTimeout(this.#timer);
        this.#running.abort();
    }

    /** @param {number} pause */
    #schedule(pause) {
        this.stop();
        this.#timer = setTimeout(() => this.#load(), pause);
    }

    async #load() {
        const order = this.#read();
        if (!order) {
            this.#show();
            return;
        }
        const { signal } = (this.#running = new AbortController());
        try {
            this.#show(await this.#parts.desk.preview(order, signal), order.symbol);
        } catch (error) {
            if (signal.aborted || !(error instanceof RestError)) {
                return;
            }
            this.#show({ problems: [error] });
        }
        signal.aborted || this.#schedule(AGAIN);
    }

    /** @param {Preview} answer @param {string} symbol */
    #show(answer = {}, symbol = "") {
        const { currency = "", problems = [] } = answer;
        for (const row of byId("ticket-preview").querySelectorAll("dd")) {
            const key = row.dataset.figure ?? "";
            const text = answer[/** @type {"cost"} */ (key)];
            const decimals = this.#parts.precision(symbol);
            const words = key.endsWith("price") ? formatDecimal(text, decimals) : formatMoney(text, currency);
            setText(row, text == null ? "–" : words);
        }
        this.#marks.clear();
        // What is wrong with the order and with none of its fields.
        const others = problems.filter(({ field = "", message }) => !this.#marks.mark(field, sentence(message)));
        setText(byId("ticket-preview-problem"), others.map(({ message }) => sentence(message)).join(" "));
    }
}

/** As a sentence of its own.
 * @param {string} words */
function sentence(words) {
    return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
}
