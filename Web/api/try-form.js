import { element, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { within } from "../stream/rest.js";
import { shape } from "./description.js";

/** @typedef {import("./description.js").Parameter} Parameter */

/** Milliseconds before a request is given up. */
const TIMEOUT = 15_000;
/** Characters of an answer that are shown. */
const MAX_SHOWN = 100_000;

/**
 * A form that sends a GET and shows its answer.
 *
 * @param {string} path with its parameters in braces.
 * @param {Parameter[]} parameters
 * @param {() => string} token goes into a header and never into the address; "" for none.
 */
export function tryForm(path, parameters, token) {
    const fields = parameters.map((parameter) => ({ parameter, field: fieldOf(parameter) }));
    const labels = fields.map(({ parameter, field }) => element("label", {}, parameter.name, field));
    const status = element("p", { role: "status" });
    const answer = element("div");
    const form = element(
        "form",
        { class: "api-form", "aria-label": `Try GET ${path}` },
        ...[element("div", { class: "api-fields" }, ...labels), element("button", { class: "button" }, "Try it"), status, answer],
    );
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const address = addressOf(path, fields);
        const headers = headersOf(fields);
        setText(status, `GET ${address}…`);
        answer.replaceChildren();
        try {
            token() && headers.set("authorization", `Bearer ${token()}`);
            const response = await fetch(address, { headers, signal: within(TIMEOUT) });
            const { shown, size } = await shownBody(response);
            const kind = response.headers.get("content-type") ?? "no content type";
            answer.replaceChildren(shown);
            setText(status, `GET ${address}: ${response.status}, ${kind}, ${size} bytes`);
        } catch (error) {
            setText(status, `GET ${address}: ${messageOf(error)}`);
        }
    });
    return form;
}

/** @param {Parameter} parameter @returns {HTMLInputElement | HTMLSelectElement} */
function fieldOf({ name, required = false, schema, example }) {
    const words = String(example ?? schema?.default ?? shape(schema));
    const options = (schema?.enum ?? []).map((value) => element("option", {}, String(value)));
    const field = schema?.enum
        ? element("select", { name }, ...(required ? options : [element("option", { value: "" }), ...options]))
        : element("input", { name, placeholder: words, autocomplete: "off" });
    field.required = required;
    if (required && example !== undefined) {
        field.value = String(example);
    }
    return field;
}

/** @typedef {{parameter: Parameter, field: HTMLInputElement | HTMLSelectElement}[]} Fields */

/** @param {Fields} fields */
function headersOf(fields) {
    const headers = new Headers();
    for (const { parameter, field } of fields) {
        if (parameter.in === "header" && field.value !== "") {
            headers.set(parameter.name, field.value);
        }
    }
    return headers;
}

/** @param {string} path @param {Fields} fields */
function addressOf(path, fields) {
    const query = new URLSearchParams();
    let address = path;
    for (const { parameter, field } of fields) {
        if (parameter.in === "path") {
            address = address.replace(`{${parameter.name}}`, encodeURIComponent(field.value));
        } else if (parameter.in === "query" && field.value !== "") {
            query.append(parameter.name, field.value);
        }
    }
    return query.size > 0 ? `${address}?${query}` : address;
}

/** @param {Response} response @returns {Promise<{shown: HTMLElement, size: number}>} */
async function shownBody(response) {
    const body = await response.blob();
    const { size } = body;
    if (body.type.startsWith("image/")) {
        return { shown: element("img", { src: await dataAddress(body), alt: "The picture that was answered" }), size };
    }
    if (body.type === "application/pdf") {
        return { shown: element("p", {}, "A PDF file."), size };
    }
    const text = await body.text();
    const shown = body.type.startsWith("application/json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
    const cut = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n… ${shown.length - MAX_SHOWN} more characters` : shown;
    return { shown: element("pre", { tabindex: "0", "aria-label": "Answer" }, cut), size };
}

/** @param {Blob} body @returns {Promise<string>} */
function dataAddress(body) {
    const reader = new FileReader();
    return new Promise((resolve, reject) => {
        reader.addEventListener("load", () => resolve(String(reader.result)));
        reader.addEventListener("error", () => reject(reader.error));
        reader.readAsDataURL(body);
    });
}
