import { ConversationMachine } from "./conversation-machine.js";
import { keepUnsent, popUnsent } from "./unsent.js";

/** A timer further away than this overflows in browsers, and would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */

/**
 * The page's connection to one conversation.
 *
 * The shell of the machine: it owns the socket and the timer, performs the machine's actions, and decides nothing.
 *
 * Events: `change` (of anything that is shown), `trimmed` (detail: messages that are no longer in memory).
 */
export class ConsultationSession extends EventTarget {
    machine;
    id;
    #url;
    #token;
    #status;
    #usedToken = "";
    /** @type {Map<number, WebSocket>} by the machine's number. */
    #sockets = new Map();
    #timer = 0;
    #isBusy = false;
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
     *   not tell why a socket did not open. 0 where it does not answer.
     */
    constructor(engine, { id, url, token, status }) {
        super();
        const seed = crypto.getRandomValues(new Uint32Array(2));
        this.machine = new ConversationMachine(engine, { seed, epoch: performance.timeOrigin / 1000 });
        this.id = id;
        this.#url = url;
        this.#token = token;
        this.#status = status;
        const { signal } = this.#leave;
        addEventListener("online", () => this.#perform((machine, now) => machine.networkChanged(true, now)), { signal });
        addEventListener("offline", () => this.#perform((machine, now) => machine.networkChanged(false, now)), { signal });
        addEventListener("pagehide", () => this.#pageLeft(), { signal });
        addEventListener("pageshow", (event) => event.persisted && this.#pageShown(), { signal });
        document.addEventListener("visibilitychange", () => this.#visibilityChanged(), { signal });
        this.#perform((machine, now) => machine.restore(popUnsent(id), now));
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
        this.#perform((machine, now) => {
            this.#useToken(this.#token());
            machine.connect(now);
        });
    }

    /** Ends the connection until `connect`. */
    disconnect() {
        this.#perform((machine, now) => machine.disconnect(now));
    }

    /** Tries at once; after `disconnect` anew. */
    retry() {
        this.#perform((machine, now) => (machine.state === "closed" ? machine.connect(now) : machine.retryNow(now)));
    }

    /** To be called after a sign-in: with another token than the refused one the session connects again. */
    signedIn() {
        if (this.machine.needsLogin && this.#token() !== this.#usedToken) {
            this.connect();
        }
    }

    /**
     * @param {string} text
     * @param {Record<string, any>} metadata
     * @returns {string} the message's id.
     * @throws {import("./conversation-machine.js").SendError}
     */
    send(text, metadata) {
        let id = "";
        this.#perform((machine, now) => (id = machine.send(text, metadata, now)));
        return id;
    }

    /** @param {string} id */
    resend(id) {
        this.#perform((machine, now) => machine.retry(id, now));
    }

    /** @param {string} id */
    cancel(id) {
        this.#perform((machine, now) => machine.cancel(id, now));
    }

    /** @param {string} id */
    discard(id) {
        this.#perform((machine, now) => machine.discard(id, now));
    }

    /** Messages as the server's history describes them.
     * @param {object[]} described */
    describe(described) {
        return this.machine.describe(described, performance.now() / 1000);
    }

    /** What went wrong is not shown any more. */
    dismissProblem() {
        this.#perform((machine, now) => machine.dismissProblem(now));
    }

    /** Ends the session for good. */
    end() {
        this.disconnect();
        this.#leave.abort();
        clearTimeout(this.#timer);
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

    /**
     * Passes an input to the machine, and performs what follows from it.
     *
     * @param {(machine: ConversationMachine, now: number) => void} input
     */
    #perform(input) {
        const { machine } = this;
        if (this.#isOver) {
            return;
        }
        try {
            input(machine, performance.now() / 1000);
        } finally {
            this.#isBusy || this.#work();
        }
    }

    #work() {
        const { machine } = this;
        this.#isBusy = true;
        try {
            for (let action = machine.next(); action; action = machine.next()) {
                this.#act(action);
            }
        } finally {
            this.#isBusy = false;
        }
        this.#setTimer(machine.deadline);
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
    #act(action) {
        switch (action.kind) {
            case "open":
                this.#open(action.socket);
                break;
            case "send":
                this.#sockets.get(action.socket)?.send(action.frame);
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
                this.#forget(action);
        }
    }

    /** @param {string} token */
    #useToken(token) {
        if (token !== "") {
            this.#usedToken = token;
        }
        this.#perform((machine, now) => machine.setToken(token, now));
    }

    /** @param {number} number */
    #open(number) {
        const socket = new WebSocket(this.#url);
        let wasOpen = false;
        this.#sockets.set(number, socket);
        socket.onopen = () => {
            wasOpen = true;
            this.#perform((machine, now) => machine.opened(number, now));
        };
        socket.onmessage = ({ data }) =>
            this.#perform((machine, now) =>
                typeof data === "string" ? machine.received(number, data, now) : machine.receivedBinary(number, data.size ?? 0, now),
            );
        socket.onclose = async ({ code }) => {
            this.#sockets.delete(number);
            if (wasOpen) {
                this.#perform((machine, now) => machine.closed(number, code, now));
                return;
            }
            const status = await this.#status();
            this.#perform((machine, now) => machine.refused(number, status, now));
        };
    }

    /** Closes a socket that the machine has released, and ignores its further events.
     * @param {{socket: number, code?: number}} action */
    #forget({ socket: number, code = 1000 }) {
        const socket = this.#sockets.get(number);
        this.#sockets.delete(number);
        if (socket) {
            socket.onopen = socket.onmessage = socket.onclose = null;
            socket.close(code);
        }
    }

    /** @param {number} deadline */
    #setTimer(deadline) {
        clearTimeout(this.#timer);
        if (deadline < Infinity) {
            // Rounded up, and never at once: a timer that is early asks again and again.
            const pause = Math.max(1, Math.ceil(deadline * 1000 - performance.now()));
            this.#timer = setTimeout(
                () => this.#perform((machine, now) => machine.timerFired(now)),
                Math.min(pause, LONGEST_TIMER),
            );
        }
    }
}
