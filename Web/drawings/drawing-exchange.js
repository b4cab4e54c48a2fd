import { messageOf } from "../format.js";
import { openJSON, saveJSON } from "../ui/files.js";

/** @typedef {import("../engine/drawings.js").EngineDrawings} EngineDrawings */

/** Bytes; a full board of 500 drawings with texts has a tenth of it. */
const LARGEST = 2_000_000;

/** A symbol's drawings as files, out and in, and the way back to what was there before. */
export class DrawingExchange {
    #parts;

    /**
     * @param {object} parts
     * @param {import("./board.js").Board} parts.board
     * @param {() => string} parts.symbol whose drawings are on the board; empty while there is no engine.
     * @param {(change: (drawings: EngineDrawings) => void) => void} parts.change
     * @param {(symbol: string, document: ?string) => void} parts.write
     * @param {(sentence: string) => void} parts.say
     * @param {import("../ui/toasts.js").Toasts} parts.toasts
     */
    constructor(parts) {
        this.#parts = parts;
    }

    /** Saves the board. */
    exportFile() {
        saveJSON(this.#parts.board.document, `${this.#parts.symbol()}-drawings.json`);
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
        if (!this.#parts.symbol()) {
            return;
        }
        const bringBack = this.wayBack();
        try {
            this.#parts.change((drawings) => drawings.load(text));
        } catch (error) {
            this.#refuse(name, messageOf(error));
            return;
        }
        this.#parts.toasts.show(`${counted(this.#parts.board.entries)} imported from ${name}.`, {
            action: { name: "Undo", act: bringBack },
        });
    }

    /** What brings this board back as it is now, also when another symbol's is on the chart by then.
     * @returns {() => void} */
    wayBack() {
        const { board, change, write, say } = this.#parts;
        const symbol = this.#parts.symbol();
        const { document, entries } = board;
        return () => {
            if (symbol === this.#parts.symbol()) {
                change((drawings) => drawings.load(document));
            } else {
                write(symbol, entries.length > 0 ? document : null);
            }
            say(`Undone. ${counted(entries)} of ${symbol}.`);
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
        const symbol = this.#parts.symbol();
        this.#parts.toasts.show(`The drawings of ${symbol} could not be read: ${problem}. ${fate}.`, {
            isError: true,
            action: { name: "Save as a file", act: () => saveJSON(document ?? "", `${symbol}-damaged.json`) },
        });
    }

    /** @param {string} name @param {string} reason */
    #refuse(name, reason) {
        const sentence = `${name} was not imported: ${reason}. Your drawings are unchanged.`;
        this.#parts.toasts.show(sentence, { isError: true });
    }
}

/** @param {readonly unknown[]} entries */
function counted({ length }) {
    return `${length} ${length === 1 ? "drawing" : "drawings"}`;
}
