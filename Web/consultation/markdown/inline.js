import { joined, paired, runIn } from "./emphasis.js";
import { addressIn, destinationIn, linkAddress } from "./link-address.js";

/**
 * What stands within a block. Images are links to them: a message must not make the page call a stranger's server.
 *
 * @typedef {{kind: "text" | "code", text: string, children?: undefined, depth?: undefined}} InlineText
 * @typedef {{kind: "em" | "strong" | "del" | "link", children: Inline[], depth: number, address?: string, text?: undefined}}
 *   InlineParent
 * @typedef {{kind: "break", text?: undefined, children?: undefined, depth?: undefined}} InlineBreak
 * @typedef {InlineText | InlineParent | InlineBreak} Inline
 */

const PLAIN = /[^\\`\n*_~[\]!<&h]+/y;
const MARKS = /\*+|_+|~+/y;
const TICKS = /`+/g;
const ENTITY = /&(?:amp|lt|gt|quot|apos|#39|nbsp);/y;
/** @type {Record<string, string>} */
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&nbsp;": "\u00a0" };
const ESCAPABLE = /[!-/:-@[-`{-~]/;
/** Marks at the very end of a text that goes on: what they mean, the next characters say. */
const UNDECIDED = /(?:[*_~`]{1,3}|!?\[)$/;
/** A link whose address is still being written. */
const UNFINISHED_LINK = /!?\[([^[\]]*)\]\([^()\s]*$/;

/**
 * Reads the text of a block. The cost is that of its length, whatever it says.
 *
 * @param {string} text
 * @param {boolean} [isOpen] whether it goes on: emphasis, code and links without their end are shown as if they had it.
 * @returns {Inline[]}
 */
export function inline(text, isOpen = false) {
    return new InlineReader(isOpen ? text.replace(UNDECIDED, "").replace(UNFINISHED_LINK, "$1") : text, isOpen).read();
}

class InlineReader {
    /** @type {(Inline | import("./emphasis.js").Run)[]} */
    #items = [];
    /** @type {number[]} Brackets that may begin a link: where they stand among the items. */
    #brackets = [];
    /** @type {?Map<number, number[]>} Ends of runs of backticks by their length, in their order. */
    #ticks = null;
    #text;
    #isOpen;
    #at = 0;

    /** @param {string} text @param {boolean} isOpen */
    constructor(text, isOpen) {
        this.#text = text;
        this.#isOpen = isOpen;
    }

    read() {
        while (this.#at < this.#text.length) {
            this.#next();
        }
        return paired(this.#items, this.#isOpen);
    }

    #next() {
        const text = this.#text;
        PLAIN.lastIndex = this.#at;
        const plain = PLAIN.exec(text);
        if (plain) {
            this.#add(plain[0], plain[0].length);
            return;
        }
        switch (text[this.#at]) {
            case "\\":
                this.#escape();
                break;
            case "`":
                this.#code();
                break;
            case "\n":
                this.#newline();
                break;
            case "*":
            case "_":
            case "~":
                MARKS.lastIndex = this.#at;
                MARKS.test(text);
                this.#items.push(runIn(text, this.#at, MARKS.lastIndex));
                this.#at = MARKS.lastIndex;
                break;
            case "[":
            case "!":
                this.#bracket();
                break;
            case "]":
                this.#link();
                break;
            case "&":
                this.#entity();
                break;
            default:
                this.#address();
        }
    }

    /** @param {string} text @param {number} length how much of the source it is. */
    #add(text, length) {
        this.#items.push({ kind: "text", text });
        this.#at += length;
    }

    #escape() {
        const next = this.#text[this.#at + 1] ?? "";
        if (next === "\n") {
            this.#items.push({ kind: "break" });
            this.#at += 2;
        } else {
            ESCAPABLE.test(next) ? this.#add(next, 2) : this.#add("\\", 1);
        }
    }

    #entity() {
        ENTITY.lastIndex = this.#at;
        const name = ENTITY.exec(this.#text)?.[0] ?? "&";
        this.#add(ENTITIES[name] ?? name, name.length);
    }

    #newline() {
        const last = this.#items.at(-1);
        if (last && "text" in last && last.kind === "text" && last.text.endsWith("  ")) {
            last.text = last.text.trimEnd();
            this.#items.push({ kind: "break" });
            this.#at += 1;
        } else {
            this.#add("\n", 1);
        }
    }

    #code() {
        const text = this.#text;
        this.#ticks ??= ticksIn(text);
        TICKS.lastIndex = this.#at;
        const run = /** @type {RegExpExecArray} */ (TICKS.exec(text))[0].length;
        const start = this.#at + run;
        const ends = this.#ticks.get(run) ?? [];
        while (ends.length > 0 && ends[0] <= start) {
            ends.shift();
        }
        if (ends.length > 0) {
            this.#codeOf(text.slice(start, ends[0] - run), ends[0]);
        } else if (this.#isOpen && run < 3) {
            this.#codeOf(text.slice(start), text.length);
        } else {
            this.#add("`".repeat(run), run);
        }
    }

    /** @param {string} source @param {number} end */
    #codeOf(source, end) {
        const text = source.replaceAll("\n", " ");
        const isPadded = text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "";
        this.#items.push({ kind: "code", text: isPadded ? text.slice(1, -1) : text });
        this.#at = end;
    }

    #bracket() {
        const isImage = this.#text[this.#at] === "!";
        if (isImage && this.#text[this.#at + 1] !== "[") {
            this.#add("!", 1);
            return;
        }
        this.#brackets.push(this.#items.length);
        isImage ? this.#add("![", 2) : this.#add("[", 1);
    }

    #link() {
        const start = this.#brackets.pop();
        const found = this.#text[this.#at + 1] === "(" ? destinationIn(this.#text, this.#at + 1) : null;
        if (start === undefined || !found) {
            this.#add("]", 1);
            return;
        }
        const label = paired(this.#items.splice(start + 1), false);
        this.#items.pop();
        // Links do not nest: the bracket of one around this is text.
        this.#brackets = [];
        this.#at = found.end;
        const address = linkAddress(found.destination);
        if (!address) {
            this.#items.push(...label);
            return;
        }
        const children = label.length > 0 ? unlinked(label) : [{ kind: /** @type {const} */ ("text"), text: address }];
        const depth = 1 + children.reduce((deepest, each) => Math.max(deepest, each.depth ?? 0), 0);
        this.#items.push({ kind: "link", address, children, depth });
    }

    #address() {
        const found = addressIn(this.#text, this.#at);
        if (found) {
            this.#items.push({ kind: "link", address: found.address, children: [{ kind: "text", text: found.text }], depth: 1 });
            this.#at = found.end;
        } else {
            this.#add(this.#text[this.#at], 1);
        }
    }
}

/** @param {string} text */
function ticksIn(text) {
    /** @type {Map<number, number[]>} */
    const ends = new Map();
    TICKS.lastIndex = 0;
    for (const { 0: run, index = 0 } of text.matchAll(TICKS)) {
        const list = ends.get(run.length) ?? [];
        ends.set(run.length, list);
        list.push(index + run.length);
    }
    return ends;
}

/** Without links in it: an address that is a link's text is not one itself.
 * @param {Inline[]} items @returns {Inline[]} */
function unlinked(items) {
    return joined(
        items.flatMap((item) => {
            if (item.kind === "link") {
                return item.children;
            }
            return item.children ? [{ ...item, children: unlinked(item.children) }] : [item];
        }),
    );
}
