/** Bars that page keys and shift move by. */
const STRIDE = 10;
/** Zoom per key press. */
const ZOOM = 1.25;
/** Stretch of a pane's scale per key press. */
export const STRETCH = 1.15;
/** Part of the pane's height that its values move per key press. */
export const SHIFT = 0.1;

/**
 * What the keys do with a chart.
 *
 * @typedef {object} KeyboardTarget
 * @property {(bars: number) => void} step moves the crosshair; negative is towards the past, 0 shows and reads it.
 * @property {() => void} stepToOldest
 * @property {(bars: number) => void} scroll moves the view; negative is towards the past.
 * @property {(factor: number) => void} zoom
 * @property {(factor: number) => void} stretch of the price scale.
 * @property {(share: number) => void} shiftScale moves the prices down by a part of the pane's height.
 * @property {() => void} live
 * @property {() => void} fit
 * @property {(panel: string) => void} open
 * @property {() => void} escape
 * @property {(step: number) => void} changeTimeframe 1 is the next longer one.
 * @property {(event: KeyboardEvent) => boolean} first comes before all of them; true: the key was used there.
 */

/**
 * The keys of a focused chart. The list in `index.html` (`#shortcuts`) lists them for people.
 *
 * @param {HTMLElement} element
 * @param {KeyboardTarget} target
 */
export function listenForKeys(element, target) {
    /** @type {Record<string, (shift: boolean) => void>} */
    const actions = {
        ArrowLeft: (shift) => (shift ? target.scroll(-STRIDE) : target.step(-1)),
        ArrowRight: (shift) => (shift ? target.scroll(STRIDE) : target.step(1)),
        PageUp: (shift) => (shift ? target.shiftScale(SHIFT) : target.step(-STRIDE)),
        PageDown: (shift) => (shift ? target.shiftScale(-SHIFT) : target.step(STRIDE)),
        Home: () => target.stepToOldest(),
        End: () => target.live(),
        ArrowUp: (shift) => (shift ? target.stretch(STRETCH) : target.changeTimeframe(1)),
        ArrowDown: (shift) => (shift ? target.stretch(1 / STRETCH) : target.changeTimeframe(-1)),
        "+": () => target.zoom(ZOOM),
        "=": () => target.zoom(ZOOM),
        "-": () => target.zoom(1 / ZOOM),
        f: () => target.fit(),
        " ": () => target.step(0),
        g: () => target.open("go-to"),
        i: () => target.open("studies"),
        c: () => target.open("compare"),
        o: () => target.open("options"),
        e: () => target.open("export"),
        Escape: () => target.escape(),
    };
    element.addEventListener("keydown", (event) => {
        if (target.first(event)) {
            event.preventDefault();
            return;
        }
        const action = actions[event.key];
        if (!action || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        event.preventDefault();
        action(event.shiftKey);
    });
}
