"""Markdown of the assistant: what becomes of it, in pieces as in one, and what it costs."""

import random
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from support.server import Server

# One text in random pieces of at most `most` characters; after every piece it must look as if it had come at once.
SPLIT = """({ text, sizes, looks }) => {
    const view = fresh();
    let at = 0;
    for (const [index, size] of sizes.entries()) {
        view.append(text.slice(at, at + size));
        at += size;
        if (looks.includes(index)) {
            const whole = fresh();
            whole.append(text.slice(0, at));
            if (view.element.innerHTML !== whole.element.innerHTML) {
                return { at, pieces: view.element.innerHTML, whole: whole.element.innerHTML };
            }
        }
    }
    view.append(text.slice(at));
    view.finish();
    const whole = fresh();
    whole.append(text);
    whole.finish();
    return view.element.innerHTML === whole.element.innerHTML ? null
        : { at, pieces: view.element.innerHTML, whole: whole.element.innerHTML };
}"""

SETUP = """async () => {
    const { MarkdownView } = await import('/consultation/markdown/markdown-view.js');
    window.fresh = () => {
        const element = document.createElement('div');
        const view = new MarkdownView(element);
        view.element = element;
        return view;
    };
    window.shown = text => {
        const view = fresh();
        view.append(text);
        view.finish();
        return view.element.innerHTML;
    };
}"""


@pytest.fixture(scope="module")
def markdown(browser: Browser, simulated: Server) -> Iterator[Page]:
    """One page for all tests: each makes views of its own."""
    page = browser.new_page()
    page.goto(f"{simulated.address}/health")
    page.evaluate(SETUP)
    yield page
    page.close()


def shown(markdown: Page, text: str) -> str:
    return markdown.evaluate("text => shown(text)", text)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Hello, *you*", "<p>Hello, <em>you</em></p>"),
        ("a\nb\n\nc", "<p>a\nb</p><p>c</p>"),
        ("a  \nb\\\nc", "<p>a<br>b<br>c</p>"),
        ("a\r\n\r\nb", "<p>a</p><p>b</p>"),
        ("**a *b* c** ***d*** ~~e~~", "<p><strong>a <em>b</em> c</strong> <em><strong>d</strong></em> <del>e</del></p>"),
        ("snake_case_name 5 * 3 * 2 **", "<p>snake_case_name 5 * 3 * 2 **</p>"),
        ("**not closed", "<p>**not closed</p>"),
        (r"\*a\* \q", r"<p>*a* \q</p>"),
        ("`a*b*` ``c`d`` ` e ` `open", "<p><code>a*b*</code> <code>c`d</code> <code>e</code> `open</p>"),
        ("AT&amp;T &lt;b> &copy;", "<p>AT&amp;T &lt;b&gt; &amp;copy;</p>"),
        ("a\n***\nb", "<p>a</p><hr><p>b</p>"),
        ("It was\n1986. A great year", "<p>It was\n1986. A great year</p>"),
        ("> a\nb\n> - c\n\nd", "<blockquote><p>a\nb</p><ul><li><p>c</p></li></ul></blockquote><p>d</p>"),
        ("* a\n* b\n+ c", "<ul><li><p>a</p></li><li><p>b</p></li></ul><ul><li><p>c</p></li></ul>"),
        ("3. a\n4. b", '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'),
        ("- a\n\n  b\n  - c\n    - d\n- e",
         "<ul><li><p>a</p><p>b</p><ul><li><p>c</p><ul><li><p>d</p></li></ul></li></ul></li><li><p>e</p></li></ul>"),
        ("1. a\n   - b\n   - c\n2. d",
         "<ol><li><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></li><li><p>d</p></li></ol>"),
        (">\n> a\n>\n> b\n", "<blockquote><p>a</p><p>b</p></blockquote>"),
        ("-\n  a\n- \n", "<ul><li><p>a</p></li><li></li></ul>"),
        ("- a\nlazy\n\nb", "<ul><li><p>a\nlazy</p></li></ul><p>b</p>"),
    ],
)  # fmt: skip
def test_markdown_becomes_elements(markdown: Page, text: str, html: str) -> None:
    assert shown(markdown, text) == html


