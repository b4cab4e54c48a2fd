import { isCovered } from "../ui/cover.js";
import { hasModifier, isTyping } from "../ui/keys.js";
import { TOOLS } from "./tools.js";

/** How near a mouse has to be that hovers. */
const TOLERANCE = 6;

/**
 * The pointer and the keys over the drawings: draws with a tool, selects and drags without one.
 *
 * @implements {PointerHandler}
 */
export class DrawingPointer {
    #chart;
    #drawings;
    /** Whether the press began with a tool: what it makes is announced at the end. */
    #isDrawing = false;

    /**
     * @param {ChartHandle} chart
     * @param {import("./drawings.js").Drawings} drawings
     */
    constructor(chart, drawings) {
        this.#chart = chart;
        this.#drawings = drawings;
    }

    /** @param {number} x @param {number} y @param {number} tolerance @param {PointerEvent} event */
    press(x, y, tolerance, event) {
        if (event.button > 0 || !this.#isOver(x, y)) {
            return false;
        }
        this.#isDrawing = this.#drawings.tool !== null;
        const before = this.#drawings.selection;
        const isTaken = this.#chart.change((chart) => chart.drawings.press(x, y, tolerance)) ?? false;
        if (isTaken || before !== this.#drawings.selection) {
            this.#drawings.refresh();
        }
        return isTaken;
    }

    /** @param {number} x @param {number} y */
    move(x, y) {
        this.#chart.change((chart) => chart.drawings.move(x, y, TOLERANCE));
    }

    /** @param {number} x @param {number} y @param {PointerEvent} event */
    release(x, y, event) {
        const tolerance = event.pointerType === "touch" ? 18 : TOLERANCE;
        this.#chart.change((chart) => chart.drawings.release(x, y, tolerance));
        this.#drawings.refresh();
        if (this.#isDrawing && this.#drawings.tool === null) {
            this.#drawings.created();
        }
        this.#isDrawing = false;
    }

    /** @param {number} x @param {number} y */
    hover(x, y) {
        const drawings = this.#chart.engineChart?.drawings;
        if (!drawings) {
            return "";
        }
        if (drawings.tool !== null) {
            // The next anchor follows.
            this.#chart.change(() => drawings.move(x, y, TOLERANCE));
            return this.#isOver(x, y) ? "crosshair" : "";
        }
        if (this.#drawings.board.entries.length === 0) {
            return "";
        }
        const hit = drawings.hit(x, y, TOLERANCE);
        this.#chart.change(() => drawings.move(x, y, TOLERANCE));
        if (!hit) {
            return "";
        }
        return hit.handle === null && !this.#drawings.board.entry(hit.id)?.locked ? "move" : "pointer";
    }

    cancel() {
        this.#isDrawing = false;
        this.#chart.change((chart) => chart.drawings.cancel());
        this.#drawings.refresh();
    }

    /** @param {number} x @param {number} y @param {number} tolerance */
    double(x, y, tolerance) {
        const hit = this.#isOver(x, y) && this.#chart.engineChart?.drawings.hit(x, y, tolerance);
        if (!hit) {
            return false;
        }
        if (hit.id === this.#drawings.selection && !this.#drawings.isEditing) {
            this.#drawings.editText();
        }
        return true;
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (hasModifier(event)) {
            return false;
        }
        if (event.key === "[" || event.key === "]") {
            this.#drawings.selectNext(event.key === "]" ? 1 : -1);
            return true;
        }
        if (this.#drawings.tool !== null) {
            return this.#keyWithTool(event);
        }
        return this.#drawings.selection !== 0 && this.#keyWithSelection(event);
    }

    /** @param {KeyboardEvent} event */
    #keyWithTool({ key, shiftKey }) {
        const arrow = ARROWS[key];
        if (arrow) {
            this.#drawings.moveCursor(...arrow, shiftKey);
        } else if (key === "Enter" || key === " ") {
            this.#drawings.placeAnchor();
        } else if (key === "Escape") {
            this.#drawings.escape();
        } else {
            return false;
        }
        return true;
    }

    /** @param {KeyboardEvent} event */
    #keyWithSelection({ key, shiftKey }) {
        const drawings = this.#drawings;
        const arrow = ARROWS[key];
        /** @type {Record<string, () => unknown>} */
        const actions = {
            Delete: () => drawings.remove(),
            Backspace: () => drawings.remove(),
            Enter: () => drawings.editText(),
            Escape: () => drawings.escape(),
            F6: () => drawings.focusBar(),
            // After the last drawing the key leads on: it is no trap.
            Tab: () => drawings.selectNext(shiftKey ? -1 : 1),
        };
        /** @type {(() => unknown) | undefined} */
        const act = arrow ? () => drawings.nudge(...arrow, shiftKey) : actions[key];
        return act !== undefined && act() !== false;
    }

    /** Whether a place is in the price pane.
     * @param {number} x @param {number} y */
    #isOver(x, y) {
        const chart = this.#chart.engineChart;
        const pane = chart?.panes.place(0);
        return !!chart && !!pane && x >= 0 && x < chart.plot().width && y >= pane.top && y < pane.top + pane.height;
    }
}

/** @type {Record<string, [number, number]>} Bars to the right, steps up. */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * The keys that work wherever the focus is, but not while a person types or a dialog is open: undo, redo, and a tool
 * by Alt and its letter.
 *
 * @param {import("./drawings.js").Drawings} drawings
 */
export function listenForDrawingKeys(drawings) {
    document.addEventListener("keydown", (event) => {
        const isChoosing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
        if (isTyping(event.target) || isChoosing || isCovered() || document.querySelector("dialog[open]:modal")) {
            return;
        }
        if ((event.ctrlKey || event.metaKey) && !event.altKey) {
            const isUndo = event.code === "KeyZ" && !event.shiftKey;
            const isRedo = (event.code === "KeyZ" && event.shiftKey) || event.code === "KeyY";
            if (isUndo || isRedo) {
                event.preventDefault();
                isUndo ? drawings.undo() : drawings.redo();
            }
        } else if (event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
            // By code: with Alt, some keyboards make other letters.
            const tool = TOOLS.find(({ letter }) => event.code === `Key${letter}`);
            if (tool) {
                event.preventDefault();
                drawings.choose(tool.kind);
                drawings.focusChart();
            }
        }
    });
}
