"""The drawings on the page as the tests see and make them."""

from typing import Any

from playwright.sync_api import Locator, Page

from support.terminal import Terminal

# Shares of the plot's width and of the price pane's height.
Place = tuple[float, float]


class Board:
    """The drawings of a page that is open. Places are shares of the price pane, so that they fit every size."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.page: Page = terminal.page
        # A new high would move every place while a test measures it.
        self.page.evaluate(
            "() => candlewire.chart.change(chart => chart.panes.setScale(0, chart.panes.scale(0)))"
        )

    def tool(self, name: str) -> Locator:
        """A button of the rail."""
        return self.page.locator("#drawing-tools").get_by_role("button", name=name, exact=True)

    def setting(self, name: str) -> Locator:
        """A button of the selected drawing's bar."""
        return self.page.get_by_role("toolbar", name="Selected drawing").get_by_role("button", name=name, exact=True)

    def at(self, place: Place) -> tuple[float, float]:
        """Page coordinates of a place."""
        box = self.terminal.chart_box()
        plot, pane = self.page.evaluate(
            "() => { const chart = candlewire.chart.engineChart; return [chart.plot(), chart.panes.place(0)]; }"
        )
        return box["x"] + place[0] * plot["width"], box["y"] + pane["top"] + place[1] * pane["height"]

    def market_place(self, place: Place) -> dict[str, float]:
        """What time and price lie there now."""
        x, y = self.at(place)
        box = self.terminal.chart_box()
        found = self.page.evaluate(
            "([x, y]) => candlewire.chart.engineChart.position(x, y)", [x - box["x"], y - box["y"]]
        )
        return {"time": found["time"], "price": found["value"]}

    def point(self, anchor: dict[str, float]) -> tuple[float, float]:
        """Page coordinates of an anchor."""
        box = self.terminal.chart_box()
        found = self.page.evaluate(
            "({ time, price }) => candlewire.chart.engineChart.point(time, price)", anchor
        )
        return box["x"] + found["x"], box["y"] + found["y"]

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
        self.page.mouse.move(*end, steps=3)
        self.page.mouse.up()
        self.terminal.painted()

    def draw(self, name: str, first: Place, second: Place | None = None) -> dict[str, Any]:
        """Draws with the mouse: chooses the tool, then presses once or drags. Returns the new drawing."""
        self.tool(name).click()
        if second is None:
            self.page.mouse.click(*self.at(first))
            self.terminal.painted()
        else:
            self.drag(self.at(first), self.at(second))
        return self.entries()[-1]

    def entries(self) -> list[dict[str, Any]]:
        """Every drawing, from the lowest to the topmost one: as the engine's document has it, with its number."""
        return self.page.evaluate(
            """() => {
                const { drawings } = candlewire.chart.engineChart;
                const { drawings: described } = JSON.parse(drawings.save());
                return drawings.all.map((entry, index) => ({ ...entry, anchors: described[index].anchors }));
            }"""
        )

    def stored(self, symbol: str) -> str | None:
        """What the browser keeps of a symbol, after what is waiting was written."""
        return self.page.evaluate(
            """symbol => {
                dispatchEvent(new Event('pagehide'));
                return localStorage.getItem(`candlewire.drawings:${symbol}`);
            }""",
            symbol,
        )

    @property
    def selection(self) -> int:
        return self.page.evaluate("candlewire.chart.engineChart.drawings.selection")

    @property
    def current_tool(self) -> str | None:
        return self.page.evaluate("candlewire.chart.engineChart.drawings.tool")
