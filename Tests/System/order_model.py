"""A small sequential model of one account's orders: what each request of the trading API answers, and what it changes.

The market has one price, every order that reaches it fills whole (`--fill-model immediate`), and margin is never short. The
rules are those of Docs/trading-api.md and Docs/paper-trading.md. `answer_of` reads the server's answers in the same form.
"""

from decimal import ROUND_HALF_EVEN, ROUND_UP, Decimal
from typing import Any, NamedTuple

from linearizability import Operation

ZERO = Decimal(0)
TAKER, MAKER = Decimal("0.0005"), Decimal("0.0002")
ACTIVE = "new"
READS = frozenset({"get", "active", "all", "position", "portfolio"})


class Order(NamedTuple):
    number: int
    client: str
    side: str
    type: str
    quantity: Decimal
    limit: Decimal | None = None
    post_only: bool = False
    reduce_only: bool = False
    status: str = ACTIVE
    filled: Decimal = ZERO
    average: Decimal | None = None
    version: int = 1

    @property
    def request(self) -> tuple[Any, ...]:
        return self[1:8]

    def __repr__(self) -> str:
        limit = "" if self.limit is None else f" at {self.limit}"
        at = "" if self.average is None else f" at {self.average}"
        flags = " post-only" * self.post_only + " reduce-only" * self.reduce_only
        return (
            f"o{self.number} {self.client!r} {self.side} {self.quantity} {self.type}{limit}{flags}: {self.status}, "
            f"filled {self.filled}{at}, version {self.version}"
        )


class State(NamedTuple):
    price: Decimal
    size: Decimal = ZERO
    cost: Decimal = ZERO
    realized: Decimal = ZERO
    fees: Decimal = ZERO
    # By number; refused ones among them.
    orders: tuple[Order, ...] = ()
    # As it was asked for, since another quantity than the order's has.
    originals: tuple[tuple[Any, ...], ...] = ()


def error(status: int, code: str) -> tuple[int, str]:
    return status, code


def rounded(value: Decimal) -> Decimal:
    """Beyond what rounding may make of a sum in another order."""
    return round(value, 9).normalize()


class OrderModel:
    def __init__(self, price: Decimal) -> None:
        self.first = State(price)

    def only_reads(self, operation: Operation) -> bool:
        return operation.name in READS

    def step(self, state: State, operation: Operation) -> tuple[State, Any]:
        return getattr(self, f"_{operation.name}")(state, *operation.arguments)

    # The market

    def _trade(self, state: State, price: Decimal) -> tuple[State, Any]:
        state = state._replace(price=price)
        waiting = [order for order in state.orders if order.status == ACTIVE and _within(order, price)]
        buys = sorted((order for order in waiting if order.side == "buy"), key=lambda order: (-order.limit, order.number))
        sells = sorted((order for order in waiting if order.side == "sell"), key=lambda order: (order.limit, order.number))
        for order in buys + sells:
            state = _fill(state, order, order.limit, MAKER)
        return state, "traded"

    # Requests

    def _place(
        self, state: State, client: str, side: str, type: str, quantity: Decimal, limit: Decimal | None = None,
        post_only: bool = False, reduce_only: bool = False,
    ) -> tuple[State, Any]:  # fmt: skip
        request = (client, side, type, quantity, limit, post_only, reduce_only)
        if known := _of_client(state, client):
            if state.originals[known.number - 1] != request:
                return state, error(422, "duplicate_client_order_id")
            return state, (200, known)
        order = Order(len(state.orders) + 1, *request)
        state = state._replace(originals=(*state.originals, request))
        crosses = type == "market" or _within(order, state.price)
        if post_only and crosses:
            # It was never accepted, and its number and client order id are used.
            refused = order._replace(status="rejected")
            return state._replace(orders=(*state.orders, refused)), error(422, "would_trade")
        state = state._replace(orders=(*state.orders, order))
        if crosses:
            state = _fill(state, order, state.price, TAKER)
        return state, (201, state.orders[-1])

    def _close(self, state: State, client: str) -> tuple[State, Any]:
        if known := _of_client(state, client):
            # Its size is not compared: the position has another one by now.
            if not known.reduce_only:
                return state, error(422, "duplicate_client_order_id")
            return state, (200, known)
        if not state.size:
            return state, error(404, "unknown_position")
        side = "buy" if state.size < 0 else "sell"
        return self._place(state, client, side, "market", abs(state.size), None, False, True)

    def _cancel(self, state: State, number: int) -> tuple[State, Any]:
        order, refusal = _waiting(state, number)
        if order is None:
            return state, refusal
        state = _changed(state, order._replace(status="cancelled"))
        return state, (200, state.orders[number - 1])

    def _cancel_all(self, state: State) -> tuple[State, Any]:
        cancelled = [order for order in state.orders if order.status == ACTIVE]
        for order in cancelled:
            state = _changed(state, order._replace(status="cancelled"))
        return state, (200, tuple(state.orders[order.number - 1] for order in reversed(cancelled)))

    def _amend(
        self, state: State, number: int, quantity: Decimal | None, limit: Decimal | None, version: int | None
    ) -> tuple[State, Any]:
        order, refusal = _waiting(state, number)
        if order is None:
            return state, refusal
        if version is not None and version != order.version:
            return state, error(409, "version_conflict")
        amended = order._replace(quantity=quantity or order.quantity, limit=limit or order.limit)
        if amended == order:
            return state, (200, order)
        state = _changed(state, amended)
        if _within(amended, state.price) and order.post_only:
            # It comes to the market again.
            state = _changed(state, state.orders[number - 1]._replace(status="rejected"))
        elif _within(amended, state.price):
            state = _fill(state, state.orders[number - 1], state.price, TAKER)
        return state, (200, state.orders[number - 1])

    # Reads

    def _get(self, state: State, number: int) -> tuple[State, Any]:
        if not 0 < number <= len(state.orders):
            return state, error(404, "unknown_order")
        return state, (200, state.orders[number - 1])

    def _active(self, state: State) -> tuple[State, Any]:
        return state, (200, tuple(order for order in reversed(state.orders) if order.status == ACTIVE))

    def _all(self, state: State) -> tuple[State, Any]:
        return state, (200, tuple(reversed(state.orders)))

    def _position(self, state: State) -> tuple[State, Any]:
        if not state.size:
            return state, (200, ZERO, None)
        return state, (200, state.size, rounded(state.cost / state.size))

    def _portfolio(self, state: State) -> tuple[State, Any]:
        return state, (200, rounded(state.realized), rounded(state.fees))


