"""Whether the page shows what the server has."""

from support.polling import eventually
from support.terminal import Terminal


def holes(terminal: Terminal, symbol: str, timeframe: str) -> list[str]:
    """How the closed bars in the engine differ from the server's. The newest two may still be on their way."""
    closed = {bar["timestamp"]: bar for bar in terminal.bars()[:-2]}
    if not closed:
        return ["the page has no closed bar"]
    candles = terminal.server.candles(symbol, timeframe, min(closed), max(closed))
    server = {candle["timestamp"]: candle for candle in candles}
    return [
        f"at {at:.0f}: page {closed.get(at)}, server {server.get(at)}"
        for at in sorted(closed.keys() | server.keys())
        if closed.get(at) != server.get(at)
    ]


def assert_no_hole(terminal: Terminal, symbol: str, timeframe: str) -> None:
    """The page's series becomes the server's, bar for bar and digit for digit, within some seconds."""
    found: list[str] = []

    def is_equal() -> bool:
        found[:] = holes(terminal, symbol, timeframe)
        return not found

    try:
        eventually(is_equal, "the page's series is the server's")
    except AssertionError as error:
        raise AssertionError("\n".join([str(error), *found[:10]])) from None
