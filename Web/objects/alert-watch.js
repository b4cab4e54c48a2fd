/**
 * Watches the prices of every market for alerts, also of those that the chart does not show.
 *
 * The engine decides whether a price crosses an alert. It judges all alerts of a chart by one price, so each
 * symbol that has alerts has a chart without bars there.
 *
 * Events: `fire` (detail: {symbol, alert}).
 */
export class AlertWatch extends EventTarget {
    #levels;
    #store;
    /** @type {?import("../engine/engine.js").Engine} */
    #engine = null;
    /**
     * Per symbol the engine's chart, and the alerts it has, as they were when it got them.
     * @type {Map<string, {chart: import("../engine/chart.js").EngineChart, known: Map<number, string>}>}
     */
    #watched = new Map();

    /**
     * @param {import("./levels.js").Levels} levels
     * @param {import("../stream/market-store.js").MarketStore} store
     */
    constructor(levels, store) {
        super();
        this.#levels = levels;
        this.#store = store;
        levels.addEventListener("change", (event) => this.#update(/** @type {CustomEvent} */ (event).detail));
        store.addEventListener("market", (event) => this.#judge(/** @type {CustomEvent} */ (event).detail));
        store.addEventListener("list", () => [...this.#watched.keys()].forEach((symbol) => this.#judge(symbol)));
    }

    /** @param {import("../engine/engine.js").Engine} engine */
    attach(engine) {
        this.#watched.clear();
        this.#engine = engine;
        this.#levels.symbols.forEach((symbol) => this.#update(symbol));
    }

    /** Gives the engine what is new of a symbol's alerts.
     * @param {string} symbol */
    #update(symbol) {
        const waiting = this.#levels.of(symbol).alerts.filter(({ firedAt }) => firedAt === null);
        if (!this.#engine || (waiting.length === 0 && !this.#watched.has(symbol))) {
            return;
        }
        const watched = this.#watched.get(symbol) ?? { chart: this.#engine.createChart(), known: new Map() };
        this.#watched.set(symbol, watched);
        const { chart, known } = watched;
        for (const id of [...known.keys()].filter((each) => !waiting.some(({ id }) => id === each))) {
            chart.objects.removeAlert(id);
            known.delete(id);
        }
        for (const alert of waiting) {
            const version = `${alert.price} ${alert.direction}`;
            if (known.get(alert.id) !== version) {
                chart.objects.setAlert(alert);
                known.set(alert.id, version);
            }
        }
        // The first price says on which side of it the market is: now, not at the next trade.
        this.#judge(symbol);
    }

    /** @param {string} symbol */
    #judge(symbol) {
        const watched = this.#watched.get(symbol);
        const price = this.#store.markets.get(symbol)?.price;
        if (!watched || watched.known.size === 0 || price == null) {
            return;
        }
        for (const id of watched.chart.objects.updateAlerts(price)) {
            const alert = this.#levels.of(symbol).alerts.find((each) => each.id === id);
            if (alert) {
                this.#levels.change(symbol, id, { firedAt: Date.now() });
                this.dispatchEvent(new CustomEvent("fire", { detail: { symbol, alert } }));
            }
        }
    }
}

/** Two short tones: frequency in Hz, start and length in seconds. */
const TONES = [
    [880, 0, 0.14],
    [1174.66, 0.16, 0.22],
];
const LOUDNESS = 0.12;

/** @type {?AudioContext} */
let context = null;

/** Plays the alert's sound, where the browser allows sounds. */
export function playAlert() {
    context ??= new AudioContext();
    context.resume();
    for (const [frequency, start, length] of TONES) {
        const from = context.currentTime + start;
        const tone = new OscillatorNode(context, { type: "sine", frequency });
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(0, from);
        gain.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
        gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
        tone.connect(gain).connect(context.destination);
        tone.start(from);
        tone.stop(from + length);
    }
}
