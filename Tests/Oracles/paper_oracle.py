"""A paper account computed a second time, from a recording's raw trades and the orders that were requested.

Nothing here is the exchange's code, and nothing of its results is used: not a fill, not a profit. Prices and quantities
are the venue's own text as `Decimal`; what has to be divided or rounded is done with whole numbers. The rules are those of
Docs/paper-trading.md:

- A trade first meets the orders that take from each trade, in the order they came; then the waiting limit orders, buyers
  before sellers, by price and then by time, which are filled at their limit; then trailing stops, and the other stops by
  price and time. Orders that are triggered, or made by a fill, come to the market after that.
- Of a trade's volume a share can be had, rounded down to 8 decimals; what one fill took is not there for the next.
- Who comes to the market pays slippage, rounded up to 8 decimals, but no more than his limit, and the taker's fee; who
  waited pays neither slippage nor more than the maker's fee. Fees are rounded up to 8 decimals.
- A fill of an order with a take-profit or stop-loss makes, or enlarges, the two orders that close it; what one of them
  fills is taken off the other.
- A position is its size and what that cost. A part leaves with its share of the cost, to 16 decimals half-even.

`Rules` can be bent, one at a time, to show that the comparison notices.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Context,
    Decimal,
    Inexact,
    localcontext,
)
from typing import Any

from candle_oracle import Trade

# Sums and products are exact, or an error; only what is rounded on purpose is rounded.
EXACT = Context(prec=200, traps=[Inexact])
ZERO = Decimal(0)
PLACES = 16
AMOUNT = 8


def rounded(value: Decimal, places: int, rounding: str) -> Decimal:
    with localcontext(EXACT) as context:
        context.traps[Inexact] = False
        return value.quantize(Decimal(1).scaleb(-places), rounding)


def quotient(value: Decimal, divisor: Decimal, places: int = PLACES, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    """Rounded once, by whole numbers: a quotient of many digits rounded again could end beside the right one."""
    n, d = value.as_integer_ratio(), divisor.as_integer_ratio()
    top, bottom = n[0] * d[1] * 10**places, n[1] * d[0]
    if bottom < 0:
        top, bottom = -top, -bottom
    whole, rest = divmod(abs(top), bottom)
    up = {
        ROUND_UP: rest > 0,
        ROUND_DOWN: False,
        ROUND_HALF_EVEN: 2 * rest > bottom or (2 * rest == bottom and whole % 2 == 1),
        ROUND_HALF_UP: 2 * rest >= bottom,
    }[rounding]
    with localcontext(EXACT):
        return Decimal((whole + up) * (-1 if top < 0 else 1)).scaleb(-places)


def product(a: Decimal, b: Decimal, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    return rounded(a * b, PLACES, rounding)


@dataclass(frozen=True)
class Rules:
    participation: Decimal
    maker_fee: Decimal
    taker_fee: Decimal
    basis_points: Decimal
    latency: float
    maintenance: Decimal

    # What a wrong exchange would do.
    fills_the_same_volume_twice: bool = False
    ignores_participation: bool = False
    fills_limits_at_the_trade: bool = False
    fills_limits_only_beyond: bool = False
    slips_makers: bool = False
    slips_beyond_limits: bool = False
    slips_in_favour: bool = False
    takes_makers_for_takers: bool = False
    rounds_fees_down: bool = False
    forgets_latency: bool = False
    forgets_time_priority: bool = False
    keeps_both_ends_of_a_bracket: bool = False
    lets_brackets_open_positions: bool = False
    trails_without_the_best: bool = False
    triggers_stops_beyond: bool = False
    averages_in_floats: bool = False
    forgets_fees: bool = False
    lets_ioc_wait: bool = False
    fills_fok_in_part: bool = False
    takes_post_only: bool = False
    keeps_priority_when_amended: bool = False
    marks_at_the_entry: bool = False
    waits_for_volumes: bool = False
    uses_volume_that_is_not_there: bool = False

    @classmethod
    def of(cls, document: dict[str, Any]) -> "Rules":
        assert document["fill_model"] == "volume"
        return cls(
            Decimal(document["participation"]), Decimal(document["maker_fee"]), Decimal(document["taker_fee"]),
            Decimal(document["slippage_basis_points"]), float(document["latency"]),
            Decimal(document["maintenance_rate"]),
        )  # fmt: skip

    def mutants(self) -> Iterator[tuple[str, "Rules"]]:
        for one in fields(self):
            if one.type == "bool" or one.type is bool:
                yield one.name, replace(self, **{one.name: True})


@dataclass
class Order:
    number: int
    symbol: str
    side: str
    type: str
    tif: str
    quantity: Decimal
    limit: Decimal | None = None
    stop: Decimal | None = None
    trail: dict[str, Decimal] | None = None
    post_only: bool = False
    reduce_only: bool = False
    take_profit: Decimal | None = None
    stop_loss: Decimal | None = None
    group: str | None = None
    reference: Decimal = ZERO
    status: str = "new"
    filled: Decimal = ZERO
    cost: Decimal = ZERO
    best: Decimal | None = None
    triggered: bool = False
    latency: float = 0.0
    ticket: int = 0
    """Its place among those that wait; 0 where it does not."""

    @property
    def is_active(self) -> bool:
        return self.status in ("new", "partially_filled")

    @property
    def rest(self) -> Decimal:
        return self.quantity - self.filled

    @property
    def buys(self) -> bool:
        return self.side == "buy"

    @property
    def working_limit(self) -> Decimal | None:
        return self.limit if self.type in ("limit", "stop_limit") else None

    @property
    def has_trigger(self) -> bool:
        return self.type in ("stop", "stop_limit", "trailing_stop")


@dataclass
class Holding:
    currency: str
    leverage: int = 1
    size: Decimal = ZERO
    cost: Decimal = ZERO
    realized: Decimal = ZERO

    @property
    def margin(self) -> Decimal:
        return quotient(abs(self.cost), Decimal(self.leverage), rounding=ROUND_UP)

    def unrealized(self, mark: Decimal) -> Decimal:
        return product(self.size, mark) - self.cost if self.size else ZERO


@dataclass
class Market:
    price: Decimal = ZERO
    volume: Decimal = ZERO
    time: float = 0.0
    used: Decimal = ZERO
    has_volumes: bool = False
    """From the first trade with one on: until then all of an order is filled at once."""
    takers: list[Order] = field(default_factory=list)
    """Those that take from each trade, first come first."""


@dataclass
class Balance:
    capital: Decimal
    realized: Decimal = ZERO
    fees: Decimal = ZERO


class Account:
    """One account's orders, fills and money."""

    def __init__(self, rules: Rules, capital: dict[str, Decimal], currencies: dict[str, str]) -> None:
        self.rules = rules
        self.currencies = currencies
        self.balances = {currency: Balance(amount) for currency, amount in capital.items()}
        self.markets: dict[str, Market] = {}
        self.holdings: dict[str, Holding] = {}
        self.orders: list[Order] = []
        self.fills: list[dict[str, Any]] = []
        self.clock = 0.0
        self.flying: list[tuple[float, Order]] = []
        self.arrivals: list[Order] = []
        self.tickets = 0

    # MARK: What comes from outside

    def trade(self, symbol: str, price: Decimal, volume: Decimal, time: float, now: float) -> None:
        self.advance(now)
        market = self.markets.setdefault(symbol, Market())
        market.price, market.volume, market.time, market.used = price, volume, time, ZERO
        market.has_volumes |= volume > 0
        self._serve_takers(symbol, market)
        self._serve_limits(symbol, market)
        self._serve_trails(symbol, market)
        self._serve_stops(symbol, market)
        self._settle()
        self._check_margin(symbol)

    def advance(self, now: float) -> None:
        while self.flying and min(due for due, _ in self.flying) <= now:
            due, order = min(self.flying, key=lambda one: (one[0], one[1].number))
            self.flying.remove((due, order))
            self.clock = max(self.clock, due)
            self.arrivals.append(order)
            self._settle()
        self.clock = max(self.clock, now)

    def place(self, request: dict[str, Any], now: float) -> tuple[Order | None, str | None]:
        """The order, and where it is refused the field that is to blame."""
        self.advance(now)
        order = self._order(request)
        market = self.markets.get(order.symbol, Market())
        order.reference = self._reference(order, market)
        refused = self._refusal(order, market)
        if refused in ("take_profit", "stop_loss"):
            return None, refused
        order.number = len(self.orders) + 1
        self.orders.append(order)
        if refused:
            order.status = "rejected"
            return order, refused
        holding = self.holdings.setdefault(order.symbol, Holding(self.currencies[order.symbol]))
        holding.leverage = int(request["leverage"])
        if self.rules.latency and not self.rules.forgets_latency:
            order.latency = self.rules.latency
            self.flying.append((self.clock + order.latency, order))
            if order.type == "trailing_stop":
                self._follow(order, market.price)
        else:
            self.arrivals.append(order)
        self._settle()
        return order, None

    def amend(self, number: int, limit: Decimal, now: float) -> None:
        self.advance(now)
        order = self.orders[number - 1]
        assert order.is_active
        if order.limit == limit:
            return
        order.limit = order.reference = limit
        market = self.markets[order.symbol]
        if order.ticket or order in market.takers:
            if self.rules.keeps_priority_when_amended and order.ticket:
                return
            order.ticket = 0
            market.takers = [one for one in market.takers if one is not order]
            self.arrivals.append(order)
        self._settle()

    def cancel(self, number: int, now: float) -> None:
        self.advance(now)
        order = self.orders[number - 1]
        assert order.is_active
        order.status = "cancelled"

    def _order(self, request: dict[str, Any]) -> Order:
        def decimal(name: str) -> Decimal | None:
            return Decimal(request[name]) if request.get(name) is not None else None

        trail = request.get("trail")
        quantity = decimal("quantity")
        assert quantity is not None and request.get("oco_group") is None
        return Order(
            0, request["symbol"], request["side"], request["type"], request["time_in_force"], quantity,
            decimal("limit_price"), decimal("stop_price"),
            {name: Decimal(value) for name, value in trail.items()} if trail else None,
            request["post_only"], request["reduce_only"], decimal("take_profit"), decimal("stop_loss"),
        )  # fmt: skip

    def _reference(self, order: Order, market: Market) -> Decimal:
        """The price that margin is held at."""
        if order.working_limit is not None:
            return order.working_limit
        if order.type == "stop":
            assert order.stop is not None
            return order.stop
        if order.type == "trailing_stop":
            return self._trailing_stop(order, market.price)
        return self._slipped(order, market.price, None)

    def _refusal(self, order: Order, market: Market) -> str | None:
        sign = 1 if order.buys else -1
        if order.take_profit is not None and sign * order.take_profit <= sign * order.reference:
            return "take_profit"
        if order.stop_loss is not None and sign * order.stop_loss >= sign * order.reference:
            return "stop_loss"
        if order.post_only and order.limit is not None and self._is_within(order.limit, market.price, order):
            return "post_only"
        size = self.holdings[order.symbol].size if order.symbol in self.holdings else ZERO
        if order.reduce_only and (size == 0 or (size < 0) != order.buys):
            return "reduce_only"
        return None

    # MARK: A trade meets those that wait

    def _serve_takers(self, symbol: str, market: Market) -> None:
        takers, market.takers = market.takers, []
        for order in takers:
            if not order.is_active:
                continue
            limit = order.working_limit
            if limit is not None and not self._is_within(limit, market.price, order):
                self._wait(order)
                continue
            self._take(order)
            if order.is_active:
                market.takers.append(order)

    def _waiting(self, symbol: str, side: str, triggers: bool) -> list[Order]:
        return [
            order
            for order in self.orders
            if order.ticket and order.is_active and order.symbol == symbol and order.side == side
            and (order.has_trigger and not order.triggered) == triggers
        ]  # fmt: skip

    def _serve_limits(self, symbol: str, market: Market) -> None:
        for side, sign in (("buy", -1), ("sell", 1)):
            direction = -1 if self.rules.forgets_time_priority else 1
            queue = self._waiting(symbol, side, False)
            queue.sort(key=lambda one: (sign * (one.working_limit or 0), direction * one.ticket))
            for order in queue:
                limit = order.working_limit
                assert limit is not None
                reaches = self._is_within(limit, market.price, order)
                if self.rules.fills_limits_only_beyond:
                    reaches = reaches and limit != market.price
                if self._left(market) <= 0 or not reaches:
                    break
                quantity = min(self._reducible(order), self._left(market))
                if quantity > 0:
                    price, slippage = limit, ZERO
                    if self.rules.fills_limits_at_the_trade:
                        price = market.price
                    if self.rules.slips_makers:
                        price = self._slipped(order, limit, None)
                        slippage = abs(price - limit)
                    self._fill(order, quantity, price, slippage, "maker")
                if order.is_active and order.rest > 0 and self._reducible(order) <= 0:
                    order.status = "cancelled"

    def _serve_trails(self, symbol: str, market: Market) -> None:
        # Only those that have come to the market trail it with each trade.
        for order in sorted(self.orders, key=lambda one: one.ticket):
            if order.type != "trailing_stop" or not order.ticket or order.symbol != symbol or not order.is_active:
                continue
            if order.stop is not None and self._is_touched(order.stop, market.price, order):
                self._trigger(order)
            else:
                self._follow(order, market.price)

    def _serve_stops(self, symbol: str, market: Market) -> None:
        for side, sign in (("buy", 1), ("sell", -1)):
            queue = [one for one in self._waiting(symbol, side, True) if one.type != "trailing_stop"]
            for order in sorted(queue, key=lambda one: (sign * (one.stop or 0), one.ticket)):
                assert order.stop is not None
                if self._is_touched(order.stop, market.price, order):
                    self._trigger(order)

    def _trigger(self, order: Order) -> None:
        order.triggered, order.ticket = True, 0
        self.arrivals.append(order)

    def _follow(self, order: Order, price: Decimal) -> None:
        better = order.best is None or (price < order.best if order.buys else price > order.best)
        if not better and not self.rules.trails_without_the_best:
            return
        order.best = price
        stop = self._trailing_stop(order, price)
        if order.stop is None or self.rules.trails_without_the_best or (
            stop < order.stop if order.buys else stop > order.stop
        ):  # fmt: skip
            order.stop = order.reference = stop

    @staticmethod
    def _trailing_stop(order: Order, best: Decimal) -> Decimal:
        assert order.trail is not None
        distance = order.trail.get("amount")
        if distance is None:
            distance = quotient(best * order.trail["percent"], Decimal(100))
        stop = best + distance if order.buys else best - distance
        return rounded(stop, AMOUNT, ROUND_FLOOR if order.buys else ROUND_CEILING)

    # MARK: An order comes to the market

    def _settle(self) -> None:
        while self.arrivals:
            self._arrive(self.arrivals.pop(0))

    def _arrive(self, order: Order) -> None:
        if not order.is_active:
            return
        if order.reduce_only and self._reducible(order) <= 0:
            order.status = "cancelled"
            return
        market = self.markets[order.symbol]
        limit = order.working_limit
        if order.has_trigger and not order.triggered:
            if order.type == "trailing_stop":
                self._wait(order)
                self._follow(order, market.price)
            elif order.stop is not None and self._is_touched(order.stop, market.price, order):
                self._trigger(order)
            else:
                self._wait(order)
            return
        whole = self.rules.fills_fok_in_part or min(self._reducible(order), self._left(market)) == order.rest
        if limit is None or self._is_within(limit, market.price, order):
            if limit is not None and order.post_only and order.status == "new" and not self.rules.takes_post_only:
                order.status = "rejected"
            elif order.tif == "fok" and not whole:
                order.status = "cancelled"
            else:
                self._take(order)
                if order.is_active and order.tif in ("ioc", "fok") and not self.rules.lets_ioc_wait:
                    order.status = "cancelled"
                elif order.is_active:
                    market.takers.append(order)
        elif order.tif in ("ioc", "fok") and not self.rules.lets_ioc_wait:
            order.status = "cancelled"
        else:
            self._wait(order)

    def _wait(self, order: Order) -> None:
        self.tickets += 1
        order.ticket = self.tickets

    def _take(self, order: Order) -> None:
        market = self.markets[order.symbol]
        quantity = min(self._reducible(order), self._left(market))
        if quantity > 0:
            price = self._slipped(order, market.price, order.working_limit)
            self._fill(order, quantity, price, abs(price - market.price), "taker")
        elif self._reducible(order) <= 0:
            order.status = "cancelled"

    def _slipped(self, order: Order, price: Decimal, limit: Decimal | None) -> Decimal:
        slippage = rounded(quotient(price * self.rules.basis_points, Decimal(10_000), rounding=ROUND_UP), AMOUNT, ROUND_UP)
        slipped = price + slippage if order.buys != self.rules.slips_in_favour else price - slippage
        if limit is None or self.rules.slips_beyond_limits:
            return slipped
        return min(slipped, max(limit, price)) if order.buys else max(slipped, min(limit, price))

    def _left(self, market: Market) -> Decimal:
        if not (market.has_volumes or self.rules.waits_for_volumes):
            return Decimal("Infinity")
        share = Decimal(1) if self.rules.ignores_participation else self.rules.participation
        used = ZERO if self.rules.fills_the_same_volume_twice else market.used
        return max(rounded(rounded(market.volume * share, PLACES, ROUND_DOWN), AMOUNT, ROUND_DOWN) - used, ZERO)

    def _reducible(self, order: Order) -> Decimal:
        if not order.reduce_only or self.rules.lets_brackets_open_positions:
            return order.rest
        size = self.holdings[order.symbol].size
        return min(order.rest, abs(size)) if size != 0 and (size < 0) == order.buys else ZERO

    @staticmethod
    def _is_within(limit: Decimal, price: Decimal, order: Order) -> bool:
        return price <= limit if order.buys else price >= limit

    def _is_touched(self, stop: Decimal, price: Decimal, order: Order) -> bool:
        if self.rules.triggers_stops_beyond and price == stop:
            return False
        return price >= stop if order.buys else price <= stop

    # MARK: Fills

    def _fill(self, order: Order, quantity: Decimal, price: Decimal, slippage: Decimal, liquidity: str) -> None:
        market, holding = self.markets[order.symbol], self.holdings[order.symbol]
        notional = product(price, quantity)
        signed, paid = (quantity, notional) if order.buys else (-quantity, -notional)
        size = holding.size + signed
        if holding.size == 0 or (holding.size < 0) == (signed < 0):
            cost = holding.cost + paid
        elif size == 0:
            cost = ZERO
        elif (size < 0) == (holding.size < 0):
            share = quotient(holding.cost * quantity, abs(holding.size))
            if self.rules.averages_in_floats:
                share = Decimal(repr(round(float(holding.cost) / float(abs(holding.size)) * float(quantity), 12)))
            cost = holding.cost - share
        else:
            cost = product(price, size)
        profit = cost - holding.cost - paid
        if holding.size == 0 or (holding.size < 0) == (signed < 0):
            profit = ZERO
        is_taker = liquidity == "taker" or self.rules.takes_makers_for_takers
        rate = self.rules.taker_fee if is_taker else self.rules.maker_fee
        direction = ROUND_FLOOR if self.rules.rounds_fees_down else ROUND_CEILING
        fee = rounded(rounded(notional * rate, PLACES, direction), AMOUNT, direction)
        holding.realized = profit + holding.realized if size and (size < 0) == (holding.size < 0) and holding.size else ZERO
        holding.size, holding.cost = size, cost
        balance = self.balances[holding.currency]
        balance.realized += profit
        if not self.rules.forgets_fees:
            balance.fees += fee
        order.filled += quantity
        order.cost += notional
        order.status = "filled" if order.filled == order.quantity else "partially_filled"
        used = quantity if market.has_volumes or self.rules.uses_volume_that_is_not_there else ZERO
        market.used += used
        self.fills.append({
            "number": len(self.fills) + 1, "order": order.number, "symbol": order.symbol, "side": order.side,
            "price": price, "quantity": quantity, "fee": fee, "fee_currency": holding.currency,
            "liquidity": liquidity, "realized_pnl": profit, "timestamp": self.clock,
            "trade_price": market.price, "trade_volume": market.volume, "trade_time": market.time,
            "trade_used": used, "slippage": slippage, "latency": order.latency,
        })  # fmt: skip
        self._follow_up(order, quantity)

    def _follow_up(self, order: Order, quantity: Decimal) -> None:
        if order.group and not self.rules.keeps_both_ends_of_a_bracket:
            for other in self._members(order.group):
                if other is order:
                    continue
                if order.status == "filled" or other.quantity - quantity <= other.filled:
                    other.status = "cancelled"
                else:
                    other.quantity -= quantity
        size = self.holdings[order.symbol].size
        for other in self.orders:
            closes = size != 0 and (size < 0) == other.buys
            if other.symbol == order.symbol and other.is_active and other.reduce_only and not closes:
                other.status = "cancelled"
        if order.take_profit is None and order.stop_loss is None:
            return
        group = f"order:{order.number}"
        members = self._members(group)
        for child in members:
            child.quantity += quantity
        if members:
            return
        for kind, price in (("limit", order.take_profit), ("stop", order.stop_loss)):
            if price is None:
                continue
            child = Order(
                len(self.orders) + 1, order.symbol, "sell" if order.buys else "buy", kind, "gtc", quantity,
                price if kind == "limit" else None, price if kind == "stop" else None, reduce_only=True, group=group,
                reference=price,
            )  # fmt: skip
            self.orders.append(child)
            self.arrivals.append(child)

    def _members(self, group: str) -> list[Order]:
        return [order for order in self.orders if order.group == group and order.is_active]

    # MARK: Money

    def _held(self, symbol: str) -> Decimal:
        """What is held for waiting orders that could open: the margin of what does not close, and the dearer fee."""
        holding, total = self.holdings[symbol], ZERO
        for side in ("buy", "sell"):
            orders = [
                one for one in self.orders
                if one.is_active and not one.reduce_only and one.symbol == symbol and one.side == side
            ]  # fmt: skip
            if not orders:
                continue
            quantity = sum((one.rest for one in orders), ZERO)
            notional = sum((product(one.rest, one.reference, ROUND_UP) for one in orders), ZERO)
            closes = holding.size < 0 if side == "buy" else holding.size > 0
            opening = quantity - (min(abs(holding.size), quantity) if closes else ZERO)
            if opening > 0:
                part = quotient(notional * opening, quantity, rounding=ROUND_UP)
                total += quotient(part, Decimal(holding.leverage), rounding=ROUND_UP)
            rate = max(self.rules.maker_fee, self.rules.taker_fee)
            total += rounded(rounded(notional * rate, PLACES, ROUND_CEILING), AMOUNT, ROUND_CEILING)
        return total

    def _mark(self, symbol: str) -> Decimal:
        if self.rules.marks_at_the_entry and self.holdings[symbol].size:
            return quotient(self.holdings[symbol].cost, self.holdings[symbol].size)
        return self.markets[symbol].price

    def _maintenance(self, symbol: str) -> Decimal:
        value = product(abs(self.holdings[symbol].size), self._mark(symbol))
        return product(value, self.rules.maintenance, ROUND_UP)

    def portfolio(self, currency: str) -> dict[str, Decimal | str]:
        balance = self.balances[currency]
        mine = [symbol for symbol, holding in self.holdings.items() if holding.currency == currency]
        unrealized = sum((self.holdings[symbol].unrealized(self._mark(symbol)) for symbol in mine), ZERO)
        used = sum((self.holdings[symbol].margin for symbol in mine), ZERO)
        held = sum((self._held(symbol) for symbol in mine), ZERO)
        equity = balance.capital + balance.realized - balance.fees + unrealized
        return {
            "currency": currency, "equity": equity, "available_balance": equity - used - held, "used_margin": used,
            "held_margin": held, "unrealized_pnl": unrealized, "realized_pnl": balance.realized, "fees": balance.fees,
            "initial_capital": balance.capital, "written_off": ZERO,
            "maintenance_margin": sum((self._maintenance(symbol) for symbol in mine), ZERO),
        }  # fmt: skip

    def position(self, symbol: str) -> dict[str, Any]:
        holding, mark = self.holdings[symbol], self._mark(symbol)
        profit = holding.unrealized(mark)
        size, cost = abs(holding.size), abs(holding.cost)
        money = self.portfolio(holding.currency)
        slope = holding.size - product(size, self.rules.maintenance)
        distance = quotient(money["equity"] - money["maintenance_margin"], slope)  # type: ignore[operator]
        liquidation = rounded(mark - distance, AMOUNT, ROUND_HALF_UP)
        return {
            "symbol": symbol, "side": "short" if holding.size < 0 else "long", "size": size,
            "entry_price": quotient(cost, size), "mark_price": mark, "unrealized_pnl": profit,
            "price_percent": quotient(profit * 100, cost, AMOUNT, ROUND_HALF_UP),
            "unrealized_pnl_percent": quotient(profit * 100 * holding.leverage, cost, AMOUNT, ROUND_HALF_UP),
            "leverage": holding.leverage, "margin": holding.margin,
            "liquidation_price": liquidation if liquidation > 0 else None, "realized_pnl": holding.realized,
            "currency": holding.currency,
        }  # fmt: skip

    @property
    def open_symbols(self) -> list[str]:
        return [symbol for symbol, holding in self.holdings.items() if holding.size]

    def _check_margin(self, symbol: str) -> None:
        """The runs compared are far from a margin call, whose rules are not those here."""
        holding = self.holdings.get(symbol)
        if holding and holding.size:
            balance = self.balances[holding.currency]
            assert holding.margin * 20 < balance.capital, "too large a position for this comparison"


