import { byId } from "../dom.js";
import { formatPrice } from "../format.js";
import { recall, remember } from "../storage.js";
import { ICONS } from "../ui/icons.js";
import { AlertWatch, playAlert } from "./alert-watch.js";
import { AxisPlus } from "./axis-plus.js";
import { LevelDrag, LevelView } from "./level-drag.js";
import { Levels } from "./levels.js";
import { ObjectsPanel } from "./objects-panel.js";
import { OrderDrag } from "./order-drag.js";

const SOUND = "candlewire.alert-sound";

/**
 * What lies on the chart beside drawings: alerts and price lines with their list, and the drag of orders' lines.
 *
 * Events: `fired` (detail: {symbol, alert, sentence}).
 */
export class Objects extends EventTarget {
    levels = new Levels();
    #page;
    #watch;
    #plus;
    panel;
    #hasSound = recall(SOUND) === true;

    /** @param {Pick<PageParts, "chart" | "store" | "drawings" | "say" | "toasts">} page */
    constructor(page) {
        super();
        this.#page = page;
        const { chart, store, drawings, toasts } = page;
        const view = new LevelView(chart, this.levels);
        this.#watch = new AlertWatch(this.levels, store);
        this.#watch.addEventListener("fire", (event) => this.#fire(/** @type {CustomEvent} */ (event).detail));
        this.panel = new ObjectsPanel({ chart, levels: this.levels, drawings });
        this.#listenToSwitch();
        this.panel.addEventListener("alert", (event) => {
            const { price, direction } = /** @type {CustomEvent} */ (event).detail;
            this.addAlert(price, direction);
        });
        this.panel.addEventListener("line", (event) => {
            const { price, label } = /** @type {CustomEvent} */ (event).detail;
            this.addLine(price, label);
        });
        this.#plus = new AxisPlus(chart, {
            addAlert: (price) => this.addAlert(price),
            addLine: (price) => this.addLine(price, "", true),
        });
        // The first handler gets every move of the mouse.
        chart.addHandler(this.#plus);
        chart.addHandler(new OrderDrag(chart));
        chart.addHandler(new LevelDrag(chart, this.levels, view, (id) => this.panel.open({ id })));
        chart.addKey("a", () => this.#addAlertOrOpenList());
        for (const [symbol, isAside] of this.levels.damaged) {
            const fate = isAside ? "They were set aside." : "They stay where they are, and new ones are not saved.";
            toasts.show(`The alerts of ${symbol} could not be read. ${fate}`, { isError: true });
        }
        this.levels.addEventListener("unkept", (event) => {
            const reason = /** @type {CustomEvent} */ (event).detail;
            toasts.show(`Your browser can’t save alerts: ${reason}.`);
        });
    }

    /** @param {import("../engine/engine.js").Engine} engine */
    attach(engine) {
        this.#watch.attach(engine);
    }

    /** @param {number} price @param {string} [direction] */
    addAlert(price, direction = "either") {
        if (!this.#symbol) {
            return;
        }
        const alert = this.levels.addAlert(this.#symbol, price, direction);
        this.#reportAdded(alert, "Alert");
    }

    /** @param {number} price @param {string} label @param {boolean} [isToBeNamed] whether its name is to be typed next. */
    addLine(price, label, isToBeNamed = false) {
        if (!this.#symbol) {
            return;
        }
        const line = this.levels.addLine(this.#symbol, price, label);
        this.#reportAdded(line, "Price line");
        if (line && isToBeNamed) {
            this.panel.open({ id: line.id });
        }
    }

    get #symbol() {
        return this.#page.chart.selection?.symbol ?? "";
    }

    /** @param {string} symbol @param {number} price */
    #write(symbol, price) {
        return formatPrice(price, this.#page.store.markets.get(symbol)?.precision ?? this.#page.chart.precision);
    }

    /** @param {?{price: number}} made null where there are too many. @param {string} what */
    #reportAdded(made, what) {
        if (made) {
            this.#page.say(`${what} at ${this.#write(this.#symbol, made.price)}.`);
        } else {
            this.#page.toasts.show("There are too many alerts and lines. Remove some first.", { isError: true });
        }
    }

    /** @param {{symbol: string, alert: import("./levels.js").Alert}} news */
    #fire({ symbol, alert }) {
        /** @type {Record<string, string>} */
        const ways = { either: "crossed", up: "rose to", down: "fell to" };
        const sentence = `${symbol} ${ways[alert.direction]} ${this.#write(symbol, alert.price)}`;
        this.#page.toasts.show(`${sentence}.`, {
            icon: ICONS.bell,
            stays: true,
            isAnnounced: true,
            action: { name: "Set again", act: () => this.levels.change(symbol, alert.id, {}) },
        });
        if (this.#hasSound) {
            playAlert();
        }
        this.dispatchEvent(new CustomEvent("fired", { detail: { symbol, alert, sentence: `Alert: ${sentence}.` } }));
    }

    #listenToSwitch() {
        const box = byId("alert-sound", HTMLInputElement);
        box.checked = this.#hasSound;
        box.addEventListener("change", () => {
            this.#hasSound = box.checked;
            remember(SOUND, box.checked || null);
            if (box.checked) {
                playAlert();
            }
        });
    }

    /** A on the chart: an alert under the mouse, else the list with the crosshair's price. */
    #addAlertOrOpenList() {
        const { price } = this.#plus;
        if (price === null) {
            this.panel.open({ price: this.#page.chart.engineChart?.legend()?.close });
        } else {
            this.addAlert(price);
        }
    }
}
