"""Drives Chromium through the rows of `measure.js` and prints the table. See `run`."""

import argparse
import contextlib
import http.server
import os
import platform
import statistics
import threading
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"web": ROOT / "Web", "peers": ROOT / ".build/charts/peers", "bench": Path(__file__).parent}
TITLES = {"candlewire": "candlewire", "lightweight": "Lightweight Charts", "floor": "hand-written loop"}
CHROMIUM = os.environ.get("CANDLEWIRE_CHROMIUM", "/usr/bin/chromium")


class Files(http.server.SimpleHTTPRequestHandler):
    """The three folders, on loopback, isolated so that the browser's clock is exact to 5 microseconds."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def translate_path(self, path: str) -> str:
        folder, _, rest = path.lstrip("/").partition("/")
        base = FOLDERS.get(folder)
        target = (base / rest).resolve() if base else ROOT / "missing"
        return str(target if base and target.is_relative_to(base.resolve()) else ROOT / "missing")

    def end_headers(self) -> None:
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def fresh_page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 700}, device_scale_factor=2)
    try:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/bench/index.html")
        page.wait_for_function("() => Boolean(window.run)")
        yield page
    finally:
        context.close()


def measure(browser: Browser, address: str, name: str, count: int, pictures: Path | None) -> dict:
    """Figures in milliseconds, `heap` in bytes after the garbage is gone."""
    with fresh_page(browser, address) as page:
        first = page.evaluate("([name, count]) => window.first(name, count)", [name, count])
    with fresh_page(browser, address) as page:
        figures = page.evaluate("([name, count]) => window.run(name, count)", [name, count])
        figures["first"] = [first]
        if pictures:
            page.evaluate("count => window.chart.show(count)", count)
            page.screenshot(path=pictures / f"{name}-{count}.png")
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        usage = session.send("Runtime.getHeapUsage")
        # What JavaScript holds and the array buffers behind it; WebAssembly's memory is not among those.
        figures["heap"] = usage["usedSize"] + usage["backingStorageSize"] + figures["wasm"]
        return figures


def rows_of(count: int) -> list[tuple[str, str]]:
    return [
        ("first", f"first {count:,} bars of a page, to the frame"),
        ("set", f"set {count:,} bars once it is warm, to the frame"),
        ("pan 200", "pan step, 200 visible"),
        ("pan all", "pan step, all visible"),
        ("update 200", "streaming update, 200 visible"),
        ("update all", "streaming update, all visible"),
        ("crosshair", "crosshair move, 200 visible"),
        ("100 updates", "100 updates at once, 200 visible"),
        ("100 updates, studies", "  the same with RSI, MACD and Bollinger"),
    ]


def table(count: int, results: dict[str, list[dict]]) -> None:
    names = list(results)
    print(f"\n==> {count:,} bars, milliseconds: median (best), in brackets how many times ours")
    print(f"    {'':46}" + "".join(f"{TITLES[name]:>30}" for name in names))
    for key, title in rows_of(count):
        if not any(key in result for result in results[names[0]]):
            continue
        ours = None
        line = f"    {title:46}"
        for name in names:
            figures = [figure for result in results[name] for figure in result.get(key, [])]
            if not figures:
                line += f"{'–':>30}"
                continue
            median = statistics.median(figures)
            ours = ours or median
            ratio = "" if name == names[0] else f" [{median / ours:.2f}]"
            cell = f"{median:.2f} ({min(figures):.2f}){ratio}"
            line += f"{cell:>30}"
        print(line)
    line = f"    {'heap afterwards, MB':46}"
    for name in names:
        heap = statistics.median(result["heap"] for result in results[name]) / 1e6
        line += f"{heap:>30.1f}"
    print(line)
    empty = [figure for name in names for result in results[name] for figure in result["empty frame"]]
    print(f"    (a frame in which nothing is drawn takes {statistics.median(empty):.2f} ms of each figure)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pictures", type=Path, help="a folder for a screenshot of each, all bars in view")
    parser.add_argument("--only", help="one of " + ", ".join(TITLES))
    options = parser.parse_args()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    names = [options.only] if options.only else list(TITLES)
    if "lightweight" in names and not (FOLDERS["peers"] / "lightweight-charts.js").is_file():
        print("Lightweight Charts cannot be downloaded: without it")
        names.remove("lightweight")

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        print(
            f"==> Chromium {browser.version}, {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f};"
            " 1200 x 700 CSS pixels, two device pixels each",
            flush=True,
        )
        for count in (int(size) for size in options.sizes.split(",")):
            results: dict[str, list[dict]] = {name: [] for name in names}
            for turn in range(options.rounds):
                # Another one begins each time.
                for name in names[turn % len(names) :] + names[: turn % len(names)]:
                    results[name].append(measure(browser, address, name, count, options.pictures))
            table(count, results)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
