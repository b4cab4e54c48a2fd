/**
 * Where the stream is: on the server the page came from.
 *
 * @param {Location} page
 * @returns {string} a `ws:` or `wss:` address.
 */
export function streamAddress(page) {
    const address = new URL("v1/stream", page.href);
    address.protocol = page.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    address.search = "";
    return address.href;
}
