import { element, svg } from "../dom.js";

/**
 * A button that is an icon, with its name for those who do not see it and as a tooltip.
 *
 * @param {string} name
 * @param {string} icon a path in a box of 24.
 * @param {string} [key] that does the same, for the tooltip.
 * @param {string} [className]
 */
export function iconButton(name, icon, key = "", className = "rail-button") {
    const button = element("button", { class: className, type: "button" });
    button.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: icon })));
    nameButton(button, name, key);
    return button;
}

/** @param {HTMLElement} button @param {string} name @param {string} [key] */
export function nameButton(button, name, key = "") {
    const title = key ? `${name} (${key})` : name;
    if (button.title !== title) {
        button.title = title;
        button.setAttribute("aria-label", name);
    }
    if (key) {
        button.setAttribute("aria-keyshortcuts", key.replaceAll("Ctrl", "Control"));
    }
}

/** @param {Element} button @param {string} icon */
export function setIcon(button, icon) {
    const path = button.querySelector("path");
    if (path && path.getAttribute("d") !== icon) {
        path.setAttribute("d", icon);
    }
}

/**
 * Not to be pressed now. It keeps the focus, which a `disabled` button would lose.
 *
 * @param {HTMLElement} button
 * @param {boolean} isOff
 */
export function switchOff(button, isOff) {
    button.setAttribute("aria-disabled", String(isOff));
}

/** @param {Element} button @returns {boolean} whether it is switched off. */
export function isOff(button) {
    return button.getAttribute("aria-disabled") === "true";
}

/**
 * A button whose work takes a while: it is switched off meanwhile, and stays so where there is no more to be done.
 *
 * @param {HTMLElement} button
 * @param {() => Promise<boolean>} act gives whether it may be done again.
 */
export function actOneByOne(button, act) {
    button.addEventListener("click", async () => {
        if (!isOff(button)) {
            switchOff(button, true);
            switchOff(button, !(await act()));
        }
    });
}
