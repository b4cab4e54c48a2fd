import { inline } from "./markdown/inline.js";
import { alignmentsIn, cellsIn, closesFence, fenceIn, isRule } from "./markdown/lines.js";

/** A sentence that does not end is said in parts of this many characters. */
const MAX_LENGTH = 600;
/** What may come of a line that begins so is not known before its end. */
const UNDECIDED = /^[ \t]*(?:[-+*_]{1,3}|\d{1,9}[.)]?|#{1,6}|[`~]+.*|\|.*)?[ \t]*$/;
/** Marks before a line's text: of quotes, items and headings. */
const MARKS = /^[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t]))[ \t]?/;
/** The end of a sentence: known by what comes after it. “e.g. this” is none. */
const END = /(?:[.!?…]+["'”’)\]*_~`]*\s+(?=[^\s\p{Ll}])|[。！？]+["'”’）」』*_~`]*(?=[^。！？"'”’）」』*_~`]))/gu;

/**
 * Finds the sentences of markdown that comes in pieces, without its marks, each when it is finished. Code is left out; a
 * table's row is a sentence of its cells.
 */
export class SentenceFeeder {
    #say;
    /** Of the line that is not finished, what is not in the block yet. */
    #line = "";
    /** Whether the line's beginning is read, and the rest of it is text. */
    #isText = false;
    #isHeading = false;
    /** What was not said of the block. */
    #block = "";
    /** @type {?{mark: string, length: number}} of the code that is open. */
    #fence = null;

    /** @param {(sentence: string) => void} say */
    constructor(say) {
        this.#say = say;
    }

    /** @param {string} text what comes next, cut anywhere. */
    append(text) {
        const [first, ...rest] = text.split("\n");
        this.#more(first);
        for (const line of rest) {
            this.#endLine();
            this.#more(line);
        }
    }

    /** No more comes: says what is left. */
    finish() {
        this.#endLine();
        this.#endBlock();
        this.#fence = null;
    }

    /** @param {string} text */
    #more(text) {
        if (this.#isText) {
            this.#block += text;
            this.#saySentences();
            return;
        }
        this.#line += text;
        if (!this.#fence && !UNDECIDED.test(withoutMarks(this.#line).text)) {
            this.#begin(withoutMarks(this.#line));
        }
    }

    /** @param {{text: string, isNew: boolean, isHeading: boolean}} line */
    #begin({ text, isNew, isHeading }) {
        if (isNew) {
            this.#endBlock();
        }
        this.#block += (this.#block === "" ? "" : " ") + text.trimStart();
        this.#line = "";
        this.#isText = true;
        this.#isHeading = isHeading;
        this.#saySentences();
    }

    #endLine() {
        const line = withoutMarks(this.#line);
        const text = line.text.trim();
        const fence = fenceIn(text);
        if (this.#fence) {
            this.#fence = closesFence(this.#line.replace(/^[>\s]+/, ""), this.#fence) ? null : this.#fence;
        } else if (this.#isText) {
            this.#isHeading && this.#endBlock();
        } else if (fence) {
            this.#endBlock();
            this.#fence = fence;
        } else if (text === "" || isRule(text) || alignmentsIn(text)) {
            this.#endBlock();
        } else if (text.startsWith("|")) {
            this.#endBlock();
            this.#speak(cellsIn(text).filter(Boolean).join(", "));
        } else {
            this.#begin({ ...line, text });
            this.#isHeading && this.#endBlock();
        }
        this.#line = "";
        this.#isText = false;
    }

    #endBlock() {
        this.#speak(this.#block);
        this.#block = "";
    }

    #saySentences() {
        for (let end = endIn(this.#block); end > 0; end = endIn(this.#block)) {
            this.#speak(this.#block.slice(0, end));
            this.#block = this.#block.slice(end);
        }
    }

    /** @param {string} source */
    #speak(source) {
        const words = textOf(inline(source, true)).replace(/\*\*|__|~~|`/g, "").replace(/\s+/g, " ").trim();
        if (/[\p{L}\p{N}]/u.test(words)) {
            this.#say(words);
        }
    }
}

/** A line's text, and whether its marks begin a block.
 * @param {string} line */
function withoutMarks(line) {
    let text = line;
    let all = "";
    for (let marks = MARKS.exec(text); marks; marks = MARKS.exec(text)) {
        all += marks[0];
        text = text.slice(marks[0].length);
    }
    return { text, isNew: /[^\s>]/.test(all), isHeading: all.includes("#") };
}

/** Where the first sentence of a text ends; 0 if it may go on.
 * @param {string} text */
function endIn(text) {
    const part = text.slice(0, MAX_LENGTH);
    for (const { 0: found, index = 0 } of part.matchAll(END)) {
        const end = index + found.length;
        if (isOutside(part.slice(0, end))) {
            return end;
        }
    }
    if (text.length < MAX_LENGTH) {
        return 0;
    }
    const space = part.lastIndexOf(" ");
    return space > 0 ? space + 1 : MAX_LENGTH - (/[\ud800-\udbff]$/.test(part) ? 1 : 0);
}

/** Whether a text ends outside of code and of a link's words.
 * @param {string} text */
function isOutside(text) {
    let ticks = 0;
    let brackets = 0;
    for (const each of text) {
        ticks += each === "`" ? 1 : 0;
        brackets = Math.max(0, brackets + (each === "[" ? 1 : each === "]" ? -1 : 0));
    }
    return ticks % 2 === 0 && brackets === 0;
}

/** @param {readonly import("./markdown/inline.js").Inline[]} items @returns {string} */
function textOf(items) {
    return items.map((item) => item.text ?? (item.children ? textOf(item.children) : " ")).join("");
}
