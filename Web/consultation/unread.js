/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */

/** What the assistant said that nobody saw yet. */
export class Unread {
    /** @type {Set<string>} Messages that the user had the chance to see. */
    #seen = new Set();

    /** @param {ChatMessage[]} messages @param {boolean} isSeen whether somebody looks. @returns {number} how many nobody saw. */
    count(messages, isSeen) {
        const settled = messages.filter(({ role, state }) => role !== "user" && state !== "streaming");
        if (isSeen) {
            this.see(settled);
        }
        return settled.filter(({ id }) => !this.#seen.has(id)).length;
    }

    /** @param {ChatMessage[]} messages */
    see(messages) {
        messages.forEach(({ id }) => this.#seen.add(id));
    }

    clear() {
        this.#seen.clear();
    }
}
