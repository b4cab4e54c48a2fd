import { copyOf, part, setText } from "../dom.js";

/**
 * Shows figures as cards; a card stays the same element, so that only what changed is drawn.
 *
 * @param {HTMLElement} list
 * @param {string[][]} cards each a name, a value, which way it points, and a note.
 */
export function showCards(list, cards) {
    cards.forEach(([name, text, direction = "", note = ""], at) => {
        const card = /** @type {HTMLElement} */ (list.children[at] ?? list.appendChild(copyOf("stat-card")));
        setText(part(card, "dt"), name);
        setText(part(card, "span"), text);
        setText(part(card, "small"), note);
        card.dataset.direction = direction;
    });
    [...list.children].slice(cards.length).forEach((card) => card.remove());
}
