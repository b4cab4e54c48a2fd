// What the parts of the page share. `main.js` makes each once and gives a part those that it needs. A feature is named by
// what other features use of it, never by its file: so no feature depends on another one.

interface PageParts {
    session: import("../stream/session.js").Session;
    subscriptions: import("../stream/subscriptions.js").Subscriptions;
    store: import("../stream/market-store.js").MarketStore;
    data: import("../stream/market-data.js").MarketData;
    frames: import("../frame-loop.js").FrameLoop;
    toasts: import("../ui/toasts.js").Toasts;
    live: import("../ui/live-region.js").LiveRegion;
    /** Says a sentence to screen readers. */
    say: (sentence: string) => void;
    /** Opens the sign-in. */
    signIn: { open: () => void; openForAssistant: () => Promise<boolean> };
    terminal: TerminalHandle;
    chart: ChartHandle;
    settings: SettingsHandle;
    studies: StudiesHandle;
    list: MarketListHandle;
    pages: PagesHandle;
    drawings: DrawingsHandle;
    /** Events: `fired` (detail: {symbol, alert, sentence}). */
    objects: EventTarget;
    levels: LevelsHandle;
    feedMarks: FeedMarksHandle;
    trading: TradingHandle;
}

/** A market and a timeframe. */
interface StreamSelection {
    symbol: string;
    timeframe: string;
}

/** What the page shows. */
interface TerminalHandle {
    readonly selection: StreamSelection | null;
    choose(change: Partial<StreamSelection>): void;
}

/** The chart on the page. Events: see `ChartPanel`. */
interface ChartHandle extends EventTarget {
    /** The engine's chart; null until the engine is loaded. */
    readonly engineChart: import("../engine/chart.js").EngineChart | null;
    readonly selection: StreamSelection | null;
    readonly canvas: HTMLCanvasElement;
    /** Decimals of the symbol's price. */
    readonly precision: number;
    /** Changes the engine's chart; what changed is painted in the next frame. */
    change<Result>(change: (chart: import("../engine/chart.js").EngineChart) => Result): Result | undefined;
    /** The same by a key that moved the crosshair: `read` follows. */
    read(change: (chart: import("../engine/chart.js").EngineChart) => unknown): void;
    /** The bar under the crosshair, else the last one. */
    legend(): import("../engine/chart.js").Legend | null;
    /** A handler is tried after those that were added before. */
    addHandler(handler: PointerHandler): void;
    /** A letter of the focused chart, small here and pressed with Shift. */
    addKey(key: string, pressed: () => void): void;
}

/**
 * Something on the chart that gets the pointer and the keys before the chart itself: an order's line, a drawing, an axis.
 * Lengths are CSS pixels from the chart's top left corner. A handler has what it needs of these.
 */
interface PointerHandler {
    /** True: this handler keeps the pointer until it is up. */
    press?(x: number, y: number, tolerance: number, event: PointerEvent): boolean;
    /** Of the pointer that it keeps. */
    move?(x: number, y: number, event: PointerEvent): void;
    release?(x: number, y: number, event: PointerEvent): void;
    /** The cursor that says what a press would do; "" where nothing. Also called for a mouse that moves without being pressed. */
    hover?(x: number, y: number): string;
    /** The pointer it kept is gone: everything as before the press. */
    cancel?(): void;
    /** Whether the key was for this handler. */
    key?(event: KeyboardEvent): boolean;
    /** A double click. */
    double?(x: number, y: number, tolerance: number, event: MouseEvent): boolean;
}

/** How the chart looks. */
interface SettingsHandle {
    set(name: "kind", value: string): void;
}

interface StudyOnChart {
    readonly id: number;
    readonly kind: import("../engine/engine.js").StudyKind;
    readonly isVisible: boolean;
    readonly parameters: readonly number[];
}

/** The studies on the chart. */
interface StudiesHandle {
    /** The kinds there are; empty until the engine is there. */
    readonly kinds: readonly import("../engine/engine.js").StudyKind[];
    readonly list: StudyOnChart[];
    /** Returns its id; 0 where there is no more room. */
    add(kind: import("../engine/engine.js").StudyKind, parameters?: number[]): number;
}

