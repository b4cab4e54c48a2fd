import { element } from "../dom.js";
import { exampleOf, resolved, shape } from "./description.js";
import { tryForm } from "./try-form.js";

/** @typedef {import("./description.js").OpenAPI} OpenAPI @typedef {import("./description.js").Schema} Schema */
/** @typedef {import("./description.js").Content} Content @typedef {import("./description.js").Operation} Operation */
/** @typedef {{path: string, method: string, operation: Operation}} Call an operation and its place. */

/** @param {string} text */
const code = (text) => element("code", {}, text);

/** @param {string} label of the table, for those who do not see it. @param {string[]} titles @param {(Node | string)[][]} rows */
function table(label, titles, rows) {
    const head = element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)));
    const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
    const content = [element("thead", {}, head), element("tbody", {}, ...body)];
    return element("div", { class: "api-scroll" }, element("table", { "aria-label": label }, ...content));
}

/** The name of a schema, as a link to where it is shown; else what it is.
 * @param {Schema | undefined} schema @returns {Node} */
function linkTo(schema) {
    const name = schema?.$ref?.split("/").at(-1);
    return name ? element("a", { href: `#schema-${name}` }, name) : code(shape(schema));
}

/** @param {Node[]} first @param {string | undefined} text below it. @returns {Node} */
function withText(first, text) {
    return element("div", {}, ...first, ...(text ? [element("p", {}, text)] : []));
}

/** @param {unknown} value @param {string} owner what it is an example of. */
function shownExample(value, owner) {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    const summary = element("summary", {}, "Example", element("span", { class: "visually-hidden" }, ` of ${owner}`));
    return element("details", {}, summary, element("pre", { tabindex: "0", "aria-label": `Example of ${owner}` }, text));
}

/** What opens and closes, with a heading.
 * @param {string} id @param {(Node | string)[]} heading @param {Node[]} content */
function item(id, heading, content) {
    const summary = element("summary", {}, ...heading);
    return element("details", { class: "api-item panel", id }, summary, element("div", { class: "api-body" }, ...content));
}

/** @param {OpenAPI} document @param {Content | undefined} content @param {string} owner of the content. */
function contentParts(document, content, owner) {
    return Object.entries(content ?? {}).flatMap(([type, media]) => {
        const example = exampleOf(document, media);
        const shown = element("div", {}, code(type), " ", linkTo(media.schema));
        return [shown, ...(example === undefined ? [] : [shownExample(example, owner)])];
    });
}

/** @param {OpenAPI} document @param {Call} call @param {() => string} token for requests; "" for none. */
export function operationItem(document, { path, method, operation }, token) {
    const { summary, description, requestBody, responses } = operation;
    const parameters = (operation.parameters ?? []).map((each) => resolved(document, each));
    const rows = parameters.map(({ name, in: place, required, schema, description: words }) => {
        const standard = schema?.default === undefined ? "" : `Default: ${schema.default}.`;
        return [code(name), place, required ? "required" : "", withText([linkTo(schema)], [words, standard].join(" "))];
    });
    const answers = Object.entries(responses).map(([status, answer]) => {
        const { description: words, content } = resolved(document, answer);
        return [code(status), element("div", {}, words ?? "", ...contentParts(document, content, `${operation.operationId}, ${status}`))];
    });
    const security = operation.security?.every((each) => Object.keys(each).length === 0) ? "" : "A token, where the server requires one.";
    const fields = parameters.map((each) => ({ ...each, schema: each.schema && resolved(document, each.schema) }));
    const isTried = method === "get" && !operation.tags.includes("Streams");
    return item(
        operation.operationId,
        [
            element("span", { class: "api-method", "data-method": method.toUpperCase() }, method.toUpperCase()),
            element("span", { class: "api-path" }, path),
            element("span", { class: "api-words" }, summary),
        ],
        [
            ...[description, security].filter(Boolean).map((text) => element("p", {}, text ?? "")),
            ...(rows.length > 0 ? [element("h4", {}, "Parameters"), table("Parameters", ["Name", "In", "", "What it is"], rows)] : []),
            ...(requestBody ? [element("h4", {}, requestBody.required ? "Body" : "Body, optional")] : []),
            ...contentParts(document, requestBody?.content, `${operation.operationId}, body`),
            element("h4", {}, "Answers"),
            table("Answers", ["Status", "What it means"], answers),
            ...(isTried ? [tryForm(path, fields, token)] : []),
        ],
    );
}

/** @param {string} name @param {Schema} schema */
export function schemaItem(name, schema) {
    const { properties = {}, required = [], description } = schema;
    const rows = Object.entries(properties).map(([key, field]) => [
        ...[code(key), required.includes(key) ? "required" : "", withText([linkTo(field)], field.description)],
    ]);
    const shown = rows.length > 0 ? table(`Fields of ${name}`, ["Field", "", "What it is"], rows) : element("p", {}, code(shape(schema)));
    const about = description ? [element("p", {}, description)] : [];
    return item(`schema-${name}`, [element("span", { class: "api-path" }, name)], [...about, shown]);
}
