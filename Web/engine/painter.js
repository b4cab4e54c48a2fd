import { damage, textBounds } from "./damage.js";
import { OP, STROKE, commandLength, resizeList } from "./display-list.js";

/** Faces whose digits are all equally wide, so that a changing price does not shake. */
const FONT = '"Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif';
/** By the number that a list has for it. */
const WEIGHTS = ["400", "600"];
const ALIGNMENTS = /** @type {const} */ (["left", "center", "right"]);
const SOLID = /** @type {number[]} */ ([]);
/** Lines of a path: more make it no faster. */
const LINES = 128;
/** The characters of ASCII by number. */
const PLAIN = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte));
/** A value that no other code gives the context: while it is there, so is the picture. */
const MARK = 7.5;

/** @typedef {import("./regions.js").Region} Region */

/**
 * Replays display lists on a canvas. It knows rectangles, lines and text, and nothing of charts: what a picture means
 * was decided by the engine, which draws the same one natively.
 *
 * Of a list that is for the most part the one before, only the places that differ are painted.
 */
export class Painter {
    #canvas;
    #context;
    #isTransparent;
    #decoder = new TextDecoder();
    /** @type {Map<number, string>} */
    #colours = new Map();
    #isClipped = false;
    #font = "";
    /** The list that is on the canvas, in storage that is kept. */
    #before = { words: new Uint32Array(0), floats: new Float32Array(0) };
    /** @type {?Region} What is being painted; null is everything. */
    #region = null;

    /**
     * @param {HTMLCanvasElement} canvas sized in device pixels, as the list's coordinates are.
     * @param {{transparent?: boolean}} options `transparent`: what lies below shows through where the list, which
     *   then begins with no background, leaves something free.
     */
    constructor(canvas, { transparent = false } = {}) {
        this.#canvas = canvas;
        this.#isTransparent = transparent;
        const context = canvas.getContext("2d", { alpha: transparent });
        if (!context) {
            throw new Error("this browser has no 2D canvas");
        }
        this.#context = context;
        // The browser looks for the faces now, and not while the first picture waits.
        for (const weight of WEIGHTS) {
            context.font = `${weight} 12px ${FONT}`;
            context.measureText("0");
        }
    }

    /** Gives a canvas without a picture its memory now: its first picture would wait for it. */
    prepare() {
        if (this.#context.miterLimit !== MARK) {
            this.#context.clearRect(0, 0, 1, 1);
        }
    }

    /**
     * @param {Uint32Array} words
     * @param {Float32Array} floats the same words read as floats.
     * @param {boolean} [isNew] whether it is known to be another picture than the one before.
     */
    paint(words, floats, isNew = false) {
        const context = this.#context;
        const { width, height } = this.#canvas;
        if (words.length === 0 && context.miterLimit !== MARK) {
            // Blank already. A canvas that nothing was ever drawn on has no pixels, and costs nothing in any frame.
            return;
        }
        const after = { words, floats };
        // A canvas that got a size, or lost its context, is blank and has forgotten every setting.
        const isKept = context.miterLimit === MARK && !isNew;
        const changed = isKept ? damage(this.#before, after, width * height) : null;
        context.miterLimit = MARK;
        context.textBaseline = "middle";
        context.lineJoin = "round";
        if (changed) {
            for (const region of changed.list) {
                this.#paintRegion(after, region);
            }
        } else {
            if (this.#isTransparent) {
                context.clearRect(0, 0, width, height);
            }
            this.#replay(after);
        }
        this.#keep(words);
    }

    /** @param {import("./chart-surface.js").List} list @param {Region} region */
    #paintRegion(list, region) {
        const context = this.#context;
        const { left, top, right, bottom } = region;
        context.save();
        context.beginPath();
        context.rect(left, top, right - left, bottom - top);
        context.clip();
        if (this.#isTransparent) {
            context.clearRect(left, top, right - left, bottom - top);
        }
        this.#region = region;
        this.#replay(list);
        this.#region = null;
        context.restore();
    }

