import { element } from "../../dom.js";
import { drawn, signOf } from "./block-element.js";
import { EMPTY, piecesOf } from "./block.js";
import { BlockReader } from "./block-reader.js";
import { updateLast } from "./inline-nodes.js";

/** What a line is, its first characters say; a line that is longer is text from there on. */
const LINE = 2000;
/** A line that may still become anything: it is shown when it is known what it is. */
const UNDECIDED = /^[ \t>]*(?:[+*_]{1,3}|[-:| \t]+|\d{1,3}[.)]?|#{1,6}|`{1,3}|~{1,3})[ \t]*$/;

/**
 * Markdown that comes in pieces, as elements. What an answer says decides no more than text and structure: there is no
 * HTML in it, links lead to http, https and mailto only, and nothing is loaded.
 *
 * A piece costs its own length and that of the open line and block (at most some thousand characters), not that of the
 * whole: blocks that are finished are never read or touched again.
 *
 *     const view = new MarkdownView(bubble);
 *     view.append("**Hel");
 *     view.append("lo**");
 *     view.finish();
 */
export class MarkdownView {
    /** How many characters were read, those read again included. */
    charactersRead = 0;
    #root;
    #reader = new BlockReader((path, depth) => this.#draw(path, false, depth));
    /** For the line that is not finished: what it opens is thrown away. */
    #trial = new BlockReader((path, depth) => this.#draw(path, false, depth), false);
    #text = "";
    #line = "";
    /** Whether the line's first characters are read already. */
    #isLong = false;
    #isFinished = false;
    #path = EMPTY;
    /** @type {WeakMap<Element, Contents>} The children of each element, as far as they may change. */
    #contents = new WeakMap();
    /** @type {WeakMap<Node, import("./block-element.js").Drawn>} The block of each element. */
    #drawn = new WeakMap();

    /**
     * How many children an element has, and of a leaf what they are, but for the first ones, which stand.
     *
     * @typedef {{count: number, first: number, pieces: import("./inline.js").Inline[], text: string, isOpen: boolean}} Contents
     */

    /** @param {HTMLElement} element what it shows is replaced; it gets the class `markdown`. */
    constructor(element) {
        this.#root = element;
        element.classList.add("markdown");
        this.#clear();
    }

    /** All that was given. */
    get text() {
        return this.#text;
    }

