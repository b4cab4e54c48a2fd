import { saveFile } from "../panels/save-file.js";
import { openFile } from "./drawing-file.js";

/** @typedef {import("../chart/engine-drawings.js").EngineDrawings} EngineDrawings */

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
     * @param {import("../objects/toasts.js").Toasts} parts.toasts
     */
    constructor(parts) {
        this.#parts = parts;
    }

    /** Saves the board. */
    exportFile() {
        saveJSON(this.#parts.board.document, `${this.#parts.symbol()}-drawings.json`);
    }

    /** Asks for a file. */
    importFile() {
        openFile(
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
            this.#refuse(name, error.message);
            return;
        }
        this.#parts.toasts.show(`${counted(this.#parts.board.entries)} imported from ${name}.`, {
            action: { name: "Undo", act: bringBack },
        });
    }

    /** What brings this board back as it is now, also when another symbol's is on the chart by then. @returns {() => void} */
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
     * Says what became of kept drawings that can not be read.
     *
     * @param {?string} document
     * @param {string} fate what was done with it.
     * @param {string} problem
     */
    tellDamaged(document, fate, problem) {
        const symbol = this.#parts.symbol();
        this.#parts.toasts.show(`The drawings of ${symbol} could not be read and ${fate}: ${problem}.`, {
            isError: true,
            action: { name: "Save them as a file", act: () => saveJSON(document ?? "", `${symbol}-damaged.json`) },
        });
    }

    /** @param {string} name @param {string} reason */
    #refuse(name, reason) {
        const sentence = `${name} was not imported, your drawings are as they were: ${reason}.`;
        this.#parts.toasts.show(sentence, { isError: true });
    }
}

/** @param {readonly unknown[]} entries */
function counted({ length }) {
    return `${length} ${length === 1 ? "drawing" : "drawings"}`;
}

/** @param {string} text @param {string} name */
function saveJSON(text, name) {
    saveFile(new Blob([text], { type: "application/json" }), name);
}
