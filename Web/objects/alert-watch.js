/**
 * Watches the prices of every market for alerts, also of those that the chart does not show.
 *
 * Whether a price crosses an alert is for the engine to say. It judges all alerts of a chart by one price, so each
 * symbol that has alerts has a chart without bars there.
 *
 * Events: `fire` (detail: {symbol, alert}).
 */
export class AlertWatch extends EventTarget {
    #levels;
    #store;
    /** @type {?import("../chart/engine.js").Engine} */
    #engine = null;
    /**
     * Per symbol the engine's chart, and the alerts that it knows as they were when it was told.
     * @type {Map<string, {chart: import("../chart/engine-chart.js").EngineChart, known: Map<number, string>}>}
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
        levels.addEventListener("change", (event) => this.#tell(/** @type {CustomEvent} */ (event).detail));
        store.addEventListener("market", (event) => this.#judge(/** @type {CustomEvent} */ (event).detail));
        store.addEventListener("list", () => [...this.#watched.keys()].forEach((symbol) => this.#judge(symbol)));
    }

    /** @param {import("../chart/engine.js").Engine} engine */
    attach(engine) {
        this.#watched.clear();
        this.#engine = engine;
        this.#levels.symbols.forEach((symbol) => this.#tell(symbol));
    }

    /** Tells the engine what is new of a symbol's alerts. @param {string} symbol */
    #tell(symbol) {
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
        // The first price tells on which side of it the market is: now, not at the next trade.
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
                this.#levels.fired(symbol, id, Date.now());
                this.dispatchEvent(new CustomEvent("fire", { detail: { symbol, alert } }));
            }
        }
    }
}
