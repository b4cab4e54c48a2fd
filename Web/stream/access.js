import { recallText, rememberText } from "../storage.js";

const KEY = "candlewire.token";

/**
 * The token of a server that requires one. It goes into requests and into the stream's first message, and nowhere else:
 * not into an address, a log or the page.
 */
class Access {
    #token = recallText(KEY, "sessionStorage") ?? "";

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
}

/** That of the server the page came from; there is no other. */
export const access = new Access();
