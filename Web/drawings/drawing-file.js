import { element } from "../dom.js";

/** Bytes; a full board of 500 drawings with texts has a tenth of it. */
const LARGEST = 2_000_000;

/**
 * Asks the person for a JSON file.
 *
 * @param {(text: string, name: string) => void} read
 * @param {(name: string, reason: string) => void} refused
 */
export function openFile(read, refused) {
    const input = element("input", { type: "file", accept: ".json,application/json" });
    input.addEventListener("change", async () => {
        const file = input.files?.[0];
        if (!file) {
            return;
        }
        if (file.size > LARGEST) {
            refused(file.name, "it is larger than any document of drawings");
            return;
        }
        try {
            read(await file.text(), file.name);
        } catch {
            refused(file.name, "it can not be opened");
        }
    });
    input.click();
}
