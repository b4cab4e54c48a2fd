import { consultations } from "./consultation-api.js";

/** Messages that are kept; those beyond are loaded again. */
const LIMIT = 2000;
/** What superseded a message where only the server knows. */
const LATER = "later";

/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */

/** The messages of a conversation before those in memory, as far as the user has loaded them. */
export class OlderMessages {
    /** @type {ChatMessage[]} oldest first. */
    all = [];
    /** @type {?boolean} Whether the server has some before those; null while only the session knows. */
    hasMore = null;
    #isLoading = false;

    /**
     * Loads those before a message.
     *
     * @param {string} conversation its id.
     * @param {string} before the oldest message that is shown.
     * @param {(described: object[]) => ChatMessage[]} read
     * @returns {Promise<ChatMessage[]>} to be put before `all`; none while others are loading.
     * @throws {import("../stream/rest.js").RestError}
     */
    async load(conversation, before, read) {
        if (this.#isLoading) {
            return [];
        }
        this.#isLoading = true;
        try {
            const { messages, more } = await consultations.messages(conversation, before);
            const loaded = read(messages);
            this.hasMore = more && loaded.length > 0;
            return loaded;
        } finally {
            this.#isLoading = false;
        }
    }

    /** Messages that left the memory stay where those before them are loaded.
     * @param {ChatMessage[]} gone */
    keep(gone) {
        if (this.all.length > 0 && this.all.length < LIMIT) {
            this.all.push(...gone);
        } else {
            this.clear();
        }
    }

    clear() {
        this.all = [];
        this.hasMore = null;
    }

    /** All that are to be shown.
     * @param {ChatMessage[]} here those in memory. */
    with(here) {
        const known = new Set(here.map(({ id }) => id));
        const before = this.all.filter(({ id }) => !known.has(id));
        fold(before, here);
        return [...before, ...here];
    }
}

/**
 * What a message in memory replaces may have left it: that, and all that followed it, belongs to an earlier version, unless
 * the newer one is withdrawn.
 *
 * @param {ChatMessage[]} before oldest first.
 * @param {ChatMessage[]} here
 */
function fold(before, here) {
    const replaced = here.filter(({ edits }) => edits !== "");
    const isThere = new Set([LATER, ...[...before, ...here].map(({ id }) => id)]);
    before.filter(({ supersededBy }) => !isThere.has(supersededBy)).forEach((each) => (each.supersededBy = ""));
    for (const { id: newer, edits } of replaced) {
        const from = before.findIndex(({ id }) => id === edits);
        from >= 0 && before.slice(from).forEach((each) => (each.supersededBy ||= newer));
    }
}
