/** @type {Map<number, Intl.NumberFormat>} */
const priceFormats = new Map();

/**
 * A price with its market's decimals, grouped: `67,234.50`. Without a price, an en dash.
 *
 * @param {?number} value
 * @param {number} precision decimals.
 */
export function formatPrice(value, precision) {
    if (value === null) {
        return "–";
    }
    let format = priceFormats.get(precision);
    if (!format) {
        format = new Intl.NumberFormat("en-US", { minimumFractionDigits: precision, maximumFractionDigits: precision });
        priceFormats.set(precision, format);
    }
    return format.format(value);
}

// As many digits for each value of a size: a number that grows and shrinks with every trade can not be read.
const compact = new Intl.NumberFormat("en-US", {
    notation: "compact",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
});
const small = new Intl.NumberFormat("en-US", { minimumSignificantDigits: 4, maximumSignificantDigits: 4 });

/** A volume, short: `12.30K`; below 1 with four digits that count: `0.01230`.
 * @param {?number} value */
export function formatVolume(value) {
    if (value === null) {
        return "–";
    }
    return value > 0 && value < 1 ? small.format(value) : compact.format(value);
}

/**
 * Which way a change points. Zero and "unknown" are a state of their own: neither red nor green; and so is a change
 * of which nothing is shown but `0.00%`.
 *
 * @param {?number} change
 * @param {?number} [percent] the same change, where that is all that is shown.
 * @returns {"up" | "down" | "flat"}
 */
export function direction(change, percent = null) {
    if (change === null || change === 0 || (percent !== null && hundredths(percent) === "0.00")) {
        return "flat";
    }
    return change > 0 ? "up" : "down";
}

/** The shape that says the direction without colour. */
export const ARROWS = { up: "▲", down: "▼", flat: "●" };

/**
 * A signed percentage, `+1.24%`; with a real minus sign, as wide as the plus.
 *
 * @param {?number} percent
 * @param {boolean} [isMove] whether it has a sign even where it rounds to zero: `−0.00%`, beside a change that is seen.
 */
export function formatPercent(percent, isMove = false) {
    if (percent === null) {
        return "–";
    }
    const rounded = hundredths(percent);
    const isSigned = percent !== 0 && (isMove || rounded !== "0.00");
    return `${isSigned ? (percent > 0 ? "+" : "−") : ""}${rounded}%`;
}

/** The size of a percentage as it is shown.
 * @param {number} percent */
function hundredths(percent) {
    return Math.abs(percent).toFixed(2);
}

/**
 * A signed change in price, `−12.50`.
 *
 * @param {?number} change
 * @param {number} precision decimals.
 */
function formatChange(change, precision) {
    if (change === null) {
        return "–";
    }
    const size = formatPrice(Math.abs(change), precision);
    // What is shown as zero has no sign: it went nowhere that can be seen.
    const sign = !/[1-9]/.test(size) ? "" : change > 0 ? "+" : "−";
    return sign + size;
}

/**
 * A change as it is shown in price and in percent, and which way it points: never another one than its signs. It is
 * neither up nor down only where both are shown as zero.
 *
 * @param {?number} change
 * @param {?number} percent
 * @param {number} precision decimals.
 * @returns {{way: "up" | "down" | "flat", change: string, percent: string}}
 */
export function formatMove(change, percent, precision) {
    const words = formatChange(change, precision);
    const isSeen = /[1-9]/.test(words) || (percent !== null && hundredths(percent) !== "0.00");
    const way = isSeen ? direction(change) : "flat";
    return { way, change: words, percent: formatPercent(percent, isSeen) };
}

const dateTime = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
});

/** A bar's start in UTC, as the chart's axis counts.
 * @param {number} timestamp seconds since 1970. */
export function formatTime(timestamp) {
    return `${dateTime.format(timestamp * 1000)} UTC`;
}

/** How long ago something was: `24 s`, `3 min`, `2 h`.
 * @param {number} seconds */
export function formatAge(seconds) {
    if (seconds < 60) {
        return `${Math.max(0, Math.floor(seconds))} s`;
    }
    return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/** Seconds as a clock: `0:34`, `12:05`, `3:12:05`.
 * @param {number} seconds */
export function formatCountdown(seconds) {
    const whole = Math.max(0, Math.ceil(seconds));
    const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor(whole / 60) % 60;
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const clockOfToday = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const clockOfDay = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** A time in UTC, short: the clock of today, else the day as well.
 * @param {number} timestamp seconds since 1970. */
export function shortTime(timestamp) {
    const isToday = Math.floor(timestamp / 86_400) === Math.floor(Date.now() / 86_400_000);
    return (isToday ? clockOfToday : clockOfDay).format(timestamp * 1000);
}

/** Shows a time in short, and in full under the mouse.
 * @param {HTMLTimeElement} element @param {number} timestamp seconds since 1970. */
export function showTime(element, timestamp) {
    element.dateTime = new Date(timestamp * 1000).toISOString();
    element.title = formatTime(timestamp);
    element.append(shortTime(timestamp));
}

/** What went wrong, as a sentence or a part of one.
 * @param {unknown} error as it was thrown. */
export function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}
