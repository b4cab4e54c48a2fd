"""Sessions of venues, made in the layouts that they document, where no recordings are on the machine.

Each has what its venue sends to a new client, then trades of markets whose prices walk at random, some of them in one
millisecond, between other messages of the session. The same names always hold the same bytes.
"""

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MINUTE = 60_000_000
"""Microseconds."""
Message = tuple[int, Any]
"""The microsecond in which it is received, and a document or a text."""


@dataclass
class Trade:
    market: str
    number: int
    microseconds: int
    price: str
    quantity: str
    is_buy: bool
    """Whether the order that met another one bought."""


class Market:
    def __init__(self, name: str, price: float, decimals: int, pick: random.Random) -> None:
        self.name, self.decimals = name, decimals
        self._level = self._price = price
        self._pick = pick
        self._number = pick.randrange(1_000_000, 2_000_000)

    def trade(self, microseconds: int) -> Trade:
        """Prices come back to their level in the long run, so that averages cross again and again."""
        self._number += 1
        self._price += self._level * self._pick.gauss(0, 0.0001) + (self._level - self._price) * 0.002
        step = 10.0**-self.decimals
        price = max(step, self._price + self._pick.choice((-step, 0, step)))
        quantity = self._pick.expovariate(1) * min(4000 / self._level, 2000) + 0.00001
        return Trade(
            self.name, self._number, microseconds, f"{price:.{self.decimals}f}", f"{quantity:.8f}",
            self._pick.random() < 0.5,
        )  # fmt: skip