    /** @param {string} text what comes next, cut anywhere. */
    append(text) {
        if (this.#isFinished) {
            this.#restart(this.#text + text);
            return;
        }
        this.#text += text;
        let start = 0;
        for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
            this.#read(text.slice(start, end));
            this.#endLine();
            start = end + 1;
        }
        this.#read(text.slice(start));
        this.#drawOpen();
    }

    /** @param {string} text the whole text; what it has in common with the one before may stand. */
    replace(text) {
        if (!this.#isFinished && text.startsWith(this.#text)) {
            this.append(text.slice(this.#text.length));
        } else if (text !== this.#text) {
            this.#restart(text);
        }
    }

    /** No more comes: marks that have no end are text. */
    finish() {
        if (!this.#isFinished) {
            if (this.#line !== "") {
                this.#endLine();
            }
            this.#path = this.#reader.end(this.#path);
            this.#draw(this.#path, false);
            this.#isFinished = true;
        }
    }

    /** @param {string} text */
    #restart(text) {
        this.#clear();
        this.append(text);
    }

    #clear() {
        this.#root.replaceChildren();
        this.#contents.delete(this.#root);
        this.#text = "";
        this.#line = "";
        this.#isLong = false;
        this.#isFinished = false;
        this.#path = EMPTY;
    }

    /** @param {string} text without the end of a line. */
    #read(text) {
        if (this.#isLong) {
            this.#more(text);
            return;
        }
        this.#line += text;
        if (this.#line.length > LINE) {
            const [head, rest] = [this.#line.slice(0, LINE), this.#line.slice(LINE)];
            this.charactersRead += head.length;
            this.#path = this.#reader.line(this.#path, head, false);
            this.#line = "";
            this.#isLong = true;
            this.#more(rest);
        }
    }

    /** @param {string} text */
    #more(text) {
        if (text !== "") {
            this.charactersRead += text.length;
            this.#path = this.#reader.more(this.#path, text);
        }
    }

    #endLine() {
        if (!this.#isLong) {
            this.charactersRead += this.#line.length;
            this.#path = this.#reader.line(this.#path, withoutReturn(this.#line), true);
        }
        this.#line = "";
        this.#isLong = false;
    }

    /** Draws what is known, with the open line as if it ended here. */
    #drawOpen() {
        if (this.#line === "" || UNDECIDED.test(this.#line)) {
            this.#draw(this.#path, true);
        } else {
            this.charactersRead += this.#line.length;
            this.#draw(this.#trial.line(this.#path, withoutReturn(this.#line), true), true);
        }
    }

    /**
     * Makes the page show the open blocks; what is finished is there already.
     *
     * @param {import("./block.js").Path} path
     * @param {boolean} isOpen whether the last block's text goes on.
     * @param {number} [depth] how many of the blocks are not drawn to their end: what the open line made in them before is
     *   likely made again.
     */
    #draw(path, isOpen, depth = 0) {
        let parent = this.#root;
        for (const [index, block] of path.entries()) {
            const contents = this.#contentsOf(parent);
            const child = path[index + 1];
            if (block.kind === "row") {
                this.#drawRow(parent, path, block, isOpen);
            } else if (block.text !== undefined) {
                this.#drawText(parent, contents, block, isOpen);
            } else {
                if (index >= depth) {
                    this.#dropChildren(parent, contents, block.done + (child ? 1 : 0));
                }
                if (child) {
                    parent = this.#child(parent, contents, block.done, child);
                }
            }
        }
    }

    /** @param {Element} parent @returns {Contents} */
    #contentsOf(parent) {
        let contents = this.#contents.get(parent);
        if (!contents) {
            contents = { count: 0, first: 0, pieces: [], text: "", isOpen: true };
            this.#contents.set(parent, contents);
        }
        return contents;
    }

    /** @param {Element} parent @param {Contents} contents @param {number} most */
    #dropChildren(parent, contents, most) {
        for (; contents.count > most; contents.count -= 1) {
            parent.lastChild?.remove();
        }
    }

    /**
     * The inner element of a child near the end, which is made that of the block.
     *
     * @param {Element} parent @param {Contents} contents @param {number} index @param {import("./block.js").Block} block
     */
    #child(parent, contents, index, block) {
        let node = contents.count > index ? parent.lastChild : null;
        for (let after = contents.count - 1; after > index; after -= 1) {
            node = node?.previousSibling ?? null;
        }
        const found = node && this.#drawn.get(node);
        const isKept = found?.sign === signOf(block) && this.#contentsOf(found.inner).first <= block.done;
        if (found && isKept) {
            return found.inner;
        }
        const made = drawn(block);
        this.#drawn.set(made.outer, made);
        if (node) {
            parent.replaceChild(made.outer, node);
        } else {
            parent.appendChild(made.outer);
            contents.count += 1;
        }
        return made.inner;
    }

    /** @param {Element} parent @param {Contents} contents @param {import("./block.js").Block} block @param {boolean} isOpen */
    #drawText(parent, contents, block, isOpen) {
        const text = block.text ?? "";
        const isSame = contents.first === block.done && contents.isOpen === isOpen && contents.text === text;
        if (isSame) {
            return;
        }
        this.charactersRead += text.length;
        const pieces = piecesOf(block, isOpen);
        updateLast(parent, contents.pieces.slice(block.done - contents.first), pieces);
        Object.assign(contents, { first: block.done, pieces, text, isOpen });
    }

    /**
     * @param {HTMLElement} row
     * @param {import("./block.js").Path} path
     * @param {import("./block.js").Block} block
     * @param {boolean} isOpen
     */
    #drawRow(row, path, block, isOpen) {
        const alignments = path.findLast(({ kind }) => kind === "table")?.alignments ?? [];
        const cells = block.cells ?? [];
        for (const [index, alignment] of alignments.entries()) {
            const cell = row.children[index] ?? row.appendChild(newCell(block.isHead === true, alignment));
            const isLast = index === cells.length - 1;
            this.#drawText(cell, this.#contentsOf(cell), { kind: "paragraph", done: 0, text: cells[index] ?? "" }, isOpen && isLast);
        }
    }
}

/** @param {boolean} isHead @param {string} alignment */
function newCell(isHead, alignment) {
    const attributes = { ...(isHead ? { scope: "col" } : {}), ...(alignment ? { "data-align": alignment } : {}) };
    return element(isHead ? "th" : "td", attributes);
}

/** Lines may end as on Windows.
 * @param {string} line */
const withoutReturn = (line) => (line.endsWith("\r") ? line.slice(0, -1) : line);
