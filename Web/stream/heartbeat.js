/** Seconds between two pings. */
const INTERVAL_SECONDS = 5;
/** Seconds a pong may take before the connection counts as dead. */
const DEADLINE_SECONDS = 8;
/** Weight of the newest round trip in the smoothed latency. */
const SMOOTHING = 0.4;

/**
 * Pings an open connection: measures the round trip, and notices a peer that is gone without a word.
 *
 * A socket that lost its network says nothing for minutes, so silence has a deadline of its own.
 */
export class Heartbeat {
    #send;
    #onLatency;
    #onDead;
    #id = 0;
    #sentAt = 0;
    #awaited = 0;
    #interval = 0;
    #deadline = 0;
    /** @type {?number} smoothed round trip in milliseconds. */
    latency = null;

    /**
     * @param {object} actions
     * @param {(frame: object) => void} actions.send
     * @param {(milliseconds: number) => void} actions.onLatency
     * @param {() => void} actions.onDead
     */
    constructor({ send, onLatency, onDead }) {
        this.#send = send;
        this.#onLatency = onLatency;
        this.#onDead = onDead;
    }

    start() {
        this.stop();
        this.#interval = setInterval(() => this.#ping(), INTERVAL_SECONDS * 1000);
        this.#ping();
    }

    stop() {
        clearInterval(this.#interval);
        clearTimeout(this.#deadline);
        this.#deadline = 0;
        this.#awaited = 0;
        this.latency = null;
    }

    /** @param {number} id the `id` of a pong. */
    pong(id) {
        if (id !== this.#awaited) {
            return;
        }
        this.#awaited = 0;
        clearTimeout(this.#deadline);
        this.#deadline = 0;
        const took = performance.now() - this.#sentAt;
        this.latency = this.latency === null ? took : this.latency + SMOOTHING * (took - this.latency);
        this.#onLatency(this.latency);
    }

    #ping() {
        if (this.#deadline !== 0) {
            return;
        }
        this.#awaited = ++this.#id;
        this.#sentAt = performance.now();
        this.#send({ action: "ping", id: this.#awaited });
        this.#deadline = setTimeout(() => this.#onDead(), DEADLINE_SECONDS * 1000);
    }
}
