import { ALERT_DIRECTIONS, numberOf } from "../engine/boundary.js";

/** What the keys in the browser's storage begin with. */
const PREFIX = "candlewire.levels:";
const ASIDE = "candlewire.levels.damaged:";
const FORMAT = "candlewire-levels";
const VERSION = 1;
/** Alerts and lines of a symbol; the engine has room for 2,000, a person reads fewer. */
const MOST = 200;
/** Letters of a line's name. */
const LONGEST_NAME = 60;

/**
 * @typedef {object} Alert
 * @property {number} id
 * @property {number} price
 * @property {string} direction one of `ALERT_DIRECTIONS`.
 * @property {?number} firedAt when it fired, milliseconds since 1970; null while it waits.
 */

/**
 * @typedef {object} Line
 * @property {number} id
 * @property {number} price
 * @property {string} label
 */

/** @typedef {{alerts: Alert[], lines: Line[], lastID: number}} SymbolLevels */

/**
 * The price alerts and price lines of every symbol, kept in this browser.
 *
 * Events: `change` (detail: the symbol), `unkept` (detail: why the browser keeps nothing; once until it does).
 */
export class Levels extends EventTarget {
    /** @type {Map<string, SymbolLevels>} */
    #symbols = new Map();
    /** @type {Map<string, string>} Documents that could not be read, by symbol. */
    damaged = new Map();
    /** @type {Set<string>} Those of them that could not be moved aside: nothing is written over them. */
    unmoved = new Set();
    #hasFailed = false;

    constructor() {
        super();
        this.#load();
        addEventListener("storage", ({ key, newValue }) => key?.startsWith(PREFIX) && this.#read(key, newValue, true));
    }

    /** Symbols that have an alert or a line. */
    get symbols() {
        return [...this.#symbols.keys()];
    }

    /** Symbols that have an alert that waits. */
    get waiting() {
        return this.symbols.filter((symbol) => this.of(symbol).alerts.some(({ firedAt }) => firedAt === null));
    }

    /** @param {string} symbol @returns {SymbolLevels} not to be changed. */
    of(symbol) {
        return this.#symbols.get(symbol) ?? { alerts: [], lines: [], lastID: 0 };
    }

    /**
     * @param {string} symbol
     * @param {number} price
     * @param {string} [direction]
     * @returns {?Alert} null where there are too many or the price is none.
     */
    addAlert(symbol, price, direction = "either") {
        const alert = { id: 0, price, direction, firedAt: null };
        return isAlert({ ...alert, id: 1 }) ? this.#add(symbol, ({ alerts }) => alerts, alert) : null;
    }

    /** @param {string} symbol @param {number} price @param {string} label @returns {?Line} */
    addLine(symbol, price, label) {
        const line = { id: 0, price, label: label.trim().slice(0, LONGEST_NAME) };
        return isLine({ ...line, id: 1 }) ? this.#add(symbol, ({ lines }) => lines, line) : null;
    }

    /**
     * Changes an alert, which waits again then.
     *
     * @param {string} symbol
     * @param {number} id
     * @param {{price?: number, direction?: string}} change
     */
    changeAlert(symbol, id, change) {
        this.#change(symbol, this.#symbols.get(symbol)?.alerts ?? null, id, { ...change, firedAt: null }, isAlert);
    }

    /** @param {string} symbol @param {number} id @param {{price?: number, label?: string}} change */
    changeLine(symbol, id, change) {
        this.#change(symbol, this.#symbols.get(symbol)?.lines ?? null, id, change, isLine);
    }

    /** @param {string} symbol @param {number} id @param {number} now milliseconds since 1970. */
    fired(symbol, id, now) {
        this.#change(symbol, this.#symbols.get(symbol)?.alerts ?? null, id, { firedAt: now }, isAlert);
    }

    /** An alert that fired waits again.
     * @param {string} symbol @param {number} id */
    rearm(symbol, id) {
        this.changeAlert(symbol, id, {});
    }

    /** @param {string} symbol @param {number} id of an alert or a line. */
    remove(symbol, id) {
        const levels = this.#symbols.get(symbol);
        if (levels) {
            levels.alerts = levels.alerts.filter((each) => each.id !== id);
            levels.lines = levels.lines.filter((each) => each.id !== id);
            this.#changed(symbol);
        }
    }

    /**
     * @template {Alert | Line} Level
     * @param {string} symbol
     * @param {(levels: SymbolLevels) => Level[]} listOf
     * @param {Level} made gets its number.
     * @returns {?Level} null where there are too many.
     */
    #add(symbol, listOf, made) {
        const levels = this.#symbols.get(symbol) ?? { alerts: [], lines: [], lastID: 0 };
        if (levels.alerts.length + levels.lines.length >= MOST) {
            return null;
        }
        this.#symbols.set(symbol, levels);
        levels.lastID += 1;
        made.id = levels.lastID;
        listOf(levels).push(made);
        this.#changed(symbol);
        return made;
    }

    /**
     * @template {Alert | Line} Level
     * @param {string} symbol
     * @param {?Level[]} list
     * @param {number} id
     * @param {Partial<Level>} change
     * @param {(level: Level) => boolean} isValid
     */
    #change(symbol, list, id, change, isValid) {
        const at = list?.findIndex((each) => each.id === id) ?? -1;
        const changed = list?.[at] && { ...list[at], ...change };
        if (list && changed && isValid(changed)) {
            list[at] = changed;
            this.#changed(symbol);
        }
    }

