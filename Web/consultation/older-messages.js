import { describedMessage, TOLD } from "./chat-messages.js";
import { consultations } from "./consultation-api.js";
import { readTemplate } from "./template.js";

/** Those that are kept; beyond, they are asked for again. */
const MOST = 2000;

/** @typedef {import("./chat-messages.js").ChatMessage} ChatMessage */

/** The messages of a conversation before those in memory, as far as somebody wanted to see them. */
export class OlderMessages {
    /** @type {ChatMessage[]} oldest first. */
    all = [];
    /** Whether the server has some before those; null while only the session knows. @type {?boolean} */
    hasMore = null;
    #isLoading = false;

    /**
     * Asks for those before a message.
     *
     * @param {string} conversation its id.
     * @param {string} before the oldest message that is shown.
     * @returns {Promise<ChatMessage[]>} to be put before `all`; none where they are being asked for already.
     * @throws {import("../stream/rest.js").RestError}
     */
    async load(conversation, before) {
        if (this.#isLoading) {
            return [];
        }
        this.#isLoading = true;
        try {
            const { messages, more } = await consultations.messages(conversation, before);
            const read = messages.map((each) => describedMessage(each, readTemplate)).filter((each) => each !== null);
            this.hasMore = more && read.length > 0;
            return read;
        } finally {
            this.#isLoading = false;
        }
    }

    /** What left the memory stays where somebody loaded what came before it. @param {ChatMessage[]} gone */
    keep(gone) {
        if (this.all.length > 0 && this.all.length < MOST) {
            this.all.push(...gone);
        } else {
            this.clear();
        }
    }

    clear() {
        this.all = [];
        this.hasMore = null;
    }

    /** All that are to be shown. @param {ChatMessage[]} here those in memory. */
    with(here) {
        const known = new Set(here.map(({ id }) => id));
        const before = this.all.filter(({ id }) => !known.has(id));
        fold(before, here);
        return [...before, ...here];
    }
}

/**
 * What a message in memory replaces may have left it: that, and all that followed it, belongs to an earlier version, unless
 * the newer one is taken back.
 *
 * @param {ChatMessage[]} before oldest first.
 * @param {ChatMessage[]} here
 */
function fold(before, here) {
    const replaced = here.filter(({ metadata }) => metadata?.edits);
    const isThere = new Set([TOLD, ...[...before, ...here].map(({ id }) => id)]);
    before.filter(({ supersededBy }) => !isThere.has(supersededBy)).forEach((each) => (each.supersededBy = ""));
    for (const { id: newer, metadata } of replaced) {
        const from = before.findIndex(({ id }) => id === metadata?.edits);
        from >= 0 && before.slice(from).forEach((each) => (each.supersededBy ||= newer));
    }
}
