"""The first seconds of a visit."""

from playwright.sync_api import expect

from support.terminal import Terminal


def test_the_page_loads_without_errors_or_failed_requests(terminal: Terminal, save_picture) -> None:
    terminal.open()
    terminal.painted()
    save_picture(terminal.page, "desktop-dark")
    assert terminal.page.complaints == []


def test_nothing_is_fetched_from_another_host(terminal: Terminal) -> None:
    hosts = set()
    terminal.page.on("request", lambda request: hosts.add(request.url.split("/")[2]) if "//" in request.url else None)
    terminal.open()
    assert hosts == {f"127.0.0.1:{terminal.server.port}"}


def test_every_market_has_price_change_and_sparkline(terminal: Terminal) -> None:
    terminal.open()
    symbols = [market["symbol"] for market in terminal.server.get("/v1/markets")["markets"]]
    rows = terminal.page.locator("#market-list [role=option]")
    expect(rows).to_have_count(len(symbols))
    for symbol, row in zip(symbols, rows.all(), strict=True):
        assert row.get_attribute("data-symbol") == symbol
        assert float(row.locator(".row-price").inner_text().replace(",", "")) > 0
        # Direction is shown by a sign and a shape, not by colour alone.
        change = row.locator(".row-change").inner_text()
        assert change[0] in "▲▼●" and change.endswith("%"), change
        assert row.locator(".sparkline-line").get_attribute("d").startswith("M")


def test_prices_tick_by_themselves(terminal: Terminal) -> None:
    terminal.open()
    terminal.page.wait_for_function(
        "before => document.getElementById('header-price').textContent !== before",
        arg=terminal.page.locator("#header-price").inner_text(),
    )


def test_the_pill_shows_state_rate_and_latency(terminal: Terminal) -> None:
    terminal.open()
    pill = terminal.page.locator("#status-pill")
    expect(pill).to_have_attribute("data-state", "open")
    terminal.page.wait_for_function(
        r"() => /^[1-9]\d* msg\/s · (<1|\d+) ms$/.test(document.getElementById('status-figures').textContent)"
    )


def test_an_older_market_list_does_not_overrule_the_stream(terminal: Terminal) -> None:
    def quiet(socket) -> None:
        server = socket.connect_to_server()
        moving = ('"type":"tick"', '"type":"candle"')
        server.on_message(lambda text: None if any(kind in text for kind in moving) else socket.send(text))

    def outdated(route) -> None:
        answer = route.fetch().json()
        answer["markets"] = [market | {"price": 1.5, "timestamp": 1} for market in answer["markets"]]
        route.fulfill(json=answer)

    terminal.page.route_web_socket("**/v1/stream", quiet)
    terminal.page.route("**/v1/markets", outdated)
    terminal.open("BTC-USD/1m")
    price = terminal.page.locator("#header-price")
    for _ in range(2):
        expect(price).to_have_text(f"{terminal.legend()['close']:,.2f}")
        expect(terminal.row("ETH-USD").locator(".row-price")).to_have_text("1.50")
        terminal.page.evaluate("candlewire.store.load()")


def test_the_market_list_and_the_header_show_the_same_price(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.wait_for_function(
        "() => document.querySelector('.row[data-symbol=\"BTC-USD\"] .row-price')?.textContent"
        " === document.getElementById('header-price').textContent"
    )


def test_with_a_new_minute_the_change_is_that_of_the_markets_answer(terminal: Terminal) -> None:
    """The 24 hours begin later with each minute; the page does not wait for the next refresh of its list."""
    terminal.open("BTC-USD/1m")

    def later(route) -> None:
        answer = route.fetch().json()
        answer["markets"] = [market | {"open_24h": market["price"] / 2} for market in answer["markets"]]
        route.fulfill(json=answer)

    terminal.page.route("**/v1/markets", later)
    terminal.page.evaluate("candlewire.store.trade('BTC-USD', candlewire.store.markets.get('BTC-USD').price, Date.now() / 1000 + 60)")
    terminal.page.wait_for_function("() => candlewire.store.markets.get('BTC-USD').day.changePercent > 50", timeout=15_000)
