"""A paper desk that a test scripts: REST by Playwright's routes, the stream's channels through the page's
own socket. Prices go on coming from the real server.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from playwright.sync_api import Page, Route

from support.polling import eventually

ACCOUNT = "paper-main"
NOW = 1_795_000_000.0

# The page's socket sends no channel request to the server, so that only the test answers.
SOCKETS = """(() => {
    window.channelsRequested = [];
    window.WebSocket = class extends WebSocket {
        constructor(...all) { super(...all); window.streamSocket = this; }
        send(text) {
            if (typeof text === 'string' && text.includes('"channel"')) window.channelsRequested.push(JSON.parse(text));
            else super.send(text);
        }
    };
})()"""

DELIVER = """messages => {
    for (const message of messages) window.streamSocket.onmessage({ data: JSON.stringify(message) });
}"""

Answer = tuple[int, dict[str, Any]]


def portfolio(**changes: Any) -> dict[str, Any]:
    return {
        "currency": "USD", "equity": "100000", "available_balance": "100000", "used_margin": "0",
        "unrealized_pnl": "0", "realized_pnl": "0", "fees": "0", "initial_capital": "100000", "last_updated": NOW,
    } | changes  # fmt: skip


def position(**changes: Any) -> dict[str, Any]:
    """The worked figures of a long position."""
    return {
        "id": f"{ACCOUNT}-BTC-USD", "account": ACCOUNT, "mode": "paper", "symbol": "BTC-USD", "side": "long",
        "size": "0.05", "entry_price": "65000", "mark_price": "67234.5", "unrealized_pnl": "111.725",
        "unrealized_pnl_percent": "17.1884615384615384", "price_percent": "3.4376923076923077", "leverage": 5,
        "margin": "650", "liquidation_price": "52260.3", "realized_pnl": "0", "currency": "USD",
        "created_at": NOW, "updated_at": NOW,
    } | changes  # fmt: skip


class ScriptedDesk:
    """Keeps orders as the real desk would: each change has a new version and a new place in the ledger."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sequence = 0
        self.orders: dict[str, dict[str, Any]] = {}
        self.fills: list[dict[str, Any]] = []
        self.requests: list[tuple[str, str, dict[str, Any]]] = []
        self.aborts = 0
        self._held: list[dict[str, Any]] | None = None
        self._scripts: dict[tuple[str, str], Callable[[dict[str, Any]], Answer]] = {}
        page.add_init_script(SOCKETS)
        page.route(re.compile(r"/v1/(accounts|orders|positions|portfolio|fills|events)(/|\?|$)"), self._serve)

    # What the stream sends

    def send(self, *messages: dict[str, Any]) -> None:
        if self._held is None:
            self.page.evaluate(DELIVER, list(messages))
        else:
            self._held += messages

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is sent within reaches the page in one piece."""
        self._held = []
        yield
        held, self._held = self._held, None
        self.send(*held)

    def begin(self, **state: Any) -> None:
        """Answers the page's subscriptions: the account as it is."""
        eventually(lambda: len(self.page.evaluate("channelsRequested")) >= 5, "the page requests its channels")
        shown = {
            "orders": {"orders": list(self.orders.values()), "fills": self.fills},
            "positions": {"positions": state.get("positions", [])},
            "portfolio": {"portfolios": state.get("portfolios", [portfolio()])},
            "events": {"events": state.get("events", [])},
            "health": {"feed": {"state": "live"}, "connections": 1, "ledger": "ok"},
        }
        for channel, body in shown.items():
            head = {"channel": channel} | ({} if channel == "health" else {"account": ACCOUNT})
            requested = self.page.evaluate("name => channelsRequested.findLast(each => each.channel === name)", channel)
            self.send(
                {"type": "subscribed", **head, "id": requested.get("id"), "sequence": self.sequence},
                {"type": "snapshot", **head, "sequence": self.sequence, **body},
            )

    def order(self, id: str, **changes: Any) -> dict[str, Any]:
        """An order, new or changed; the stream sends it."""
        made = self.keep(id, **changes)
        self.say("order", "orders", order=made)
        return made

    def keep(self, id: str, **changes: Any) -> dict[str, Any]:
        """The same, without sending it."""
        usual = {
            "id": id, "client_order_id": f"client-{id}", "account": ACCOUNT, "mode": "paper", "symbol": "BTC-USD",
            "side": "buy", "type": "limit", "time_in_force": "gtc", "status": "new", "quantity": "0.5",
            "filled_quantity": "0", "limit_price": "60000", "leverage": 1, "post_only": False, "reduce_only": False,
            "created_at": NOW + len(self.orders), "updated_at": NOW, "version": 0,
        }  # fmt: skip
        before = self.orders.get(id, usual)
        self.orders[id] = {**before, "version": before["version"] + 1, **changes}
        self.sequence += 1
        return self.orders[id]

    def fill(self, order: str, **changes: Any) -> dict[str, Any]:
        self.sequence += 1
        made = {
            "id": f"{ACCOUNT}-f{len(self.fills) + 1}", "order_id": order, "symbol": "BTC-USD", "side": "buy",
            "price": "60000", "quantity": "0.2", "fee": "6", "fee_currency": "USD", "liquidity": "taker",
            "realized_pnl": "0", "timestamp": NOW + len(self.fills),
            "receipt": {
                "model": "volume 25%", "trade_price": "59990.5", "trade_volume": "0.8", "trade_time": NOW,
                "trade_used": "0.2", "slippage": "0", "latency": 0,
                "rule": "A trade below the limit filled it, up to a quarter of the trade.",
            },
        } | changes  # fmt: skip
        self.fills.append(made)
        self.say("fill", "orders", fill=made)
        return made

    def say(self, type: str, channel: str, **body: Any) -> None:
        self.send({"type": type, "channel": channel, "account": ACCOUNT, "sequence": self.sequence, **body})

    # What the page requests

    def answer(self, method: str, path: str, script: Callable[[dict[str, Any]], Answer]) -> None:
        """How a request is answered; `path` without `/v1/`."""
        self._scripts[(method, path)] = script

    def requests_to(self, method: str, path: str) -> list[dict[str, Any]]:
        """Bodies of the requests of a kind, in their order; of a GET or DELETE the query."""
        # Playwright handles requests only while a call to it runs.
        self.page.evaluate("0")
        return self.counted(method, path)

    def counted(self, method: str, path: str) -> list[dict[str, Any]]:
        """The same inside an answer."""
        return [body for each, where, body in self.requests if (each, where) == (method, path)]

    def _serve(self, route: Route) -> None:
        request = route.request
        address = urlsplit(request.url)
        path = unquote(address.path.removeprefix("/v1/"))
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        body = json.loads(request.post_data) if request.post_data else query
        self.requests.append((request.method, path, body))
        script = self._scripts.get((request.method, path)) or self._usual(request.method, path)
        status, document = script(body)
        if self.aborts > 0:
            # The desk carried the request out; its answer is lost on the way.
            self.aborts -= 1
            route.abort("connectionreset")
            return
        route.fulfill(status=status, json=document)

    def _usual(self, method: str, path: str) -> Callable[[dict[str, Any]], Answer]:
        [what, *rest] = path.split("/")
        if (method, path) == ("POST", "orders/preview"):
            return self._preview
        if (method, path) == ("POST", "orders"):
            return self._place
        if what == "orders" and rest:
            return lambda body: self._change(method, rest[0], body)
        if (method, what) == ("DELETE", "orders"):
            return self._cancel_all
        lists = {"fills": {"fills": []}, "events": {"events": []}, "portfolio": {"points": []},
                 "accounts": {"accounts": [{"id": ACCOUNT, "name": "main"}]}}  # fmt: skip
        return lambda _: (200, lists.get(what, {}))

    def _preview(self, body: dict[str, Any]) -> Answer:
        # Whole figures, so that a test can do the sum: the order costs 1000 for each unit, and its margin is its part.
        cost = Decimal(body["quantity"]) * 1000
        margin = cost / body["leverage"]
        return 200, {
            "cost": f"{cost}", "margin": f"{margin}", "fee": "0", "estimated_price": "1000", "liquidation_price": "800",
            "available_after": f"{100000 - margin}", "currency": "USD", "problems": [],
        }  # fmt: skip

    def _place(self, body: dict[str, Any]) -> Answer:
        known = next((each for each in self.orders.values() if each["client_order_id"] == body["client_order_id"]), None)
        if known:
            return 200, known
        return 201, self.keep(f"{ACCOUNT}-o{len(self.orders) + 1}", **body)

    def _change(self, method: str, id: str, body: dict[str, Any]) -> Answer:
        if method == "PATCH":
            body = {name: value for name, value in body.items() if name != "version"}
            return 200, self.keep(id, **body)
        if method == "DELETE":
            return 200, self.keep(id, status="cancelled")
        return 200, self.orders[id]

    def _cancel_all(self, query: dict[str, Any]) -> Answer:
        active = [each for each in self.orders.values() if each["status"] in ("new", "partially_filled")]
        return 200, {"orders": [self.keep(each["id"], status="cancelled") for each in active]}