def test_headings_stand_below_the_panel_and_skip_no_level(markdown: Page) -> None:
    """“## A” at the beginning is the first level of an answer, whatever it is called there."""
    levels = "text => { const view = fresh(); view.append(text); return [...view.element.children].map(e => [e.localName, e.textContent]); }"
    assert markdown.evaluate(levels, "## A\n#### B ##\n# C\n### D\n#hash\n") == [
        ["h3", "A"], ["h4", "B"], ["h3", "C"], ["h4", "D"], ["p", "#hash"],
    ]  # fmt: skip


def test_tables_are_tables(markdown: Page) -> None:
    found = markdown.evaluate(
        """text => {
            const view = fresh();
            view.append(text);
            const rows = [...view.element.querySelectorAll('tr')];
            return [rows.map(row => [...row.cells].map(cell => [cell.localName, cell.innerHTML, cell.dataset.align ?? ''])),
                [...view.element.children].map(({ localName }) => localName)];
        }""",
        "See:\n| a | **b** |\n|:--|--:|\n| 1 | `x\\|y` |\n| 2\n| 3 | 4 | 5 |\nafter",
    )
    assert found == [
        [
            [["th", "a", "left"], ["th", "<strong>b</strong>", "right"]],
            [["td", "1", "left"], ["td", "<code>x|y</code>", "right"]],
            [["td", "2", "left"], ["td", "", "right"]],
            [["td", "3", "left"], ["td", "4 | 5", "right"]],
        ],
        ["p", "div", "p"],
    ]


def test_code_keeps_every_character_and_can_be_copied(markdown: Page) -> None:
    code = "if a < b:\n\n\treturn '**x**'\n  ``\n"
    markdown.context.grant_permissions(["clipboard-read", "clipboard-write"])
    markdown.evaluate(
        "text => { const view = fresh(); document.body.replaceChildren(view.element); view.append(text); view.finish(); }",
        f"- item\n\n  ```python title\n{''.join(f'  {line}' if line.strip() else line for line in code.splitlines(True))}  ```\n",
    )
    assert markdown.evaluate("document.querySelector('li .md-code code').textContent") + "\n" == code
    assert markdown.locator(".md-bar span").inner_text() == "python"
    markdown.get_by_role("button", name="Copy").focus()
    markdown.keyboard.press("Enter")
    markdown.get_by_role("button", name="Copied").wait_for()
    assert markdown.evaluate("navigator.clipboard.readText()") + "\n" == code


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](https://x.test/p?q=1&amp;r=2 \"title\")", [["https://x.test/p?q=1&r=2", "a"]]),
        ("See https://x.test/a_(b). Or <mailto:a@x.test>!", [["https://x.test/a_(b)", "https://x.test/a_(b)"],
                                                               ["mailto:a@x.test", "mailto:a@x.test"]]),
        ("[https://bank.test](https://x.test)", [["https://x.test/", "https://bank.test"]]),
        ("![chart](https://x.test/i.png)", [["https://x.test/i.png", "chart"]]),
        ("[a [b](https://x.test) c](https://y.test)", [["https://x.test/", "b"], ["https://y.test/", "https://y.test"]]),
        ("[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](//x.test) [e](vbscript:x)", []),
        ("[a](&#106;avascript:alert(1)) [b](<java\tscript:alert(1)>) [c](\x01javascript:alert(1)) <javascript:alert(1)>", []),
        ("[a](file:///etc/passwd) [b](/v1/orders) [c](blob:https://x.test/1)", []),
    ],
)  # fmt: skip
def test_links_lead_to_the_web_and_nowhere_else(markdown: Page, text: str, links: list[list[str]]) -> None:
    found = markdown.evaluate(
        """text => {
            const holder = document.createElement('div');
            holder.innerHTML = shown(text);
            return [...holder.querySelectorAll('a')].map(a => [a.href, a.textContent, a.rel.includes('noopener'), a.title === a.href]);
        }""",
        text,
    )
    assert [link[:2] for link in found] == links
    assert all(link[2:] == [True, True] for link in found)


HOSTILE = """
<script>window.stolen = 1</script><img src=x onerror="window.stolen = 1"><svg onload=alert(1)>
<a href="javascript:window.stolen=1">x</a> <iframe src="//evil.test"></iframe> <!-- <style>*{display:none}</style>
![x](https://evil.test/pixel.png) [x]("onmouseover=window.stolen=1) `</code><script>window.stolen=1</script>`

```html" onmouseover="window.stolen=1
</code></pre><script>window.stolen = 1</script>
```

| <b>a</b> | <script>window.stolen=1</script> |
|---|---|
| <img src=x onerror=window.stolen=1> | ![y](http://evil.test/y.gif) |
"""


