/**
 * The element of `index.html` with this id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
    const element = document.getElementById(id);
    if (!element) {
        throw new Error(`index.html has no element with the id ${id}`);
    }
    return element;
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

/** @returns {boolean} whether the person asked the system for less motion. */
export function prefersReducedMotion() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
