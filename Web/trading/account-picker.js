import { byId, copyOf, part, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { Popover } from "../ui/popover.js";
import { openDialog } from "../ui/dialog.js";
import { readPositive } from "./form-values.js";
import { formatMoney } from "../money.js";
import { isDemoAccount } from "./demo-account.js";

/**
 * The badge that always says which kind of money is at stake, and of which account; what it opens chooses another
 * account, opens a new one, or begins again.
 */
export class AccountPicker {
    #parts;
    #onChoose;
    #popover;
    #list = byId("account-list");
    #note = byId("account-note");

    /** @param {import("./trading.js").Parts} parts @param {(account: string) => void} onChoose */
    constructor(parts, onChoose) {
        this.#parts = parts;
        this.#onChoose = onChoose;
        this.#popover = new Popover(byId("account-button"), byId("accounts"), () => this.#enter());
        byId("account-new").addEventListener("click", () => this.#open());
        byId("account-reset").addEventListener("click", () => this.#reset());
        parts.store.addEventListener("change", () => this.#label());
        this.#label();
    }

    #label() {
        const { account } = this.#parts.store;
        const name = shortName(account);
        const demo = isDemoAccount(this.#parts.store) ? " demo" : "";
        setText(byId("account-mode"), `${modeOf(account)}${demo}`.toUpperCase());
        // The mode of the demo account says its name.
        setText(byId("account-name"), demo && name === "demo" ? "" : name);
        const words = `${modeOf(account)}${demo} account ${name}: no real money. Accounts`;
        const button = byId("account-button");
        button.dataset.mode = modeOf(account);
        button.getAttribute("aria-label") === words || button.setAttribute("aria-label", words);
    }

    #enter() {
        this.#load();
        return byId("accounts");
    }

    async #load() {
        const { desk, store } = this.#parts;
        // The rows of the last time are shown until the new ones are here.
        for (const radio of this.#list.querySelectorAll("input")) {
            radio.checked = radio.value === store.account;
        }
        try {
            const accounts = await desk.accounts();
            const rows = accounts.map((each) => this.#row(each, each.id === store.account));
            this.#list.replaceChildren(...rows);
            const { fill_model: model, fill_rule: rule } = accounts.find(({ id }) => id === store.account) ?? {};
            setText(byId("account-fills"), model ? `Fill model: ${model}. ${rule}` : "");
            setText(this.#note, "");
        } catch (error) {
            setText(this.#note, messageOf(error));
        }
    }

    /** @param {import("./trading-desk.js").Account} account @param {boolean} isChosen */
    #row({ id, name = shortName(id), portfolios = [], capital = "", currency = "" }, isChosen) {
        const figures = portfolios.map((each) => formatMoney(each.equity, each.currency)).join(", ");
        const begun = capital && currency ? `initial capital ${formatMoney(capital, currency)}` : "";
        const row = copyOf("account-row");
        const radio = part(row, "input", HTMLInputElement);
        radio.value = id;
        radio.checked = isChosen;
        radio.addEventListener("change", () => this.#onChoose(id));
        part(row, ".account-words").prepend(name);
        part(row, "small").append(figures || begun);
        return row;
    }

    #open() {
        this.#popover.close();
        openDialog({
            title: "New paper account",
            fields: [
                { name: "name", label: "Name", hint: "1 to 32 letters, digits or underscores" },
                { name: "currency", label: "Currency", value: "USD" },
                { name: "capital", label: "Capital", value: "100000", type: "number" },
            ],
            confirm: "Open account",
            act: async ({ name, currency, capital }) => {
                const terms = { name, currency: currency.toUpperCase(), capital: readPositive(capital, "capital") };
                const made = await this.#parts.desk.open(terms);
                this.#onChoose(made.id ?? made.account?.id ?? "");
            },
        });
    }

    #reset() {
        this.#popover.close();
        const name = shortName(this.#parts.store.account);
        openDialog({
            title: `Reset ${name}?`,
            text: "Cancels its working orders, closes its positions and restores its initial capital. Earlier entries stay in the ledger but are no longer shown here.",
            confirm: "Reset account",
            isGrave: true,
            act: () => this.#parts.desk.reset(),
        });
    }
}

/** Live or paper: the part of every id before the first hyphen.
 * @param {string} id */
function modeOf(id) {
    return id.split("-", 1)[0];
}

/** @param {string} account */
function shortName(account) {
    return account.slice(modeOf(account).length + 1);
}
