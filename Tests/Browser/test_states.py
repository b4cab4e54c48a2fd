"""What the page shows when something is missing."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal


def test_no_markets_is_said(page: Page, simulated: Server) -> None:
    empty = {"markets": [], "timeframes": ["1m"], "feed": "replay", "server_time": 0}
    page.route("**/v1/markets", lambda route: route.fulfill(json=empty))
    page.goto(simulated.address)
    expect(page.locator("#market-message-text")).to_contain_text("No markets yet")
    expect(page.locator("#market-retry")).to_be_hidden()
    expect(page.locator("#feed-name")).to_have_text("Recording")


def fail_until_pressed(page: Page, button: str) -> None:
    """The market list fails until the button is pressed, however often the page retries by itself before."""
    page.add_init_script(
        f"""addEventListener("click", (event) => {{
            if (event.target.closest("{button}")) document.cookie = "repaired=1";
        }}, true);"""
    )

    def answer(route: Route) -> None:
        if "repaired=1" in route.request.all_headers().get("cookie", ""):
            route.continue_()
        else:
            error = {"error": {"code": "unavailable", "message": "The feed is starting."}}
            route.fulfill(status=503, json=error)

    page.route("**/v1/markets", answer)


def test_a_failing_market_list_says_so_and_can_be_retried(page: Page, simulated: Server) -> None:
    fail_until_pressed(page, "#market-retry")
    page.goto(simulated.address)
    expect(page.locator("#market-message-text")).to_contain_text("The feed is starting.")
    page.locator("#market-retry").click()
    expect(page.locator("#market-list [role=option]").first).to_be_visible()
    expect(page.locator("#market-message")).to_be_hidden()
    Terminal(page, simulated).wait_until_live()


@pytest.mark.parametrize("button", ["#chart-message-button", "#status-pill"])
def test_a_missing_engine_is_said_while_prices_go_on(
    page: Page, simulated: Server, save_picture, button: str
) -> None:
    page.route("**/candlewire.wasm", lambda route: route.fulfill(status=404, body="gone"))
    page.goto(f"{simulated.address}/#BTC-USD/1m")
    expect(page.locator("#chart-message-title")).to_have_text("The chart engine did not load")
    expect(page.locator("#status-state")).to_have_text("Disconnected")
    price = page.locator("#header-price")
    expect(price).not_to_have_text("–")
    expect(price).not_to_have_text(price.inner_text())
    # Another market does not hide the reason.
    Terminal(page, simulated).row("ETH-USD").click()
    expect(page.locator("#chart-message-title")).to_have_text("The chart engine did not load")
    save_picture(page, "desktop-no-engine")
    page.unroute("**/candlewire.wasm")
    page.locator(button).click()
    Terminal(page, simulated).wait_for_selection("ETH-USD", "1m")
    expect(page.locator("#status-state")).to_have_text("Live")


def test_a_slow_engine_is_waited_for(page: Page, simulated: Server, save_picture) -> None:
    held = []
    page.route("**/candlewire.wasm", lambda route: held.append(route))
    page.goto(f"{simulated.address}/#BTC-USD/1m")
    expect(page.locator("#header-price")).not_to_have_text("–")
    expect(page.locator("#status-state")).to_have_text("Connecting")
    expect(page.locator("#status-pill")).to_be_disabled()
    expect(page.locator("#chart-message-title")).to_have_text("Loading the chart")
    save_picture(page, "desktop-connecting")
    page.set_viewport_size({"width": 390, "height": 844})
    save_picture(page, "phone-connecting")
    held[0].continue_()
    Terminal(page, simulated).wait_until_live()


def test_an_engine_of_another_version_is_refused(page: Page, simulated: Server) -> None:
    # One function, `cw_version`, that returns 1: no layout that this page knows.
    module = bytes.fromhex("0061736d01000000010501600001 7f03020100070e010a63775f76657273696f6e00000a06010400 41010b")
    page.route("**/candlewire.wasm", lambda route: route.fulfill(body=module, content_type="application/wasm"))
    page.goto(f"{simulated.address}/#BTC-USD/1m")
    expect(page.locator("#chart-message-detail")).to_contain_text("The page and its candlewire.wasm are different versions. Reload the page")


def test_the_engine_loads_from_a_server_with_another_media_type(page: Page, simulated: Server) -> None:
    def as_bytes(route) -> None:
        answer = route.fetch()
        route.fulfill(status=200, body=answer.body(), content_type="application/octet-stream")

    page.route("**/candlewire.wasm", as_bytes)
    Terminal(page, simulated).open("BTC-USD/1m")


def test_an_unknown_market_in_the_address_becomes_the_first_one(terminal: Terminal) -> None:
    terminal.open("NO-SUCH/5m", live=False)
    first = terminal.server.get("/v1/markets")["markets"][0]["symbol"]
    terminal.wait_for_selection(first, "5m")
    assert terminal.page.evaluate("location.hash") == f"#{first}/5m"
    said = f"This server has no market “NO-SUCH”. The chart shows {first}."
    note = terminal.page.get_by_role("region", name="Notifications")
    expect(note).to_contain_text(said)
    note.get_by_role("button", name="Choose a market").click()
    expect(terminal.page.locator("#market-filter")).to_be_focused()
    # A known one that is opened later is not remarked upon; an unknown one leaves the chart as it is.
    terminal.page.evaluate("location.hash = '#ETH-USD/1m'")
    terminal.wait_for_selection("ETH-USD", "1m")
    expect(note).not_to_contain_text("has no market")
    terminal.page.evaluate(
        "window.selected = []; candlewire.terminal.addEventListener('select', () => selected.push(location.hash))"
    )
    for unknown in ("NOR-THIS", "NOR-THAT"):
        terminal.page.evaluate("symbol => location.hash = `#${symbol}/5m`", unknown)
        expect(note).to_contain_text(f"This server has no market “{unknown}”. The chart shows ETH-USD.")
        assert terminal.page.evaluate("location.hash") == "#ETH-USD/1m"
    assert terminal.page.evaluate("selected") == []
    # There is one note, and it goes by itself.
    expect(note.locator(".toast")).to_have_count(1)
    expect(note.locator(".toast[data-stays]")).to_have_count(0)


def test_an_unknown_timeframe_in_the_address_becomes_a_minute(terminal: Terminal) -> None:
    terminal.open("ETH-USD/7m", live=False)
    terminal.wait_for_selection("ETH-USD", "1m")


class HeldStream:
    """The server's stream of BTC-USD's minutes without its trades and candles, and with those that a test sends."""

    def __init__(self, page: Page, *, has_bars: bool = True) -> None:
        self._has_bars = has_bars
        self._position: dict = {}
        page.route_web_socket("**/v1/stream", self._connect)

    def _connect(self, socket) -> None:
        self._socket = socket
        socket.connect_to_server().on_message(self._forward)

    def _forward(self, text: str) -> None:
        message = json.loads(text)
        if message["type"] == "snapshot" and message.get("symbol") == "BTC-USD":
            self._position = {key: message[key] for key in ("symbol", "timeframe", "epoch", "offset")}
            text = text if self._has_bars else json.dumps(message | {"candles": []})
        if message["type"] not in ("tick", "candle"):
            self._socket.send(text)

    def restart(self) -> None:
        """The stream begins anew, without bars."""
        self._position |= {"epoch": self._position["epoch"] + "x", "offset": 0}
        self._send(type="snapshot", candles=[])

    def trade(self, price: float) -> None:
        self._position["offset"] += 1
        self._send(type="tick", timestamp=1_700_000_000, price=price, volume=1)

    def _send(self, **message: object) -> None:
        self._socket.send(json.dumps(message | self._position))


def test_a_chart_without_bars_says_so_until_the_first_trade(page: Page, simulated: Server) -> None:
    stream = HeldStream(page, has_bars=False)
    page.goto(f"{simulated.address}/#BTC-USD/1m")
    expect(page.locator("#chart-message-title")).to_have_text("No trades in BTC-USD yet")
    stream.trade(price=5)
    expect(page.locator("#chart-message")).to_be_hidden()


def test_a_failed_first_list_is_said_in_place_of_the_chart(page: Page, simulated: Server, save_picture) -> None:
    fail_until_pressed(page, "#chart-message-button")
    page.goto(simulated.address)
    expect(page.locator("#chart-message-title")).to_have_text("No markets yet")
    expect(page.locator("#chart-message-detail")).to_have_text(
        "The feed is starting. Candlewire retries every 5 seconds."
    )
    expect(page.locator("#more-timeframes-label")).to_have_text("More")
    expect(page.locator("#status-pill")).to_have_attribute("data-state", "open")
    expect(page.locator("#status-state")).to_have_text("Connected")
    expect(page.locator("#status-pill")).to_have_attribute("data-feed", "none")
    save_picture(page, "desktop-no-list")
    page.locator("#chart-message-button").click()
    Terminal(page, simulated).wait_until_live()
    expect(page.locator("#status-state")).to_have_text("Live")


def test_a_failed_list_is_requested_again_by_itself(page: Page, simulated: Server) -> None:
    # It fails until that was seen: the page requests it again when its connection opens, too, which may be at once.
    failing = True
    page.route("**/v1/markets", lambda route: route.abort() if failing else route.continue_())
    page.goto(simulated.address)
    expect(page.locator("#chart-message-title")).to_have_text("No markets yet")
    failing = False
    Terminal(page, simulated).wait_until_live()


def test_a_chart_that_never_had_a_connection_says_so(page: Page, simulated: Server) -> None:
    page.route_web_socket("**/v1/stream", lambda socket: socket.close(code=1001))
    page.goto(f"{simulated.address}/#BTC-USD/1m")
    expect(page.locator("#chart-message-title")).to_have_text("The server can’t be reached")
    expect(page.locator("#chart-message-button")).to_be_visible()


def test_a_new_beginning_without_bars_keeps_the_picture_for_a_moment(terminal: Terminal) -> None:
    page = terminal.page
    stream = HeldStream(page)
    terminal.open("BTC-USD/1m")
    message = page.locator("#chart-message")
    # Looked at in the page, in the same turn: what follows on a busy machine may be too late for the moment.
    page.evaluate(
        """() => candlewire.session.addListener((_, { kind, count }) => {
            if (kind === 'snapshot' && count === 0) {
                const { hidden } = document.getElementById('chart-message');
                window.kept ??= { count: candlewire.chart.engineChart.count, hidden };
            }
        })"""
    )
    stream.restart()
    kept = page.wait_for_function("() => window.kept").json_value()
    assert kept["count"] > 1 and kept["hidden"], "the old picture stays"
    stream.trade(price=5)
    eventually(lambda: terminal.chart("count") == 1, "the first trade begins a new series")
    expect(message).to_be_hidden()
    stream.restart()
    expect(page.locator("#chart-message-title")).to_have_text("No trades in BTC-USD yet")
    expect(message).to_be_visible()
    assert terminal.chart("count") == 0


def test_a_volume_has_two_decimals_always(terminal: Terminal) -> None:
    terminal.open()
    format_all = "async all => { const { formatVolume } = await import('/format.js'); return all.map(formatVolume); }"
    values = [None, 0, 0.0123, 0.5, 12, 335, 45_900, 45_940, 1_234_567]
    texts = ["–", "0.00", "0.01230", "0.5000", "12.00", "335.00", "45.90K", "45.94K", "1.23M"]
    assert terminal.page.evaluate(format_all, values) == texts


def test_the_spoken_change_is_that_of_the_picture(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1h")
    terminal.page.locator("#chart").focus()
    for _ in range(3):
        terminal.page.keyboard.press("ArrowLeft")
    index = terminal.legend()["index"]
    before, bar = terminal.bars()[index - 1 : index + 1]
    percent = (bar["close"] - before["close"]) / before["close"] * 100
    way = "unchanged" if round(abs(percent), 2) == 0 else f"{'up' if percent > 0 else 'down'} {abs(percent):.2f}%"
    assert f", {way} in the bar, " in terminal.page.locator("#legend").inner_text()


def test_a_change_that_is_seen_has_its_shape_and_colour_where_the_percentage_rounds_to_zero(
    page: Page, simulated: Server, save_picture
) -> None:
    def nearly_unchanged(route) -> None:
        answer = route.fetch().json()
        for market in answer["markets"]:
            market |= {"open_24h": market["price"] * 1.00004, "change_24h": market["price"] * -0.00004}
            market |= {"change_percent_24h": -0.004, "precision": 2}
        route.fulfill(json=answer)

    page.route("**/v1/markets", nearly_unchanged)
    page.route_web_socket("**/v1/stream", lambda socket: None)
    page.goto(simulated.address)
    row = page.locator("#market-list [role=option]").first
    expect(row).to_have_attribute("data-direction", "down")
    expect(row.locator(".row-move")).to_have_text(re.compile(r"−[\d.]*[1-9]"))
    expect(row.locator(".row-change")).to_have_text("▼ −0.00%")
    expect(page.locator("#header-change")).to_have_attribute("data-direction", "down")
    expect(page.locator("#header-change")).to_have_text(re.compile(r"^▼ −[\d.]*[1-9][\d.]* \(−0\.00%\)$"))
    expect(page).to_have_title(re.compile("▼"))
    save_picture(page, "change-below-a-hundredth-percent")


def test_a_change_of_zero_is_neither_red_nor_green(page: Page, simulated: Server) -> None:
    def unchanged(route) -> None:
        answer = route.fetch().json()
        answer["markets"] = [
            market | {"open_24h": market["price"], "change_24h": 0, "change_percent_24h": 0}
            for market in answer["markets"]
        ]
        route.fulfill(json=answer)

    page.route("**/v1/markets", unchanged)
    page.route_web_socket("**/v1/stream", lambda socket: None)
    page.goto(simulated.address)
    row = page.locator("#market-list [role=option]").first
    expect(row).to_have_attribute("data-direction", "flat")
    expect(row.locator(".row-change")).to_have_text("● 0.00%")
