"""A recording of a real venue, from the file to the numbers on the page."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from shared_data import recording
from support.polling import eventually
from support.server import Server
from support.spoken import was_said
from support.terminal import Terminal

RECORDING = recording("coinbase_exchange_ws-feed_6products_2021-04-17")


def test_every_candle_of_a_recording_is_on_the_page(
    page: Page, start_server: Callable[..., Server], save_picture
) -> None:
    server = start_server(feed=f"replay:{RECORDING}", flags=("--speed", "max"))

    def traded() -> list[str]:
        markets = server.get("/v1/markets")["markets"]
        return sorted(market["symbol"] for market in markets if market["price"] is not None)

    eventually(lambda: server.get("/health")["feed"]["state"] == "ended", "the recording is over", within=180)
    symbols = traded()
    assert len(symbols) >= 3
    terminal = Terminal(page, server).open(f"{symbols[0]}/1m")
    compared = 0
    for symbol in symbols:
        terminal.row(symbol).click()
        terminal.wait_for_selection(symbol, "1m")
        expected = server.get("/v1/candles", symbol=symbol, timeframe="1m")
        assert terminal.bars() == expected
        page.locator("#chart").focus()
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        for candle in reversed(expected):
            legend = terminal.legend()
            assert legend["symbol"] == symbol
            assert terminal.legend_bar() == candle
            compared += 1
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("Escape")
    assert compared >= len(symbols)
    save_picture(page, "desktop-replay")
    assert page.complaints == []


def test_an_ended_recording_does_not_look_live(page: Page, simulated: Server, save_picture) -> None:
    state = "playing"

    def recording(route) -> None:
        answer = route.fetch().json()
        answer["markets"] = [market | {"timestamp": 1_618_677_846.67} for market in answer["markets"]]
        route.fulfill(json=answer | {"feed": "replay", "feed_state": state})

    def quiet(socket) -> None:
        server = socket.connect_to_server()
        moving = ('"type":"tick"', '"type":"candle"')
        server.on_message(lambda text: None if any(kind in text for kind in moving) else socket.send(text))

    page.route_web_socket("**/v1/stream", quiet)
    page.route("**/v1/markets", recording)
    Terminal(page, simulated).open("BTC-USD/1m")
    badge, pill = page.locator("#feed-name"), page.locator("#status-pill")
    expect(badge).to_have_text("Recording")
    expect(page.locator("#status-state")).to_have_text("Live")
    green = "() => getComputedStyle(document.querySelector('.pill-dot')).backgroundColor"
    live = page.evaluate(green)
    state = "ended"
    # Nothing on the stream reports the end: the page requests it by itself.
    expect(badge).to_have_text("Recording ended · 17 Apr 2021, 16:44:06 UTC")
    expect(page.locator("#status-state")).to_have_text("Ended")
    expect(pill).to_have_attribute("data-state", "open")
    assert page.evaluate(green) != live
    was_said(page, "The recording has ended")
    save_picture(page, "desktop-ended")
    page.set_viewport_size({"width": 768, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == 768
    save_picture(page, "tablet-ended")
