"""The requests of the clients in the tests of linearizable orders: which ones they choose, how they are sent over HTTP, and what
their answers say, in the form in which the model gives them."""

import itertools
import random
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from order_model import KEEP, error
from order_state import SYMBOLS, Order, Position, rounded

PRICES = [Decimal(price) for price in (98, 99, 100, 101, 102)]
MIDDLE = Decimal(100)
# How often each is chosen.
WEIGHTS = {
    "market": 3, "limit": 7, "repeat": 3, "other": 1, "close": 0.7, "reverse": 1, "bracket": 3, "cancel": 4, "amend": 4,
    "cancel_all": 0.3, "cancel_after": 0.3, "reset": 0.4, "delete": 0.3, "create": 0.1, "get": 5, "active": 2, "all": 1,
    "positions": 3, "portfolio": 2,
}  # fmt: skip
# Each is a switch of its own.
switches = itertools.count(1)


class Knowledge:
    """What the clients of an account know of it."""

    def __init__(self) -> None:
        # Requests with a client order id, also such as are under way.
        self.requests: list[tuple[str, tuple[Any, ...]]] = []
        self.newest = 0
        self.is_open = True

    def learn(self, name: str, answer: Any) -> None:
        if answer[1] == "unknown_account" or (name == "delete" and answer[0] == 200):
            self.is_open = False
        elif name == "create":
            self.is_open = True
        orders = answer[1] if name in ("active", "all") else [answer[1]]
        self.newest = max([self.newest, *(order.number for order in orders if isinstance(order, Order))])