def test_nothing_in_a_message_runs_or_loads(markdown: Page) -> None:
    requested: list[str] = []
    markdown.on("request", lambda request: requested.append(request.url))
    names = markdown.evaluate(
        """async text => {
            const view = fresh();
            document.body.replaceChildren(view.element);
            for (const each of text) view.append(each);
            view.finish();
            await new Promise(resolve => setTimeout(resolve, 100));
            const all = [...view.element.querySelectorAll('*')];
            return [[...new Set(all.map(e => e.localName))].sort(), [...new Set(all.flatMap(e => e.getAttributeNames()))].sort(),
                window.stolen ?? null, view.element.textContent.includes('<script>window.stolen = 1</script>')];
        }""",
        HOSTILE,
    )
    assert names == [
        ["a", "button", "code", "div", "p", "pre", "span", "table", "tbody", "td", "th", "thead", "tr"],
        ["aria-label", "class", "href", "rel", "role", "scope", "tabindex", "target", "title", "type"],
        None,
        True,
    ]
    assert requested == []


WORDS = [
    "word", "BTC-USD", "67,234.5", "**", "*", "_", "__", "~~", "`", "``", "[", "](", "](https://x.test)", ")", "![", "<",
    "https://x.test/a?b=c", "\\", "\\|", "&amp;", "&", "|", " | ", "é🙂", "👩‍👩‍👧", ".", "!", "javascript:x", "  ", "\t",
]  # fmt: skip
STARTS = [
    "", "", "", "# ", "### ", "- ", "* ", "+ ", "1. ", "2) ", "> ", ">", "  - ", "    - ", "   1. ", "---", "***", "```",
    "```swift", "~~~", "| a | b |\n|---|:-:|\n", "| ", "|--|--|", "   ", "\t", "=====", "-", "1", "12.",
]  # fmt: skip


def text_of(chance: random.Random, lines: int) -> str:
    made = []
    for _ in range(lines):
        starts = "".join(chance.choice(STARTS) for _ in range(chance.choice([1, 1, 1, 2, 3])))
        made.append(starts + " ".join(chance.choice(WORDS) for _ in range(chance.randint(0, 9))))
        made.append(chance.choice(["\n", "\n", "\n\n", "\r\n", ""]))
    return "".join(made)


@pytest.mark.parametrize("seed", range(4))
def test_pieces_give_what_the_whole_gives(markdown: Page, seed: int) -> None:
    """Also in between: after each piece the page shows what it would show had the same come at once."""
    for number in range(20):
        chance = random.Random(f"{seed}/{number}")
        text = text_of(chance, chance.randint(1, 40))
        if number % 10 == 9:
            # Longer than a line and a block are read at once.
            text += "".join(chance.choice([*WORDS, " "]) for _ in range(2500)) + "\n" + text
        sizes: list[int] = []
        most = chance.choice([1, 3, 12, 80])
        while sum(sizes) < len(text):
            sizes.append(chance.randint(1, most))
        looks = sorted(chance.sample(range(len(sizes)), min(len(sizes), 40)))
        found = markdown.evaluate(SPLIT, {"text": text, "sizes": sizes, "looks": looks})
        assert found is None, f"{seed}/{number}: {text!r}"


def test_every_split_in_two_gives_the_same(markdown: Page) -> None:
    text = "# T\n- a **b**\n  1. c\n\n> q\n```js\nx\n```\n| a | b |\n|--|--|\n| 1 | 2 |\nend [l](https://x.test) 🙂\n"
    for at in range(len(text)):
        assert markdown.evaluate(SPLIT, {"text": text, "sizes": [at], "looks": [0]}) is None


