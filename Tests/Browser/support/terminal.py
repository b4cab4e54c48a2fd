"""The page as the tests see it."""

from typing import Any

from playwright.sync_api import Locator, Page

from support.server import Server

CANDLE = ("timestamp", "open", "high", "low", "close", "volume")


class Terminal:
    """The terminal page of a server. Numbers come from `#legend` (what screen readers get) and from the engine."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server

    def open(self, selection: str = "", *, live: bool = True) -> "Terminal":
        """Loads the page, with `SYMBOL/TIMEFRAME` chosen in its address, and waits until its chart moves."""
        self.page.goto(f"{self.server.address}/{'#' + selection if selection else ''}")
        if live:
            self.wait_until_live()
        return self

    def wait_until_live(self) -> None:
        """Connected, bars in the chart, and the picture painted."""
        self.page.wait_for_function(
            "() => candlewire.session.state === 'open' && candlewire.chart.engineChart?.count > 0"
            " && document.getElementById('legend').dataset.timestamp"
            " && document.getElementById('chart-message').hidden"
        )

    def wait_until_complete(self) -> None:
        """Live, and every stream of the chart and of the market list is delivered."""
        self.wait_until_live()
        self.page.wait_for_function(
            "() => { const { streams, live } = candlewire.session.diagnostics;"
            " return live === streams && streams === candlewire.store.markets.size; }"
        )

    def wait_for_selection(self, symbol: str, timeframe: str) -> None:
        """The legend shows a bar of this stream."""
        self.page.wait_for_function(
            "([symbol, timeframe]) => { const { dataset } = document.getElementById('legend');"
            " return dataset.symbol === symbol && dataset.timeframe === timeframe && dataset.timestamp"
            " && candlewire.chart.engineChart.count > 0; }",
            arg=[symbol, timeframe],
        )
        self.wait_until_live()

    def row(self, symbol: str) -> Locator:
        """The market's row in the list."""
        return self.page.locator(f"#market-list [data-symbol='{symbol}']")

    def painted(self) -> None:
        """Waits for the next two frames: what was requested before is on the canvas then."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def legend(self) -> dict[str, Any]:
        """The bar of the legend: six floats, `index`, `symbol` and `timeframe`."""
        self.painted()
        data = self.page.evaluate("() => ({ ...document.getElementById('legend').dataset })")
        numbers = {name: float(data[name]) for name in CANDLE}
        return numbers | {"index": int(data["index"]), "symbol": data["symbol"], "timeframe": data["timeframe"]}

    def legend_bar(self) -> dict[str, float]:
        """The six numbers of the legend's bar."""
        return {name: value for name, value in self.legend().items() if name in CANDLE}

    def chart(self, member: str) -> Any:
        """A member of the engine's chart, such as `count` or `isFollowing()`."""
        return self.page.evaluate(f"() => candlewire.chart.engineChart.{member}")

    def bars(self) -> list[dict[str, float]]:
        """Every bar in the engine, read in one go."""
        rows = self.page.evaluate(
            "() => { const chart = candlewire.chart.engineChart;"
            " return Array.from({ length: chart.count }, (_, index) => Object.values(chart.bar(index))); }"
        )
        return [dict(zip(CANDLE, row, strict=True)) for row in rows]

    def chart_box(self) -> dict[str, float]:
        box = self.page.locator("#chart").bounding_box()
        assert box is not None
        return box

    def hover(self, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """Puts the mouse over a place of the chart, given as shares of its size; returns page coordinates."""
        box = self.chart_box()
        x, y = box["x"] + box["width"] * across, box["y"] + box["height"] * down
        self.page.mouse.move(x, y)
        return x, y

    def silence(self) -> None:
        """Nothing of the stream reaches the engine any more, but what keeps the connection; what came is painted."""
        self.page.evaluate(
            """async () => {
                const { SessionMachine } = await import('/engine/session-machine.js');
                const received = SessionMachine.prototype.received;
                SessionMachine.prototype.received = function (socket, text, now) {
                    if (text.includes('"pong"')) received.call(this, socket, text, now);
                };
            }"""
        )
        self.painted()

    def freeze(self) -> None:
        """No trade reaches the chart any more, so that only the test changes it; everything else goes on receiving them."""
        self.page.wait_for_function("candlewire.session.machine != null")
        self.page.evaluate("candlewire.session.machine.feed(null, candlewire.chart.engineChart.handle)")
        self.painted()

    def wait_for_ticks(self, count: int) -> None:
        """Waits until the page has received `count` more trades."""
        self.page.evaluate(
            """count => new Promise(done => {
                candlewire.session.addListener((_, { kind }) => kind === 'tick' && --count === 0 && done());
            })""",
            count,
        )

    def drag(self, dx: float) -> None:
        """Drags the chart sideways with the mouse, about its middle, and rests there, so that it is not thrown."""
        x, y = self.hover()
        x -= dx / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + dx / 2, y, steps=5)
        self.page.mouse.move(x + dx, y, steps=5)
        self.page.wait_for_timeout(150)
        self.page.mouse.up()
        self.painted()

    def tab_to(self, selector: str, limit: int = 40) -> None:
        """Presses Tab until the focus is on an element that matches `selector`."""
        for _ in range(limit):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} is not reached by {limit} presses of Tab")
