/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */

/** What the assistant said and the user did not see yet. */
export class Unread {
    /** @type {Set<string>} Messages that the user had the chance to see. */
    #seen = new Set();

    /** @param {ChatMessage[]} messages @param {boolean} isSeen whether they are on screen. @returns {number} how many are unread. */
    count(messages, isSeen) {
        const ended = messages.filter(({ role, state }) => role !== "user" && state !== "streaming");
        if (isSeen) {
            this.see(ended);
        }
        return ended.filter(({ id }) => !this.#seen.has(id)).length;
    }

    /** @param {ChatMessage[]} messages */
    see(messages) {
        messages.forEach(({ id }) => this.#seen.add(id));
    }

    clear() {
        this.#seen.clear();
    }
}