def plain(value: Any) -> Any:
    """Decimals as numbers, so that 1.50 and 1.5 are the same; `None` for what is not there."""
    if isinstance(value, Decimal):
        return value.normalize(EXACT) if value else ZERO
    return value


def recompute(report: dict[str, Any], trades: list[tuple[Trade, int]], rules: Rules) -> Iterator[str]:
    """Plays the trades and the orders that were requested, and returns where the report differs."""
    with localcontext(EXACT):
        yield from _recompute(report, trades, rules)


def _recompute(report: dict[str, Any], trades: list[tuple[Trade, int]], rules: Rules) -> Iterator[str]:
    capital = {money["currency"]: Decimal(money["amount"]) for money in report["capital"]}
    # The venue's names end with the currency.
    currencies = {
        trade.symbol: next(name for name in sorted(capital, key=len, reverse=True) if trade.symbol.endswith(name))
        for trade, _ in trades
    }
    account = Account(rules, capital, currencies)
    requests = iter([*report["requests"], None])
    snapshots = iter([*report["snapshots"], None])
    request, snapshot = next(requests), next(snapshots)
    for count, (trade, received) in enumerate(trades, 1):
        now = float(received) / 1e9
        account.trade(
            trade.symbol, Decimal(trade.price), Decimal(trade.quantity), trade.microseconds / 1e6, now)
        while request is not None and request["after"] == count:
            yield from _apply_request(account, request, now)
            request = next(requests)
        while snapshot is not None and snapshot["after"] == count:
            yield from _money(account, snapshot, f"after trade {count}")
            snapshot = next(snapshots)
    if request is not None or snapshot is not None or report["trades"] != len(trades):
        yield f"the report is of {report['trades']} trades, the recording has {len(trades)}"
    yield from _compare_fills(account, report)
    yield from _compare_orders(account, report)
    yield from _money(account, report, "at the end")


