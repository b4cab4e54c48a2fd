import { ChartWords } from "./a11y/chart-words.js";
import { announceConnection, leadSkipLinkTo } from "./a11y/connection-news.js";
import { DataNews } from "./a11y/data-news.js";
import { DataTable } from "./a11y/data-table.js";
import { ChartLegend } from "./a11y/legend.js";
import { Sound } from "./a11y/sound.js";
import { LiveRegion } from "./ui/live-region.js";
import { ChartPanel } from "./chart/chart-panel.js";
import { ChartSettings } from "./chart/chart-settings.js";
import { ChartStudies } from "./chart/chart-studies.js";
import { Comparisons } from "./chart/comparisons.js";
import { Engine } from "./engine/engine.js";
import { watchFontScale } from "./chart/font-scale.js";
import { Consultation } from "./consultation/consultation.js";
import { byId, detailOf } from "./dom.js";
import { messageOf } from "./format.js";
import { Drawings } from "./drawings/drawings.js";
import { FrameLoop } from "./frame-loop.js";
import { FeedMarks } from "./objects/feed-marks.js";
import { Objects } from "./objects/objects.js";
import { Toasts } from "./ui/toasts.js";
import { ChartOptions } from "./chart/chart-options.js";
import { ComparePanel } from "./chart/compare-panel.js";
import { ExportMenu } from "./chart/export-menu.js";
import { FeedBadge } from "./panels/feed-badge.js";
import { whyEmpty } from "./panels/feed-words.js";
import { showFeeds } from "./panels/feeds-panel.js";
import { GoToDate } from "./chart/go-to-date.js";
import { LegendRows } from "./chart/legend-rows.js";
import { KindMenu } from "./chart/kind-menu.js";
import { MarketChanges } from "./panels/market-changes.js";
import { MarketHeader } from "./panels/market-header.js";
import { MarketList } from "./panels/market-list.js";
import { MarketSwitcher } from "./panels/market-switcher.js";
import { Shortcuts } from "./panels/shortcuts.js";
import { SignIn } from "./panels/sign-in.js";
import { StatusPill } from "./panels/status-pill.js";
import { StudiesPanel } from "./chart/studies-panel.js";
import { Theme } from "./chart/theme.js";
import { TimeframePicker } from "./panels/timeframe-picker.js";
import { Toolbar } from "./chart/toolbar.js";
import { watchTyping } from "./ui/keys.js";
import { MarketData } from "./stream/market-data.js";
import { MarketStore } from "./stream/market-store.js";
import { Session } from "./stream/session.js";
import { streamAddress } from "./stream/stream-address.js";
import { Subscriptions } from "./stream/subscriptions.js";
import { Terminal } from "./terminal.js";
import { Tracker } from "./tracker/tracker.js";
import { Trading } from "./trading/trading.js";
import { WatchlistPanel } from "./watchlists/watchlist-panel.js";
import { Watchlists } from "./watchlists/watchlists.js";

const load = () => Engine.load(new URL("candlewire.wasm", import.meta.url));
// It is compiled while the page's parts are made.
const first = load();

watchTyping();
const frames = new FrameLoop();
const session = new Session(streamAddress(location));
const store = new MarketStore();
const chart = new ChartPanel(frames);
const data = new MarketData({ store, chart });
const subscriptions = new Subscriptions(session, store);
const terminal = new Terminal({ session, store, subscriptions, data, chart });
const live = new LiveRegion();
const say = (/** @type {string} */ sentence) => live.announce(sentence);
const toasts = new Toasts(byId("toasts"), say);
const signIn = new SignIn(session, say);
announceConnection(session, live, () => store.feedState === "ended");
leadSkipLinkTo(chart.canvas);

// The chart.
const theme = new Theme();
const settings = new ChartSettings(chart);
const studies = new ChartStudies(chart, settings);
const comparisons = new Comparisons(chart, store, session);
const picker = new TimeframePicker();
new Toolbar(chart, store);
new KindMenu(settings);
const studiesPanel = new StudiesPanel(studies);
new ComparePanel({ comparisons, store, chart });
new LegendRows({ chart, studies, comparisons, say, edit: (id) => studiesPanel.edit(id) });
new GoToDate(chart, settings);
new ChartOptions({ chart, settings, theme });
new ExportMenu({ chart, studies, report: (sentence) => toasts.show(sentence, { isError: true }) });
comparisons.addEventListener("change", () => subscriptions.need("comparisons", comparisons.list.map(({ symbol }) => symbol)));
picker.addEventListener("choose", (event) => terminal.choose({ timeframe: detailOf(event) }));
chart.addEventListener("open", (event) => byId(`${detailOf(event)}-button`).click());
chart.addEventListener("timeframe-step", (event) => {
    terminal.choose({ timeframe: picker.neighbour(terminal.selection?.timeframe ?? "", Number(detailOf(event))) });
});

