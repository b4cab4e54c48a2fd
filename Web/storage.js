/**
 * What this browser remembers under a key.
 *
 * @param {string} key
 * @returns {unknown} null where there is nothing, or where storage is forbidden or holds no JSON.
 */
export function recall(key) {
    try {
        return JSON.parse(localStorage.getItem(key) ?? "null");
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
    try {
        if (value === null) {
            localStorage.removeItem(key);
        } else {
            localStorage.setItem(key, JSON.stringify(value));
        }
    } catch {
        // Storage may be forbidden or full; the choice then lasts as long as the page.
    }
}

/**
 * Copies what is kept under a key to where the next writing does not reach it: what cannot be read now may be
 * readable to another version.
 *
 * @param {string} key
 */
export function setAside(key) {
    try {
        const text = localStorage.getItem(key);
        if (text !== null) {
            localStorage.setItem(`${key}.damaged`, text);
        }
    } catch {
        // As in `remember`.
    }
}
