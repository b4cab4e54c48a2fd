"""The peer of the paper exchange: NautilusTrader's backtest engine, whose matching and accounts are compiled code.

Prints, tab-separated, the median and the best rate of each measurement: trades a second through a market with waiting
orders, market orders placed and filled a second, limit orders placed a second of which every other one is cancelled.
Few of the first and the last, because that engine looks at every waiting order with each trade and with each order.
The strategy that places them is Python, as that engine's users write it, and its part of the time is in the figures.
"""

import sys
import time
from decimal import Decimal

from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.config import LoggingConfig, RiskEngineConfig, StrategyConfig
from nautilus_trader.model.currencies import USDT
from nautilus_trader.model.data import TradeTick
from nautilus_trader.model.enums import AccountType, AggressorSide, OmsType, OrderSide
from nautilus_trader.model.identifiers import TradeId, Venue
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.test_kit.providers import TestInstrumentProvider
from nautilus_trader.trading.strategy import Strategy

INSTRUMENT = TestInstrumentProvider.btcusdt_perp_binance()
START = 1_700_000_000_000_000_000


class Trader(Strategy):
    """Does what `task` says: `rest` places its orders with the first trade, `fill` and `place` one with each."""

    def __init__(self, task: str, count: int) -> None:
        super().__init__(StrategyConfig())
        self.task, self.count, self.number, self.fills = task, count, 0, 0

    def on_start(self) -> None:
        self.subscribe_trade_ticks(INSTRUMENT.id)
        self.size = Quantity.from_str("1.000")
        self.levels = [Price.from_str(f"{price}.0") for price in range(900, 950)]

    def on_trade_tick(self, tick: TradeTick) -> None:
        self.number += 1
        if self.task == "rest":
            if self.number == 1:
                for number in range(self.count):
                    side = OrderSide.SELL if number % 2 == 0 else OrderSide.BUY
                    distance = 20 + number * 7919 % 381
                    price = Price.from_str(f"{1000 + distance if number % 2 == 0 else 1000 - distance}.0")
                    self.submit_order(self.order_factory.limit(INSTRUMENT.id, side, self.size, price))
            elif self.number == 2:
                self.began = time.perf_counter()
        elif self.task == "fill":
            side = OrderSide.SELL if self.number % 3 == 0 else OrderSide.BUY
            self.submit_order(self.order_factory.market(INSTRUMENT.id, side, self.size))
        else:
            order = self.order_factory.limit(
                INSTRUMENT.id, OrderSide.BUY, self.size, self.levels[self.number % len(self.levels)]
            )
            self.submit_order(order)
            if self.number % 2 == 1:
                self.cancel_order(order)

    def on_order_filled(self, event) -> None:
        self.fills += 1


def run(task: str, ticks: int, orders: int = 0) -> float:
    """Trades, or orders, a second."""
    engine = BacktestEngine(
        BacktestEngineConfig(
            logging=LoggingConfig(bypass_logging=True),
            risk_engine=RiskEngineConfig(bypass=True),
            run_analysis=False,
        )
    )
    engine.add_venue(
        venue=Venue("BINANCE"),
        oms_type=OmsType.NETTING,
        account_type=AccountType.MARGIN,
        base_currency=None,
        starting_balances=[Money(10_000_000, USDT)],
        default_leverage=Decimal(10),
        trade_execution=True,
    )
    engine.add_instrument(INSTRUMENT)
    size = Quantity.from_str("10.000")
    prices = [Price.from_str(f"{1000 + step / 10:.1f}") for step in range(-150, 151)]
    engine.add_data(
        [
            TradeTick(
                instrument_id=INSTRUMENT.id,
                price=prices[number * 7 % 301],
                size=size,
                aggressor_side=AggressorSide.NO_AGGRESSOR,
                trade_id=TradeId(str(number)),
                ts_event=START + number * 1_000_000,
                ts_init=START + number * 1_000_000,
            )
            for number in range(ticks)
        ]
    )
    trader = Trader(task, orders)
    engine.add_strategy(trader)
    began = time.perf_counter()
    engine.run()
    ended = time.perf_counter()
    if task == "rest":
        assert len(engine.cache.orders_open()) == orders, len(engine.cache.orders_open())
        began, ticks = trader.began, ticks - 1
    elif task == "fill":
        assert trader.fills >= ticks * 0.99, trader.fills
    engine.dispose()
    return ticks / (ended - began)


for name, task, ticks, orders in [
    ("ticks", "rest", 300, 2_000),
    ("fills", "fill", 10_000, 0),
    ("orders", "place", 2_000, 0),
]:
    rates = sorted(run(task, ticks, orders) for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
    print(f"{name}\t{rates[len(rates) // 2]}\t{rates[-1]}", flush=True)
