/** What the keys in the tab's storage begin with. */
const PREFIX = "candlewire.unsent:";

/**
 * Messages that the server does not have yet, over a reload of the tab: they are sent again under their ids, and one that it
 * did have after all is the same to it.
 *
 * @typedef {{id: string, text: string, time: number, metadata: Record<string, any>}} Unsent
 */

/** @param {string} conversation @param {Unsent[]} messages */
export function keepUnsent(conversation, messages) {
    try {
        if (messages.length === 0) {
            sessionStorage.removeItem(PREFIX + conversation);
        } else {
            sessionStorage.setItem(PREFIX + conversation, JSON.stringify(messages));
        }
    } catch {
        // Storage may be forbidden or full; they then last as long as the page.
    }
}

/** Those that were kept, once. @param {string} conversation @returns {Unsent[]} */
export function takeUnsent(conversation) {
    try {
        const kept = JSON.parse(sessionStorage.getItem(PREFIX + conversation) ?? "[]");
        sessionStorage.removeItem(PREFIX + conversation);
        return kept.filter(({ id, text, time }) => typeof id === "string" && typeof text === "string" && Number.isFinite(time));
    } catch {
        return [];
    }
}
