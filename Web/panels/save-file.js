import { element } from "../dom.js";

/**
 * Gives the person a file.
 *
 * @param {Blob} content
 * @param {string} name
 */
export function saveFile(content, name) {
    const address = URL.createObjectURL(content);
    element("a", { href: address, download: name.replaceAll("/", "-") }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
