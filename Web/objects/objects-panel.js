import { byId, copyOf, part, setText } from "../dom.js";
import { nameButton, setIcon } from "../ui/icon-button.js";
import { ICONS } from "../ui/icons.js";
import { formatPrice } from "../format.js";
import { keepPlace, showList } from "../ui/keyed-list.js";
import { SidePanel } from "../ui/side-panel.js";

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/**
 * The list of what lies on the chart: alerts, price lines and drawings, each to be added, changed and removed.
 *
 * Events: `change` (it was opened or closed), `alert` (detail: {price, direction}) and `line` (detail: {price, label}) to
 * be added.
 */
export class ObjectsPanel extends SidePanel {
    #page;
    #alertPrice = byId("alert-price", HTMLInputElement);
    #linePrice = byId("line-price", HTMLInputElement);

    /** @param {Pick<PageParts, "chart" | "drawings"> & {levels: import("./levels.js").Levels}} page */
    constructor(page) {
        super(byId("objects"), page.chart.canvas, byId("objects-button"));
        this.#page = page;
        const { chart, levels, drawings } = page;
        this.#listenToForm("alert", this.#alertPrice);
        this.#listenToForm("line", this.#linePrice);
        const show = () => this.#show();
        levels.addEventListener("change", show);
        drawings.addEventListener("change", show);
        chart.addEventListener("selected", show);
    }

    /**
     * @override
     * @param {{price?: ?number, id?: ?number}} at the price proposed for a new alert, by default the newest one; the id of
     *   the alert or line that gets the focus.
     */
    open({ price = null, id = null } = {}) {
        super.open();
        this.#show();
        const proposed = price ?? this.#page.chart.engineChart?.legend()?.close ?? null;
        if (proposed !== null) {
            this.#alertPrice.value = this.#linePrice.value = this.#write(proposed);
        }
        const field = (id !== null && this.#fieldOf(id)) || this.#alertPrice;
        field.focus({ preventScroll: true });
        field.scrollIntoView({ block: "nearest" });
        field.select();
    }

    get #symbol() {
        return this.#page.chart.selection?.symbol ?? "";
    }

