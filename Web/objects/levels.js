import { ALERT_DIRECTIONS, numberOf } from "../engine/boundary.js";
import { SymbolDocuments } from "../storage.js";

const FORMAT = "candlewire-levels";
const VERSION = 1;
/** Alerts and lines of a symbol; the engine has room for 2,000, a person reads fewer. */
const LIMIT = 200;
/** Letters of a line's name. */
const MAX_NAME_LENGTH = 60;

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
    /** @type {Map<string, boolean>} Symbols whose document could not be read, and whether it could be moved aside. */
    damaged = new Map();
    #documents = new SymbolDocuments("candlewire.levels", (detail) =>
        this.dispatchEvent(new CustomEvent("unkept", { detail })),
    );

    constructor() {
        super();
        for (const symbol of this.#documents.symbols) {
            this.#accept(symbol, this.#documents.read(symbol)) || this.damaged.set(symbol, this.#documents.setAside(symbol));
        }
        this.#documents.onOtherTab((symbol, text) => {
            this.#accept(symbol, text);
            this.dispatchEvent(new CustomEvent("change", { detail: symbol }));
        });
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
        const line = { id: 0, price, label: label.trim().slice(0, MAX_NAME_LENGTH) };
        return isLine({ ...line, id: 1 }) ? this.#add(symbol, ({ lines }) => lines, line) : null;
    }

    /**
     * Changes an alert or a line. An alert waits again then, unless the change is that it fired.
     *
     * @param {string} symbol
     * @param {number} id
     * @param {Partial<Alert & Line>} change
     */
    change(symbol, id, change) {
        const { alerts, lines } = this.of(symbol);
        const isChanged = replaceIn(alerts, id, { firedAt: null, ...change }, isAlert) || replaceIn(lines, id, change, isLine);
        isChanged && this.#changed(symbol);
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
        if (levels.alerts.length + levels.lines.length >= LIMIT) {
            return null;
        }
        this.#symbols.set(symbol, levels);
        levels.lastID += 1;
        made.id = levels.lastID;
        listOf(levels).push(made);
        this.#changed(symbol);
        return made;
    }

    /** @param {string} symbol */
    #changed(symbol) {
        const { alerts, lines } = this.of(symbol);
        const document = { format: FORMAT, version: VERSION, alerts, lines };
        this.#documents.write(symbol, alerts.length + lines.length === 0 ? null : JSON.stringify(document));
        this.dispatchEvent(new CustomEvent("change", { detail: symbol }));
    }

    /** @param {string} symbol @param {?string} text @returns {boolean} whether it can be read. */
    #accept(symbol, text) {
        const levels = text === null ? { alerts: [], lines: [], lastID: this.of(symbol).lastID } : parse(text);
        levels && this.#symbols.set(symbol, levels);
        return levels !== null;
    }
}

/**
 * Changes the one with this number, if it is in the list and still valid then.
 *
 * @template {Alert | Line} Level
 * @param {Level[]} list
 * @param {number} id
 * @param {Partial<Level>} change
 * @param {(level: Level) => boolean} isValid
 * @returns {boolean} whether it did.
 */
function replaceIn(list, id, change, isValid) {
    const at = list.findIndex((each) => each.id === id);
    const changed = { ...list[at], ...change };
    const isGood = at >= 0 && isValid(changed);
    if (isGood) {
        list[at] = changed;
    }
    return isGood;
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