# What 2, then 4 times as many pieces of an answer cost.
COUNT = """async ({ head, unit, length, size, times }) => {
    const count = async repeats => {
        const view = fresh();
        document.body.replaceChildren(view.element);
        let changes = 0;
        const observer = new MutationObserver(records => changes += records.length);
        observer.observe(view.element, { childList: true, subtree: true, characterData: true, attributes: true });
        const source = head + unit.repeat(Math.ceil(length * repeats / unit.length));
        let appended = 0;
        for (let at = 0; at < source.length; at += size) {
            view.append(source.slice(at, at + size));
            appended += 1;
        }
        changes += observer.takeRecords().length;
        return { appended, changes, read: view.charactersRead, text: view.text.length };
    };
    return Promise.all(times.map(count));
}"""


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("", "Some words **and more** of them, about BTC-USD.\n\nAnother paragraph with `code`.\n\n"),
        ("", "- an item of a long list\n  - and one in it\n"),
        ("```\n", "    let line = 1 // of code that never ends\n"),
        ("| a | b | c |\n|---|---|--:|\n", "| a cell | another | 42 |\n"),
        ("", "one paragraph whose lines go on and on *and* on\n"),
        ("", "one line that goes on and on *and* on "),
    ],
    ids=["paragraphs", "list", "code", "table", "paragraph", "line"],
)
def test_a_piece_costs_the_same_however_long_the_answer_is(markdown: Page, head: str, unit: str) -> None:
    """10,000 pieces, and 20,000: twice the changes of the page, twice the characters read."""
    once, twice = markdown.evaluate(COUNT, {"head": head, "unit": unit, "length": 40_000, "size": 4, "times": [1, 2]})
    assert once["appended"] >= 10_000
    assert once["changes"] < 3 * once["appended"]
    assert twice["changes"] < 2.1 * once["changes"]
    # A block is read again while it is open, but no more than two thousand characters of it and as many of its line.
    assert once["read"] < 4000 * once["appended"]
    assert twice["read"] < 2.2 * once["read"]


def test_finished_blocks_are_never_touched(markdown: Page) -> None:
    changed = markdown.evaluate(
        """() => {
            const view = fresh();
            const finished = '# Title\\n\\nText **bold**\\n\\n- a\\n- b\\n\\n```\\ncode\\n```\\n\\n| a |\\n|---|\\n| 1 |\\n\\n';
            view.append(finished);
            const nodes = [...view.element.children];
            const observer = new MutationObserver(() => {});
            const options = { childList: true, subtree: true, characterData: true, attributes: true };
            nodes.forEach(node => observer.observe(node, options));
            for (const each of 'And *then* more text\\n\\n- c\\n- d\\n\\n```js\\nlet x\\n') view.append(each);
            view.finish();
            return [observer.takeRecords().length, nodes.every((node, i) => view.element.children[i] === node)];
        }"""
    )
    assert changed == [0, True]


def test_what_is_written_now_keeps_its_nodes(markdown: Page) -> None:
    """A selection in the paragraph that still grows must not be lost with each word."""
    kept = markdown.evaluate(
        """() => {
            const view = fresh();
            view.append('- first **bold** wor');
            const paragraph = view.element.querySelector('p');
            const [text, bold, last] = paragraph.childNodes;
            view.append('d and more, `co');
            view.append('de` and');
            const now = view.element.querySelector('p');
            return [now === paragraph, [...now.childNodes].slice(0, 3).every((node, i) => node === [text, bold, last][i]), now.innerHTML];
        }"""
    )
    assert kept == [True, True, "first <strong>bold</strong> word and more, <code>code</code> and"]


def test_a_line_that_ends_keeps_its_nodes(markdown: Page) -> None:
    text = "- a\n- bcd\n  1. efg\n\nhij\n\n> klm\n\n## nop\n| q | r |\n|---|---|\n| st | uv |\n| wx | yz |\n```\nab\ncd\n"
    lost = markdown.evaluate(
        """text => {
            const view = fresh();
            const seen = [];
            for (const each of text) {
                view.append(each);
                for (const node of view.element.querySelectorAll('li, p, h3, tr, pre')) seen.includes(node) || seen.push(node);
            }
            view.finish();
            return seen.filter(node => !view.element.contains(node)).map(node => node.outerHTML);
        }""",
        text,
    )
    # What is a paragraph until the line under it makes it a table's head.
    assert lost == ["<p>| q | r |</p>"]


