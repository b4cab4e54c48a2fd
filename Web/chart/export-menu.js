import { barsTable } from "./bars-table.js";
import { byId } from "../dom.js";
import { messageOf } from "../format.js";
import { Menu } from "../ui/menu.js";
import { requestFile } from "../stream/rest.js";
import { saveFile } from "../ui/files.js";

/** Milliseconds that the server has. */
const TIMEOUT = 20000;

const ITEMS = [
    { id: "png", name: "Picture", hint: "PNG" },
    { id: "svg", name: "Vector picture", hint: "SVG" },
    { id: "pdf", name: "Document", hint: "PDF" },
    { id: "csv", name: "Bars and indicators", hint: "CSV" },
];

/**
 * The menu that makes files of the chart as it is on screen. PNG and CSV the page makes itself; for SVG and PDF it hands
 * its display list to the server.
 */
export class ExportMenu {
    #parts;

    /**
     * @param {object} parts
     * @param {import("./chart-panel.js").ChartPanel} parts.chart
     * @param {import("./chart-studies.js").ChartStudies} parts.studies
     * @param {(sentence: string) => void} parts.report shows what went wrong.
     */
    constructor(parts) {
        this.#parts = parts;
        const items = () => ITEMS.map(({ id, ...item }) => ({ ...item, act: () => this.#export(id) }));
        new Menu(byId("export-button", HTMLButtonElement), "Save the chart", items, { id: "export-menu" });
    }

    /** @param {string} id */
    async #export(id) {
        const { chart, report } = this.#parts;
        const stream = chart.selection;
        if (!stream || !chart.engineChart?.count) {
            report("There is nothing to save yet: the chart has no bars.");
            return;
        }
        try {
            const content = await this.#content(id);
            saveFile(content, `${stream.symbol}-${stream.timeframe}.${id}`);
        } catch (error) {
            report(`The ${id.toUpperCase()} file could not be saved. ${messageOf(error)}`);
        }
    }

    /** @param {string} id @returns {Promise<Blob>} */
    async #content(id) {
        const { chart, studies } = this.#parts;
        if (id === "csv" && chart.engineChart) {
            return new Blob([barsTable(chart.engineChart, studies.list)], { type: "text/csv" });
        }
        if (id === "png") {
            const picture = await chart.picture();
            if (!picture) {
                throw new Error("The browser could not make the picture.");
            }
            return picture;
        }
        // The server makes a file of the very display list that is on screen.
        const { words, size } = chart.displayList();
        return requestFile("POST", `/v1/picture.${id}`, { parameters: size, body: words, timeout: TIMEOUT });
    }
}
