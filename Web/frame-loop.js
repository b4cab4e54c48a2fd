/**
 * Runs draw passes once per animation frame, and only when something changed.
 *
 * Parts of the page register a pass and mark it dirty; any number of marks in a frame costs one pass. In a hidden tab
 * the browser gives no frames, so nothing is drawn there.
 */
export class FrameLoop {
    /** @type {Set<() => void>} */
    #dirty = new Set();
    #request = 0;

    /** @param {() => void} pass to run in the next frame; the same function object again is the same pass. */
    mark(pass) {
        this.#dirty.add(pass);
        this.#request ||= requestAnimationFrame(() => this.#run());
    }

    #run() {
        this.#request = 0;
        const passes = [...this.#dirty];
        this.#dirty.clear();
        passes.forEach((pass) => pass());
    }
}
