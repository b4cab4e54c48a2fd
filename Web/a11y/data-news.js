import { byId } from "../dom.js";
import { LiveRegion } from "../ui/live-region.js";
import { recall, remember } from "../storage.js";

const KEY = "candlewire.spoken-news";

/**
 * Says news of the live data to screen readers: closed bars, big moves, alerts. When and which, the engine decides; the
 * words come from the page.
 */
export class DataNews {
    /** @type {"off" | "brief" | "full"} */
    level = "brief";
    #page;
    #urgent = new LiveRegion("urgent");
    /** @type {string[]} Alerts that wait to be announced. */
    #alerts = [];
    /** @type {?import("../engine/candle-rows.js").Candle} the newest that closed. */
    #closed = null;
    /** @type {?number} The price that was announced last. */
    #announced = null;
    #timer = 0;

    /** @param {Pick<PageParts, "chart" | "store" | "objects" | "live"> & {words: import("./chart-words.js").ChartWords}} page */
    constructor(page) {
        const { chart, store, objects } = page;
        this.#page = page;
        this.#listenToSetting();
        chart.addEventListener("ready", () => this.#apply());
        chart.addEventListener("selected", () => this.#begin());
        chart.addEventListener("bar", (event) => {
            this.#closed = /** @type {CustomEvent} */ (event).detail;
            this.#news?.barClosed();
            this.#speak();
        });
        store.addEventListener("market", (event) => {
            if (/** @type {CustomEvent} */ (event).detail === chart.selection?.symbol) {
                this.#priceChanged();
            }
        });
        // The first price often comes with the list.
        store.addEventListener("list", () => this.#priceChanged());
        objects.addEventListener("fired", (event) => {
            this.#alerts.push(/** @type {CustomEvent} */ (event).detail.sentence);
            this.#news?.alertFired();
            this.#speak();
        });
    }

    /** The setting: how much is said. */
    #listenToSetting() {
        const select = byId("spoken-news", HTMLSelectElement);
        const stored = recall(KEY);
        select.value = [...select.options].some(({ value }) => value === stored) ? String(stored) : this.level;
        const read = () => (this.level = /** @type {"off" | "brief" | "full"} */ (select.value));
        read();
        select.addEventListener("change", () => {
            remember(KEY, read());
            this.#apply();
        });
    }

    get #news() {
        return this.#page.chart.engineChart?.news ?? null;
    }

    #apply() {
        this.#news?.setOn(this.level !== "off");
        if (this.#alerts.length > 0) {
            this.#news?.alertFired();
        }
    }

    #begin() {
        this.#news?.begin();
        this.#announced = null;
        this.#closed = null;
        this.#priceChanged();
    }

    get #price() {
        return this.#page.store.markets.get(this.#page.chart.selection?.symbol ?? "")?.price ?? null;
    }

    #priceChanged() {
        const price = this.#price;
        if (price !== null) {
            this.#announced ??= price;
            this.#news?.price(price);
            this.#speak();
        }
    }

    /** Says what is due, and comes back when the next is. */
    #speak() {
        clearTimeout(this.#timer);
        const news = this.#news;
        if (!news) {
            return;
        }
        const now = performance.now() / 1000;
        this.#say(news.next(now));
        const { deadline } = news;
        if (deadline < Infinity) {
            this.#timer = setTimeout(() => this.#speak(), Math.max(20, (deadline - now) * 1000));
        }
    }

    /** @param {?string} what */
    #say(what) {
        const price = this.#price;
        if (what === "alert") {
            this.#urgent.announce(this.#alerts.join(" "));
            this.#alerts = [];
        } else if (what === "bar" && this.#closed) {
            this.#page.live.announce(this.#page.words.barClosed(this.#closed, this.level === "full"));
            this.#announced = price;
        } else if (what === "move" && price !== null) {
            this.#page.live.announce(this.#page.words.move(this.#announced ?? price, price));
            this.#announced = price;
        }
    }
}
