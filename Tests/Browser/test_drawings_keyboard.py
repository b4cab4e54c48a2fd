"""Drawing without a mouse, and what screen readers announce of it."""

import pytest
from playwright.sync_api import expect

from support.board import Board
from support.polling import eventually
from support.terminal import Terminal


@pytest.fixture
def board(terminal: Terminal) -> Board:
    terminal.open("BTC-USD/1d")
    terminal.page.evaluate(
        """() => {
            window.spoken = [];
            const region = document.getElementById('announcements');
            new MutationObserver(() => region.textContent && spoken.push(region.textContent))
                .observe(region, { childList: true, subtree: true, characterData: true });
        }"""
    )
    return Board(terminal)


def expect_announced(board: Board, words: str) -> None:
    """Waits until something with these words was said."""
    eventually(
        lambda: any(words in sentence for sentence in board.page.evaluate("spoken")),
        f"“{words}” is announced; said was {board.page.evaluate('spoken')}",
    )


def test_a_trend_line_is_drawn_moved_and_deleted_by_keyboard_alone(board: Board) -> None:
    """Every step by keys, every step said."""
    keyboard = board.page.keyboard
    board.terminal.tab_to("#chart")
    keyboard.press("Alt+t")
    expect(board.tool("Trend line")).to_have_attribute("aria-pressed", "true")
    expect(board.page.locator("#chart")).to_be_focused()
    expect_announced(board, "Trend line. Click the chart, or move with the arrows")
    for _ in range(5):
        keyboard.press("ArrowLeft")
    keyboard.press("ArrowUp")
    newest = board.terminal.bars()[-1]["timestamp"]
    keyboard.press("Enter")
    expect_announced(board, "First point")
    keyboard.press("Shift+ArrowLeft")
    keyboard.press("Shift+ArrowUp")
    keyboard.press("Enter")
    expect_announced(board, "Added. Trend line")
    [line] = board.entries()
    first, second = line["anchors"]
    day = 86400
    assert [first["time"], second["time"]] == [newest - 5 * day, newest - 15 * day]
    assert second["price"] > first["price"]
    assert board.selection == line["id"]
    # Moved: a bar to the right, and up.
    keyboard.press("ArrowRight")
    keyboard.press("ArrowUp")
    [moved] = board.entries()
    assert [each["time"] for each in moved["anchors"]] == [newest - 4 * day, newest - 14 * day]
    assert all(now["price"] > old["price"] for now, old in zip(moved["anchors"], line["anchors"], strict=True))
    keyboard.press("Delete")
    assert board.entries() == []
    expect_announced(board, "Trend line deleted.")
    keyboard.press("Control+z")
    assert len(board.entries()) == 1
    expect_announced(board, "Undone. 1 drawing.")


def test_drawings_are_selected_one_after_the_other_by_keys(board: Board) -> None:
    board.draw("Horizontal line", (0.3, 0.3))
    board.draw("Vertical line", (0.6, 0.3))
    board.page.keyboard.press("Escape")
    assert board.selection == 0
    ids = [each["id"] for each in board.entries()]
    chart = board.page.locator("#chart")
    chart.focus()
    board.page.keyboard.press("]")
    assert board.selection == ids[0]
    expect_announced(board, "Horizontal line: ")
    board.page.keyboard.press("Tab")
    assert board.selection == ids[1]
    expect(chart).to_be_focused()
    board.page.keyboard.press("Tab")
    assert board.selection == 0
    expect(chart).not_to_be_focused(), "after the last drawing, Tab leads on"
    chart.focus()
    board.page.keyboard.press("[")
    assert board.selection == ids[1]


def test_the_rail_is_one_tab_stop_and_arrows_lead_through_it(board: Board) -> None:
    board.terminal.tab_to("#drawing-tools button")
    focused = board.page.locator(":focus")
    expect(focused).to_have_accessible_name("Select and move")
    board.page.keyboard.press("ArrowDown")
    expect(focused).to_have_accessible_name("Trend line")
    board.page.keyboard.press("End")
    board.page.keyboard.press("ArrowRight")
    expect(focused).to_have_accessible_name("Select and move")
    board.page.keyboard.press("ArrowDown")
    board.page.keyboard.press("ArrowDown")
    board.page.keyboard.press("ArrowDown")
    board.page.keyboard.press("Enter")
    assert board.current_tool == "horizontal_line"
    board.page.keyboard.press("Tab")
    expect(board.page.locator("#chart")).to_be_focused()
    # Enter shows the crosshair at the newest bar, the next one draws.
    board.page.keyboard.press("Enter")
    board.page.keyboard.press("Enter")
    assert [each["kind"] for each in board.entries()] == ["horizontal_line"]
    assert board.page.locator("#drawing-tools button[tabindex='0']").count() == 1


def test_a_text_is_written_and_edited_by_keyboard(board: Board) -> None:
    keyboard = board.page.keyboard
    board.page.locator("#chart").focus()
    keyboard.press("Alt+x")
    keyboard.press("ArrowLeft")
    keyboard.press("Enter")
    expect(board.page.get_by_role("textbox", name="Text of the drawing")).to_be_focused()
    keyboard.type("earnings [t]")
    keyboard.press("Enter")
    expect(board.page.locator("#chart")).to_be_focused()
    assert board.entries()[0]["text"] == "earnings [t]"
    keyboard.press("Enter")
    keyboard.press("Control+a")
    keyboard.type("dividend")
    keyboard.press("Enter")
    assert board.entries()[0]["text"] == "dividend"


def test_the_bar_of_the_selected_drawing_is_reached_by_tab(board: Board) -> None:
    line = board.draw("Trend line", (0.3, 0.6), (0.6, 0.3))
    board.page.keyboard.press("Escape")
    board.page.locator("#chart").focus()
    board.page.keyboard.press("]")
    board.page.keyboard.press("Tab")
    # After the last drawing nothing is selected, so the bar is reached by leaving the chart with one selected.
    board.page.locator("#chart").focus()
    board.page.keyboard.press("]")
    board.page.keyboard.press("F6")
    focused = board.page.locator(":focus")
    expect(focused).to_have_accessible_name("Colour")
    board.page.keyboard.press("Enter")
    board.page.keyboard.press("ArrowDown")
    board.page.keyboard.press("Enter")
    assert board.entries()[0]["colour"] == 0xE5484DFF
    expect(focused).to_have_accessible_name("Colour")
    board.page.keyboard.press("Escape")
    expect(board.page.locator("#chart")).to_be_focused()
    assert board.selection == line["id"]


def test_a_tool_keeps_its_arrows_and_gives_them_back(board: Board) -> None:
    """Arrows belong to the tool while there is one; afterwards they read bars again, and up changes the timeframe."""
    chart = board.page.locator("#chart")
    chart.focus()
    board.page.keyboard.press("Alt+h")
    board.page.keyboard.press("ArrowUp")
    assert board.page.evaluate("location.hash") == "#BTC-USD/1d"
    board.page.keyboard.press("Escape")
    board.page.keyboard.press("ArrowDown")
    board.terminal.wait_for_selection("BTC-USD", "12h")
