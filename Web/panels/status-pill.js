import { byId, setText } from "../dom.js";
import { isOff, switchOff } from "../drawings/icon-button.js";
import { formatAge } from "../format.js";

/** Milliseconds between two updates of the figures. */
const PERIOD = 1000;

/** States in which somebody can try again. */
const MAY_RETRY = new Set(["waiting", "failed", "closed"]);

/** What an open connection is called. "Live" is said of prices that move. */
const OPEN = { none: "Connected", live: "Live", ended: "Ended", lost: "No feed", refused: "Refused" };
/** Why an open connection brings no prices of the market on the chart. */
const MISSING = { lost: "The venue is not connected", refused: "The venue refuses this market" };

/**
 * The connection's state, messages per second and latency. While waiting or closed it is the button that tries again.
 *
 * Events: `retry`, `signin`.
 */
export class StatusPill extends EventTarget {
    #session;
    #feed;
    #pill = /** @type {HTMLButtonElement} */ (byId("status-pill"));
    #state = byId("status-state");
    #figures = byId("status-figures");
    #banner = byId("chart-banner");

    /**
     * @param {import("../stream/session.js").Session} session
     * @param {() => "none" | "live" | "ended" | "lost" | "refused"} feed what an open connection brings: nothing that could
     *   be shown yet, prices, no more of them, or none because the server has lost the venue or the venue refuses the market.
     */
    constructor(session, feed) {
        super();
        this.#session = session;
        this.#feed = feed;
        session.addEventListener("state", () => this.show());
        session.addEventListener("latency", () => this.show());
        this.#pill.addEventListener("click", () => {
            isOff(this.#pill) || this.dispatchEvent(new Event(session.needsToken ? "signin" : "retry"));
        });
        setInterval(() => this.show(), PERIOD);
        this.show();
    }

    /** Shows the present state; it does so by itself every second. */
    show() {
        const { state, opened } = this.#session;
        const text = this.#text();
        this.#pill.dataset.state = state;
        this.#pill.dataset.feed = this.#feed();
        const mayRetry = MAY_RETRY.has(state);
        switchOff(this.#pill, !mayRetry);
        // It stays a button while somebody is on it, who would lose their place on the page.
        this.#pill.disabled = !mayRetry && document.activeElement !== this.#pill;
        this.#pill.title = this.#hint();
        setText(this.#state, text);
        setText(this.#figures, this.#measured());
        // Old prices must not pass for live ones; before the first connection there are none.
        const missing = state === "open" ? MISSING[this.#feed()] : undefined;
        this.#banner.hidden = (state === "open" && !missing) || opened === 0;
        const what = missing ?? (this.#session.needsToken ? "Not signed in" : text);
        setText(this.#banner, `${what}. These prices are not live.`);
    }

    /** Messages per second and latency, as far as they are known. */
    #measured() {
        const { state, rate, latency } = this.#session;
        const perSecond = rate.read();
        if (state !== "open") {
            return "";
        }
        const parts = [perSecond === null ? "" : `${perSecond} msg/s`, latency === null ? "" : ms(latency)];
        return parts.filter((part) => part !== "").join(" · ");
    }

    #text() {
        const { state, opened, retryAt } = this.#session;
        switch (state) {
            case "open":
                return OPEN[this.#feed()];
            case "failed":
            case "closed":
                return this.#session.needsToken ? "Sign in" : "Disconnected";
            case "waiting": {
                const seconds = Math.max(0, Math.ceil((retryAt - performance.now()) / 1000));
                return seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting";
            }
            default:
                return opened > 0 || (this.#session.diagnostics?.attempts ?? 0) > 0 ? "Reconnecting" : "Connecting";
        }
    }

    /** What the pill says when one asks it: what can be done, and what the session has seen. */
    #hint() {
        const { state, reason, diagnostics } = this.#session;
        const lines = [];
        if (this.#session.needsToken) {
            lines.push("This server asks for an access token. Click to enter it.");
        } else if (MAY_RETRY.has(state)) {
            lines.push("Click to try now.");
        } else if (state === "open") {
            lines.push(
                this.#feed() === "ended"
                    ? "The recording has ended; the connection stands."
                    : "Messages per second, and the time a message takes to the server and back.",
            );
        }
        if (diagnostics) {
            lines.push(...describe(diagnostics));
        } else if (reason) {
            lines.push(`Last problem: ${reason}`);
        }
        return lines.join("\n");
    }
}

/**
 * @param {import("../stream/session-machine.js").Diagnostics} diagnostics
 * @returns {string[]}
 */
function describe(diagnostics) {
    const { attempts, isSlowRetry, openSince, roundTrip, recovered, reloaded, gaps, skipped, problem } = diagnostics;
    const lines = [];
    if (openSince !== null) {
        const trip = roundTrip === null ? "" : `, round trip ${ms(roundTrip * 1000)}`;
        lines.push(`Connected for ${formatAge(performance.now() / 1000 - openSince)}${trip}`);
    } else if (attempts > 0) {
        lines.push(`Attempts: ${attempts}${isSlowRetry ? ", from now on one a minute" : ""}`);
    }
    lines.push(`Streams recovered: ${recovered}, reloaded: ${reloaded}, gaps: ${gaps}`, `Updates skipped: ${skipped}`);
    if (problem !== "") {
        lines.push(`Last problem: ${problem}`);
    }
    return lines;
}

/** @param {number} latency */
function ms(latency) {
    return latency < 1 ? "<1 ms" : `${Math.round(latency)} ms`;
}
