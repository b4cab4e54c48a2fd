"""What screen readers announce. A sentence stays in its region for four seconds, so every one is written down."""

from playwright.sync_api import Page

from support.polling import eventually

RECORD = """document.addEventListener('DOMContentLoaded', () => {
    window.everythingSaid = [];
    for (const region of document.querySelectorAll('#announcements, #urgent, #tracker-news')) {
        new MutationObserver(() => region.textContent && window.everythingSaid.push(region.textContent))
            .observe(region, { childList: true, subtree: true, characterData: true });
    }
})"""


def record_speech(page: Page) -> None:
    """Begins to write down what is said, from the page's next load on."""
    page.add_init_script(RECORD)


def forget_speech(page: Page) -> None:
    page.evaluate("() => { window.everythingSaid.length = 0; }")


def was_said(page: Page, words: str) -> None:
    """Waits until something with these words was said, since the page's load or since it was forgotten."""
    eventually(
        lambda: any(words in sentence for sentence in page.evaluate("window.everythingSaid")), f"“{words}” is said"
    )
