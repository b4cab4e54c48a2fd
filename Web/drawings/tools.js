/** A small ring in an icon: where a drawing has an anchor. */
const ring = (/** @type {number} */ x, /** @type {number} */ y) =>
    `M${x - 1.8} ${y}a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0`;

/**
 * @typedef {object} Tool
 * @property {string} kind one of the engine's `DRAWING_KINDS`.
 * @property {string} name for people.
 * @property {string} letter the key that chooses it, with Alt.
 * @property {string} icon a path in a box of 24.
 */

/** @type {Tool[]} in the order of the rail. The letters are those that traders know from elsewhere, where there are any. */
export const TOOLS = [
    { kind: "trend_line", name: "Trend line", letter: "T", icon: `M6.3 17.7 17.7 6.3${ring(5, 19)}${ring(19, 5)}` },
    {
        kind: "ray",
        name: "Ray",
        letter: "R",
        icon: `M6.3 17.7 10.7 13.3M13.3 10.7 21 3${ring(5, 19)}${ring(12, 12)}`,
    },
    { kind: "horizontal_line", name: "Horizontal line", letter: "H", icon: `M3 12h7.2m3.6 0H21${ring(12, 12)}` },
    { kind: "vertical_line", name: "Vertical line", letter: "V", icon: `M12 3v7.2m0 3.6V21${ring(12, 12)}` },
    {
        kind: "rectangle",
        name: "Rectangle",
        letter: "B",
        icon: `M6.8 7H19v8.2M17.2 17H5V8.8${ring(5, 7)}${ring(19, 17)}`,
    },
    {
        kind: "fibonacci",
        name: "Fibonacci retracement",
        letter: "F",
        icon: `M4 5h11.2m3.6 0H20M4 10h16M4 14h16M4 19h1.2m3.6 0H20${ring(7, 19)}${ring(17, 5)}`,
    },
    { kind: "measure", name: "Measure", letter: "M", icon: "M4 15.5 15.5 4 20 8.5 8.5 20ZM7.5 12l2 2M10.5 9l3 3M13.5 6l2 2" },
    { kind: "text", name: "Text", letter: "X", icon: "M6 7.5V5h12v2.5M12 5v14M9.5 19h5" },
];

/** The tool of a kind.
 * @param {?string} kind */
export function toolOf(kind) {
    return TOOLS.find((tool) => tool.kind === kind) ?? null;
}
