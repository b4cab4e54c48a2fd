/** Where something is remembered: in this browser, or with the tab, also over a reload. */
/** @typedef {"localStorage" | "sessionStorage"} Area */

/**
 * The text that is remembered under a key.
 *
 * @param {string} key
 * @param {Area} [area]
 * @returns {?string} null where there is none, or where storage is forbidden.
 */
export function recallText(key, area = "localStorage") {
    try {
        return window[area].getItem(key);
    } catch {
        return null;
    }
}

/**
 * Remembers a text; null forgets it.
 *
 * @param {string} key
 * @param {?string} text
 * @param {Area} [area]
 */
export function rememberText(key, text, area = "localStorage") {
    try {
        text === null ? window[area].removeItem(key) : window[area].setItem(key, text);
    } catch {
        // Storage may be forbidden or full; the choice then lasts as long as the page.
    }
}

/**
 * What this browser remembers under a key.
 *
 * @param {string} key
 * @returns {unknown} null where there is nothing, or where storage is forbidden or holds no JSON.
 */
export function recall(key) {
    try {
        return JSON.parse(recallText(key) ?? "null");
    } catch {
        return null;
    }
}

/**
 * Remembers a value; null forgets it.
 *
 * @param {string} key
 * @param {unknown} value as JSON has it.
 */
export function remember(key, value) {
    rememberText(key, value === null ? null : JSON.stringify(value));
}

/**
 * Copies what is kept under a key to where the next writing does not reach it: what cannot be read now may be
 * readable to another version.
 *
 * @param {string} key
 */
export function setAside(key) {
    const text = recallText(key);
    text === null || rememberText(`${key}.damaged`, text);
}

/**
 * A document for each symbol, kept in this browser.
 *
 * Nothing is thrown away: a document that cannot be read is moved aside, where it stays until another one of the same
 * symbol is damaged.
 */
export class SymbolDocuments {
    #prefix;
    #aside;
    #onFailure;
    #hasFailed = false;
    /** @type {Set<string>} Symbols whose damaged document could not be moved aside: nothing is written over it. */
    #unmoved = new Set();

    /**
     * @param {string} name what the keys in the browser's storage begin with.
     * @param {(reason: string) => void} onFailure called when the browser can’t save; once until it can.
     */
    constructor(name, onFailure) {
        this.#prefix = `${name}:`;
        this.#aside = `${name}.damaged:`;
        this.#onFailure = onFailure;
    }

    /** Symbols that have a document. */
    get symbols() {
        try {
            const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.#prefix));
            return keys.map((key) => key.slice(this.#prefix.length));
        } catch {
            return [];
        }
    }

    /** @param {string} symbol @returns {?string} the document; null where there is none. */
    read(symbol) {
        return recallText(this.#prefix + symbol);
    }

    /** @param {string} symbol @param {?string} document null: there is none any more. */
    write(symbol, document) {
        try {
            if (this.#unmoved.has(symbol)) {
                this.#moveAside(symbol);
            }
            if (document === null) {
                localStorage.removeItem(this.#prefix + symbol);
            } else {
                localStorage.setItem(this.#prefix + symbol, document);
            }
            this.#hasFailed = false;
        } catch (error) {
            const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
            this.#hasFailed || this.#onFailure(isFull ? "its storage is full" : "storage is blocked");
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
        const document = localStorage.getItem(this.#prefix + symbol);
        if (document !== null) {
            localStorage.setItem(this.#aside + symbol, document);
            localStorage.removeItem(this.#prefix + symbol);
        }
        this.#unmoved.delete(symbol);
    }

    /** Reports documents that another tab of this browser wrote.
     * @param {(symbol: string, document: ?string) => void} changed */
    onOtherTab(changed) {
        addEventListener("storage", ({ key, newValue }) => {
            if (key?.startsWith(this.#prefix)) {
                const symbol = key.slice(this.#prefix.length);
                this.#unmoved.delete(symbol);
                changed(symbol, newValue);
            }
        });
    }
}
