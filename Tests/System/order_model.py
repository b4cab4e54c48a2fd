"""A small sequential model of one account: what each request of the trading API answers, and what it changes.

Beside the requests it has what happens without one: a market trades (`trade`), a dead man's switch goes off (`switch_due`), the
server starts again (`restart`). The rules are those of Docs/trading-api.md and Docs/paper-trading.md.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from linearizability import Operation
from order_matching import Matching
from order_state import CAPITAL, SYMBOLS, ZERO, Holding, Order, State, rounded

READS = frozenset({"get", "active", "all", "positions", "portfolio"})
# They do not need the account, or make it.
WITHOUT_ACCOUNT = frozenset({"trade", "switch_due", "restart", "create"})
# A price of a bracket that is not named.
KEEP = "keep"


def error(status: int, code: str) -> tuple[int, str]:
    return status, code


class OrderModel:
    matching = Matching

    def __init__(self, prices: Sequence[Decimal] = (Decimal(100), Decimal(100))) -> None:
        self.first = State(tuple(Holding(price) for price in prices))

    def only_reads(self, operation: Operation) -> bool:
        # What is refused changes nothing, except an order that used up its number.
        answer = operation.answer
        is_refused = isinstance(answer, tuple) and isinstance(answer[1], str) and answer[1] != "would_trade"
        return operation.name in READS or is_refused

    def step(self, state: State, operation: Operation) -> tuple[State, Any]:
        if not state.is_open and operation.name not in WITHOUT_ACCOUNT:
            return state, error(404, "unknown_account")
        return getattr(self, f"_{operation.name}")(state, *operation.arguments)

    # What happens by itself

    def _trade(self, state: State, price: Decimal, symbol: str = SYMBOLS[0]) -> tuple[State, Any]:
        matching = self.matching(state)
        matching.trade(symbol, price)
        return matching.finish(), "traded"

    def _switch_due(self, state: State, switch: int) -> tuple[State, Any]:
        """A switch that was set again, switched off or deleted with its account no longer does anything."""
        if state.switch == switch:
            state = self._without_orders(state, None)[0]._replace(switch=None, gone_off=switch)
        return state, "due"

    def _switch_due_again(self, state: State, switch: int) -> tuple[State, Any]:
        """It went off just before the server was killed, and that it is off was not on disk."""
        return (self._without_orders(state, None)[0] if state.gone_off == switch else state), "due"

    def _restart(self, state: State) -> tuple[State, Any]:
        # Orders that wait at the same price are then in the order of their numbers.
        return state._replace(queue=tuple(sorted(state.queue))), "started"

    # Orders

    def _place(
        self, state: State, client: str, side: str, type: str, quantity: Decimal, limit: Decimal | None = None,
        post_only: bool = False, symbol: str = SYMBOLS[0], take_profit: Decimal | None = None, stop_loss: Decimal | None = None,
    ) -> tuple[State, Any]:  # fmt: skip
        request = (client, side, type, quantity, limit, post_only, False, symbol, take_profit, stop_loss)
        if known := state.of_client(client):
            if state.requests[known.number - state.first] != request:
                return state, error(422, "duplicate_client_order_id")
            return state, (200, known)
        order = Order(state.next, *request)
        price = state.holding(symbol).price
        if not _fits(side == "buy", take_profit, stop_loss, limit or price):
            return state, error(422, "invalid_field")
        if post_only and order.is_within_limit(price):
            # It was never accepted, and its number and client order id are used.
            refused = order._replace(status="rejected")
            state = state._replace(orders=(*state.orders, refused), requests=(*state.requests, request))
            return state, error(422, "would_trade")
        return self._accept(state, order, request)

    def _accept(self, state: State, order: Order, request: tuple[Any, ...]) -> tuple[State, Any]:
        matching = self.matching(state)
        matching.add(order, request)
        state = matching.finish()
        return state, (201, state.order(order.number))

    def _cancel(self, state: State, number: int) -> tuple[State, Any]:
        order, refusal = _find_active(state, number)
        if order is None:
            return state, refusal
        matching = self.matching(state)
        matching.cancel([order])
        state = matching.finish()
        return state, (200, state.order(number))

    def _cancel_all(self, state: State, symbol: str | None) -> tuple[State, Any]:
        state, cancelled = self._without_orders(state, symbol)
        return state, (200, tuple(state.order(order.number) for order in reversed(cancelled)))

    def _without_orders(self, state: State, symbol: str | None) -> tuple[State, list[Order]]:
        matching = self.matching(state)
        cancelled = state.active(symbol)
        matching.cancel(cancelled)
        return matching.finish(), cancelled

    def _amend(
        self, state: State, number: int, quantity: Decimal | None, limit: Decimal | None, version: int | None,
        stop: Decimal | None = None,
    ) -> tuple[State, Any]:  # fmt: skip
        order, refusal = _find_active(state, number)
        if order is None:
            return state, refusal
        if version is not None and version != order.version:
            return state, error(409, "version_conflict")
        amended = order._replace(quantity=quantity or order.quantity, limit=limit or order.limit, stop=stop or order.stop)
        if amended == order:
            return state, (200, order)
        if (limit if order.type == "stop" else stop) is not None:
            return state, error(422, "invalid_field")
        matching = self.matching(state)
        changed = matching.change(order, quantity=amended.quantity, limit=amended.limit, stop=amended.stop)
        if amended.quantity > order.quantity or (amended.limit, amended.stop) != (order.limit, order.stop):
            matching.come_again(changed)
        state = matching.finish()
        return state, (200, state.order(number))

    # Positions

    def _close(self, state: State, client: str, symbol: str = SYMBOLS[0]) -> tuple[State, Any]:
        return self._trade_against(state, client, symbol, 1, True)

    def _reverse(self, state: State, client: str, symbol: str = SYMBOLS[0]) -> tuple[State, Any]:
        return self._trade_against(state, client, symbol, 2, False)

    def _trade_against(
        self, state: State, client: str, symbol: str, times: int, reduce_only: bool
    ) -> tuple[State, Any]:
        if known := state.of_client(client):
            # Its size is not compared: the position has another one by now.
            if (known.symbol, known.type, known.reduce_only) != (symbol, "market", reduce_only):
                return state, error(422, "duplicate_client_order_id")
            return state, (200, known)
        size = state.holding(symbol).size
        if not size:
            return state, error(404, "unknown_position")
        side = "buy" if size < 0 else "sell"
        request = (client, side, "market", times * abs(size), None, False, reduce_only, symbol, None, None)
        return self._accept(state, Order(state.next, *request), request)

    def _bracket(
        self, state: State, symbol: str, take_profit: Decimal | str | None, stop_loss: Decimal | str | None
    ) -> tuple[State, Any]:
        position = state.position(symbol)
        if position is None:
            return state, error(404, "unknown_position")
        profit = position.take_profit if take_profit == KEEP else take_profit
        loss = position.stop_loss if stop_loss == KEEP else stop_loss
        if not _fits(position.size > 0, profit, loss, state.holding(symbol).price):
            return state, error(422, "invalid_field")
        matching = self.matching(state)
        matching.cancel([order for order in state.active(symbol) if order.reduce_only and order.group])
        side = "sell" if position.size > 0 else "buy"
        matching.add_legs(symbol, side, abs(position.size), profit, loss, f"position:{symbol}")
        state = matching.finish()
        return state, (200, state.position(symbol))

    # The account

    def _create(self, state: State, capital: Decimal | None) -> tuple[State, Any]:
        if state.is_open:
            return state, error(409, "account_exists")
        state = state._replace(capital=capital or CAPITAL, is_open=True)
        return state, (201, *_money(state))

    def _reset(self, state: State, capital: Decimal | None) -> tuple[State, Any]:
        state = state.without_trading(capital or state.capital)
        return state, (200, *_money(state))

    def _delete(self, state: State, is_forced: bool) -> tuple[State, Any]:
        if not is_forced and (state.active() or any(holding.size for holding in state.holdings)):
            return state, error(409, "account_in_use")
        answer = (200, *_money(state))
        return state.without_trading(ZERO, switch=None, gone_off=None, is_open=False), answer

    def _cancel_after(self, state: State, seconds: int, switch: int) -> tuple[State, Any]:
        return state._replace(switch=switch if seconds else None, gone_off=None), (200, seconds)

    # Reads

    def _get(self, state: State, number: int) -> tuple[State, Any]:
        order = state.order(number)
        return state, error(404, "unknown_order") if order is None else (200, order)

    def _active(self, state: State) -> tuple[State, Any]:
        return state, (200, tuple(reversed(state.active())))

    def _all(self, state: State) -> tuple[State, Any]:
        return state, (200, tuple(reversed(state.orders)))

    def _positions(self, state: State) -> tuple[State, Any]:
        positions = (state.position(symbol) for symbol in SYMBOLS)
        return state, (200, tuple(position for position in positions if position))

    def _portfolio(self, state: State) -> tuple[State, Any]:
        return state, (200, *_money(state))


def _find_active(state: State, number: int) -> tuple[Order | None, Any]:
    order = state.order(number)
    if order is None:
        return None, error(404, "unknown_order")
    return (order, None) if order.is_active else (None, error(409, "order_done"))


def _fits(is_long: bool, take_profit: Decimal | None, stop_loss: Decimal | None, price: Decimal) -> bool:
    """Whether a bracket's prices are on the right sides."""
    above, below = (take_profit, stop_loss) if is_long else (stop_loss, take_profit)
    return (above is None or above > price) and (below is None or below < price)


def _money(state: State) -> tuple[Decimal, Decimal, Decimal]:
    return state.capital, rounded(state.realized), rounded(state.fees)
