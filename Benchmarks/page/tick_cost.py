"""What a trade costs the page: calls into the engine and time, in the real page on a scripted stream.

    Benchmarks/page/tick_cost.py

The time is that of one message from the socket to the market list's figures and the chart's bars, without painting:
the best and the median of several rounds, so that another program on the machine spoils few of them.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Browser"))

from playwright.sync_api import sync_playwright  # noqa: E402

from support.crossings import count_calls, count_frame, open_scripted  # noqa: E402
from support.server import Server  # noqa: E402

ROUNDS = 40
TICKS = 1000
TIME = """async ({ ticks, symbol }) => {
    const start = performance.now();
    feed(ticks, symbol);
    const took = performance.now() - start;
    await frame();
    return took * 1000 / ticks;
}"""


def main() -> None:
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    chromium = os.environ.get("CANDLEWIRE_CHROMIUM", "/usr/bin/chromium")
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        server = Server(Path(directory) / "data", flags=("--seed", "7")).start()
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            open_scripted(page, server, is_counting=True)
            for name, symbol in (("charted market", "BTC-USD"), ("listed market", "ETH-USD")):
                calls = count_calls(page, 100, symbol)
                each = ", ".join(f"{key} {count / 100:g}" for key, count in sorted(calls.items()))
                print(f"{name}: {sum(calls.values()) / 100:g} calls a trade ({each})")
            frame = count_frame(page)
            print(f"frame: {sum(frame.values())} calls ({', '.join(f'{k} {v}' for k, v in sorted(frame.items()))})")
            page.close()
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            open_scripted(page, server, is_counting=False)
            for name, symbol in (("charted market", "BTC-USD"), ("listed market", "ETH-USD")):
                times = [page.evaluate(TIME, {"ticks": TICKS, "symbol": symbol}) for _ in range(ROUNDS)]
                print(f"{name}: {min(times):.2f} us a trade (best), {statistics.median(times):.2f} us (median)")
        finally:
            browser.close()
            server.stop()


main()
