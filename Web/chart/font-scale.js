import { byId } from "../dom.js";

/** Pixels of text where no other size was chosen. */
const DEFAULT = 16;

/**
 * The user's text size over the default one: what a browser's setting makes of 1 rem, and every later change of it.
 *
 * @param {(scale: number) => void} apply called at once, and whenever it changed.
 */
export function watchFontScale(apply) {
    let last = 0;
    const update = () => {
        const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / DEFAULT;
        if (scale !== last && scale > 0) {
            last = scale;
            apply(scale);
        }
    };
    // No event reports another text size; an element that is one rem wide does.
    new ResizeObserver(update).observe(byId("font-probe"));
    update();
}
