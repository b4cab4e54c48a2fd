import { byId, setText } from "../dom.js";

/** Milliseconds between two updates of the figures. */
const PERIOD = 1000;

/** What an open connection is called. "Live" is said of prices that move. */
const OPEN = { none: "Connected", live: "Live", ended: "Ended" };

/**
 * The connection's state, messages per second and latency. While waiting or closed it is the button that tries again.
 *
 * Events: `retry`.
 */
export class StatusPill extends EventTarget {
    #connection;
    #feed;
    #pill = /** @type {HTMLButtonElement} */ (byId("status-pill"));
    #state = byId("status-state");
    #figures = byId("status-figures");
    #banner = byId("chart-banner");

    /**
     * @param {import("../stream/connection.js").Connection} connection
     * @param {() => "none" | "live" | "ended"} feed what an open connection brings: nothing that could be shown yet,
     *   prices, or no more of them.
     */
    constructor(connection, feed) {
        super();
        this.#connection = connection;
        this.#feed = feed;
        connection.addEventListener("state", () => this.show());
        connection.addEventListener("latency", () => this.show());
        this.#pill.addEventListener("click", () => this.dispatchEvent(new Event("retry")));
        setInterval(() => this.show(), PERIOD);
        this.show();
    }

    /** Shows the present state; it does so by itself every second. */
    show() {
        const { state, opened } = this.#connection;
        const text = this.#text();
        this.#pill.dataset.state = state;
        this.#pill.dataset.feed = this.#feed();
        this.#pill.disabled = state !== "waiting" && state !== "closed";
        this.#pill.title = this.#hint();
        setText(this.#state, text);
        setText(this.#figures, this.#measured());
        // Old prices must not pass for live ones; before the first connection there are none.
        this.#banner.hidden = state === "open" || opened === 0;
        setText(this.#banner, `${text}. These prices are not live.`);
    }

    /** Messages per second and latency, as far as they are known. */
    #measured() {
        const { state, rate, latency } = this.#connection;
        const perSecond = rate.read();
        if (state !== "open") {
            return "";
        }
        const parts = [perSecond === null ? "" : `${perSecond} msg/s`, latency === null ? "" : ms(latency)];
        return parts.filter((part) => part !== "").join(" · ");
    }

    #text() {
        const { state, attempt, opened, retryAt } = this.#connection;
        switch (state) {
            case "open":
                return OPEN[this.#feed()];
            case "closed":
                return "Disconnected";
            case "waiting": {
                const seconds = Math.max(0, Math.ceil((retryAt - performance.now()) / 1000));
                return seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting";
            }
            default:
                return attempt > 0 || opened > 0 ? "Reconnecting" : "Connecting";
        }
    }

    #hint() {
        const { state, reason, attempt } = this.#connection;
        if (state === "open") {
            return this.#feed() === "ended"
                ? "The recording has ended; the connection stands"
                : "Messages per second, and the time a message takes to the server and back";
        }
        const why = reason ? `Last problem: ${reason}. ` : "";
        return state === "waiting" || state === "closed" ? `${why}Attempt ${attempt}. Click to try now.` : why;
    }
}

/** @param {number} latency */
function ms(latency) {
    return latency < 1 ? "<1 ms" : `${Math.round(latency)} ms`;
}
