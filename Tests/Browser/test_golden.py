"""The same calls give the same picture, byte for byte, natively and in WebAssembly."""

import base64
import struct
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.drawing_script import drawing_script
from support.scene_script import json_lines, scene_script
from support.server import Server, binary

RUN = """script => {
    const { engine } = window;
    const exports = engine.exports;
    const handle = exports.cw_chart_new();
    const rows = list => new Float64Array(list.flat());
    const special = {
        set_symbol: ([name, precision]) =>
            engine.withText(name, (pointer, length) => exports.cw_chart_set_symbol(handle, pointer, length, precision)),
        set_data: ([list, keep]) =>
            engine.withFloats(rows(list), pointer => exports.cw_chart_set_data(handle, pointer, list.length, keep)),
        set_zone: ([name]) =>
            engine.withText(name, (pointer, length) => exports.cw_chart_set_zone(handle, pointer, length)),
        drawing_load: ([text]) =>
            engine.withText(text, (pointer, length) => exports.cw_chart_drawing_load(handle, pointer, length)),
        drawing_set_text: ([id, text]) =>
            engine.withText(text, (pointer, length) => exports.cw_chart_drawing_set_text(handle, id, pointer, length)),
        prepend: ([list]) =>
            engine.withFloats(rows(list), pointer => exports.cw_chart_prepend(handle, pointer, list.length)),
    };
    const pictures = [];
    for (const { call, args } of script) {
        if (call === 'render') {
            const pointer = exports.cw_chart_render(handle);
            const { words } = engine.words(pointer, exports.cw_chart_render_words(handle));
            pictures.push(new Uint8Array(words.slice().buffer));
        } else if (special[call]) {
            special[call](args);
        } else {
            exports[`cw_chart_${call}`](handle, ...args);
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
        "async () => { const { Engine } = await import('/chart/engine.js');"
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


def assert_equal(engine_page: Page, tmp_path: Path, script: list[dict]) -> bytes:
    """The script's pictures, which have to be the same natively and in WebAssembly."""
    (tmp_path / "script.jsonl").write_text(json_lines(script), encoding="utf-8")
    command = [str(binary()), "scene", "--script", "script.jsonl", "--out", "words.bin"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    native = (tmp_path / "words.bin").read_bytes()
    pictures = [with_length(base64.b64decode(text)) for text in engine_page.evaluate(RUN, script)]
    assert native == b"".join(pictures), first_difference(native, pictures)
    return native


@pytest.mark.parametrize("seed", range(1, 9))
def test_display_lists_are_equal(engine_page: Page, tmp_path: Path, seed: int) -> None:
    script = scene_script(seed, 600)
    assert len(script) >= 600
    assert len(assert_equal(engine_page, tmp_path, script)) > 50_000


@pytest.mark.parametrize("seed", range(1, 5))
def test_drawings_are_equal(engine_page: Page, tmp_path: Path, seed: int) -> None:
    assert len(assert_equal(engine_page, tmp_path, drawing_script(seed, 500))) > 50_000


def test_a_script_run_twice_gives_the_same_bytes(engine_page: Page) -> None:
    script = scene_script(99, 300)
    assert engine_page.evaluate(RUN, script) == engine_page.evaluate(RUN, script)
