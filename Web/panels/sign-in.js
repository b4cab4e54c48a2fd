import { byId } from "../dom.js";
import { access } from "../stream/access.js";
import { RestError, requestJSON } from "../stream/rest.js";
import { openDialog } from "../ui/dialog.js";

/** What a request can carry as a token: anything else would not even be sent. */
const TOKEN = /^[\x21-\x7e]+$/;
const FIRST = "This server requires an access token. Ask its operator for one.";
const ASSISTANT = "This server’s assistant requires a login. Ask its operator for one.";
const AGAIN = "The server no longer accepts your token. Enter another one.";

/** Requests the token of a server that requires one, as soon as its stream reports that, and forgets it on demand. */
export class SignIn {
    #session;
    #say;
    #out = byId("sign-out");
    #isOpen = false;

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

    /** Opens the dialog, unless it is open. */
    async open(text = FIRST) {
        if (this.#isOpen) {
            return;
        }
        this.#isOpen = true;
        await openDialog({
            title: "Sign in",
            text,
            fields: [
                { name: "token", label: "Access token", type: "password" },
                { name: "keep", label: "Stay signed in until this tab is closed", type: "checkbox", value: "on" },
            ],
            confirm: "Sign in",
            act: ({ token, keep }) => this.#try(token, keep === "on"),
        });
        this.#isOpen = false;
    }

    /** @param {string} token @param {boolean} isKept @throws {RestError} for a token that the server refuses, or where it does not answer. */
    async #try(token, isKept) {
        if (!TOKEN.test(token)) {
            const words = token === "" ? "Enter the token." : "A token has no spaces, only plain letters, digits and symbols.";
            throw new RestError("invalid_field", words, 0, "token");
        }
        try {
            // The stream would report a refusal without a reason, and only after a while where the server does not answer.
            await requestJSON("GET", "/v1/accounts", { token });
        } catch (error) {
            const status = error instanceof RestError ? error.status : 0;
            if (status === 401) {
                throw new RestError("unauthorized", "The server does not accept this token.", 401, "token");
            }
            if (status === 0) {
                throw error;
            }
            // Whatever else is wrong there, the token is not.
        }
        access.grant(token, isKept);
        this.#showOut();
        this.#session.setToken(token);
        this.#say("Signed in.");
    }

    /** Opens the dialog for the login of the assistant, where the server has one that is not the stream's.
     * @returns {Promise<boolean>} whether the server accepted it. */
    openForAssistant() {
        return openDialog({
            title: "Sign in to the assistant",
            text: ASSISTANT,
            fields: [
                { name: "token", label: "Your token or key", type: "password" },
                { name: "key", label: "App key, if the server requires one as well", type: "password" },
                { name: "keep", label: "Stay signed in until this tab is closed", type: "checkbox", value: "on" },
            ],
            confirm: "Sign in",
            act: ({ token, key, keep }) => this.#tryLogin({ token, key }, keep === "on"),
        });
    }

    /** @param {import("../stream/access.js").Login} login @param {boolean} isKept @throws {RestError} */
    async #tryLogin(login, isKept) {
        if (login.token === "" && login.key === "") {
            throw new RestError("invalid_field", "Enter your token or key.", 0, "token");
        }
        for (const [field, text] of Object.entries(login)) {
            if (text !== "" && !TOKEN.test(text)) {
                throw new RestError("invalid_field", "It has no spaces, only plain letters, digits and symbols.", 0, field);
            }
        }
        try {
            await requestJSON("GET", "/consultations", { parameters: { limit: 1 }, login });
        } catch (error) {
            if (error instanceof RestError && error.status === 401) {
                throw new RestError("unauthorized", "The server does not accept this login.", 401, "token");
            }
            throw error;
        }
        access.grantLogin(login, isKept);
        this.#showOut();
        this.#say("Signed in to the assistant.");
    }

    /** The stream requires a token, or another one than it has. */
    #refused() {
        const wasSignedIn = access.token !== "";
        access.revoke();
        this.#showOut();
        this.open(wasSignedIn ? AGAIN : FIRST);
    }

    #signOut() {
        access.revoke();
        access.grantLogin({ token: "", key: "" }, false);
        // A page that begins again has nothing left of the account.
        location.reload();
    }

    #showOut() {
        this.#out.hidden = !access.isSignedIn;
    }
}