class Choice:
    """Of a client's next request."""

    def __init__(
        self, client: int, pick: random.Random, account: Knowledge, weights: dict[str, float] = WEIGHTS
    ) -> None:
        self._client, self._pick, self._account, self._weights = client, pick, account, weights
        self._made = 0

    def next(self) -> tuple[str, tuple[Any, ...]]:
        pick, account = self._pick, self._account
        if not account.is_open and pick.random() < 0.5:
            return "create", (self._capital(),)
        # The orders of a bracket come after the one that has it.
        number = max(1, account.newest + pick.choice((2, 1, 0, 0, 0, 0, -1, -1, -2, -3, -5, -8)))
        symbol = pick.choice(SYMBOLS)
        (kind,) = pick.choices(list(self._weights), list(self._weights.values()))
        if kind in ("repeat", "other") and not account.requests:
            kind = "limit"
        match kind:
            case "market" | "limit":
                return self._place(kind, symbol)
            case "repeat":
                return pick.choice(account.requests[-6:])
            case "other":
                name, arguments = pick.choice(account.requests[-6:])
                return "place", (arguments[0], "buy", "limit", Decimal(7), Decimal(50), False, symbol, None, None)
            case "close" | "reverse":
                return self._keep(kind, (self._client_order_id(), symbol))
            case "bracket":
                # For a short position some of these are right, too.
                profit, loss = pick.choice((KEEP, None, *PRICES[3:])), pick.choice((None, *PRICES[:2]))
                return "bracket", (symbol, *pick.choice(((profit, loss), (loss, profit), (loss, KEEP))))
            case "amend":
                quantity = pick.choice((None, Decimal(pick.randint(1, 3))))
                price = pick.choice(PRICES) if quantity is None or pick.random() < 0.5 else None
                limit, stop = (price, None) if pick.random() < 0.8 else (None, price)
                return "amend", (number, quantity, limit, pick.choice((None, 1, 2)), stop)
            case "cancel" | "get":
                return kind, (number,)
            case "cancel_all":
                return kind, (pick.choice((None, *SYMBOLS)),)
            case "cancel_after":
                return kind, (pick.choice((0, 1, 1, 1, 2)), next(switches))
            case "reset" | "create":
                return kind, (self._capital(),)
            case "delete":
                return kind, (pick.random() < 0.5,)
            case _:
                return kind, ()

    def _place(self, type: str, symbol: str) -> tuple[str, tuple[Any, ...]]:
        pick = self._pick
        side, quantity = pick.choice(("buy", "sell")), Decimal(pick.randint(1, 3))
        sign = 1 if side == "buy" else -1
        # Most wait for a move of the price.
        limit = None if type == "market" else MIDDLE - sign * pick.choice((-1, 0, 0, 0, 1, 2, 2, 3))
        steps = pick.choice(((None, None), (1, None), (None, -1), (1, -1), (2, -2), (1, -2)))
        bracket = [step and (limit or MIDDLE) + sign * step for step in steps]
        post_only = limit is not None and pick.random() < 0.15
        return self._keep("place", (self._client_order_id(), side, type, quantity, limit, post_only, symbol, *bracket))

    def _capital(self) -> Decimal | None:
        return self._pick.choice((None, Decimal(90_000), Decimal(110_000)))

    def _keep(self, name: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
        self._account.requests.append((name, arguments))
        return name, arguments

    def _client_order_id(self) -> str:
        self._made += 1
        return f"{self._client}-{self._made}"


def http_request(account: str, name: str, arguments: tuple[Any, ...]) -> tuple[str, str, Any]:
    """Method, path and body."""
    query = urlencode({"account": account})
    match name:
        case "place":
            client, side, type, quantity, limit, post_only, symbol, take_profit, stop_loss = arguments
            return "POST", "/v1/orders", named(
                client_order_id=client, symbol=symbol, side=side, type=type, quantity=quantity, limit_price=limit,
                post_only=post_only, take_profit=take_profit, stop_loss=stop_loss, account=account,
            )  # fmt: skip
        case "close" | "reverse":
            client, symbol = arguments
            return "POST", f"/v1/positions/{symbol}/{name}?{query}", {"client_order_id": client}
        case "bracket":
            symbol, take_profit, stop_loss = arguments
            prices = {"take_profit": take_profit, "stop_loss": stop_loss}
            # null removes one.
            body = {field: price and str(price) for field, price in prices.items() if price != KEEP}
            return "POST", f"/v1/positions/{symbol}/bracket?{query}", body
        case "cancel":
            return "DELETE", f"/v1/orders/{account}-o{arguments[0]}", None
        case "cancel_all":
            (symbol,) = arguments
            return "DELETE", f"/v1/orders?{query}" + (f"&symbol={symbol}" if symbol else ""), None
        case "amend":
            number, quantity, limit, version, stop = arguments
            change = named(quantity=quantity, limit_price=limit, version=version, stop_price=stop)
            return "PATCH", f"/v1/orders/{account}-o{number}", change
        case "cancel_after":
            return "POST", "/v1/orders/cancel-after", {"seconds": arguments[0], "account": account}
        case "create":
            return "POST", "/v1/accounts", named(name=account.removeprefix("paper-"), capital=arguments[0])
        case "reset":
            return "POST", f"/v1/accounts/{account}/reset", named(capital=arguments[0])
        case "delete":
            return "DELETE", f"/v1/accounts/{account}" + ("?force=true" if arguments[0] else ""), None
        case "get":
            return "GET", f"/v1/orders/{account}-o{arguments[0]}", None
        case "active" | "all":
            return "GET", f"/v1/orders?status={name}&limit=1000&{query}", None
        case _:
            return "GET", f"/v1/{name}?{query}", None


def named(**fields: Any) -> dict[str, Any]:
    """The fields that have a value; amounts as strings."""
    return {
        name: str(value) if isinstance(value, Decimal) else value for name, value in fields.items() if value is not None
    }


def answer_of(name: str, status: int, document: Any) -> Any:
    """An answer of the server, as the model gives it."""
    if status >= 400:
        return error(status, document["error"]["code"])
    match name:
        case "bracket":
            return status, position_of(document)
        case "positions":
            return status, tuple(sorted(position_of(position) for position in document["positions"]))
        case "portfolio" | "create" | "reset" | "delete":
            (money,) = document["portfolios"]
            capital = Decimal(money["initial_capital"])
            return status, capital, rounded(Decimal(money["realized_pnl"])), rounded(Decimal(money["fees"]))
        case "active" | "all" | "cancel_all":
            orders = sorted((order_of(order) for order in document["orders"]), key=lambda order: -order.number)
            return status, tuple(orders)
        case "cancel_after":
            return status, document["seconds"]
        case _:
            return status, order_of(document)


def decimal(document: dict[str, Any], name: str) -> Decimal | None:
    return Decimal(document[name]) if document.get(name) is not None else None


def order_of(document: dict[str, Any]) -> Order:
    return Order(
        int(document["id"].rsplit("-o", 1)[1]), document["client_order_id"], document["side"], document["type"],
        Decimal(document["quantity"]), decimal(document, "limit_price"), document["post_only"], document["reduce_only"],
        document["symbol"], decimal(document, "take_profit"), decimal(document, "stop_loss"), decimal(document, "stop_price"),
        document.get("oco_group"), document["status"], document["triggered"], Decimal(document["filled_quantity"]),
        decimal(document, "average_fill_price"), document["version"],
    )  # fmt: skip


def position_of(document: dict[str, Any]) -> Position:
    return Position(
        document["symbol"], Decimal(document["size"]) * (1 if document["side"] == "long" else -1),
        rounded(Decimal(document["entry_price"])), decimal(document, "take_profit"), decimal(document, "stop_loss"),
    )  # fmt: skip
