import { DASHES } from "../engine/boundary.js";
import { byId } from "../dom.js";
import { setIcon } from "../ui/icon-button.js";
import { Menu } from "../ui/menu.js";
import { roveIn } from "../ui/roving.js";
import { ICONS } from "../ui/icons.js";

/** What drawings may look like; every one is at least 3:1 to the dark and to the light ground. */
const COLOURS = [
    { name: "Blue", rgb: 0x3478f6 },
    { name: "Red", rgb: 0xe5484d },
    { name: "Orange", rgb: 0xd9730d },
    { name: "Gold", rgb: 0xa8790a },
    { name: "Green", rgb: 0x2b8a3e },
    { name: "Teal", rgb: 0x0e8a80 },
    { name: "Purple", rgb: 0x8e5bd9 },
    { name: "Pink", rgb: 0xd6409f },
    { name: "Grey", rgb: 0x7a7f88 },
];
const WIDTHS = [1, 2, 3, 4];
/** Drawings without a line to choose. */
const LINELESS = ["text", "measure"];
/** Pixels between a drawing and its bar. */
const GAP = 14;

/** @typedef {import("./drawing-words.js").DrawingEntry} DrawingEntry */

/** A bar beside the selected drawing: what it looks like, and what can be done with it. */
export class PropertyBar {
    element = byId("property-bar");
    /** @type {?DrawingEntry} */
    #drawing = null;
    #colour = byId("property-colour", HTMLButtonElement);
    #line = byId("property-line", HTMLButtonElement);
    #lock = byId("property-lock");
    #keepOneStop = roveIn(this.element);
    /** Where it is, so that an unmoved bar is left alone. */
    #place = "";

    /** @param {import("./drawings.js").Drawings} drawings whose selected one it is. */
    constructor(drawings) {
        new Menu(this.#colour, "Colour", () => this.#colours(drawings), { className: "palette" });
        new Menu(this.#line, "Line", () => this.#lines(drawings), { className: "line-menu" });
        byId("property-text").addEventListener("click", () => drawings.editText());
        this.#lock.addEventListener("click", () => drawings.lock(drawings.selection, !this.#drawing?.locked));
        byId("property-hide").addEventListener("click", () => drawings.hide(drawings.selection, true));
        byId("property-front").addEventListener("click", () => drawings.raise());
        byId("property-delete").addEventListener("click", () => drawings.remove());
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Escape") {
                event.preventDefault();
                drawings.focusChart();
            } else if (event.key === "Delete" || event.key === "Backspace") {
                event.preventDefault();
                drawings.remove();
            }
        });
    }

    /** @param {?DrawingEntry} drawing null hides the bar. */
    show(drawing) {
        this.#drawing = drawing;
        this.element.hidden = drawing === null;
        if (!drawing) {
            return;
        }
        this.#line.hidden = LINELESS.includes(drawing.kind);
        byId("property-text").hidden = ["fibonacci", "measure"].includes(drawing.kind);
        this.#colour.style.setProperty("--swatch", css(drawing.colour ?? rgba(COLOURS[0].rgb)));
        setIcon(this.#lock, drawing.locked ? ICONS.lock : ICONS.unlock);
        this.#lock.setAttribute("aria-pressed", String(drawing.locked));
        this.#keepOneStop();
    }

    focus() {
        this.#colour.focus();
    }

    /**
     * Puts the bar above what it belongs to, or below it where there is no room, and within the chart.
     *
     * @param {{left: number, right: number, top: number, bottom: number}} box of the drawing, CSS pixels of the chart.
     * @param {{width: number, height: number}} plot
     */
    place(box, plot) {
        const { offsetWidth: width, offsetHeight: height } = this.element;
        const middle = (Math.max(0, box.left) + Math.min(plot.width, box.right)) / 2;
        const left = Math.round(Math.max(6, Math.min(middle - width / 2, plot.width - width - 6)));
        // The legend is at the top.
        const above = box.top - GAP - height;
        const below = box.bottom + GAP;
        const fits = above >= 44 || below + height > plot.height - 6;
        const top = Math.round(Math.max(44, Math.min(fits ? above : below, plot.height - height - 6)));
        const place = `${left}px ${top}px`;
        if (place !== this.#place) {
            this.#place = place;
            this.element.style.translate = place;
        }
    }

    /** @param {import("./drawings.js").Drawings} drawings */
    #colours(drawings) {
        const present = this.#drawing?.colour ?? rgba(COLOURS[0].rgb);
        return COLOURS.map(({ name, rgb }, index) => ({
            name,
            swatch: css(rgba(rgb)),
            isChecked: present === rgba(rgb),
            act: () => drawings.setStyle({ colour: index === 0 ? null : rgba(rgb) }),
        }));
    }

    /** @param {import("./drawings.js").Drawings} drawings */
    #lines(drawings) {
        const widths = WIDTHS.map((width) => ({
            name: `${width} px`,
            className: `line-${width}`,
            isChecked: this.#drawing?.width === width,
            act: () => drawings.setStyle({ width }),
        }));
        const dashes = DASHES.map((dash) => ({
            name: dash[0].toUpperCase() + dash.slice(1),
            className: `line-${dash}`,
            isChecked: this.#drawing?.dash === dash,
            act: () => drawings.setStyle({ dash }),
        }));
        return [...widths, ...dashes];
    }
}

/** @param {number} rgb 0xRRGGBB */
function rgba(rgb) {
    return rgb * 256 + 255;
}

/** @param {number} colour 0xRRGGBBAA */
function css(colour) {
    return `#${colour.toString(16).padStart(8, "0")}`;
}
