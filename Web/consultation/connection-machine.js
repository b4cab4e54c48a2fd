/** How a connection is kept: the source document's numbers. Seconds. */
export const CONNECTION = {
    connectTimeout: 10,
    attempts: 5,
    base: 1,
    cap: 30,
    heartbeat: 30,
    answerWithin: 10,
    /** A connection that lasted so long was good: attempts are counted anew. */
    stableUptime: 10,
};

/** Codes after which the same conversation would only run into the same again; of the standard ones. */
const FINAL = new Set([1000, 1003, 1008, 1009, 1010, 1015]);
const UNAUTHORIZED = 4101;

/** @typedef {"idle" | "connecting" | "authenticating" | "open" | "waiting" | "failed" | "closed"} ConnectionState */

/**
 * What the owner is to do (`open`, `authenticate`, `ping`, `close`, `drop`, `token`), and what it is told.
 *
 * @typedef {{kind: "open" | "authenticate" | "ready" | "lost" | "ping" | "drop", socket: number}
 *   | {kind: "close", socket: number, code: number, reason: string}
 *   | {kind: "token", wasRejected: boolean}
 *   | {kind: "problem", what: "closed" | "refused" | "timeout" | "silence", code: number}
 *   | {kind: "state"}} ConnectionAction
 */

/**
 * Keeps one connection: opens it, authenticates it, watches it, and comes back when it is lost.
 *
 * A value without sockets and clock: what happens goes in with the time (seconds on a clock that does not go back), what
 * is to be done comes out of `next()`. One owner, one timer (`deadline`), each change of state told once.
 */
export class ConnectionMachine {
    /** @type {ConnectionState} */
    state = "idle";
    /** Why it gave up: `attempts`, `unauthorized`, `status` or `code`; empty unless `failed`. */
    failure = "";
    /** The status or the close code of `failure`. */
    failureCode = 0;
    /** When the next attempt is due; infinity unless waiting. */
    retryAt = Infinity;
    attempts = 0;
    /** Times an open connection was reached. */
    connects = 0;
    /** @type {?number} */
    openSince = null;
    /** @type {?number} seconds of the last ping and its answer. */
    roundTrip = null;
    #random;
    #socket = 0;
    #lastSocket = 0;
    #hasToken = false;
    #wasTokenRefused = false;
    #isFetchingToken = false;
    #stageEndsAt = Infinity;
    #pingAt = Infinity;
    #pingSentAt = Infinity;
    #isOnline = true;
    /** @type {ConnectionAction[]} */
    #actions = [];

    /** @param {() => number} random from 0 to 1: the jitter. */
    constructor(random) {
        this.#random = random;
    }

    /** @returns {?ConnectionAction} null when there is nothing more to do. */
    next() {
        return this.#actions.shift() ?? null;
    }

    get isOpen() {
        return this.state === "open";
    }

    /** The socket that may be written to; 0 for none. */
    get writable() {
        return this.isOpen ? this.#socket : 0;
    }

    /** @param {number} socket */
    isOurs(socket) {
        return socket !== 0 && socket === this.#socket;
    }

    /** When `timerFired` is to be called; infinity: not at all. */
    get deadline() {
        return Math.min(this.retryAt, this.#stageEndsAt, this.#pingAt, this.#pingSentAt + CONNECTION.answerWithin);
    }

    // What the page wants.

    connect(now) {
        if (["idle", "failed", "closed"].includes(this.state)) {
            this.attempts = 0;
            this.#wasTokenRefused = false;
            this.#open(now);
        }
    }

    /** Ends for good; nothing is tried afterwards. */
    disconnect() {
        if (this.state !== "idle" && this.state !== "closed") {
            this.#release(1000);
            this.#isFetchingToken = false;
            this.#enter("closed");
        }
    }

    retryNow(now) {
        if (this.state === "waiting") {
            this.#open(now);
        } else {
            this.state === "failed" && this.connect(now);
        }
    }

    /** @param {boolean} isOnline a hint: the loss of the network closes nothing by itself. @param {number} now */
    networkChanged(isOnline, now) {
        const cameBack = isOnline && !this.#isOnline;
        this.#isOnline = isOnline;
        if (cameBack && this.state === "waiting") {
            this.#open(now);
        } else if (this.isOpen && this.#pingSentAt === Infinity) {
            this.#ping(now);
        }
    }

    /** @param {boolean} isAvailable whether there is a token, or none is to be had. @param {number} now */
    tokenChanged(isAvailable, now) {
        const wasAwaited = this.#isFetchingToken;
        this.#isFetchingToken = false;
        this.#hasToken = isAvailable;
        if (!isAvailable) {
            wasAwaited && this.#fail("unauthorized", UNAUTHORIZED);
        } else if (this.state === "authenticating" && this.#socket === 0) {
            this.#open(now);
        } else if (this.isOpen) {
            this.#actions.push({ kind: "authenticate", socket: this.#socket });
        }
    }

    // What the sockets report.

    opened(socket, now) {
        if (!this.isOurs(socket) || this.state !== "connecting") {
            return;
        }
        if (this.#hasToken) {
            this.#stageEndsAt = now + CONNECTION.connectTimeout;
            this.#enter("authenticating");
            this.#actions.push({ kind: "authenticate", socket });
        } else {
            this.#becomeReady(now);
        }
    }

    /** The server took the token. */
    authenticated(socket, now) {
        if (this.isOurs(socket) && this.state === "authenticating") {
            this.#becomeReady(now);
        }
    }

    /** The server refused the token, or wants one. */
    unauthorized(socket) {
        if (this.isOurs(socket)) {
            this.#release(1000);
            this.#refreshToken();
        }
    }

    /** The handshake failed. @param {number} status 0 where it is not known. */
    refused(socket, status, now) {
        if (!this.isOurs(socket)) {
            return;
        }
        this.#actions.push({ kind: "problem", what: "refused", code: status });
        this.#socket = 0;
        this.#stageEndsAt = Infinity;
        if (status === 401) {
            this.#refreshToken();
        } else if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
            this.#fail("status", status);
        } else {
            this.#wait(now);
        }
    }

