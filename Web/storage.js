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
