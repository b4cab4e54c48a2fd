/** @typedef {import("./drawing-words.js").DrawingEntry} DrawingEntry */

/**
 * The drawings that the engine has, as the page last read them: one look at the engine for all who ask.
 */
export class Board {
    /** The document. */
    document = "";
    /** @type {DrawingEntry[]} from the lowest to the topmost one. */
    entries = [];

    /**
     * Reads them again.
     *
     * @param {import("../chart/engine-drawings.js").EngineDrawings} drawings
     * @returns {boolean} whether they changed.
     */
    read(drawings) {
        const document = drawings.save();
        if (document === this.document) {
            return false;
        }
        this.document = document;
        // The document has the anchors, the list has the numbers; both are in the same order.
        const { drawings: described } = JSON.parse(document);
        this.entries = drawings.all.map((entry, index) => ({ ...entry, anchors: described[index].anchors }));
        return true;
    }

    /** @param {number} id @returns {?DrawingEntry} */
    entry(id) {
        return this.entries.find((each) => each.id === id) ?? null;
    }
}
