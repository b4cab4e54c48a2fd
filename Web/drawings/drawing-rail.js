import { element, setText } from "../dom.js";
import { MAGNETS, numberOf } from "../engine/boundary.js";
import { iconButton, isOff, nameButton, setIcon, switchOff } from "../ui/icon-button.js";
import { Menu } from "../ui/menu.js";
import { roveIn } from "../ui/roving.js";
import { ICONS } from "../ui/icons.js";
import { TOOLS } from "./tools.js";

/**
 * What the rail's buttons do.
 *
 * @typedef {object} RailTarget
 * @property {(kind: ?string) => void} choose null is the pointer.
 * @property {(magnet: string) => void} setMagnet
 * @property {(isHidden: boolean) => void} hideAll
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} remove
 * @property {() => void} removeAll
 * @property {() => void} exportFile
 * @property {() => void} importFile
 */

/**
 * What the rail shows.
 *
 * @typedef {object} RailState
 * @property {?string} tool
 * @property {string} magnet
 * @property {boolean} isHidden whether all drawings are.
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {boolean} hasSelection
 * @property {number} count drawings there are.
 */

/** @type {Record<string, string>} What stands on the magnet’s button, by its strength. */
const LEVELS = { off: "", weak: "1", strong: "2" };

/** The column (on a phone the row) of drawing tools beside the chart. */
export class DrawingRail {
    /** @type {RailState} */
    #state = { tool: null, magnet: "off", isHidden: false, canUndo: false, canRedo: false, hasSelection: false, count: 0 };
    /** @type {Map<?string, HTMLElement>} */
    #tools = new Map();
    #magnet;
    #magnetLevel = element("span", { class: "rail-level", "aria-hidden": "true" });
    #hide;
    #undo;
    #redo;
    #remove;

    /** @param {HTMLElement} rail @param {RailTarget} target */
    constructor(rail, target) {
        const pointer = iconButton("Select and move", ICONS.pointer, "Esc");
        this.#tools.set(null, pointer);
        for (const { kind, name, icon, letter } of TOOLS) {
            this.#tools.set(kind, iconButton(name, icon, `Alt+${letter}`));
        }
        this.#tools.forEach((button, kind) =>
            // Pressed again, a tool is put down.
            button.addEventListener("click", () => target.choose(kind === this.#state.tool ? null : kind)),
        );
        this.#magnet = iconButton("Magnet", ICONS.magnet);
        this.#magnet.append(this.#magnetLevel);
        this.#magnet.addEventListener("click", () => {
            target.setMagnet(MAGNETS[(numberOf(MAGNETS, this.#state.magnet) + 1) % MAGNETS.length]);
        });
        this.#hide = iconButton("Hide all drawings", ICONS.shown);
        this.#hide.addEventListener("click", () => target.hideAll(!this.#state.isHidden));
        const action = (/** @type {string} */ name, /** @type {string} */ icon, /** @type {string} */ key, /** @type {() => void} */ act) => {
            const button = iconButton(name, icon, key);
            button.addEventListener("click", () => isOff(button) || act());
            return button;
        };
        this.#undo = action("Undo", ICONS.undo, "Ctrl+Z", () => target.undo());
        this.#redo = action("Redo", ICONS.redo, "Ctrl+Shift+Z", () => target.redo());
        this.#remove = action("Delete the selected drawing", ICONS.trash, "Delete", () => target.remove());
        const more = iconButton("More drawing actions", ICONS.more);
        new Menu(
            more,
            "More drawing actions",
            () => [
                { name: "Export to a file", act: () => target.exportFile(), isOff: this.#state.count === 0 },
                { name: "Import from a file", act: () => target.importFile() },
                { name: "Delete all drawings", act: () => target.removeAll(), isOff: this.#state.count === 0 },
            ],
            { side: "beside" },
        );
        const groups = [[...this.#tools.values()], [this.#magnet, this.#hide], [this.#undo, this.#redo, this.#remove, more]];
        rail.append(...groups.map((group) => element("div", { class: "rail-group", role: "presentation" }, ...group)));
        roveIn(rail);
        rail.querySelectorAll("button").forEach((button) => (button.tabIndex = button === pointer ? 0 : -1));
        this.show(this.#state);
    }

    /** @param {RailState} state */
    show(state) {
        this.#state = state;
        this.#tools.forEach((button, kind) => button.setAttribute("aria-pressed", String(kind === state.tool)));
        nameButton(this.#magnet, `Magnet: ${state.magnet}`);
        this.#magnet.setAttribute("aria-pressed", String(state.magnet !== "off"));
        setText(this.#magnetLevel, LEVELS[state.magnet] ?? "");
        setIcon(this.#hide, state.isHidden ? ICONS.hidden : ICONS.shown);
        this.#hide.setAttribute("aria-pressed", String(state.isHidden));
        switchOff(this.#undo, !state.canUndo);
        switchOff(this.#redo, !state.canRedo);
        switchOff(this.#remove, !state.hasSelection);
    }
}
