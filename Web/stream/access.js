import { recallText, rememberText } from "../storage.js";

const KEY = "candlewire.token";
const USER_KEY = "candlewire.user-token";
const APP_KEY = "candlewire.app-key";

/**
 * A login of the assistant, which is no right to trade: the user's token or key, the app's key, or both; empty where there
 * is none.
 *
 * @typedef {{token: string, key: string}} Login
 */

/**
 * The token of a server that requires one, and the login of its assistant. They go into requests and into first messages, and
 * nowhere else: not into an address, a log or the page.
 */
class Access {
    #token = recallText(KEY, "sessionStorage") ?? "";
    /** @type {Login} */
    #login = { token: recallText(USER_KEY, "sessionStorage") ?? "", key: recallText(APP_KEY, "sessionStorage") ?? "" };

    /** Empty where there is none. */
    get token() {
        return this.#token;
    }

    /**
     * The server accepts this token.
     *
     * @param {string} token
     * @param {boolean} isKept whether this tab still has it after a reload. It goes with the tab in any case.
     */
    grant(token, isKept) {
        this.#token = token;
        rememberText(KEY, (isKept && token) || null, "sessionStorage");
    }

    /** There is no token any more. */
    revoke() {
        this.#token = "";
        rememberText(KEY, null, "sessionStorage");
    }

    get login() {
        return this.#login;
    }

    /** Whether there is anything to sign out of. */
    get isSignedIn() {
        return this.#token !== "" || this.#login.token !== "" || this.#login.key !== "";
    }

    /**
     * The assistant accepts this login.
     *
     * @param {Login} login
     * @param {boolean} isKept as with `grant`.
     */
    grantLogin(login, isKept) {
        this.#login = login;
        rememberText(USER_KEY, (isKept && login.token) || null, "sessionStorage");
        rememberText(APP_KEY, (isKept && login.key) || null, "sessionStorage");
    }

    /** What the assistant's sockets send first; empty where there is none, or a ticket opens them. */
    get firstToken() {
        return this.#login.key === "" ? this.#login.token || this.#token : "";
    }

    /**
     * What a request carries.
     *
     * @param {string} path
     * @param {{token?: string, login?: Login}} [given] in place of what is signed in with.
     * @returns {Record<string, string>}
     */
    headers(path, given = {}) {
        const { token = this.#token, login = this.#login } = given;
        const isConsultation = /^\/consultation(s|-types)/.test(path);
        const hasLogin = isConsultation && (login.token !== "" || login.key !== "");
        const bearer = hasLogin ? login.token : token;
        return {
            ...(bearer === "" ? {} : { authorization: `Bearer ${bearer}` }),
            ...(hasLogin && login.key !== "" ? { "x-api-key": login.key } : {}),
            ...(hasLogin && token !== "" ? { "x-stream-token": token } : {}),
            // Without a login a conversation is this browser's; some browsers do not say that they are one.
            ...(isConsultation ? { "x-candlewire-page": "1" } : {}),
        };
    }
}

/** That of the server the page came from; there is no other. */
export const access = new Access();
