import { element } from "../dom.js";

/** Rows that are drawn on either side of those that are seen, and the step in which the window moves. */
const BESIDE = 10;
/** Pixels of a row before one was drawn. */
const HEIGHT = 58;

/**
 * The rows of a long list near what is seen of it: two spaces have the room of the others. The list or the page scrolls.
 *
 * Rows are about as high as each other; a difference moves the rows that are not seen.
 */
export class RowWindow {
    #list;
    #above = element("li", { role: "presentation", "aria-hidden": "true", class: "row-space" });
    #below = element("li", { role: "presentation", "aria-hidden": "true", class: "row-space" });
    #height = HEIGHT;

    /** @param {HTMLElement} list */
    constructor(list) {
        this.#list = list;
    }

    /**
     * Which rows are to be drawn.
     *
     * @param {number} count of all rows.
     * @returns {{first: number, end: number}}
     */
    range(count) {
        const view = this.#list.getBoundingClientRect();
        const isDrawn = this.#above.parentElement === this.#list;
        const origin = isDrawn ? this.#above.getBoundingClientRect().top : view.top - this.#list.scrollTop;
        const rows = (/** @type {number} */ y) => (y - origin) / this.#height / BESIDE;
        const seen = Math.floor(rows(Math.max(view.top, 0))) * BESIDE;
        const unseen = Math.ceil(rows(Math.min(view.bottom, innerHeight))) * BESIDE;
        const first = Math.min(Math.max(seen - BESIDE, 0), Math.max(count - 2 * BESIDE, 0));
        return { first, end: Math.min(Math.max(unseen + BESIDE, first + 2 * BESIDE), count) };
    }

    /**
     * Puts rows in the list, and the others' room around them. Those that were there stay the same elements.
     *
     * @param {HTMLElement[]} rows
     * @param {number} first the first one's place among all.
     * @param {number} count of all rows.
     */
    draw(rows, first, count) {
        const wanted = [this.#above, ...rows, this.#below];
        const kept = new Set(wanted);
        [...this.#list.children].forEach((child) => kept.has(/** @type {HTMLElement} */ (child)) || child.remove());
        wanted.forEach((row, at) => {
            if (this.#list.children[at] !== row) {
                this.#list.insertBefore(row, this.#list.children[at] ?? null);
            }
        });
        this.#place(rows.length, first, count);
        const drawn = this.#below.getBoundingClientRect().top - this.#above.getBoundingClientRect().bottom;
        if (drawn > 0 && rows.length > 0 && drawn !== this.#height * rows.length) {
            this.#height = drawn / rows.length;
            this.#place(rows.length, first, count);
        }
    }

    /** @param {number} drawn @param {number} first @param {number} count */
    #place(drawn, first, count) {
        this.#above.style.height = `${first * this.#height}px`;
        this.#below.style.height = `${(count - first - drawn) * this.#height}px`;
    }

    /**
     * Scrolls so that a row's place is seen; it may have to be drawn then.
     *
     * @param {number} index among all rows.
     */
    bring(index) {
        const view = this.#list.getBoundingClientRect();
        const top = this.#above.getBoundingClientRect().top + index * this.#height;
        const [from, to] = [Math.max(view.top, 0), Math.min(view.bottom, innerHeight)];
        const by = top < from ? top - from : Math.max(top + this.#height - to, 0);
        const scrolls = this.#list.scrollHeight > this.#list.clientHeight + 1 && getComputedStyle(this.#list).overflowY !== "visible";
        (scrolls ? this.#list : /** @type {Element} */ (document.scrollingElement)).scrollBy(0, by);
    }
}
