import { byId } from "../dom.js";
import { listenForPageKeys } from "../ui/keys.js";
import { errorWords } from "../user-error.js";
import { AccountPicker } from "./account-picker.js";
import { showFills } from "./chart-fills.js";
import { ChartOrders } from "./chart-orders.js";
import { showDemo } from "./demo-account.js";
import { showDockFigures, showHealth } from "./dock-status.js";
import { Dock } from "./dock.js";
import { EventsView } from "./events-view.js";
import { FillsView } from "./fills-view.js";
import { MarketView } from "./market-view.js";
import { OrdersView } from "./orders-view.js";
import { PortfolioView } from "./portfolio-view.js";
import { PositionsView } from "./positions-view.js";
import { Ticket } from "./ticket.js";
import { TradeNews } from "./trade-news.js";
import { keepTradeSettings, tradeSettings } from "./trade-settings.js";
import { TradingDesk, isPaper } from "./trading-desk.js";
import { TradingStore } from "./trading-store.js";

/** The account that every server has. */
const MAIN = "paper-main";

/**
 * What the parts of trading share.
 *
 * @typedef {object} Parts
 * @property {TradingStore} store
 * @property {TradingDesk} desk
 * @property {PageParts["store"]} markets
 * @property {PageParts["chart"]} chart
 * @property {PageParts["toasts"]} toasts
 * @property {PageParts["say"]} say
 * @property {() => string} symbol the chosen market.
 * @property {(symbol: string) => number} precision decimals of a market's price.
 * @property {(symbol: string) => string} offWords that a market's feed is switched off; "" where it is not.
 * @property {<Result>(work: Promise<Result>) => Promise<Result | undefined>} attempt shows what a request failed with.
 */

/** Trading on paper: the account's state, the panel below the chart, and the requests to the desk. */
export class Trading {
    store;
    desk;
    dock;
    ticket;
    /** The equity curve, which needs the engine and the theme. */
    equity;
    /** Positions and orders on the chart. */
    lines;

    /** @param {Pick<PageParts, "session" | "store" | "chart" | "toasts" | "say" | "frames">} page */
    constructor({ session, store: markets, chart, toasts, say, frames }) {
        const { account = MAIN } = tradeSettings();
        this.store = new TradingStore(session, isPaper(account) ? account : MAIN);
        this.desk = new TradingDesk(this.store);
        this.dock = new Dock(frames);
        /** @type {Parts} */
        const parts = {
            store: this.store,
            desk: this.desk,
            markets,
            chart,
            toasts,
            say,
            symbol: () => chart.selection?.symbol ?? "",
            precision: (symbol) => markets.markets.get(symbol)?.precision ?? 2,
            offWords: (symbol) => (markets.markets.get(symbol)?.feedState === "off" ? `The feed of ${symbol} is switched off.` : ""),
            attempt: (work) => work.catch((error) => void toasts.show(errorWords(error), { isError: true })),
        };
        const orders = new OrdersView(parts);
        const portfolio = new PortfolioView(parts);
        /** @type {MarketView} */
        const market = new MarketView(parts, session, () => this.dock.view === market && this.dock.refresh());
        const views = [new PositionsView(parts), orders, new FillsView(parts), portfolio, new EventsView(parts), market];
        views.forEach((view) => this.dock.add(view));
        this.equity = portfolio.chart;
        this.lines = new ChartOrders(parts);
        showFills(parts);
        new TradeNews(parts);
        showDockFigures(parts);
        showHealth(parts, session);
        const choose = (/** @type {string} */ account) => {
            keepTradeSettings({ account });
            this.store.choose(account);
        };
        new AccountPicker(parts, choose);
        showDemo(parts, choose);
        this.#followFirst();
        this.ticket = new Ticket(parts, session);
        byId("trade-buy").addEventListener("click", () => this.ticket.open("buy"));
        byId("trade-sell").addEventListener("click", () => this.ticket.open("sell"));
        const keys = {
            b: () => this.ticket.open("buy"),
            s: () => this.ticket.open("sell"),
            p: () => (this.dock.isOpen ? this.dock.close() : this.dock.enter(this.dock.view.id)),
            x: () => orders.cancelAll(),
        };
        // Who talks to the assistant does not trade by a slip of the finger.
        listenForPageKeys(keys, "#chat");
        this.store.addEventListener("unknown", () => void this.#showKnown(toasts));
        this.store.addEventListener("change", () => this.dock.refresh());
        chart.addEventListener("selected", () => this.dock.refresh());
        markets.addEventListener("list", () => this.dock.refresh());
        this.dock.start();
    }

    /** What this browser remembers may be an account of a server that was here before, and a token may be for others than the
     * first one.
     * @param {PageParts["toasts"]} toasts */
    async #showKnown(toasts) {
        const { account } = this.store;
        const ids = (await this.desk.accounts().catch(() => [])).map((each) => each.id).filter(isPaper);
        const shown = ids.includes(MAIN) || ids.length === 0 ? MAIN : ids[0];
        // One refusal for each channel, and one answer to all.
        if (this.store.account !== account || shown === account) {
            return;
        }
        account !== MAIN && toasts.show(`This server has no account ${account}. Showing ${shown}.`);
        this.store.choose(shown);
    }

    /** A browser that remembers no account shows the one that the server names. */
    #followFirst() {
        const follow = () => {
            const first = this.store.health?.first_account ?? MAIN;
            if (tradeSettings().account !== undefined || (first !== MAIN && isPaper(first))) {
                this.store.removeEventListener("change", follow);
                tradeSettings().account ?? this.store.choose(first);
            }
        };
        this.store.addEventListener("change", follow);
    }
}
