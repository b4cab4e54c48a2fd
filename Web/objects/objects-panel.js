import { element, setText } from "../dom.js";
import { iconButton, nameButton, setIcon } from "../ui/icon-button.js";
import { ICONS } from "../ui/icons.js";
import { formatPrice } from "../format.js";
import { showList } from "../ui/keyed-list.js";

/** What crosses an alert, in words. */
const DIRECTIONS = { either: "Crosses", up: "Rises to", down: "Falls to" };

/**
 * The list of what lies on the chart: alerts, price lines and drawings, each to be added, changed and removed.
 *
 * Events: `close`.
 */
export class ObjectsPanel extends EventTarget {
    element = element("section", { class: "side-panel objects-panel", role: "dialog", "aria-labelledby": "objects-title" });
    #chart;
    #levels;
    #drawings;
    #alerts = element("ul", { class: "object-list", "aria-label": "Alerts" });
    #lines = element("ul", { class: "object-list", "aria-label": "Price lines" });
    #drawn = element("ul", { class: "object-list", "aria-label": "Drawings" });
    #settings = element("div", { class: "panel-settings" });
    #alertPrice = priceField("Price of the new alert");
    #linePrice = priceField("Price of the new line");
    /** @type {?HTMLElement} who had the focus before. */
    #opener = null;

