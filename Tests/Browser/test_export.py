"""Files of the chart: pictures, documents and tables."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.board import Board
from support.terminal import Terminal


def save(terminal: Terminal, name: str) -> tuple[str, Path]:
    """Chooses an item of the menu; returns the file's name and where it is."""
    terminal.page.locator("#export-button").click()
    with terminal.page.expect_download() as download:
        terminal.page.get_by_role("menuitem", name=name).click()
    return download.value.suggested_filename, download.value.path()


def test_a_picture_is_saved_as_png(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    name, path = save(terminal, "PNG")
    assert name == "BTC-USD-1m.png"
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("format", "magic"), [("SVG", b"<?xml"), ("PDF", b"%PDF")])
def test_vector_files_have_what_is_on_screen(terminal: Terminal, format: str, magic: bytes) -> None:
    terminal.open("BTC-USD/1m")
    board = Board(terminal)
    drawing = board.draw("Rectangle", (0.2, 0.3), (0.5, 0.6))
    terminal.page.evaluate(
        "id => candlewire.chart.change(({ drawings }) => drawings.setStyle(id, { colour: 0xff00ffff }))", drawing["id"]
    )
    with terminal.page.expect_request(re.compile(r"/v1/picture\.")) as request:
        name, path = save(terminal, format)
    assert name == f"BTC-USD-1m.{format.lower()}"
    content = path.read_bytes()
    assert content.startswith(magic) and len(content) > 5000
    box = terminal.chart_box()
    query = dict(part.split("=") for part in request.value.url.split("?")[1].split("&"))
    assert (float(query["width"]), float(query["height"])) == pytest.approx((box["width"], box["height"]), abs=1)
    if format == "SVG":
        # Its border, in a colour that no theme has.
        assert re.search(rb"rgb\(100%, ?0%, ?100%\)", content)


def test_a_file_that_is_not_made_says_why(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page: Page = terminal.page
    refusal = '{"error":{"code":"busy","message":"The server draws as many charts as it can."}}'
    page.route(re.compile(r"/v1/picture\."), lambda route: route.fulfill(status=503, body=refusal))
    page.locator("#export-button").click()
    page.get_by_role("menuitem", name="PDF").click()
    note = page.get_by_text("The PDF file could not be saved. The server draws as many charts as it can.", exact=True)
    expect(note.first).to_be_visible()


def test_the_bars_of_a_frozen_chart_stay_while_trades_arrive(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1s")
    terminal.freeze()
    newest = "candlewire.store.markets.get('BTC-USD').timestamp"
    bars, traded = terminal.bars(), terminal.page.evaluate(newest)
    assert bars
    terminal.wait_for_ticks(30)
    terminal.page.wait_for_function(f"traded => {newest} > traded + 2", arg=traded)
    terminal.painted()
    assert terminal.bars() == bars


def test_bars_and_studies_are_saved_as_a_table(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    page = terminal.page
    page.evaluate(
        """() => {
            const { studies, engine } = candlewire;
            const add = identifier => studies.add(engine.studies.find(each => each.identifier === identifier));
            ['bollinger', 'rsi'].forEach(add);
        }"""
    )
    name, path = save(terminal, "CSV")
    assert name == "BTC-USD-1m.csv"
    table = list(csv.DictReader(io.StringIO(path.read_bytes().decode())))
    bars = terminal.bars()
    assert len(table) == len(bars)
    assert [{key: float(row[key]) for key in bars[0]} for row in table] == bars
    assert list(table[0])[6:] == [
        "bollinger_20_2_middle",
        "bollinger_20_2_upper",
        "bollinger_20_2_lower",
        "rsi_14",
    ]
    assert table[0]["rsi_14"] == ""
    closes = [bar["close"] for bar in bars[-20:]]
    assert float(table[-1]["bollinger_20_2_middle"]) == pytest.approx(sum(closes) / 20)
    # The server writes the same columns.
    header = terminal.page.evaluate(
        "fetch('/v1/chart.csv?symbol=BTC-USD&timeframe=1m&bars=5&studies=bollinger:20:2,rsi:14').then(each => each.text())"
    )
    assert header.splitlines()[0].split(",") == list(table[0])


def test_the_menu_of_files_works_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    terminal.tab_to("#export-button", limit=60)
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    expect(page.locator(":focus")).to_contain_text("CSV")
    with page.expect_download():
        page.keyboard.press("Enter")
    expect(page.locator("#export-button")).to_be_focused()
