import { ChartWords } from "./a11y/chart-words.js";
import { announceConnection } from "./a11y/connection-news.js";
import { DataNews } from "./a11y/data-news.js";
import { DataTable } from "./a11y/data-table.js";
import { ChartLegend } from "./a11y/legend.js";
import { LiveRegion } from "./a11y/live-region.js";
import { leadSkipLinkTo } from "./a11y/skip-link.js";
import { ChartPanel } from "./chart/chart-panel.js";
import { ChartSettings } from "./chart/chart-settings.js";
import { ChartStudies } from "./chart/chart-studies.js";
import { Comparisons } from "./chart/comparisons.js";
import { Engine } from "./chart/engine.js";
import { watchFontScale } from "./chart/font-scale.js";
import { Consultation } from "./consultation/consultation.js";
import { byId } from "./dom.js";
import { Drawings } from "./drawings/drawings.js";
import { FrameLoop } from "./frame-loop.js";
import { FeedMarks } from "./objects/feed-marks.js";
import { Objects } from "./objects/objects.js";
import { Toasts } from "./objects/toasts.js";
import { ChartOptions } from "./panels/chart-options.js";
import { ComparePanel } from "./panels/compare-panel.js";
import { ExportMenu } from "./panels/export-menu.js";
import { FeedBadge } from "./panels/feed-badge.js";
import { whyEmpty } from "./panels/feed-words.js";
import { FeedsPanel } from "./panels/feeds-panel.js";
import { GoToDate } from "./panels/go-to-date.js";
import { KindMenu } from "./panels/kind-menu.js";
import { MarketHeader } from "./panels/market-header.js";
import { MarketList } from "./panels/market-list.js";
import { Shortcuts } from "./panels/shortcuts.js";
import { SignIn } from "./panels/sign-in.js";
import { StatusPill } from "./panels/status-pill.js";
import { StudiesPanel } from "./panels/studies-panel.js";
import { Theme } from "./panels/theme.js";
import { TimeframePicker } from "./panels/timeframe-picker.js";
import { Toolbar } from "./panels/toolbar.js";
import { watchTyping } from "./panels/typing-watch.js";
import { MarketData } from "./stream/market-data.js";
import { MarketStore } from "./stream/market-store.js";
import { Session } from "./stream/session.js";
import { streamAddress } from "./stream/stream-address.js";
import { Terminal } from "./terminal.js";
import { timeframe } from "./timeframes.js";
import { Tracker } from "./tracker/tracker.js";
import { Trading } from "./trading/trading.js";
import { WatchlistPanel } from "./watchlists/watchlist-panel.js";
import { Watchlists } from "./watchlists/watchlists.js";

watchTyping();
const frames = new FrameLoop();
const session = new Session(streamAddress(location));
const store = new MarketStore();
const chart = new ChartPanel(frames);
const data = new MarketData({ store, chart });
const terminal = new Terminal({ session, store, data, chart });

const theme = new Theme();
const settings = new ChartSettings(chart);
const studies = new ChartStudies(chart, settings);
const comparisons = new Comparisons(chart, store, session);
const list = new MarketList(store, frames);
const picker = new TimeframePicker();
const toolbar = new Toolbar(chart);
const header = new MarketHeader();
const pill = new StatusPill(session, () => {
    if (store.feedState === "ended") {
        return "ended";
    }
    const supply = store.markets.get(terminal.selection?.symbol ?? "")?.feedState;
    if (supply === "refused" || supply === "connecting" || supply === "interrupted") {
        return supply === "refused" ? "refused" : "lost";
    }
    return store.lastTrade !== null || (chart.engineChart?.count ?? 0) > 0 ? "live" : "none";
});
const legend = new ChartLegend();
const live = new LiveRegion();
new KindMenu(settings);
new StudiesPanel(studies);
new ComparePanel({ comparisons, store, chart });
new GoToDate(chart, settings);
new ChartOptions({ chart, settings, theme });
const say = (/** @type {string} */ sentence) => live.announce(sentence);
const badge = new FeedBadge(say);
new FeedsPanel(store);
const toasts = new Toasts(byId("chart-area"), say);
new ExportMenu({ chart, studies, tell: (sentence) => toasts.show(sentence, { isError: true }) });
const pages = new Watchlists();
new WatchlistPanel({ pages, store, list, toasts, say });
// On “All” every market is heard; else those of every page, so that turning one shows no old price.
const listen = () => terminal.list(pages.shown ? pages.symbols : null);
pages.addEventListener("change", listen);
listen();
comparisons.addEventListener("change", () => terminal.need("comparisons", comparisons.list.map(({ symbol }) => symbol)));
const drawings = new Drawings(chart, { say, toasts });
const objects = new Objects({ chart, store, drawings, say, toasts });
terminal.watch(objects.levels.waiting);
objects.levels.addEventListener("change", () => terminal.watch(objects.levels.waiting));
const feedMarks = new FeedMarks(chart, session);
const words = new ChartWords({ chart, store, studies, feedMarks });
const news = new DataNews({ chart, store, objects, words, voices: { polite: live, urgent: new LiveRegion("urgent") } });
const table = new DataTable({ chart, studies, words, feedMarks });
objects.panel.addSetting(news.setting());
// After the hands of the objects: orders and alerts lie over what is drawn.
chart.addHand(drawings.hand);
chart.addHand(table.hand());
byId("chart-area").parentElement?.after(table.element);
const tracker = new Tracker({ store, session, terminal, frames });
tracker.addEventListener("chart", (/** @type {CustomEvent} */ event) => terminal.choose({ symbol: event.detail }));
const trading = new Trading({ session, markets: store, chart, toasts, say, frames });
watchFontScale((scale) => {
    chart.setFontScale(scale);
    trading.equity.setFontScale(scale);
});
new Shortcuts(() => list.focusFilter());
const signIn = new SignIn(session, say);
const signInFirst = () => signIn.open();
const consultation = new Consultation({ ...{ session, terminal, store, studies, settings, levels: objects.levels, pages }, ...{ trading, frames, say, signIn: signInFirst } });
announceConnection(session, live, () => store.feedState === "ended");
leadSkipLinkTo(chart.canvas);

