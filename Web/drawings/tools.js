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

/** Icons of what is no tool. */
export const ICONS = {
    pointer: "M6 4l13 7.2-5.6 1.6L10.6 18.5Z",
    magnet: "M6 4h4v8a2 2 0 0 0 4 0V4h4v8a6 6 0 0 1-12 0ZM6 8h4m4 0h4",
    shown: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6ZM9.5 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0",
    hidden: "M4 4l16 16M9.9 6.2A9 9 0 0 1 12 6c5.5 0 9 6 9 6a16 16 0 0 1-2.7 3.3M6.6 7.6A16 16 0 0 0 3 12s3.5 6 9 6a9 9 0 0 0 4-1",
    undo: "M8 6 4 10l4 4M4 10h10a5 5 0 0 1 0 10h-3",
    redo: "m16 6 4 4-4 4m4-4H10a5 5 0 0 0 0 10h3",
    trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10.5 11v5m3-5v5",
    more: "M4.5 12h1M11.5 12h1M18.5 12h1",
    lock: "M8 11V8a4 4 0 0 1 8 0v3M6 11h12v9H6Z",
    unlock: "M8 11V8a4 4 0 0 1 7.7-1.5M6 11h12v9H6Z",
    front: "M9 9h11v11H9ZM15 5.5V4H4v11h1.5",
    bell: "M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15ZM10 20.5h4",
    table: "M4 5h16v14H4ZM4 10h16M4 14.5h16M10 5v14",
    close: "m6 6 12 12M18 6 6 18",
    add: "M12 6v12M6 12h12",
    again: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
};

/** The tool of a kind. @param {?string} kind */
export function toolOf(kind) {
    return TOOLS.find((tool) => tool.kind === kind) ?? null;
}