    /** @param {import("./chart-surface.js").List} list */
    #replay({ words, floats }) {
        this.#font = "";
        let at = 0;
        while (at < words.length) {
            const length = commandLength(words, at);
            this.#command(words[at] & 0xff, words, floats, at + 1, at + length);
            at += length;
        }
        this.#unclip();
    }

    /** @param {Uint32Array} words */
    #keep(words) {
        resizeList(this.#before, words.length);
        this.#before.words.set(words);
    }

    /** @param {number} operation @param {Uint32Array} words @param {Float32Array} floats @param {number} at @param {number} end */
    #command(operation, words, floats, at, end) {
        switch (operation) {
            case OP.fillRects:
                return this.#fillRects(words[at], floats, at + 1, end);
            case OP.segments:
                return this.#segments(words, floats, at, end);
            case OP.polyline:
                return this.#polyline(words, floats, at, end);
            case OP.fillPolygon:
                return this.#fillPolygon(words[at], floats, at + 1, end);
            case OP.roundRect:
                return this.#roundRect(words[at], floats, at + 1);
            case OP.text:
                return this.#text(words, floats, at);
            case OP.clip:
                return this.#clip(floats[at], floats[at + 1], floats[at + 2], floats[at + 3]);
            case OP.unclip:
                return this.#unclip();
            // A newer engine may know more; an older painter leaves it out.
        }
    }

    /** Whether nothing between these edges is in what is being painted.
     * @param {number} left @param {number} top @param {number} right @param {number} bottom */
    #isElsewhere(left, top, right, bottom) {
        const region = this.#region;
        return (
            region !== null &&
            (right <= region.left || left >= region.right || bottom <= region.top || top >= region.bottom)
        );
    }

    /** @param {number} colour @param {Float32Array} floats @param {number} at @param {number} end */
    #fillRects(colour, floats, at, end) {
        if (isThin(floats, at, end)) {
            this.#columns(colour, floats, at, end);
            return;
        }
        const context = this.#context;
        context.fillStyle = this.#colour(colour);
        for (let i = at; i < end; i += 4) {
            const x = floats[i];
            const y = floats[i + 1];
            const width = floats[i + 2];
            const height = floats[i + 3];
            if (!this.#isElsewhere(x, y, x + width, y + height)) {
                context.fillRect(x, y, width, height);
            }
        }
    }

    /** Many rectangles a pixel wide, as lines: the same pixels, written row by row and so in half the time.
     * @param {number} colour @param {Float32Array} floats @param {number} at @param {number} end */
    #columns(colour, floats, at, end) {
        const context = this.#context;
        context.strokeStyle = this.#colour(colour);
        context.lineWidth = 1;
        context.setLineDash(SOLID);
        let lines = 0;
        for (let i = at; i < end; i += 4) {
            const x = floats[i];
            const top = floats[i + 1];
            const bottom = top + floats[i + 3];
            if (this.#isElsewhere(x, top, x + 1, bottom)) {
                continue;
            }
            if (lines === 0) {
                context.beginPath();
            }
            context.moveTo(x + 0.5, top);
            context.lineTo(x + 0.5, bottom);
            lines += 1;
            if (lines === LINES) {
                context.stroke();
                lines = 0;
            }
        }
        if (lines > 0) {
            context.stroke();
        }
    }

    /** @param {Uint32Array} words @param {Float32Array} floats @param {number} at */
    #stroke(words, floats, at) {
        const context = this.#context;
        context.strokeStyle = this.#colour(words[at]);
        context.lineWidth = floats[at + 1];
        const on = floats[at + 2];
        const off = floats[at + 3];
        context.setLineDash(on === 0 && off === 0 ? SOLID : [on, off]);
    }

    /** @param {Uint32Array} words @param {Float32Array} floats @param {number} at @param {number} end */
    #segments(words, floats, at, end) {
        const context = this.#context;
        this.#stroke(words, floats, at);
        context.beginPath();
        for (let i = at + STROKE; i < end; i += 4) {
            context.moveTo(floats[i], floats[i + 1]);
            context.lineTo(floats[i + 2], floats[i + 3]);
        }
        context.stroke();
    }

    /** @param {Uint32Array} words @param {Float32Array} floats @param {number} at @param {number} end */
    #polyline(words, floats, at, end) {
        this.#stroke(words, floats, at);
        this.#path(floats, at + STROKE, end);
        this.#context.stroke();
    }

    /** @param {number} colour @param {Float32Array} floats @param {number} at @param {number} end */
    #fillPolygon(colour, floats, at, end) {
        this.#context.fillStyle = this.#colour(colour);
        this.#path(floats, at, end);
        this.#context.fill();
    }

    /** @param {Float32Array} floats @param {number} at @param {number} end */
    #path(floats, at, end) {
        const context = this.#context;
        context.beginPath();
        for (let i = at; i < end; i += 2) {
            context.lineTo(floats[i], floats[i + 1]);
        }
    }

    /** @param {number} colour @param {Float32Array} floats @param {number} at */
    #roundRect(colour, floats, at) {
        const context = this.#context;
        context.fillStyle = this.#colour(colour);
        context.beginPath();
        context.roundRect(floats[at], floats[at + 1], floats[at + 2], floats[at + 3], floats[at + 4]);
        context.fill();
    }

    /** @param {Uint32Array} words @param {Float32Array} floats @param {number} at */
    #text(words, floats, at) {
        if (this.#region !== null) {
            const { left, top, right, bottom } = textBounds(words, floats, at);
            if (this.#isElsewhere(left, top, right, bottom)) {
                return;
            }
        }
        const context = this.#context;
        const packed = words[at + 4];
        const font = `${WEIGHTS[packed >>> 8] ?? WEIGHTS[0]} ${floats[at + 3]}px ${FONT}`;
        if (font !== this.#font) {
            context.font = font;
            this.#font = font;
        }
        context.fillStyle = this.#colour(words[at]);
        context.textAlign = ALIGNMENTS[packed & 0xff];
        context.fillText(this.#string(words, at + 6, words[at + 5]), floats[at + 1], floats[at + 2]);
    }

    /** Numbers and names are short and plain: put together here, they need a fraction of a decoder's time.
     * @param {Uint32Array} words @param {number} at @param {number} length */
    #string(words, at, length) {
        let text = "";
        for (let i = 0; i < length; i += 1) {
            const byte = (words[at + (i >> 2)] >>> ((i & 3) << 3)) & 0xff;
            if (byte > 0x7e || i === 32) {
                return this.#decoder.decode(new Uint8Array(words.buffer, words.byteOffset + at * 4, length));
            }
            text += PLAIN[byte];
        }
        return text;
    }

    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    #clip(x, y, width, height) {
        this.#unclip();
        this.#context.save();
        this.#isClipped = true;
        this.#context.beginPath();
        this.#context.rect(x, y, width, height);
        this.#context.clip();
    }

    #unclip() {
        if (this.#isClipped) {
            this.#context.restore();
            this.#isClipped = false;
            // The font went back with everything else that was saved.
            this.#font = "";
        }
    }

    /** @param {number} packed 0xRRGGBBAA. */
    #colour(packed) {
        let colour = this.#colours.get(packed);
        if (!colour) {
            colour = `#${packed.toString(16).padStart(8, "0")}`;
            this.#colours.set(packed, colour);
        }
        return colour;
    }
}

/** Whether there are many rectangles, each a pixel wide.
 * @param {Float32Array} floats @param {number} at @param {number} end */
function isThin(floats, at, end) {
    if (end - at < 4 * 32) {
        return false;
    }
    for (let i = at + 2; i < end; i += 4) {
        if (floats[i] !== 1) {
            return false;
        }
    }
    return true;
}
