"""What the connection's pill says, and every change of it."""

from dataclasses import dataclass

from playwright.sync_api import Page

from support.polling import eventually

# Installed before the page's own scripts: notes each change of the pill's state and of its text, with the time.
WATCH = r"""(() => {
    window.pillHistory = [];
    const note = () => {
        const pill = document.getElementById('status-pill');
        const text = document.getElementById('status-state').textContent;
        const entry = { state: pill.dataset.state, text: text.replace(/ in \d+ s$/, ''), at: Date.now() / 1000 };
        const last = window.pillHistory.at(-1);
        if (!last || last.state !== entry.state || last.text !== entry.text) window.pillHistory.push(entry);
    };
    document.addEventListener('DOMContentLoaded', () => {
        note();
        new MutationObserver(note).observe(document.getElementById('status-pill'),
            { attributes: true, attributeFilter: ['data-state'], childList: true, subtree: true, characterData: true });
    });
})()"""

# Which state may follow which. `open` is left only by a loss, and reached only by an attempt.
ALLOWED = {
    "idle": {"connecting"},
    "connecting": {"open", "waiting"},
    "open": {"waiting"},
    "waiting": {"connecting"},
}

# What each state is called in words.
WORDS = {
    "idle": {"Connecting"},
    "connecting": {"Connecting", "Reconnecting"},
    "open": {"Connected", "Live"},
    "waiting": {"Reconnecting"},
}


@dataclass(frozen=True)
class Shown:
    """What the pill showed from `at` (seconds since 1970) on."""

    state: str
    text: str
    at: float


def watch_pill(page: Page) -> None:
    """Begins to watch, from the page's next load on."""
    page.add_init_script(WATCH)


def pill_history(page: Page) -> list[Shown]:
    return [Shown(**entry) for entry in page.evaluate("window.pillHistory")]


def saw_an_outage(page: Page, within: float) -> None:
    """Waits until the pill has said that the connection is gone. It may be back before anyone can look: the wait for
    the first attempt is drawn from nothing upward."""
    eventually(
        lambda: any(each.state == "waiting" and each.text == "Reconnecting" for each in pill_history(page)),
        "the pill says that the connection is gone",
        within=within,
    )


def faults(history: list[Shown]) -> list[str]:
    """Transitions and words that may not be."""
    found = [f"{each.state} is “{each.text}”" for each in history if each.text not in WORDS.get(each.state, ())]
    states = [
        each
        for each, before in zip(history, [None, *history], strict=False)
        if before is None or each.state != before.state
    ]
    for before, after in zip(states, states[1:], strict=False):
        if after.state not in ALLOWED.get(before.state, ()):
            found.append(f"{before.state} -> {after.state} at {after.at:.3f}")
    return found


def claims_of_life(history: list[Shown], start: float, end: float) -> list[Shown]:
    """What the pill showed between `start` and `end` that a page without a connection must not show."""
    shown = [(each, following.at) for each, following in zip(history, history[1:], strict=False)]
    if history:
        shown.append((history[-1], float("inf")))
    return [each for each, until in shown if each.state == "open" and each.at < end and until > start]
