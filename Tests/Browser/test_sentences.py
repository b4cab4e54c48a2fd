"""What is read aloud of an answer: finished sentences, without the marks of markdown."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from support.server import Server

SAID = """([text, sizes]) => {
    const said = [];
    const feeder = new SentenceFeeder(sentence => said.push(sentence));
    let at = 0;
    for (const size of sizes) {
        feeder.append(text.slice(at, at + size));
        at += size;
    }
    feeder.append(text.slice(at));
    const before = said.length;
    feeder.finish();
    return [said, before];
}"""


@pytest.fixture(scope="module")
def sentences(browser: Browser, simulated: Server) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(f"{simulated.address}/health")
    page.evaluate("async () => Object.assign(window, await import('/consultation/sentences.js'))")
    yield page
    page.close()


@pytest.mark.parametrize(
    ("text", "said", "unfinished"),
    [
        ("BTC is up. ETH is do", ["BTC is up.", "ETH is do"], 1),
        ("It costs 67,234.5 now, e.g. here. Why? ", ["It costs 67,234.5 now, e.g. here.", "Why?"], 1),
        ("**Bold. Still bold.** And `a. B` code. x", ["Bold.", "Still bold.", "And a. B code. x"], 1),
        ("See [the docs. Part 2](https://x.test/a.b). Then go.", ["See the docs. Part 2.", "Then go."], 1),
        ("# Title\nText of\ntwo lines. End\n\n- first\n- second item. More",
         ["Title", "Text of two lines.", "End", "first", "second item.", "More"], 1),
        ("Run:\n\n```swift\nlet a = 1. Then b.\n```\nDone.", ["Run:", "Done."], 1),
        ("~~~\n```\nx. Y\n~~~~\nafter. It", ["after.", "It"], 1),
        ("| Coin | Price |\n|---|--:|\n| **BTC** | 5.1 |\n\nEnd.", ["Coin, Price", "BTC, 5.1", "End."], 1),
        ("> quoted\n> text. So\n\n---\n1. one\n2. two", ["quoted text.", "So", "one", "two"], 0),
        ("価格は上昇。次は？", ["価格は上昇。", "次は？"], 0),
        ("***\n\n```\nnothing to hear", [], 0),
    ],
)  # fmt: skip
def test_finished_sentences_are_said(sentences: Page, text: str, said: list[str], unfinished: int) -> None:
    found, before = sentences.evaluate(SAID, [text, [1] * len(text)])
    assert found == said
    assert len(found) - before <= max(1, unfinished), "finished sentences waited for the end"


PARTS = [
    "Up. ", "Down! ", "word ", "e.g. ", "5.1 ", "`a. B` ", "**b.** ", "[l. M](https://x.test) ", "[", "`", "\n", "\n\n", "- ",
    "# ", "> ", "1. ", "```\n", "| a. B | c |\n", "|---|---|\n", "---\n", "…", "。", "🙂 ",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_how_the_text_is_cut_changes_nothing(sentences: Page, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(30):
        text = "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 200)))
        sizes = [chance.randint(1, 9) for _ in range(len(text))]
        whole, _ = sentences.evaluate(SAID, [text, []])
        assert sentences.evaluate(SAID, [text, sizes])[0] == whole, text


def test_a_text_without_end_is_said_in_parts(sentences: Page) -> None:
    said, before = sentences.evaluate(SAID, ["word " * 100_000, [500] * 999])
    assert before > 700
    assert " ".join(said) == ("word " * 100_000).strip()
    assert max(map(len, said)) <= 600
