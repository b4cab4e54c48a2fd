"""Drawings are kept for each symbol, and go to files and back."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.board import Board
from support.notes import keep_notes
from support.polling import eventually
from support.terminal import Terminal


@pytest.fixture
def board(terminal: Terminal) -> Board:
    keep_notes(terminal.page)
    terminal.open("BTC-USD/1d")
    return Board(terminal)


def anchors(board: Board) -> list:
    return [each["anchors"] for each in board.entries()]


def test_drawings_are_kept_for_each_symbol_over_a_reload(board: Board) -> None:
    board.draw("Trend line", (0.3, 0.6), (0.6, 0.3))
    drawn = anchors(board)
    board.terminal.row("ETH-USD").click()
    board.terminal.wait_for_selection("ETH-USD", "1d")
    assert board.entries() == []
    expect(board.tool("Undo")).to_have_attribute("aria-disabled", "true")
    board.draw("Horizontal line", (0.3, 0.5))
    board.terminal.row("BTC-USD").click()
    board.terminal.wait_for_selection("BTC-USD", "1d")
    assert anchors(board) == drawn
    # What was kept is no step to undo.
    board.page.keyboard.press("Control+z")
    assert anchors(board) == drawn
    board.page.reload()
    board.terminal.wait_until_live()
    assert anchors(board) == drawn
    board.terminal.row("ETH-USD").click()
    board.terminal.wait_for_selection("ETH-USD", "1d")
    assert [each["kind"] for each in board.entries()] == ["horizontal_line"]


def test_drawings_come_back_with_another_engine(board: Board) -> None:
    board.draw("Rectangle", (0.3, 0.6), (0.6, 0.3))
    drawn = anchors(board)
    board.page.evaluate(
        """async () => {
            const { Engine } = await import('/engine/engine.js');
            candlewire.terminal.attach(await Engine.load('/candlewire.wasm'));
        }"""
    )
    board.terminal.wait_until_live()
    assert anchors(board) == drawn
    board.draw("Vertical line", (0.5, 0.5))
    assert len(board.entries()) == 2


def test_what_another_tab_draws_appears_here(board: Board, simulated) -> None:
    other = board.page.context.new_page()
    there = Board(Terminal(other, simulated).open("BTC-USD/1d"))
    there.draw("Horizontal line", (0.4, 0.4))
    there.stored("BTC-USD")
    eventually(lambda: anchors(board) == anchors(there), "the line is here too")


def test_a_damaged_document_is_kept_aside_and_said(board: Board, simulated) -> None:
    board.draw("Horizontal line", (0.3, 0.5))
    board.stored("BTC-USD")
    board.page.evaluate(
        """() => {
            addEventListener('pagehide', () => localStorage.setItem('candlewire.drawings:BTC-USD', '{"format":1'));
        }"""
    )
    board.page.reload()
    board.terminal.wait_until_live()
    notes = board.page.get_by_role("region", name="Notifications")
    expect(notes).to_contain_text("They were set aside")
    assert board.entries() == []
    stored = board.page.evaluate("localStorage.getItem('candlewire.drawings.damaged:BTC-USD')")
    assert stored == '{"format":1'
    with board.page.expect_download() as download:
        notes.get_by_role("button", name="Save as a file").click()
    assert Path(download.value.path()).read_text() == '{"format":1'
    # Drawing goes on, and what was aside stays.
    board.draw("Vertical line", (0.5, 0.5))
    assert json.loads(board.stored("BTC-USD") or "")["drawings"][0]["kind"] == "vertical_line"
    assert board.page.evaluate("localStorage.getItem('candlewire.drawings.damaged:BTC-USD')") == stored


def test_drawings_are_exported_and_imported(board: Board, tmp_path: Path) -> None:
    board.draw("Fibonacci retracement", (0.3, 0.6), (0.6, 0.3))
    board.draw("Text", (0.5, 0.5))
    board.page.keyboard.type("naïve “€”")
    board.page.keyboard.press("Enter")
    before = board.entries()
    board.tool("More drawing actions").click()
    with board.page.expect_download() as download:
        board.page.get_by_role("menuitem", name="Export to a file").click()
    assert download.value.suggested_filename == "BTC-USD-drawings.json"
    document = json.loads(Path(download.value.path()).read_text())
    assert (document["format"], document["version"]) == ("candlewire-drawings", 1)
    assert document["drawings"][1]["text"] == "naïve “€”"
    file = tmp_path / "mine.json"
    file.write_text(Path(download.value.path()).read_text())
    board.tool("More drawing actions").click()
    board.page.get_by_role("menuitem", name="Delete all drawings").click()
    assert board.entries() == []

    def load(path: Path) -> None:
        board.tool("More drawing actions").click()
        with board.page.expect_file_chooser() as chooser:
            board.page.get_by_role("menuitem", name="Import from a file").click()
        chooser.value.set_files(path)

    load(file)
    notes = board.page.get_by_role("region", name="Notifications")
    expect(notes).to_contain_text("2 drawings imported from mine.json.")
    strip = lambda entries: [{**each, "id": 0} for each in entries]  # noqa: E731
    assert strip(board.entries()) == strip(before)
    # Importing is one step to undo.
    notes.get_by_role("button", name="Undo").last.click()
    assert board.entries() == []
    board.page.keyboard.press("Control+z")
    bad = tmp_path / "bad.json"
    for text, reason in (
        ("not json", "mine"),
        ('{"format":"candlewire-drawings","version":2,"drawings":[]}', "only version 1 can be read here"),
        (
            '{"format":"candlewire-drawings","version":1,"drawings":[{"kind":"circle"}]}',
            "drawings[0].kind: there is no such kind",
        ),
    ):
        bad.write_text(text)
        load(bad)
        expect(notes).to_contain_text("bad.json was not imported")
        if reason != "mine":
            expect(notes).to_contain_text(reason)
        assert strip(board.entries()) == strip(before)


def test_a_browser_that_keeps_nothing_says_so_and_draws_on(board: Board) -> None:
    board.page.evaluate(
        """() => {
            Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };
        }"""
    )
    board.draw("Horizontal line", (0.3, 0.5))
    notes = board.page.get_by_role("region", name="Notifications")
    expect(notes).to_contain_text("Your browser can’t save drawings: its storage is full.")
    board.draw("Vertical line", (0.3, 0.5))
    assert len(board.entries()) == 2


FULL = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"


def test_a_damaged_document_stays_where_it_is_while_there_is_no_room_to_set_it_aside(board: Board) -> None:
    page = board.page
    page.evaluate("localStorage.setItem('candlewire.drawings:ETH-USD', '{\"format\":1')")
    page.evaluate(f"() => {{ window.room = Storage.prototype.setItem; {FULL} }}")
    board.terminal.row("ETH-USD").click()
    board.terminal.wait_for_selection("ETH-USD", "1d")
    notes = page.get_by_role("region", name="Notifications")
    expect(notes).to_contain_text("They stay where they are")
    board.draw("Vertical line", (0.5, 0.5))
    assert board.stored("ETH-USD") == '{"format":1'
    # There is room again: it is set aside first.
    page.evaluate("() => { Storage.prototype.setItem = window.room; }")
    board.draw("Vertical line", (0.6, 0.5))
    assert len(json.loads(board.stored("ETH-USD") or "")["drawings"]) == 2
    assert page.evaluate("localStorage.getItem('candlewire.drawings.damaged:ETH-USD')") == '{"format":1'


def test_undo_of_a_deletion_is_about_the_board_it_was_made_on(board: Board) -> None:
    board.draw("Trend line", (0.3, 0.6), (0.6, 0.3))
    drawn = anchors(board)
    board.tool("More drawing actions").click()
    board.page.get_by_role("menuitem", name="Delete all drawings").click()
    board.terminal.row("ETH-USD").click()
    board.terminal.wait_for_selection("ETH-USD", "1d")
    board.draw("Horizontal line", (0.3, 0.5))
    board.page.get_by_role("region", name="Notifications").get_by_role("button", name="Undo").click()
    assert [each["kind"] for each in board.entries()] == ["horizontal_line"]
    board.terminal.row("BTC-USD").click()
    board.terminal.wait_for_selection("BTC-USD", "1d")
    assert anchors(board) == drawn


def test_a_text_that_is_being_written_stays_with_its_symbol(board: Board) -> None:
    board.terminal.row("ETH-USD").click()
    board.terminal.wait_for_selection("ETH-USD", "1d")
    board.draw("Text", (0.4, 0.4))
    board.page.keyboard.type("ether")
    board.page.keyboard.press("Enter")
    board.terminal.row("BTC-USD").click()
    board.terminal.wait_for_selection("BTC-USD", "1d")
    board.draw("Text", (0.5, 0.5))
    board.page.keyboard.type("bitcoin")
    board.page.evaluate("candlewire.terminal.choose({ symbol: 'ETH-USD' })")
    board.terminal.wait_for_selection("ETH-USD", "1d")
    expect(board.page.get_by_role("textbox", name="Text of the drawing")).to_be_hidden()
    assert [each["text"] for each in board.entries()] == ["ether"]
    board.terminal.row("BTC-USD").click()
    board.terminal.wait_for_selection("BTC-USD", "1d")
    assert [each["text"] for each in board.entries()] == ["bitcoin"]
