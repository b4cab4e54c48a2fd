/**
 * The element of `index.html` with this id.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind] what it is, where more of it is needed than of any element.
 * @returns {Kind}
 */
export function byId(id, kind) {
    const element = document.getElementById(id);
    if (!element || (kind && !(element instanceof kind))) {
        throw new Error(`index.html has no ${kind?.name ?? "element"} with the id ${id}`);
    }
    return /** @type {Kind} */ (element);
}

/**
 * A new element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes] `class` and the like, by their HTML names.
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * A new SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {Node[]} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
        made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
}

/**
 * Sets the text of an element, if it is another one: an unchanged node costs no layout.
 *
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
    if (target.textContent !== text) {
        target.textContent = text;
    }
}

/** @returns {boolean} whether the system is set to less motion. */
export function prefersReducedMotion() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** What an event of the page carries: a name such as a market's.
 * @param {Event} event @returns {string} */
export function detailOf(event) {
    return /** @type {CustomEvent<string>} */ (event).detail;
}
