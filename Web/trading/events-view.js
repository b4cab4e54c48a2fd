import { element, setText } from "../dom.js";
import { isOff, switchOff } from "../ui/icon-button.js";
import { formatTime, shortTime } from "../format.js";
import { showList } from "../ui/keyed-list.js";
import { choice } from "./trade-settings.js";
import { newestFirst } from "./trading-store.js";

/** @type {Record<string, string>} Kinds of events, in words. */
const TYPES = {
    signal: "Signal",
    order_placed: "Order placed",
    order_filled: "Order filled",
    order_cancelled: "Order cancelled",
    position_opened: "Position opened",
    position_closed: "Position closed",
    risk: "Risk",
    system: "System",
};
/** @type {Record<string, string>} The shape that says the kind without colour. */
const SHAPES = {
    signal: "◆",
    order_placed: "○",
    order_filled: "●",
    order_cancelled: "×",
    position_opened: "▲",
    position_closed: "▼",
    risk: "!",
    system: "i",
};

/** What happened to the account, newest first. */
export class EventsView {
    id = "events";
    name = "Events";
    element = element("div", { class: "trade-view" });
    #parts;
    #type = choice("Kind of events", { all: "All kinds", ...TYPES }, () => this.show());
    #market = choice("Events of", { all: "All markets", this: "This market" }, () => this.show());
    #list = element("ol", { class: "event-list", "aria-label": "Events" });
    #empty = element("p", { class: "trade-empty" });
    #older = element("button", { type: "button", class: "small-button trade-older" }, "Older events");

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        this.#older.addEventListener("click", () => this.#showOlder());
        const bar = element("div", { class: "trade-filters" }, this.#type.element, this.#market.element);
        this.element.append(bar, this.#list, this.#empty, this.#older);
    }

    show() {
        const { store, symbol } = this.#parts;
        const events = [...store.events.values()]
            .filter(({ type }) => this.#type.value === "all" || type === this.#type.value)
            .filter((event) => this.#market.value === "all" || event.symbol === symbol())
            .sort(newestFirst);
        this.#empty.hidden = events.length > 0;
        this.#older.hidden = store.events.size < 50;
        setText(this.#empty, store.known.has("events") ? "No such events yet." : store.problem || "Loading events…");
        showList(this.#list, events, ({ id }) => id, rowOf, () => {});
    }

    async #showOlder() {
        if (isOff(this.#older)) {
            return;
        }
        const { store, desk, attempt } = this.#parts;
        const [oldest] = [...store.events.values()].sort(newestFirst).slice(-1);
        switchOff(this.#older, true);
        const found = await attempt(desk.olderEvents(oldest.id));
        switchOff(this.#older, found === 0);
    }
}

/** An event does not change.
 * @param {import("./trading-store.js").DeskEvent} event */
function rowOf({ type, symbol = "", message, timestamp, metadata = {} }) {
    const name = Object.hasOwn(TYPES, type) ? TYPES[type] : String(type).replaceAll("_", " ");
    const facts = Object.entries(metadata).map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`);
    return element(
        "li",
        { class: "event", "data-type": type },
        element("span", { class: "event-shape", "aria-hidden": "true" }, SHAPES[type] ?? "·"),
        element("time", { title: formatTime(timestamp), datetime: new Date(timestamp * 1000).toISOString() }, shortTime(timestamp)),
        element("span", { class: "event-type" }, name),
        element("span", { class: "event-message" }, [symbol && !message.includes(symbol) ? symbol : "", message].filter(Boolean).join(" · ")),
        ...(facts.length > 0 ? [element("small", { class: "event-facts" }, facts.join(" · "))] : []),
    );
}
