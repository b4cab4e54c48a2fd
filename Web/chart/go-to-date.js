import { byId, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { Popover } from "../ui/popover.js";

/** The panel that brings a date to the middle of the chart, however far back it is. */
export class GoToDate {
    #chart;
    #settings;
    #popover;
    #form = byId("go-to", HTMLFormElement);
    #date = byId("go-to-date", HTMLInputElement);
    #note = byId("go-to-note");
    /** Stops the search that is under way. */
    #abort = new AbortController();

    /**
     * @param {import("./chart-panel.js").ChartPanel} chart
     * @param {import("./chart-settings.js").ChartSettings} settings
     */
    constructor(chart, settings) {
        this.#chart = chart;
        this.#settings = settings;
        const leave = () => this.#abort.abort();
        this.#popover = new Popover(byId("go-to-button"), this.#form, () => this.#enter(), leave);
        this.#form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#go();
        });
    }

    #enter() {
        this.#say("");
        setText(byId("go-to-zone"), `Chart time zone: ${this.#settings.zoneName.replaceAll("_", " ")}`);
        const chart = this.#chart.engineChart;
        const middle = chart?.bar(Math.floor(chart.firstVisible + chart.visibleCount / 2));
        const bar = middle ?? this.#chart.legend();
        if (chart && bar) {
            this.#date.value = this.#wall(chart, bar.timestamp);
        }
        return this.#date;
    }

    async #go() {
        const chart = this.#chart.engineChart;
        if (!chart || !this.#date.value) {
            return;
        }
        this.#abort.abort();
        this.#abort = new AbortController();
        const { signal } = this.#abort;
        const time = fromWall(chart, this.#date.value);
        this.#say("");
        try {
            const oldest = await this.#chart.pager.goTo(time, {
                signal,
                progress: (reached) => this.#say(`Loading bars, back to ${readable(this.#wall(chart, reached))}`, "quiet"),
            });
            if (signal.aborted) {
                return;
            }
            if (oldest !== null) {
                this.#say(`There are no bars before ${readable(this.#wall(chart, oldest))}.`);
            } else {
                this.#popover.close();
            }
        } catch (error) {
            if (!signal.aborted) {
                this.#say(`${messageOf(error)} The bars could not be loaded.`);
            }
        }
    }

    /** A time as the field writes it: on the chart's clock.
     * @param {import("./chart-panel.js").EngineChart} chart @param {number} time */
    #wall(chart, time) {
        return new Date((time + chart.zone.offset(time)) * 1000).toISOString().slice(0, 16);
    }

    /** @param {string} text @param {string} [kind] */
    #say(text, kind = "") {
        setText(this.#note, text);
        this.#note.hidden = text === "";
        this.#note.dataset.kind = kind;
        this.#popover.place();
    }
}

/**
 * The time at which the chart's clock shows what the field says; of an hour that comes twice the later one.
 *
 * @param {import("../engine/chart.js").EngineChart} chart
 * @param {string} text `2026-03-08T02:30`
 * @returns {number} seconds since 1970 UTC.
 */
function fromWall(chart, text) {
    const wall = Date.parse(`${text}Z`) / 1000;
    // The offset before the change of the clocks, and the one after it.
    const guess = wall - chart.zone.offset(wall);
    return wall - chart.zone.offset(guess);
}

/** @param {string} wall */
function readable(wall) {
    return wall.replace("T", " ");
}
