import { newID } from "../stream/rest.js";

/** Codes of a request whose outcome is unknown: there was no answer, or none that can be read. */
const UNANSWERED = ["unreachable", "unreadable"];
/** The one failure of the server itself that says for sure that nothing was done. */
const REFUSED = "ledger_unavailable";

/**
 * One order on its way. It has its number before it is sent and keeps it until an answer came: however often it is sent
 * again after answers that were lost, the desk executes it once.
 */
export class Submission {
    id = newID();
    request;

    /** @param {import("./trading-desk.js").OrderRequest} request as the ticket had it; it does not change any more. */
    constructor(request) {
        this.request = Object.freeze({ ...request, client_order_id: this.id });
    }

    /**
     * @param {import("./trading-desk.js").TradingDesk} desk
     * @returns {Promise<import("./trading-store.js").Order>}
     * @throws {import("../stream/rest.js").RestError}
     */
    send(desk) {
        return desk.place(this.request);
    }
}

/** Whether the order may have been accepted all the same.
 * @param {import("../stream/rest.js").RestError} error */
export function isUnanswered({ code, status }) {
    return UNANSWERED.includes(code) || (status >= 500 && code !== REFUSED);
}
