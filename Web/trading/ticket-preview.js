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
    #request;
    #read;
    #marks;
    #precision;
    #timer = 0;
    #running = new AbortController();

    /**
     * @param {object} parts
     * @param {() => ?OrderRequest} parts.read the order as it is now; null while it is not complete.
     * @param {(order: OrderRequest, signal: AbortSignal) => Promise<Preview>} parts.request
     * @param {import("../ui/field-marks.js").FieldMarks} parts.marks
     * @param {() => number} parts.precision
     */
    constructor({ read, request, marks, precision }) {
        this.#read = read;
        this.#request = request;
        this.#marks = marks;
        this.#precision = precision;
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
            this.#show({});
            this.#showProblems([]);
            return;
        }
        const { signal } = (this.#running = new AbortController());
        try {
            const answer = await this.#request(order, signal);
            this.#show(answer);
            this.#showProblems(answer.problems ?? []);
        } catch (error) {
            if (signal.aborted || !(error instanceof RestError)) {
                return;
            }
            this.#show({});
            this.#showProblems([error]);
        }
        signal.aborted || this.#schedule(AGAIN);
    }

    /** @param {{field?: string, message: string}[]} problems */
    #showProblems(problems) {
        this.#marks.clear();
        // What is wrong with the order and with none of its fields.
        const others = problems.filter(({ field = "", message }) => !this.#marks.mark(field, sentence(message)));
        setText(byId("ticket-preview-problem"), others.map(({ message }) => sentence(message)).join(" "));
    }

    /** @param {Preview} answer */
    #show(answer) {
        const { currency = "" } = answer;
        for (const row of byId("ticket-preview").querySelectorAll("dd")) {
            const key = row.dataset.figure ?? "";
            const isPrice = key.endsWith("price");
            const text = answer[/** @type {"cost"} */ (key)];
            setText(row, text == null ? "–" : isPrice ? formatDecimal(text, this.#precision()) : formatMoney(text, currency));
        }
    }
}

/** As a sentence of its own.
 * @param {string} words */
function sentence(words) {
    return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
}
