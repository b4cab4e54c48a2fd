import { UserError } from "../user-error.js";
import { access } from "./access.js";

/** Milliseconds before a request is given up. */
const TIMEOUT = 15000;

/** A request that failed: `message` is fit for people, `code` is the server's or one of `unreachable`, `unreadable`. */
export class RestError extends UserError {
    /**
     * @param {string} code
     * @param {string} message
     * @param {number} [status] HTTP status, 0 when there was no answer.
     * @param {string} [field] of what was sent that the server says is wrong; "" where it names none.
     */
    constructor(code, message, status = 0, field = "") {
        super(message, field);
        this.code = code;
        this.status = status;
    }
}

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, string | number>} [parameters] query; values are percent-encoded.
 * @property {unknown} [body] sent as JSON; numbers of an array as they are in memory.
 * @property {AbortSignal} [signal] aborts the request.
 * @property {string} [token] in place of the one that is signed in with.
 * @property {import("./access.js").Login} [login] of the assistant, in place of the one that is signed in with.
 * @property {number} [timeout] milliseconds before it is given up.
 */

/**
 * GETs JSON from our own server.
 *
 * @param {string} path absolute path such as `/v1/markets`.
 * @param {Record<string, string | number>} [parameters] query; values are percent-encoded.
 * @returns {Promise<unknown>}
 * @throws {RestError} when there is no answer, the answer is not JSON, or it is an error.
 */
export function getJSON(path, parameters = {}) {
    return requestJSON("GET", path, { parameters });
}

/**
 * Sends a request to our own server, once: only the caller knows whether it may be repeated.
 *
 * @param {string} method
 * @param {string} path absolute.
 * @param {RequestOptions} [options]
 * @returns {Promise<unknown>} {} where the server has nothing to say.
 * @throws {RestError} when there is no answer, the answer is not JSON, or it is an error.
 */
export async function requestJSON(method, path, options = {}) {
    const response = await request(method, path, "application/json", options);
    const answer = response.status === 204 ? {} : await response.json().catch(() => null);
    if (answer === null) {
        throw new RestError("unreadable", "The server’s answer can’t be read.", response.status);
    }
    return answer;
}

/**
 * The same for an answer that is a file.
 *
 * @param {string} method
 * @param {string} path absolute.
 * @param {RequestOptions} [options]
 * @returns {Promise<Blob>}
 * @throws {RestError} when there is no answer, or it is an error.
 */
export async function requestFile(method, path, options = {}) {
    const response = await request(method, path, "*/*", options);
    return response.blob().catch(unreachable);
}

/** @param {string} method @param {string} path @param {string} accept @param {RequestOptions} options */
async function request(method, path, accept, { parameters = {}, body, signal, token, login, timeout = TIMEOUT }) {
    const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    const address = query.size > 0 ? `${path}?${query}` : path;
    const isBinary = body instanceof Uint32Array;
    const headers = new Headers({ accept, ...access.headers(path, { token, login }) });
    body === undefined || headers.set("content-type", isBinary ? "application/octet-stream" : "application/json");
    const content = body === undefined || isBinary ? body : JSON.stringify(body);
    const response = await fetch(address, { method, headers, body: content, signal: within(timeout, signal) }).catch(unreachable);
    if (response.status === 401) {
        // What the server says is for those who write requests.
        throw new RestError("unauthorized", "Sign in first: this server requires an access token.", 401);
    }
    if (!response.ok) {
        const answer = await response.json().catch(() => null);
        const { code = "http_error", message = `The server answered ${response.status}.`, field } = answer?.error ?? {};
        throw new RestError(code, message, response.status, field);
    }
    return response;
}

/** There is no answer, or it broke off.
 * @returns {never} @throws {RestError} */
function unreachable() {
    throw new RestError("unreachable", "The server can’t be reached.");
}

/**
 * Aborts after a time, and with another signal.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [other]
 */
export function within(milliseconds, other) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    setTimeout(abort, milliseconds);
    other?.addEventListener("abort", abort, { once: true });
    other?.aborted && abort();
    return controller.signal;
}

/** The number of something that is sent: random and unique, also where the browser gives `randomUUID` to secure pages only. */
export function newID() {
    if (crypto.randomUUID) {
        return crypto.randomUUID();
    }
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
