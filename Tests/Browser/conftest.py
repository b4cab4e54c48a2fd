"""Starts the real server and a real Chromium for the tests of this folder.

    make test

`CANDLEWIRE_BIN` names the binary (default: the newest build), `CANDLEWIRE_CHROMIUM` the browser
(default `/usr/bin/chromium`), `CANDLEWIRE_TEST_FONTS` another fontconfig file than the pinned one.
Screenshots land in `artifacts/`: those the tests take, and one of each failure.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from support.contexts import DEFAULTS, Contexts
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
# All pages of a context share one process: a new page finds scripts and module compiled, and no process is made that is
# used for an empty page alone.
FLAGS = ["--renderer-process-limit=1", "--disable-site-isolation-trials"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
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
        page.on("console", self._keep)
        page.on("pageerror", lambda error: self.append(f"uncaught: {error}"))
        page.on("requestfailed", lambda request: self.append(f"failed: {request.url}"))

    def _keep(self, message: ConsoleMessage) -> None:
        # An answer of 400 and above is an error of the console: events of all answers cost more than the page itself.
        if message.type in ("error", "warning"):
            self.append(f"{message.text} {message.location['url']}".strip())


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[Contexts]:
    contexts = Contexts(browser)
    yield contexts
    contexts.close()


@pytest.fixture
def new_page(browser: Browser, contexts: Contexts) -> Iterator[Callable[..., Page]]:
    """Opens pages in contexts of their own; options are those of Playwright's `new_context`. A test that changes the context
    itself, as `page.clock` does, has one that no other test gets: `is_kept=False`.
    """
    with ExitStack() as after:

        def new(*, is_kept: bool = True, **options: object) -> Page:
            if is_kept:
                page = contexts.open_page(**options)
            else:
                page = after.enter_context(browser.new_context(**{**DEFAULTS, **options})).new_page()
            page.context.set_default_timeout(TIMEOUT)
            record_speech(page)
            page.complaints = Complaints()  # type: ignore[attr-defined]
            page.complaints.listen(page)  # type: ignore[attr-defined]
            return page

        yield new
        contexts.close_pages()


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
