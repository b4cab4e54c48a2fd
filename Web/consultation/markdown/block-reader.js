import { containersOf, continued, cutOf, EMPTY, piecesOf, SEGMENT } from "./block.js";
import {
    alignmentsIn,
    cellsIn,
    closesFence,
    dedented,
    fenceIn,
    headingIn,
    indented,
    isBlank,
    isRule,
    itemIn,
} from "./lines.js";

/**
 * @typedef {import("./block.js").Block} Block
 * @typedef {import("./block.js").Path} Path
 */

/** Lists and quotes within each other; deeper marks are text. */
const DEEPEST = 20;

/**
 * Reads markdown line by line: CommonMark with tables, without HTML, indented code, references and headings by underline.
 * A line costs its own length and the depth of what is open.
 */
export class BlockReader {
    #finish;
    #cuts;
    /** @type {Path} */
    #path = EMPTY;

    /**
     * @param {(path: Path, depth: number) => void} finish draws what is open for the last time: all but the first `depth`
     *   blocks end, or the last one's text is cut.
     * @param {boolean} [cuts] whether long texts are cut into pieces that stand; not where a line may still change.
     */
    constructor(finish, cuts = true) {
        this.#finish = finish;
        this.#cuts = cuts;
    }

    /**
     * What is open after a line.
     *
     * @param {Path} path
     * @param {string} line without its end.
     * @param {boolean} isWhole whether that was all of it: only then it can be a rule, a fence or a row.
     * @returns {Path}
     */
    line(path, line, isWhole) {
        this.#path = path;
        let rest = line;
        let depth = 1;
        for (; depth < path.length; depth += 1) {
            const inside = continued(path[depth], rest, path.length - 1 === depth);
            if (inside === null) {
                break;
            }
            rest = inside;
        }
        const leaf = /** @type {Block} */ (path.at(-1));
        const isWithin = depth === containersOf(path);
        if (leaf.kind === "code" && isWithin && !leaf.isClosed) {
            this.#code(leaf, rest, isWhole);
        } else if (isBlank(rest) && isWhole) {
            this.#closeTo(depth);
        } else {
            this.#block(depth, rest, isWhole, isWithin);
        }
        return this.#path;
    }

    /**
     * More of a line that was not whole.
     *
     * @param {Path} path
     * @param {string} text
     * @returns {Path}
     */
    more(path, text) {
        this.#path = path;
        if (path.at(-1)?.text === undefined) {
            this.#leaf(path.length, { kind: "paragraph", done: 0, text: "" });
        }
        this.#append(text);
        return this.#path;
    }

    /** Ends everything.
     * @param {Path} path @returns {Path} */
    end(path) {
        this.#path = path;
        this.#closeTo(1);
        return this.#path;
    }

