/** How much a browser keeps: more pages than tabs can show, or more rows than a person scrolls through, is a mistake. */
export const MAX_PAGES = 24;
export const MAX_SYMBOLS = 500;
export const MAX_NAME_LENGTH = 40;
/** A symbol with its feed's name before it may be long; a text of a megabyte is none. */
const MAX_SYMBOL_LENGTH = 255;
const VERSION = 1;

/**
 * A page of one's own.
 *
 * @typedef {object} Page
 * @property {string} id letters and digits, never shown.
 * @property {string} name
 * @property {readonly string[]} symbols in the order of its rows, each once.
 */

/**
 * What was kept, as far as it can be read.
 *
 * @param {?{version?: unknown, pages?: unknown}} stored as `storedPages` made it, or anything.
 * @returns {{pages: Page[], isWhole: boolean}} `isWhole` is false where something had to be left out.
 */
export function readPages(stored) {
    if (stored?.version !== VERSION || !Array.isArray(stored.pages)) {
        return { pages: [], isWhole: false };
    }
    /** @type {Page[]} */
    const pages = [];
    let isWhole = stored.pages.length <= MAX_PAGES;
    for (const entry of stored.pages.slice(0, MAX_PAGES)) {
        const name = typeof entry?.name === "string" ? trimmedName(entry.name) : "";
        if (!name || !Array.isArray(entry.symbols)) {
            isWhole = false;
            continue;
        }
        const isFree = isId(entry.id) && pages.every(({ id }) => id !== entry.id);
        const symbols = [...new Set(entry.symbols.filter(isSymbol))].slice(0, MAX_SYMBOLS);
        isWhole &&= isFree && symbols.length === entry.symbols.length;
        pages.push({ id: isFree ? entry.id : newId(), name, symbols });
    }
    return { pages, isWhole };
}

/** What is kept.
 * @param {readonly Page[]} pages @returns {?{version: number, pages: readonly Page[]}} null for no pages. */
export function storedPages(pages) {
    return pages.length === 0 ? null : { version: VERSION, pages };
}

/** A name for people: one line, not too long; empty where nothing is left.
 * @param {string} name */
export function trimmedName(name) {
    return name.replace(/[\s\p{C}]+/gu, " ").trim().slice(0, MAX_NAME_LENGTH).trim();
}

/** The first of “Page 1”, “Page 2” … that no page has.
 * @param {readonly Page[]} pages */
export function freeName(pages) {
    for (let number = 1; ; number += 1) {
        const name = `Page ${number}`;
        if (pages.every((page) => page.name !== name)) {
            return name;
        }
    }
}

/** Random and not counted: two tabs may make a page at the same time. */
export function newId() {
    return [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join("");
}

/**
 * `list` with `item` at a place.
 *
 * @template Item
 * @param {readonly Item[]} list
 * @param {Item} item
 * @param {number} at beyond an end is that end.
 */
export function inserted(list, item, at) {
    const place = Math.max(0, Math.min(at, list.length));
    return [...list.slice(0, place), item, ...list.slice(place)];
}

/**
 * `list` with an item elsewhere; the same where it does not have it.
 *
 * @template Item
 * @param {readonly Item[]} list
 * @param {Item} item
 * @param {number} to its place afterwards; beyond an end is that end.
 */
export function shifted(list, item, to) {
    return list.includes(item) ? inserted(list.filter((each) => each !== item), item, to) : [...list];
}

/** @param {unknown} value */
function isSymbol(value) {
    return typeof value === "string" && value !== "" && value.length <= MAX_SYMBOL_LENGTH;
}

/** @param {unknown} value */
function isId(value) {
    return typeof value === "string" && /^[a-z0-9]{1,32}$/.test(value);
}
