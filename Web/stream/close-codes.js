/**
 * Whether a connection that the peer closed with `code` may be opened again.
 *
 * The server's own codes say so by their range: 4000-4099 reconnect, 4100-4199 do not. Of the standard ones (RFC 6455,
 * section 7.4.1) those that blame our own bytes would only fail again.
 *
 * @param {number} code
 * @returns {boolean}
 */
export function mayReconnect(code) {
    if (code >= 4100 && code <= 4199) {
        return false;
    }
    return ![1002, 1003, 1007, 1008, 1010].includes(code);
}
