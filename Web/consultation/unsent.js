import { recallText, rememberText } from "../storage.js";

/** What the keys in the tab's storage begin with. */
const PREFIX = "candlewire.unsent:";

/**
 * Keeps messages that the server does not have yet over a reload of the tab.
 *
 * @param {string} conversation
 * @param {string} messages JSON of `ConversationMachine.unsent`; empty: none.
 */
export function keepUnsent(conversation, messages) {
    rememberText(PREFIX + conversation, messages || null, "sessionStorage");
}

/** Removes and returns the messages that were kept.
 * @param {string} conversation @returns {string} empty for none. */
export function popUnsent(conversation) {
    const kept = recallText(PREFIX + conversation, "sessionStorage") ?? "";
    rememberText(PREFIX + conversation, null, "sessionStorage");
    return kept;
}