def test_marks_without_their_end_yet_do_not_flicker(markdown: Page) -> None:
    """While it grows, no mark is shown that is gone with the next character."""
    texts = markdown.evaluate(
        """text => {
            const view = fresh();
            return [...text].map(each => { view.append(each); return view.element.textContent; });
        }""",
        "Buy **low**, `sell` *high* [here](https://x.test/a)\n- a\n",
    )
    assert not [text for text in texts if any(mark in text for mark in "*`(-")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("no newline", "x " * 500_000),
        ("no space", "x" * 1_000_000),
        ("nested lists", "".join("  " * depth + "- x\n" for depth in range(400))),
        ("nested items in a line", "- " * 100_000 + "x"),
        ("nested quotes", ">" * 200_000 + "x\n" * 2000),
        ("open emphasis", "*a _b " * 60_000),
        ("closing emphasis", "a* b_ " * 60_000),
        ("open brackets", "[" * 200_000),
        ("open links", "](" * 100_000 + "[a](" * 50_000),
        ("backticks", " ".join("`" * (count % 300) for count in range(2000))),
        ("pipes", "|" * 100_000 + "\n" + "|-" * 50_000 + "\n" + "| a " * 5000),
        ("wide table", "|a" * 900 + "\n" + "|-" * 900 + "\n" + "|b\n" * 300),
        ("rules", "- - " * 100_000 + "\n" + "---\n" * 10_000),
        ("fences", "```\n" * 20_000),
        ("entities and angles", "&lt;<https://" * 30_000),
        ("lone surrogates", "\\ud83d" * 1000),
    ],
)
def test_hostile_text_costs_no_more_than_other_text(markdown: Page, name: str, text: str) -> None:
    """In 2,000 pieces; the bound is per piece, and generous: what it must not be is the square of the length."""
    found = markdown.evaluate(
        """async text => {
            const view = fresh();
            document.body.replaceChildren(view.element);
            const size = Math.ceil(text.length / 2000);
            const started = performance.now();
            let pieces = 0;
            for (let at = 0; at < text.length; at += size) { view.append(text.slice(at, at + size)); pieces += 1; }
            view.finish();
            const depth = node => { let deep = 0; for (let each = node; each; each = each.parentElement) deep += 1; return deep; };
            const deepest = [...view.element.querySelectorAll('*')].reduce((deep, each) => Math.max(deep, depth(each)), 0);
            return { pieces, read: view.charactersRead, length: text.length, ms: performance.now() - started, deepest,
                kept: view.element.textContent.replace(/[^x]/g, '').length === text.replace(/[^x]/g, '').length };
        }""",
        text.encode().decode("unicode_escape") if name == "lone surrogates" else text,
    )
    assert found["read"] <= 4 * found["length"] + 8200 * found["pieces"]
    assert found["ms"] < 60_000
    assert found["deepest"] < 80
    assert found["kept"]


ANSWER = """## Title

Text with `code`, **bold**, ~~old~~ and [a link](https://x.test).

#### Deeper

1. one
   - two

> quoted `code`

| a | b |
|---|--:|
| 1 | 2 |

```swift
let far = "to the right, so that there is something to scroll: ×" + String(repeating: "x", count: 200)
```
"""


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast"])
def test_axe_finds_nothing_in_an_answer(browser: Browser, simulated: Server, theme: str) -> None:
    """Contrast on its bubble, headings in order, and what scrolls reached by keyboard."""
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto(f"{simulated.address}/health")
    page.evaluate(SETUP)
    page.evaluate(
        """([text, theme]) => {
            const link = href => Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
            document.documentElement.dataset[theme === 'high-contrast' ? 'palette' : 'theme'] = theme;
            const sheets = ['/style.css', '/consultation/consultation.css', '/consultation/markdown/markdown.css'].map(link);
            document.head.append(...sheets);
            const view = fresh();
            view.append(text);
            view.finish();
            view.element.style.cssText = 'background: var(--raised); padding: 12px; width: 300px';
            document.body.replaceChildren(Object.assign(document.createElement('h2'), { textContent: 'Assistant' }), view.element);
            return Promise.all(sheets.map(sheet => sheet.sheet || new Promise(done => sheet.addEventListener('load', () => done()))));
        }""",
        [ANSWER, theme],
    )
    found = Axe().run(page, context=".markdown").response
    assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found["violations"]] == []
    assert {"color-contrast", "link-name", "scrollable-region-focusable"} <= {each["id"] for each in found["passes"]}
    page.close()
