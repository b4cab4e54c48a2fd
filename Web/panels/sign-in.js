import { byId } from "../dom.js";
import { access } from "../stream/access.js";
import { RestError, requestJSON } from "../stream/rest.js";
import { ask } from "../trading/ask.js";

/** What a request can carry as a token: anything else would not even be sent. */
const TOKEN = /^[\x21-\x7e]+$/;
const FIRST = "This server shows live prices and accounts to those who have an access token. Whoever runs it can give you one.";
const AGAIN = "The server no longer accepts the token that you signed in with. Please enter another one.";

/** Asks for the token of a server that wants one, as soon as its stream says so, and forgets it on demand. */
export class SignIn {
    #session;
    #say;
    #out = byId("sign-out");
    #isAsking = false;

    /**
     * @param {import("../stream/session.js").Session} session
     * @param {(sentence: string) => void} say
     */
    constructor(session, say) {
        this.#session = session;
        this.#say = say;
        session.setToken(access.token);
        session.addEventListener("state", () => session.needsToken && this.#refused());
        this.#out.addEventListener("click", () => this.#signOut());
        this.#showOut();
    }

    /** Asks for the token, unless it does already. */
    async open(text = FIRST) {
        if (this.#isAsking) {
            return;
        }
        this.#isAsking = true;
        await ask({
            title: "Sign in",
            text,
            fields: [
                { name: "token", label: "Access token", type: "password" },
                { name: "keep", label: "Stay signed in until this tab is closed", type: "checkbox", value: "on" },
            ],
            confirm: "Sign in",
            act: ({ token, keep }) => this.#try(token, keep === "on"),
        });
        this.#isAsking = false;
    }

    /** @throws {RestError} for a token that the server does not take, or where it cannot say so. */
    async #try(token, isKept) {
        if (!TOKEN.test(token)) {
            const words = token === "" ? "Enter the token." : "A token is one word of letters, digits and signs.";
            throw new RestError("invalid_field", words, 0, "token");
        }
        try {
            // The stream would say no more than “no”, and only after a while where the server does not answer.
            await requestJSON("GET", "/v1/accounts", { token });
        } catch (error) {
            if (error.status === 401) {
                throw new RestError("unauthorized", "The server does not accept this token.", 401, "token");
            }
            if (error.status === 0) {
                throw error;
            }
            // Whatever else is wrong there, the token is not.
        }
        access.grant(token, isKept);
        this.#showOut();
        this.#session.setToken(token);
        this.#say("Signed in.");
    }

    /** The stream wants a token, or another one than it was told. */
    #refused() {
        const wasSignedIn = access.token !== "";
        access.revoke();
        this.#showOut();
        this.open(wasSignedIn ? AGAIN : FIRST);
    }

    #signOut() {
        access.revoke();
        // A page that begins anew has nothing left of the account.
        location.reload();
    }

    #showOut() {
        this.#out.hidden = access.token === "";
    }
}
