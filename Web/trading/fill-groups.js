import { decimalText, dividedDown, parseDecimal, plus, times } from "./decimal.js";

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
export function groupFills(fills, timeframe, decimals) {
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
        // Two more decimals, for whoever rounds it.
        const price = quantity.units === 0n ? ZERO : dividedDown(cost, quantity, decimals + 2);
        const [{ timestamp: time, side }] = members;
        return { key, time, side, count: members.length, quantity: decimalText(quantity), price: decimalText(price) };
    });
}

/** Which bar holds a time: weeks begin on Monday, months are those of the calendar. */
function barOf(time, { id, seconds }) {
    if (id === "1M") {
        return new Date(time * 1000).toISOString().slice(0, 7);
    }
    const origin = id === "1w" ? 4 * DAY : 0;
    return Math.floor((time - origin) / seconds);
}
