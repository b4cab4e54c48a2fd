/** Pixels between a popover and the edges of the window. */
const MARGIN = 8;
/** A panel has at least this height, even where it does not fit. */
const MIN_HEIGHT = 160;

/**
 * A button with something that pops up under it. Escape and a click elsewhere close it, and the focus goes back to the
 * button; what opens gets the focus.
 */
export class Popover {
    /** @type {HTMLElement} */
    button;
    /** @type {HTMLElement} */
    panel;
    #enter;
    #leave;

    /**
     * @param {HTMLElement} button whose `popovertarget` is the panel.
     * @param {HTMLElement} panel
     * @param {() => ?HTMLElement} enter fills what is shown; returns what gets the focus.
     * @param {() => void} [leave] it was closed.
     */
    constructor(button, panel, enter, leave = () => {}) {
        this.button = button;
        this.panel = panel;
        this.#enter = enter;
        this.#leave = leave;
        button.setAttribute("aria-expanded", "false");
        button.addEventListener("click", (event) => {
            // Now, not at the `toggle` event, which comes after the next key of a fast typist.
            event.preventDefault();
            this.toggle();
        });
        button.addEventListener("keydown", (event) => {
            if (event.key === "ArrowDown" && !this.isOpen) {
                event.preventDefault();
                this.toggle();
            }
        });
        panel.addEventListener("toggle", (event) => {
            if (/** @type {ToggleEvent} */ (event).newState === "closed" && !this.isOpen) {
                button.setAttribute("aria-expanded", "false");
                this.#leave();
            }
        });
        addEventListener("resize", () => this.isOpen && this.place());
    }

    get isOpen() {
        return this.panel.matches(":popover-open");
    }

    toggle() {
        if (this.isOpen) {
            this.close();
            return;
        }
        this.panel.showPopover();
        this.button.setAttribute("aria-expanded", "true");
        const first = this.#enter();
        this.place();
        first?.focus({ preventScroll: true });
    }

    /** Closes it; the focus goes back to the button. */
    close() {
        if (this.isOpen) {
            const hadFocus = this.panel.contains(document.activeElement);
            this.panel.hidePopover();
            if (hadFocus) {
                this.button.focus({ preventScroll: true });
            }
        }
    }

    /** Puts the panel under its button, as high as there is room. A style sheet may put it elsewhere. */
    place() {
        const box = this.button.getBoundingClientRect();
        const left = Math.min(box.left, innerWidth - this.panel.offsetWidth - MARGIN);
        const top = box.bottom + 6;
        this.panel.style.maxHeight = `${Math.max(MIN_HEIGHT, innerHeight - top - MARGIN)}px`;
        this.panel.style.translate = `${Math.max(MARGIN, left)}px ${Math.max(MARGIN, top)}px`;
    }
}
