"""Drawing on the chart with the mouse, and what is done with drawings."""

import pytest
from playwright.sync_api import expect

from support.board import Board
from support.notes import keep_notes
from support.polling import eventually
from support.terminal import Terminal

TOOLS = [
    ("Trend line", "trend_line", 2),
    ("Ray", "ray", 2),
    ("Horizontal line", "horizontal_line", 1),
    ("Vertical line", "vertical_line", 1),
    ("Rectangle", "rectangle", 2),
    ("Fibonacci retracement", "fibonacci", 2),
    ("Measure", "measure", 2),
    ("Text", "text", 1),
]


@pytest.fixture
def board(terminal: Terminal) -> Board:
    """A chart of days, whose scale seldom moves, without drawings."""
    keep_notes(terminal.page)
    terminal.open("BTC-USD/1d")
    return Board(terminal)


def near(board: Board, anchor: dict[str, float], place: tuple[float, float], pixels: float = 8) -> bool:
    x, y = board.point(anchor)
    aim = board.at(place)
    return abs(x - aim[0]) <= pixels and abs(y - aim[1]) <= pixels


@pytest.mark.parametrize(("name", "kind", "anchors"), TOOLS)
def test_each_tool_draws_where_the_mouse_is(board: Board, name: str, kind: str, anchors: int) -> None:
    places = [(0.3, 0.6), (0.6, 0.3)][:anchors]
    made = board.draw(name, *places)
    if kind == "text":
        board.page.keyboard.type("a note")
        board.page.keyboard.press("Enter")
        made = board.entries()[-1]
        assert made["text"] == "a note"
    assert made["kind"] == kind and len(board.entries()) == 1
    for anchor, place in zip(made["anchors"], places, strict=True):
        assert near(board, anchor, place), (anchor, place)
    # The tool is put down, and what was drawn is selected.
    assert board.current_tool is None and board.selection == made["id"]
    expect(board.tool("Select and move")).to_have_attribute("aria-pressed", "true")
    expect(board.page.get_by_role("toolbar", name="Selected drawing")).to_be_visible()


def test_two_clicks_draw_a_line_and_the_second_end_follows_the_mouse(board: Board) -> None:
    board.tool("Trend line").click()
    expect(board.tool("Trend line")).to_have_attribute("aria-pressed", "true")
    board.page.mouse.click(*board.at((0.2, 0.5)))
    before = board.page.locator("#chart").screenshot()
    board.page.mouse.move(*board.at((0.5, 0.2)), steps=3)
    board.terminal.painted()
    assert board.page.locator("#chart").screenshot() != before and board.entries() == []
    board.page.mouse.click(*board.at((0.7, 0.4)))
    board.terminal.painted()
    [line] = board.entries()
    assert near(board, line["anchors"][0], (0.2, 0.5)) and near(board, line["anchors"][1], (0.7, 0.4))


def test_drawings_are_selected_moved_and_their_ends_dragged(board: Board) -> None:
    line = board.draw("Trend line", (0.2, 0.6), (0.6, 0.3))
    board.page.mouse.click(*board.at((0.8, 0.8)))
    assert board.selection == 0
    expect(board.page.get_by_role("toolbar", name="Selected drawing")).to_be_hidden()
    # Its body moves both ends,
    board.drag(board.at((0.4, 0.45)), board.at((0.5, 0.55)))
    assert board.selection == line["id"]
    [moved] = board.entries()
    assert near(board, moved["anchors"][0], (0.3, 0.7)) and near(board, moved["anchors"][1], (0.7, 0.4))
    # an end moves alone.
    board.drag(board.point(moved["anchors"][1]), board.at((0.75, 0.2)))
    [bent] = board.entries()
    assert bent["anchors"][0] == moved["anchors"][0] and near(board, bent["anchors"][1], (0.75, 0.2))
    # The chart did not pan under the hand.
    assert board.terminal.chart("isFollowing()")


def test_beside_drawings_the_chart_pans(board: Board) -> None:
    board.draw("Rectangle", (0.7, 0.1), (0.9, 0.3))
    first = board.terminal.chart("firstVisible")
    board.terminal.drag(200)
    assert board.terminal.chart("firstVisible") < first
    assert len(board.entries()) == 1


