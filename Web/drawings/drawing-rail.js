import { element, setText } from "../dom.js";
import { MAGNETS, numberOf } from "../engine/boundary.js";
import { iconButton, isOff, nameButton, setIcon, switchOff } from "../ui/icon-button.js";
import { Menu } from "../ui/menu.js";
import { roveIn } from "../ui/roving.js";
import { ICONS } from "../ui/icons.js";
import { TOOLS } from "./tools.js";

/** @type {Record<string, string>} What stands on the magnet’s button, by its strength. */
const LEVELS = { off: "", weak: "1", strong: "2" };

/** The column (on a phone the row) of drawing tools beside the chart. */
export class DrawingRail {
    #drawings;
    /** @type {Map<?string, HTMLElement>} */
    #tools = new Map();
    #magnet;
    #magnetLevel = element("span", { class: "rail-level", "aria-hidden": "true" });
    #hide;
    #undo;
    #redo;
    #remove;

    /** @param {HTMLElement} rail @param {import("./drawings.js").Drawings} drawings */
    constructor(rail, drawings) {
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
        this.#magnet = iconButton("Magnet", ICONS.magnet);
        this.#magnet.append(this.#magnetLevel);
        this.#magnet.addEventListener("click", () => {
            drawings.setMagnet(MAGNETS[(numberOf(MAGNETS, drawings.magnet) + 1) % MAGNETS.length]);
        });
        this.#hide = iconButton("Hide all drawings", ICONS.shown);
        this.#hide.addEventListener("click", () => drawings.hideAll(!drawings.isHidden));
        const action = (/** @type {string} */ name, /** @type {string} */ icon, /** @type {string} */ key, /** @type {() => void} */ act) => {
            const button = iconButton(name, icon, key);
            button.addEventListener("click", () => isOff(button) || act());
            return button;
        };
        this.#undo = action("Undo", ICONS.undo, "Ctrl+Z", () => drawings.undo());
        this.#redo = action("Redo", ICONS.redo, "Ctrl+Shift+Z", () => drawings.redo());
        this.#remove = action("Delete the selected drawing", ICONS.trash, "Delete", () => drawings.remove());
        const more = iconButton("More drawing actions", ICONS.more);
        new Menu(
            more,
            "More drawing actions",
            () => [
                { name: "Export to a file", act: () => drawings.exchange.exportFile(), isOff: drawings.board.entries.length === 0 },
                { name: "Import from a file", act: () => drawings.exchange.importFile() },
                { name: "Delete all drawings", act: () => drawings.removeAll(), isOff: drawings.board.entries.length === 0 },
            ],
            { side: "beside" },
        );
        const groups = [[...this.#tools.values()], [this.#magnet, this.#hide], [this.#undo, this.#redo, this.#remove, more]];
        rail.append(...groups.map((group) => element("div", { class: "rail-group", role: "presentation" }, ...group)));
        roveIn(rail);
        rail.querySelectorAll("button").forEach((button) => (button.tabIndex = button === pointer ? 0 : -1));
        this.show();
    }

    show() {
        const { tool, magnet, isHidden, selection, engine } = this.#drawings;
        this.#tools.forEach((button, kind) => button.setAttribute("aria-pressed", String(kind === tool)));
        nameButton(this.#magnet, `Magnet: ${magnet}`);
        this.#magnet.setAttribute("aria-pressed", String(magnet !== "off"));
        setText(this.#magnetLevel, LEVELS[magnet] ?? "");
        setIcon(this.#hide, isHidden ? ICONS.hidden : ICONS.shown);
        this.#hide.setAttribute("aria-pressed", String(isHidden));
        switchOff(this.#undo, !engine?.canUndo);
        switchOff(this.#redo, !engine?.canRedo);
        switchOff(this.#remove, selection === 0);
    }
}
