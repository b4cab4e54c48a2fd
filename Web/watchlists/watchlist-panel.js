import { byId, setText } from "../dom.js";
import { AddSymbol } from "./add-symbol.js";
import { MAX_PAGES } from "./page-book.js";
import { PageEditor } from "./page-editor.js";
import { swipePages } from "./page-swipe.js";
import { PageTabs } from "./page-tabs.js";
import { RowDrag } from "./row-drag.js";

/** Said after the pages' names to those who do not see that rows can be moved. */
const HINT =
    "Delete removes a row. Alt with Up or Down Arrow moves it. Alt with Page Up or Page Down switches pages.";

/**
 * The pages around the market list: tabs above it, the field that adds rows below it, and what changes a page: the
 * mouse and the keys in the list, the editor, a finger that swipes.
 *
 * What is removed can be brought back for as long as its note stays, and by Ctrl+Z until the next one is removed.
 */
export class WatchlistPanel {
    #page;
    #tabs;
    #editor;
    #add;
    #edit = byId("page-edit");
    #listElement = byId("market-list");
    #isEditing = false;
    /** The page that was shown last. */
    #shown = "";
    /** @type {?() => void} */
    #undo = null;

    /** @param {Pick<PageParts, "store" | "list" | "toasts" | "say"> & {pages: import("./watchlists.js").Watchlists}} page */
    constructor(page) {
        this.#page = page;
        const { pages, store, list } = page;
        this.#tabs = new PageTabs(pages);
        this.#editor = new PageEditor(pages, store);
        this.#add = new AddSymbol(store, pages);
        this.#shown = pages.shown?.id ?? "";
        this.#listen();
        store.addEventListener("list", () => this.#editor.show());
        pages.addEventListener("change", () => this.#show());
        this.#show();
    }

    #listen() {
        const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
        this.#tabs.addEventListener("show", (event) => this.#page.pages.show(detail(event)));
        this.#tabs.addEventListener("edit", () => this.#startEditing());
        this.#tabs.addEventListener("delete", (event) => this.#deletePage(detail(event)));
        byId("page-new").addEventListener("click", () => this.#create());
        this.#edit.addEventListener("click", () => (this.#isEditing ? this.#stopEditing() : this.#startEditing()));
        for (const part of [this.#page.list, this.#editor]) {
            part.addEventListener("remove", (event) => this.#remove(detail(event)));
            part.addEventListener("move", (event) => this.#move(detail(event)));
        }
        this.#editor.addEventListener("delete", () => this.#deletePage(this.#page.pages.shown?.id ?? ""));
        this.#editor.addEventListener("done", () => {
            this.#stopEditing();
            // A new page needs rows; another one may do without the keyboard of a phone over it.
            this.#page.list.isEmpty ? this.#add.focus() : this.#focusList();
        });
        this.#add.addEventListener("add", (event) => this.#page.list.reveal(detail(event)));
        this.#add.addEventListener("there", (event) => this.#page.list.reveal(detail(event)));
        new RowDrag(this.#listElement, {
            // A finger scrolls and swipes here, and has the editor; and among some rows no place is sure.
            mayBegin: (_, { pointerType }) =>
                pointerType !== "touch" && this.#page.pages.shown !== null && !this.#page.list.isFiltered,
            moved: (symbol, to) => this.#move({ symbol, to }),
            cancelled: () => this.#page.list.arrange(),
        });
        const has = (/** @type {number} */ by) => {
            const { pages, shown } = this.#page.pages;
            const at = shown ? pages.indexOf(shown) + 1 : 0;
            return at + by >= 0 && at + by <= pages.length;
        };
        swipePages(byId("page-panel"), {
            mayBegin: () => !this.#isEditing,
            has,
            turn: (by) => this.#turn(by),
        });
        byId("markets").addEventListener("keydown", (event) => this.#pressed(event));
    }

    #show() {
        const page = this.#page.pages.shown;
        const id = page?.id ?? "";
        const hadFocus = this.#listElement.contains(document.activeElement) || this.#isInEditor;
        if (id !== this.#shown) {
            this.#shown = id;
            this.#add.clear();
            this.#isEditing = false;
        }
        this.#edit.hidden = !page;
        this.#edit.setAttribute("aria-pressed", String(this.#isEditing));
        byId("page-add").hidden = !page;
        // Emptied and not hidden: what is hidden still describes.
        setText(byId("page-hint"), page ? HINT : "");
        this.#editor.open(this.#isEditing);
        this.#page.list.setPage(page, this.#isEditing);
        // Who was on something that is gone stays in the panel.
        const focused = document.activeElement;
        if (hadFocus && (focused === document.body || !focused?.checkVisibility())) {
            this.#page.list.isEmpty && page ? this.#add.focus() : this.#focusList();
        }
    }

    get #isInEditor() {
        return byId("page-editor").contains(document.activeElement);
    }

    #focusList() {
        this.#page.list.isEmpty ? this.#tabs.focus() : this.#listElement.focus();
    }

    // What is done

    #create() {
        if (this.#page.pages.create()) {
            this.#startEditing();
        } else {
            this.#page.toasts.show(`There can be at most ${MAX_PAGES} pages. Delete one to add another.`);
        }
    }

    #startEditing() {
        if (this.#page.pages.shown) {
            this.#isEditing = true;
            this.#show();
            this.#editor.focusName();
        }
    }

    #stopEditing() {
        this.#isEditing = false;
        this.#show();
    }

    /** @param {number} by */
    #turn(by) {
        if (this.#page.pages.step(by)) {
            this.#page.say(`Page ${this.#page.pages.shown?.name ?? "All"}.`);
        }
    }

    /** @param {{symbol: string, to: number}} change */
    #move({ symbol, to }) {
        this.#page.pages.move(symbol, to);
        const symbols = this.#page.pages.shown?.symbols ?? [];
        this.#page.say(`${symbol} is row ${symbols.indexOf(symbol) + 1} of ${symbols.length}.`);
    }

    /** @param {string} symbol */
    #remove(symbol) {
        const name = this.#page.pages.shown?.name;
        this.#offerUndo(`${symbol} removed from “${name}”.`, this.#page.pages.remove(symbol));
    }

    /** @param {string} id */
    #deletePage(id) {
        const page = this.#page.pages.pages.find((each) => each.id === id);
        if (page) {
            this.#isEditing = false;
            this.#offerUndo(`Page “${page.name}” deleted.`, this.#page.pages.delete(id));
            this.#tabs.focus();
        }
    }

    /** @param {string} text @param {() => void} undo */
    #offerUndo(text, undo) {
        this.#undo = () => {
            this.#undo = null;
            undo();
            this.#page.say("Undone.");
            this.#focusList();
        };
        const mine = this.#undo;
        this.#page.toasts.show(text, { action: { name: "Undo", act: mine } });
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        const isTyping = event.target instanceof HTMLInputElement;
        const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === "KeyZ";
        if (event.altKey && !event.ctrlKey && (event.key === "PageUp" || event.key === "PageDown")) {
            event.preventDefault();
            this.#turn(event.key === "PageUp" ? -1 : 1);
        } else if (isUndo && !isTyping && this.#undo) {
            event.preventDefault();
            // Elsewhere on the page the same keys undo a drawing.
            event.stopPropagation();
            this.#undo();
        } else if (event.key === "Escape" && this.#isEditing) {
            event.preventDefault();
            this.#stopEditing();
            this.#focusList();
        }
    }
}