/** A page of the market list. */
interface MarketPage {
    readonly id: string;
    readonly name: string;
    /** In the order of its rows, each once. */
    readonly symbols: readonly string[];
}

/** The list of markets. Events: see `MarketList`. */
interface MarketListHandle extends EventTarget {
    readonly isEmpty: boolean;
    readonly isFiltered: boolean;
    /** Null: all markets. `isAside`: something else is in the rows' place. */
    setPage(page: MarketPage | null, isAside: boolean): void;
    reveal(symbol: string): void;
    arrange(): void;
}

/** The pages of the market list that were made in this browser. */
interface PagesHandle {
    /** The page that is shown; null is “All”. */
    readonly shown: MarketPage | null;
    /** Makes an empty page and shows it; null where there are too many. */
    create(): MarketPage | null;
    rename(id: string, name: string): boolean;
    /** Adds a row to the shown page; false where it is full. */
    add(symbol: string): boolean;
}

interface DrawingOnChart extends Pick<import("../engine/drawings.js").DrawingInfo, "id" | "kind" | "text" | "locked" | "hidden"> {
    readonly anchors: readonly { time: number; price: number }[];
}

/** The drawings on the chart. Events: `change`. */
interface DrawingsHandle extends EventTarget {
    /** From the lowest to the topmost one. */
    readonly board: { readonly entries: readonly DrawingOnChart[] };
    /** Number of the selected one; 0 is none. */
    readonly selection: number;
    /** What a kind of drawing is called. */
    nameOf(kind: string): string;
    /** The tool that draws a kind. */
    toolOf(kind: string): { readonly icon: string } | null | undefined;
    select(id: number): void;
    lock(id: number, isLocked: boolean): void;
    hide(id: number, isHidden: boolean): void;
    remove(id: number, isOnChart: boolean): void;
}

interface PriceAlert {
    readonly price: number;
    /** One of `ALERT_DIRECTIONS`. */
    readonly direction: string;
    /** When it fired, milliseconds since 1970; null while it waits. */
    readonly firedAt: number | null;
}

/** The price alerts of every symbol. */
interface LevelsHandle {
    of(symbol: string): { readonly alerts: readonly PriceAlert[] };
    /** Null where there are too many or the price is none. */
    addAlert(symbol: string, price: number, direction: string): PriceAlert | null;
}

/** What was wrong with the stream's bars. */
interface FeedMarksHandle {
    /** Whether nothing was ever wrong. */
    readonly isEmpty: boolean;
    /** What is wrong with the bar that starts then, in words; "" where nothing is. */
    describe(timestamp: number): string;
}

/** An order as the server reports it; decimals are texts. */
interface ServerOrder {
    id: string;
    client_order_id: string;
    symbol: string;
    side: "buy" | "sell";
    type: string;
    status: string;
    time_in_force: string;
    quantity: string;
    filled_quantity: string;
    average_fill_price?: string;
    limit_price?: string;
    stop_price?: string;
    trail?: { amount?: string; percent?: string };
    leverage: number;
    post_only: boolean;
    reduce_only: boolean;
    take_profit?: string;
    stop_loss?: string;
    currency?: string;
    reference_price?: string;
    filled_cost?: string;
    parent?: string;
    oco_group?: string;
    reason?: string;
    created_at: number;
    updated_at: number;
    version: number;
}

/** The account that is traded on. */
interface TradingHandle {
    /** Events: `change` (detail: the channel). */
    readonly store: EventTarget & {
        readonly account: string;
        readonly orders: ReadonlyMap<string, ServerOrder>;
        /** Takes an answer to a request, which may come later than the stream's own news. */
        answer(order: ServerOrder): void;
    };
    /** Events: `change` (it was opened or closed). */
    readonly ticket: EventTarget & { readonly isOpen: boolean; close(): void };
}
