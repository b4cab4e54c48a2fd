"""The first view of the page that packages have: from the address to the first chart on the screen, on loopback.

    Benchmarks/page/run [--visits 15] [--trace FOLDER]

- cold: a browser's profile that was never here. warm: a profile's fourth visit and later, with files and compiled code kept.
- first chart: the frame that has the first bars is done. Before it, in their order: the document is read, the page's script is
  executed, the module is compiled and has its connection, the bars are in the chart.

`--trace` writes one cold and one warm visit as Chromium's trace, for its developer tools; figures are taken without it.
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Browser"), str(ROOT / "Scripts/support")]

from packaging_support.page_archive import served  # noqa: E402
from playwright.sync_api import Browser, BrowserContext, sync_playwright  # noqa: E402
from support.server import Server, binary  # noqa: E402

CATEGORIES = ["devtools.timeline", "blink.user_timing", "loading", "v8.wasm", "disabled-by-default-v8.cpu_profiler"]
# Marks in the page's own times. The script is a module: it runs once the document is read.
WATCH = """
window.firstView = { shift: 0 };
new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (firstView.shift += value)))
    .observe({ type: 'layout-shift', buffered: true });
document.addEventListener('DOMContentLoaded', () => {
    firstView.script = performance.now();
    const { chart } = candlewire;
    const note = (name) => (firstView[name] ??= performance.now());
    chart.addEventListener('ready', () => note('engine'));
    chart.addEventListener('loaded', () => note('bars'));
    chart.addEventListener('drawn', () => {
        if (!firstView.bars || firstView.drawn) return;
        note('drawn');
        // Behind the frame that this one is part of.
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => note('chart');
            port2.postMessage(0);
        });
    });
});
"""
READ = """() => ({
    ...firstView, document: performance.getEntriesByType('navigation')[0].responseEnd,
    requests: performance.getEntriesByType('resource').filter(({ transferSize }) => transferSize > 0).length + 1,
})"""
STEPS = {
    "document": "document read", "script": "script executed", "engine": "module ready", "bars": "bars in the chart",
    "chart": "first chart on the screen",
}  # fmt: skip
VIEWPORT = {"width": 1440, "height": 900}


def visit(context: BrowserContext, address: str, browser: Browser | None = None, trace: Path | None = None) -> dict[str, float]:
    page = context.new_page()
    page.add_init_script(WATCH)
    if browser and trace:
        browser.start_tracing(page=page, path=str(trace), categories=CATEGORIES)
    page.goto(address)
    page.wait_for_function("() => firstView.chart")
    # Code that was compiled well is kept some moments later.
    page.wait_for_timeout(1500)
    figures = page.evaluate(READ)
    if browser and trace:
        browser.stop_tracing()
    page.close()
    return figures


def print_rows(name: str, visits: list[dict[str, float]]) -> None:
    for key, words in STEPS.items():
        figures = [each[key] for each in visits]
        print(f"    {name:6}{words:28}{statistics.median(figures):8.0f}{min(figures):8.0f}{max(figures):8.0f}")
    requests, shift = (max(each[key] for each in visits) for key in ("requests", "shift"))
    print(f"    {name:6}answers from the server {requests:.0f}, layout shift {shift:.5f}", flush=True)


@contextmanager
def packaged_server(directory: Path) -> Iterator[Server]:
    page = directory / "page"
    for name, content in served(ROOT / "Web").items():
        (page / name).parent.mkdir(parents=True, exist_ok=True)
        (page / name).write_bytes(content)
    server = Server(directory / "data", web=page, flags=("--seed", "7")).start()
    try:
        yield server
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--visits", type=int, default=15)
    parser.add_argument("--trace", type=Path, help="a folder for two traces")
    options = parser.parse_args()
    launch = {
        "executable_path": os.environ.get("CANDLEWIRE_CHROMIUM", "/usr/bin/chromium"),
        "args": ["--no-sandbox"] if os.geteuid() == 0 else [],
    }
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright, packaged_server(Path(name)) as server:
        browser = playwright.chromium.launch(**launch)
        print(
            f"==> first view, Chromium {browser.version}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f},"
            f" server: {binary()}; milliseconds: median, best, worst of {options.visits}"
        )

        def visit_new(trace: Path | None = None, before: int = 0) -> dict[str, float]:
            with browser.new_context(viewport=VIEWPORT) as context:
                for _ in range(before):
                    visit(context, server.address)
                return visit(context, server.address, browser, trace)

        visit_new()
        print_rows("cold", [visit_new() for _ in range(options.visits)])
        # On a disk, as browsers have it: there compiled code is kept, too.
        with playwright.chromium.launch_persistent_context(Path(name) / "profile", viewport=VIEWPORT, **launch) as context:
            for _ in range(3):
                visit(context, server.address)
            print_rows("warm", [visit(context, server.address) for _ in range(options.visits)])
        if options.trace:
            options.trace.mkdir(parents=True, exist_ok=True)
            visit_new(options.trace / "first-view-cold.json")
            visit_new(options.trace / "first-view-warm.json", before=3)
        browser.close()


if __name__ == "__main__":
    main()