    closed(socket, code, now) {
        if (!this.isOurs(socket)) {
            return;
        }
        this.#actions.push({ kind: "problem", what: "closed", code });
        this.#lose(now);
        if (code === UNAUTHORIZED) {
            this.#refreshToken();
        } else if (FINAL.has(code) || (code >= 4100 && code < 4200)) {
            this.#fail("code", code);
        } else {
            this.#wait(now);
        }
    }

    /** Anything arrived: a ping later says the same. */
    heard(socket, now) {
        if (this.isOurs(socket) && this.isOpen && this.#pingSentAt === Infinity) {
            this.#pingAt = now + CONNECTION.heartbeat;
        }
    }

    /** The answer to the ping came. */
    answered(socket, now) {
        if (this.isOurs(socket) && this.#pingSentAt !== Infinity) {
            this.roundTrip = now - this.#pingSentAt;
            this.#pingSentAt = Infinity;
            this.#pingAt = now + CONNECTION.heartbeat;
        }
    }

    /** To be called at or after `deadline`. */
    timerFired(now) {
        if (now >= this.retryAt) {
            this.#open(now);
        } else if (now >= this.#stageEndsAt) {
            this.#actions.push({ kind: "problem", what: "timeout", code: 0 });
            this.#drop();
            this.#wait(now);
        } else if (now >= this.#pingSentAt + CONNECTION.answerWithin) {
            this.#actions.push({ kind: "problem", what: "silence", code: 0 });
            const socket = this.#socket;
            this.#lose(now);
            this.#actions.push({ kind: "drop", socket });
            this.#wait(now);
        } else if (now >= this.#pingAt) {
            this.#ping(now);
        }
    }

    #ping(now) {
        this.#pingAt = Infinity;
        this.#pingSentAt = now;
        this.#actions.push({ kind: "ping", socket: this.#socket });
    }

    #open(now) {
        this.retryAt = Infinity;
        this.#lastSocket += 1;
        this.#socket = this.#lastSocket;
        this.#stageEndsAt = now + CONNECTION.connectTimeout;
        this.#enter("connecting");
        this.#actions.push({ kind: "open", socket: this.#socket });
    }

    #becomeReady(now) {
        this.#stageEndsAt = Infinity;
        this.#pingAt = now + CONNECTION.heartbeat;
        this.openSince = now;
        this.connects += 1;
        this.#enter("open");
        this.#actions.push({ kind: "ready", socket: this.#socket });
    }

    /** The socket is gone. */
    #lose(now) {
        if (this.openSince !== null && now - this.openSince >= CONNECTION.stableUptime) {
            this.attempts = 0;
            this.#wasTokenRefused = false;
        }
        this.#forget();
    }

    #forget() {
        this.isOpen && this.#actions.push({ kind: "lost", socket: this.#socket });
        this.openSince = null;
        this.#socket = 0;
        this.retryAt = this.#stageEndsAt = this.#pingAt = this.#pingSentAt = Infinity;
    }

    #drop() {
        this.#actions.push({ kind: "drop", socket: this.#socket });
        this.#forget();
    }

    #release(code) {
        const socket = this.#socket;
        this.#forget();
        socket !== 0 && this.#actions.push({ kind: "close", socket, code, reason: "" });
    }

    /** Another token may make up for the one refused, once. */
    #refreshToken() {
        this.#hasToken = false;
        if (this.#wasTokenRefused) {
            this.#fail("unauthorized", UNAUTHORIZED);
            return;
        }
        this.#wasTokenRefused = true;
        this.#isFetchingToken = true;
        this.#enter("authenticating");
        this.#actions.push({ kind: "token", wasRejected: true });
    }

    #wait(now) {
        this.attempts += 1;
        if (this.attempts > CONNECTION.attempts) {
            this.#fail("attempts", 0);
            return;
        }
        const longest = Math.min(CONNECTION.base * 2 ** this.attempts, CONNECTION.cap);
        this.retryAt = now + longest * this.#random();
        this.#enter("waiting");
    }

    #fail(failure, code) {
        this.#release(1000);
        this.failure = failure;
        this.failureCode = code;
        this.#enter("failed");
    }

    /** @param {ConnectionState} state */
    #enter(state) {
        if (state !== "failed") {
            this.failure = "";
            this.failureCode = 0;
        }
        this.state = state;
        this.#actions.push({ kind: "state" });
    }
}
