import { hasModifier } from "../ui/keys.js";

/** Bars that page keys and shift move by. */
const STRIDE = 10;
/** Zoom per key press. */
const ZOOM = 1.25;
/** Stretch of a pane's scale per key press. */
export const STRETCH = 1.15;
/** Part of the pane's height that its values move per key press. */
export const SHIFT = 0.1;

/**
 * The keys of a focused chart: letters have Shift, as without it they search a market. The list in `index.html` (`#shortcuts`) lists them for people.
 *
 * @param {import("./chart-panel.js").ChartPanel} panel
 * @param {import("./pointer-handlers.js").PointerHandlers} handlers what lies on the chart has the keys first.
 */
export function listenForKeys(panel, handlers) {
    const step = (/** @type {number} */ bars) => panel.read((chart) => chart.stepCrosshair(bars));
    const scroll = (/** @type {number} */ bars) => panel.change((chart) => chart.panBars(bars));
    const stretch = (/** @type {number} */ factor) => panel.change((chart) => chart.panes.stretchScale(0, factor));
    const shift = (/** @type {number} */ share) =>
        panel.change(({ panes }) => panes.panScale(0, share * (panes.place(0)?.height ?? 0)));
    const stepToOldest = () =>
        panel.read((chart) => {
            // The first step only shows the crosshair; the second may be as long as the series.
            chart.stepCrosshair(0);
            chart.stepCrosshair(-chart.count);
        });
    const report = (/** @type {string} */ type, /** @type {string | number} */ detail) =>
        panel.dispatchEvent(new CustomEvent(type, { detail }));
    /** @type {Record<string, (shift: boolean) => void>} */
    const actions = {
        ArrowLeft: (isShift) => (isShift ? scroll(-STRIDE) : step(-1)),
        ArrowRight: (isShift) => (isShift ? scroll(STRIDE) : step(1)),
        PageUp: (isShift) => (isShift ? shift(SHIFT) : step(-STRIDE)),
        PageDown: (isShift) => (isShift ? shift(-SHIFT) : step(STRIDE)),
        Home: stepToOldest,
        End: () => panel.live(),
        ArrowUp: (isShift) => (isShift ? stretch(STRETCH) : report("timeframe-step", 1)),
        ArrowDown: (isShift) => (isShift ? stretch(1 / STRETCH) : report("timeframe-step", -1)),
        "+": () => panel.zoom(ZOOM),
        "=": () => panel.zoom(ZOOM),
        "-": () => panel.zoom(1 / ZOOM),
        F: () => panel.fit(),
        " ": () => step(0),
        G: () => report("open", "go-to"),
        I: () => report("open", "studies"),
        C: () => report("open", "compare"),
        O: () => report("open", "options"),
        E: () => report("open", "export"),
        Escape: () => panel.crosshairOff(),
    };
    panel.canvas.addEventListener("keydown", (event) => {
        if (handlers.key(event)) {
            event.preventDefault();
            return;
        }
        const action = actions[keyOf(event)];
        if (!action || hasModifier(event)) {
            return;
        }
        event.preventDefault();
        action(event.shiftKey);
    });
}

/**
 * A key by its name: a letter with Shift is a capital one, also with Caps Lock, and without Shift it is none of the chart's.
 *
 * @param {KeyboardEvent} event
 */
export function keyOf({ key, shiftKey }) {
    return !/^[a-z]$/i.test(key) ? key : shiftKey ? key.toUpperCase() : "";
}
