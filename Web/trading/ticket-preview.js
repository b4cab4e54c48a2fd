import { byId, setText } from "../dom.js";
import { RestError } from "../stream/rest.js";
import { formatDecimal, formatMoney } from "../money.js";

/** Milliseconds after the last change before the desk gets the order. */
const PAUSE = 250;
/** Milliseconds after which what is shown is requested again: the market moves. */
const AGAIN = 4000;

/** @typedef {import("./trading-desk.js").OrderRequest} OrderRequest */
/** @typedef {import("./trading-desk.js").Preview} Preview */
/** @typedef {import("./trading-desk.js").Problem} Problem */

/** What an order would cost, as the desk says, while it is being written. */
export class TicketPreview {
    /** Why the order that was judged last can't be placed; empty where it can.
     * @type {Problem[]} */
    problems = [];
    #parts;
    #read;
    #marks;
    #judged;
    #timer = 0;
    #running = new AbortController();

    /**
     * @param {import("./trading.js").Parts} parts
     * @param {object} ticket
     * @param {() => ?OrderRequest} ticket.read the order as it is now; null while it is not complete.
     * @param {import("../ui/field-marks.js").FieldMarks} ticket.marks
     * @param {() => void} ticket.judged there may be other `problems`.
     */
    constructor(parts, { read, marks, judged }) {
        this.#parts = parts;
        this.#read = read;
        this.#marks = marks;
        this.#judged = judged;
    }

    /** The order changed: requests a preview once nothing changed for a moment. */
    refresh() {
        this.#schedule(PAUSE);
    }

    stop() {
        clearTimeout(this.#timer);
        this.#running.abort();
    }

    /** The order that was judged last is shown no more. */
    forget() {
        this.stop();
        this.#show();
    }

    /** Shows what the desk says of an order now. Where the request failed that is nothing, and no reason not to send it.
     * @param {OrderRequest} order @returns {Promise<?Preview>} null where it was stopped meanwhile. */
    async judge(order) {
        this.stop();
        const { signal } = (this.#running = new AbortController());
        /** @type {Preview} */
        let answer;
        try {
            answer = await this.#parts.desk.preview(order, signal);
        } catch (error) {
            if (!(error instanceof RestError)) {
                throw error;
            }
            answer = isRefusal(error) ? { problems: [error] } : {};
        }
        if (signal.aborted) {
            return null;
        }
        this.#show(answer, order.symbol);
        this.#schedule(AGAIN);
        return answer;
    }

    /** @param {number} pause */
    #schedule(pause) {
        this.stop();
        this.#timer = setTimeout(() => {
            const order = this.#read();
            order ? this.judge(order) : this.#show();
        }, pause);
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
        this.#marks.replace(problems);
        this.problems = problems;
        this.#judged();
    }
}

/** Whether an error is about the order, and not about the request for its preview.
 * @param {RestError} error */
function isRefusal({ status, field }) {
    return status === 422 || (status >= 400 && status < 500 && field !== "");
}
