import { element } from "../../dom.js";
import { copyButton } from "./copy-button.js";

/** Headings of a message stand below that of the panel, which is an `h2`. */
const FIRST_HEADING = 3;

/**
 * A block on the page.
 *
 * @typedef {object} Drawn
 * @property {string} sign what it is: a block with another sign needs another element.
 * @property {HTMLElement} outer what stands among its parent's children.
 * @property {HTMLElement} inner what its own children stand in.
 */

/**
 * What of a block its element shows beside its children.
 *
 * @param {import("./block.js").Block} block
 */
export function signOf({ kind, type, start, depth, level, language, alignments, isHead }) {
    return [kind, type, start, depth, level, language, alignments, isHead].join(" ");
}

/**
 * A new element for a block, without children.
 *
 * @param {import("./block.js").Block} block
 * @returns {Drawn}
 */
export function drawn(block) {
    const [outer, inner = outer] = elementsOf(block);
    return { sign: signOf(block), outer, inner };
}

/** @param {import("./block.js").Block} block @returns {HTMLElement[]} the outer one, and the inner one if it is another. */
function elementsOf(block) {
    switch (block.kind) {
        case "quote":
            return [element("blockquote")];
        case "list":
            return [listOf(block)];
        case "item":
            return [element("li")];
        case "heading": {
            const tag = /** @type {"h3"} */ (`h${Math.min(6, FIRST_HEADING - 1 + (block.depth ?? 1))}`);
            return [element(tag, { "data-level": String(block.level) })];
        }
        case "code":
            return codeOf(block.language ?? "");
        case "rule":
            return [element("hr")];
        case "table":
            return tableOf();
        case "body":
            return [element("tbody")];
        case "row": {
            const row = element("tr");
            return block.isHead ? [element("thead", {}, row), row] : [row];
        }
        default:
            return [element("p")];
    }
}

/** @param {import("./block.js").Block} block */
function listOf({ type, start }) {
    if (type === "." || type === ")") {
        return element("ol", start === 1 ? {} : { start: String(start) });
    }
    return element("ul");
}

/** Code with its language and a button over it. It scrolls by itself, and by keyboard.
 * @param {string} language */
function codeOf(language) {
    const code = element("code");
    const name = language ? `Code, ${language}` : "Code";
    const text = element("pre", { tabindex: "0", role: "region", "aria-label": name }, code);
    const bar = element("div", { class: "md-bar" }, element("span", {}, language || "Code"), copyButton(code));
    return [element("div", { class: "md-code" }, bar, text), code];
}

function tableOf() {
    const table = element("table");
    return [element("div", { class: "md-table", tabindex: "0", role: "region", "aria-label": "Table" }, table), table];
}
