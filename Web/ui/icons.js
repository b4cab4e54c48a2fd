/** The paths of icons, in a box of 24 with strokes of the text's colour. */
export const ICONS = {
    pointer: "M6 4l13 7.2-5.6 1.6L10.6 18.5Z",
    shown: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6ZM9.5 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0",
    hidden: "M4 4l16 16M9.9 6.2A9 9 0 0 1 12 6c5.5 0 9 6 9 6a16 16 0 0 1-2.7 3.3M6.6 7.6A16 16 0 0 0 3 12s3.5 6 9 6a9 9 0 0 0 4-1",
    lock: "M8 11V8a4 4 0 0 1 8 0v3M6 11h12v9H6Z",
    unlock: "M8 11V8a4 4 0 0 1 7.7-1.5M6 11h12v9H6Z",
    bell: "M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15ZM10 20.5h4",
    close: "m6 6 12 12M18 6 6 18",
};
