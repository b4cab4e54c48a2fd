import { byId, setText } from "../dom.js";

/**
 * Whether what is shown can be trusted: the connection, the ledger behind the desk, the account's state. A shape and a
 * word say it, not colour alone.
 */
export class HealthIndicator {
    #element = byId("desk-health");
    #words = byId("desk-health-words");
    #store;
    #session;

    /** @param {import("./trading-store.js").TradingStore} store @param {import("../stream/session.js").Session} session */
    constructor(store, session) {
        this.#store = store;
        this.#session = session;
        session.addEventListener("state", () => this.#show());
        store.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const [state, words, title] = this.#judge();
        this.#element.dataset.state = state;
        this.#element.title !== title && (this.#element.title = title);
        setText(this.#words, words);
    }

    /** @returns {string[]} state, words, and what they mean. */
    #judge() {
        const { health, known, problem } = this.#store;
        if (this.#session.state !== "open") {
            return ["off", "Not connected", "The figures are those of the last moment with a connection."];
        }
        if (health?.ledger === "failing") {
            return ["bad", "No orders", "The ledger can’t be written, so the desk accepts no order."];
        }
        if (problem) {
            return ["bad", "No desk", problem];
        }
        if (!known.has("orders")) {
            return ["off", "Desk is silent", "The account’s state is being loaded."];
        }
        return ["good", "Desk ready", "Connected, and every order is written down before it is acknowledged."];
    }
}
