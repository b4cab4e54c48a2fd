import { byId, setText } from "../dom.js";
import { isOff, switchOff } from "../ui/icon-button.js";
import { formatAge } from "../format.js";

/** Milliseconds between two updates of the figures. */
const PERIOD = 1000;

/** States in which a person can retry. */
const MAY_RETRY = new Set(["waiting", "failed", "closed"]);

/** What an open connection is called. "Live" is said of prices that move. */
const OPEN = { none: "Connected", live: "Live", ended: "Ended", lost: "No feed", refused: "Refused", off: "Feed off" };
/** @type {Record<string, string | undefined>} Why an open connection brings no prices of the market on the chart. */
const MISSING = { lost: "The venue is not connected", refused: "The venue refuses this market", off: "The feed is switched off" };

/**
 * The connection's state, messages per second and latency. While waiting or closed it is the button that tries again.
 *
 * Events: `retry`, `signin`.
 */
export class StatusPill extends EventTarget {
    #page;
    #pill = byId("status-pill", HTMLButtonElement);
    #state = byId("status-state");
    #figures = byId("status-figures");
    #banner = byId("chart-banner");

    /** @param {Pick<PageParts, "session" | "store" | "chart">} page */
    constructor(page) {
        super();
        this.#page = page;
        const { session, store, chart } = page;
        store.addEventListener("list", () => this.show());
        chart.addEventListener("selected", () => this.show());
        session.addEventListener("state", () => this.show());
        session.addEventListener("latency", () => this.show());
        this.#pill.addEventListener("click", () => {
            isOff(this.#pill) || this.dispatchEvent(new Event(session.needsToken ? "signin" : "retry"));
        });
        setInterval(() => this.show(), PERIOD);
        this.show();
    }

    /** What an open connection brings: prices; none yet; no more; or none, as the venue is not connected or refuses the market, or the feed is off. */
    get #feed() {
        const { feedState, markets, lastTrade } = this.#page.store;
        const market = markets.get(this.#page.chart.selection?.symbol ?? "")?.feedState;
        if (feedState === "ended") {
            return "ended";
        }
        if (market === "connecting" || market === "interrupted") {
            return "lost";
        }
        if (market === "off") {
            return "off";
        }
        const hasPrices = lastTrade !== null || (this.#page.chart.engineChart?.count ?? 0) > 0;
        return market === "refused" ? "refused" : hasPrices ? "live" : "none";
    }

    /** Shows the present state; it does so by itself every second. */
    show() {
        const { state, opened } = this.#page.session;
        const text = this.#text();
        this.#pill.dataset.state = state;
        this.#pill.dataset.feed = this.#feed;
        const mayRetry = MAY_RETRY.has(state);
        switchOff(this.#pill, !mayRetry);
        // It stays a button while it has the focus, which would be lost otherwise.
        this.#pill.disabled = !mayRetry && document.activeElement !== this.#pill;
        this.#pill.title = this.#hint();
        setText(this.#state, text);
        setText(this.#figures, this.#measured());
        // Old prices must not pass for live ones; before the first connection there are none.
        const missing = state === "open" ? MISSING[this.#feed] : undefined;
        this.#banner.hidden = (state === "open" && !missing) || opened === 0;
        const what = missing ?? (this.#page.session.needsToken ? "Not signed in" : text);
        setText(this.#banner, `${what}. These prices are not live.`);
    }

    /** Messages per second and latency, as far as they are known. */
    #measured() {
        const { state, rate, latency } = this.#page.session;
        const perSecond = rate.read();
        if (state !== "open") {
            return "";
        }
        const parts = [perSecond === null ? "" : `${perSecond} msg/s`, latency === null ? "" : ms(latency)];
        return parts.filter((part) => part !== "").join(" · ");
    }

    #text() {
        const { state, opened, retryAt } = this.#page.session;
        switch (state) {
            case "open":
                return OPEN[this.#feed];
            case "failed":
            case "closed":
                return this.#page.session.needsToken ? "Sign in" : "Disconnected";
            case "waiting": {
                const seconds = Math.max(0, Math.ceil((retryAt - performance.now()) / 1000));
                return seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting";
            }
            default:
                return opened > 0 || (this.#page.session.diagnostics?.attempts ?? 0) > 0 ? "Reconnecting" : "Connecting";
        }
    }

    /** The tooltip: what can be done, and the session's diagnostics. */
    #hint() {
        const { state, reason, diagnostics } = this.#page.session;
        const lines = [];
        if (this.#page.session.needsToken) {
            lines.push("This server requires an access token. Click to enter it.");
        } else if (MAY_RETRY.has(state)) {
            lines.push("Click to retry now.");
        } else if (state === "open") {
            lines.push(
                this.#feed === "ended"
                    ? "The recording has ended. The connection is still open."
                    : "Messages per second and round-trip time.",
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
 * @param {import("../engine/session-machine.js").Diagnostics} diagnostics
 * @returns {string[]}
 */
function describe(diagnostics) {
    const { attempts, isSlowRetry, openSince, roundTrip, recovered, reloaded, gaps, skipped, problem } = diagnostics;
    const lines = [];
    if (openSince !== null) {
        const trip = roundTrip === null ? "" : `, round trip ${ms(roundTrip * 1000)}`;
        lines.push(`Connected for ${formatAge(performance.now() / 1000 - openSince)}${trip}`);
    } else if (attempts > 0) {
        lines.push(`Attempts: ${attempts}${isSlowRetry ? ", now one per minute" : ""}`);
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
