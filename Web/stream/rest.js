/** Milliseconds a request may take. */
const TIMEOUT = 15000;

/** A request that failed: `message` is fit for people, `code` is the server's or one of `unreachable`, `unreadable`. */
export class RestError extends Error {
    /**
     * @param {string} code
     * @param {string} message
     * @param {number} [status] HTTP status, 0 when there was no answer.
     */
    constructor(code, message, status = 0) {
        super(message);
        this.code = code;
        this.status = status;
    }
}

/**
 * GETs JSON from our own server.
 *
 * @param {string} path absolute path such as `/v1/markets`.
 * @param {Record<string, string | number>} [parameters] query; values are percent-encoded.
 * @returns {Promise<any>}
 * @throws {RestError} when there is no answer, the answer is not JSON, or it is an error.
 */
export async function getJSON(path, parameters = {}) {
    const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    const address = query.size > 0 ? `${path}?${query}` : path;
    let response;
    try {
        const signal = AbortSignal.timeout(TIMEOUT);
        response = await fetch(address, { headers: { accept: "application/json" }, signal });
    } catch {
        throw new RestError("unreachable", "The server can’t be reached.");
    }
    const body = await response.json().catch(() => null);
    if (!response.ok) {
        const { code = "http_error", message = `The server answered ${response.status}.` } = body?.error ?? {};
        throw new RestError(code, message, response.status);
    }
    if (body === null) {
        throw new RestError("unreadable", "The server’s answer can’t be read.", response.status);
    }
    return body;
}
