import { access } from "./access.js";

/** Milliseconds a request may take. */
const TIMEOUT = 15000;

/** A request that failed: `message` is fit for people, `code` is the server's or one of `unreachable`, `unreadable`. */
export class RestError extends Error {
    /**
     * @param {string} code
     * @param {string} message
     * @param {number} [status] HTTP status, 0 when there was no answer.
     * @param {string} [field] of what was sent that the server says is wrong; "" where it names none.
     */
    constructor(code, message, status = 0, field = "") {
        super(message);
        this.code = code;
        this.status = status;
        this.field = field;
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
export function getJSON(path, parameters = {}) {
    return requestJSON("GET", path, { parameters });
}

/**
 * Asks our own server for something, or to do something. It is asked once: who may ask twice knows that.
 *
 * @param {string} method
 * @param {string} path absolute.
 * @param {object} [options]
 * @param {Record<string, string | number>} [options.parameters] query; values are percent-encoded.
 * @param {any} [options.body] sent as JSON.
 * @param {AbortSignal} [options.signal] of who no longer wants the answer.
 * @param {string} [options.token] in place of the one that is signed in with.
 * @returns {Promise<any>} {} where the server has nothing to say.
 * @throws {RestError} when there is no answer, the answer is not JSON, or it is an error.
 */
export async function requestJSON(method, path, { parameters = {}, body, signal, token = access.token } = {}) {
    const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    const address = query.size > 0 ? `${path}?${query}` : path;
    const limit = AbortSignal.timeout(TIMEOUT);
    const headers = {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    };
    let response;
    try {
        response = await fetch(address, {
            method,
            headers,
            body: body === undefined ? undefined : JSON.stringify(body),
            signal: signal ? AbortSignal.any([limit, signal]) : limit,
        });
    } catch {
        throw new RestError("unreachable", "The server can’t be reached.");
    }
    const answer = response.status === 204 ? {} : await response.json().catch(() => null);
    if (response.status === 401) {
        // What the server says is for those who write requests.
        throw new RestError("unauthorized", "Sign in first: this server asks for an access token.", 401);
    }
    if (!response.ok) {
        const { code = "http_error", message = `The server answered ${response.status}.`, field } = answer?.error ?? {};
        throw new RestError(code, message, response.status, field);
    }
    if (answer === null) {
        throw new RestError("unreadable", "The server’s answer can’t be read.", response.status);
    }
    return answer;
}
