import { byId, element, setText } from "../dom.js";
import { messageOf } from "../format.js";

// Shows openapi.json: its paths with their parameters and answers, and its schemas. It only reads.

/**
 * The parts of an OpenAPI document that are shown; a reference stands in place of any of them.
 *
 * @typedef {{$ref?: string, enum?: string[], type?: string, format?: string, items?: Schema, properties?: Record<string, Schema>,
 *   required?: string[], description?: string}} Schema
 * @typedef {{$ref?: string, name: string, in: string, schema?: Schema, description?: string}} Parameter
 * @typedef {Record<string, {schema?: Schema}>} Content
 * @typedef {{$ref?: string, description?: string, content?: Content}} Answer
 * @typedef {{summary?: string, parameters?: Parameter[], requestBody?: {content?: Content}, responses: Record<string, Answer>}} Operation
 * @typedef {{info: {title: string, description: string}, components: {schemas: Record<string, Schema>},
 *   paths: Record<string, Partial<Record<Method, Operation>> & {parameters?: Parameter[]}>}} OpenAPI
 * @typedef {"get" | "post" | "put" | "patch" | "delete"} Method
 * @typedef {Node | string | undefined} Cell
 */

/** @type {Method[]} */
const METHODS = ["get", "post", "put", "patch", "delete"];

/** What a reference stands for.
 * @template {{$ref?: string}} Value @param {OpenAPI} document @param {Value} value @returns {Value} */
function resolved(document, value) {
    const path = value.$ref?.split("/").slice(1);
    const step = (/** @type {unknown} */ part, /** @type {string} */ key) => /** @type {Record<string, unknown>} */ (part)[key];
    return path ? /** @type {Value} */ (path.reduce(step, /** @type {unknown} */ (document))) : value;
}

/** A schema in a few words.
 * @param {Schema | undefined} schema @returns {string} */
function shape(schema) {
    if (schema?.$ref) {
        return schema.$ref.split("/").at(-1) ?? "";
    }
    if (schema?.enum) {
        return schema.enum.join(" | ");
    }
    if (schema?.type === "array") {
        return `[${shape(schema.items)}]`;
    }
    if (schema?.type === "object" && schema.properties) {
        return `{${Object.keys(schema.properties).join(", ")}}`;
    }
    return [schema?.type, schema?.format && `(${schema.format})`].filter(Boolean).join(" ");
}

/** @param {string} text */
const code = (text) => element("code", {}, text);

/** @param {string[]} titles @param {Cell[][]} rows */
function table(titles, rows) {
    const head = element("tr", {}, ...titles.map((title) => element("th", {}, title)));
    const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell ?? ""))));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

/** @param {OpenAPI} document @param {string} title @param {Operation} operation @param {Parameter[]} shared by all of a path. */
function sectionOf(document, title, { summary = "", parameters = [], requestBody, responses }, shared) {
    const all = [...shared, ...parameters].map((parameter) => resolved(document, parameter));
    const rows = all.map(({ name, in: place, schema, description }) => [
        ...[code(name), place, [shape(schema), description].filter(Boolean).join(": ")],
    ]);
    const body = requestBody?.content?.["application/json"]?.schema;
    const answers = Object.entries(responses).map(([status, answer]) => {
        const { description, content } = resolved(document, answer);
        return [status, description, code(shape(content?.["application/json"]?.schema))];
    });
    return element(
        "section",
        {},
        ...[element("h2", {}, title), element("p", {}, summary)],
        ...(rows.length > 0 ? [table(["Parameter", "In", "Description"], rows)] : []),
        ...(body ? [element("p", {}, "Body: ", code(shape(body)))] : []),
        table(["Status", "Description", "Body"], answers),
    );
}

/** @param {string} name @param {Schema} schema */
function schemaSection(name, { properties = {}, required = [] }) {
    const rows = Object.entries(properties).map(([key, field]) => [
        ...[code(key), shape(field), required.includes(key) ? "required" : "", field.description],
    ]);
    return element("section", {}, element("h3", {}, name), table(["Field", "Shape", "Required", "Description"], rows));
}

/** @param {OpenAPI} document */
function contentOf(document) {
    const operations = Object.entries(document.paths).flatMap(([path, entry]) =>
        METHODS.flatMap((method) => {
            const operation = entry[method];
            return operation ? [sectionOf(document, `${method.toUpperCase()} ${path}`, operation, entry.parameters ?? [])] : [];
        }),
    );
    const schemas = Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema));
    const { title, description } = document.info;
    return [element("h1", {}, title), element("p", {}, description), ...operations, element("h2", {}, "Schemas"), ...schemas];
}

const main = byId("interface");
try {
    const answer = await fetch("../openapi.json");
    if (!answer.ok) {
        throw new Error(`the server answered ${answer.status}`);
    }
    main.replaceChildren(...contentOf(await answer.json()));
} catch (error) {
    setText(main, `openapi.json can’t be shown: ${messageOf(error)}.`);
} finally {
    main.removeAttribute("aria-busy");
}
