import { OP, STROKE, commandLength } from "./display-list.js";
import { Regions } from "./regions.js";

/**
 * Where two display lists differ, as far as that is worth knowing: a trade changes one candle, a price line and a few
 * numbers, and the rest of the picture can stay.
 *
 * @param {{words: Uint32Array, floats: Float32Array}} before
 * @param {{words: Uint32Array, floats: Float32Array}} after
 * @param {number} area of the canvas in pixels.
 * @returns {?Regions} null where painting everything is simpler.
 */
export function damage(before, after, area) {
    const regions = new Regions();
    let a = 0;
    let b = 0;
    while (a < before.words.length && b < after.words.length) {
        const aLength = commandLength(before.words, a);
        const bLength = commandLength(after.words, b);
        const operation = after.words[b] & 0xff;
        if ((before.words[a] & 0xff) !== operation) {
            return null;
        }
        if (aLength !== bLength || !isEqual(before.words, a, after.words, b, bLength)) {
            const old = { ...before, start: a + 1, end: a + aLength };
            const now = { ...after, start: b + 1, end: b + bLength };
            if (!compare(operation, old, now, regions) || regions.isTooMuch) {
                return null;
            }
        }
        a += aLength;
        b += bLength;
    }
    const isWhole = a < before.words.length || b < after.words.length || regions.area > area * 0.4;
    return isWhole ? null : regions;
}

/**
 * @typedef {object} Command
 * @property {Uint32Array} words
 * @property {Float32Array} floats
 * @property {number} start of its operands.
 * @property {number} end
 */

/** @param {number} operation @param {Command} old @param {Command} now @param {Regions} regions @returns {boolean} false where the whole picture may be another one. */
function compare(operation, old, now, regions) {
    switch (operation) {
        case OP.fillRects:
            batch(old, now, 1, regions, rectangle);
            return true;
        case OP.segments:
            batch(old, now, STROKE, regions, segment);
            return true;
        case OP.polyline:
            polyline(old, now, regions);
            return true;
        case OP.fillPolygon:
            points(old, old.start + 1, old.end, 1, regions);
            points(now, now.start + 1, now.end, 1, regions);
            return true;
        case OP.roundRect:
            rectangle(old.floats, old.start + 1, 0, regions);
            rectangle(now.floats, now.start + 1, 0, regions);
            return true;
        case OP.text:
            text(old, regions);
            text(now, regions);
            return true;
        default:
            return false;
    }
}

/**
 * Shapes of four numbers each after `style` words. What both have at the beginning and at the end is left out; of as
 * many shapes on both sides, those that are equal too.
 * @param {Command} old @param {Command} now @param {number} style @param {Regions} regions @param {(floats: Float32Array, at: number, width: number, regions: Regions) => void} add
 */
function batch(old, now, style, regions, add) {
    let a = old.start + style;
    let b = now.start + style;
    let aEnd = old.end;
    let bEnd = now.end;
    const hasStyle = isEqual(old.words, old.start, now.words, now.start, style);
    const isSame = (/** @type {number} */ i, /** @type {number} */ j) => hasStyle && isEqual(old.words, i, now.words, j, 4);
    while (a < aEnd && b < bEnd && isSame(a, b)) {
        a += 4;
        b += 4;
    }
    while (a < aEnd && b < bEnd && isSame(aEnd - 4, bEnd - 4)) {
        aEnd -= 4;
        bEnd -= 4;
    }
    const isPaired = aEnd - a === bEnd - b;
    const oldWidth = style === STROKE ? old.floats[old.start + 1] : 0;
    const width = style === STROKE ? now.floats[now.start + 1] : 0;
    for (; (a < aEnd || b < bEnd) && !regions.isTooMuch; a += 4, b += 4) {
        if (isPaired && isSame(a, b)) {
            continue;
        }
        if (a < aEnd) {
            add(old.floats, a, oldWidth, regions);
        }
        if (b < bEnd) {
            add(now.floats, b, width, regions);
        }
    }
}

/** @param {Float32Array} floats @param {number} at @param {number} _width @param {Regions} regions */
function rectangle(floats, at, _width, regions) {
    regions.add(floats[at], floats[at + 1], floats[at] + floats[at + 2], floats[at + 1] + floats[at + 3]);
}

/** @param {Float32Array} floats @param {number} at @param {number} width @param {Regions} regions */
function segment(floats, at, width, regions) {
    const [x1, y1, x2, y2] = floats.subarray(at, at + 4);
    regions.add(
        Math.min(x1, x2) - width,
        Math.min(y1, y2) - width,
        Math.max(x1, x2) + width,
        Math.max(y1, y2) + width,
    );
}

/** A line whose points are as many as before is another one only about the points that moved.
 * @param {Command} old @param {Command} now @param {Regions} regions */
function polyline(old, now, regions) {
    const isDashed = now.floats[now.start + 2] !== 0 || now.floats[now.start + 3] !== 0;
    const width = Math.max(old.floats[old.start + 1], now.floats[now.start + 1]) + 1;
    const hasStyle = isEqual(old.words, old.start, now.words, now.start, STROKE);
    if (!hasStyle || isDashed || old.end - old.start !== now.end - now.start) {
        points(old, old.start + STROKE, old.end, width, regions);
        points(now, now.start + STROKE, now.end, width, regions);
        return;
    }
    const offset = old.start - now.start;
    for (let i = now.start + STROKE; i < now.end && !regions.isTooMuch; i += 2) {
        if (!isEqual(old.words, i + offset, now.words, i, 2)) {
            const from = Math.max(i - 2, now.start + STROKE);
            const to = Math.min(i + 4, now.end);
            points(old, from + offset, to + offset, width, regions);
            points(now, from, to, width, regions);
        }
    }
}

/** All points from one word to another, with so much room about them.
 * @param {Command} command @param {number} from @param {number} to @param {number} room @param {Regions} regions */
function points({ floats }, from, to, room, regions) {
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (let i = from; i < to; i += 2) {
        left = Math.min(left, floats[i]);
        right = Math.max(right, floats[i]);
        top = Math.min(top, floats[i + 1]);
        bottom = Math.max(bottom, floats[i + 1]);
    }
    if (left <= right) {
        regions.add(left - room, top - room, right + room, bottom + room);
    }
}

/** @param {Command} command @param {Regions} regions */
function text({ words, floats, start }, regions) {
    const { left, top, right, bottom } = textBounds(words, floats, start);
    regions.add(left, top, right, bottom);
}

/**
 * A box that holds the text of a command for certain: no glyph is wider than an em a byte.
 *
 * @param {Uint32Array} words @param {Float32Array} floats @param {number} at its operands.
 */
export function textBounds(words, floats, at) {
    const x = floats[at + 1];
    const y = floats[at + 2];
    const size = floats[at + 3];
    const width = (words[at + 5] + 1) * size;
    const left = x - [size, width / 2, width][words[at + 4] & 0xff];
    return { left, top: y - size, right: left + width + size, bottom: y + size };
}

/** @param {Uint32Array} a @param {number} i @param {Uint32Array} b @param {number} j @param {number} length */
function isEqual(a, i, b, j, length) {
    for (let k = 0; k < length; k += 1) {
        if (a[i + k] !== b[j + k]) {
            return false;
        }
    }
    return true;
}
