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
