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
    const probe = document.createElement("div");
    probe.setAttribute("aria-hidden", "true");
    probe.style.cssText = "position: fixed; width: 1rem; height: 1rem; visibility: hidden; pointer-events: none";
    document.body.append(probe);
    new ResizeObserver(update).observe(probe);
    update();
}
