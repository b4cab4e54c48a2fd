/** What the keys in the tab's storage begin with. */
const PREFIX = "candlewire.unsent:";

/**
 * Keeps messages that the server does not have yet over a reload of the tab.
 *
 * @param {string} conversation
 * @param {string} messages JSON of `ConversationMachine.unsent`; empty: none.
 */
export function keepUnsent(conversation, messages) {
    try {
        if (messages === "") {
            sessionStorage.removeItem(PREFIX + conversation);
        } else {
            sessionStorage.setItem(PREFIX + conversation, messages);
        }
    } catch {
        // Storage may be forbidden or full; they then last as long as the page.
    }
}

/** Removes and returns the messages that were kept.
 * @param {string} conversation @returns {string} empty for none. */
export function popUnsent(conversation) {
    try {
        const kept = sessionStorage.getItem(PREFIX + conversation) ?? "";
        sessionStorage.removeItem(PREFIX + conversation);
        return kept;
    } catch {
        return "";
    }
}
