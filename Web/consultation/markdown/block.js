import { inline } from "./inline.js";
import { dedented, indented } from "./lines.js";

/** Characters of a block that are read again with each that comes; the text before them stands. */
export const SEGMENT = 2000;
/** Where a segment may end at a space. */
const SEGMENT_LEAST = 1500;

/**
 * A block that is open. It is a value: what a line makes of it is a new one.
 *
 * @typedef {object} Block
 * @property {"root" | "quote" | "list" | "item" | "paragraph" | "heading" | "code" | "rule" | "table" | "body" | "row"} kind
 * @property {number} done how many of its children stand and never change: blocks, or pieces of its text.
 * @property {string} [text] of a leaf: what comes after the pieces that stand.
 * @property {string} [type] of a list: its mark.
 * @property {number} [start] of a list: its first number.
 * @property {number} [indent] of an item: the columns before its text; of code: those before its fence.
 * @property {number} [level] of a heading: 1 to 6, as it is written.
 * @property {number[]} [outline] of the root: the levels of the headings that the next one stands under.
 * @property {number} [depth] of a heading: its place in the outline, from 1.
 * @property {string} [language] of code.
 * @property {{mark: string, length: number}} [fence] of code.
 * @property {boolean} [isBegun] of code: it has a line.
 * @property {boolean} [isClosed] of code: its fence has ended.
 * @property {string[]} [alignments] of a table.
 * @property {string[]} [cells] of a row.
 * @property {boolean} [isHead] of a row.
 */

/**
 * The blocks that are open, outermost first: the root, quotes and lists, and at last a leaf, if one is open. All that is
 * not in it stands.
 *
 * @typedef {readonly Block[]} Path
 */

/** @type {Path} */
export const EMPTY = [{ kind: "root", done: 0, outline: [] }];

const CONTAINERS = new Set(["root", "quote", "list", "item"]);

/**
 * The pieces of a leaf's text.
 *
 * @param {Block} leaf
 * @param {boolean} [isOpen] whether the text goes on.
 * @returns {import("./inline.js").Inline[]}
 */
export function piecesOf(leaf, isOpen = false) {
    if (leaf.kind === "code") {
        return leaf.text ? [{ kind: "text", text: leaf.text }] : [];
    }
    return inline(leaf.text ?? "", isOpen);
}

/**
 * What a line says inside a block that it continues; null if it does not.
 *
 * @param {Block} block
 * @param {string} line
 * @param {boolean} isLast whether nothing is open in the block.
 * @returns {?string}
 */
export function continued(block, line, isLast) {
    if (block.kind === "list") {
        return line;
    }
    const { columns, text } = indented(line);
    if (block.kind === "quote") {
        return text.startsWith(">") ? text.slice(text[1] === " " || text[1] === "\t" ? 2 : 1) : null;
    }
    if (block.kind !== "item") {
        return null;
    }
    if (text === "") {
        // An item that begins with two empty lines is over.
        return isLast && block.done === 0 ? null : "";
    }
    return columns >= /** @type {number} */ (block.indent) ? dedented(line, /** @type {number} */ (block.indent)) : null;
}

/** How many blocks of a path are no leaf.
 * @param {Path} path */
export function containersOf(path) {
    const leaf = path.findIndex(({ kind }) => !CONTAINERS.has(kind));
    return leaf < 0 ? path.length : leaf;
}

/** Where a long text is cut: at a space, if there is one, and never within a character.
 * @param {string} text */
export function cutOf(text) {
    const space = text.slice(SEGMENT_LEAST, SEGMENT).search(/\s/);
    if (space >= 0) {
        return SEGMENT_LEAST + space + 1;
    }
    return (text.charCodeAt(SEGMENT) & 0xfc00) === 0xdc00 ? SEGMENT - 1 : SEGMENT;
}
