// Shows openapi.json: its paths with their parameters and answers, and its schemas. It only reads.

const methods = ["get", "post", "put", "patch", "delete"];

/** @param {string} name @param {(Node | string)[]} children @returns {HTMLElement} */
function element(name, ...children) {
    const made = document.createElement(name);
    made.append(...children);
    return made;
}

/** What a reference stands for. */
function resolved(document, value) {
    if (!value?.$ref) return value;
    return value.$ref.split("/").slice(1).reduce((part, key) => part[key], document);
}

/** A schema in a few words. */
function shape(schema) {
    if (!schema) return "";
    if (schema.$ref) return schema.$ref.split("/").at(-1);
    if (schema.enum) return schema.enum.join(" | ");
    if (schema.type === "array") return `[${shape(schema.items)}]`;
    if (schema.type === "object" && schema.properties) return `{${Object.keys(schema.properties).join(", ")}}`;
    return [schema.type, schema.format && `(${schema.format})`].filter(Boolean).join(" ");
}

function table(titles, rows) {
    const head = element("tr", ...titles.map((title) => element("th", title)));
    const body = rows.map((row) => element("tr", ...row.map((cell) => element("td", cell ?? ""))));
    return element("table", element("thead", head), element("tbody", ...body));
}

function operation(document, path, method, value, shared) {
    const parts = [element("h2", `${method.toUpperCase()} ${path}`), element("p", value.summary ?? "")];
    const parameters = [...shared, ...(value.parameters ?? [])].map((parameter) => resolved(document, parameter));
    if (parameters.length) {
        parts.push(table(["Parameter", "In", "What"], parameters.map(({ name, in: place, schema, description }) => [
            element("code", name), place, [shape(schema), description].filter(Boolean).join(": "),
        ])));
    }
    const body = value.requestBody?.content?.["application/json"]?.schema;
    if (body) parts.push(element("p", "Body: ", element("code", shape(body))));
    parts.push(table(["Status", "What", "Body"], Object.entries(value.responses).map(([status, answer]) => {
        const { description, content } = resolved(document, answer);
        return [status, description, element("code", shape(content?.["application/json"]?.schema))];
    })));
    return element("section", ...parts);
}

function schema(name, value) {
    const rows = Object.entries(value.properties ?? {}).map(([key, field]) => [
        element("code", key), shape(field), (value.required ?? []).includes(key) ? "always" : "", field.description,
    ]);
    return element("section", element("h3", name), table(["Field", "Shape", "There", ""], rows));
}

function shown(document) {
    const operations = Object.entries(document.paths).flatMap(([path, entry]) => methods
        .filter((method) => entry[method])
        .map((method) => operation(document, path, method, entry[method], entry.parameters ?? [])));
    const schemas = Object.entries(document.components.schemas).map(([name, value]) => schema(name, value));
    return [
        element("h1", document.info.title), element("p", document.info.description), ...operations,
        element("h2", "Schemas"), ...schemas,
    ];
}

const main = document.getElementById("interface");
try {
    const answer = await fetch("../openapi.json");
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    main.replaceChildren(...shown(await answer.json()));
} catch (error) {
    main.replaceChildren(element("p", `openapi.json cannot be shown: ${error.message}.`));
} finally {
    main.removeAttribute("aria-busy");
}
