/** Operations of a display list; the low byte of a command's first word. */
const OP = {
    fillRects: 1,
    segments: 2,
    polyline: 3,
    fillPolygon: 4,
    roundRect: 5,
    text: 6,
    clip: 7,
    unclip: 8,
};

/** Faces whose digits are all equally wide, so that a changing price does not shake. */
const FONT = '"Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif';
const ALIGNMENTS = /** @type {const} */ (["left", "center", "right"]);
const SOLID = [];

/**
 * Replays display lists on a canvas. It knows rectangles, lines and text, and nothing of charts: what a picture means
 * was decided by the engine, which draws the same one natively.
 */
export class Painter {
    #context;
    #decoder = new TextDecoder();
    /** @type {Map<number, string>} */
    #colours = new Map();
    #isClipped = false;
    #font = "";

    /** @param {HTMLCanvasElement} canvas sized in device pixels, as the list's coordinates are. */
    constructor(canvas) {
        this.#context = canvas.getContext("2d", { alpha: false });
        if (!this.#context) {
            throw new Error("this browser gives no 2D canvas");
        }
    }

    /**
     * @param {Uint32Array} words
     * @param {Float32Array} floats the same words read as floats.
     */
    paint(words, floats) {
        this.#context.textBaseline = "middle";
        this.#context.lineJoin = "round";
        this.#font = "";
        let at = 0;
        while (at < words.length) {
            const length = words[at] >>> 8;
            if (length === 0 || at + length > words.length) {
                throw new RangeError(`display list: a command at word ${at} claims ${length} words`);
            }
            this.#command(words[at] & 0xff, words, floats, at + 1, at + length);
            at += length;
        }
        this.#unclip();
    }

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

    #fillRects(colour, floats, at, end) {
        const context = this.#context;
        context.fillStyle = this.#colour(colour);
        for (let i = at; i < end; i += 4) {
            context.fillRect(floats[i], floats[i + 1], floats[i + 2], floats[i + 3]);
        }
    }

    #stroke(words, floats, at) {
        const context = this.#context;
        context.strokeStyle = this.#colour(words[at]);
        context.lineWidth = floats[at + 1];
        const on = floats[at + 2];
        const off = floats[at + 3];
        context.setLineDash(on === 0 && off === 0 ? SOLID : [on, off]);
    }

    #segments(words, floats, at, end) {
        const context = this.#context;
        this.#stroke(words, floats, at);
        context.beginPath();
        for (let i = at + 4; i < end; i += 4) {
            context.moveTo(floats[i], floats[i + 1]);
            context.lineTo(floats[i + 2], floats[i + 3]);
        }
        context.stroke();
    }

    #polyline(words, floats, at, end) {
        this.#stroke(words, floats, at);
        this.#path(floats, at + 4, end);
        this.#context.stroke();
    }

    #fillPolygon(colour, floats, at, end) {
        this.#context.fillStyle = this.#colour(colour);
        this.#path(floats, at, end);
        this.#context.fill();
    }

    #path(floats, at, end) {
        const context = this.#context;
        context.beginPath();
        for (let i = at; i < end; i += 2) {
            context.lineTo(floats[i], floats[i + 1]);
        }
    }

    #roundRect(colour, floats, at) {
        const context = this.#context;
        context.fillStyle = this.#colour(colour);
        context.beginPath();
        context.roundRect(floats[at], floats[at + 1], floats[at + 2], floats[at + 3], floats[at + 4]);
        context.fill();
    }

    #text(words, floats, at) {
        const context = this.#context;
        const packed = words[at + 4];
        const font = `${packed >>> 8 === 1 ? "600" : "400"} ${floats[at + 3]}px ${FONT}`;
        if (font !== this.#font) {
            context.font = font;
            this.#font = font;
        }
        context.fillStyle = this.#colour(words[at]);
        context.textAlign = ALIGNMENTS[packed & 0xff];
        const bytes = new Uint8Array(words.buffer, words.byteOffset + (at + 6) * 4, words[at + 5]);
        context.fillText(this.#decoder.decode(bytes), floats[at + 1], floats[at + 2]);
    }

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