    /** @param {Block} leaf @param {string} line @param {boolean} isWhole */
    #code(leaf, line, isWhole) {
        const { columns, text } = indented(line);
        if (isWhole && columns < 4 && closesFence(text, /** @type {{mark: string, length: number}} */ (leaf.fence))) {
            this.#replaceLeaf({ ...leaf, isClosed: true });
            return;
        }
        // Lines end where the next begins: whether there is one, the last line does not know.
        this.#replaceLeaf({ ...leaf, isBegun: true });
        this.#append(`${leaf.isBegun ? "\n" : ""}${dedented(line, leaf.indent ?? 0)}`);
    }

    /**
     * A line that is not code: opens what it begins with, and puts its text into a leaf.
     *
     * @param {number} depth how many blocks of the path it continues.
     * @param {string} line
     * @param {boolean} isWhole
     * @param {boolean} isWithin whether those are all but the leaf.
     */
    #block(depth, line, isWhole, isWithin) {
        let rest = line;
        let isNew = false;
        while (true) {
            const { columns, text } = indented(rest);
            const leaf = /** @type {Block} */ (this.#path.at(-1));
            const inParagraph = !isNew && leaf.kind === "paragraph";
            if (text.startsWith(">") && depth < DEEPEST) {
                this.#closeTo(this.#outOfList(depth));
                this.#open({ kind: "quote", done: 0 });
                rest = text.slice(text[1] === " " || text[1] === "\t" ? 2 : 1);
            } else if (isWhole && isRule(text)) {
                this.#leaf(depth, { kind: "rule", done: 0 });
                return;
            } else if (opensItem(itemIn(text), inParagraph && isWithin) && depth < DEEPEST) {
                rest = this.#item(depth, columns, /** @type {NonNullable<ReturnType<typeof itemIn>>} */ (itemIn(text)));
            } else {
                this.#text(depth, columns, text, isWhole, isNew ? null : isWithin);
                return;
            }
            if (isWhole && isBlank(rest)) {
                return;
            }
            isNew = true;
            depth = this.#path.length;
        }
    }

    /** Opens an item, and its list if that is another one.
     * @returns {string} the item's text. */
    #item(
        /** @type {number} */ depth,
        /** @type {number} */ columns,
        /** @type {NonNullable<ReturnType<typeof itemIn>>} */ { type, start, width, text },
    ) {
        const list = this.#path[depth - 1];
        if (list.kind === "list" && list.type === type) {
            this.#closeTo(depth);
        } else {
            this.#closeTo(this.#outOfList(depth));
            this.#open({ kind: "list", done: 0, type, start });
        }
        this.#open({ kind: "item", done: 0, indent: columns + width });
        return text;
    }

    /**
     * @param {number} depth
     * @param {number} columns
     * @param {string} text
     * @param {boolean} isWhole
     * @param {?boolean} isWithin null where the line opened a block already.
     */
    #text(depth, columns, text, isWhole, isWithin) {
        const leaf = /** @type {Block} */ (this.#path.at(-1));
        const isTable = isWithin && (leaf.kind === "row" || leaf.kind === "table");
        const fence = isWhole ? fenceIn(text) : null;
        const heading = headingIn(text);
        if (fence) {
            const { mark, length, language } = fence;
            this.#leaf(depth, { kind: "code", done: 0, text: "", indent: columns, language, fence: { mark, length } });
        } else if (heading) {
            this.#heading(depth, heading);
        } else if (isTable && isWhole && text.includes("|")) {
            this.#row(cellsIn(text));
        } else if (isWithin !== null && leaf.kind === "paragraph") {
            if (!isWithin || !isWhole || !this.#table(leaf, text)) {
                this.#append(`\n${text}`);
            }
        } else {
            this.#leaf(depth, { kind: "paragraph", done: 0, text: "" });
            this.#append(text);
        }
    }

    /** @param {number} depth @param {{level: number, text: string}} heading */
    #heading(depth, { level, text }) {
        const outline = [.../** @type {number[]} */ (this.#path[0].outline).filter((above) => above < level), level];
        this.#leaf(depth, { kind: "heading", done: 0, text: "", level, depth: outline.length });
        this.#path = [{ ...this.#path[0], outline }, ...this.#path.slice(1)];
        this.#append(text);
    }

    /** Whether the line makes a table of the paragraph's last one.
     * @param {Block} leaf @param {string} line */
    #table(leaf, line) {
        const alignments = alignmentsIn(line);
        const text = leaf.text ?? "";
        const start = text.lastIndexOf("\n") + 1;
        const head = text.slice(start);
        const isCut = start === 0 && leaf.done > 0;
        if (!alignments || isCut || !head.includes("|") || cellsIn(head).length !== alignments.length) {
            return false;
        }
        const depth = this.#path.length - 1;
        if (start > 0) {
            this.#replaceLeaf({ ...leaf, text: text.slice(0, start - 1) });
            this.#closeTo(depth);
        } else {
            this.#path = this.#path.slice(0, depth);
        }
        this.#open({ kind: "table", done: 0, alignments });
        this.#open({ kind: "row", done: 0, cells: cellsIn(head), isHead: true });
        return true;
    }

    /** @param {string[]} cells */
    #row(cells) {
        const table = this.#path.findLastIndex(({ kind }) => kind === "table");
        const columns = /** @type {string[]} */ (this.#path[table].alignments).length;
        const fitting = cells.slice(0, columns);
        if (cells.length > columns) {
            // What the head has no column for is not lost.
            fitting[columns - 1] = cells.slice(columns - 1).join(" | ");
        }
        if (this.#path[table + 1]?.kind === "body") {
            this.#closeTo(table + 2);
        } else {
            this.#closeTo(table + 1);
            this.#open({ kind: "body", done: 0 });
        }
        this.#open({ kind: "row", done: 0, cells: fitting });
    }

    /** @param {string} text */
    #append(text) {
        let leaf = /** @type {Block} */ (this.#path.at(-1));
        let rest = (leaf.text ?? "") + text;
        while (this.#cuts && rest.length > SEGMENT) {
            const piece = { ...leaf, text: rest.slice(0, cutOf(rest)) };
            this.#replaceLeaf(piece);
            this.#finish(this.#path, this.#path.length);
            leaf = { ...leaf, text: "", done: leaf.done + piecesOf(piece).length };
            rest = rest.slice(piece.text.length);
        }
        this.#replaceLeaf({ ...leaf, text: rest });
    }

    /** @param {Block} leaf */
    #replaceLeaf(leaf) {
        this.#path = [...this.#path.slice(0, -1), leaf];
    }

    /** @param {Block} block */
    #open(block) {
        this.#path = [...this.#path, block];
    }

    /** @param {number} depth @param {Block} leaf */
    #leaf(depth, leaf) {
        this.#closeTo(this.#outOfList(depth));
        this.#open(leaf);
    }

    /** A list holds items only: whatever else comes is beside it.
     * @param {number} depth */
    #outOfList(depth) {
        return this.#path[depth - 1].kind === "list" ? depth - 1 : depth;
    }

    /** Closes all blocks but the first ones.
     * @param {number} depth how many stay open. */
    #closeTo(depth) {
        if (this.#path.length > depth) {
            this.#finish(this.#path, depth);
            const last = this.#path[depth - 1];
            this.#path = [...this.#path.slice(0, depth - 1), { ...last, done: last.done + 1 }];
        }
    }
}

/**
 * Whether it is the beginning of an item. In a paragraph only where it must be meant: “1986. A great year.” is none.
 *
 * @param {ReturnType<typeof itemIn>} item
 * @param {boolean} inParagraph
 */
function opensItem(item, inParagraph) {
    return item !== null && (!inParagraph || (item.text !== "" && item.start === 1));
}
