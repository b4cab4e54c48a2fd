"""What goes over the page's sockets."""

import json
from collections import Counter
from typing import Any

from playwright.sync_api import Page

# Kept in the page, so that what was read and what was done are in one order: events would come to Python later.
RECORD = """(() => {
    window.frameLog = { sent: [], received: [], sockets: 0 };
    const keep = (log, text) => text.includes('"channel"') || log.push(text);
    window.WebSocket = class extends WebSocket {
        constructor(...all) {
            super(...all);
            frameLog.sockets += 1;
            this.addEventListener('message', ({ data }) => keep(frameLog.received, data));
        }
        send(data) {
            keep(frameLog.sent, data);
            super.send(data);
        }
    };
})()"""


class Frames:
    """Every text frame of the page's market streams, both ways, without those of its channels. To be made before the
    page is loaded.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        page.add_init_script(RECORD)

    @property
    def sent(self) -> list[dict[str, Any]]:
        return self._all("sent")

    @property
    def received(self) -> list[dict[str, Any]]:
        return self._all("received")

    @property
    def sockets(self) -> int:
        """Sockets that the page has made, whether or not they opened."""
        return self._page.evaluate("frameLog.sockets")

    def _all(self, way: str) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self._page.evaluate(f"frameLog.{way}")]

    def clear(self) -> None:
        self._page.evaluate("() => { frameLog.sent.length = 0; frameLog.received.length = 0; }")

    def snapshots(self) -> Counter[str]:
        """How many snapshots each stream got, by `SYMBOL/TIMEFRAME`."""
        texts = self._page.evaluate("frameLog.received.filter(text => text.includes('\"type\":\"snapshot\"'))")
        return Counter("{symbol}/{timeframe}".format(**json.loads(text)) for text in texts)
