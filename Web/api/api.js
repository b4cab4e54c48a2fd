import { byId, element, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { access } from "../stream/access.js";
import { operationItem, schemaItem } from "./operation.js";

// Shows openapi.json: its groups, operations and schemas.

/** @typedef {import("./description.js").OpenAPI} OpenAPI @typedef {import("./operation.js").Call} Call */
/** @typedef {{item: HTMLElement, link: HTMLElement, words: string}} Entry what the search shows or hides. */

const main = byId("operations");
const search = byId("search", HTMLInputElement);
const token = byId("token", HTMLInputElement);

/** @param {OpenAPI} document @returns {Call[]} */
function callsOf(document) {
    return Object.entries(document.paths).flatMap(([path, entry]) =>
        Object.entries(entry).map(([method, operation]) => ({ path, method, operation })),
    );
}

/** A heading with its items, in the page and in the contents.
 * @param {string} name @param {string} description @param {Entry[]} entries */
function showGroup(name, description, entries) {
    const heading = [element("h2", {}, name), element("p", {}, description)];
    const group = element("section", { class: "api-group", "aria-label": name }, ...heading, ...entries.map(({ item }) => item));
    const links = element("div", {}, element("h2", {}, name), ...entries.map(({ link }) => link));
    main.append(group);
    byId("contents").append(links);
    return { parts: [group, links], entries };
}

/** @param {OpenAPI} document */
function show(document) {
    // The one that is signed in with in this tab, where there is one.
    const sentToken = () => token.value || access.token;
    const calls = callsOf(document);
    const groups = document.tags.map(({ name, description }) => {
        const own = calls.filter(({ operation }) => operation.tags.includes(name));
        const entries = own.map((call) => {
            const { path, method, operation } = call;
            const words = [method, path, operation.summary, operation.description, operation.operationId, name].join(" ").toLowerCase();
            const link = element("a", { href: `#${operation.operationId}` }, operation.summary);
            return { item: operationItem(document, call, sentToken), link, words };
        });
        return showGroup(name, description, entries);
    });
    const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
        const words = [name, ...Object.keys(schema.properties ?? {})].join(" ").toLowerCase();
        return { item: schemaItem(name, schema), link: element("a", { href: `#schema-${name}` }, name), words };
    });
    groups.push(showGroup("Schemas", "What bodies and answers consist of.", schemas));
    const filter = () => applySearch(groups, calls.length);
    search.addEventListener("input", filter);
    filter();
}

/** @param {{parts: HTMLElement[], entries: Entry[]}[]} groups @param {number} count of all operations. */
function applySearch(groups, count) {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { parts, entries } of groups) {
        for (const { item, link, words } of entries) {
            const isShown = wanted.every((word) => words.includes(word));
            item.hidden = link.hidden = !isShown;
            found += Number(isShown);
        }
        const isEmpty = entries.every(({ item }) => item.hidden);
        parts.forEach((part) => (part.hidden = isEmpty));
    }
    setText(byId("found"), wanted.length === 0 ? `${count} operations` : `${found} found`);
}

/** Opens what the address names. */
function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) {
        target.open = true;
        target.scrollIntoView();
        target.querySelector("summary")?.focus();
    }
}

/** @param {KeyboardEvent} event */
function focusSearch(event) {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === "/" && !isTyping) {
        event.preventDefault();
        search.focus();
    }
}

try {
    const answer = await fetch("../openapi.json");
    if (!answer.ok) {
        throw new Error(`the server answered ${answer.status}`);
    }
    const description = /** @type {OpenAPI} */ (await answer.json());
    setText(byId("about"), description.info.description);
    show(description);
    addEventListener("hashchange", openTarget);
    addEventListener("keydown", focusSearch);
    openTarget();
} catch (error) {
    main.replaceChildren(element("p", { role: "alert" }, `openapi.json can’t be shown: ${messageOf(error)}.`));
} finally {
    main.removeAttribute("aria-busy");
}
