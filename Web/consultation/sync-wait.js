/** Seconds of the longest pause, whatever a server asks for. */
const LONGEST_PAUSE = 60;

/**
 * The answer to a `sync` that is awaited: until it is there, what does not follow is dropped, because it will come again.
 *
 * A server that refuses because it was asked too often knows what was asked: it is asked again after a pause. One that
 * says nothing does not know `sync`. By the rules of `SyncWait` in Swift.
 */
export class SyncWait {
    /** What was asked; empty where nothing was, or while a pause lasts. */
    #id = "";
    /** Since when the answer is awaited, or until when the pause lasts. */
    #time = 0;
    /** In a row. */
    #refusals = 0;

    /** Whether there is nothing to wait for. */
    get isOver() {
        return this.#id === "" && this.#refusals === 0;
    }

    /** @param {string} id @param {number} now */
    asked(id, now) {
        this.#id = id;
        this.#time = now;
    }

    /** The answer is here, or will not come on this connection. */
    end() {
        this.#id = "";
        this.#refusals = 0;
    }

    /**
     * @param {string} id
     * @param {unknown} retryAfter seconds that the server asks to wait, where it says so. From the second refusal in a row
     *   on it is at least two seconds, then four, up to the longest pause.
     * @param {number} now
     * @returns {boolean} whether that is what was asked.
     */
    refused(id, retryAfter, now) {
        if (id === "" || id !== this.#id) {
            return false;
        }
        const wish = typeof retryAfter === "number" ? retryAfter : 0;
        this.#time = now + Math.min(Math.max(wish, 2 ** Math.min(this.#refusals, 6)), LONGEST_PAUSE);
        this.#refusals += 1;
        this.#id = "";
        return true;
    }

    /** @param {number} patience seconds for an answer. */
    deadline(patience) {
        if (this.isOver) {
            return Infinity;
        }
        return this.#id === "" ? this.#time : this.#time + patience;
    }

    /** @param {number} patience @param {number} now @returns {"ask" | "give up" | ""} */
    due(patience, now) {
        if (now < this.deadline(patience)) {
            return "";
        }
        if (this.#id === "") {
            return "ask";
        }
        this.end();
        return "give up";
    }
}
