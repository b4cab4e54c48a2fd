"""The first view of the page as packages have it: how little is asked for, that nothing moves, and what a trade costs. It
counts; `make bench-page` measures."""

import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from support.crossings import open_scripted
from support.server import PACKAGE, Server
from support.terminal import Terminal

sys.path.insert(0, str(PACKAGE / "Scripts/support"))

from packaging_support.page_archive import served  # noqa: E402

# What the page did, from its first moment.
WATCH = """
window.firstView = { shifts: [], compiled: [] };
new PerformanceObserver((list) => {
    firstView.shifts.push(...list.getEntries().filter((each) => !each.hadRecentInput).map(({ value }) => value));
}).observe({ type: 'layout-shift', buffered: true });
for (const name of ['instantiateStreaming', 'instantiate', 'compile', 'compileStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = (...all) => { firstView.compiled.push(name); return original.apply(WebAssembly, all); };
}
"""
# Calls that draw, by the id of the canvas.
COUNT_DRAWING = """
window.drawn = {};
for (const name of ['clearRect', 'fillRect', 'fillText', 'fill', 'stroke', 'drawImage']) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...all) {
        drawn[this.canvas.id] = (drawn[this.canvas.id] ?? 0) + 1;
        return original.apply(this, all);
    };
}
"""


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the page of the packages."""
    folder = tmp_path_factory.mktemp("packaged") / "page"
    for name, content in served(PACKAGE / "Web").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    server = Server(folder.parent / "data", web=folder, flags=("--seed", "7")).start()
    yield server
    server.stop()


def kinds(urls: list[str]) -> list[str]:
    """Files by the part of their names before the hash, other addresses by their paths."""
    return sorted(urlsplit(url).path.rpartition("/")[2].split("-")[0] or "/" for url in urls)


def test_the_first_chart_needs_five_files_and_the_next_visit_one(
    new_page: Callable[..., Page], packaged: Server
) -> None:
    page = new_page(is_kept=False)
    page.add_init_script(WATCH)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    terminal = Terminal(page, packaged).open()
    files = ["/", "candlewire", "main", "style", "theme"]
    assert kinds([url for url in asked if "/v1/" not in url and not url.endswith("/health")]) == files
    assert len([url for url in asked if "/v1/" in url]) <= 3, asked
    assert page.evaluate("firstView.compiled") == ["instantiateStreaming"]
    assert page.complaints == []  # type: ignore[attr-defined]

    # A reload would ask the server; a visit does not.
    page.goto("about:blank")
    asked.clear()
    terminal.open()
    transferred = page.evaluate(
        "performance.getEntriesByType('resource').filter(({ transferSize }) => transferSize > 0).map(({ name }) => name)"
    )
    assert not set(kinds(transferred)) & set(files), transferred
    assert page.evaluate("performance.getEntriesByType('navigation')[0].responseStatus") in (200, 304)


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)], ids=["desktop", "tablet", "phone"])
def test_nothing_moves_while_the_page_fills(
    new_page: Callable[..., Page], packaged: Server, size: tuple[int, int]
) -> None:
    page = new_page(is_kept=False, viewport={"width": size[0], "height": size[1]})
    page.add_init_script(WATCH)
    Terminal(page, packaged).open().wait_until_complete()
    # The last to come: the account, the assistant's button, the latency.
    page.wait_for_function(
        "() => !document.getElementById('dock-figures').hidden && !document.getElementById('chat-toggle').hidden"
        " && document.getElementById('status-figures').textContent.endsWith(' ms')"
    )
    # A figure that gets another digit may move its neighbour by the width of one.
    assert sum(page.evaluate("firstView.shifts")) < 0.001


def test_a_canvas_without_anything_on_it_is_not_touched(page: Page, simulated: Server) -> None:
    """Its pixels would cost as much as the chart's, in memory and in each frame."""
    page.add_init_script(COUNT_DRAWING)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.wait_for_ticks(20)
    terminal.painted()
    drawn = page.evaluate("drawn")
    assert drawn["chart-base"] > 50 and "chart" not in drawn
    terminal.hover(0.4)
    page.wait_for_function("() => drawn.chart > 0")


def test_trades_change_a_row_once_a_frame_and_animate_nothing(page: Page, simulated: Server) -> None:
    open_scripted(page, simulated, is_counting=False)
    counts = page.evaluate(
        """async () => {
            const row = document.querySelector('#market-list [data-symbol="BTC-USD"]');
            const price = row.querySelector('.row-price');
            const before = document.querySelectorAll('*').length;
            const counts = { texts: 0, tints: 0 };
            const watch = new MutationObserver((entries) => entries.forEach(({ type }) => {
                counts[type === 'attributes' ? 'tints' : 'texts'] += 1;
            }));
            watch.observe(price, { childList: true, characterData: true, attributes: true });
            for (let i = 0; i < 10; i += 1) { feed(100); await frame(); }
            counts.animations = document.getAnimations().filter(({ effect }) => row.contains(effect.target)).length;
            counts.elements = document.querySelectorAll('*').length - before;
            counts.isTinted = price.dataset.tint !== undefined;
            return counts;
        }"""
    )
    assert counts["isTinted"] and counts["animations"] == 0 and counts["elements"] == 0
    assert 1 <= counts["texts"] <= 10 and 1 <= counts["tints"] <= 10
    page.wait_for_function("() => document.querySelector('.row-price[data-tint]') === null")
