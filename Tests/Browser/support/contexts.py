"""Contexts of the browser that one test after another uses, each of them empty when a test gets it."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

DEFAULTS: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}
# What a page can change by itself; contexts do not differ by it.
MEDIA = ("color_scheme", "reduced_motion")
# How many contexts wait for a test with their options; each has a process of some hundred megabytes.
MOST = 3


class Contexts:
    """The first page of a context starts a process, connects, and compiles all scripts and the module, which takes longer
    than most tests. So contexts outlive their tests, with a first page that stays empty and keeps the process.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        # With the options of each; the one that was used last is the last.
        self._idle: list[tuple[BrowserContext, dict[str, Any]]] = []
        self._lent: list[tuple[BrowserContext, dict[str, Any]]] = []

    def open_page(self, **options: Any) -> Page:
        """A page whose context is no other page's, and has no cookies, permissions and stored data."""
        self._collect()
        media = {name: options.pop(name) for name in MEDIA if name in options}
        viewport = options.pop("viewport", None)
        context = self._take(options)
        self._lent.append((context, options))
        page = context.new_page()
        if viewport:
            page.set_viewport_size(viewport)
        if media:
            page.emulate_media(**media)
        return page

    def close_pages(self) -> None:
        for context, _ in self._lent:
            for page in context.pages[1:]:
                page.close()
        self._collect()

    def close(self) -> None:
        for context, _ in [*self._idle, *self._lent]:
            context.close()

    def _take(self, options: dict[str, Any]) -> BrowserContext:
        for place in reversed(range(len(self._idle))):
            if self._idle[place][1] == options:
                return self._idle.pop(place)[0]
        context = self._browser.new_context(**DEFAULTS, **options)
        context.new_page()
        return context

    def _collect(self) -> None:
        """Empties the contexts whose pages are closed."""
        for entry in [each for each in self._lent if len(each[0].pages) == 1]:
            context = entry[0]
            context.clear_cookies()
            context.clear_permissions()
            session = context.new_cdp_session(context.pages[0])
            session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
            session.detach()
            self._lent.remove(entry)
            self._idle.append(entry)
        while len(self._idle) > MOST:
            self._idle.pop(0)[0].close()
