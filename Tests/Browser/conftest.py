"""Starts the real server and a real Chromium for the tests of this folder.

    make test

`CANDLEWIRE_BIN` names the binary (default: the newest build), `CANDLEWIRE_CHROMIUM` the browser
(default `/usr/bin/chromium`), `CANDLEWIRE_TEST_FONTS` another fontconfig file than the pinned one.
Screenshots land in `artifacts/`: those the tests take, and one of each failure.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from support.secrets import no_secret_in_logs  # noqa: F401
from support.server import Server
from support.spoken import record_speech
from support.terminal import Terminal

ARTIFACTS = Path(__file__).parent / "artifacts"
# Milliseconds for whatever a page is to do. A machine that has much else to do may need them; who passes never waits so
# long.
TIMEOUT = 60_000
expect.set_options(timeout=TIMEOUT)
CHROMIUM = os.environ.get("CANDLEWIRE_CHROMIUM", "/usr/bin/chromium")
FONTS = os.environ.get("CANDLEWIRE_TEST_FONTS", str(Path(__file__).parent / "support" / "fonts.conf"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=CHROMIUM, args=flags, env={**os.environ, "FONTCONFIG_FILE": FONTS}
        )
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One simulated market for all tests that do not stop it."""
    server = Server(tmp_path_factory.mktemp("simulated") / "data", flags=("--seed", "7")).start()
    yield server
    server.stop()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers of a test's own; they are stopped after it."""
    servers: list[Server] = []

    def start(**options: object) -> Server:
        servers.append(Server(tmp_path / f"data-{len(servers)}", **options))
        return servers[-1].start()

    yield start
    for server in servers:
        server.stop()


class Complaints(list[str]):
    """Console errors, uncaught exceptions and failed requests of a page, in their order."""

    def listen(self, page: Page) -> None:
        page.on("console", lambda message: message.type in ("error", "warning") and self.append(message.text))
        page.on("pageerror", lambda error: self.append(f"uncaught: {error}"))
        page.on("requestfailed", lambda request: self.append(f"failed: {request.url}"))
        page.on(
            "response", lambda response: response.status >= 400 and self.append(f"{response.status} {response.url}")
        )


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages in contexts of their own; options are those of Playwright's `new_context`."""
    contexts: list[BrowserContext] = []

    def new(**options: object) -> Page:
        defaults = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}
        contexts.append(browser.new_context(**{**defaults, **options}))
        contexts[-1].set_default_timeout(TIMEOUT)
        page = contexts[-1].new_page()
        record_speech(page)
        page.complaints = Complaints()  # type: ignore[attr-defined]
        page.complaints.listen(page)  # type: ignore[attr-defined]
        return page

    yield new
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()


@pytest.fixture
def terminal(page: Page, simulated: Server) -> Terminal:
    """The page of the shared simulated market, not yet loaded."""
    return Terminal(page, simulated)


@pytest.fixture
def save_picture(request: pytest.FixtureRequest) -> Callable[[Page, str], Path]:
    """Saves a screenshot under a name that a person will look for."""

    def save(page: Page, name: str) -> Path:
        ARTIFACTS.mkdir(exist_ok=True)
        path = ARTIFACTS / f"{name}.png"
        page.screenshot(path=path)
        return path

    return save


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    page = getattr(item, "funcargs", {}).get("page")
    if report.when == "call" and report.failed and page is not None and not page.is_closed():
        ARTIFACTS.mkdir(exist_ok=True)
        page.screenshot(path=ARTIFACTS / f"failed-{re.sub(r'[^a-z0-9]+', '-', item.name.lower())}.png")
        report.sections.append(("page", "\n".join(page.complaints) or "no complaints"))
    return report