def _apply_request(account: Account, request: dict[str, Any], now: float) -> Iterator[str]:
    if request["time"] != now:
        yield f"request {request} was made at {now!r}"
    if request["action"] == "place":
        order, refused = account.place(request["order"], now)
        found = request.get("refusal")
        if (refused is None) != (found is None) or (refused and not found.startswith(refused)):
            yield f"{request['order']['client_order_id']}: refused for {refused}, the report says {found}"
        if (request.get("id") or "").rpartition("-o")[2] != (str(order.number) if order else ""):
            yield f"{request['order']['client_order_id']} is order {order and order.number}, not {request.get('id')}"
        return
    number = int(request["id"].rpartition("-o")[2])
    is_active = account.orders[number - 1].is_active
    if is_active != (request.get("refusal") is None):
        yield f"order {number} is {account.orders[number - 1].status}, the report says {request.get('refusal')}"
    elif is_active and request["action"] == "amend":
        account.amend(number, Decimal(request["limit_price"]), now)
    elif is_active:
        account.cancel(number, now)


def _same(found: dict[str, Any], expected: dict[str, Any], what: str) -> Iterator[str]:
    for name, value in expected.items():
        other = found.get(name)
        if isinstance(value, Decimal) and other is not None:
            other = Decimal(other)
        if plain(other) != plain(value):
            yield f"{what}: {name} is {found.get(name)}, recomputed {value}"


