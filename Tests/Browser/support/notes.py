"""The notes over the chart's corner, for tests that press a button on one."""

from playwright.sync_api import Page

# A note goes after eight seconds, which a test on a busy machine may need to reach its button.
KEEP = """(() => {
    const setTimer = window.setTimeout;
    window.setTimeout = (work, ...rest) => (String(work).includes('toast.remove') ? 0 : setTimer(work, ...rest));
})()"""


def keep_notes(page: Page) -> None:
    """From the page's next load on, notes stay until they are closed."""
    page.add_init_script(KEEP)
