import { byId, element } from "../dom.js";
import { keyHand } from "../chart/hands.js";
import { formatPrice } from "../format.js";
import { recall, remember } from "../storage.js";
import { ICONS } from "../drawings/tools.js";
import { playAlert } from "./alert-sound.js";
import { AlertWatch } from "./alert-watch.js";
import { AxisPlus } from "./axis-plus.js";
import { LevelHand } from "./level-hand.js";
import { LevelView } from "./level-view.js";
import { Levels } from "./levels.js";
import { ObjectsPanel } from "./objects-panel.js";
import { OrderHand } from "./order-hand.js";

const SOUND = "candlewire.alert-sound";

/**
 * What lies on the chart beside drawings: alerts and price lines with their list, and the hands on orders' lines.
 *
 * Events: `fired` (detail: {symbol, alert, sentence}).
 */
export class Objects extends EventTarget {
    levels = new Levels();
    #chart;
    #store;
    #say;
    #toasts;
    #watch;
    #plus;
    panel;
    #hasSound = recall(SOUND) === true;

    /**
     * @param {object} parts
     * @param {import("../chart/chart-panel.js").ChartPanel} parts.chart
     * @param {import("../stream/market-store.js").MarketStore} parts.store
     * @param {import("../drawings/drawings.js").Drawings} parts.drawings
     * @param {(sentence: string) => void} parts.say
     * @param {import("./toasts.js").Toasts} parts.toasts
     */
    constructor({ chart, store, drawings, say, toasts }) {
        super();
        this.#chart = chart;
        this.#store = store;
        this.#say = say;
        this.#toasts = toasts;
        const view = new LevelView(chart, this.levels);
        this.#watch = new AlertWatch(this.levels, store);
        this.#watch.addEventListener("fire", (event) => this.#fire(/** @type {CustomEvent} */ (event).detail));
        this.panel = new ObjectsPanel({ chart, levels: this.levels, drawings });
        this.panel.addSetting(this.#soundSwitch());
        this.panel.addEventListener("alert", (event) => {
            const { price, direction } = /** @type {CustomEvent} */ (event).detail;
            this.addAlert(price, direction);
        });
        this.panel.addEventListener("line", (event) => {
            const { price, label } = /** @type {CustomEvent} */ (event).detail;
            this.addLine(price, label);
        });
        const button = byId("objects-button");
        button.addEventListener("click", () => {
            this.panel.toggle();
            button.setAttribute("aria-expanded", String(this.panel.isOpen));
        });
        this.panel.addEventListener("close", () => button.setAttribute("aria-expanded", "false"));
        this.#plus = new AxisPlus(chart, {
            addAlert: (price) => this.addAlert(price),
            addLine: (price) => this.addLine(price, "", true),
        });
        byId("chart-area").append(this.#plus.element);
        byId("chart-area").after(this.panel.element);
        // The first hand hears every move of the mouse.
        chart.addHand(this.#plus);
        chart.addHand(new OrderHand(chart));
        chart.addHand(new LevelHand(chart, this.levels, view, (id) => this.panel.open({ id })));
        chart.addHand(keyHand("a", () => this.#pressedA()));
        for (const [symbol] of this.levels.damaged) {
            const fate = this.levels.unmoved.has(symbol) ? "stay where they are, new ones are not kept" : "are kept aside";
            toasts.show(`The alerts of ${symbol} could not be read and ${fate}.`, { isError: true });
        }
        this.levels.addEventListener("unkept", (event) => {
            const reason = /** @type {CustomEvent} */ (event).detail;
            toasts.show(`Your browser does not keep alerts: ${reason}.`);
        });
    }

    /** @param {import("../chart/engine.js").Engine} engine */
    attach(engine) {
        this.#watch.attach(engine);
    }

    /** @param {number} price @param {string} [direction] */
    addAlert(price, direction = "either") {
        if (!this.#symbol) {
            return;
        }
        const alert = this.levels.addAlert(this.#symbol, price, direction);
        this.#tell(alert, alert && `Alert at ${this.#write(this.#symbol, alert.price)}.`);
    }

    /** @param {number} price @param {string} label @param {boolean} [isToBeNamed] whether its name is asked for now. */
    addLine(price, label, isToBeNamed = false) {
        if (!this.#symbol) {
            return;
        }
        const line = this.levels.addLine(this.#symbol, price, label);
        this.#tell(line, line && `Price line at ${this.#write(this.#symbol, line.price)}.`);
        if (line && isToBeNamed) {
            this.panel.open({ id: line.id });
        }
    }

    get #symbol() {
        return this.#chart.selection?.symbol ?? "";
    }

    #write(symbol, price) {
        return formatPrice(price, this.#store.markets.get(symbol)?.precision ?? this.#chart.precision);
    }

    #tell(made, sentence) {
        if (made) {
            this.#say(sentence);
        } else {
            this.#toasts.show("There are too many alerts and lines; remove some first.", { isError: true });
        }
    }

    /** @param {{symbol: string, alert: import("./levels.js").Alert}} news */
    #fire({ symbol, alert }) {
        const way = { either: "crossed", up: "rose to", down: "fell to" }[alert.direction];
        const sentence = `${symbol} ${way} ${this.#write(symbol, alert.price)}`;
        this.#toasts.show(`${sentence}.`, {
            icon: ICONS.bell,
            stays: true,
            isSaid: true,
            action: { name: "Again", act: () => this.levels.rearm(symbol, alert.id) },
        });
        if (this.#hasSound) {
            playAlert();
        }
        this.dispatchEvent(new CustomEvent("fired", { detail: { symbol, alert, sentence: `Alert: ${sentence}.` } }));
    }

    #soundSwitch() {
        const box = element("input", { type: "checkbox" });
        box.checked = this.#hasSound;
        box.addEventListener("change", () => {
            this.#hasSound = box.checked;
            remember(SOUND, box.checked || null);
            if (box.checked) {
                playAlert();
            }
        });
        return element("label", { class: "switch" }, box, "Sound when an alert fires");
    }

    /** A on the chart: an alert under the mouse, else the list with the crosshair's price. */
    #pressedA() {
        const { price } = this.#plus;
        if (price === null) {
            this.panel.open({ price: this.#chart.engineChart?.legend()?.close });
        } else {
            this.addAlert(price);
        }
    }
}