    /**
     * @param {object} parts
     * @param {import("../chart/chart-panel.js").ChartPanel} parts.chart
     * @param {import("./levels.js").Levels} parts.levels
     * @param {import("../drawings/drawings.js").Drawings} parts.drawings
     */
    constructor({ chart, levels, drawings }) {
        super();
        this.#chart = chart;
        this.#levels = levels;
        this.#drawings = drawings;
        this.element.hidden = true;
        const close = iconButton("Close", ICONS.close, "Esc", "icon-button");
        close.addEventListener("click", () => this.close());
        this.element.append(
            element("header", {}, element("h2", { id: "objects-title" }, "Alerts and objects"), close),
            element("h3", {}, "Alerts"),
            this.#alertForm(),
            this.#alerts,
            element("h3", {}, "Price lines"),
            this.#lineForm(),
            this.#lines,
            element("h3", {}, "Drawings"),
            this.#drawn,
            this.#settings,
        );
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Escape") {
                event.stopPropagation();
                this.close();
            }
        });
        const show = () => this.#show();
        levels.addEventListener("change", show);
        drawings.addEventListener("change", show);
        chart.addEventListener("selected", show);
    }

    /** @param {HTMLElement} setting shown at the end. */
    addSetting(setting) {
        this.#settings.append(setting);
    }

    get isOpen() {
        return !this.element.hidden;
    }

    toggle() {
        this.isOpen ? this.close() : this.open();
    }

    /**
     * @param {{price?: ?number, id?: ?number}} at the price proposed for a new alert, by default the newest one; the id of
     *   the alert or line that gets the focus.
     */
    open({ price = null, id = null } = {}) {
        if (!this.isOpen) {
            this.#opener = /** @type {?HTMLElement} */ (document.activeElement);
        }
        this.element.hidden = false;
        this.#show();
        const last = this.#chart.engineChart?.legend()?.close ?? null;
        const proposed = price ?? last;
        if (proposed !== null) {
            this.#alertPrice.value = this.#linePrice.value = this.#write(proposed);
        }
        const row = id === null ? null : this.element.querySelector(`.object-list [data-key="${CSS.escape(this.#key(id))}"] input`);
        const field = row instanceof HTMLInputElement ? row : this.#alertPrice;
        field.focus({ preventScroll: true });
        field.scrollIntoView({ block: "nearest" });
        field.select();
    }

    close() {
        if (this.isOpen) {
            const hadFocus = this.element.contains(document.activeElement);
            this.element.hidden = true;
            if (hadFocus) {
                const opener = this.#opener?.isConnected && this.#opener !== document.body ? this.#opener : this.#chart.canvas;
                opener.focus({ preventScroll: true });
            }
            this.dispatchEvent(new Event("close"));
        }
    }

    get #symbol() {
        return this.#chart.selection?.symbol ?? "";
    }

    /** Of a row: numbers are given for each symbol.
     * @param {number} id */
    #key(id) {
        return `${this.#symbol} ${id}`;
    }

    /** A price as one types it.
     * @param {number} price */
    #write(price) {
        return price.toFixed(this.#chart.precision);
    }

    #alertForm() {
        const direction = directionField("Condition of the new alert");
        const add = element("button", { class: "small-button is-main", type: "submit" }, "Add");
        const form = element("form", { class: "object-form", "aria-label": "New alert" }, direction, this.#alertPrice, add);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const price = read(this.#alertPrice);
            if (price !== null) {
                this.dispatchEvent(new CustomEvent("alert", { detail: { price, direction: direction.value } }));
            }
        });
        return form;
    }

    #lineForm() {
        const name = element("input", { type: "text", "aria-label": "Name of the new line", placeholder: "Name", maxlength: "60" });
        const add = element("button", { class: "small-button is-main", type: "submit" }, "Add");
        const form = element("form", { class: "object-form", "aria-label": "New price line" }, name, this.#linePrice, add);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const price = read(this.#linePrice);
            if (price !== null) {
                this.dispatchEvent(new CustomEvent("line", { detail: { price, label: name.value } }));
                name.value = "";
            }
        });
        return form;
    }

    #show() {
        if (!this.isOpen) {
            return;
        }
        const { alerts, lines } = this.#levels.of(this.#symbol);
        const keyOf = (/** @type {{id: number}} */ { id }) => this.#key(id);
        const byPrice = (/** @type {{price: number}} */ a, /** @type {{price: number}} */ b) => b.price - a.price;
        showList(this.#alerts, [...alerts].sort(byPrice), keyOf, (alert) => this.#alertRow(alert.id), (row, alert) =>
            this.#showAlert(row, alert),
        );
        showList(this.#lines, [...lines].sort(byPrice), keyOf, (line) => this.#lineRow(line.id), (row, line) =>
            this.#showLine(row, line),
        );
        const drawn = [...this.#drawings.board.entries].reverse();
        showList(this.#drawn, drawn, keyOf, (entry) => this.#drawnRow(entry), (row, entry) =>
            this.#showDrawn(row, entry),
        );
        this.#alerts.dataset.empty = "Add an alert here, with the + on the price axis, or with A on the chart.";
        this.#lines.dataset.empty = "A price line marks a price with a name.";
        this.#drawn.dataset.empty = "Draw with the tools beside the chart.";
    }

    /** @param {number} id */
    #alertRow(id) {
        const symbol = this.#symbol;
        const direction = directionField("Condition of the alert");
        direction.addEventListener("change", () => this.#levels.changeAlert(symbol, id, { direction: direction.value }));
        const rearm = iconButton("Set the alert again", ICONS.again, "", "row-button row-rearm");
        rearm.addEventListener("click", () => {
            this.#levels.rearm(symbol, id);
            this.#focusRow(this.#alerts, id);
        });
        const state = element("span", { class: "object-state" });
        return element("li", {}, direction, this.#rowPrice(id, "alert"), state, rearm, this.#removeButton(this.#alerts, id, "alert"));
    }

    /** @param {HTMLElement} row @param {import("./levels.js").Alert} alert */
    #showAlert(row, { price, direction, firedAt }) {
        const [select] = row.querySelectorAll("select");
        if (select !== document.activeElement) {
            select.value = direction;
        }
        this.#showPrice(row, price);
        row.classList.toggle("is-fired", firedAt !== null);
        setText(part(row, ".object-state"), firedAt === null ? "" : `Fired ${clock(firedAt)}`);
        part(row, ".row-rearm").hidden = firedAt === null;
    }

    /** @param {number} id */
    #lineRow(id) {
        const symbol = this.#symbol;
        const name = element("input", { type: "text", class: "row-name", "aria-label": "Name of the line", placeholder: "Name", maxlength: "60" });
        name.addEventListener("change", () => this.#levels.changeLine(symbol, id, { label: name.value.trim() }));
        return element("li", {}, name, this.#rowPrice(id, "line"), this.#removeButton(this.#lines, id, "line"));
    }

    /** @param {HTMLElement} row @param {import("./levels.js").Line} line */
    #showLine(row, { price, label }) {
        const name = inputOf(row, ".row-name");
        if (name !== document.activeElement) {
            name.value = label;
        }
        this.#showPrice(row, price);
    }

    /** @param {number} id @param {"alert" | "line"} what */
    #rowPrice(id, what) {
        const symbol = this.#symbol;
        const field = priceField(`Price of the ${what}`);
        field.addEventListener("change", () => {
            const price = read(field);
            if (price !== null) {
                const change = what === "alert" ? "changeAlert" : "changeLine";
                this.#levels[change](symbol, id, { price });
            }
        });
        return field;
    }

    /** @param {HTMLElement} row @param {number} price */
    #showPrice(row, price) {
        const field = inputOf(row, ".price-field");
        if (field !== document.activeElement) {
            field.value = this.#write(price);
        }
    }

    /** @param {HTMLElement} list @param {number} id @param {string} what */
    #removeButton(list, id, what) {
        const symbol = this.#symbol;
        const button = iconButton(`Remove the ${what}`, ICONS.trash, "", "row-button");
        button.addEventListener("click", () => {
            const next = button.closest("li")?.nextElementSibling ?? button.closest("li")?.previousElementSibling;
            this.#levels.remove(symbol, id);
            // The keyboard goes on where the row was.
            (next?.querySelector("input") ?? (list === this.#lines ? this.#linePrice : this.#alertPrice)).focus();
        });
        return button;
    }

    /** @param {import("../drawings/drawing-words.js").DrawingEntry} entry */
    #drawnRow({ id, kind }) {
        const name = element("button", { type: "button", class: "row-drawing" });
        const icon = iconButton("", this.#drawings.toolOf(kind)?.icon ?? "").querySelector("svg");
        icon && name.append(icon);
        name.append(element("span", { class: "row-text" }));
        name.addEventListener("click", () => this.#drawings.select(id));
        const lock = iconButton("Lock", ICONS.lock, "", "row-button row-lock");
        lock.addEventListener("click", () => this.#drawings.lock(id, lock.getAttribute("aria-pressed") !== "true"));
        const hide = iconButton("Hide", ICONS.shown, "", "row-button row-hide");
        hide.addEventListener("click", () => this.#drawings.hide(id, hide.getAttribute("aria-pressed") !== "true"));
        const remove = iconButton("Delete", ICONS.trash, "", "row-button");
        remove.addEventListener("click", () => {
            const next = remove.closest("li")?.nextElementSibling ?? remove.closest("li")?.previousElementSibling;
            this.#drawings.remove(id, false);
            const field = next?.querySelector("button") ?? this.#alertPrice;
            field.focus();
        });
        return element("li", {}, name, lock, hide, remove);
    }

    /** @param {HTMLElement} row @param {import("../drawings/drawing-words.js").DrawingEntry} drawing */
    #showDrawn(row, { id, kind, text, locked, hidden, anchors }) {
        const label = text || this.#drawings.nameOf(kind);
        const where = kind === "vertical_line" ? "" : formatPrice(anchors[0].price, this.#chart.precision);
        setText(part(row, ".row-text"), [label, where].filter(Boolean).join(" · "));
        part(row, ".row-drawing").setAttribute("aria-pressed", String(id === this.#drawings.selection));
        const [lock, hide] = [part(row, ".row-lock"), part(row, ".row-hide")];
        nameButton(lock, `Lock ${label}`);
        lock.setAttribute("aria-pressed", String(locked));
        setIcon(lock, locked ? ICONS.lock : ICONS.unlock);
        nameButton(hide, `Hide ${label}`);
        hide.setAttribute("aria-pressed", String(hidden));
        setIcon(hide, hidden ? ICONS.hidden : ICONS.shown);
        nameButton(/** @type {HTMLElement} */ (row.lastElementChild), `Delete ${label}`);
    }

    /** @param {HTMLElement} list @param {number} id */
    #focusRow(list, id) {
        const field = list.querySelector(`[data-key="${CSS.escape(this.#key(id))}"] input`);
        field instanceof HTMLElement && field.focus();
    }
}

/** A part of a row that every row of its list has.
 * @param {HTMLElement} row @param {string} selector */
function part(row, selector) {
    return /** @type {HTMLElement} */ (row.querySelector(selector));
}

/** @param {HTMLElement} row @param {string} selector */
function inputOf(row, selector) {
    return /** @type {HTMLInputElement} */ (row.querySelector(selector));
}

/** @param {string} name */
function priceField(name) {
    return element("input", {
        class: "price-field",
        type: "text",
        inputmode: "decimal",
        "aria-label": name,
        autocomplete: "off",
        spellcheck: "false",
    });
}

/** @param {string} name */
function directionField(name) {
    const options = Object.entries(DIRECTIONS).map(([value, words]) => element("option", { value }, words));
    return element("select", { "aria-label": name }, ...options);
}

/** The price in a field, which is marked as invalid where it has none.
 * @param {HTMLInputElement} field @returns {?number} */
function read(field) {
    const text = field.value.replaceAll(/[\s,]/g, "");
    const price = text === "" ? NaN : Number(text);
    const isPrice = Number.isFinite(price) && Math.abs(price) <= 1e15;
    field.setAttribute("aria-invalid", String(!isPrice));
    if (!isPrice) {
        field.focus();
        field.select();
    }
    return isPrice ? price : null;
}

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** @param {number} milliseconds */
function clock(milliseconds) {
    return time.format(milliseconds);
}