def _compare_fills(account: Account, report: dict[str, Any]) -> Iterator[str]:
    if len(report["fills"]) != len(account.fills):
        yield f"{len(report['fills'])} fills, recomputed {len(account.fills)}"
    for found, expected in zip(report["fills"], account.fills, strict=False):
        flat = {
            **found, **found["receipt"], "number": int(found["id"].rpartition("-f")[2]),
            "order": int(found["order_id"].rpartition("-o")[2]),
        }  # fmt: skip
        yield from _same(flat, expected, f"fill {expected['number']}")


def _compare_orders(account: Account, report: dict[str, Any]) -> Iterator[str]:
    if len(report["orders"]) != len(account.orders):
        yield f"{len(report['orders'])} orders, recomputed {len(account.orders)}"
    for found, order in zip(report["orders"], account.orders, strict=False):
        expected = {
            "status": order.status, "quantity": order.quantity, "filled_quantity": order.filled,
            "average_fill_price": quotient(order.cost, order.filled) if order.filled else None,
            "limit_price": order.limit, "stop_price": order.stop, "triggered": order.triggered,
        }  # fmt: skip
        yield from _same(found, expected, f"order {order.number}")


def _money(account: Account, document: dict[str, Any], when: str) -> Iterator[str]:
    if [one["currency"] for one in document["portfolios"]] != sorted(account.balances):
        yield f"{when}: the currencies differ"
    for found in document["portfolios"]:
        yield from _same(found, account.portfolio(found["currency"]), f"{when}: {found['currency']}")
    if [one["symbol"] for one in document["positions"]] != account.open_symbols:
        yield f"{when}: positions in {[one['symbol'] for one in document['positions']]}, not {account.open_symbols}"
    for found in document["positions"]:
        if found["symbol"] in account.open_symbols:
            yield from _same(found, account.position(found["symbol"]), f"{when}: {found['symbol']}")