def test_undo_and_redo_by_buttons_and_keys(board: Board) -> None:
    expect(board.tool("Undo")).to_have_attribute("aria-disabled", "true")
    board.draw("Horizontal line", (0.5, 0.3))
    board.draw("Rectangle", (0.2, 0.4), (0.4, 0.6))
    keyboard = board.page.keyboard
    keyboard.press("Control+z")
    assert [each["kind"] for each in board.entries()] == ["horizontal_line"]
    keyboard.press("Control+z")
    assert board.entries() == []
    expect(board.tool("Undo")).to_have_attribute("aria-disabled", "true")
    keyboard.press("Control+Shift+Z")
    keyboard.press("Control+y")
    assert [each["kind"] for each in board.entries()] == ["horizontal_line", "rectangle"]
    board.tool("Undo").click()
    assert len(board.entries()) == 1
    board.tool("Redo").click()
    assert len(board.entries()) == 2
    # A drag is one step.
    board.drag(board.at((0.3, 0.5)), board.at((0.5, 0.7)))
    keyboard.press("Meta+z")
    assert near(board, board.entries()[1]["anchors"][0], (0.2, 0.4))


def test_a_text_that_is_undone_does_not_leave_an_empty_one(board: Board) -> None:
    board.draw("Text", (0.4, 0.4))
    board.page.keyboard.type("resistance")
    board.page.keyboard.press("Enter")
    expect(board.page.locator("#chart")).to_be_focused()
    board.page.keyboard.press("Control+z")
    assert board.entries() == []
    board.page.keyboard.press("Control+Shift+Z")
    assert [each["text"] for each in board.entries()] == ["resistance"]
    # A text left empty was never there.
    board.draw("Text", (0.6, 0.6))
    board.page.keyboard.press("Escape")
    assert len(board.entries()) == 1


def test_a_double_click_edits_a_text(board: Board) -> None:
    note = board.draw("Text", (0.4, 0.4))
    board.page.keyboard.type("old")
    board.page.keyboard.press("Enter")
    visible = board.terminal.chart("visibleCount")
    x, y = board.point(note["anchors"][0])
    board.page.mouse.dblclick(x + 12, y)
    field = board.page.get_by_role("textbox", name="Text of the drawing")
    expect(field).to_be_focused()
    expect(field).to_have_value("old")
    field.fill("new words")
    field.press("Enter")
    assert board.entries()[0]["text"] == "new words"
    assert board.terminal.chart("visibleCount") == visible, "the chart was not reset by the double click"


def test_the_bar_of_the_selected_drawing_changes_it(board: Board) -> None:
    first = board.draw("Rectangle", (0.2, 0.3), (0.5, 0.6))
    second = board.draw("Rectangle", (0.4, 0.5), (0.7, 0.8))
    board.page.mouse.click(*board.at((0.25, 0.35)))
    assert board.selection == first["id"]
    board.setting("Colour").click()
    board.page.get_by_role("menuitemradio", name="Red").click()
    board.setting("Line").click()
    board.page.get_by_role("menuitemradio", name="3 px").click()
    board.setting("Line").click()
    board.page.get_by_role("menuitemradio", name="Dashed").click()
    changed = next(each for each in board.entries() if each["id"] == first["id"])
    assert (changed["colour"], changed["width"], changed["dash"]) == (0xE5484DFF, 3, "dashed")
    board.setting("Bring to front").click()
    assert [each["id"] for each in board.entries()] == [second["id"], first["id"]]
    board.setting("Lock").click()
    expect(board.setting("Lock")).to_have_attribute("aria-pressed", "true")
    before = board.entries()
    board.drag(board.at((0.25, 0.35)), board.at((0.4, 0.4)))
    assert board.entries() == before, "a locked drawing stays"
    board.setting("Lock").click()
    board.setting("Hide").click()
    assert [each["hidden"] for each in board.entries()] == [False, True] and board.selection == 0
    board.page.keyboard.press("Control+z")
    board.page.mouse.click(*board.at((0.25, 0.35)))
    board.setting("Delete").click()
    assert [each["id"] for each in board.entries()] == [second["id"]]


