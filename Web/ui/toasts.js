import { element } from "../dom.js";
import { iconButton } from "./icon-button.js";
import { ICONS } from "./icons.js";

/** Milliseconds a note stays, unless a person is reading it. */
const STAY = 8000;
/** Notes at a time; the oldest goes first, and those that stay go last. */
const LIMIT = 3;

/**
 * @typedef {object} ToastOptions
 * @property {{name: string, act: () => void}} [action]
 * @property {boolean} [isError]
 * @property {boolean} [stays] until it is closed.
 * @property {string} [icon]
 * @property {boolean} [isAnnounced] whether screen readers got it elsewhere already.
 */

/**
 * Short notes over the chart's corner: what happened, and one thing to do about it.
 *
 * Errors stay until they are closed. Screen readers get the words, too.
 */
export class Toasts {
    #list;
    #say;

    /** @param {HTMLElement} list @param {(sentence: string) => void} say */
    constructor(list, say) {
        this.#list = list;
        this.#say = say;
    }

    /**
     * @param {string} text
     * @param {ToastOptions} options
     * @returns {() => void} closes the note.
     */
    show(text, { action, isError = false, stays = isError, icon, isAnnounced = false } = {}) {
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
        this.#list.append(toast);
        while (this.#list.children.length > LIMIT) {
            const others = [...this.#list.children].slice(0, -1);
            (others.find((each) => !each.hasAttribute("data-stays")) ?? others[0]).remove();
        }
        wait();
        if (!isAnnounced) {
            this.#say(text);
        }
        return close;
    }
}
