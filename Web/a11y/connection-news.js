import { byId } from "../dom.js";

/**
 * Announces to screen readers when the data stopped being live, and when it is live again; not each attempt in between.
 *
 * @param {import("../stream/session.js").Session} session
 * @param {import("../ui/live-region.js").LiveRegion} live
 * @param {() => boolean} hasEnded whether the feed brings no more trades, so that nothing is live.
 */
export function announceConnection(session, live, hasEnded) {
    let wasLive = false;
    let isKnown = false;
    session.addEventListener("state", () => {
        const isLive = session.state === "open";
        const isDown = ["waiting", "failed", "closed"].includes(session.state);
        if (isLive && !wasLive) {
            const news = hasEnded() ? "The recording has ended." : "Prices are live.";
            live.announce(`${isKnown ? "Connected again" : "Connected"}. ${news}`, "connection");
        } else if (isDown && (wasLive || !isKnown)) {
            live.announce(lost(session), "connection");
        }
        if (isLive || isDown) {
            wasLive = isLive;
            isKnown = true;
        }
    });
}

/** @param {import("../stream/session.js").Session} session */
function lost({ state, needsToken }) {
    if (needsToken) {
        return "This server requires an access token. Prices are not live.";
    }
    const next = state === "waiting" ? "Reconnecting." : "Use the connection button to reconnect.";
    return `Connection lost. Prices are not live. ${next}`;
}

/**
 * Leads the skip link to the chart without touching the address, whose fragment is the selection.
 *
 * @param {HTMLElement} target
 */
export function leadSkipLinkTo(target) {
    byId("skip-link").addEventListener("click", (event) => {
        event.preventDefault();
        target.focus();
    });
}
