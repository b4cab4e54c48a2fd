import { copyOf, element, part } from "../dom.js";
import { showDialog } from "../ui/dialog.js";
import { fieldName, groupAmounts } from "../user-error.js";
import { typeName } from "./template-words.js";

/** Lists inside of lists; deeper is shown as text. */
const DEEPEST = 4;

/**
 * Opens everything that there is of a template.
 *
 * @param {import("./conversation-machine.js").Template} template
 * @param {import("./template-card.js").TemplateCard} card that does what can be done with it.
 */
export function openDetails(template, card) {
    const { type, name, description, fields } = template;
    const dialog = copyOf("template-details", HTMLDialogElement);
    dialog.dataset.type = type;
    part(dialog, ".card-type").append(typeName(type));
    part(dialog, "h2").append(name);
    const text = part(dialog, ".dialog-text");
    description ? text.append(description) : text.remove();
    const list = part(dialog, ".details-fields");
    const all = rows(fields, 0);
    all.length > 0 ? list.append(...all) : list.remove();
    const close = part(dialog, "button");
    close.addEventListener("click", () => dialog.close());
    close.after(...card.buttons(() => dialog.close()));
    showDialog(dialog);
    close.focus();
}

/** Fields in the order in which one reads them; others come behind, as they came. */
const ORDER = ["name", "items", "sets", "reps", "seconds"];

/** @param {string} name */
function placeOf(name) {
    const at = ORDER.indexOf(name);
    return at < 0 ? ORDER.length : at;
}

/** @param {object} fields @param {number} depth @returns {HTMLElement[]} */
function rows(fields, depth) {
    const ordered = Object.entries(fields).sort(([a], [b]) => placeOf(a) - placeOf(b));
    return ordered.flatMap(([name, value]) => [
        element("dt", {}, fieldName(name)),
        element("dd", {}, shown(/number|string/.test(typeof value) ? groupAmounts(String(value), name) : value, depth + 1)),
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
        return element("ul", {}, ...value.map((each) => element("li", {}, ...item(each, depth + 1))));
    }
    return element("dl", {}, ...rows(value, depth));
}

/** What stands in a list: of an object with a name, that is its title.
 * @param {unknown} value @param {number} depth @returns {HTMLElement[]} */
function item(value, depth) {
    const { name = null, ...rest } = /** @type {{name?: unknown}} */ (value ?? {});
    if (typeof name !== "string") {
        return [shown(value, depth)];
    }
    return [element("b", {}, name), shown(rest, depth)];
}
