import { newID } from "../trading/submission.js";
import { ConsultationMachine } from "./consultation-machine.js";
import { keepUnsent, takeUnsent } from "./unsent.js";

/** A timer further away than this overflows in browsers, and would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The page's connection to one conversation.
 *
 * The shell of the machine: it owns the socket and the timer, does what the machine says, and decides nothing.
 *
 * Events: `change` (whatever is shown of it may be another), `trimmed` (detail: messages that are no longer in memory).
 */
export class ConsultationSession extends EventTarget {
    machine = new ConsultationMachine({
        random: Math.random,
        newID,
        epoch: performance.timeOrigin / 1000,
    });
    id;
    #url;
    #token;
    #status;
    #usedToken = "";
    /** @type {Map<number, WebSocket>} by the machine's number. */
    #sockets = new Map();
    #timer = 0;
    #isBusy = false;
    #leave = new AbortController();

    /**
     * @param {object} options
     * @param {string} options.id of the conversation.
     * @param {string} options.url `ws:` or `wss:` address of it.
     * @param {() => string} options.token the one to say first; empty for none.
     * @param {() => Promise<number>} options.status what the server answers about the conversation over HTTP: browsers do
     *   not tell why a socket did not open. 0 where it does not answer.
     */
    constructor({ id, url, token, status }) {
        super();
        this.id = id;
        this.#url = url;
        this.#token = token;
        this.#status = status;
        const { signal } = this.#leave;
        addEventListener("online", () => this.#tell((machine, now) => machine.networkChanged(true, now)), { signal });
        addEventListener("offline", () => this.#tell((machine, now) => machine.networkChanged(false, now)), { signal });
        addEventListener("pagehide", () => this.#pageLeft(), { signal });
        addEventListener("pageshow", (event) => event.persisted && this.#pageShown(), { signal });
        document.addEventListener("visibilitychange", () => this.#looked(), { signal });
        this.#tell((machine, now) => machine.restore(takeUnsent(id), now));
    }

    get messages() {
        return this.machine.messages.all;
    }

    get diagnostics() {
        const { connection, counts, lastError, lastMalformed, messages } = this.machine;
        const { attempts, connects, openSince, roundTrip, isOpen: isConnected } = connection;
        const uptime = openSince === null ? 0 : performance.now() / 1000 - openSince;
        const messageCount = messages.all.length;
        const connected = { isConnected, reconnectAttempts: attempts, connects, roundTrip, uptime };
        return { ...connected, lastError, lastMalformed, messageCount, ...counts };
    }

    connect() {
        this.#tell((machine, now) => {
            this.#useToken(this.#token());
            machine.connect(now);
        });
    }

    /** Ends the connection until `connect`. */
    disconnect() {
        this.#tell((machine, now) => machine.disconnect(now));
    }

    /** Tries at once; after `disconnect` anew. */
    retry() {
        this.#tell((machine, now) => (machine.connection.state === "closed" ? machine.connect(now) : machine.retryNow(now)));
    }

    /** Somebody signed in: with another token than the one that was refused it goes on. */
    signedIn() {
        if (this.machine.needsLogin && this.#token() !== this.#usedToken) {
            this.connect();
        }
    }

    /**
     * @param {string} text
     * @param {Record<string, any>} metadata
     * @returns {string} the message's id.
     * @throws {import("./consultation-machine.js").SendError}
     */
    send(text, metadata) {
        let id = "";
        this.#tell((machine, now) => (id = machine.send(text, metadata, now)));
        return id;
    }

    /** @param {string} id */
    resend(id) {
        this.#tell((machine, now) => machine.retry(id, now));
    }

    /** @param {string} id */
    cancel(id) {
        this.#tell((machine, now) => machine.cancel(id, now));
    }

    /** @param {string} id */
    discard(id) {
        this.#tell((machine) => machine.discard(id));
    }

    /** Ends it for good: nothing is heard of it any more. */
    end() {
        this.disconnect();
        this.#leave.abort();
        clearTimeout(this.#timer);
    }

    /** The page itself came back, with all it had. */
    #pageShown() {
        takeUnsent(this.id);
        this.connect();
    }

    /** What the server does not have is sent by the next page of this tab. */
    #pageLeft() {
        keepUnsent(this.id, this.machine.unsent);
        this.disconnect();
    }

    /** Who comes back need not wait for the next attempt. */
    #looked() {
        if (document.visibilityState === "visible" && this.machine.connection.state === "waiting") {
            this.retry();
        }
    }

    /**
     * @param {(machine: ConsultationMachine, now: number) => void} input
     */
    #tell(input) {
        const { machine } = this;
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
                this.#perform(action);
            }
        } finally {
            this.#isBusy = false;
        }
        this.#setTimer(machine.deadline);
        const trimmed = machine.messages.trim();
        trimmed.length > 0 && this.dispatchEvent(new CustomEvent("trimmed", { detail: trimmed }));
        this.dispatchEvent(new Event("change"));
    }

    /** @param {import("./consultation-machine.js").ConsultationAction} action */
    #perform(action) {
        switch (action.kind) {
            case "open":
                this.#open(action.socket);
                break;
            case "send":
                this.#sockets.get(action.socket)?.send(action.frame);
                break;
            case "token": {
                // One that was refused is not tried again; who signs in anew gives another one.
                const token = this.#token();
                this.#useToken(token === this.#usedToken ? "" : token);
                break;
            }
            default:
                this.#forget(action);
        }
    }

    #useToken(token) {
        if (token !== "") {
            this.#usedToken = token;
        }
        this.#tell((machine, now) => machine.setToken(token, now));
    }

    /** @param {number} number */
    #open(number) {
        const socket = new WebSocket(this.#url);
        let wasOpen = false;
        this.#sockets.set(number, socket);
        socket.onopen = () => {
            wasOpen = true;
            this.#tell((machine, now) => machine.opened(number, now));
        };
        socket.onmessage = ({ data }) =>
            this.#tell((machine, now) =>
                typeof data === "string" ? machine.received(number, data, now) : machine.receivedBinary(number, data.size ?? 0, now),
            );
        socket.onclose = async ({ code }) => {
            this.#sockets.delete(number);
            if (wasOpen) {
                this.#tell((machine, now) => machine.closed(number, code, now));
                return;
            }
            const status = await this.#status();
            this.#tell((machine, now) => machine.refused(number, status, now));
        };
    }

    /** Closes a socket that is no longer ours: whatever it still says is not heard. */
    #forget({ socket: number, code = 1000 }) {
        const socket = this.#sockets.get(number);
        this.#sockets.delete(number);
        if (socket) {
            socket.onopen = socket.onmessage = socket.onclose = null;
            socket.close(code);
        }
    }

    #setTimer(deadline) {
        clearTimeout(this.#timer);
        if (deadline < Infinity) {
            // Rounded up, and never at once: a timer that is early asks again and again.
            const pause = Math.max(1, Math.ceil(deadline * 1000 - performance.now()));
            this.#timer = setTimeout(
                () => this.#tell((machine, now) => machine.timerFired(now)),
                Math.min(pause, LONGEST_TIMER),
            );
        }
    }
}
