import { element } from "../dom.js";
import { typeName, fieldName } from "./template-words.js";

/** Lists inside of lists; deeper is shown as text. */
const DEEPEST = 4;
let number = 0;

/**
 * Opens everything that there is of a template.
 *
 * @param {import("./conversation-machine.js").Template} template
 * @param {import("./template-card.js").TemplateCard} card that does what can be done with it.
 */
export function openDetails(template, card) {
    number += 1;
    const id = `template-${number}`;
    const close = element("button", { type: "button", class: "small-button" }, "Close");
    const list = element("dl", { class: "details-fields" }, ...rows(template.fields, 0));
    /** @type {HTMLDialogElement} */
    const dialog = element(
        "dialog",
        { class: "form-dialog template-details", "aria-labelledby": id, "data-type": template.type },
        element("p", { class: "card-type" }, typeName(template.type)),
        element("h2", { id }, template.name),
        ...(template.description ? [element("p", { class: "dialog-text" }, template.description)] : []),
        ...(list.childElementCount > 0 ? [list] : []),
        element("div", { class: "sheet-row dialog-row" }, close, ...card.buttons(() => dialog.close())),
    );
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    // Keys of the page below are not meant while it is open.
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
    document.body.append(dialog);
    dialog.showModal();
    close.focus();
}

/** @param {object} fields @param {number} depth @returns {HTMLElement[]} */
function rows(fields, depth) {
    return Object.entries(fields).flatMap(([name, value]) => [
        element("dt", {}, fieldName(name)),
        element("dd", {}, shown(value, depth + 1)),
    ]);
}

/** Any JSON value as an element: what comes from a model is only ever text.
 * @param {unknown} value @param {number} depth @returns {HTMLElement} */
function shown(value, depth) {
    if (value === null || typeof value !== "object") {
        return element("span", {}, value === null ? "–" : String(value));
    }
    if (depth >= DEEPEST) {
        return element("span", {}, JSON.stringify(value).slice(0, 500));
    }
    if (Array.isArray(value)) {
        return element("ul", {}, ...value.map((each) => element("li", {}, shown(each, depth + 1))));
    }
    return element("dl", {}, ...rows(value, depth));
}
