/**
 * Makes the children of a list those of `items`, in their order. A row stays the same element as long as its item has
 * the same key, so that the focus and what is being typed stay too.
 *
 * @template Item
 * @param {{readonly children: Iterable<Element> & {[index: number]: Element}, insertBefore: (row: Node, next: ?Node) => unknown}} list an
 *   element, or what stands for a part of its children.
 * @param {Item[]} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => HTMLElement} make
 * @param {(row: HTMLElement, item: Item) => void} update
 */
export function showList(list, items, keyOf, make, update) {
    const rows = new Map([...list.children].map((row) => [row.getAttribute("data-key"), /** @type {HTMLElement} */ (row)]));
    const wanted = items.map((item) => {
        const key = String(keyOf(item));
        const row = rows.get(key) ?? make(item);
        rows.delete(key);
        row.setAttribute("data-key", key);
        update(row, item);
        return row;
    });
    rows.forEach((row) => row.remove());
    wanted.forEach((row, index) => {
        if (list.children[index] !== row) {
            list.insertBefore(row, list.children[index] ?? null);
        }
    });
}

/**
 * Removes a row of a list; the keyboard goes on where the row was.
 *
 * @param {Element} row
 * @param {() => void} remove
 * @param {string} stop finds in a row what gets the keyboard.
 * @param {HTMLElement} home gets it where no row is left.
 */
export function keepPlace(row, remove, stop, home) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    remove();
    (/** @type {?HTMLElement} */ (next?.querySelector(stop)) ?? home).focus();
}
