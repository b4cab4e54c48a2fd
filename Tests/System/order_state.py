"""What the model of an account has: its orders, its money and its position in each market. All of it is immutable."""

from decimal import Decimal
from typing import Any, NamedTuple

ZERO = Decimal(0)
SYMBOLS = ("BTC-USD", "ETH-USD")
CAPITAL = Decimal(100_000)
ACTIVE = "new"


class Order(NamedTuple):
    number: int
    client: str
    side: str
    type: str
    quantity: Decimal
    limit: Decimal | None = None
    post_only: bool = False
    reduce_only: bool = False
    symbol: str = SYMBOLS[0]
    take_profit: Decimal | None = None
    stop_loss: Decimal | None = None
    stop: Decimal | None = None
    # Of the orders that close a position: those of one order, or of the position.
    group: str | None = None
    status: str = ACTIVE
    triggered: bool = False
    filled: Decimal = ZERO
    average: Decimal | None = None
    version: int = 1

    @property
    def is_active(self) -> bool:
        return self.status in (ACTIVE, "partially_filled")

    @property
    def rest(self) -> Decimal:
        return self.quantity - self.filled

    def is_within_limit(self, price: Decimal) -> bool:
        if self.limit is None:
            return False
        return price <= self.limit if self.side == "buy" else price >= self.limit

    def is_stopped(self, price: Decimal) -> bool:
        if self.stop is None:
            return False
        return price >= self.stop if self.side == "buy" else price <= self.stop

    def __repr__(self) -> str:
        market = "" if self.symbol == SYMBOLS[0] else f" {self.symbol}"
        prices = {" at ": self.limit, " stop ": self.stop, " take profit ": self.take_profit, " stop loss ": self.stop_loss}
        terms = "".join(f"{word}{price}" for word, price in prices.items() if price is not None)
        flags = " post-only" * self.post_only + " reduce-only" * self.reduce_only + " triggered" * self.triggered
        group = f" of {self.group}" if self.group else ""
        at = "" if self.average is None else f" at {self.average}"
        return (
            f"o{self.number} {self.client!r} {self.side} {self.quantity} {self.type}{market}{terms}{flags}{group}: "
            f"{self.status}, filled {self.filled}{at}, version {self.version}"
        )


class Holding(NamedTuple):
    """A market's last price, and the position in it: below 0 short."""

    price: Decimal
    size: Decimal = ZERO
    cost: Decimal = ZERO


class Position(NamedTuple):
    """As it is shown."""

    symbol: str
    size: Decimal
    entry: Decimal
    take_profit: Decimal | None = None
    stop_loss: Decimal | None = None


class State(NamedTuple):
    # By market.
    holdings: tuple[Holding, ...]
    capital: Decimal = CAPITAL
    realized: Decimal = ZERO
    fees: Decimal = ZERO
    # The number of the first order since the account was opened or reset.
    first: int = 1
    # By number; refused ones among them.
    orders: tuple[Order, ...] = ()
    # What each order was requested as, since it may have changed; None: the exchange made it.
    requests: tuple[tuple[Any, ...] | None, ...] = ()
    # Numbers of the orders that wait for their price, first come first.
    queue: tuple[int, ...] = ()
    # The dead man's switch that is on, and the last one that went off.
    switch: int | None = None
    gone_off: int | None = None
    is_open: bool = True

    @property
    def next(self) -> int:
        return self.first + len(self.orders)

    def holding(self, symbol: str) -> Holding:
        return self.holdings[SYMBOLS.index(symbol)]

    def order(self, number: int) -> Order | None:
        return self.orders[number - self.first] if self.first <= number < self.next else None

    def active(self, symbol: str | None = None) -> list[Order]:
        return [order for order in self.orders if order.is_active and symbol in (None, order.symbol)]

    def of_client(self, client: str) -> Order | None:
        return next((order for order in self.orders if order.client == client), None)

    def position(self, symbol: str) -> Position | None:
        _, size, cost = self.holding(symbol)
        if not size:
            return None
        is_long = size > 0
        closing = [order for order in self.active(symbol) if order.reduce_only and (order.side == "sell") == is_long]
        profits = [order.limit for order in closing if order.limit is not None]
        losses = [order.stop for order in closing if order.stop is not None]
        # The nearest.
        take_profit = (min if is_long else max)(profits, default=None)
        stop_loss = (max if is_long else min)(losses, default=None)
        return Position(symbol, size, rounded(cost / size), take_profit, stop_loss)

    def without_trading(self, capital: Decimal, **more: Any) -> "State":
        """Without orders and positions; the numbers of orders go on, and what the markets trade at stays."""
        holdings = tuple(Holding(holding.price) for holding in self.holdings)
        return State(holdings, capital, first=self.next, switch=self.switch, gone_off=self.gone_off)._replace(**more)


def rounded(value: Decimal) -> Decimal:
    """Beyond what rounding may make of a sum in another order."""
    return round(value, 9).normalize()
