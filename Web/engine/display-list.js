/** Operations of a display list; the low byte of a command's first word. */
export const OP = {
    fillRects: 1,
    segments: 2,
    polyline: 3,
    fillPolygon: 4,
    roundRect: 5,
    text: 6,
    clip: 7,
    unclip: 8,
};

/** Words of a stroke's style, before its points: colour, width, dash on, dash off. */
export const STROKE = 4;

/**
 * The words of the command at `at`, its first word included.
 *
 * @param {Uint32Array} words
 * @param {number} at
 */
export function commandLength(words, at) {
    const length = words[at] >>> 8;
    if (length === 0 || at + length > words.length) {
        throw new RangeError(`display list: a command at word ${at} claims ${length} words`);
    }
    return length;
}

/**
 * Gives a list this many words, in storage that is kept and grows by half. What they hold is to be written.
 *
 * @param {{words: Uint32Array, floats: Float32Array}} list both over the same storage.
 * @param {number} length
 */
export function resizeList(list, length) {
    let { buffer } = list.words;
    if (buffer.byteLength < length * 4) {
        buffer = new ArrayBuffer((length + (length >> 1)) * 4);
    }
    if (list.words.buffer !== buffer || list.words.length !== length) {
        list.words = new Uint32Array(buffer, 0, length);
        list.floats = new Float32Array(buffer, 0, length);
    }
}