    /** @param {string} symbol */
    #changed(symbol) {
        this.#write(symbol);
        this.dispatchEvent(new CustomEvent("change", { detail: symbol }));
    }

    /** @param {string} symbol */
    #write(symbol) {
        const { alerts, lines } = this.of(symbol);
        try {
            if (this.unmoved.has(symbol)) {
                this.#moveAside(symbol);
            }
            if (alerts.length + lines.length === 0) {
                localStorage.removeItem(PREFIX + symbol);
            } else {
                localStorage.setItem(PREFIX + symbol, JSON.stringify({ format: FORMAT, version: VERSION, alerts, lines }));
            }
            this.#hasFailed = false;
        } catch (error) {
            const isFirst = !this.#hasFailed;
            this.#hasFailed = true;
            if (isFirst) {
                const detail = error instanceof DOMException && error.name === "QuotaExceededError" ? "its storage is full" : "storage is blocked";
                this.dispatchEvent(new CustomEvent("unkept", { detail }));
            }
        }
    }

    #load() {
        try {
            const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
            keys.filter((key) => key.startsWith(PREFIX)).forEach((key) => this.#read(key, localStorage.getItem(key), false));
        } catch {
            // Storage may be forbidden; alerts then last as long as the page.
        }
    }

    /** @param {string} key @param {?string} text @param {boolean} isNews whether another tab of this browser wrote it. */
    #read(key, text, isNews) {
        const symbol = key.slice(PREFIX.length);
        const levels = text === null ? { alerts: [], lines: [], lastID: this.of(symbol).lastID } : parse(text);
        if (levels) {
            this.#symbols.set(symbol, levels);
            this.unmoved.delete(symbol);
        } else if (!isNews) {
            this.damaged.set(symbol, text ?? "");
            this.unmoved.add(symbol);
            try {
                this.#moveAside(symbol);
            } catch {
                // There is no room: it stays where it is, and what comes now is not kept.
            }
        }
        if (isNews) {
            this.dispatchEvent(new CustomEvent("change", { detail: symbol }));
        }
    }

    /** Moves a damaged document away from where the next one is written.
     * @param {string} symbol */
    #moveAside(symbol) {
        localStorage.setItem(ASIDE + symbol, this.damaged.get(symbol) ?? "");
        localStorage.removeItem(PREFIX + symbol);
        this.unmoved.delete(symbol);
    }
}

/** @param {string} text @returns {?SymbolLevels} null where it is no document of this version. */
function parse(text) {
    try {
        const { format, version, alerts, lines } = JSON.parse(text);
        const isGood = format === FORMAT && version === VERSION && alerts.every(isAlert) && lines.every(isLine);
        return isGood ? { alerts, lines, lastID: Math.max(0, ...[...alerts, ...lines].map(({ id }) => id)) } : null;
    } catch {
        return null;
    }
}

/** @param {Alert} each as it was read, so that it may be anything. */
function isAlert({ id, price, direction, firedAt }) {
    const isWhen = firedAt === null || Number.isFinite(firedAt);
    return Number.isInteger(id) && id > 0 && Number.isFinite(price) && numberOf(ALERT_DIRECTIONS, direction) >= 0 && isWhen;
}

/** @param {Line} each as it was read, so that it may be anything. */
function isLine({ id, price, label }) {
    return Number.isInteger(id) && id > 0 && Number.isFinite(price) && typeof label === "string" && label.length <= 200;
}
