import { hasModifier } from "./keys.js";

/**
 * Where a key leads in a ring of `count` places; null when it is no arrow of these, Home or End.
 *
 * @param {string} key
 * @param {number} at
 * @param {number} count
 * @param {[string, string]} arrows forward, back.
 */
export function moved(key, at, count, [forward, back]) {
    if (at < 0 || count === 0) {
        return null;
    }
    switch (key) {
        case forward:
            return (at + 1) % count;
        case back:
            return (at + count - 1) % count;
        case "Home":
            return 0;
        case "End":
            return count - 1;
        default:
            return null;
    }
}

/** The same with both pairs of arrows.
 * @param {string} key @param {number} at @param {number} count */
export function movedEitherWay(key, at, count) {
    return moved(key, at, count, ["ArrowDown", "ArrowUp"]) ?? moved(key, at, count, ["ArrowRight", "ArrowLeft"]);
}

/**
 * Lets arrows lead from one place of a group to the next, and Home and End to its ends.
 *
 * @param {HTMLElement} group
 * @param {() => HTMLElement[]} places
 * @param {[string, string]} arrows forward, back.
 * @param {(place: HTMLElement) => void} go to where a key leads.
 */
export function onArrows(group, places, arrows, go) {
    group.addEventListener("keydown", (event) => {
        const all = places();
        const at = all.findIndex((each) => each === event.target);
        const isPlain = !hasModifier(event) && !event.shiftKey;
        const next = isPlain ? moved(event.key, at, all.length, arrows) : null;
        if (next !== null) {
            event.preventDefault();
            go(all[next]);
        }
    });
}

/** Makes one element the only stop of the Tab key among all.
 * @param {Iterable<HTMLElement>} all @param {?HTMLElement} stop */
export function stopAt(all, stop) {
    for (const each of all) {
        each.tabIndex = each === stop ? 0 : -1;
    }
}

/**
 * Makes the buttons of a toolbar one stop of the Tab key; arrows lead from one to the next, Home and End to the ends.
 *
 * @param {HTMLElement} toolbar
 * @returns {() => void} to be called after buttons were shown or hidden: exactly one visible button is a stop then.
 */
export function roveIn(toolbar) {
    const all = () => [...toolbar.querySelectorAll("button")];
    const visible = () => all().filter((each) => each.offsetParent !== null);
    toolbar.addEventListener("focusin", (event) => {
        if (event.target instanceof HTMLButtonElement) {
            stopAt(all(), event.target);
        }
    });
    toolbar.addEventListener("keydown", (event) => {
        if (hasModifier(event) || !(event.target instanceof HTMLButtonElement)) {
            return;
        }
        const buttons = visible();
        const next = movedEitherWay(event.key, buttons.indexOf(event.target), buttons.length);
        if (next !== null) {
            event.preventDefault();
            event.stopPropagation();
            buttons[next].focus();
        }
    });
    return () => {
        const stops = visible().filter((each) => each.tabIndex === 0);
        if (stops.length !== 1 && visible().length > 0) {
            stopAt(all(), stops[0] ?? visible()[0]);
        }
    };
}

/**
 * The keys of a filter field and of the list of buttons below it: the arrow down leads from the field to the first
 * button, Enter presses that one, arrows move in the list, and up from the first leads back.
 *
 * @param {HTMLInputElement} filter
 * @param {HTMLElement} list
 */
export function linkFilterToList(filter, list) {
    const buttons = () => [...list.querySelectorAll("button")];
    filter.addEventListener("keydown", (event) => {
        const [first] = buttons();
        if (first && (event.key === "ArrowDown" || event.key === "Enter")) {
            event.preventDefault();
            event.key === "Enter" ? first.click() : first.focus();
        }
    });
    list.addEventListener("keydown", (event) => {
        const items = buttons();
        const at = items.indexOf(/** @type {HTMLButtonElement} */ (event.target));
        const next = moved(event.key, at, items.length, ["ArrowDown", "ArrowUp"]);
        if (event.key === "ArrowUp" && at === 0) {
            event.preventDefault();
            filter.focus();
        } else if (next !== null) {
            event.preventDefault();
            stopAt(items, items[next]);
            items[next].focus();
        }
    });
}
