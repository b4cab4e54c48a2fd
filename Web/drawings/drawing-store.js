import { recallText } from "../storage.js";

/** What the keys in the browser's storage begin with. */
const PREFIX = "candlewire.drawings:";
const ASIDE = "candlewire.drawings.damaged:";
/** Milliseconds that changes are collected for: a drag is one write. */
const PAUSE = 300;

/**
 * The drawings of each symbol, kept in this browser as the engine's own document.
 *
 * Nothing is thrown away: a document that can not be read is moved aside, where it stays until another one of the same
 * symbol is damaged.
 */
export class DrawingStore {
    /** @type {?{symbol: string, document: ?string}} what is to be written. */
    #pending = null;
    #timer = 0;
    /** @type {(reason: string) => void} Called when the browser can’t save. */
    #onFailure;
    #hasFailed = false;
    /** @type {Set<string>} Symbols whose damaged document could not be moved aside: nothing is written over it. */
    #unmoved = new Set();

    /** @param {(reason: string) => void} onFailure called once. */
    constructor(onFailure) {
        this.#onFailure = onFailure;
        addEventListener("pagehide", () => this.flush());
    }

    /** @param {string} symbol @returns {?string} the document; null where there is none. */
    read(symbol) {
        this.flush();
        return recallText(PREFIX + symbol);
    }

    /** Keeps a document a moment later.
     * @param {string} symbol @param {?string} document null is an empty board. */
    write(symbol, document) {
        if (this.#pending && this.#pending.symbol !== symbol) {
            this.flush();
        }
        this.#pending = { symbol, document };
        this.#timer ||= setTimeout(() => this.flush(), PAUSE);
    }

    /** Writes at once what is waiting. */
    flush() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        const pending = this.#pending;
        this.#pending = null;
        if (!pending) {
            return;
        }
        try {
            if (this.#unmoved.has(pending.symbol)) {
                this.#moveAside(pending.symbol);
            }
            if (pending.document === null) {
                localStorage.removeItem(PREFIX + pending.symbol);
            } else {
                localStorage.setItem(PREFIX + pending.symbol, pending.document);
            }
            this.#hasFailed = false;
        } catch (error) {
            if (!this.#hasFailed) {
                this.#onFailure(error instanceof DOMException && error.name === "QuotaExceededError" ? "its storage is full" : "storage is blocked");
            }
            this.#hasFailed = true;
        }
    }

    /**
     * Moves a symbol's document away from where the next one is written.
     *
     * @param {string} symbol
     * @returns {boolean} false where the browser has no room for it: it stays, and nothing is kept of this symbol before
     *   there is room.
     */
    setAside(symbol) {
        this.flush();
        this.#unmoved.add(symbol);
        try {
            this.#moveAside(symbol);
            return true;
        } catch {
            return false;
        }
    }

    /** @param {string} symbol */
    #moveAside(symbol) {
        const document = localStorage.getItem(PREFIX + symbol);
        if (document !== null) {
            localStorage.setItem(ASIDE + symbol, document);
            localStorage.removeItem(PREFIX + symbol);
        }
        this.#unmoved.delete(symbol);
    }

    /** Reports documents that another tab of this browser wrote.
     * @param {(symbol: string) => void} changed */
    onOtherTab(changed) {
        addEventListener("storage", ({ key }) => {
            if (key?.startsWith(PREFIX)) {
                const symbol = key.slice(PREFIX.length);
                this.#unmoved.delete(symbol);
                changed(symbol);
            }
        });
    }
}
