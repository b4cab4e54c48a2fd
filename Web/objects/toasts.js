import { element } from "../dom.js";
import { iconButton } from "../drawings/icon-button.js";
import { ICONS } from "../drawings/tools.js";

/** Milliseconds a note stays, unless somebody is reading it. */
const STAY = 8000;
/** Notes at a time; the oldest goes first, and those that stay go last. */
const MOST = 3;

/**
 * Short notes over the chart's corner: what happened, and one thing to do about it.
 *
 * Errors stay until they are closed. The words are also said to screen readers.
 */
export class Toasts {
    element = element("div", { class: "toasts", role: "region", "aria-label": "Notes" });
    #say;

    /** @param {HTMLElement} parent @param {(sentence: string) => void} say */
    constructor(parent, say) {
        this.#say = say;
        parent.append(this.element);
    }

    /**
     * @param {string} text
     * @param {object} [options]
     * @param {{name: string, act: () => void}} [options.action]
     * @param {boolean} [options.isError]
     * @param {boolean} [options.stays] until it is closed.
     * @param {string} [options.icon]
     * @param {boolean} [options.isSaid] whether it is said elsewhere already.
     */
    show(text, { action, isError = false, stays = isError, icon, isSaid = false } = {}) {
        const toast = element("div", { class: isError ? "toast toast-error" : "toast" });
        toast.toggleAttribute("data-stays", stays);
        let timer = 0;
        const close = () => {
            clearTimeout(timer);
            toast.remove();
        };
        const wait = () => {
            clearTimeout(timer);
            if (!stays) {
                timer = setTimeout(close, STAY);
            }
        };
        if (icon) {
            const sign = iconButton("", icon).querySelector("svg");
            sign && toast.append(sign);
        }
        toast.append(element("p", {}, text));
        if (action) {
            const button = element("button", { type: "button", class: "toast-action" }, action.name);
            button.addEventListener("click", () => {
                close();
                action.act();
            });
            toast.append(button);
        }
        const shut = iconButton("Close", ICONS.close, "", "toast-close");
        shut.addEventListener("click", close);
        toast.append(shut);
        // Who reads it with the mouse or the keyboard on it has all the time.
        for (const type of ["pointerenter", "focusin"]) {
            toast.addEventListener(type, () => clearTimeout(timer));
        }
        for (const type of ["pointerleave", "focusout"]) {
            toast.addEventListener(type, wait);
        }
        this.element.append(toast);
        while (this.element.children.length > MOST) {
            const others = [...this.element.children].slice(0, -1);
            (others.find((each) => !each.hasAttribute("data-stays")) ?? others[0]).remove();
        }
        wait();
        if (!isSaid) {
            this.#say(text);
        }
    }
}
