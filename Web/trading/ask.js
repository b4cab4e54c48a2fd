import { element } from "../dom.js";
import { isOff, switchOff } from "../drawings/icon-button.js";
import { RestError } from "../stream/rest.js";
import { FieldMarks } from "./field-marks.js";

let number = 0;

/**
 * Asks before something is done, and for what is needed for it. Who answers sees what the server says against it beside
 * the field that it is about, and may answer again.
 *
 * @typedef {object} Question
 * @property {string} title
 * @property {string} [text]
 * @property {{name: string, label: string, value?: string, hint?: string, type?: string}[]} [fields] a `checkbox` gives
 *   "on" or ""; a `password` is gone from the page as soon as it is given.
 * @property {string} confirm the word on the button.
 * @property {boolean} [isGrave] whether it destroys something.
 * @property {(values: Record<string, string>) => Promise<void>} act done while the dialog stays; it throws a `RestError`
 *   that the dialog shows.
 */

/**
 * @param {Question} question
 * @returns {Promise<boolean>} whether it was done; false where the person thought better of it.
 */
export function ask({ title, text = "", fields = [], confirm, isGrave = false, act }) {
    number += 1;
    const id = `ask-${number}`;
    const heading = element("h2", { id }, title);
    const inputs = fields.map((field) => fieldOf(field, id));
    const problem = element("p", { class: "form-problem", role: "alert" });
    const cancel = element("button", { type: "button", class: "small-button" }, "Cancel");
    const submit = element("button", { type: "submit", class: `small-button is-main${isGrave ? " is-grave" : ""}` }, confirm);
    const form = element(
        "form",
        { novalidate: "" },
        heading,
        ...(text ? [element("p", { class: "ask-text" }, text)] : []),
        ...inputs,
        problem,
        element("div", { class: "sheet-row ask-row" }, cancel, submit),
    );
    const dialog = element("dialog", { class: "ask", "aria-labelledby": id }, form);
    const marks = new FieldMarks(form, problem);
    document.body.append(dialog);
    return new Promise((resolve) => {
        let isDone = false;
        const close = () => dialog.close();
        cancel.addEventListener("click", close);
        dialog.addEventListener("click", (event) => event.target === dialog && close());
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(isDone);
        });
        // Keys of the page below are not meant while it asks.
        dialog.addEventListener("keydown", (event) => event.stopPropagation());
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
                if (!(error instanceof RestError)) {
                    throw error;
                }
                marks.show(error);
            } finally {
                switchOff(submit, false);
            }
        });
        dialog.showModal();
        const [first] = form.querySelectorAll("input:not([type=checkbox])");
        if (first instanceof HTMLInputElement) {
            first.focus();
            first.select();
        } else {
            (isGrave ? cancel : submit).focus();
        }
    });
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
function valuesOf(form) {
    const inputs = [...form.querySelectorAll("input")];
    return Object.fromEntries(
        inputs.map((input) => [input.name, input.type === "checkbox" ? (input.checked ? "on" : "") : input.value.trim()]),
    );
}

/** @param {NonNullable<Question["fields"]>[number]} field @param {string} id */
function fieldOf({ name, label, value = "", hint = "", type = "text" }, id) {
    if (type === "checkbox") {
        const box = element("input", { type, name, ...(value === "on" ? { checked: "" } : {}) });
        return element("label", { class: "switch" }, box, label);
    }
    const kind = {
        text: { type: "text", autocomplete: "off" },
        number: { type: "text", autocomplete: "off", inputmode: "decimal" },
        password: { type: "password", autocomplete: "current-password" },
    }[type];
    const input = element("input", { name, value, spellcheck: "false", ...kind });
    const caption = element("span", {}, label);
    const note = hint ? [element("small", { id: `${id}-${name}-hint`, class: "field-hint" }, hint)] : [];
    hint && input.setAttribute("aria-describedby", `${id}-${name}-hint`);
    return element("label", { class: "field" }, caption, input, ...note);
}
