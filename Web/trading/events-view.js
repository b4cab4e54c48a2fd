import { byId, copyOf, fillOptions, part, setText } from "../dom.js";
import { groupAmounts } from "../user-error.js";
import { actOneByOne } from "../ui/icon-button.js";
import { showTime } from "../format.js";
import { showList } from "../ui/keyed-list.js";
import { newestFirst } from "./trading-store.js";

/** @type {Record<string, [string, string]>} Kinds of events in words, and the shape that says the kind without colour. */
const TYPES = {
    signal: ["Signal", "◆"],
    order_placed: ["Order placed", "○"],
    order_filled: ["Order filled", "●"],
    order_cancelled: ["Order cancelled", "×"],
    position_opened: ["Position opened", "▲"],
    position_closed: ["Position closed", "▼"],
    risk: ["Risk", "!"],
    system: ["System", "i"],
};

/** What happened to the account, newest first. */
export class EventsView {
    id = "events";
    #parts;
    #type = byId("events-type", HTMLSelectElement);
    #market = byId("events-market", HTMLSelectElement);
    #empty = byId("events-empty");
    #older = byId("events-older");

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        const kinds = Object.entries(TYPES).map(([type, [name]]) => [type, name]);
        fillOptions(this.#type, { all: "All kinds", ...Object.fromEntries(kinds) });
        this.#type.addEventListener("change", () => this.show());
        this.#market.addEventListener("change", () => this.show());
        actOneByOne(this.#older, () => this.#showOlder());
    }

    show() {
        const { store, symbol } = this.#parts;
        const events = [...store.events.values()]
            .filter(({ type }) => this.#type.value === "all" || type === this.#type.value)
            .filter((event) => this.#market.value === "all" || event.symbol === symbol())
            .sort(newestFirst);
        this.#empty.hidden = events.length > 0;
        this.#older.hidden = store.events.size < 50;
        setText(this.#empty, store.known.has("events") ? "No matching events yet." : store.problem || "Loading events…");
        showList(byId("event-list"), events, ({ id }) => id, rowOf, () => {});
    }

    async #showOlder() {
        const { store, desk, attempt } = this.#parts;
        const [oldest] = [...store.events.values()].sort(newestFirst).slice(-1);
        return (await attempt(desk.olderEvents(oldest.id))) !== 0;
    }
}

/** An event does not change.
 * @param {import("./trading-store.js").DeskEvent} event */
function rowOf({ type, symbol = "", message, timestamp, metadata = {} }) {
    const [name, shape] = Object.hasOwn(TYPES, type) ? TYPES[type] : [String(type).replaceAll("_", " "), "·"];
    // Numbers of orders and fills are for requests to the server.
    const shown = Object.entries(metadata).filter(([key]) => !/(^|_)id$/.test(key));
    const facts = shown.map(([key, value]) => `${key.replaceAll("_", " ")} ${groupAmounts(String(value), "amount")}`);
    const words = groupAmounts(message, "amount");
    const row = copyOf("event-row");
    row.dataset.type = type;
    part(row, ".event-shape").append(shape);
    showTime(part(row, "time", HTMLTimeElement), timestamp);
    part(row, ".event-type").append(name);
    part(row, ".event-message").append([words.includes(symbol) ? "" : symbol, words].filter(Boolean).join(" · "));
    part(row, ".event-facts").append(facts.join(" · "));
    part(row, ".event-facts").hidden = facts.length === 0;
    return row;
}
