import { LAYOUT } from "./boundary.js";
import { EngineChart } from "./chart.js";

/** For a page and a module that were not built together. */
const MISMATCH =
    "The page and its candlewire.wasm are different versions. Reload the page; if that does not help, run " +
    "Scripts/build-web on the server";

/**
 * @typedef {object} StudyKind
 * @property {number} kind its number on the boundary.
 * @property {string} name "RSI".
 * @property {string} title "Relative Strength Index".
 * @property {string} identifier "rsi".
 * @property {boolean} isPrice whether its values are prices, so that it belongs over the candles.
 * @property {?number} source the price it is computed from; null where the formula leaves no choice.
 * @property {{name: string, low: number, high: number, standard: number, isWhole: boolean}[]} parameters
 * @property {{name: string, form: number}[]} outputs
 * @property {number[]} guides
 */

/**
 * The engine: Swift compiled to WebAssembly. What its module exports, and how its records are read, is in `boundary.js`,
 * which `Scripts/build-web` writes with the module.
 *
 * It holds the bars, builds candles from ticks and lays out the picture; the page gives it numbers and paints the
 * display lists that it returns. The session machine lives in it too, and feeds the chart there.
 */
export class Engine {
    #exports;
    #encoder = new TextEncoder();
    #decoder = new TextDecoder();
    /** All of the engine's memory, until it grows. */
    #numbers = new Float64Array(0);
    /** @type {?StudyKind[]} */
    #studies = null;

    /** @param {import("./boundary.js").EngineExports} exports of the module. */
    constructor(exports) {
        this.#exports = exports;
    }

    /**
     * Loads the module.
     *
     * @param {URL | string} address
     * @returns {Promise<Engine>}
     * @throws when it can not be fetched, is no module this browser runs, or belongs to another version of the page.
     */
    static async load(address) {
        const { instance } = await instantiate(address);
        const exports = /** @type {import("./boundary.js").EngineExports} */ (/** @type {unknown} */ (instance.exports));
        exports._initialize?.();
        if (exports.cw_layout?.() !== LAYOUT) {
            throw new Error(MISMATCH);
        }
        return new Engine(exports);
    }

    /** The module's functions, for those who know the boundary. */
    get exports() {
        return this.#exports;
    }

    /** @returns {EngineChart} a new chart without bars. */
    createChart() {
        return new EngineChart(this);
    }

    /**
     * The kinds of studies there are, in the order of a menu.
     *
     * @returns {StudyKind[]}
     */
    get studies() {
        if (this.#studies === null) {
            const pointer = this.#exports.cw_study_catalogue();
            this.#studies = JSON.parse(this.text(pointer, this.#exports.cw_study_catalogue_length()));
        }
        return /** @type {StudyKind[]} */ (this.#studies);
    }

    /** The engine's memory as numbers, by address / 8. Valid until the next call into the engine, which may move it. */
    get numbers() {
        const { buffer } = this.#exports.memory;
        if (this.#numbers.buffer !== buffer) {
            this.#numbers = new Float64Array(buffer, 0, buffer.byteLength >> 3);
        }
        return this.#numbers;
    }

    /**
     * A record that an export answered with.
     *
     * @template Result
     * @param {number} pointer 0 is none.
     * @param {(numbers: Float64Array, at: number) => Result} read of `boundary.js`.
     * @returns {?Result}
     */
    record(pointer, read) {
        return pointer === 0 ? null : this.answer(pointer, read);
    }

    /**
     * A record that is there in any case.
     *
     * @template Result
     * @param {number} pointer
     * @param {(numbers: Float64Array, at: number) => Result} read of `boundary.js`.
     * @returns {Result}
     */
    answer(pointer, read) {
        return read(this.numbers, pointer / 8);
    }

    /**
     * UTF-8 inside the engine's memory.
     *
     * @param {number} pointer
     * @param {number} length in bytes.
     */
    text(pointer, length) {
        return this.#decoder.decode(this.bytes(pointer, length));
    }

    /**
     * Bytes inside the engine's memory. Valid until the next call into the engine.
     *
     * @param {number} pointer
     * @param {number} length
     */
    bytes(pointer, length) {
        return new Uint8Array(this.#exports.memory.buffer, pointer, length);
    }

    /**
     * Words inside the engine's memory, and the same words read as 32-bit floats.
     *
     * @param {number} pointer
     * @param {number} length
     */
    words(pointer, length) {
        const { buffer } = this.#exports.memory;
        return { words: new Uint32Array(buffer, pointer, length), floats: new Float32Array(buffer, pointer, length) };
    }

    /**
     * Lends `numbers` to the engine piece by piece, each for the length of `use`.
     *
     * @param {Float64Array} numbers
     * @param {number} size the most numbers of a piece.
     * @param {(pointer: number, length: number) => void} use
     */
    inPieces(numbers, size, use) {
        const pointer = this.#exports.cw_alloc(Math.max(Math.min(size, numbers.length), 1) * 8);
        try {
            for (let at = 0; at < numbers.length; at += size) {
                const piece = numbers.subarray(at, at + size);
                // A view of its own for each piece: the call before may have moved the memory.
                new Float64Array(this.#exports.memory.buffer, pointer, piece.length).set(piece);
                use(pointer, piece.length);
            }
        } finally {
            this.#exports.cw_free(pointer);
        }
    }

    /**
     * Lends `text` to the engine as UTF-8 for the length of `use`.
     *
     * @template Result
     * @param {string} text
     * @param {(pointer: number, length: number) => Result} use
     * @returns {Result}
     */
    withText(text, use) {
        const bytes = this.#encoder.encode(text);
        return this.withNumbers(bytes, (pointer) => use(pointer, bytes.length));
    }

    /**
     * Lends numbers of any kind to the engine for the length of `use`, as they are in memory.
     *
     * @template Result
     * @param {ArrayBufferView} numbers
     * @param {(pointer: number) => Result} use
     * @returns {Result}
     */
    withNumbers({ buffer, byteOffset, byteLength }, use) {
        const pointer = this.#exports.cw_alloc(Math.max(byteLength, 1));
        try {
            this.bytes(pointer, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength));
            return use(pointer);
        } finally {
            this.#exports.cw_free(pointer);
        }
    }
}

/**
 * @param {URL | string} address
 * @returns {Promise<WebAssembly.WebAssemblyInstantiatedSource>}
 */
async function instantiate(address) {
    const response = await fetch(address).catch(() => {
        throw new Error("The server can’t be reached");
    });
    if (!response.ok) {
        throw new Error(`The server answered ${response.status} for candlewire.wasm`);
    }
    const isStreamable = response.headers.get("content-type")?.startsWith("application/wasm");
    if (isStreamable && WebAssembly.instantiateStreaming) {
        return WebAssembly.instantiateStreaming(response, {});
    }
    // A server that gives another media type: the bytes are the same, only the compiler has to wait for all of them.
    return WebAssembly.instantiate(await response.arrayBuffer(), {});
}
