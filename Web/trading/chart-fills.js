import { decimalText, dividedDown, parseDecimal, plus, times } from "../decimal.js";
import { detailOf } from "../dom.js";
import { formatDecimal, formatExact } from "../money.js";
import { timeframe } from "../timeframes.js";
import { newestFirst } from "./trading-store.js";

/** The first number of a marker. */
const FIRST = 1_000_000;
/** Arrows on the chart; what is older is in the list. */
const LIMIT = 100;

/** Shows the account's fills of the chosen market as arrows at their bars, one for each bar and side.
 * @param {import("./trading.js").Parts} parts */
export function showFills({ chart, store, symbol, precision }) {
    /** @type {string[]} What the engine has, in the order of the numbers. */
    let shown = [];
    const show = () => {
        const frame = timeframe(chart.selection?.timeframe ?? "");
        if (!chart.engineChart || !frame) {
            return;
        }
        const market = symbol();
        const decimals = precision(market);
        const fills = [...store.fills.values()].filter((fill) => fill.symbol === market).sort(newestFirst);
        const groups = groupFills(fills, frame, decimals).slice(0, LIMIT);
        const seen = groups.map((group) => JSON.stringify(group));
        if (seen.join() === shown.join()) {
            return;
        }
        chart.change(({ objects }) => {
            shown.forEach((_, at) => objects.removeMarker(FIRST + at));
            groups.forEach(({ time, side: kind, count, quantity, price }, at) => {
                const many = count > 1 ? ` (${count} fills)` : "";
                const text = `${formatExact(quantity)} at ${formatDecimal(price, decimals)}${many}`;
                objects.setMarker({ id: FIRST + at, time, kind, text });
            });
        });
        shown = seen;
    };
    chart.addEventListener("ready", () => (shown = []));
    chart.addEventListener("selected", show);
    store.addEventListener("change", (event) => detailOf(event) === "orders" && show());
}

const DAY = 86_400;
const ZERO = { units: 0n, decimals: 0 };

/**
 * Fills of one side in one bar, as one: an order that is filled in many parts would hide the bars below its arrows.
 *
 * @typedef {{key: string, time: number, side: "buy" | "sell", count: number, quantity: string, price: string}} FillGroup
 *   the price is the average, by quantity.
 */

/**
 * @param {import("./trading-store.js").Fill[]} fills of one market.
 * @param {{id: string, seconds: number}} timeframe of the bars.
 * @param {number} decimals of the average price.
 * @returns {FillGroup[]}
 */
function groupFills(fills, timeframe, decimals) {
    /** @type {Map<string, import("./trading-store.js").Fill[]>} */
    const groups = new Map();
    fills.forEach((fill) => {
        const key = `${fill.side} ${barOf(fill.timestamp, timeframe)}`;
        groups.set(key, [...(groups.get(key) ?? []), fill]);
    });
    return [...groups].map(([key, members]) => {
        let [quantity, cost] = [ZERO, ZERO];
        members.forEach((fill) => {
            const size = parseDecimal(fill.quantity) ?? ZERO;
            quantity = plus(quantity, size);
            cost = plus(cost, times(size, parseDecimal(fill.price) ?? ZERO));
        });
        // Two more decimals, so that it can be rounded later.
        const price = quantity.units === 0n ? ZERO : dividedDown(cost, quantity, decimals + 2);
        const [{ timestamp: time, side }] = members;
        return { key, time, side, count: members.length, quantity: decimalText(quantity), price: decimalText(price) };
    });
}

/** Which bar holds a time: weeks begin on Monday, months are those of the calendar.
 * @param {number} time @param {{id: string, seconds: number}} timeframe */
function barOf(time, { id, seconds }) {
    if (id === "1M") {
        return new Date(time * 1000).toISOString().slice(0, 7);
    }
    const origin = id === "1w" ? 4 * DAY : 0;
    return Math.floor((time - origin) / seconds);
}
