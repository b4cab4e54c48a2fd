/**
 * Tells screen readers when the data stopped being live, and when it is live again; not each attempt in between.
 *
 * @param {import("../stream/connection.js").Connection} connection
 * @param {import("./live-region.js").LiveRegion} live
 * @param {() => boolean} hasEnded whether the feed brings no more trades, so that nothing is live.
 */
export function announceConnection(connection, live, hasEnded) {
    let wasLive = false;
    let isKnown = false;
    connection.addEventListener("state", () => {
        const isLive = connection.state === "open";
        const isDown = connection.state === "waiting" || connection.state === "closed";
        if (isLive && !wasLive) {
            const news = hasEnded() ? "The recording has ended." : "Prices are live.";
            live.announce(`${isKnown ? "Connected again" : "Connected"}. ${news}`);
        } else if (isDown && (wasLive || !isKnown)) {
            const next = connection.state === "waiting" ? "Reconnecting." : "Use the connection button to try again.";
            live.announce(`Connection lost. Prices are not live. ${next}`);
        }
        if (isLive || isDown) {
            wasLive = isLive;
            isKnown = true;
        }
    });
}