class Session:
    """Trades of some markets, a few of them at the same moment."""

    def __init__(self, name: str, start: str, markets: dict[str, tuple[float, int]]) -> None:
        self.pick = random.Random(name)
        self.start = int(datetime.fromisoformat(start).replace(tzinfo=UTC).timestamp()) * 1_000_000
        self.markets = {key: Market(key, *value, self.pick) for key, value in markets.items()}

    def trades(self, count: int, pause: float, among: list[str] | None = None) -> Iterator[Trade]:
        """- pause: microseconds between two moments, on average."""
        names, now = among or list(self.markets), self.start + 1_500_000
        while count > 0:
            now += max(1000, int(self.pick.expovariate(1 / pause)) // 1000 * 1000)
            market = self.markets[self.pick.choice(names)]
            for _ in range(min(count, self.pick.choice((1, 1, 1, 2, 3, 6)))):
                yield market.trade(now)
                count -= 1


def instant(microseconds: int, decimals: int = 6) -> str:
    text = datetime.fromtimestamp(microseconds / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{microseconds % 1_000_000:06d}{'0' * (decimals - 6)}Z"


def binance(session: Session, count: int, pause: float, kind: str = "trade") -> Iterator[Message]:
    for symbol in session.markets:
        stream, event = f"{symbol.lower()}@depth@100ms", session.start // 1000
        depth = {"e": "depthUpdate", "E": event, "s": symbol, "U": 10, "u": 12, "b": [["1.00", "2.00"]], "a": []}
        yield session.start, {"stream": stream, "data": depth}
    for trade in session.trades(count, pause):
        at = trade.microseconds // 1000
        data = {"e": kind, "E": at + 1, "s": trade.market, "t": trade.number, "p": trade.price, "q": trade.quantity,
                "T": at, "m": not trade.is_buy, "M": True}  # fmt: skip
        if kind == "aggTrade":
            data["a"] = data.pop("t")
            data |= {"f": trade.number, "l": trade.number}
        yield trade.microseconds + 1500, {"stream": f"{trade.market.lower()}@{kind}", "data": data}


def coinbase(session: Session, count: int, pause: float) -> Iterator[Message]:
    """Two of its markets do not trade: of them there is the last match alone."""
    names = list(session.markets)

    def match(kind: str, trade: Trade) -> dict[str, Any]:
        return {"type": kind, "trade_id": trade.number, "maker_order_id": "27fff20b-af29-4f45-8744-56dd1ef57dc0",
                "taker_order_id": "1da6ce16-c8da-4732-9f71-6049f4c6aaf8", "side": "sell" if trade.is_buy else "buy",
                "size": trade.quantity, "price": trade.price, "product_id": trade.market,
                "sequence": trade.number * 3, "time": instant(trade.microseconds)}  # fmt: skip

    for name in names:
        yield session.start, {"type": "snapshot", "product_id": name, "asks": [["2.00", "1.0"]], "bids": []}
    yield session.start, {"type": "subscriptions", "channels": [{"name": "matches", "product_ids": names}]}
    for market in session.markets.values():
        yield session.start, match("last_match", market.trade(session.start - 7_000_000))
    for trade in session.trades(count, pause, [name for name in names if name not in ("CRV-EUR", "YFI-BTC")]):
        at = trade.microseconds
        change = {"type": "l2update", "product_id": trade.market, "changes": [["sell", "2.00", "3.0"]]}
        yield at + 20_000, change | {"time": instant(at)}
        yield at + 30_000, match("match", trade)
        yield at + 30_000, {
            "type": "ticker", "sequence": trade.number * 3, "product_id": trade.market, "price": trade.price,
            "open_24h": trade.price, "volume_24h": "9.0", "low_24h": trade.price, "high_24h": trade.price,
            "volume_30d": "99.0", "best_bid": trade.price, "best_ask": trade.price,
            "side": "buy" if trade.is_buy else "sell", "time": instant(at), "trade_id": trade.number,
            "last_size": trade.quantity,
        }  # fmt: skip


def coinbase_advanced(session: Session, count: int, pause: float) -> Iterator[Message]:
    def row(trade: Trade) -> dict[str, str]:
        return {"product_id": trade.market, "trade_id": str(trade.number), "price": trade.price,
                "size": trade.quantity, "time": instant(trade.microseconds),
                "side": "SELL" if trade.is_buy else "BUY"}  # fmt: skip

    def message(channel: str, at: int, number: int, event: dict[str, Any]) -> Message:
        return at, {"channel": channel, "timestamp": instant(at, 9), "sequence_num": number, "events": [event]}

    for number, market in enumerate(session.markets.values()):
        past = [row(market.trade(session.start - 5_000_000 + 100_000 * index)) for index in range(20)]
        yield message("market_trades", session.start, number, {"type": "snapshot", "trades": past[::-1]})
    names = list(session.markets)
    yield message("subscriptions", session.start, 2, {"subscriptions": {"market_trades": names}})
    for number, trade in enumerate(session.trades(count, pause)):
        event = {"type": "update", "trades": [row(trade)]}
        yield message("market_trades", trade.microseconds + 50_000, number + 3, event)


def kraken(session: Session, count: int, pause: float) -> Iterator[Message]:
    """Numbers are written as they are, which is more digits than a double has."""

    def row(trade: Trade) -> str:
        return (
            f'{{"symbol":"{trade.market}","side":"{"buy" if trade.is_buy else "sell"}","price":{trade.price},'
            f'"qty":{trade.quantity},"ord_type":"limit","trade_id":{trade.number},'
            f'"timestamp":"{instant(trade.microseconds)}"}}'
        )

    def message(kind: str, *trades: Trade) -> str:
        return f'{{"channel":"trade","type":"{kind}","data":[{",".join(map(row, trades))}]}}'

    status = {"version": "2.0.10", "system": "online", "api_version": "v2", "connection_id": 16_763_580_994}
    yield session.start, {"channel": "status", "type": "update", "data": [status]}
    for name in session.markets:
        result = {"channel": "trade", "snapshot": True, "symbol": name}
        yield session.start, {"method": "subscribe", "result": result, "success": True,
                              "time_in": instant(session.start), "time_out": instant(session.start)}  # fmt: skip
    for market in session.markets.values():
        past = [market.trade(session.start - 6_000_000 + 100_000 * (index // 2)) for index in range(30)]
        yield session.start, message("snapshot", *past)
    for trade in session.trades(count, pause):
        yield trade.microseconds + 20_000, {"channel": "heartbeat"}
        yield trade.microseconds + 20_000, message("update", trade)


def kraken_arrays(session: Session, count: int, pause: float) -> Iterator[Message]:
    yield session.start, {"connectionID": 1823957800, "event": "systemStatus", "status": "online", "version": "1.8.3"}
    numbers = {name: 465 + 16 * index for index, name in enumerate(session.markets)}
    for name, channel in numbers.items():
        yield session.start, {
            "channelID": channel, "channelName": "trade", "event": "subscriptionStatus", "pair": name,
            "status": "subscribed", "subscription": {"name": "trade"},
        }  # fmt: skip
    for trade in session.trades(count, pause, list(numbers)[:2]):
        at = f"{trade.microseconds // 1_000_000}.{trade.microseconds % 1_000_000:06d}"
        yield trade.microseconds + 9000, {"event": "heartbeat"}
        row = [trade.price, trade.quantity, at, "b" if trade.is_buy else "s", "l", ""]
        yield trade.microseconds + 9000, [numbers[trade.market], [row], "trade", trade.market]


def bitstamp(session: Session, count: int, pause: float) -> Iterator[Message]:
    for name in session.markets:
        for channel in ("diff_order_book", "live_trades"):
            data = {"event": "bts:subscription_succeeded", "channel": f"{channel}_{name}", "data": {}}
            yield session.start, data
    for trade in session.trades(count, pause):
        at = trade.microseconds
        book = {"timestamp": str(at // 1_000_000), "microtimestamp": str(at), "bids": [["1.0", "2.0"]], "asks": []}
        yield at + 4000, {"data": book, "channel": f"diff_order_book_{trade.market}", "event": "data"}
        data = {"id": trade.number, "timestamp": str(at // 1_000_000), "amount": float(trade.quantity),
                "amount_str": trade.quantity, "price": float(trade.price), "price_str": trade.price,
                "type": 0 if trade.is_buy else 1, "microtimestamp": str(at), "buy_order_id": 1443, "sell_order_id": 1445}  # fmt: skip
        yield at + 5000, {"data": data, "channel": f"live_trades_{trade.market}", "event": "trade"}


def gemini(session: Session, count: int, pause: float) -> Iterator[Message]:
    def document(trade: Trade) -> dict[str, Any]:
        return {"type": "trade", "symbol": trade.market, "event_id": trade.number * 17,
                "timestamp": trade.microseconds // 1000, "price": trade.price, "quantity": trade.quantity,
                "side": "buy" if trade.is_buy else "sell"}  # fmt: skip

    for market in session.markets.values():
        past = [document(market.trade(session.start - 9_000_000 + 300_000 * index)) for index in range(20)]
        book = {"type": "l2_updates", "symbol": market.name, "changes": [["buy", "1.00", "2.0"]]}
        yield session.start, book | {"trades": past[::-1], "auction_events": []}
    for trade in session.trades(count, pause):
        yield trade.microseconds + 8000, document(trade)
        yield trade.microseconds + 9000, {"type": "heartbeat", "timestamp": trade.microseconds // 1000 + 9}


def bitfinex(session: Session, count: int, pause: float) -> Iterator[Message]:
    def row(trade: Trade) -> str:
        sign = "" if trade.is_buy else "-"
        return f"[{trade.number},{trade.microseconds // 1000},{sign}{trade.quantity},{trade.price}]"

    info = {"event": "info", "version": 2, "serverId": "083bd8d4-aca7-4690-a573-eabfc8103de8"}
    yield session.start, info | {"platform": {"status": 1}}
    yield session.start, {"event": "conf", "status": "OK", "flags": 65536}
    channels = {name: 232_949 + index for index, name in enumerate(session.markets)}
    sequence = 0
    for market in session.markets.values():
        channel = channels[market.name]
        subscribed = {"event": "subscribed", "channel": "trades", "chanId": channel, "symbol": market.name}
        yield session.start, subscribed | {"pair": market.name[1:]}
        past = [row(market.trade(session.start - 8_000_000 + 200_000 * index)) for index in range(20)]
        sequence += 1
        yield session.start, f"[{channel},[{','.join(past[::-1])}],{sequence}]"
    for trade in session.trades(count, pause):
        channel, at = channels[trade.market], trade.microseconds + 7000
        for kind in ("te", "tu"):
            sequence += 1
            yield at, f'[{channel},"{kind}",{row(trade)},{sequence}]'
        sequence += 1
        yield at, f'[{channel},"hb",{sequence}]'


def bybit(session: Session, count: int, pause: float, trading: bool = True) -> Iterator[Message]:
    for name in session.markets:
        yield session.start, {"success": True, "ret_msg": "subscribe", "conn_id": "1764937c", "op": "subscribe"}
    for index, trade in enumerate(session.trades(count, pause)):
        at = trade.microseconds // 1000
        book = {"s": trade.market, "b": [[trade.price, "3"]], "a": [], "u": 1000 + index, "seq": 90_000 + index}
        kind = "delta" if index >= len(session.markets) else "snapshot"
        topic = f"orderbook.1.{trade.market}"
        yield trade.microseconds + 4000, {"topic": topic, "ts": at, "type": kind, "data": book, "cts": at}
        if trading:
            row = {"T": at, "s": trade.market, "S": "Buy" if trade.is_buy else "Sell", "v": trade.quantity,
                   "p": trade.price, "i": f"2290000000{trade.number:012d}", "BT": False}  # fmt: skip
            topic = f"publicTrade.{trade.market}"
            yield trade.microseconds + 4000, {"topic": topic, "type": "snapshot", "ts": at, "data": [row]}


THREE = {"BTCUSDT": (58_000.0, 2), "ETHUSDT": (2066.0, 2), "DOTUSDT": (43.5, 4)}
SIX = {"BAND-BTC": (0.000334, 8), "BAND-GBP": (14.77, 4), "CRV-EUR": (3.29, 4), "SKL-GBP": (0.575, 4),
       "SKL-USD": (0.79, 4), "YFI-BTC": (0.826, 5)}  # fmt: skip
TEN = ["SC/EUR", "XMR/USD", "WAVES/EUR", "KSM/XBT", "GRT/ETH", "ETH/CHF", "OCEAN/XBT", "OMG/USD", "XBT/CHF", "ADA/XBT"]
# A file's name without its end: how its session is made.
SESSIONS = {
    "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04": lambda name: binance(
        Session(name, "2021-04-04 20:03:11", THREE), 6000, 25_000, "aggTrade"),
    "binance_spot_btcusdt_2024-08-08": lambda name: binance(
        Session(name, "2024-08-08 23:54:15", {"BTCUSDT": (61_800.0, 2)}), 9000, 60_000),
    "binance_spot_btcusdt_2024-08-09": lambda name: binance(
        Session(name, "2024-08-09 00:00:01", {"BTCUSDT": (61_700.0, 2)}), 12_000, 60_000),
    "binance_us_4symbols_2021-08-14": lambda name: binance(
        Session(name, "2021-08-14 14:45:13", {"BATUSD": (0.78, 4), "HNTUSD": (18.0, 2), "MANAUSD": (0.83, 4), "ZRXUSD": (1.05, 4)}), 60, 900_000, "aggTrade"),
    "binance_usdm-futures_btcusdt_2024-08-08": lambda name: binance(
        Session(name, "2024-08-08 23:54:16", {"BTCUSDT": (61_800.0, 1)}), 9000, 60_000),
    "bitfinex_v2_2021-04-17": lambda name: bitfinex(
        Session(name, "2021-04-17 16:59:00", {"tBFTUSD": (0.0769, 6), "tIOTETH": (0.00102, 7), "tTESTBTC:TESTUSD": (60_400.0, 0)}), 80, 500_000),
    "bitstamp_2022-01-05": lambda name: bitstamp(
        Session(name, "2022-01-05 00:48:17", {"ethusd": (3800.0, 2), "xrpeur": (0.73, 5), "batbtc": (0.0000261, 8)}), 60, 700_000),
    "bybit_v5_spot_2025-06-13": lambda name: bybit(
        Session(name, "2025-06-13 16:51:12", dict.fromkeys(("OPUSDC", "TUSDUSDT", "KCSUSDT", "CPOOLUSDT", "ARBUSDC", "MASAUSDT"), (0.57, 4))), 139, 300_000, False),
    "bybit_v5_linear_2025-06-13": lambda name: bybit(
        Session(name, "2025-06-13 16:51:14", {"BANDUSDT": (0.613, 4), "RADUSDT": (0.644, 4)}), 90, 300_000),
    "coinbase_advanced-trade_btcusd-ethusd_2026-08-09": lambda name: coinbase_advanced(
        Session(name, "2026-08-09 21:05:48", {"BTC-USD": (65_083.0, 2), "ETH-USD": (1919.0, 2)}), 400, 60_000),
    "coinbase_exchange_ws-feed_6products_2021-04-17": lambda name: coinbase(
        Session(name, "2021-04-17 16:43:37", SIX), 300, 250_000),
    "gemini_v2_2021-06-24": lambda name: gemini(
        Session(name, "2021-06-24 00:14:26", {"ALCXUSD": (302.5, 2), "GRTUSD": (0.6157, 4), "LTCETH": (0.0655, 4)}), 60, 400_000),
    "kraken_v1_trade_10pairs_2021-04-17": lambda name: kraken_arrays(
        Session(name, "2021-04-17 16:48:52", dict.fromkeys(TEN, (354.0, 5))), 40, 700_000),
    "kraken_v2_trade_btcusd-ethusd_2026-09-26": lambda name: kraken(
        Session(name, "2026-09-26 18:09:11", {"BTC/USD": (84_098.4, 1), "ETH/USD": (2500.0, 2)}), 40, 300_000),
}  # fmt: skip


def write_sessions(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, made in SESSIONS.items():
        messages = sorted(made(name), key=lambda message: message[0])
        lines = [text if isinstance(text, str) else json.dumps(text, separators=(",", ":")) for _, text in messages]
        session = "".join(f"{line}\n" for line in lines)
        # The one file that is recorded as plain text.
        if name.startswith("kraken_v2"):
            (folder / f"{name}.jsonl").write_text(session)
        else:
            (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(session.encode(), 1, mtime=0))
        times = "".join(f"{at * 1000}\n" for at, _ in messages)
        (folder / f"{name}.times.txt.gz").write_bytes(gzip.compress(times.encode(), 1, mtime=0))
