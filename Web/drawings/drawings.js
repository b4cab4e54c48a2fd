import { messageOf } from "../format.js";
import { Board, boxOf, ticksPerPixel } from "./board.js";
import { DrawingExchange } from "./drawing-exchange.js";
import { DrawingPointer, listenForDrawingKeys } from "./drawing-pointer.js";
import { DrawingRail } from "./drawing-rail.js";
import { DrawingStore } from "./drawing-store.js";
import { describeDrawing, describePlace, nameOf } from "./drawing-words.js";
import { KeyCursor } from "./key-cursor.js";
import { PropertyBar } from "./property-bar.js";
import { TextField } from "./text-field.js";
import { toolOf } from "./tools.js";

/** Pixels that an arrow key moves the selected drawing up or down, if a price step is less. */
const NUDGE = 2;

/**
 * The drawings on the page: the tools beside the chart, the pointer over it, the bar of the selected one, and what is kept.
 *
 * Events: `change` (drawings, selection or tool are others now).
 */
export class Drawings extends EventTarget {
    board = new Board();
    isHidden = false;
    magnet = "off";
    #chart;
    /** Says a sentence to screen readers. */
    say;
    #toasts;
    /** What is kept. */
    store = new DrawingStore((reason) =>
        this.#toasts.show(`Your browser can’t save drawings: ${reason}. Export them to a file to keep them.`),
    );
    #rail;
    #bar;
    /** Drawings as files. */
    exchange;
    #text = new TextField();
    #cursor = new KeyCursor();
    /** Whose drawings the engine has; empty while there is none. */
    symbol = "";

