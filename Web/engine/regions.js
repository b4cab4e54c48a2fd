/** The most regions that are kept apart; each costs a walk over the display list. */
const LIMIT = 8;
/** The most rectangles that are looked at. A picture with more differences has moved, and is painted as a whole. */
const MAX_RECTANGLES = 64;

/**
 * @typedef {object} Region
 * @property {number} left whole pixels, as the others.
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */

/** A few rectangles that together hold all that was added. */
export class Regions {
    /** @type {Region[]} */
    list = [];
    #added = 0;

    /** Whether it is not worth the time to add more. */
    get isTooMuch() {
        return this.#added > MAX_RECTANGLES;
    }

    /** Adds a rectangle; it grows to whole pixels.
     * @param {number} left @param {number} top @param {number} right @param {number} bottom */
    add(left, top, right, bottom) {
        this.#added += 1;
        if (this.isTooMuch || !(right > left && bottom > top)) {
            return;
        }
        this.#insert({
            left: Math.floor(left),
            top: Math.floor(top),
            right: Math.ceil(right),
            bottom: Math.ceil(bottom),
        });
        if (this.list.length > LIMIT) {
            this.#joinCheapest();
        }
    }

    /** Pixels to be painted. */
    get area() {
        return this.list.reduce((sum, region) => sum + area(region), 0);
    }

    /** Joins what is hardly more together than apart, so that many small neighbours become one.
     * @param {Region} region */
    #insert(region) {
        for (let i = 0; i < this.list.length; i += 1) {
            const joined = union(this.list[i], region);
            if (area(joined) <= (area(this.list[i]) + area(region)) * 1.2) {
                this.list.splice(i, 1);
                this.#insert(joined);
                return;
            }
        }
        this.list.push(region);
    }

    #joinCheapest() {
        let best = { cost: Infinity, i: 0, j: 1 };
        for (let i = 0; i < this.list.length; i += 1) {
            for (let j = i + 1; j < this.list.length; j += 1) {
                const [a, b] = [this.list[i], this.list[j]];
                const cost = area(union(a, b)) - area(a) - area(b);
                if (cost < best.cost) {
                    best = { cost, i, j };
                }
            }
        }
        const [second] = this.list.splice(best.j, 1);
        const [first] = this.list.splice(best.i, 1);
        this.#insert(union(first, second));
    }
}

/** @param {Region} region */
function area({ left, top, right, bottom }) {
    return (right - left) * (bottom - top);
}

/** @param {Region} a @param {Region} b */
function union(a, b) {
    return {
        left: Math.min(a.left, b.left),
        top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right),
        bottom: Math.max(a.bottom, b.bottom),
    };
}
