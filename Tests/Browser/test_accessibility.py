"""What screen readers announce of the canvas."""

import pytest
from playwright.sync_api import expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

LISTEN = """() => {
    window.spoken = [];
    for (const id of ['announcements', 'urgent']) {
        const region = document.getElementById(id);
        new MutationObserver(() => {
            if (region.textContent) spoken.push({ id, text: region.textContent, at: performance.now() / 1000 });
        }).observe(region, { childList: true, subtree: true, characterData: true });
    }
}"""


@pytest.fixture
def listener(terminal: Terminal) -> Terminal:
    terminal.open("BTC-USD/1d")
    terminal.page.evaluate(LISTEN)
    return terminal


def spoken(terminal: Terminal) -> list[dict]:
    return terminal.page.evaluate("spoken")


def close_bar(terminal: Terminal) -> None:
    """A bar closes, as the chart reports it."""
    terminal.page.evaluate(
        """() => {
            const { chart } = candlewire;
            const bar = chart.engineChart.bar(chart.engineChart.count - 1);
            chart.dispatchEvent(new CustomEvent('bar', { detail: bar }));
        }"""
    )


def add_study(terminal: Terminal, identifier: str) -> None:
    terminal.page.evaluate(
        "id => candlewire.studies.add(candlewire.studies.kinds.find(kind => kind.identifier === id))", identifier
    )
    terminal.painted()


def test_closed_bars_are_said_and_never_two_in_five_seconds(listener: Terminal) -> None:
    # By the policy's own clock: how long a frame takes to show the text says nothing of it.
    listener.page.evaluate(
        """() => {
            const { news } = candlewire.chart.engineChart;
            const next = news.next.bind(news);
            window.answers = [];
            news.next = now => {
                const what = next(now);
                if (what === 'bar') answers.push(now);
                return what;
            };
        }"""
    )
    close_bar(listener)
    words = "BTC-USD, 1 day bar closed at"
    eventually(lambda: any(words in each["text"] for each in spoken(listener)), "the bar is said")
    for _ in range(5):
        close_bar(listener)
    eventually(
        lambda: len([each for each in spoken(listener) if words in each["text"]]) >= 2, "the latest is said later"
    )
    times = listener.page.evaluate("answers")
    assert len(times) >= 2
    assert all(later - earlier > 4.999 for earlier, later in zip(times, times[1:], strict=False)), times


def test_two_sentences_before_a_frame_are_both_said(listener: Terminal) -> None:
    listener.page.evaluate(
        """async () => {
            const { LiveRegion } = await import('/ui/live-region.js');
            const region = new LiveRegion();
            region.announce('First of two.');
            region.announce('Bar 7.', 'bar');
            region.announce('Bar 8.', 'bar');
            region.announce('Second of two.');
        }"""
    )
    wanted = "First of two. Bar 8. Second of two."
    eventually(lambda: any(each["text"] == wanted for each in spoken(listener)), "all that is news is said at once")


def test_an_alert_comes_before_a_bar_that_waits(listener: Terminal) -> None:
    # All in the page: a test that takes five seconds from the first bar to the second would leave nothing to wait for.
    listener.page.evaluate(
        """async () => {
            const { chart, objects, store } = candlewire;
            const close = () => {
                const bar = chart.engineChart.bar(chart.engineChart.count - 1);
                chart.dispatchEvent(new CustomEvent('bar', { detail: bar }));
            };
            close();
            while (!spoken.some(({ text }) => text.includes('bar closed'))) {
                await new Promise(requestAnimationFrame);
            }
            close();
            const { price } = store.markets.get('BTC-USD');
            objects.addAlert(price * 2);
            store.trade('BTC-USD', price * 2.1, Date.now() / 1000);
        }"""
    )
    eventually(lambda: any(each["id"] == "urgent" for each in spoken(listener)), "the alert is said")
    said = [each["id"] for each in spoken(listener) if "closed" in each["text"] or "Alert: " in each["text"]]
    assert said[:2] == ["announcements", "urgent"], spoken(listener)


def test_a_big_move_is_said(listener: Terminal) -> None:
    # Trades of the stream would move the price back before it is said.
    listener.silence()
    listener.page.evaluate(
        """() => {
            const { price } = candlewire.store.markets.get('BTC-USD');
            candlewire.store.trade('BTC-USD', price * 1.02, Date.now() / 1000);
        }"""
    )
    eventually(
        lambda: any("BTC-USD up " in each["text"] and "%, at " in each["text"] for each in spoken(listener)),
        "the move is said",
    )


def test_how_much_is_said_is_a_setting_that_is_remembered(listener: Terminal) -> None:
    page = listener.page
    page.get_by_role("button", name="Alerts and objects").click()
    choice = page.get_by_role("combobox", name="Screen reader announcements")
    choice.select_option("full")
    add_study(listener, "rsi")
    close_bar(listener)
    eventually(
        lambda: any(
            "BTC-USD bar closed. Bar " in each["text"] and "RSI 14 " in each["text"] for each in spoken(listener)
        ),
        "the whole bar is said, with its study",
    )
    choice.select_option("off")
    page.reload()
    listener.wait_until_live()
    page.evaluate(LISTEN)
    assert page.evaluate("candlewire.news.level") == "off"
    close_bar(listener)
    assert page.evaluate("candlewire.chart.engineChart.news.deadline === Infinity"), "nothing waits to be said"