    /**
     * @param {ChartHandle} chart
     * @param {object} voice
     * @param {(sentence: string) => void} voice.say
     * @param {import("../ui/toasts.js").Toasts} voice.toasts
     */
    constructor(chart, { say, toasts }) {
        super();
        this.#chart = chart;
        this.say = say;
        this.#toasts = toasts;
        this.exchange = new DrawingExchange(this, toasts);
        this.#rail = new DrawingRail(this);
        this.#bar = new PropertyBar(this);
        this.pointer = new DrawingPointer(chart, this);
        chart.addEventListener("ready", () => this.#engineLoaded());
        chart.addEventListener("selected", () => this.#symbolChanged());
        chart.addEventListener("drawn", () => this.#placeBar());
        listenForDrawingKeys(this);
        this.store.onOtherTab((symbol) => symbol === this.symbol && this.#restore());
    }

    // What is there.

    /** The drawings of the engine's chart; null while there is none. */
    get engine() {
        return this.#chart.engineChart?.drawings ?? null;
    }

    /** Number of the selected drawing; 0 is none. */
    get selection() {
        return this.engine?.selection ?? 0;
    }

    /** What the next presses draw; null selects and moves.
     * @returns {?string} */
    get tool() {
        return this.engine?.tool ?? null;
    }

    /** @returns {?import("./drawing-words.js").DrawingEntry} the selected one. */
    get selected() {
        return this.board.entry(this.selection);
    }

    /** What a kind of drawing is called. */
    nameOf = nameOf;

    /** The tool that draws a kind. */
    toolOf = toolOf;

    get isEditing() {
        return this.#text.isOpen;
    }

    /** Decimals of a price. */
    get precision() {
        return this.#chart.precision;
    }

    // What people do.

    /** @param {?string} kind */
    choose(kind) {
        this.#cursor.reset();
        this.isHidden &&= kind === null;
        this.change((drawings) => (drawings.tool = kind));
        this.say(kind === null ? "Select and move." : `${nameOf(kind)}. Click the chart, or move with the arrows and press Enter.`);
    }

    /** @param {string} magnet one of `MAGNETS`. */
    setMagnet(magnet) {
        this.magnet = magnet;
        this.change((drawings) => drawings.setMagnet(magnet));
        /** @type {Record<string, string>} */
        const words = { off: "Magnet off.", weak: "Weak magnet: snaps to a bar’s price when near it.", strong: "Strong magnet: always snaps to a bar’s price." };
        this.say(words[magnet]);
    }

    /** @param {boolean} isHidden */
    hideAll(isHidden) {
        this.isHidden = isHidden;
        this.change((drawings) => drawings.hide(0, isHidden));
        this.say(isHidden ? "All drawings are hidden." : "All drawings are shown.");
    }

    undo() {
        this.#step("undo", "Undone");
    }

    redo() {
        this.#step("redo", "Redone");
    }

    /** @param {number} [id] @param {boolean} [isOnChart] whether the keyboard goes back to the chart. */
    remove(id = this.selection, isOnChart = true) {
        const entry = this.board.entry(id);
        if (entry) {
            this.change((drawings) => drawings.remove(id));
            this.say(`${nameOf(entry.kind)} deleted.`);
            if (isOnChart) {
                this.focusChart();
            }
        }
    }

    removeAll() {
        const { length } = this.board.entries;
        if (length > 0) {
            const bringBack = this.exchange.undoStep();
            this.change((drawings) => drawings.removeAll());
            const sentence = length === 1 ? "1 drawing deleted." : `All ${length} drawings deleted.`;
            this.#toasts.show(sentence, { action: { name: "Undo", act: bringBack } });
        }
    }

    /** @param {{colour?: ?number, width?: number, dash?: string}} style what is missing stays. */
    setStyle(style) {
        const entry = this.selected;
        if (entry) {
            const { colour, width, dash } = { ...entry, ...style };
            this.change((drawings) => drawings.setStyle(entry.id, { colour, width, dash }));
        }
    }

    /** @param {number} id @param {boolean} isLocked */
    lock(id, isLocked) {
        this.change((drawings) => drawings.lock(id, isLocked));
        this.say(isLocked ? "Locked." : "Unlocked.");
    }

    /** Puts the selected drawing above all others. */
    raise() {
        this.change((drawings) => drawings.raise(drawings.selection));
    }

    /** @param {number} id @param {boolean} isHidden */
    hide(id, isHidden) {
        const hadFocus = this.#bar.element.contains(document.activeElement);
        this.change((drawings) => drawings.hide(id, isHidden));
        if (isHidden && hadFocus) {
            this.focusChart();
        }
        this.say(isHidden ? "Hidden. You can show it again from the list of objects." : "Shown.");
    }

    /** @param {number} id 0 is none. */
    select(id) {
        this.change((drawings) => (drawings.selection = id));
        this.saySelection();
    }

    /** @param {number} step 1 or -1. @returns {boolean} whether one is selected now. */
    selectNext(step) {
        this.change((drawings) => drawings.selectNext(step));
        this.saySelection();
        return this.selection !== 0;
    }

    saySelection() {
        const entry = this.selected;
        this.say(entry ? describeDrawing(entry, this.precision) : "No drawing is selected.");
    }

    /** The keyboard goes to the bar of the selected drawing. */
    focusBar() {
        this.#bar.focus();
    }

    /** Moves the selected drawing.
     * @param {number} bars @param {number} steps up. @param {boolean} isFar */
    nudge(bars, steps, isFar) {
        const entry = this.selected;
        if (!entry) {
            return;
        }
        if (entry.locked) {
            this.say("The drawing is locked.");
            return;
        }
        const stride = isFar ? 10 : 1;
        const least = Math.round(NUDGE * ticksPerPixel(this.#chart.engineChart, this.precision));
        const ticks = steps === 0 ? 0 : steps * Math.max(1, least);
        this.change((drawings) => drawings.nudge(bars * stride, ticks * stride));
        this.saySelection();
    }

    /** Arrow keys while a tool is chosen.
     * @param {number} bars @param {number} steps up. @param {boolean} isFar */
    moveCursor(bars, steps, isFar) {
        this.#chart.change((chart) => {
            const point = this.#cursor.move(chart, bars, steps, isFar);
            if (point) {
                chart.drawings.move(point.x, point.y, 0);
            }
        });
        if (this.#cursor.place) {
            this.say(describePlace(this.#cursor.place, this.precision));
        }
    }

    /** Enter while a tool is chosen: an anchor where the cursor is. */
    placeAnchor() {
        const kind = this.tool;
        if (kind === null) {
            return;
        }
        const isPlaced = this.change((drawings) => drawings.placeAtCrosshair());
        if (!isPlaced) {
            // There is no crosshair yet: now there is, and the next Enter places.
            this.moveCursor(0, 0, false);
            return;
        }
        if (this.tool === null) {
            this.created();
        } else {
            const where = this.#cursor.place ? ` at ${describePlace(this.#cursor.place, this.precision)}` : "";
            this.say(`First point${where}. Move to the second and press Enter.`);
        }
    }

    /** A drawing was finished: a text is written now. */
    created() {
        this.#cursor.reset();
        const entry = this.selected;
        if (entry?.kind === "text") {
            this.editText();
        } else if (entry) {
            this.say(`Added. ${describeDrawing(entry, this.precision)}`);
        }
    }

    /** Gives up what was begun, else the tool, else the selection.
     * @returns {boolean} whether there was something. */
    escape() {
        const { tool } = this;
        if (tool === null && this.selection === 0) {
            return false;
        }
        this.#cursor.reset();
        this.change((drawings) => (tool === null ? (drawings.selection = 0) : drawings.cancel()));
        this.say(tool === null ? "No drawing is selected." : `${nameOf(tool)} cancelled.`);
        return true;
    }

    /** Opens the input for the selected drawing's text. */
    editText() {
        const entry = this.selected;
        const chart = this.#chart.engineChart;
        if (!entry || !chart || entry.locked || ["fibonacci", "measure"].includes(entry.kind)) {
            return;
        }
        const box = boxOf(chart, entry);
        if (!box) {
            return;
        }
        const isText = entry.kind === "text";
        const place = isText
            ? { x: box.left, y: box.top }
            : { x: (box.left + box.right) / 2 - 40, y: (box.top + box.bottom) / 2 };
        this.#text.open(place, chart.plot(), entry.text, (text) => this.#written(entry, text));
        this.#bar.show(null);
    }

    /** @param {import("./drawing-words.js").DrawingEntry} entry @param {?string} text null where it was given up. */
    #written(entry, text) {
        const isEmpty = (text ?? entry.text) === "";
        if (isEmpty && entry.kind === "text") {
            // Without words it would be nothing that one could see: as if it had not been placed.
            if (entry.text === "") {
                this.change((drawings) => drawings.undo());
            } else {
                this.remove(entry.id);
            }
        } else if (text !== null && text !== entry.text) {
            this.change((drawings) => drawings.setText(entry.id, text));
            this.saySelection();
        } else {
            this.refresh();
        }
        if (document.activeElement === document.body || document.activeElement === this.#text.element) {
            this.focusChart();
        }
    }

    // Keeping.

    #engineLoaded() {
        this.symbol = "";
        this.#text.cancel();
        this.engine?.setMagnet(this.magnet);
    }

    #symbolChanged() {
        const symbol = this.#chart.selection?.symbol ?? "";
        if (this.engine && symbol !== this.symbol) {
            // The board is still the last symbol's, and so is the text.
            this.#text.finish();
            this.symbol = symbol;
            this.#restore();
        }
    }

    #restore() {
        const document = this.store.read(this.symbol);
        this.#text.cancel();
        this.#cursor.reset();
        let problem = "";
        this.#chart.change(({ drawings }) => {
            drawings.reset();
            if (document !== null) {
                try {
                    drawings.load(document, true);
                } catch (error) {
                    problem = messageOf(error);
                }
            }
            drawings.hide(0, this.isHidden);
        });
        if (problem) {
            const isAside = this.store.setAside(this.symbol);
            const fate = isAside ? "They were set aside" : "They stay where they are, and new ones are not saved";
            this.exchange.reportDamaged(document, fate, problem);
        }
        // What was just read need not be written.
        this.engine && this.board.read(this.engine);
        this.#show();
    }

