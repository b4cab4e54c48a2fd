import { byId, setText } from "../dom.js";
import { formatPrice } from "../format.js";
import { RestError } from "../stream/rest.js";
import { openDialog } from "../ui/dialog.js";
import { FieldMarks } from "../ui/field-marks.js";
import { switchOff } from "../ui/icon-button.js";
import { SidePanel } from "../ui/side-panel.js";
import { formatDecimal, formatExact, formatMoney, sideName, typeName } from "../money.js";
import { withoutNumbers } from "../user-error.js";
import { nameOf, priceWords } from "./orders-view.js";
import { readPositive } from "./form-values.js";
import { Submission, isUnanswered } from "./submission.js";
import { TicketForm } from "./ticket-form.js";
import { listenToSizes } from "./ticket-size.js";
import { TicketPreview } from "./ticket-preview.js";
import { confirmsOrders, keepTradeSettings, tradeSettings } from "./trade-settings.js";
import { isActive } from "./trading-store.js";

/**
 * The order ticket of the chosen market.
 *
 * An order whose answer is lost holds the ticket until it is known what became of it: sent again it is the same order,
 * and the stream may report it, too.
 */
export class Ticket extends SidePanel {
    #parts;
    #form = new TicketForm();
    #marks = new FieldMarks(this.#form.element, byId("ticket-problem"));
    #preview;
    #submit = byId("ticket-submit");
    #confirms = byId("ticket-confirms", HTMLInputElement);
    #unanswered = byId("ticket-unanswered");
    /** @type {?Submission} on its way, or without an answer. */
    #submission = null;
    #symbol = "";
    /** @type {?number} leverage of what the account has in the market; null where it has nothing there. */
    #held = null;
    /** Why the connection is missing; "" where it is there, or none is needed. */
    #cutOff = "";
    /** Whether an order is being judged, or its question is open. */
    #isAsking = false;
    /** Why no order can be sent, as it was said last: without its numbers, which move with the market. */
    #said = "";

