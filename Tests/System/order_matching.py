"""How the model's orders meet the market, and what follows from their fills.

Every order that reaches its price fills whole (`--fill-model immediate`), and margin is never short. The rules are those of
Docs/paper-trading.md.
"""

from decimal import ROUND_HALF_EVEN, ROUND_UP, Decimal
from typing import Any

from order_state import SYMBOLS, ZERO, Order, State

TAKER, MAKER = Decimal("0.0005"), Decimal("0.0002")


class Matching:
    """An account while a request or a trade changes it. `finish` lets everything that follows happen."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._holdings = list(state.holdings)
        self._realized, self._fees = state.realized, state.fees
        self._orders, self._requests = list(state.orders), list(state.requests)
        self._queue = list(state.queue)
        self._arrivals: list[int] = []

    def finish(self) -> State:
        # More orders may come while these reach the market.
        for number in self._arrivals:
            self._arrive(self._orders[number - self._state.first])
        return self._state._replace(
            holdings=tuple(self._holdings), realized=self._realized, fees=self._fees, orders=tuple(self._orders),
            requests=tuple(self._requests), queue=tuple(self._queue),
        )  # fmt: skip

    # Orders

    def add(self, order: Order, request: tuple[Any, ...] | None = None) -> None:
        self._orders.append(order)
        self._requests.append(request)
        self._arrivals.append(order.number)

    def change(self, order: Order, **fields: Any) -> Order:
        """Every change of an order gives it the next version."""
        order = order._replace(version=order.version + 1, **fields)
        self._orders[order.number - self._state.first] = order
        if not order.is_active:
            self._leave_queue(order.number)
        return order

    def come_again(self, order: Order) -> None:
        """Behind all others at its price."""
        self._leave_queue(order.number)
        self._arrivals.append(order.number)

    def cancel(self, orders: list[Order]) -> None:
        for order in orders:
            self.change(order, status="cancelled")

    def add_legs(
        self, symbol: str, side: str, quantity: Decimal, take_profit: Decimal | None, stop_loss: Decimal | None, group: str
    ) -> None:
        """The limit order and the stop that close what was bought or sold."""
        for type, name, price in (("limit", "take-profit", take_profit), ("stop", "stop-loss", stop_loss)):
            if price is None:
                continue
            number = self._state.first + len(self._orders)
            limit, stop = (price, None) if type == "limit" else (None, price)
            self.add(Order(number, f"~{name}-{number}", side, type, quantity, limit, False, True, symbol, stop=stop, group=group))

    def _leave_queue(self, number: int) -> None:
        if number in self._queue:
            self._queue.remove(number)

    def _active(self, symbol: str) -> list[Order]:
        return [order for order in self._orders if order.is_active and order.symbol == symbol]

    def _waiting(self, symbol: str, side: str, type: str) -> list[Order]:
        """First come first."""
        queued = (self._orders[number - self._state.first] for number in self._queue)
        return [order for order in queued if (order.symbol, order.side, order.type) == (symbol, side, type)]

    # The market

    def trade(self, symbol: str, price: Decimal) -> None:
        index = SYMBOLS.index(symbol)
        self._holdings[index] = self._holdings[index]._replace(price=price)
        # Best price first: a fill may cancel what would have come next.
        for side, sign in (("buy", -1), ("sell", 1)):
            while reached := [order for order in self._waiting(symbol, side, "limit") if order.is_within_limit(price)]:
                order = min(reached, key=lambda order: sign * order.limit)
                self._fill(order, order.limit, MAKER)
        for side, sign in (("buy", 1), ("sell", -1)):
            reached = [order for order in self._waiting(symbol, side, "stop") if order.is_stopped(price)]
            for order in sorted(reached, key=lambda order: sign * order.stop):
                self._trigger(order)

    def _arrive(self, order: Order) -> None:
        price = self._holdings[SYMBOLS.index(order.symbol)].price
        if not order.is_active:
            return
        if not self._fillable(order):
            self.cancel([order])
        elif order.type == "stop" and not order.triggered:
            if order.is_stopped(price):
                self._trigger(order)
            else:
                self._queue.append(order.number)
        elif order.type == "limit" and not order.is_within_limit(price):
            self._queue.append(order.number)
        elif order.post_only:
            self.change(order, status="rejected")
        else:
            self._fill(order, price, TAKER)

    def _trigger(self, order: Order) -> None:
        self._leave_queue(order.number)
        self.change(order, triggered=True)
        self._arrivals.append(order.number)

    # Fills

    def _fillable(self, order: Order) -> Decimal:
        """A reduce-only order closes at most the position."""
        size = self._holdings[SYMBOLS.index(order.symbol)].size
        if not order.reduce_only:
            return order.rest
        return min(order.rest, abs(size)) if (size < 0) == (order.side == "buy") else ZERO

    def _fill(self, order: Order, price: Decimal, fee: Decimal) -> None:
        quantity = self._fillable(order)
        if not quantity:
            self.cancel([order])
            return
        index = SYMBOLS.index(order.symbol)
        before = self._holdings[index].size
        self._book(order, quantity, price, fee)
        filled = order.filled + quantity
        status = "filled" if filled == order.quantity else "partially_filled"
        order = self.change(order, status=status, filled=filled, average=price)
        self._reduce_group(order, quantity)
        # An order that has not come to the market yet may be on the wrong side meanwhile.
        if before * self._holdings[index].size <= 0:
            self._cancel_useless(order.symbol)
        if order.take_profit is not None or order.stop_loss is not None:
            closing = "sell" if order.side == "buy" else "buy"
            self.add_legs(order.symbol, closing, quantity, order.take_profit, order.stop_loss, f"order:{order.number}")
        self._resize_bracket(order.symbol)

    def _book(self, order: Order, quantity: Decimal, price: Decimal, fee: Decimal) -> None:
        index = SYMBOLS.index(order.symbol)
        last, size, cost = self._holdings[index]
        self._fees += (quantity * price * fee).quantize(Decimal("1e-8"), ROUND_UP)
        change = quantity if order.side == "buy" else -quantity
        if size * change < 0:
            closed = min(abs(size), quantity)
            share = cost if closed == abs(size) else (cost * closed / abs(size)).quantize(Decimal("1e-16"), ROUND_HALF_EVEN)
            sign = 1 if size > 0 else -1
            self._realized += sign * closed * price - share
            size, cost = size - sign * closed, cost - share
            change += sign * closed
        self._holdings[index] = self._holdings[index]._replace(size=size + change, cost=cost + change * price)

    def _reduce_group(self, filled: Order, quantity: Decimal) -> None:
        """One order of a group cancels the other."""
        if filled.group is None or not filled.group.startswith("order:"):
            return
        for other in self._active(filled.symbol):
            if other.group != filled.group or other.number == filled.number:
                continue
            if filled.status == "filled" or other.rest <= quantity:
                self.change(other, status="cancelled")
            else:
                self.change(other, quantity=other.quantity - quantity)

    def _cancel_useless(self, symbol: str) -> None:
        """Orders that would close a position that is gone, or is on the other side by now."""
        self.cancel([order for order in self._active(symbol) if not self._fillable(order)])

    def _resize_bracket(self, symbol: str) -> None:
        """The orders that close a whole position stay as large as it is."""
        size = abs(self._holdings[SYMBOLS.index(symbol)].size)
        for order in self._active(symbol):
            if order.group == f"position:{symbol}" and size and order.rest != size:
                self.change(order, quantity=order.filled + size)
