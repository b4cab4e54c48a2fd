/** Messages per second, measured over the last whole second. */
export class MessageRate {
    #count = 0;
    #since = performance.now();
    /** @type {?number} */
    #perSecond = null;

    count() {
        this.#count += 1;
    }

    /** @returns {?number} messages per second, null before the first second is over. */
    read() {
        const elapsed = performance.now() - this.#since;
        if (elapsed >= 950) {
            this.#perSecond = Math.round((this.#count * 1000) / elapsed);
            this.#count = 0;
            this.#since += elapsed;
        }
        return this.#perSecond;
    }
}
