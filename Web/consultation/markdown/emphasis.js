/** Marks within marks beyond this stay text: the depth of the page must not be up to a message. */
const DEEPEST = 12;

/**
 * A run of `*`, `_` or `~` whose meaning depends on what follows.
 *
 * @typedef {{mark: string, count: number, opens: boolean, closes: boolean}} Run
 * @typedef {import("./inline.js").Inline} Inline
 * @typedef {{at: number, mark: string, count: number, length: number, opens: boolean, closes: boolean}} Opener a run that
 *   waits for its end: where it stands among what was made, how many marks are left, and how many there were.
 */

/**
 * Whether a run may begin or end emphasis, by what stands around it (CommonMark 0.31, 6.2).
 *
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Run}
 */
export function runIn(text, start, end) {
    const before = start > 0 ? characterAt(text, isLowSurrogate(text, start - 1) ? start - 2 : start - 1) : " ";
    const after = characterAt(text, end);
    const left = !isSpace(after) && (!isMark(after) || isSpace(before) || isMark(before));
    const right = !isSpace(before) && (!isMark(before) || isSpace(after) || isMark(after));
    const mark = text[start];
    const count = end - start;
    if (mark === "~") {
        return { mark, count, opens: left && count === 2, closes: right && count === 2 };
    }
    const isWordly = mark === "_";
    return {
        mark,
        count,
        opens: left && (!isWordly || !right || isMark(before)),
        closes: right && (!isWordly || !left || isMark(after)),
    };
}

/** The character at a place, space beyond the end.
 * @param {string} text @param {number} at */
function characterAt(text, at) {
    const point = text.codePointAt(at);
    return point === undefined ? " " : String.fromCodePoint(point);
}

/** @param {string} text @param {number} at */
const isLowSurrogate = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
/** @param {string} each */
const isSpace = (each) => /\s/u.test(each);
/** @param {string} each */
const isMark = (each) => /[\p{P}\p{S}]/u.test(each);

/**
 * Pairs the runs of a line of text: what stands between the two of a pair becomes its child.
 *
 * @param {(Inline | Run)[]} items
 * @param {boolean} isOpen whether the text goes on: a pair without its end then ends here, so that emphasis does not
 *   first show its marks and then lose them.
 * @returns {Inline[]}
 */
export function paired(items, isOpen) {
    const pairs = new Pairs();
    for (const item of items) {
        "mark" in item ? pairs.run(item) : pairs.made.push(item);
    }
    if (isOpen) {
        pairs.closeAll();
    }
    return joined(pairs.made);
}

class Pairs {
    /** @type {Inline[]} */
    made = [];
    /** @type {Opener[]} */
    #openers = [];
    /** @type {Map<string, number>} Below which opener there is none for a kind of closer: each is looked at once. */
    #floors = new Map();

    /** @param {Run} run */
    run({ mark, count, opens, closes }) {
        const length = count;
        while (closes && count > 0) {
            const place = this.#openerFor(mark, length, opens);
            if (place === null) {
                break;
            }
            const opener = this.#openers[place];
            const used = mark === "~" || (opener.count > 1 && count > 1) ? 2 : 1;
            if (!this.#wrap(place, used)) {
                break;
            }
            count -= used;
        }
        if (count > 0) {
            if (opens) {
                this.#openers.push({ at: this.made.length, mark, count, length, opens, closes });
            }
            this.made.push({ kind: "text", text: mark.repeat(count) });
        }
    }

    /** Ends what is open, innermost first; marks with nothing after them are not shown. */
    closeAll() {
        while (this.#openers.length > 0) {
            const { mark, count } = /** @type {Opener} */ (this.#openers.at(-1));
            this.#wrap(this.#openers.length - 1, mark !== "~" && count % 2 ? 1 : 2);
        }
    }

    /** @param {string} mark @param {number} length @param {boolean} opens */
    #openerFor(mark, length, opens) {
        const key = `${mark}${length % 3}${opens}`;
        const floor = this.#floors.get(key) ?? 0;
        for (let place = this.#openers.length - 1; place >= floor; place -= 1) {
            const opener = this.#openers[place];
            // Of three marks and one, `***a*`, the rule of three keeps pairs from crossing.
            const crosses = (opener.closes || opens) && (opener.length + length) % 3 === 0 && length % 3 !== 0;
            if (opener.mark === mark && !(crosses && mark !== "~")) {
                return place;
            }
        }
        this.#floors.set(key, this.#openers.length);
        return null;
    }

    /**
     * Makes what came after the opener its child.
     *
     * @param {number} place
     * @param {number} used marks of each side.
     * @returns {boolean} false if that were too deep; then nothing that is open has an end, it would be deeper still.
     */
    #wrap(place, used) {
        const opener = this.#openers[place];
        const children = joined(this.made.slice(opener.at + 1));
        const depth = 1 + children.reduce((deepest, each) => Math.max(deepest, each.depth ?? 0), 0);
        if (depth > DEEPEST) {
            this.#openers = [];
            this.#floors.clear();
            return false;
        }
        this.made.length = opener.at + 1;
        this.#openers.length = place + 1;
        opener.count -= used;
        if (opener.count > 0) {
            this.made[opener.at] = { kind: "text", text: opener.mark.repeat(opener.count) };
        } else {
            this.made.pop();
            this.#openers.pop();
        }
        for (const [key, floor] of this.#floors) {
            this.#floors.set(key, Math.min(floor, this.#openers.length));
        }
        if (children.length > 0) {
            this.made.push({ kind: opener.mark === "~" ? "del" : used === 2 ? "strong" : "em", children, depth });
        }
        return true;
    }
}

/** Texts side by side are one.
 * @param {Inline[]} items @returns {Inline[]} */
export function joined(items) {
    /** @type {Inline[]} */
    const made = [];
    for (const item of items) {
        const last = made.at(-1);
        if (item.kind === "text" && last?.kind === "text") {
            made[made.length - 1] = { kind: "text", text: last.text + item.text };
        } else {
            made.push(item);
        }
    }
    return made;
}
