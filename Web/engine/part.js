/** @typedef {import("./boundary.js").EngineExports} EngineExports */

/**
 * A function of the module without the handle, which is its first argument.
 *
 * @template Exported
 * @typedef {Exported extends (handle: number, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never} Passed
 */

/** Something inside the engine, such as a chart or one side of it: calls the exports with its handle. */
export class EnginePart {
    /**
     * @param {import("./engine.js").Engine} engine
     * @param {number} handle what the module knows it by.
     */
    constructor(engine, handle) {
        this.engine = engine;
        this.exports = engine.exports;
        this.handle = handle;
    }
}

/**
 * A part that has these functions of the module as its own: the numbers that they want are those that the page has. What
 * needs another form, such as a text or a word of a table, is a method of the class.
 *
 * @template {Record<string, keyof EngineExports>} Calls
 * @param {Calls} calls the export of each function.
 * @returns {new (engine: import("./engine.js").Engine, handle: number) => EnginePart & {[Name in keyof Calls]: Passed<EngineExports[Calls[Name]]>}}
 */
export function partWith(calls) {
    const Part = class extends EnginePart {
        /** @param {import("./engine.js").Engine} engine @param {number} handle */
        constructor(engine, handle) {
            super(engine, handle);
            for (const [name, exported] of Object.entries(calls)) {
                // The module of the chart alone has fewer.
                const call = /** @type {Function | undefined} */ (this.exports[exported]);
                Object.defineProperty(this, name, { value: call?.bind(null, handle), enumerable: true, writable: true });
            }
        }
    };
    return /** @type {ReturnType<typeof partWith<Calls>>} */ (/** @type {unknown} */ (Part));
}
