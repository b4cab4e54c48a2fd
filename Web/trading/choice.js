import { element } from "../dom.js";

/**
 * A choice of few words, as a select: it is small, and phones have their own way of showing it.
 *
 * @param {string} name for those who do not see what it is beside.
 * @param {Record<string, string>} options words by value.
 * @param {() => void} onChange
 */
export function choice(name, options, onChange) {
    const select = element("select", { "aria-label": name, class: "trade-choice" });
    for (const [value, words] of Object.entries(options)) {
        select.append(element("option", { value }, words));
    }
    select.addEventListener("change", onChange);
    return {
        element: select,
        get value() {
            return select.value;
        },
    };
}