// The markets and their feeds.
const list = new MarketList(store, frames);
const pages = new Watchlists();
const pill = new StatusPill({ session, store, chart });
new MarketHeader({ store, chart, frames });
new FeedBadge(store, say);
showFeeds(store);
new MarketChanges({ list, store, toasts });
new WatchlistPanel({ pages, store, list, toasts, say });
// After the panel, whose own Escape comes before the one that closes the sheet.
const switcher = new MarketSwitcher(list);
new Shortcuts(() => switcher.search());
// On “All” every market is subscribed; else those of every page, so that turning one shows no old price.
const subscribePages = () => subscriptions.list(pages.shown ? pages.symbols : null);
pages.addEventListener("change", subscribePages);
subscribePages();
list.addEventListener("rows", (event) => subscriptions.draw(detailOf(event)));
list.addEventListener("choose", (event) => {
    terminal.choose({ symbol: detailOf(event) });
    scrollTo({ top: 0 });
});
const explainChart = () => chart.message.explainEmpty(whyEmpty(store.markets.get(chart.selection?.symbol ?? "") ?? null, store.feeds));
store.addEventListener("list", () => {
    picker.setServed(store.timeframes);
    explainChart();
});

// What lies on the chart. The objects' pointer handlers come first: orders and alerts lie over what is drawn.
const drawings = new Drawings(chart, { say, toasts });
const objects = new Objects({ chart, store, drawings, say, toasts });
const feedMarks = new FeedMarks(chart, session);
chart.addHandler(drawings.pointer);
const watchAlerts = () => subscriptions.watch(objects.levels.waiting);
objects.levels.addEventListener("change", watchAlerts);
watchAlerts();

// The chart in words.
const words = new ChartWords({ chart, store, studies, feedMarks });
const legend = new ChartLegend({ chart, words, live });
const news = new DataNews({ chart, store, objects, words, live });
new Sound({ chart, live });
const table = new DataTable({ chart, studies, words, feedMarks });
terminal.addEventListener("select", () => {
    list.select(terminal.selection?.symbol ?? "");
    picker.select(terminal.selection?.timeframe ?? "");
    explainChart();
    legend.announceSelection();
});

terminal.addEventListener("gone", (event) => {
    toasts.show(`${detailOf(event)} was removed from this server. The chart shows ${terminal.selection?.symbol}.`, { isError: true });
});

/** Closes the note on the last unknown market. */
let closeNote = () => {};
terminal.addEventListener("unknown", (event) => {
    const text = `This server has no market “${detailOf(event)}”. The chart shows ${terminal.selection?.symbol}.`;
    const action = { name: "Choose a market", act: () => switcher.open() };
    closeNote();
    closeNote = toasts.show(text, { isError: true, stays: false, action });
});

// Trading, the tracker and the assistant.
const trading = new Trading({ session, store, chart, toasts, say, frames });
const tracker = new Tracker({ store, session, subscriptions, frames });
tracker.addEventListener("leave", () => terminal.showAddress());
tracker.addEventListener("chart", (event) => terminal.choose({ symbol: detailOf(event) }));
const market = { session, terminal, store, studies, settings, levels: objects.levels, pages };
const consultation = new Consultation({ ...market, trading, frames, say, signIn });

const applyTheme = () => [chart, trading.equity].forEach((each) => each.setTheme(theme.chart));
theme.addEventListener("change", applyTheme);
applyTheme();
watchFontScale((scale) => [chart, trading.equity].forEach((each) => each.setFontScale(scale)));

/** @typedef {typeof page & {engine?: Engine}} Page what tests and the console see of the page; no part of it uses this. */
const onChart = { settings, studies, comparisons, drawings, objects, feedMarks, news, table };
const page = { session, store, data, chart, terminal, theme, frames, pages, ...onChart, toasts, trading, tracker, consultation };
window.candlewire = page;

pill.addEventListener("signin", () => signIn.open());
terminal.addEventListener("signin", () => signIn.open());
pill.addEventListener("retry", retry);
list.addEventListener("retry", retry);
session.addListener((stream, event) => data.apply(stream, event));
terminal.start();
document.documentElement.dataset.filled = "";

/** Retries at once whatever failed. */
function retry() {
    chart.isBroken && loadEngine();
    terminal.retry();
}

async function loadEngine(loading = load()) {
    chart.awaitEngine();
    terminal.awaitEngine();
    try {
        const engine = await loading;
        window.candlewire.engine = engine;
        [consultation, terminal, objects, trading.equity].forEach((each) => each.attach(engine));
    } catch (error) {
        console.error("The engine did not load:", error);
        chart.engineFailed(messageOf(error), () => loadEngine());
        terminal.engineFailed(messageOf(error));
    }
}
// A server that answers again usually has the engine again.
store.addEventListener("recovered", () => chart.isBroken && loadEngine());
loadEngine(first);