    /** Of a row: numbers are given for each symbol.
     * @param {number} id */
    #key(id) {
        return `${this.#symbol} ${id}`;
    }

    /** @param {number} id of an alert or a line. @returns {?HTMLInputElement} the first field of its row. */
    #fieldOf(id) {
        return this.element.querySelector(`.object-list [data-key="${CSS.escape(this.#key(id))}"] input`);
    }

    /** A price as one types it.
     * @param {number} price */
    #write(price) {
        return price.toFixed(this.#page.chart.precision);
    }

    /** @param {"alert" | "line"} what @param {HTMLInputElement} field of its price. */
    #listenToForm(what, field) {
        const form = byId(`${what}-form`, HTMLFormElement);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const price = read(field);
            if (price !== null) {
                this.dispatchEvent(new CustomEvent(what, { detail: { ...Object.fromEntries(new FormData(form)), price } }));
                form.querySelectorAll("[name=label]").forEach((name) => (/** @type {HTMLInputElement} */ (name).value = ""));
            }
        });
    }

    #show() {
        if (!this.isOpen) {
            return;
        }
        const { alerts, lines } = this.#page.levels.of(this.#symbol);
        const keyOf = (/** @type {{id: number}} */ { id }) => this.#key(id);
        const byPrice = (/** @type {{price: number}} */ a, /** @type {{price: number}} */ b) => b.price - a.price;
        showList(byId("alert-list"), [...alerts].sort(byPrice), keyOf, (alert) => this.#alertRow(alert.id), (row, alert) =>
            this.#showAlert(row, alert),
        );
        showList(byId("line-list"), [...lines].sort(byPrice), keyOf, (line) => this.#lineRow(line.id), (row, line) =>
            this.#showLine(row, line),
        );
        const drawn = [...this.#page.drawings.board.entries].reverse();
        showList(byId("drawing-list"), drawn, keyOf, (entry) => this.#drawnRow(entry), (row, entry) =>
            this.#showDrawn(row, entry),
        );
    }

    /** @param {number} id */
    #alertRow(id) {
        const symbol = this.#symbol;
        const row = copyOf("alert-row");
        const direction = part(row, "select", HTMLSelectElement);
        direction.addEventListener("change", () => this.#page.levels.change(symbol, id, { direction: direction.value }));
        onPrice(row, (price) => this.#page.levels.change(symbol, id, { price }));
        part(row, ".row-rearm").addEventListener("click", () => {
            this.#page.levels.change(symbol, id, {});
            this.#fieldOf(id)?.focus();
        });
        this.#onRemove(row, () => this.#page.levels.remove(symbol, id), "input");
        return row;
    }

    /** @param {HTMLElement} row @param {import("./levels.js").Alert} alert */
    #showAlert(row, { price, direction, firedAt }) {
        showValue(part(row, "select", HTMLSelectElement), direction);
        showValue(part(row, ".price-field", HTMLInputElement), this.#write(price));
        row.classList.toggle("is-fired", firedAt !== null);
        setText(part(row, ".object-state"), firedAt === null ? "" : `Fired ${time.format(firedAt)}`);
        part(row, ".row-rearm").hidden = firedAt === null;
    }

    /** @param {number} id */
    #lineRow(id) {
        const symbol = this.#symbol;
        const row = copyOf("line-row");
        const name = part(row, ".row-name", HTMLInputElement);
        name.addEventListener("change", () => this.#page.levels.change(symbol, id, { label: name.value.trim() }));
        onPrice(row, (price) => this.#page.levels.change(symbol, id, { price }));
        this.#onRemove(row, () => this.#page.levels.remove(symbol, id), "input", this.#linePrice);
        return row;
    }

    /** @param {HTMLElement} row @param {import("./levels.js").Line} line */
    #showLine(row, { price, label }) {
        showValue(part(row, ".row-name", HTMLInputElement), label);
        showValue(part(row, ".price-field", HTMLInputElement), this.#write(price));
    }

    /** @param {DrawingOnChart} entry */
    #drawnRow({ id, kind }) {
        const row = copyOf("drawing-row");
        const name = part(row, ".row-drawing");
        setIcon(name, this.#page.drawings.toolOf(kind)?.icon ?? "");
        name.addEventListener("click", () => this.#page.drawings.select(id));
        const isOn = (/** @type {HTMLElement} */ button) => button.getAttribute("aria-pressed") === "true";
        const [lock, hide] = [part(row, ".row-lock"), part(row, ".row-hide")];
        lock.addEventListener("click", () => this.#page.drawings.lock(id, !isOn(lock)));
        hide.addEventListener("click", () => this.#page.drawings.hide(id, !isOn(hide)));
        this.#onRemove(row, () => this.#page.drawings.remove(id, false), "button");
        return row;
    }

    /** @param {HTMLElement} row @param {DrawingOnChart} drawing */
    #showDrawn(row, { id, kind, text, locked, hidden, anchors }) {
        const label = text || this.#page.drawings.nameOf(kind);
        const where = kind === "vertical_line" ? "" : formatPrice(anchors[0].price, this.#page.chart.precision);
        setText(part(row, ".row-text"), [label, where].filter(Boolean).join(" · "));
        part(row, ".row-drawing").setAttribute("aria-pressed", String(id === this.#page.drawings.selection));
        const [lock, hide] = [part(row, ".row-lock"), part(row, ".row-hide")];
        nameButton(lock, `Lock ${label}`);
        lock.setAttribute("aria-pressed", String(locked));
        setIcon(lock, locked ? ICONS.lock : ICONS.unlock);
        nameButton(hide, `Hide ${label}`);
        hide.setAttribute("aria-pressed", String(hidden));
        setIcon(hide, hidden ? ICONS.hidden : ICONS.shown);
        nameButton(part(row, ":scope > :last-child"), `Delete ${label}`);
    }

    /** The last button of a row removes it.
     * @param {HTMLElement} row @param {() => void} remove @param {string} stop of the keyboard in a row. @param {HTMLElement} [home] */
    #onRemove(row, remove, stop, home = this.#alertPrice) {
        part(row, ":scope > :last-child").addEventListener("click", () => keepPlace(row, remove, stop, home));
    }
}

/** @param {HTMLElement} row @param {(price: number) => void} change */
function onPrice(row, change) {
    const field = part(row, ".price-field", HTMLInputElement);
    field.addEventListener("change", () => {
        const price = read(field);
        price === null || change(price);
    });
}

/** Shows what there is, but not over what is being typed.
 * @param {HTMLInputElement | HTMLSelectElement} field @param {string} value */
function showValue(field, value) {
    if (field !== document.activeElement) {
        field.value = value;
    }
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
