"""A connection that is dead without a word: nothing arrives, and nothing says so."""

import json

from playwright.sync_api import Page, WebSocketRoute, expect

from support.comparison import assert_no_hole
from support.pill import faults, pill_history, saw_an_outage, watch_pill
from support.server import Server
from support.terminal import Terminal


class Line:
    """The network between page and server, which can go dead; connections made later are well."""

    def __init__(self, page: Page) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.dead: set[int] = set()
        self.pings_into_the_void = 0
        page.route_web_socket("**/v1/stream", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        number = len(self.sockets)
        self.sockets.append(socket)
        server = socket.connect_to_server()

        def up(text: str) -> None:
            if number not in self.dead:
                server.send(text)
            elif json.loads(text)["action"] == "ping":
                self.pings_into_the_void += 1

        def down(text: str) -> None:
            if number not in self.dead:
                socket.send(text)

        socket.on_message(up)
        server.on_message(down)

    def go_dead(self) -> None:
        self.dead.add(len(self.sockets) - 1)


def test_a_dead_connection_is_noticed_by_the_heartbeat(page: Page, simulated: Server) -> None:
    line = Line(page)
    watch_pill(page)
    terminal = Terminal(page, simulated).open("BTC-USD/1s")
    line.go_dead()
    # Five seconds to the next ping, eight for its answer; nothing else would show it.
    saw_an_outage(page, within=60)
    assert line.pings_into_the_void == 1
    assert "Last problem: no answer to a ping" in page.locator("#status-pill").get_attribute("title")
    expect(page.locator("#status-state")).to_have_text("Live")
    assert len(line.sockets) == 2
    terminal.wait_until_live()
    terminal.wait_for_ticks(3)
    assert_no_hole(terminal, "BTC-USD", "1s")
    assert faults(pill_history(page)) == []
    # The server was there all the time and remembers what the page missed: no snapshot was needed.
    assert page.evaluate("candlewire.session.diagnostics.recovered") >= 1
    assert page.evaluate("candlewire.session.diagnostics.reloaded") == 0


def test_the_networks_return_pings_a_dead_connection_at_once(page: Page, simulated: Server) -> None:
    line = Line(page)
    watch_pill(page)
    Terminal(page, simulated).open("BTC-USD/1m")
    line.go_dead()
    page.evaluate("() => { dispatchEvent(new Event('offline')); dispatchEvent(new Event('online')); }")
    # Three seconds for the answer to a ping sent at once; eight where one happens to be on its way.
    saw_an_outage(page, within=60)
    expect(page.locator("#status-state")).to_have_text("Live")
    assert len(line.sockets) == 2
