import { byId, setText } from "../dom.js";
import { MAGNETS, numberOf } from "../engine/boundary.js";
import { iconButton, isOff, nameButton, setIcon, switchOff } from "../ui/icon-button.js";
import { Menu } from "../ui/menu.js";
import { roveIn, stopAt } from "../ui/roving.js";
import { ICONS } from "../ui/icons.js";
import { TOOLS } from "./tools.js";

/** @type {Record<string, string>} What stands on the magnet’s button, by its strength. */
const LEVELS = { off: "", weak: "1", strong: "2" };

/** The column (on a phone the row) of drawing tools beside the chart. */
export class DrawingRail {
    #drawings;
    /** @type {Map<?string, HTMLElement>} */
    #tools = new Map();
    #magnet = byId("rail-magnet");
    #hide = byId("rail-hide");
    #undo = byId("rail-undo");
    #redo = byId("rail-redo");
    #remove = byId("rail-delete");

    /** @param {import("./drawings.js").Drawings} drawings */
    constructor(drawings) {
        this.#drawings = drawings;
        const pointer = iconButton("Select and move", ICONS.pointer, "Esc");
        this.#tools.set(null, pointer);
        for (const { kind, name, icon, letter } of TOOLS) {
            this.#tools.set(kind, iconButton(name, icon, `Alt+${letter}`));
        }
        this.#tools.forEach((button, kind) =>
            // Pressed again, a tool is put down.
            button.addEventListener("click", () => drawings.choose(kind === drawings.tool ? null : kind)),
        );
        byId("rail-tools").append(...this.#tools.values());
        this.#magnet.addEventListener("click", () => {
            drawings.setMagnet(MAGNETS[(numberOf(MAGNETS, drawings.magnet) + 1) % MAGNETS.length]);
        });
        this.#hide.addEventListener("click", () => drawings.hideAll(!drawings.isHidden));
        this.#undo.addEventListener("click", () => isOff(this.#undo) || drawings.undo());
        this.#redo.addEventListener("click", () => isOff(this.#redo) || drawings.redo());
        this.#remove.addEventListener("click", () => isOff(this.#remove) || drawings.remove());
        new Menu(
            byId("rail-more", HTMLButtonElement),
            "More drawing actions",
            () => [
                { name: "Export to a file", act: () => drawings.exchange.exportFile(), isOff: drawings.board.entries.length === 0 },
                { name: "Import from a file", act: () => drawings.exchange.importFile() },
                { name: "Delete all drawings", act: () => drawings.removeAll(), isOff: drawings.board.entries.length === 0 },
            ],
            { side: "beside" },
        );
        const rail = byId("drawing-tools");
        roveIn(rail);
        stopAt(rail.querySelectorAll("button"), pointer);
        this.show();
    }

    show() {
        const { tool, magnet, isHidden, selection, engine } = this.#drawings;
        this.#tools.forEach((button, kind) => button.setAttribute("aria-pressed", String(kind === tool)));
        nameButton(this.#magnet, `Magnet: ${magnet}`);
        this.#magnet.setAttribute("aria-pressed", String(magnet !== "off"));
        setText(byId("rail-level"), LEVELS[magnet] ?? "");
        setIcon(this.#hide, isHidden ? ICONS.hidden : ICONS.shown);
        this.#hide.setAttribute("aria-pressed", String(isHidden));
        switchOff(this.#undo, !engine?.canUndo);
        switchOff(this.#redo, !engine?.canRedo);
        switchOff(this.#remove, selection === 0);
    }
}
