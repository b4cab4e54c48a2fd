import { compare, decimalText, dividedDown, parseDecimal, plus, times } from "../decimal.js";
import { byId } from "../dom.js";

/** The most decimals that a quantity gets from a part of what is available. */
const LIMIT = 8;
/** The most of what is available that an order is sized for: the price moves before it is sent. */
const LIMIT_PERCENT = { units: 995n, decimals: 3 };
const ZERO = { units: 0n, decimals: 0 };

/**
 * How much a part of what is available buys: a first guess from the price, then the server's own figures for it, in
 * proportion. So margin and fee are in it without this page knowing their rules.
 *
 * @param {object} request
 * @param {number} request.percent of what is available; of 100, 99.5 are spent.
 * @param {string} request.available
 * @param {string} request.price near which it will be filled.
 * @param {number} request.leverage
 * @param {(quantity: string) => Promise<{margin?: string, fee?: string}>} request.preview
 * @returns {Promise<string>} "0" where there is nothing to spend.
 */
export async function sizeOf({ percent, available, price, leverage, preview }) {
    const all = parseDecimal(available);
    const each = parseDecimal(price);
    if (!all || !each || compare(all, ZERO) <= 0 || compare(each, ZERO) <= 0) {
        return "0";
    }
    const decimals = decimalsOf(each);
    const share = { units: BigInt(percent), decimals: 2 };
    const budget = times(all, compare(share, LIMIT_PERCENT) > 0 ? LIMIT_PERCENT : share);
    const guess = dividedDown(times(budget, { units: BigInt(leverage), decimals: 0 }), each, decimals);
    if (guess.units === 0n) {
        return "0";
    }
    const estimate = await preview(decimalText(guess));
    const margin = parseDecimal(estimate.margin ?? "") ?? ZERO;
    const fee = parseDecimal(estimate.fee ?? "") ?? ZERO;
    // An order that reduces a position needs no margin.
    const size = compare(margin, ZERO) <= 0 ? guess : dividedDown(times(guess, budget), plus(margin, fee), decimals);
    return decimalText(size);
}

/** A part of a position.
 * @param {string} size @param {number} percent */
export function partOf(size, percent) {
    const whole = parseDecimal(size);
    if (!whole || percent === 100) {
        return whole ? decimalText(whole) : "0";
    }
    return decimalText(dividedDown(times(whole, { units: BigInt(percent), decimals: 2 }), { units: 1n, decimals: 0 }, LIMIT));
}

/** As many that the last one is worth about a cent: seven for a coin of 67,000, three for one of 0.12.
 * @param {import("../decimal.js").Decimal} price */
function decimalsOf({ units, decimals }) {
    const whole = String(units).length - decimals;
    return Math.min(LIMIT, Math.max(0, whole) + 2);
}

/**
 * Lets buttons make a part of what is available, or of a position that is made smaller, the ticket's quantity.
 *
 * @param {import("./trading.js").Parts} parts
 * @param {import("./ticket-form.js").TicketForm} form
 * @param {() => string} symbolOf the ticket's.
 * @param {() => void} onChange the quantity is another one.
 */
export function listenToSizes({ store, desk, markets, precision, attempt }, form, symbolOf, onChange) {
    const affordable = (/** @type {number} */ percent) => {
        const symbol = symbolOf();
        const market = markets.markets.get(symbol);
        const portfolio = store.portfolios.find(({ currency }) => currency === market?.quote);
        return sizeOf({
            percent,
            available: portfolio?.available_balance ?? "0",
            price: form.price || (market?.price?.toFixed(precision(symbol)) ?? ""),
            leverage: form.leverage,
            preview: (quantity) => {
                form.quantity = quantity;
                return desk.preview({ symbol, ...form.read() });
            },
        });
    };
    const apply = async (/** @type {number} */ percent) => {
        const position = store.positions.find(({ symbol }) => symbol === symbolOf());
        form.quantity = form.isReducing && position ? partOf(position.size, percent) : await affordable(percent);
        onChange();
    };
    for (const button of byId("ticket-sizes").querySelectorAll("button")) {
        button.addEventListener("click", () => attempt(apply(Number(button.dataset.percent))));
    }
}
