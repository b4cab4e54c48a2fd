import { element } from "../dom.js";

/** Saves a file to where the browser puts downloads.
 * @param {Blob} content @param {string} name */
export function saveFile(content, name) {
    const address = URL.createObjectURL(content);
    element("a", { href: address, download: name.replaceAll("/", "-") }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** @param {string} text @param {string} name */
export function saveJSON(text, name) {
    saveFile(new Blob([text], { type: "application/json" }), name);
}

/**
 * Lets the person choose a JSON file.
 *
 * @param {number} largest bytes; a larger file is refused without being read.
 * @param {(text: string, name: string) => void} read
 * @param {(name: string, reason: string) => void} refused
 */
export function openJSON(largest, read, refused) {
    const input = element("input", { type: "file", accept: ".json,application/json" });
    input.addEventListener("change", async () => {
        const file = input.files?.[0];
        if (!file) {
            return;
        }
        if (file.size > largest) {
            refused(file.name, `it is larger than ${largest / 1_000_000} MB`);
            return;
        }
        try {
            read(await file.text(), file.name);
        } catch {
            refused(file.name, "it can’t be opened");
        }
    });
    input.click();
}
