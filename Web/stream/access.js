const KEY = "candlewire.token";

/**
 * The token of a server that asks for one. It goes into requests and into the stream's first message, and nowhere else:
 * not into an address, a log or the page.
 */
export class Access {
    #token = kept();

    /** Empty where there is none. */
    get token() {
        return this.#token;
    }

    /**
     * The server takes this token.
     *
     * @param {string} token
     * @param {boolean} isKept whether this tab still has it after a reload. It goes with the tab in any case.
     */
    grant(token, isKept) {
        this.#token = token;
        keep(isKept ? token : "");
    }

    /** There is no token any more. */
    revoke() {
        this.#token = "";
        keep("");
    }
}

/** That of the server the page came from; there is no other. */
export const access = new Access();

function kept() {
    try {
        return sessionStorage.getItem(KEY) ?? "";
    } catch {
        return "";
    }
}

/** @param {string} token empty: none. */
function keep(token) {
    try {
        token === "" ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, token);
    } catch {
        // Storage may be forbidden; the token then lasts as long as the page.
    }
}