/** The chosen stream with its market's precision. */
const stream = () => ({
    symbol: terminal.selection?.symbol ?? "",
    timeframe: terminal.selection?.timeframe ?? "",
    precision: store.markets.get(terminal.selection?.symbol ?? "")?.precision ?? 2,
});
const showHeader = () => terminal.selection && header.show(stream().symbol, store.markets.get(stream().symbol));
const explainChart = () => chart.message.explainEmpty(whyEmpty(store.markets.get(stream().symbol) ?? null, store.feeds));
const showCountdown = () => terminal.selection && toolbar.countDown(stream().timeframe, store.feed === "sim");

theme.addEventListener("change", () => {
    chart.setTheme(theme.chart);
    trading.equity.setTheme(theme.chart);
});
list.addEventListener("choose", (event) => {
    terminal.choose({ symbol: event.detail });
    scrollTo({ top: 0 });
});
list.addEventListener("retry", retry);
pill.addEventListener("retry", retry);
pill.addEventListener("signin", () => signIn.open());
terminal.addEventListener("signin", () => signIn.open());
picker.addEventListener("choose", (event) => terminal.choose({ timeframe: event.detail }));
chart.addEventListener("open", (event) => byId(`${event.detail}-button`).click());
chart.addEventListener("timeframe-step", (event) => {
    terminal.choose({ timeframe: picker.neighbour(stream().timeframe, event.detail) });
});
chart.addEventListener("drawn", () => legend.show(chart.legend(), stream(), words));
chart.addEventListener("read", () => {
    const bar = chart.legend();
    if (bar) {
        live.announce(words.bar(bar), "bar");
    }
});
let feedState = store.feedState;
store.addEventListener("list", () => {
    picker.setServed(store.timeframes);
    badge.show(store);
    pill.show();
    if (store.feedState !== feedState) {
        feedState = store.feedState;
        if (feedState === "ended") {
            live.announce("The recording has ended. Prices no longer change.");
        }
    }
    showHeader();
    explainChart();
    showCountdown();
});
store.addEventListener("market", (event) => event.detail === stream().symbol && frames.mark(showHeader));
terminal.addEventListener("select", () => {
    const { symbol, timeframe: id } = stream();
    const { name } = timeframe(id);
    list.select(symbol);
    picker.select(id);
    showHeader();
    explainChart();
    pill.show();
    showCountdown();
    chart.canvas.setAttribute("aria-label", words.label);
    live.announce(`${symbol}, bars of ${name}.`);
});

/**
 * A handle for tests and for the console; no part of the page uses it.
 * @type {Record<string, any>}
 */
const parts = { session, store, data, chart, terminal, theme, frames, pages };
const onChart = { settings, studies, comparisons, drawings, objects, feedMarks, news, table };
const handle = { ...parts, ...onChart, toasts, trading, tracker, consultation };
window.candlewire = handle;

chart.setTheme(theme.chart);
trading.equity.setTheme(theme.chart);
terminal.start();

/** Tries again at once whatever failed. */
function retry() {
    if (chart.isBroken) {
        loadEngine();
    }
    terminal.retry();
}

async function loadEngine() {
    chart.awaitEngine();
    terminal.awaitEngine();
    try {
        const engine = await Engine.load(new URL("candlewire.wasm", import.meta.url));
        handle.engine = engine;
        terminal.attach(engine);
        objects.attach(engine);
        trading.equity.attach(engine);
    } catch (error) {
        console.error("The engine did not load:", error);
        chart.engineFailed(error.message, loadEngine);
        terminal.engineFailed(error.message);
    }
}
// A server that answers again has the engine again, mostly.
store.addEventListener("recovered", () => chart.isBroken && loadEngine());
loadEngine();
