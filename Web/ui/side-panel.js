import { part } from "../dom.js";

/**
 * A panel beside what it is about. The button in its header and Escape close it; the keyboard goes back to where it was.
 *
 * Events: `change` (it was opened or closed).
 */
export class SidePanel extends EventTarget {
    element;
    #home;
    /** @type {?Element} What had the keyboard before. */
    #opener = null;

    /**
     * @param {HTMLElement} element hidden while the panel is closed.
     * @param {HTMLElement} home gets the keyboard where what had it before is gone.
     * @param {HTMLElement} [button] opens and closes the panel.
     */
    constructor(element, home, button) {
        super();
        this.element = element;
        this.#home = home;
        part(element, "header button").addEventListener("click", () => this.close());
        element.addEventListener("keydown", (event) => {
            if (event.key === "Escape") {
                event.stopPropagation();
                this.close();
            }
        });
        button?.addEventListener("click", () => this.toggle());
        this.addEventListener("change", () => button?.setAttribute("aria-expanded", String(this.isOpen)));
    }

    get isOpen() {
        return !this.element.hidden;
    }

    toggle() {
        this.isOpen ? this.close() : this.open();
    }

    open() {
        const { activeElement } = document;
        if (!this.element.contains(activeElement)) {
            this.#opener = activeElement;
        }
        this.element.hidden = false;
        this.dispatchEvent(new Event("change"));
    }

    close() {
        const hadFocus = this.element.contains(document.activeElement);
        this.element.hidden = true;
        if (hadFocus) {
            const isThere = this.#opener?.isConnected && this.#opener !== document.body;
            const target = /** @type {HTMLElement} */ (isThere ? this.#opener : this.#home);
            target.focus({ preventScroll: true });
        }
        this.dispatchEvent(new Event("change"));
    }
}
