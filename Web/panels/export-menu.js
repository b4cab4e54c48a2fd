import { barsTable, studyNotation } from "../chart/bars-table.js";
import { byId } from "../dom.js";
import { Menu } from "./menu.js";
import { saveFile } from "./save-file.js";

/** The most bars and studies of a picture that the server draws. */
const MOST_BARS = 9000;
const MOST_STUDIES = 12;
/** Its limits of a side, CSS pixels. */
const SIDES = [100, 8000];
/** Milliseconds that the server may take. */
const PATIENCE = 20000;

const ITEMS = [
    { id: "png", name: "Picture", hint: "PNG" },
    { id: "svg", name: "Vector picture", hint: "SVG" },
    { id: "pdf", name: "Document", hint: "PDF" },
    { id: "csv", name: "Bars and indicators", hint: "CSV" },
];

/**
 * The menu that makes files of the chart: PNG and CSV of what is in the page, SVG and PDF drawn by the server with the
 * same settings.
 */
export class ExportMenu {
    #parts;

    /**
     * @param {object} parts
     * @param {import("../chart/chart-panel.js").ChartPanel} parts.chart
     * @param {import("../chart/chart-settings.js").ChartSettings} parts.settings
     * @param {import("../chart/chart-studies.js").ChartStudies} parts.studies
     * @param {import("./theme.js").Theme} parts.theme
     * @param {(sentence: string) => void} parts.tell shows what went wrong.
     */
    constructor(parts) {
        this.#parts = parts;
        new Menu(byId("export-button"), byId("export-menu"), ITEMS, (id) => this.#export(id));
    }

    async #export(id) {
        const { chart, tell } = this.#parts;
        const stream = chart.selection;
        if (!stream || !chart.engineChart?.count) {
            tell("There is nothing to save yet: the chart has no bars.");
            return;
        }
        try {
            const content = await this.#content(id, stream);
            saveFile(content, `${stream.symbol}-${stream.timeframe}.${id}`);
        } catch (error) {
            tell(`The ${id.toUpperCase()} file was not made. ${error.message}`);
        }
    }

    /** @returns {Promise<Blob>} */
    async #content(id, stream) {
        const { chart, studies } = this.#parts;
        if (id === "csv" && chart.engineChart) {
            return new Blob([barsTable(chart.engineChart, studies.list)], { type: "text/csv" });
        }
        if (id === "png") {
            const picture = await chart.picture();
            if (!picture) {
                throw new Error("The browser gave no picture.");
            }
            return picture;
        }
        return this.#draw(id, stream);
    }

    /** Has the server draw what is on screen. */
    async #draw(format, { symbol, timeframe }) {
        const query = new URLSearchParams({ symbol, timeframe, ...this.#shown() });
        let response;
        try {
            const signal = AbortSignal.timeout(PATIENCE);
            response = await fetch(`/v1/chart.${format}?${query}`, { signal });
        } catch {
            throw new Error("The server can’t be reached.");
        }
        if (!response.ok) {
            const body = await response.json().catch(() => null);
            throw new Error(body?.error?.message ?? `The server answered ${response.status}.`);
        }
        return response.blob();
    }

    /** The chart as the server's parameters tell it. @returns {Record<string, string>} */
    #shown() {
        const { chart, settings, studies, theme } = this.#parts;
        const engine = chart.engineChart;
        const { clientWidth, clientHeight } = chart.canvas;
        const side = (/** @type {number} */ length) => String(Math.min(Math.max(length, SIDES[0]), SIDES[1]));
        const first = Math.max(0, engine.firstVisible);
        const last = engine.isFollowing() ? null : engine.bar(Math.min(engine.count, first + Math.floor(engine.visibleCount)) - 1);
        const bars = Math.min(engine.visibleCount, engine.count - first);
        const { choice } = theme;
        const scale = engine.scale(0);
        const visible = studies.list.filter(({ isVisible }) => isVisible).slice(0, MOST_STUDIES);
        return {
            width: side(clientWidth),
            height: side(clientHeight),
            bars: String(Math.min(Math.max(Math.floor(bars), 1), MOST_BARS)),
            series: settings.get("kind"),
            // The server knows no theme of one's own.
            theme: choice === "system" || choice === "custom" ? theme.name : choice,
            price_scale: scale?.kind === "logarithmic" ? "log" : scale?.kind ?? "linear",
            inverted: String(scale?.inverted ?? false),
            volume: settings.get("volume"),
            timezone: settings.zoneName,
            ...(visible.length > 0 ? { studies: visible.map(studyNotation).join(",") } : {}),
            ...(last ? { to: String(last.timestamp) } : {}),
        };
    }
}
