import { element } from "../dom.js";
import { partOf, sizeOf } from "./ticket-size.js";

/** Percent of what is available. */
const PARTS = [10, 25, 50, 75, 100];
/** Milliseconds that the desk has to say what a guess takes. */
const PATIENCE = 10_000;

/** Buttons that make a part of what is available, or of a position that is made smaller, the ticket's quantity. */
export class TicketParts {
    #parts;
    #form;
    #symbol;
    #onChange;

    /**
     * @param {import("./trading.js").Parts} parts
     * @param {import("./ticket-form.js").TicketForm} form
     * @param {() => string} symbol of the ticket.
     * @param {() => void} onChange the quantity is another one.
     */
    constructor(parts, form, symbol, onChange) {
        this.#parts = parts;
        this.#form = form;
        this.#symbol = symbol;
        this.#onChange = onChange;
        for (const percent of PARTS) {
            const button = element("button", { type: "button", class: "size-button" }, `${percent}%`);
            button.addEventListener("click", () => parts.attempt(this.#apply(percent)));
            form.sizes.append(button);
        }
    }

    async #apply(percent) {
        const position = this.#parts.store.positions.find(({ symbol }) => symbol === this.#symbol());
        const isPart = this.#form.isReducing && position;
        this.#form.quantity = isPart ? partOf(position.size, percent) : await this.#affordable(percent);
        this.#onChange();
    }

    #affordable(percent) {
        const { store, desk, markets, precision } = this.#parts;
        const symbol = this.#symbol();
        const market = markets.markets.get(symbol);
        const portfolio = store.portfolios.find(({ currency }) => currency === market?.quote);
        return sizeOf({
            percent,
            available: portfolio?.available_balance ?? "0",
            price: this.#form.price || (market?.price?.toFixed(precision(symbol)) ?? ""),
            leverage: this.#form.leverage,
            preview: (quantity) => {
                this.#form.quantity = quantity;
                return desk.preview({ symbol, ...this.#form.read() }, AbortSignal.timeout(PATIENCE));
            },
        });
    }
}
