import { byId, element, setText } from "../dom.js";
import { direction, formatPercent, formatPrice, formatTime, formatVolume } from "../format.js";
import { showList } from "../ui/keyed-list.js";
import { hasModifier } from "../ui/keys.js";
import { SidePanel } from "../ui/side-panel.js";
import { studyValues, visibleRange } from "./chart-words.js";

/** @typedef {import("../engine/candle-rows.js").Candle & {index: number, reference: number}} Bar */

/** Milliseconds between two looks at the chart. */
const PAUSE = 250;
/** Looks after which all rows are read again, not only the newest. */
const WHOLE = 8;
/** Rows at first, and with each “Show more”. */
const PAGE = 300;

/**
 * The bars on screen as a table, newest first, with the values of the studies. It changes in place: who reads it keeps
 * the focus and the place.
 */
export class DataTable extends SidePanel {
    #page;
    #scroller = byId("data-scroller");
    #head = byId("data-head");
    #body = byId("data-body");
    #more = byId("data-more");
    #rows = PAGE;
    #timer = 0;
    #looks = 0;
    /** What the rows were made of. */
    #shape = "";

    /** @param {Pick<PageParts, "chart" | "studies" | "feedMarks"> & {words: import("./chart-words.js").ChartWords}} page */
    constructor(page) {
        super(byId("data-table"), page.chart.canvas, byId("table-button"));
        this.#page = page;
        const { chart } = page;
        this.#more.addEventListener("click", () => {
            this.#rows += PAGE;
            this.#show();
        });
        this.element.addEventListener("keydown", (event) => {
            if (event.key.toLowerCase() === "t" && event.shiftKey && !hasModifier(event)) {
                event.preventDefault();
                event.repeat || this.close();
            }
        });
        chart.addEventListener("drawn", () => this.#look());
        chart.addEventListener("selected", () => (this.#rows = PAGE));
        chart.addKey("t", () => this.toggle());
    }

    /** @override */
    open() {
        super.open();
        this.#show();
        this.#scroller.focus({ preventScroll: true });
    }

    #look() {
        if (this.isOpen) {
            this.#timer ||= setTimeout(() => {
                this.#timer = 0;
                this.#show();
            }, PAUSE);
        }
    }

    #show() {
        const chart = this.#page.chart.engineChart;
        if (!chart || !this.isOpen) {
            return;
        }
        const all = visibleRange(chart, Infinity);
        const range = visibleRange(chart, this.#rows);
        const studies = this.#page.studies.list.filter(({ isVisible }) => isVisible);
        this.#showHead(chart, studies);
        const shown = range ? range.last - range.first + 1 : 0;
        const total = all ? all.last - all.first + 1 : 0;
        const rest = total > shown ? ` The newest ${shown} are listed.` : "";
        setText(byId("data-caption"), `${this.#page.words.label}: ${total} bars on screen, newest first.${rest}`);
        // The same, for the eyes: a caption would scroll away to the side.
        setText(byId("data-title"), `${total} bars on screen, newest first.${rest}`);
        this.#more.hidden = shown === total;
        const shape = JSON.stringify([this.#page.chart.selection, range, chart.count, chart.bar(0)?.timestamp, this.#head.textContent]);
        this.#looks += 1;
        const isWhole = shape !== this.#shape || this.#looks % WHOLE === 0;
        this.#shape = shape;
        const bars = range ? this.#read(chart, range) : [];
        if (isWhole) {
            this.#keepPlace(() => {
                const update = (/** @type {HTMLElement} */ row, /** @type {Bar} */ bar) => this.#fill(row, bar, chart, studies);
                showList(this.#body, bars, ({ timestamp }) => String(timestamp), () => element("tr"), update);
            });
        } else {
            // Ticks change the newest bar; the other rows are looked at now and then.
            const row = this.#body.firstElementChild;
            row && bars[0] && this.#fill(row, bars[0], chart, studies);
        }
    }

    /** @param {import("../engine/chart.js").EngineChart} chart @param {{first: number, last: number}} range @returns {Bar[]} newest first. */
    #read(chart, { first, last }) {
        let before = first > 0 ? chart.bar(first - 1) : null;
        const bars = [];
        for (let index = first; index <= last; index += 1) {
            const bar = chart.bar(index);
            if (bar) {
                bars.push({ ...bar, index, reference: before?.close ?? bar.open });
            }
            before = bar;
        }
        return bars.reverse();
    }

    /** @param {import("../engine/chart.js").EngineChart} chart @param {StudyOnChart[]} studies */
    #showHead(chart, studies) {
        const names = ["Time", "Open", "High", "Low", "Close", "Change", "Volume"];
        const own = studyValues(chart, studies, Math.max(0, chart.count - 1), 2).map(({ name }) => name);
        const all = [...names, ...own, ...(this.#page.feedMarks.isEmpty ? [] : ["Feed"])];
        if (all.join("|") !== [...this.#head.children].map((cell) => cell.textContent).join("|")) {
            this.#head.replaceChildren(...all.map((name) => element("th", { scope: "col" }, name)));
        }
    }

    /** @param {Element} row @param {Bar} bar @param {import("../engine/chart.js").EngineChart} chart @param {StudyOnChart[]} studies */
    #fill(row, bar, chart, studies) {
        const { precision } = this.#page.words;
        const price = (/** @type {number} */ value) => formatPrice(value, precision);
        const percent = bar.reference === 0 ? null : ((bar.close - bar.reference) / bar.reference) * 100;
        const texts = [
            formatTime(bar.timestamp),
            ...[bar.open, bar.high, bar.low, bar.close].map(price),
            formatPercent(percent),
            formatVolume(bar.volume),
            ...studyValues(chart, studies, bar.index, precision).map(({ value }) => value),
            ...(this.#page.feedMarks.isEmpty ? [] : [this.#page.feedMarks.describe(bar.timestamp)]),
        ];
        while (row.children.length > texts.length) {
            row.lastElementChild?.remove();
        }
        texts.forEach((text, at) => {
            const cell = row.children[at] ?? row.appendChild(at === 0 ? element("th", { scope: "row" }) : element("td"));
            setText(cell, text);
        });
        /** @type {HTMLElement} */ (row.children[5]).dataset.direction = direction(bar.close - bar.reference, percent);
    }

    /** Rows may come above what is being read: it stays where it is, unless it is the top.
     * @param {() => void} change */
    #keepPlace(change) {
        const { scrollTop } = this.#scroller;
        const rows = [.../** @type {HTMLCollectionOf<HTMLElement>} */ (this.#body.children)];
        const anchor = scrollTop > 0 ? rows.find((row) => row.offsetTop >= scrollTop) : undefined;
        const before = anchor?.offsetTop ?? 0;
        change();
        if (anchor?.isConnected) {
            this.#scroller.scrollTop = scrollTop + anchor.offsetTop - before;
        }
    }
}
