/** @typedef {import("./boundary.js").EngineExports} EngineExports */

/**
 * A function of the module without the handle, which is its first argument.
 *
 * @template Exported
 * @typedef {Exported extends (handle: number, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never} Passed
 */

/** @typedef {import("./engine.js").Engine} Engine */

/**
 * A class of something inside the engine, such as a chart or one side of it, that has these functions of the module as its
 * own: the numbers that they take are those that the page has. What needs another form, such as a text or a word of a table,
 * is a method of the class.
 *
 * @template {Record<string, keyof EngineExports>} Calls
 * @param {Calls} calls the export of each function.
 * @returns {new (engine: Engine, handle: number) => {engine: Engine, exports: EngineExports, handle: number}
 *   & {[Name in keyof Calls]: Passed<EngineExports[Calls[Name]]>}} `handle`: what the module knows it by.
 */
export function partWith(calls) {
    const Part = class {
        /** @param {Engine} engine @param {number} handle */
        constructor(engine, handle) {
            const { exports } = engine;
            Object.assign(this, { engine, exports, handle });
            for (const [name, exported] of Object.entries(calls)) {
                // The module of the chart alone has fewer.
                const call = /** @type {Function | undefined} */ (exports[exported]);
                Object.assign(this, { [name]: call?.bind(null, handle) });
            }
        }
    };
    return /** @type {ReturnType<typeof partWith<Calls>>} */ (/** @type {unknown} */ (Part));
}
