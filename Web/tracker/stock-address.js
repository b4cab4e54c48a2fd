/** The part of the address that means the tracker: `#stocks`, and `#stocks/AERO` for one stock. */
const NAME = "stocks";

/**
 * What an address means.
 *
 * @param {string} hash
 * @returns {?string} the symbol, "" for the list, null where it is no address of the tracker.
 */
export function stockOf(hash) {
    const [name, symbol = ""] = hash.replace(/^#/, "").split("/");
    if (name !== NAME) {
        return null;
    }
    try {
        return decodeURIComponent(symbol);
    } catch {
        return "";
    }
}

/** @param {string} [symbol] none: the list. */
export function addressOf(symbol = "") {
    return symbol === "" ? `#${NAME}` : `#${NAME}/${encodeURIComponent(symbol)}`;
}