    /** Reads again what the engine has, keeps it and shows it. */
    refresh() {
        const drawings = this.engine;
        if (!drawings) {
            return;
        }
        if (this.board.read(drawings) && this.symbol) {
            this.store.write(this.symbol, this.board.entries.length > 0 ? this.board.document : null);
        }
        this.#show();
    }

    /**
     * Changes the drawings of the engine's chart, keeps and shows what became of them.
     *
     * @template Result
     * @param {(drawings: import("../engine/drawings.js").EngineDrawings) => Result} change
     * @returns {Result | undefined}
     */
    change(change) {
        const result = this.#chart.change((chart) => change(chart.drawings));
        this.refresh();
        return result;
    }

    /** @param {"undo" | "redo"} way @param {string} word */
    #step(way, word) {
        const isDone = this.change((drawings) => {
            const isStep = drawings[way]();
            // A text that was placed and not yet written is half a step.
            return isStep && (!drawings.all.some(({ kind, text }) => kind === "text" && text === "") || drawings[way]());
        });
        const { length } = this.board.entries;
        this.say(isDone ? `${word}. ${length} ${length === 1 ? "drawing" : "drawings"}.` : `Nothing to ${way}.`);
    }

    // Showing.

    #show() {
        if (!this.engine) {
            return;
        }
        this.#rail.show();
        this.#bar.show(this.isEditing ? null : this.selected);
        this.#placeBar();
        this.dispatchEvent(new Event("change"));
    }

    #placeBar() {
        const entry = this.isEditing ? null : this.selected;
        const box = entry && boxOf(this.#chart.engineChart, entry);
        if (box && this.#chart.engineChart) {
            this.#bar.place(box, this.#chart.engineChart.plot());
        }
    }

    /** The keyboard goes back to the chart. */
    focusChart() {
        this.#chart.canvas.focus({ preventScroll: true });
    }
}
