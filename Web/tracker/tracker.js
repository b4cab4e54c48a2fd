import { LiveRegion } from "../ui/live-region.js";
import { stockOf } from "../address.js";
import { byId, detailOf, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { getJSON } from "../stream/rest.js";
import { onArrows } from "../ui/roving.js";
import { StockDetail } from "./stock-detail.js";
import { StockOrder } from "./stock-order.js";
import { StockRow } from "./stock-row.js";
import { Stock } from "./stock.js";

/** What a server's feed of stocks is called. */
const FEED = "tracker";

/**
 * The price tracker: the stocks of the server's tracker feed as a sorted list, and one of them in detail.
 *
 * Where it is lives in the address (`#stocks`, `#stocks/AERO`), so that back goes back and a stock can be linked to. List
 * and detail look at the same stocks, which the market list's streams keep current; stopping it unsubscribes them.
 *
 * Events: `chart` (detail: the market whose chart was chosen), `leave` (back to the chart).
 */
export class Tracker extends EventTarget {
    #page;
    // While the dialog is open, the page's own region is as inert as the page.
    #news = new LiveRegion("tracker-news");
    #dialog = byId("tracker", HTMLDialogElement);
    #list = byId("stock-list");
    #count = byId("tracker-count");
    #detail = new StockDetail();
    #order = new StockOrder();
    /** @type {Map<string, StockRow>} by symbol. */
    #rows = new Map();
    /** @type {Map<string, StockRow>} by market. */
    #byMarket = new Map();
    /** @type {Set<StockRow>} rows whose price came since the last frame. */
    #changed = new Set();
    #isRunning = true;
    /** @type {"none" | "loading" | "ready" | "failed"} */
    #status = "none";
    #problem = "";
    #timer = 0;
    /** The row that the Tab key leads to. */
    #active = "";
    #isPointerInside = false;
    #draw = () => this.#showChanged();

    /** @param {Pick<PageParts, "store" | "session" | "subscriptions" | "frames">} page */
    constructor(page) {
        super();
        this.#page = page;
        const { store, session } = page;
        store.addEventListener("list", () => this.#listChanged());
        store.addEventListener("market", (event) => this.#marketChanged(detailOf(event)));
        session.addEventListener("state", () => this.#showCount());
        addEventListener("popstate", () => this.#addressChanged());
        this.#dialog.addEventListener("cancel", (event) => {
            event.preventDefault();
            this.#leave();
        });
        // Keys of the page below are not meant while it is open.
        this.#dialog.addEventListener("keydown", (event) => event.stopPropagation());
        byId("tracker-close").addEventListener("click", () => this.#leave());
        byId("stock-chart").addEventListener("click", () => this.#showChart());
        byId("tracker-toggle").addEventListener("click", () => this.#startOrStop());
        byId("stock-retry").addEventListener("click", () => this.#load());
        byId("stock-orders").addEventListener("change", (event) => {
            this.#order.setKey(/** @type {import("./stock-order.js").OrderKey} */ (/** @type {HTMLInputElement} */ (event.target).value));
            this.#sort();
        });
        const links = () => this.#order.stocks.flatMap(({ symbol }) => this.#rows.get(symbol)?.link ?? []);
        onArrows(this.#list, links, ["ArrowDown", "ArrowUp"], (link) => link.focus());
        this.#list.addEventListener("focusin", (event) => this.#focused(event));
        this.#list.addEventListener("focusout", () => this.#hold());
        this.#list.addEventListener("pointerenter", () => this.#point(true));
        this.#list.addEventListener("pointerleave", () => this.#point(false));
        this.#addressChanged();
    }

    get #hasFeed() {
        return this.#page.store.feeds.some(({ name }) => name === FEED);
    }

    // What happens

    #listChanged() {
        ["tracker-link", "stock-orders", "tracker-toggle"].forEach((id) => (byId(id).hidden = !this.#hasFeed));
        if (this.#hasFeed && this.#status === "none") {
            this.#load();
        }
        this.#showMessage();
        this.#showCount();
    }

    async #load() {
        this.#status = "loading";
        this.#showMessage();
        try {
            const { stocks } = /** @type {{stocks: import("./stock.js").Entry[]}} */ (await getJSON("/v1/stocks"));
            this.#status = "ready";
            this.#replace(stocks.map((entry) => new Stock(entry)));
        } catch (error) {
            this.#status = "failed";
            this.#problem = messageOf(error);
        }
        this.#addressChanged();
        this.#showMessage();
        this.#showCount();
    }

    /** @param {Stock[]} stocks */
    #replace(stocks) {
        const rows = stocks.map((stock) => new StockRow(stock));
        this.#rows = new Map(rows.map((row) => [row.stock.symbol, row]));
        this.#byMarket = new Map(rows.map((row) => [row.stock.market, row]));
        for (const row of rows) {
            const price = this.#page.store.markets.get(row.stock.market)?.price ?? null;
            if (price !== null) {
                row.stock.update(price);
                row.stock.move = "flat";
                row.show();
            }
        }
        this.#order.replace(stocks);
        this.#order.update(performance.now());
        this.#active = this.#order.stocks[0]?.symbol ?? "";
        this.#arrange();
        this.#need();
    }

    /** @param {string} symbol of a market. */
    #marketChanged(symbol) {
        const row = this.#byMarket.get(symbol);
        const price = this.#page.store.markets.get(symbol)?.price ?? null;
        if (row && price !== null && this.#isRunning && row.stock.update(price)) {
            this.#changed.add(row);
            this.#page.frames.mark(this.#draw);
        }
    }

    #addressChanged() {
        const symbol = stockOf(location.hash);
        if (symbol === null) {
            this.#close();
            return;
        }
        const before = this.#detail.stock;
        const row = this.#rows.get(symbol);
        this.#detail.choose(row?.stock ?? null);
        this.#dialog.dataset.view = symbol === "" ? "list" : "detail";
        this.#rows.forEach(({ link, stock }) =>
            stock.symbol === symbol ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"),
        );
        this.#showMessage();
        this.#open();
        if (row && row.stock !== before) {
            this.#detail.show(this.#page.store.markets.get(row.stock.market));
            this.#news.announce(row.stock.spoken);
            this.#detail.focus();
        } else if (!row && before) {
            this.#rows.get(before.symbol)?.link.focus();
        }
    }

    #open() {
        if (!this.#dialog.open) {
            this.#dialog.showModal();
            this.#showCount();
            this.#need();
            this.#timer = setInterval(() => this.#sort(), 250);
        }
    }

    #close() {
        if (this.#dialog.open) {
            clearInterval(this.#timer);
            this.#detail.choose(null);
            this.#dialog.close();
            this.#need();
        }
    }

    /** While it is open, its stocks are subscribed wherever the market list is. */
    #need() {
        this.#page.subscriptions.need("tracker", this.#dialog.open ? this.#byMarket.keys() : []);
    }

    /** Back to the chart, as the address says it. */
    #leave() {
        this.dispatchEvent(new Event("leave"));
        this.#close();
    }

    #showChart() {
        const { stock } = this.#detail;
        if (stock) {
            this.#leave();
            this.dispatchEvent(new CustomEvent("chart", { detail: stock.market }));
        }
    }

    #startOrStop() {
        this.#isRunning = !this.#isRunning;
        this.#page.subscriptions.pause(this.#isRunning ? [] : [...this.#byMarket.keys()]);
        setText(byId("tracker-toggle"), this.#isRunning ? "Stop" : "Start");
        this.#showCount();
        this.#news.announce(this.#isRunning ? "Started." : "Stopped. Prices no longer change.");
    }

    // The list in use

    /** @param {boolean} isInside */
    #point(isInside) {
        this.#isPointerInside = isInside;
        this.#hold();
    }

    /** @param {FocusEvent} event */
    #focused(event) {
        const row = /** @type {?HTMLElement} */ (/** @type {HTMLElement} */ (event.target).closest("[data-symbol]"));
        if (row?.dataset.symbol) {
            this.#activate(row.dataset.symbol);
        }
        this.#hold();
    }

    #hold() {
        // What loses the focus still has it during the event.
        queueMicrotask(() => {
            this.#order.isHeld = this.#isPointerInside || this.#list.contains(document.activeElement);
            byId("stock-held").hidden = !this.#order.isHeld;
        });
    }

    /** @param {string} symbol */
    #activate(symbol) {
        this.#rows.get(this.#active)?.link.setAttribute("tabindex", "-1");
        this.#active = symbol;
        this.#rows.get(symbol)?.link.setAttribute("tabindex", "0");
    }

    // What is shown

    #sort() {
        if (this.#order.update(performance.now())) {
            this.#arrange();
        }
    }

    #arrange() {
        const rows = this.#order.stocks.map(({ symbol }) => this.#rows.get(symbol)?.element ?? "");
        const focused = document.activeElement;
        this.#list.replaceChildren(...rows);
        if (focused instanceof HTMLElement && this.#list.contains(focused)) {
            focused.focus();
        }
        this.#activate(this.#active);
    }

    #showChanged() {
        for (const row of this.#changed) {
            row.show(this.#dialog.open);
            if (row.stock === this.#detail.stock) {
                this.#detail.show(this.#page.store.markets.get(row.stock.market), true);
            }
        }
        this.#changed.clear();
    }

    #showCount() {
        const isOpen = this.#page.session.state === "open" && this.#isRunning;
        const isServed = (/** @type {StockRow} */ { stock }) =>
            (this.#page.store.markets.get(stock.market)?.feedState ?? "live") === "live";
        const connected = isOpen ? [...this.#rows.values()].filter(isServed).length : 0;
        setText(this.#count, this.#rows.size === 0 ? "" : `${connected} of ${this.#rows.size} connected`);
        this.#count.dataset.state = connected === 0 ? "none" : "some";
    }

    /** Nothing to show is said in the place of what would be shown. */
    #showMessage() {
        const symbol = stockOf(location.hash) ?? "";
        let text = "";
        if (this.#status === "failed") {
            text = this.#problem;
        } else if (this.#status === "ready" && this.#rows.size === 0) {
            text = "The tracker has no stocks.";
        } else if (this.#status === "ready" && symbol !== "" && !this.#rows.has(symbol)) {
            text = `The tracker has no stock “${symbol}”. Choose one from the list.`;
        } else if (this.#status === "loading" || this.#page.store.status === "loading") {
            text = "Loading the stocks…";
        } else if (this.#status === "none") {
            text = "This server tracks no stocks. Start it with --feed tracker to track some.";
        }
        byId("stock-message").hidden = text === "";
        byId("stock-retry").hidden = this.#status !== "failed";
        setText(byId("stock-message-text"), text);
    }
}
