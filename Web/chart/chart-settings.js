import { PRICE_SCALES, SERIES_KINDS, TIME_SCALES, VOLUME_PLACEMENTS } from "../engine/boundary.js";
import { recall, remember } from "../storage.js";

const KEY = "candlewire.chart";
/** The zone of the person's own clock. */
export const OWN_ZONE = "browser";

/**
 * @typedef {object} Settings
 * @property {string} kind one of `SERIES_KINDS`.
 * @property {string} volume one of `VOLUME_PLACEMENTS`.
 * @property {string} scale one of `PRICE_SCALES`.
 * @property {boolean} inverted
 * @property {string} timeScale one of `TIME_SCALES`.
 * @property {boolean} magnet whether the crosshair snaps to the prices of its bar.
 * @property {string} zone a name that the engine knows, or `OWN_ZONE`.
 */

/** @type {Settings} */
const DEFAULTS = {
    ...{ kind: "candles", volume: "price", scale: "linear", inverted: false },
    ...{ timeScale: "bars", zone: "UTC", magnet: false },
};

/** @type {(values: readonly unknown[]) => (value: unknown) => boolean} */
const isOneOf = (values) => (value) => values.includes(value);

/** @type {Record<keyof Settings, (value: unknown) => boolean>} What a setting may be. */
const IS_VALID = {
    kind: isOneOf(SERIES_KINDS),
    volume: isOneOf(VOLUME_PLACEMENTS),
    scale: isOneOf(PRICE_SCALES),
    inverted: (value) => typeof value === "boolean",
    magnet: (value) => typeof value === "boolean",
    timeScale: isOneOf(TIME_SCALES),
    zone: (value) => typeof value === "string",
};

/**
 * How the chart looks, whatever it shows: chosen once, remembered in this browser, given to every engine chart.
 *
 * Events: `change`.
 */
export class ChartSettings extends EventTarget {
    #panel;
    /** @type {Settings} */
    #values;

    /** @param {import("./chart-panel.js").ChartPanel} panel */
    constructor(panel) {
        super();
        this.#panel = panel;
        const stored = /** @type {Partial<Record<keyof Settings, unknown>>} */ (recall(KEY) ?? {});
        const names = /** @type {(keyof Settings)[]} */ (Object.keys(DEFAULTS));
        const valid = names.filter((name) => IS_VALID[name](stored[name]));
        this.#values = Object.assign({ ...DEFAULTS }, ...valid.map((name) => ({ [name]: stored[name] })));
        panel.isMagnetic = this.#values.magnet;
        panel.addEventListener("ready", () => this.#applyAll());
    }

    /** @template {keyof Settings} Name @param {Name} name @returns {Settings[Name]} */
    get(name) {
        return this.#values[name];
    }

    /** @template {keyof Settings} Name @param {Name} name @param {Settings[Name]} value */
    set(name, value) {
        if (!IS_VALID[name](value)) {
            throw new RangeError(`${name} cannot be ${value}`);
        }
        this.#values[name] = value;
        remember(KEY, this.#values);
        this.#panel.isMagnetic = this.#values.magnet;
        this.#panel.change((chart) => this.#apply(chart, name));
        this.dispatchEvent(new Event("change"));
    }

    /** The IANA name of the chart's zone. */
    get zoneName() {
        return this.#values.zone === OWN_ZONE ? ownZone() : this.#values.zone;
    }

    #applyAll() {
        this.#panel.change((chart) => {
            for (const name of /** @type {(keyof Settings)[]} */ (["kind", "scale", "timeScale", "zone"])) {
                this.#apply(chart, name);
            }
        });
        // Not the volume: where its pane is depends on the studies' panes, see `ChartStudies`.
    }

    /** @param {import("../engine/chart.js").EngineChart} chart @param {keyof Settings} name */
    #apply(chart, name) {
        const { kind, volume, scale, inverted } = this.#values;
        switch (name) {
            case "kind":
                return chart.setKind(kind);
            case "volume":
                return chart.setVolume(volume);
            case "scale":
                return chart.panes.setScale(0, { kind: scale, inverted });
            case "inverted":
                // A comparison may have chosen the kind.
                return chart.panes.setScale(0, { kind: chart.panes.scale(0)?.kind ?? scale, inverted });
            case "timeScale":
                return chart.setTimeScale(this.#values.timeScale);
            case "zone":
                // A browser may know newer zones than the engine.
                return chart.zone.set(this.zoneName) || chart.zone.set("UTC");
        }
    }
}

/** @returns {string} the browser's zone. */
export function ownZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}
