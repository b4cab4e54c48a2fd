import { messageOf } from "../format.js";
import { openJSON, saveJSON } from "../ui/files.js";

/** Bytes; a full board of 500 drawings with texts has a tenth of it. */
const LARGEST = 2_000_000;

/** A symbol's drawings as files, out and in, and the way back to what was there before. */
export class DrawingExchange {
    #drawings;
    #toasts;

    /** @param {import("./drawings.js").Drawings} drawings @param {import("../ui/toasts.js").Toasts} toasts */
    constructor(drawings, toasts) {
        this.#drawings = drawings;
        this.#toasts = toasts;
    }

    /** Saves the board. */
    exportFile() {
        saveJSON(this.#drawings.board.document, `${this.#drawings.symbol}-drawings.json`);
    }

    /** Lets the person choose a file. */
    importFile() {
        openJSON(
            LARGEST,
            (text, name) => this.importDocument(text, name),
            (name, reason) => this.#refuse(name, reason),
        );
    }

    /** @param {string} text @param {string} name of the file. */
    importDocument(text, name) {
        if (!this.#drawings.symbol) {
            return;
        }
        const bringBack = this.undoStep();
        try {
            this.#drawings.change((drawings) => drawings.load(text));
        } catch (error) {
            this.#refuse(name, messageOf(error));
            return;
        }
        this.#toasts.show(`${counted(this.#drawings.board.entries)} imported from ${name}.`, {
            action: { name: "Undo", act: bringBack },
        });
    }

    /** What brings this board back as it is now, also when another symbol's is on the chart by then.
     * @returns {() => void} */
    undoStep() {
        const drawings = this.#drawings;
        const { symbol } = drawings;
        const { document, entries } = drawings.board;
        return () => {
            if (symbol === drawings.symbol) {
                drawings.change((board) => board.load(document));
            } else {
                drawings.store.write(symbol, entries.length > 0 ? document : null);
            }
            drawings.say(`Undone. ${counted(entries)} of ${symbol}.`);
        };
    }

    /**
     * Reports kept drawings that can’t be read.
     *
     * @param {?string} document
     * @param {string} fate what was done with it.
     * @param {string} problem
     */
    reportDamaged(document, fate, problem) {
        const { symbol } = this.#drawings;
        this.#toasts.show(`The drawings of ${symbol} could not be read: ${problem}. ${fate}.`, {
            isError: true,
            action: { name: "Save as a file", act: () => saveJSON(document ?? "", `${symbol}-damaged.json`) },
        });
    }

    /** @param {string} name @param {string} reason */
    #refuse(name, reason) {
        const sentence = `${name} was not imported: ${reason}. Your drawings are unchanged.`;
        this.#toasts.show(sentence, { isError: true });
    }
}

/** @param {readonly unknown[]} entries */
function counted({ length }) {
    return `${length} ${length === 1 ? "drawing" : "drawings"}`;
}
