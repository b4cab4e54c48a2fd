import { element, setText } from "../dom.js";
import { isOff, switchOff } from "../ui/icon-button.js";
import { showList } from "../ui/keyed-list.js";

/**
 * What a cell shows. `direction` colours it, `note` is a second, quieter line.
 *
 * @typedef {string | {text: string, direction?: string, note?: string, title?: string}} Cell
 */

/**
 * @template Item
 * @typedef {object} Action a button in each row.
 * @property {string} name what it says.
 * @property {(item: Item) => string} label the same with what it is about, for those who do not see the row.
 * @property {(item: Item, button: HTMLElement) => void} act
 * @property {(item: Item) => boolean} [isThere]
 * @property {(item: Item) => string} [whyNot] why it can’t be done now; "" where it can.
 */

/**
 * A table that changes in place: a row stays the same element, so that focus and open details stay. On a narrow page
 * each row is a card, with the columns' names in it; the roles say that it is still a table.
 *
 * @template Item
 */
export class TableView {
    element = element("div", { class: "trade-scroller" });
    #table = element("table", { class: "trade-table", role: "table" });
    #empty = element("p", { class: "trade-empty" });
    #columns;
    #actions;
    #detail;
    /** @type {WeakMap<Element, Item>} */
    #items = new WeakMap();

    /**
     * @param {object} options
     * @param {string} options.name
     * @param {{name: string, cell: (item: Item) => Cell}[]} options.columns
     * @param {Action<Item>[]} [options.actions]
     * @param {(item: Item) => Node} [options.detail] what a row opens to; its first action opens it then.
     */
    constructor({ name, columns, actions = [], detail }) {
        this.#columns = columns;
        this.#actions = actions;
        this.#detail = detail;
        const heads = columns.map((column) => element("th", { scope: "col", role: "columnheader" }, column.name));
        if (actions.length > 0) {
            const hidden = element("span", { class: "visually-hidden" }, "Actions");
            heads.push(element("th", { scope: "col", role: "columnheader" }, hidden));
        }
        this.#table.setAttribute("aria-label", name);
        this.#table.append(element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)));
        this.element.append(this.#table, this.#empty);
    }

    /**
     * @param {(Item & {id: string})[]} items
     * @param {string} whenEmpty
     */
    show(items, whenEmpty) {
        const focused = this.#focusedPlace();
        this.#table.hidden = items.length === 0;
        this.#empty.hidden = items.length > 0;
        setText(this.#empty, whenEmpty);
        const body = this.#bodies();
        showList(body, items, ({ id }) => id, () => this.#make(), (group, item) => this.#update(group, item));
        focused && this.#restoreFocus(focused);
    }

    /** The groups of rows live in the table itself; the head is no item. */
    #bodies() {
        const table = this.#table;
        return {
            get children() {
                return [...table.children].slice(1);
            },
            insertBefore: (/** @type {Node} */ group, /** @type {?Node} */ next) => table.insertBefore(group, next),
        };
    }

    #make() {
        const row = element("tr", { role: "row" });
        const group = element("tbody", { role: "rowgroup" }, row);
        this.#columns.forEach(({ name }, at) => {
            const tag = at === 0 ? "th" : "td";
            const cell = element(tag, { role: at === 0 ? "rowheader" : "cell", "data-label": name }, element("span", { class: "cell-value" }));
            at === 0 && cell.setAttribute("scope", "row");
            row.append(cell);
        });
        if (this.#actions.length > 0) {
            const buttons = this.#actions.map((action) => {
                const button = element("button", { type: "button", class: "row-action" }, action.name);
                button.addEventListener("click", () => isOff(button) || action.act(this.#itemOf(group), button));
                return button;
            });
            row.append(element("td", { role: "cell", class: "cell-actions" }, ...buttons));
        }
        const [first] = row.querySelectorAll("button");
        if (this.#detail && first) {
            first.setAttribute("aria-expanded", "false");
            first.addEventListener("click", () => this.#toggle(group, first));
        }
        return group;
    }

    /** @param {HTMLElement} group @param {Item} item */
    #update(group, item) {
        this.#items.set(group, item);
        const [row] = group.children;
        this.#columns.forEach(({ cell }, at) => {
            const shown = cell(item);
            const { text, direction = "", note = "", title = "" } = typeof shown === "string" ? { text: shown } : shown;
            const target = /** @type {HTMLElement} */ (row.children[at]);
            const [value, quiet] = target.children;
            setText(value, text);
            if (note || quiet) {
                setText(quiet ?? target.appendChild(element("small", { class: "cell-note" })), note);
            }
            target.dataset.direction !== direction && (target.dataset.direction = direction);
            target.title !== title && (target.title = title);
        });
        /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(".cell-actions button")).forEach((button, at) => {
            const { isThere, label, whyNot } = this.#actions[at];
            const reason = whyNot?.(item) ?? "";
            isOff(button) !== (reason !== "") && switchOff(button, reason !== "");
            button.title !== reason && (button.title = reason);
            button.hidden = isThere ? !isThere(item) : false;
            const words = label(item);
            button.getAttribute("aria-label") !== words && button.setAttribute("aria-label", words);
        });
    }

    /** @param {HTMLElement} group @param {HTMLElement} button */
    #toggle(group, button) {
        const isOpen = group.children.length > 1;
        button.setAttribute("aria-expanded", String(!isOpen));
        if (isOpen) {
            group.lastElementChild?.remove();
        } else {
            const span = String(this.#columns.length + 1);
            const cell = element("td", { role: "cell", colspan: span }, this.#detail?.(this.#itemOf(group)) ?? "");
            group.append(element("tr", { role: "row", class: "trade-detail" }, cell));
        }
    }

    /** @param {Element} group */
    #itemOf(group) {
        return /** @type {Item} */ (this.#items.get(group));
    }

    #focusedPlace() {
        const group = document.activeElement?.closest("tbody");
        const row = group && group.parentElement === this.#table ? [...this.#table.children].indexOf(group) : -1;
        return !group || row < 0 ? null : { group, row };
    }

    /** The keyboard goes on where the row was that has the focus no more.
     * @param {{group: Element, row: number}} place */
    #restoreFocus({ group, row }) {
        if (group.isConnected && group.contains(document.activeElement)) {
            return;
        }
        const next = this.#table.children[Math.min(row, this.#table.children.length - 1)];
        const button = [...(next?.querySelectorAll("button") ?? [])].find((each) => !each.hidden);
        const target = button ?? /** @type {?HTMLElement} */ (this.element.closest("[role=tabpanel]"));
        target?.focus({ preventScroll: true });
    }
}
