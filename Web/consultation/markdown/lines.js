// What a line of markdown begins with. Each function reads one line without its end, and knows nothing of the others.

/** A table with more columns is text: it could not be read, and few characters would make a large page. */
const MAX_COLUMNS = 64;

/**
 * Splits off the space before a line's text. A tab goes to the next fourth column.
 *
 * @param {string} line
 * @returns {{columns: number, text: string}}
 */
export function indented(line) {
    let columns = 0;
    let at = 0;
    for (; line[at] === " " || line[at] === "\t"; at += 1) {
        columns += line[at] === " " ? 1 : 4 - (columns % 4);
    }
    return { columns, text: line.slice(at) };
}

/**
 * The line without a number of columns of space at its beginning, or without all that it has. A tab that is cut leaves spaces.
 *
 * @param {string} line
 * @param {number} columns
 */
export function dedented(line, columns) {
    let found = 0;
    let at = 0;
    for (; found < columns && (line[at] === " " || line[at] === "\t"); at += 1) {
        found += line[at] === " " ? 1 : 4 - (found % 4);
    }
    return " ".repeat(Math.max(0, found - columns)) + line.slice(at);
}

/** @param {string} line */
export const isBlank = (line) => !/\S/.test(line);

/** @param {string} text a line without its indentation. */
export const isRule = (text) => /^(?:-[ \t]*){3,}$|^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$/.test(text);

/**
 * @param {string} text
 * @returns {?{level: number, text: string}}
 */
export function headingIn(text) {
    const found = /^(#{1,6})(?:[ \t]+(.*))?$/.exec(text);
    return found && { level: found[1].length, text: withoutClosing((found[2] ?? "").trimEnd()) };
}

/** `## Title ##` is “Title”.
 * @param {string} text */
function withoutClosing(text) {
    let end = text.length;
    while (text[end - 1] === "#") {
        end -= 1;
    }
    return end === 0 ? "" : end < text.length && /\s/.test(text[end - 1]) ? text.slice(0, end).trimEnd() : text;
}

/**
 * The beginning of code that a fence encloses.
 *
 * @param {string} text
 * @returns {?{mark: string, length: number, language: string}}
 */
export function fenceIn(text) {
    const found = /^(`{3,}|~{3,})(.*)$/.exec(text);
    if (!found || (found[1][0] === "`" && found[2].includes("`"))) {
        return null;
    }
    return { mark: found[1][0], length: found[1].length, language: found[2].trim().split(/\s/)[0] };
}

/**
 * Whether a line ends the code.
 *
 * @param {string} text
 * @param {{mark: string, length: number}} fence
 */
export function closesFence(text, { mark, length }) {
    const end = text.trimEnd();
    return end.length >= length && end === mark.repeat(end.length);
}

/**
 * The mark of a list's item.
 *
 * @param {string} text
 * @returns {?{type: string, start: number, width: number, text: string}} `type` is the same for the items of one list;
 *   `width` is that of the mark and the space after it.
 */
export function itemIn(text) {
    const found = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(text);
    if (!found) {
        return null;
    }
    const rest = indented(text.slice(found[0].length));
    // Much space belongs to the text; of none, the text comes on the next line.
    const space = rest.text === "" || rest.columns > 4 ? 1 : rest.columns;
    return {
        type: found[1] ?? found[3],
        start: found[2] === undefined ? 1 : Number(found[2]),
        width: found[0].length + space,
        text: rest.text === "" ? "" : " ".repeat(rest.columns - space) + rest.text,
    };
}

/**
 * The cells of a table's row, without the space around them. A pipe in a cell is written `\|`.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function cellsIn(text) {
    const cells = [""];
    const row = text.trim();
    for (let at = row[0] === "|" ? 1 : 0; at < row.length; at += 1) {
        if (row[at] === "\\" && row[at + 1] === "|") {
            cells[cells.length - 1] += "|";
            at += 1;
        } else if (row[at] !== "|") {
            cells[cells.length - 1] += row[at];
        } else if (at < row.length - 1) {
            cells.push("");
        }
    }
    return cells.map((cell) => cell.trim());
}

/**
 * The line under a table's head.
 *
 * @param {string} text
 * @returns {?string[]} how each column is aligned: `left`, `right`, `center`, or nothing; null for any other line.
 */
export function alignmentsIn(text) {
    if (!text.includes("-") || !text.includes("|")) {
        return null;
    }
    const cells = cellsIn(text);
    if (cells.length > MAX_COLUMNS || !cells.every((cell) => /^:?-+:?$/.test(cell))) {
        return null;
    }
    return cells.map((cell) => {
        const [left, right] = [cell.startsWith(":"), cell.endsWith(":")];
        return left && right ? "center" : right ? "right" : left ? "left" : "";
    });
}
