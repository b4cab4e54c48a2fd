/** The clock that a chart tells times by: that of an IANA time zone, daylight saving included. */
export class EngineZone {
    #engine;
    #exports;
    #handle;

    /**
     * @param {import("./engine.js").Engine} engine
     * @param {Record<string, any>} exports
     * @param {number} handle of the chart.
     */
    constructor(engine, exports, handle) {
        this.#engine = engine;
        this.#exports = exports;
        this.#handle = handle;
    }

    /**
     * @param {string} name as in the IANA database, for instance "America/New_York".
     * @returns {boolean} false for a zone that the engine does not know; nothing changes then.
     */
    set(name) {
        return this.#engine.withText(
            name,
            (pointer, length) => this.#exports.cw_chart_set_zone(this.#handle, pointer, length) === 1,
        );
    }

    /** @param {number} time seconds since 1970 UTC. @returns {number} seconds that the chart's clock is ahead of UTC. */
    offset(time) {
        return this.#exports.cw_chart_zone_offset(this.#handle, time);
    }

    /** @returns {string[]} the zones that the engine knows, "UTC" first. */
    get names() {
        const bytes = this.#engine.bytes(this.#exports.cw_zone_names(), this.#exports.cw_zone_names_length());
        return new TextDecoder().decode(bytes).trimEnd().split("\n");
    }
}