def test_each_bar_is_read_with_its_studies(listener: Terminal) -> None:
    add_study(listener, "rsi")
    listener.page.locator("#chart").focus()
    listener.page.keyboard.press("ArrowLeft")
    listener.page.keyboard.press("ArrowLeft")
    legend = listener.legend()
    value = listener.page.evaluate(
        "index => candlewire.chart.engineChart.studies.value(candlewire.studies.list[0].id, 0, index)", legend["index"]
    )
    sentence = listener.page.locator("#legend").inner_text()
    count = listener.chart("count")
    assert sentence.startswith(f"Bar {legend['index'] + 1} of {count}, ")
    assert f"close {legend['close']:,.2f}, " in sentence and f"RSI 14 {value:.2f}." in sentence
    eventually(lambda: any(each["text"] == sentence for each in spoken(listener)), "it is said")


def test_the_chart_has_a_name_a_value_and_a_summary(listener: Terminal) -> None:
    chart = listener.page.get_by_role("application", name="Price chart, BTC-USD, 1 day")
    expect(chart).to_be_visible()
    summary = listener.page.locator("#chart-summary")
    # The market's figures come with the list of markets, the bars with the stream.
    expect(summary).to_contain_text(" in 24 hours. ")
    description = summary.inner_text()
    assert description.startswith("Price chart, BTC-USD, 1 day. ")
    count = listener.chart("count")
    assert f" of {count} bars on screen, since " in description and ", between " in description


def rows(terminal: Terminal) -> list[list[str]]:
    return terminal.page.evaluate(
        """() => [...document.querySelectorAll('.data-table tbody tr')]
            .map(row => [...row.children].map(cell => cell.textContent))"""
    )


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_the_table_has_the_bars_on_screen_newest_first(listener: Terminal) -> None:
    page = listener.page
    add_study(listener, "sma")
    page.locator("#chart").focus()
    page.keyboard.press("Shift+T")
    table = page.get_by_role("table")
    expect(table).to_be_visible()
    expect(page.get_by_role("button", name="Data table", exact=True)).to_have_attribute("aria-expanded", "true")
    heads = table.get_by_role("columnheader").all_inner_texts()
    assert heads[:7] == ["Time", "Open", "High", "Low", "Close", "Change", "Volume"] and heads[7].startswith("SMA")

    def agrees() -> bool:
        listener.painted()
        shown, bars = rows(listener), listener.bars()
        visible = page.evaluate(
            """() => {
                const chart = candlewire.chart.engineChart;
                const last = Math.min(chart.count, Math.ceil(chart.firstVisible + chart.visibleCount)) - 1;
                return [Math.max(0, Math.floor(chart.firstVisible)), last];
            }"""
        )
        wanted = bars[visible[0] : visible[1] + 1][::-1]
        # The newest bar moves while we look.
        return len(shown) == len(wanted) and all(
            [number(text) for text in row[1:5]] == [round(bar[each], 2) for each in ("open", "high", "low", "close")]
            for row, bar in list(zip(shown, wanted, strict=True))[1:]
        )

    eventually(agrees, "the table has what the chart has")
    expect(table.locator("caption")).to_contain_text("bars on screen, newest first.")
    # It goes with the chart: fewer bars, fewer rows.
    before = len(rows(listener))
    page.evaluate("candlewire.chart.zoom(3)")
    eventually(lambda: len(rows(listener)) < before and agrees(), "the table shows what is on screen now")
    page.keyboard.press("Escape")
    expect(table).to_be_hidden()
    expect(page.locator("#chart")).to_be_focused()


def test_the_table_changes_in_place_and_keeps_focus_and_place(terminal: Terminal) -> None:
    page = terminal.open("BTC-USD/1s").page
    page.get_by_role("button", name="Data table", exact=True).click()
    scroller = page.locator(".data-scroller")
    expect(scroller).to_be_focused()
    eventually(lambda: len(rows(terminal)) > 30, "there are rows")
    top = rows(terminal)[0][0]
    eventually(lambda: rows(terminal)[0][0] != top, "new bars come at the top")
    # Who reads further down stays there.
    page.evaluate("() => { document.querySelector('.data-scroller').scrollTop = 300; }")
    first_seen = """() => {
        const scroller = document.querySelector('.data-scroller');
        const row = [...scroller.querySelectorAll('tbody tr')].find(row => row.offsetTop >= scroller.scrollTop);
        return [row.firstElementChild.textContent, row.offsetTop - scroller.scrollTop];
    }"""
    seen = page.evaluate(first_seen)
    newest = rows(terminal)[0][0]
    eventually(lambda: rows(terminal)[0][0] != newest, "another bar comes")
    assert page.evaluate(first_seen) == seen
    expect(scroller).to_be_focused()


def test_the_table_fits_a_phone(new_page, simulated: Server, save_picture) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    page.get_by_role("button", name="Data table", exact=True).tap()
    expect(page.get_by_role("table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    chart = terminal.chart_box()
    assert chart["height"] > 150
    page.get_by_role("button", name="Close the data table").tap()
    expect(page.get_by_role("table")).to_be_hidden()
