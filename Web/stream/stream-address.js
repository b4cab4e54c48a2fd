/**
 * Where a stream is: on the server the page came from.
 *
 * @param {Location} page
 * @param {string} [path] the market's by default.
 * @param {string} [query]
 * @returns {string} a `ws:` or `wss:` address.
 */
export function streamAddress(page, path = "v1/stream", query = "") {
    const address = new URL(path, page.href);
    address.protocol = page.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    address.search = query;
    return address.href;
}
