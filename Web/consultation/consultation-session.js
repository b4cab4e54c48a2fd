import { RestError } from "../stream/rest.js";
import { MachineDriver } from "../stream/machine-driver.js";
import { ConversationMachine } from "./conversation-machine.js";
import { keepUnsent, popUnsent } from "./unsent.js";

/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */

/**
 * The page's connection to one conversation.
 *
 * Events: `change` (of anything that is shown), `trimmed` (detail: messages that are no longer in memory).
 *
 * @extends {MachineDriver<ConversationMachine>}
 */
export class ConsultationSession extends MachineDriver {
    id;
    #token;
    #status;
    #ticket;
    /** @type {Set<number>} Sockets that wait for their ticket. */
    #waiting = new Set();
    #usedToken = "";
    #isOver = false;
    /** @type {ChatMessage[]} as they were when `change` was last sent. */
    #shown = [];
    #leave = new AbortController();

    /**
     * @param {import("../engine/engine.js").Engine} engine
     * @param {object} options
     * @param {string} options.id of the conversation.
     * @param {string} options.url `ws:` or `wss:` address of it.
     * @param {() => string} options.token the one to send first; empty for none.
     * @param {() => Promise<number>} options.status what the server answers about the conversation over HTTP: browsers do
     *   not say why a socket did not open. 0 where it does not answer.
     * @param {() => ?Promise<string>} options.ticket what the socket's address needs beside that; null where nothing.
     */
    constructor(engine, { id, url, token, status, ticket }) {
        const seed = crypto.getRandomValues(new Uint32Array(2));
        super(new ConversationMachine(engine, { seed, epoch: performance.timeOrigin / 1000 }), url);
        this.id = id;
        this.#token = token;
        this.#status = status;
        this.#ticket = ticket;
        const { signal } = this.#leave;
        addEventListener("online", () => this.input((machine, now) => machine.networkChanged(true, now)), { signal });
        addEventListener("offline", () => this.input((machine, now) => machine.networkChanged(false, now)), { signal });
        addEventListener("pagehide", () => this.#pageLeft(), { signal });
        addEventListener("pageshow", (event) => event.persisted && this.#pageShown(), { signal });
        document.addEventListener("visibilitychange", () => this.#visibilityChanged(), { signal });
        this.input((machine, now) => machine.restore(popUnsent(id), now));
    }

    get messages() {
        return this.machine.messages;
    }

    get diagnostics() {
        const { diagnostics } = this.machine;
        const { openSince } = diagnostics;
        return { ...diagnostics, uptime: openSince === undefined ? 0 : performance.now() / 1000 - openSince };
    }

    connect() {
        this.input((machine, now) => {
            this.#useToken(this.#token());
            machine.connect(now);
        });
    }

    /** Ends the connection until `connect`. */
    disconnect() {
        this.input((machine, now) => machine.disconnect(now));
    }

    /** Tries at once; also after `disconnect`. */
    retry() {
        this.input((machine, now) => (machine.state === "closed" ? machine.connect(now) : machine.retryNow(now)));
    }

    /** To be called after a sign-in: with another token than the refused one the session connects again. */
    signedIn() {
        if (this.machine.needsLogin && this.#token() !== this.#usedToken) {
            this.connect();
        }
    }

    /**
     * @param {string} text
     * @param {Record<string, unknown>} metadata
     * @returns {string} the message's id.
     * @throws {import("./conversation-machine.js").SendError}
     */
    send(text, metadata) {
        let id = "";
        this.input((machine, now) => (id = machine.send(text, metadata, now)));
        return id;
    }

    /** @param {string} id */
    resend(id) {
        this.input((machine, now) => machine.retry(id, now));
    }

    /** @param {string} id */
    cancel(id) {
        this.input((machine, now) => machine.cancel(id, now));
    }

    /** @param {string} id */
    discard(id) {
        this.input((machine, now) => machine.discard(id, now));
    }

    /** Messages as the server's history describes them.
     * @param {object[]} described */
    describe(described) {
        return this.machine.describe(described, performance.now() / 1000);
    }

    /** What went wrong is not shown any more. */
    dismissProblem() {
        this.input((machine, now) => machine.dismissProblem(now));
    }

    /** Ends the session for good. */
    end() {
        this.disconnect();
        this.#leave.abort();
        this.#isOver = true;
        this.machine.free();
    }

    /** The page itself came back, with all it had. */
    #pageShown() {
        popUnsent(this.id);
        this.connect();
    }

    /** The next page of this tab sends what the server does not have. */
    #pageLeft() {
        keepUnsent(this.id, this.machine.unsent(performance.now() / 1000));
        this.disconnect();
    }

    /** A user who comes back need not wait for the next attempt. */
    #visibilityChanged() {
        if (document.visibilityState === "visible" && this.machine.state === "waiting") {
            this.retry();
        }
    }

    /** @param {(machine: ConversationMachine, now: number) => void} input */
    input(input) {
        this.#isOver || super.input(input);
    }

    performed() {
        const trimmed = this.#trimmed();
        trimmed.length > 0 && this.dispatchEvent(new CustomEvent("trimmed", { detail: trimmed }));
        this.dispatchEvent(new Event("change"));
    }

    /** The oldest messages that were there at the last change and are not any more.
     * @returns {ChatMessage[]} */
    #trimmed() {
        const { messages } = this.machine;
        const shown = this.#shown;
        this.#shown = messages;
        if (shown === messages) {
            return [];
        }
        const known = new Set(messages.map(({ id }) => id));
        const first = shown.findIndex(({ id }) => known.has(id));
        return shown.slice(0, Math.max(0, first)).filter(({ role, state }) => role !== "user" || state === "sent");
    }

    /** @param {import("./conversation-machine.js").ConversationAction} action */
    perform(action) {
        switch (action.kind) {
            case "open":
                this.#open(action.socket);
                break;
            case "send":
                this.sendFrame(action);
                break;
            case "token": {
                // A refused token is not tried again; another one comes with the next sign-in.
                const token = this.#token();
                this.#useToken(action.wasRejected && token === this.#usedToken ? "" : token);
                break;
            }
            case "login":
                break;
            default:
                this.#waiting.delete(action.socket);
                this.closeSocket(action);
        }
    }

    /** @param {number} socket */
    async #open(socket) {
        const ticket = this.#ticket();
        if (!ticket) {
            this.openSocket(socket);
            return;
        }
        this.#waiting.add(socket);
        try {
            const query = `&ticket=${encodeURIComponent(await ticket)}`;
            this.#waiting.has(socket) && this.openSocket(socket, query);
        } catch (error) {
            const status = error instanceof RestError ? error.status : 0;
            this.#waiting.has(socket) && this.input((machine, now) => machine.refused(socket, status, now));
        }
        this.#waiting.delete(socket);
    }

    /** @param {string} token */
    #useToken(token) {
        if (token !== "") {
            this.#usedToken = token;
        }
        this.input((machine, now) => machine.setToken(token, now));
    }

    /** @param {number} socket @param {string | Blob} data */
    received(socket, data) {
        this.input((machine, now) =>
            typeof data === "string" ? machine.received(socket, data, now) : machine.receivedBinary(socket, data.size, now),
        );
    }

    /** @param {number} socket @param {CloseEvent} event @param {boolean} wasOpen */
    async closed(socket, { code }, wasOpen) {
        if (wasOpen) {
            this.input((machine, now) => machine.closed(socket, code, now));
            return;
        }
        const status = await this.#status();
        this.input((machine, now) => machine.refused(socket, status, now));
    }
}
