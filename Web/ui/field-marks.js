import { element, setText } from "../dom.js";
import { errorWords, withoutNumbers } from "../user-error.js";

/** What holds a field, its caption and its notes. */
const PLACE = ".field, .switch, fieldset";

let number = 0;

/**
 * Says beside a field what is wrong with it, and marks it; what belongs to no field stands below the form. Each of several
 * who judge the same form has marks of its own, and removes only those.
 */
export class FieldMarks {
    #form;
    #general;
    /** @type {{input: HTMLElement, note: HTMLElement}[]} */
    #marks = [];
    /** What `replace` showed. */
    #gist = "";

    /** @param {HTMLElement} form whose inputs have the names of the server's fields. @param {HTMLElement} [general] */
    constructor(form, general = element("p")) {
        this.#form = form;
        this.#general = general;
    }

    /**
     * Shows an error, and leads the keyboard to its field.
     *
     * @param {{message: string, field?: string}} error
     */
    show(error) {
        const input = this.mark(error);
        if (input) {
            input.focus();
        } else {
            this.#general.textContent = errorWords(error);
        }
    }

    /**
     * Marks a field without moving the keyboard; the same message twice is shown once.
     *
     * @param {{message: string, field?: string}} error
     * @param {boolean} [opens] whether details that hide the field are opened.
     * @returns {?HTMLElement} the field, null where the form has none of that name.
     */
    mark(error, opens = true) {
        const input = this.#inputOf(error.field ?? "");
        const place = input?.closest(PLACE);
        if (!input || !place) {
            return null;
        }
        opens && input.closest("details")?.setAttribute("open", "");
        const words = this.sentence(error);
        const isShown = [...place.querySelectorAll(".field-problem")].some((note) => note.textContent === words);
        if (!isShown) {
            number += 1;
            const note = element("small", { class: "field-problem", id: `problem-${number}` }, words);
            place.append(note);
            this.#marks.push({ input, note });
            describe(input, [note.id, ...descriptions(input)]);
        }
        input.setAttribute("aria-invalid", "true");
        return input;
    }

    /** Whether the form has the field that an error is about.
     * @param {{field?: string}} error */
    has({ field = "" }) {
        return this.#inputOf(field) !== null;
    }

    /**
     * Marks these errors in place of those before. Where they differ by their numbers alone, nothing but these changes.
     *
     * @param {{message: string, field?: string}[]} errors
     */
    replace(errors) {
        const all = errors.map((error) => this.sentence(error));
        const gist = withoutNumbers(all.join(" "));
        const isNew = gist !== this.#gist;
        isNew && this.clear();
        for (const { note } of this.#marks) {
            const before = note.textContent ?? "";
            setText(note, all.find((words) => withoutNumbers(words) === withoutNumbers(before)) ?? before);
        }
        errors.forEach((error) => this.mark(error, isNew));
        this.#gist = gist;
    }

    /** What is wrong, with the form's own caption of the field.
     * @param {{message: string, field?: string}} error */
    sentence(error) {
        const place = this.#inputOf(error.field ?? "")?.closest(PLACE);
        return errorWords(error, place ? captionOf(place) : undefined);
    }

    clear() {
        this.#gist = "";
        this.#general.textContent = "";
        for (const { input, note } of this.#marks) {
            note.remove();
            const rest = descriptions(input).filter((id) => id !== note.id);
            describe(input, rest);
            if (!rest.some((id) => id.startsWith("problem-"))) {
                input.removeAttribute("aria-invalid");
            }
        }
        this.#marks = [];
    }

    /** @param {string} field @returns {?HTMLInputElement} the one of that name that can be seen, if only once its details are open. */
    #inputOf(field) {
        // A distance has a unit; both are one field.
        const name = field.split(".")[0];
        const all = [...this.#form.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
        return /** @type {?HTMLInputElement} */ (all.find((each) => each.checkVisibility() || each.closest("details")) ?? null);
    }
}

/** What the page calls a field, without its value and notes.
 * @param {Element} place that has the field in it. */
function captionOf(place) {
    const caption = place.querySelector(":scope > :is(span, legend)") ?? place;
    return [...caption.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE).map((each) => each.textContent?.trim()).join("");
}

/** @param {HTMLElement} input */
function descriptions(input) {
    return (input.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
}

/** @param {HTMLElement} input @param {string[]} ids */
function describe(input, ids) {
    ids.length > 0 ? input.setAttribute("aria-describedby", ids.join(" ")) : input.removeAttribute("aria-describedby");
}
