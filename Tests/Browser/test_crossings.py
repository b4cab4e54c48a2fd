"""What a trade costs at the boundary: calls into the engine, counted in the real page. `Benchmarks/page/run` times it."""

import pytest
from playwright.sync_api import Page

from support.crossings import count_calls, count_frame, open_scripted
from support.server import Server


@pytest.fixture
def counted(page: Page, simulated: Server) -> Page:
    open_scripted(page, simulated, is_counting=True)
    return page


@pytest.mark.parametrize("symbol", ["BTC-USD", "ETH-USD"])
def test_a_trade_is_one_call_into_the_engine(counted: Page, symbol: str) -> None:
    """Of the charted market and of a listed one."""
    assert count_calls(counted, 100, symbol) == {"cw_session_received": 100}


def test_a_trade_is_drawn_with_four_calls(counted: Page) -> None:
    calls = count_frame(counted)
    assert calls["cw_chart_draw"] == 1
    assert sum(calls.values()) <= 4, calls
