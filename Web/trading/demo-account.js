import { byId, setText } from "../dom.js";

/** The account that the server opens for the demo. */
const DEMO = "paper-demo";

/**
 * Offers the demo account where the present one is empty, and says of a demo account that it is one and how to empty it.
 *
 * @param {import("./trading.js").Parts} parts
 * @param {(account: string) => void} choose shows another account.
 */
export function showDemo({ store, desk, say, attempt }, choose) {
    const load = byId("demo-load", HTMLButtonElement);
    const show = () => {
        const isDemo = isDemoAccount(store);
        const isKnown = store.known.has("orders") && store.known.has("positions");
        const isEmpty = store.orders.size === 0 && store.fills.size === 0 && store.positions.length === 0;
        byId("demo-offer").hidden = !(isKnown && isEmpty) || isDemo;
        byId("demo-note").hidden = !isDemo;
        const hasOther = store.account !== DEMO && demoAccounts(store).includes(DEMO);
        setText(load, hasOther ? "Show the demo account" : "Load a demo account");
    };
    load.addEventListener("click", async () => {
        load.disabled = true;
        const isThere = demoAccounts(store).includes(DEMO) || (await attempt(desk.loadDemo(DEMO)));
        load.disabled = false;
        if (isThere) {
            store.account === DEMO ? store.reload() : choose(DEMO);
            say("Showing the demo account.");
        }
    });
    byId("demo-reset").addEventListener("click", () => byId("account-reset").click());
    store.addEventListener("change", show);
    show();
}

/** Whether the shown account has the demo's orders.
 * @param {import("./trading-store.js").TradingStore} store */
export function isDemoAccount(store) {
    return demoAccounts(store).includes(store.account);
}

/** @param {import("./trading-store.js").TradingStore} store */
function demoAccounts({ health }) {
    return health?.demo_accounts ?? [];
}
