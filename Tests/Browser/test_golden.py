"""The same calls give the same picture, byte for byte, natively and in WebAssembly."""

import base64
import struct
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.drawing_script import drawing_script
from support.object_script import object_script
from support.scene_script import Call, every_setting, json_lines, scene_script
from support.server import Server, binary

RUN = """async script => {
    const { readChartStatus } = await import("/engine/boundary.js");
    const { engine } = window;
    const pictures = [];
    const exports = engine.exports;
    const handle = exports.cw_chart_new();
    const rows = list => new Float64Array(list.flat());
    const special = {
        set_symbol: ([name, precision]) =>
            engine.withText(name, (pointer, length) => exports.cw_chart_set_symbol(handle, pointer, length, precision)),
        set_data: ([list, keep]) =>
            engine.withNumbers(rows(list), pointer => exports.cw_chart_set_data(handle, pointer, list.length, keep)),
        set_zone: ([name]) =>
            engine.withText(name, (pointer, length) => exports.cw_chart_set_zone(handle, pointer, length)),
        drawing_load: ([text]) =>
            engine.withText(text, (pointer, length) => exports.cw_chart_drawing_load(handle, pointer, length)),
        drawing_set_text: ([id, text]) =>
            engine.withText(text, (pointer, length) => exports.cw_chart_drawing_set_text(handle, id, pointer, length)),
        prepend: ([list]) =>
            engine.withNumbers(rows(list), pointer => exports.cw_chart_prepend(handle, pointer, list.length)),
        line_set: ([id, price, colour, width, dash, label]) => engine.withText(label, (pointer, length) =>
            exports.cw_chart_line_set(handle, id, price, colour, width, dash, pointer, length)),
        marker_set: ([id, time, kind, colour, text]) => engine.withText(text, (pointer, length) =>
            exports.cw_chart_marker_set(handle, id, time, kind, colour, pointer, length)),
        feed_mark: ([start, end, state, reason]) => engine.withText(reason, (pointer, length) =>
            exports.cw_chart_feed_mark(handle, start, end, state, pointer, length)),
        order_set: ([id, kind, isBuy, price, isDraggable, label]) => engine.withText(label, (pointer, length) =>
            exports.cw_chart_order_set(handle, id, kind, isBuy, price, isDraggable, pointer, length)),
        add_comparison: ([name, precision]) => engine.withText(name, (pointer, length) =>
            exports.cw_chart_add_comparison(handle, pointer, length, precision)),
        set_comparison: ([id, list]) => engine.withNumbers(rows(list), pointer =>
            exports.cw_chart_set_comparison(handle, id, pointer, list.length)),
    };
    const capture = (pointer, length) =>
        pictures.push(new Uint8Array(engine.words(pointer, length).words.slice().buffer));
    const segment = number => {
        const status = readChartStatus(new Float64Array(exports.memory.buffer, exports.cw_chart_status(handle)), 0);
        capture(...number === 0 ? [status.base, status.baseLength] : [status.overlay, status.overlayLength]);
    };
    for (const { call, args } of script) {
        if (call === 'render') {
            capture(exports.cw_chart_render(handle), exports.cw_chart_render_words(handle));
        } else if (call === 'draw') {
            const level = exports.cw_chart_draw(handle);
            if (level >= 2) segment(0);
            if (level >= 1) segment(1);
        } else if (special[call]) {
            special[call](args);
        } else {
            exports[`cw_chart_${call}`](handle, ...args.map(each => each ?? NaN));
        }
    }
    exports.cw_chart_free(handle);
    return pictures.map(bytes => {
        let text = '';
        for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
        return btoa(text);
    });
}"""


@pytest.fixture
def engine_page(page: Page, simulated: Server) -> Page:
    """A page that holds only the engine, as the page's own module loads it."""
    page.goto(f"{simulated.address}/health")
    page.evaluate(
        "async () => { const { Engine } = await import('/engine/engine.js');"
        " window.engine = await Engine.load('/candlewire.wasm'); }"
    )
    return page


def with_length(words: bytes) -> bytes:
    """A display list as the native side writes it: the number of its words, then the words."""
    return struct.pack("<I", len(words) // 4) + words


def first_difference(native: bytes, pictures: list[bytes]) -> str:
    """Where the outputs part, for a person who has to find out why."""
    at = 0
    for number, picture in enumerate(pictures):
        part = native[at : at + len(picture)]
        if part != picture:
            word = next(i for i in range(0, len(picture), 4) if part[i : i + 4] != picture[i : i + 4])
            values = [bytes_[word : word + 4].ljust(4, b"\0") for bytes_ in (part, picture)]
            shown = [f"{value.hex()} ({struct.unpack('<f', value)[0]})" for value in values]
            return f"render {number}, word {word // 4}: native {shown[0]}, WebAssembly {shown[1]}"
        at += len(picture)
    return f"native wrote {len(native)} bytes, WebAssembly {at}"


def play(page: Page, folder: Path, script: list[Call]) -> tuple[bytes, list[bytes]]:
    """What a script gives natively and, each list with its length in front, in WebAssembly: the same."""
    (folder / "script.jsonl").write_text(json_lines(script), encoding="utf-8")
    command = [str(binary()), "scene", "--script", "script.jsonl", "--out", "words.bin"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    native = (folder / "words.bin").read_bytes()
    pictures = [with_length(base64.b64decode(text)) for text in page.evaluate(RUN, script)]
    assert native == b"".join(pictures), first_difference(native, pictures)
    return native, pictures


@pytest.mark.parametrize("seed", range(1, 9))
def test_display_lists_are_equal(engine_page: Page, tmp_path: Path, seed: int) -> None:
    script = scene_script(seed, 600)
    assert len(script) >= 600
    native, _ = play(engine_page, tmp_path, script)
    assert len(native) > 50_000


@pytest.mark.parametrize("seed", range(1, 5))
def test_drawings_are_equal(engine_page: Page, tmp_path: Path, seed: int) -> None:
    native, _ = play(engine_page, tmp_path, drawing_script(seed, 500))
    assert len(native) > 50_000


@pytest.mark.parametrize("seed", range(1, 5))
def test_objects_on_the_chart_are_equal(engine_page: Page, tmp_path: Path, seed: int) -> None:
    """Price lines, alerts, markers, orders that are dragged, and the state of the feed."""
    native, pictures = play(engine_page, tmp_path, object_script(seed, 500))
    assert len(native) > 50_000
    assert len(set(pictures)) > 50


def test_every_setting_draws_the_same(engine_page: Page, tmp_path: Path) -> None:
    """Each series kind, scale, theme, place of volume and study, one after the other and drawn in segments too."""
    studies = engine_page.evaluate("() => window.engine.studies")
    assert len(studies) >= 24
    script = every_setting([study["kind"] for study in studies])
    _, pictures = play(engine_page, tmp_path, script)
    # Each setting changes the picture.
    assert len(set(pictures)) > 60


def test_a_script_run_twice_gives_the_same_bytes(engine_page: Page) -> None:
    script = scene_script(99, 300)
    assert engine_page.evaluate(RUN, script) == engine_page.evaluate(RUN, script)
