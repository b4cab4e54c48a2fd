/** Pixels before a press becomes a drag: a click that shakes is still one. */
const SLOP = 6;
/** Pixels from the list's edges in which a drag scrolls it, and by how much per move. */
const EDGE = 28;
const STRIDE = 10;

/**
 * Rows that are moved by dragging: the row follows the pointer from place to place, and stays where it is let go.
 * Escape puts it back.
 */
export class RowDrag {
    #list;
    #parts;
    /** @type {?{row: HTMLElement, pointer: number, y: number, isMoving: boolean}} */
    #drag = null;

    /**
     * @param {HTMLElement} list whose rows have a `data-symbol`.
     * @param {object} parts
     * @param {(target: Element, event: PointerEvent) => boolean} parts.mayBegin
     * @param {(symbol: string, to: number) => void} parts.moved
     * @param {() => void} parts.cancelled the rows are to be put back.
     */
    constructor(list, parts) {
        this.#list = list;
        this.#parts = parts;
        list.addEventListener("pointerdown", (event) => this.#down(event));
        list.addEventListener("pointermove", (event) => this.#move(event));
        list.addEventListener("pointerup", (event) => this.#up(event));
        list.addEventListener("pointercancel", () => this.#cancel());
        // First of all: what else Escape means here is not meant by it now.
        const cancel = (/** @type {KeyboardEvent} */ event) => {
            if (event.key === "Escape" && this.#drag?.isMoving) {
                event.preventDefault();
                event.stopPropagation();
                this.#cancel();
            }
        };
        addEventListener("keydown", cancel, { capture: true });
    }

    /** @param {PointerEvent} event */
    #down(event) {
        const target = /** @type {Element} */ (event.target);
        const row = target.closest("[data-symbol]");
        const isPress = event.isPrimary && event.button === 0;
        if (row instanceof HTMLElement && isPress && this.#parts.mayBegin(target, event)) {
            this.#drag = { row, pointer: event.pointerId, y: event.clientY, isMoving: false };
        }
    }

    /** @param {PointerEvent} event */
    #move(event) {
        const drag = this.#drag;
        if (!drag || event.pointerId !== drag.pointer) {
            return;
        }
        if (!drag.isMoving && Math.abs(event.clientY - drag.y) >= SLOP) {
            drag.isMoving = true;
            // The list and not the row, which loses the capture when it is put elsewhere.
            this.#list.setPointerCapture(event.pointerId);
            drag.row.classList.add("row-dragged");
        }
        if (drag.isMoving) {
            this.#scroll(event.clientY);
            this.#place(drag.row, event.clientY);
        }
    }

    /** @param {PointerEvent} event */
    #up(event) {
        const drag = this.#drag;
        if (!drag || event.pointerId !== drag.pointer) {
            return;
        }
        this.#drag = null;
        if (drag.isMoving) {
            drag.row.classList.remove("row-dragged");
            // Another tab may have removed it meanwhile.
            const to = this.#rows.indexOf(drag.row);
            if (to >= 0) {
                this.#parts.moved(drag.row.dataset.symbol ?? "", to);
            }
        }
    }

    #cancel() {
        const drag = this.#drag;
        this.#drag = null;
        if (drag?.isMoving) {
            drag.row.classList.remove("row-dragged");
            this.#parts.cancelled();
        }
    }

    get #rows() {
        return /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll(":scope > [data-symbol]")]);
    }

    /** @param {HTMLElement} row @param {number} y */
    #place(row, y) {
        const others = this.#rows.filter((each) => each !== row);
        const next = others.find((each) => {
            const { top, height } = each.getBoundingClientRect();
            return y < top + height / 2;
        });
        if (row.nextElementSibling !== (next ?? null)) {
            this.#list.insertBefore(row, next ?? null);
        }
    }

    /** @param {number} y */
    #scroll(y) {
        const { top, bottom } = this.#list.getBoundingClientRect();
        this.#list.scrollTop += y < top + EDGE ? -STRIDE : y > bottom - EDGE ? STRIDE : 0;
    }
}
