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
    return filled(document.createElement(tag), attributes, children);
}

/**
 * A copy of the markup in a `<template>` of `index.html`.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id of the template, which has one element.
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function copyOf(id, kind) {
    const { content } = byId(id, HTMLTemplateElement);
    return part(/** @type {DocumentFragment} */ (document.importNode(content, true)), "*", kind);
}

/**
 * The part of a feature's markup that a selector finds.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} [kind] what it is, where more of it is needed than of any element.
 * @returns {Kind}
 */
export function part(root, selector, kind) {
    const found = root.querySelector(selector);
    if (!found || (kind && !(found instanceof kind))) {
        throw new Error(`There is no ${kind?.name ?? "element"} ${selector}`);
    }
    return /** @type {Kind} */ (found);
}

/** @param {Element} select @param {Record<string, string>} options words by value. */
export function fillOptions(select, options) {
    select.replaceChildren(...Object.entries(options).map(([value, words]) => element("option", { value }, words)));
}

/** A term and what it is, for a `dl`.
 * @param {string} name @param {string} [value] */
export function term(name, value = "") {
    return element("div", {}, element("dt", {}, name), element("dd", {}, value));
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
    return filled(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} made
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function filled(made, attributes, children) {
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
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

/** Milliseconds between two looks for tints that are over. */
const SWEEP = 100;
/** When the tint of each number that stands out goes. @type {Map<HTMLElement, number>} */
const tinted = new Map();
let sweeping = 0;

/**
 * Lets a changed number stand out for a moment, by a tint behind it and not by its colour, which has a meaning. It stays and
 * goes: while an animation runs, the browser makes each frame anew, whether or not anything else changes.
 *
 * @param {HTMLElement} target
 * @param {boolean} isUp
 * @param {number} milliseconds
 */
export function flash(target, isUp, milliseconds) {
    if (!prefersReducedMotion()) {
        target.dataset.tint = isUp ? "up" : "down";
        tinted.set(target, performance.now() + milliseconds);
        sweeping ||= setTimeout(sweepTints, SWEEP);
    }
}

function sweepTints() {
    const now = performance.now();
    for (const [target, end] of tinted) {
        if (end <= now) {
            delete target.dataset.tint;
            tinted.delete(target);
        }
    }
    sweeping = tinted.size === 0 ? 0 : setTimeout(sweepTints, SWEEP);
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