    /** @param {import("./trading.js").Parts} parts @param {PageParts["session"]} session */
    constructor(parts, session) {
        super(byId("ticket"), parts.chart.canvas);
        this.#parts = parts;
        // What the desk says of an order that was sent stays until something is changed.
        const marks = new FieldMarks(this.#form.element);
        this.#preview = new TicketPreview(parts, { read: () => this.#draft(), marks, judged: () => this.#showRefusal() });
        listenToSizes(parts, this.#form, () => this.#symbol, () => this.#changed());
        this.#confirms.checked = confirmsOrders();
        this.#confirms.addEventListener("change", () => keepTradeSettings({ confirms: this.#confirms.checked }));
        byId("ticket-again").addEventListener("click", () => this.#send());
        byId("ticket-over").addEventListener("click", () => this.#startOver());
        this.#listen();
        session.addEventListener("state", () => this.#connectionChanged(session));
        this.#select();
        tradeSettings().hasTicket && this.#show();
    }

    /** @override @param {"buy" | "sell"} [side] */
    open(side) {
        side && !this.#isBusy && (this.#form.side = side);
        super.open();
        this.#show();
        this.#form.focus();
        keepTradeSettings({ hasTicket: true });
    }

    /** @override */
    close() {
        super.close();
        this.#preview.forget();
        this.#said = "";
        keepTradeSettings({ hasTicket: false });
    }

    #show() {
        this.element.hidden = false;
        this.#showPrice();
        this.#proposePrice();
        this.#showRefusal();
        this.#changed();
    }

    /** Whether the order may not change: it is being judged, or on its way. */
    get #isBusy() {
        return this.#isAsking || this.#submission !== null;
    }

    #listen() {
        const { chart, markets, store } = this.#parts;
        this.#form.element.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#confirmed();
        });
        this.#form.element.addEventListener("input", () => {
            this.#marks.clear();
            this.#changed();
        });
        this.#form.element.addEventListener("focusout", (event) => this.#left(event));
        chart.addEventListener("selected", () => this.#select());
        markets.addEventListener("list", () => {
            this.#select();
            this.#showRefusal();
        });
        markets.addEventListener("market", (event) => {
            /** @type {CustomEvent} */ (event).detail === this.#symbol && this.#showPrice();
        });
        store.addEventListener("change", (event) => {
            const channel = /** @type {CustomEvent} */ (event).detail;
            channel === "orders" && this.#findAnswer();
            (channel === "orders" || channel === "positions") && this.#showHeld();
            channel === "health" && this.#showRefusal();
        });
    }

    #select() {
        const symbol = this.#parts.symbol();
        const market = this.#parts.markets.markets.get(symbol);
        if (market && !this.#isBusy) {
            this.#form.maxLeverage = market.maxLeverage;
        }
        if (symbol !== this.#symbol && !this.#isBusy) {
            this.#symbol = symbol;
            this.#form.clearPrices();
            this.#held = this.#heldLeverage();
            this.#form.leverage = this.#held ?? 1;
            this.#marks.clear();
            this.#proposePrice();
        }
        market && this.#form.name(market.base, market.quote);
        setText(byId("ticket-title"), this.#symbol);
        this.#showPrice();
        this.#changed();
    }

    /** A market has one leverage: that of an order becomes that of the position and of all that waits there. */
    #heldLeverage() {
        const { positions, active } = this.#parts.store;
        return [...positions, ...active].find(({ symbol }) => symbol === this.#symbol)?.leverage ?? null;
    }

    /** The slider goes with what the account has, until the person moves it. */
    #showHeld() {
        const held = this.#heldLeverage();
        if (held !== this.#held) {
            const follows = !this.#isBusy && this.#form.leverage === (this.#held ?? 1);
            this.#held = held;
            follows && (this.#form.leverage = held ?? 1);
            this.#changed();
        }
    }

    #noteLeverage() {
        const { leverage, isReducing } = this.#form;
        const isChange = this.#held !== null && this.#held !== leverage && !isReducing;
        this.#form.leverageNote = isChange ? `Your position and orders in ${this.#symbol} change from ${this.#held}× to ${leverage}× leverage.` : "";
    }

    #changed() {
        this.#label();
        this.#noteLeverage();
        this.isOpen && !this.#isBusy && this.#preview.refresh();
    }

    /** Says what is wrong with a number as soon as its field is left; sending it says so anyway, and what moves under the
     * pointer can't be pressed.
     * @param {FocusEvent} event */
    #left({ target, relatedTarget }) {
        if (target instanceof HTMLInputElement && target.inputMode === "decimal" && target.value.trim() && relatedTarget !== this.#submit) {
            try {
                readPositive(target.value, target.name);
            } catch (error) {
                error instanceof RestError && this.#marks.mark(error);
            }
        }
    }

    #label() {
        const { side } = this.#form;
        const amount = this.#draft()?.quantity;
        setText(this.#submit, `${sideName(side)}${amount ? ` ${formatExact(amount)}` : ""} ${this.#symbol} on paper`);
        this.#submit.dataset.side = side;
    }

    #showPrice() {
        if (this.isOpen) {
            setText(byId("ticket-price"), formatPrice(this.#lastPrice, this.#parts.precision(this.#symbol)));
        }
    }

    /** An attempt to connect is no connection yet. Where the session has a reason, the page has no engine: it sends
     * orders without a connection.
     * @param {PageParts["session"]} session */
    #connectionChanged({ state, reason, needsToken }) {
        const before = this.#cutOff;
        if (needsToken) {
            this.#cutOff = "Sign in to send orders.";
        } else if (state === "open" || reason !== "") {
            this.#cutOff = "";
        } else if (["waiting", "failed", "closed"].includes(state)) {
            this.#cutOff = "Not connected. Orders can be sent when the connection is back.";
        }
        if (this.#cutOff !== before) {
            this.#showRefusal();
            this.#changed();
        }
    }

    /** Why no order can be sent whatever it says; "" where it can. */
    get #closedFor() {
        if (this.#cutOff) {
            return this.#cutOff;
        }
        if (this.#parts.store.health?.ledger === "failing") {
            return "Orders are not accepted at the moment: the ledger can’t be written.";
        }
        const off = this.#parts.offWords(this.#symbol);
        return off && `${off} Orders can be sent when it is on again.`;
    }

    /** The button is off while the order can't be sent; the reason stands above it and is said once. */
    #showRefusal() {
        const reason = this.#closedFor || this.#preview.problems.map((each) => this.#marks.sentence(each)).join(" ");
        const isLocked = this.#form.fields.disabled;
        const refused = byId("ticket-refused");
        setText(refused, reason);
        // What stands beside a field already is not shown twice.
        const isMarked = this.#closedFor === "" && this.#preview.problems.every((each) => this.#marks.has(each));
        refused.classList.toggle("visually-hidden", isMarked);
        switchOff(this.#submit, isLocked || reason !== "");
        const gist = withoutNumbers(reason);
        if (this.isOpen && gist !== this.#said) {
            this.#said = gist;
            // What is wrong with an order that was to be sent is said where the keyboard goes.
            const isJudged = this.#isAsking && isLocked;
            reason && !isJudged && this.#parts.say(reason);
        }
    }

    get #lastPrice() {
        return this.#parts.markets.markets.get(this.#symbol)?.price ?? null;
    }

    #proposePrice() {
        if (this.isOpen && this.#lastPrice !== null) {
            this.#form.proposePrice(this.#lastPrice.toFixed(this.#parts.precision(this.#symbol)));
        }
    }

    /** The order as it is, null while something is missing. */
    #draft() {
        try {
            return { symbol: this.#symbol, ...this.#form.read() };
        } catch {
            return null;
        }
    }

    // Sending

    async #confirmed() {
        if (this.#isBusy) {
            return;
        }
        if (this.#closedFor) {
            this.#parts.say(this.#closedFor);
            return;
        }
        this.#marks.clear();
        let request;
        try {
            request = { symbol: this.#symbol, ...this.#form.read() };
        } catch (error) {
            error instanceof RestError && this.#marks.show(error);
            return;
        }
        this.#isAsking = true;
        const isWanted = await this.#isWanted(request).finally(() => (this.#isAsking = false));
        if (!isWanted) {
            this.#select();
            return;
        }
        this.#preview.stop();
        this.#submission = new Submission(request);
        await this.#send();
    }

    /** Whether an order can be placed, and the person says so.
     * @param {import("./trading-desk.js").OrderRequest} request */
    async #isWanted(request) {
        const typed = /** @type {?HTMLElement} */ (document.activeElement);
        this.#lock(true);
        const estimate = await this.#preview.judge(request).finally(() => this.#lock(false));
        document.activeElement === this.#submit && typed?.focus({ preventScroll: true });
        if (estimate === null) {
            this.#parts.say("Not sent.");
            return false;
        }
        const [problem] = estimate.problems ?? [];
        if (problem) {
            // A field that gets the keyboard is read with what is wrong with it.
            const field = this.#marks.mark(problem);
            field ? field.focus() : this.#parts.say(this.#marks.sentence(problem));
            return false;
        }
        return !confirmsOrders() || this.#confirm(request, estimate);
    }

    /** @param {import("./trading-desk.js").OrderRequest} request @param {import("./trading-desk.js").Preview} estimate */
    #confirm(request, { cost, currency = "" }) {
        const { side, symbol, leverage, take_profit: profit, stop_loss: loss } = request;
        const price = (/** @type {string} */ text) => formatDecimal(text, this.#parts.precision(symbol));
        /** @type {[string, string][]} */
        const facts = [["Cost", cost ? formatMoney(cost, currency) : "No estimate at the moment"]];
        request.reduce_only || facts.push(["Leverage", `${leverage}×`]);
        profit && facts.push(["Take profit", price(profit)]);
        loss && facts.push(["Stop loss", price(loss)]);
        return openDialog({
            title: `${sideName(side)} ${formatExact(request.quantity)} ${symbol} on paper?`,
            text: `${typeName(request.type)} order${this.#atPrice(request)}. No real money.`,
            facts,
            fields: [{ name: "off", label: "Don’t ask again", type: "checkbox" }],
            confirm: sideName(side),
            act: async ({ off }) => {
                if (off) {
                    this.#confirms.checked = false;
                    keepTradeSettings({ confirms: false });
                }
            },
        });
    }

    /** The order's prices as the end of a sentence.
     * @param {import("./trading-desk.js").OrderRequest} request */
    #atPrice(request) {
        if (request.type === "market") {
            return " at the market price";
        }
        const words = priceWords(request, this.#parts.precision(request.symbol));
        return /^\d/.test(words) ? ` at ${words}` : `, ${words.toLowerCase()}`;
    }

    async #send() {
        const submission = this.#submission;
        if (!submission) {
            return;
        }
        this.#lock(true);
        this.#unanswered.hidden = true;
        try {
            const order = await submission.send(this.#parts.desk);
            this.#finish(submission, order);
        } catch (error) {
            if (!(error instanceof RestError)) {
                throw error;
            }
            if (submission !== this.#submission) {
                return;
            }
            if (isUnanswered(error)) {
                this.#unanswered.hidden = false;
                byId("ticket-again").focus();
            } else {
                this.#release();
                this.#marks.show(error);
            }
        }
    }

    /** The stream may have an order whose answer was lost. */
    #findAnswer() {
        const submission = this.#submission;
        const order = submission && [...this.#parts.store.orders.values()].find((each) => each.client_order_id === submission.id);
        order && this.#finish(submission, order);
    }

    /** @param {Submission} submission @param {import("./trading-store.js").Order} order */
    #finish(submission, order) {
        if (submission !== this.#submission) {
            return;
        }
        order.status === "rejected" || this.#form.beginAnother();
        this.#release();
        const verdict = order.status === "rejected" ? "rejected" : "accepted";
        const words = `Order ${verdict}: ${nameOf(order)}, on paper.`;
        // A note says what became of an order that ended.
        isActive(order) ? this.#parts.toasts.show(words) : this.#parts.say(words);
        this.#changed();
    }

    /** Gives up an order without an answer: it may have been accepted. */
    #startOver() {
        this.#form.beginAnother();
        this.#release();
    }

    #release() {
        const hadFocus = this.element.contains(document.activeElement);
        this.#submission = null;
        this.#unanswered.hidden = true;
        this.#lock(false);
        this.#select();
        hadFocus && this.#submit.focus({ preventScroll: true });
    }

    /** @param {boolean} isLocked */
    #lock(isLocked) {
        // A field that is switched off would lose the keyboard.
        isLocked && this.#form.fields.contains(document.activeElement) && this.#submit.focus({ preventScroll: true });
        this.#form.fields.disabled = isLocked;
        this.#showRefusal();
        this.element.setAttribute("aria-busy", String(isLocked));
    }
}