def test_all_drawings_are_hidden_and_deleted_at_once(board: Board) -> None:
    board.draw("Horizontal line", (0.5, 0.3))
    board.draw("Vertical line", (0.5, 0.3))
    board.tool("Hide all drawings").click()
    expect(board.tool("Hide all drawings")).to_have_attribute("aria-pressed", "true")
    board.page.mouse.click(*board.at((0.3, 0.3)))
    assert board.selection == 0, "what is hidden is not hit"
    board.tool("Hide all drawings").click()
    board.page.mouse.click(*board.at((0.3, 0.3)))
    assert board.selection != 0
    board.tool("More drawing actions").click()
    board.page.get_by_role("menuitem", name="Delete all drawings").click()
    assert board.entries() == []
    toast = board.page.get_by_role("region", name="Notifications")
    expect(toast).to_contain_text("All 2 drawings deleted.")
    toast.get_by_role("button", name="Undo").click()
    assert len(board.entries()) == 2


def test_the_strong_magnet_takes_a_bars_price(board: Board) -> None:
    magnet = board.page.locator("#drawing-tools").get_by_role("button", name="Magnet")
    magnet.click()
    expect(magnet).to_have_accessible_name("Magnet: weak")
    magnet.click()
    expect(magnet).to_have_accessible_name("Magnet: strong")
    [anchor] = board.draw("Horizontal line", (0.4, 0.05))["anchors"]
    bar = next(bar for bar in board.terminal.bars() if bar["timestamp"] == anchor["time"])
    assert anchor["price"] in (bar["open"], bar["high"], bar["low"], bar["close"])
    magnet.click()
    expect(magnet).to_have_accessible_name("Magnet: off")


def test_drawings_stay_at_their_time_and_price(board: Board) -> None:
    line = board.draw("Trend line", (0.3, 0.6), (0.6, 0.3))
    for key in ("-", "-", "Shift+ArrowLeft", "+"):
        board.page.locator("#chart").press(key) if board.selection == 0 else (
            board.page.keyboard.press("Escape"),
            board.page.locator("#chart").press(key),
        )
    assert board.entries()[0]["anchors"] == line["anchors"]
    x, y = board.point(line["anchors"][0])
    board.page.mouse.click(x, y)
    assert board.selection == line["id"], "it is hit where it is now"
    # Another timeframe, the same places.
    board.page.get_by_role("radio", name="4 hours").click()
    board.terminal.wait_for_selection("BTC-USD", "4h")
    assert board.entries()[0]["anchors"] == line["anchors"]


def test_escape_puts_a_tool_down_and_gives_up_what_was_begun(board: Board) -> None:
    board.tool("Trend line").click()
    board.page.mouse.click(*board.at((0.3, 0.3)))
    board.page.keyboard.press("Escape")
    assert board.current_tool is None and board.entries() == []
    board.page.mouse.click(*board.at((0.6, 0.6)))
    assert board.entries() == []


def test_a_finger_draws_and_grabs_from_further_away(new_page, simulated) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    terminal = Terminal(page, simulated).open("BTC-USD/1d")
    board = Board(terminal)
    board.tool("Trend line").tap()
    for place in ((0.2, 0.6), (0.7, 0.4)):
        page.touchscreen.tap(*board.at(place))
    terminal.painted()
    [line] = board.entries()
    assert near(board, line["anchors"][1], (0.7, 0.4), 12)
    page.touchscreen.tap(*board.at((0.3, 0.95)))
    eventually(lambda: board.selection == 0, "a tap beside it selects nothing")
    x, y = board.point(line["anchors"][0])
    page.touchscreen.tap(x, y + 15)
    eventually(lambda: board.selection == line["id"], "a tap near it selects it")
    # Down on the end, and away with it.
    touch = page.context.new_cdp_session(page)
    aim_x, aim_y = board.at((0.3, 0.8))
    for kind, points in (
        ("touchStart", [(x, y + 10)]),
        ("touchMove", [((x + aim_x) / 2, (y + aim_y) / 2)]),
        ("touchMove", [(aim_x, aim_y)]),
        ("touchEnd", []),
    ):
        touch.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]}
        )
    terminal.painted()
    assert near(board, board.entries()[0]["anchors"][0], (0.3, 0.8), 12)
    assert page.evaluate("scrollY") == 0, "the page did not scroll under the finger"
