/**
 * The parts of an OpenAPI document that are shown; a reference stands in place of most of them.
 *
 * @typedef {{$ref?: string, const?: unknown, enum?: unknown[], type?: string | string[], format?: string, pattern?: string,
 *   minimum?: number, maximum?: number, exclusiveMinimum?: number, minLength?: number, maxLength?: number, default?: unknown, items?: Schema,
 *   properties?: Record<string, Schema>, required?: string[], description?: string, anyOf?: Schema[], oneOf?: Schema[]}} Schema
 * @typedef {{$ref?: string, value?: unknown}} Example
 * @typedef {{$ref?: string, name: string, in: string, required?: boolean, schema?: Schema, description?: string, example?: unknown}} Parameter
 * @typedef {Record<string, {schema?: Schema, example?: unknown, examples?: Record<string, Example>}>} Content
 * @typedef {{$ref?: string, description?: string, content?: Content}} Answer
 * @typedef {{summary: string, description?: string, operationId: string, tags: string[], parameters?: Parameter[],
 *   requestBody?: {required?: boolean, content: Content}, responses: Record<string, Answer>,
 *   security?: Record<string, string[]>[]}} Operation
 * @typedef {{info: {title: string, description: string}, tags: {name: string, description: string}[],
 *   components: {schemas: Record<string, Schema>, [kind: string]: Record<string, unknown>},
 *   paths: Record<string, Record<string, Operation>>}} OpenAPI
 */

/** What a reference stands for.
 * @template {{$ref?: string}} Value @param {OpenAPI} document @param {Value} value @returns {Value} */
export function resolved(document, value) {
    const path = value.$ref?.split("/").slice(1);
    const step = (/** @type {unknown} */ part, /** @type {string} */ key) => /** @type {Record<string, unknown>} */ (part)[key];
    return path ? /** @type {Value} */ (path.reduce(step, /** @type {unknown} */ (document))) : value;
}

/** A schema in a few words: a name, a type with its bounds, or what it may be.
 * @param {Schema | undefined} schema @returns {string} */
export function shape(schema) {
    if (!schema) {
        return "";
    }
    if (schema.$ref) {
        return schema.$ref.split("/").at(-1) ?? "";
    }
    if ("const" in schema) {
        return JSON.stringify(schema.const);
    }
    if (schema.enum) {
        return schema.enum.join(" | ");
    }
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices && !schema.properties) {
        return choices.map(shape).join(" or ");
    }
    const kinds = [schema.type ?? []].flat().join(" or ");
    if (schema.items) {
        return `${kinds} of ${shape(schema.items)}`;
    }
    if (schema.properties) {
        return `{${Object.keys(schema.properties).join(", ")}}`;
    }
    return [kinds, schema.format, ...bounds(schema)].filter(Boolean).join(", ");
}

/** @param {Schema} schema @returns {string[]} */
function bounds({ minimum, maximum, exclusiveMinimum, minLength, maxLength, pattern }) {
    const least = minimum === undefined ? "" : `from ${minimum}`;
    const length = maxLength === undefined ? "" : `${minLength ?? 0} to ${maxLength} characters`;
    const above = exclusiveMinimum === undefined ? "" : `above ${exclusiveMinimum}`;
    return [least, above, maximum === undefined ? "" : `to ${maximum}`, length, pattern ? `pattern ${pattern}` : ""];
}

/** The first example of a content type.
 * @param {OpenAPI} document @param {Content[string] | undefined} content @returns {unknown} undefined where it has none. */
export function exampleOf(document, content) {
    const [named] = Object.values(content?.examples ?? {});
    return content?.example ?? (named && resolved(document, named).value);
}
