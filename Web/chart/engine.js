import { EngineChart } from "./engine-chart.js";

/** The version of the module's exports that this page is written for. */
const VERSION = 2;

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
 * The engine: Swift compiled to WebAssembly.
 *
 * It holds the bars, builds candles from ticks and lays out the picture; the page gives it numbers and paints the
 * display lists that it returns. The session machine lives in it too.
 */
export class Engine {
    #exports;
    #encoder = new TextEncoder();
    /** @type {?StudyKind[]} */
    #studies = null;

    /** @param {Record<string, any>} exports of the module. */
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
        instance.exports._initialize?.();
        const version = instance.exports.cw_version();
        if (version !== VERSION) {
            throw new Error(`candlewire.wasm has version ${version}, this page needs ${VERSION}`);
        }
        return new Engine(instance.exports);
    }

    /** The module's version, as it reports it. */
    get version() {
        return this.#exports.cw_version();
    }

    /** The module's functions, for those who know the boundary. */
    get exports() {
        return this.#exports;
    }

    /** @returns {EngineChart} a new chart without bars. */
    createChart() {
        return new EngineChart(this, this.#exports);
    }

    /**
     * The kinds of studies there are, in the order of a menu.
     *
     * @returns {StudyKind[]}
     */
    get studies() {
        if (!this.#studies) {
            const pointer = this.#exports.cw_study_catalogue();
            const bytes = this.bytes(pointer, this.#exports.cw_study_catalogue_length());
            this.#studies = JSON.parse(new TextDecoder().decode(bytes));
        }
        return this.#studies;
    }

    /**
     * Numbers inside the engine's memory. Valid until the next call into the engine, which may move its memory.
     *
     * @param {number} pointer
     * @param {number} length
     */
    floats(pointer, length) {
        return new Float64Array(this.#exports.memory.buffer, pointer, length);
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
     * Lends `numbers` to the engine for the length of `use`.
     *
     * @template Result
     * @param {Float64Array} numbers
     * @param {(pointer: number) => Result} use
     * @returns {Result}
     */
    withFloats(numbers, use) {
        return this.#withBytes(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), use);
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
     * Lends `words` to the engine for the length of `use`.
     *
     * @template Result
     * @param {Uint32Array} words
     * @param {(pointer: number) => Result} use
     * @returns {Result}
     */
    withWords(words, use) {
        return this.#withBytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), use);
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
        return this.#withBytes(bytes, (pointer) => use(pointer, bytes.length));
    }

    #withBytes(bytes, use) {
        const pointer = this.#exports.cw_alloc(Math.max(bytes.length, 1));
        try {
            new Uint8Array(this.#exports.memory.buffer, pointer, bytes.length).set(bytes);
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