def _of_client(state: State, client: str) -> Order | None:
    return next((order for order in state.orders if order.client == client), None)


def _waiting(state: State, number: int) -> tuple[Order | None, Any]:
    if not 0 < number <= len(state.orders):
        return None, error(404, "unknown_order")
    order = state.orders[number - 1]
    return (order, None) if order.status == ACTIVE else (None, error(409, "order_done"))


def _within(order: Order, price: Decimal) -> bool:
    if order.limit is None:
        return False
    return price <= order.limit if order.side == "buy" else price >= order.limit


def _changed(state: State, order: Order) -> State:
    """Every change of an order gives it the next version."""
    orders, index = state.orders, order.number - 1
    order = order._replace(version=order.version + 1)
    return state._replace(orders=(*orders[:index], order, *orders[index + 1 :]))


def _fill(state: State, order: Order, price: Decimal, fee: Decimal) -> State:
    quantity = order.quantity
    change = quantity if order.side == "buy" else -quantity
    size, cost, realized = state.size, state.cost, state.realized
    if size * change < 0:
        closed = min(abs(size), quantity)
        share = cost if closed == abs(size) else (cost * closed / abs(size)).quantize(Decimal("1e-16"), ROUND_HALF_EVEN)
        sign = 1 if size > 0 else -1
        realized += sign * closed * price - share
        size, cost = size - sign * closed, cost - share
        change += sign * closed
    size, cost = size + change, cost + change * price
    fees = state.fees + (quantity * price * fee).quantize(Decimal("1e-8"), ROUND_UP)
    state = state._replace(size=size, cost=cost, realized=realized, fees=fees)
    return _changed(state, order._replace(status="filled", filled=quantity, average=price))


def answer_of(name: str, status: int, document: Any) -> Any:
    """An answer of the server, as the model gives it."""
    if status >= 400:
        return error(status, document["error"]["code"])
    match name:
        case "position":
            # One market: at most one position.
            for position in document["positions"]:
                size = Decimal(position["size"]) * (1 if position["side"] == "long" else -1)
                return status, size, rounded(Decimal(position["entry_price"]))
            return status, ZERO, None
        case "portfolio":
            (portfolio,) = document["portfolios"]
            return status, rounded(Decimal(portfolio["realized_pnl"])), rounded(Decimal(portfolio["fees"]))
        case "active" | "all" | "cancel_all":
            orders = sorted((order_of(order) for order in document["orders"]), key=lambda order: -order.number)
            return status, tuple(orders)
        case _:
            return status, order_of(document)


def order_of(document: dict[str, Any]) -> Order:
    def decimal(name: str) -> Decimal | None:
        return Decimal(document[name]) if document.get(name) is not None else None

    return Order(
        int(document["id"].rsplit("-o", 1)[1]), document["client_order_id"], document["side"], document["type"],
        Decimal(document["quantity"]), decimal("limit_price"), document["post_only"], document["reduce_only"],
        document["status"], Decimal(document["filled_quantity"]), decimal("average_fill_price"), document["version"],
    )  # fmt: skip
