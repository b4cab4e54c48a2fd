import { element, term } from "../dom.js";
import { UserError } from "../user-error.js";
import { isOff, switchOff } from "./icon-button.js";
import { FieldMarks } from "./field-marks.js";

let number = 0;

/** @typedef {{name: string, label: string, value?: string, hint?: string, type?: keyof typeof TYPES | "checkbox"}} Field */

/** Attributes of an input by the type of its field. */
const TYPES = {
    text: { type: "text", autocomplete: "off" },
    number: { type: "text", autocomplete: "off", inputmode: "decimal" },
    password: { type: "password", autocomplete: "current-password" },
};

/**
 * A dialog that confirms an action and has fields for what the action needs.
 *
 * @typedef {object} DialogOptions
 * @property {string} title
 * @property {string} [text]
 * @property {[name: string, value: string][]} [facts] what it is about, one by one.
 * @property {Field[]} [fields] a `checkbox` gives "on" or ""; a `password` is removed from the page as soon as it is given.
 * @property {string} confirm the button that does it.
 * @property {string} [cancel] the button that does not.
 * @property {boolean} [isGrave] whether it destroys something.
 * @property {(values: Record<string, string>) => unknown} act runs while the dialog is open; where it rejects with a
 *   `UserError`, the dialog shows that beside the field that it names, and the person may retry.
 */

/**
 * @param {DialogOptions} options
 * @returns {Promise<boolean>} whether it was done; false where the person cancelled.
 */
export function openDialog({ title, text = "", facts = [], fields = [], confirm, cancel = "Cancel", isGrave = false, act }) {
    number += 1;
    const id = `dialog-${number}`;
    const heading = element("h2", { id }, title);
    const inputs = fields.map((field) => fieldOf(field, id));
    const problem = element("p", { class: "form-problem", role: "alert" });
    const keep = element("button", { type: "button", class: "small-button" }, cancel);
    const submit = element("button", { type: "submit", class: `small-button is-main${isGrave ? " is-grave" : ""}` }, confirm);
    const form = element(
        "form",
        { novalidate: "" },
        heading,
        ...(text ? [element("p", { class: "dialog-text" }, text)] : []),
        ...(facts.length > 0 ? [element("dl", { class: "facts" }, ...facts.map(([name, value]) => term(name, value)))] : []),
        ...inputs,
        problem,
        element("div", { class: "sheet-row dialog-row" }, keep, submit),
    );
    const dialog = element("dialog", { class: "form-dialog", "aria-labelledby": id }, form);
    const marks = new FieldMarks(form, problem);
    return new Promise((resolve) => {
        let isDone = false;
        const close = () => dialog.close();
        keep.addEventListener("click", close);
        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            if (isOff(submit)) {
                return;
            }
            switchOff(submit, true);
            marks.clear();
            const values = valuesOf(form);
            form.querySelectorAll("input[type=password]").forEach((input) => (/** @type {HTMLInputElement} */ (input).value = ""));
            try {
                await act(values);
                isDone = true;
                close();
            } catch (error) {
                if (!(error instanceof UserError)) {
                    throw error;
                }
                marks.show(error);
            } finally {
                switchOff(submit, false);
            }
        });
        showDialog(dialog);
        dialog.addEventListener("close", () => resolve(isDone));
        const [first] = form.querySelectorAll("input:not([type=checkbox])");
        if (first instanceof HTMLInputElement) {
            first.focus();
            first.select();
        } else {
            (isGrave ? keep : submit).focus();
        }
    });
}

/**
 * Opens a dialog that is gone once it is closed, by a click beside it too.
 *
 * @param {HTMLDialogElement} dialog
 */
export function showDialog(dialog) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    // Keys of the page below do nothing while it is open.
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
    document.body.append(dialog);
    dialog.showModal();
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
function valuesOf(form) {
    const inputs = [...form.querySelectorAll("input")];
    return Object.fromEntries(
        inputs.map((input) => [input.name, input.type === "checkbox" ? (input.checked ? "on" : "") : input.value.trim()]),
    );
}

/** @param {Field} field @param {string} id of the dialog. */
function fieldOf({ name, label, value = "", hint = "", type = "text" }, id) {
    if (type === "checkbox") {
        const box = element("input", { type, name, ...(value === "on" ? { checked: "" } : {}) });
        return element("label", { class: "switch" }, box, label);
    }
    const input = element("input", { name, value, spellcheck: "false", ...TYPES[type] });
    const caption = element("span", {}, label);
    const note = hint ? [element("small", { id: `${id}-${name}-hint`, class: "field-hint" }, hint)] : [];
    hint && input.setAttribute("aria-describedby", `${id}-${name}-hint`);
    return element("label", { class: "field" }, caption, input, ...note);
}
