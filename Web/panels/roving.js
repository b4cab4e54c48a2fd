/**
 * Where a key leads in a ring of `count` places; null when it is none of ours.
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
