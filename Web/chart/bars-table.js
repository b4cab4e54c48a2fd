import { CANDLE_FIELDS } from "../engine/candle-rows.js";

/** What a study is computed from, by the engine's number. */
const SOURCES = ["close", "hl2", "hlc3", "ohlc4"];

/**
 * The chart's bars with the values of its studies as a table: a line a bar, comma-separated, with a header (RFC 4180).
 * The same columns as `candlewire chart` and `/v1/chart.csv` write: times are seconds since 1970 UTC, numbers are as
 * exact as they are, and where a study has no value yet the field is empty.
 *
 * @param {import("../engine/chart.js").EngineChart} chart
 * @param {import("./chart-studies.js").ActiveStudy[]} studies
 * @returns {string}
 */
export function barsTable(chart, studies) {
    const lines = [[...CANDLE_FIELDS, ...studies.flatMap(columnNames)].map(quoted).join(",")];
    for (let index = 0; index < chart.count; index += 1) {
        const bar = chart.bar(index);
        const values = CANDLE_FIELDS.map((name) => String(bar?.[name] ?? ""));
        for (const { id, kind } of studies) {
            kind.outputs.forEach((_, output) => {
                const value = chart.studies.value(id, output, index);
                values.push(Number.isFinite(value) ? String(value) : "");
            });
        }
        lines.push(values.join(","));
    }
    return `${lines.join("\r\n")}\r\n`;
}

/** The names of a study's columns: `rsi_14`, and with the output's name where there are several.
 * @param {import("./chart-studies.js").ActiveStudy} study */
function columnNames(study) {
    const stem = parts(study).join("_");
    const { outputs } = study.kind;
    const suffix = (/** @type {string} */ name) => name.toLowerCase().replaceAll("%", "").replaceAll(" ", "_");
    return outputs.length > 1 ? outputs.map(({ name }) => `${stem}_${suffix(name)}`) : [stem];
}

/** @param {import("./chart-studies.js").ActiveStudy} study @returns {string[]} */
function parts({ kind, parameters, source }) {
    const isUsual = source === null || source === kind.source;
    return [kind.identifier, ...parameters.map(String), ...(isUsual ? [] : [SOURCES[source]])];
}

/** @param {string} text */
function quoted(text) {
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
