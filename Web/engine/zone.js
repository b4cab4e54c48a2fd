import { partWith } from "./part.js";

/** `offset`: seconds that the chart's clock is ahead of UTC at a time. */
const Part = partWith({ offset: "cw_chart_zone_offset" });

/** The clock that a chart shows times by: that of an IANA time zone, daylight saving included. */
export class EngineZone extends Part {
    /**
     * @param {string} name as in the IANA database, for instance "America/New_York".
     * @returns {boolean} false for a zone that the engine does not know; nothing changes then.
     */
    set(name) {
        return this.engine.withText(
            name,
            (pointer, length) => this.exports.cw_chart_set_zone(this.handle, pointer, length) === 1,
        );
    }

    /** @returns {string[]} the zones that the engine knows, "UTC" first. */
    get names() {
        const names = this.engine.text(this.exports.cw_zone_names(), this.exports.cw_zone_names_length());
        return names.trimEnd().split("\n");
    }
}
