import { SymbolDocuments } from "../storage.js";

/** Milliseconds that changes are collected for: a drag is one write. */
const PAUSE = 300;

/** The drawings of each symbol, kept in this browser as the engine's own document, a moment after they changed. */
export class DrawingStore {
    #documents;
    /** @type {?{symbol: string, document: ?string}} what is to be written. */
    #pending = null;
    #timer = 0;

    /** @param {(reason: string) => void} onFailure called when the browser can’t save; once until it can. */
    constructor(onFailure) {
        this.#documents = new SymbolDocuments("candlewire.drawings", onFailure);
        addEventListener("pagehide", () => this.flush());
    }

    /** @param {string} symbol @returns {?string} the document; null where there is none. */
    read(symbol) {
        this.flush();
        return this.#documents.read(symbol);
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
        pending && this.#documents.write(pending.symbol, pending.document);
    }

    /** Moves a symbol's document away from where the next one is written.
     * @param {string} symbol @returns {boolean} false where the browser has no room for it: it stays where it is. */
    setAside(symbol) {
        this.flush();
        return this.#documents.setAside(symbol);
    }

    /** Reports documents that another tab of this browser wrote.
     * @param {(symbol: string) => void} changed */
    onOtherTab(changed) {
        this.#documents.onOtherTab(changed);
    }
}
