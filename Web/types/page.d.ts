// What the parts of the page share. `main.js` makes each once and gives a part those that it needs.

interface PageParts {
    session: import("../stream/session.js").Session;
    subscriptions: import("../stream/subscriptions.js").Subscriptions;
    store: import("../stream/market-store.js").MarketStore;
    data: import("../stream/market-data.js").MarketData;
    chart: import("../chart/chart-panel.js").ChartPanel;
    studies: import("../chart/chart-studies.js").ChartStudies;
    frames: import("../frame-loop.js").FrameLoop;
    toasts: import("../ui/toasts.js").Toasts;
    /** Says a sentence to screen readers. */
    say: (sentence: string) => void;
    live: import("../ui/live-region.js").LiveRegion;
    list: import("../panels/market-list.js").MarketList;
    pages: import("../watchlists/watchlists.js").Watchlists;
    drawings: import("../drawings/drawings.js").Drawings;
    objects: import("../objects/objects.js").Objects;
    levels: import("../objects/levels.js").Levels;
    feedMarks: import("../objects/feed-marks.js").FeedMarks;
    words: import("../a11y/chart-words.js").ChartWords;
}
