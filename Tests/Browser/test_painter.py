"""What a painter leaves on its canvas is the whole picture, pixel by pixel, however little of it was painted.

The ends of dashes are the exception: the browser smooths them a little differently where only a part of a line is
painted, by less than 8 of 255.
"""

import pytest
from playwright.sync_api import Page

from support.scene_script import scene_script
from support.server import Server

# Paints every picture of a script twice: with one painter that is kept, and with a new one on a new canvas.
COMPARE = """async ({ script, segment }) => {
    const { Engine } = await import('/engine/engine.js');
    const { Painter } = await import('/engine/painter.js');
    const { damage } = await import('/engine/damage.js');
    const engine = await Engine.load('/candlewire.wasm');
    const exports = engine.exports;
    const chart = engine.createChart();
    const rows = list => new Float64Array(list.flat());
    const special = {
        set_symbol: ([name, precision]) => chart.setSymbol(name, precision),
        set_data: ([list, keep]) => chart.setData(rows(list), keep),
        prepend: ([list]) => chart.prepend(rows(list)),
    };
    const transparent = segment === 'overlay';
    const kept = document.createElement('canvas');
    const painter = new Painter(kept, { transparent });
    // Over a ground: of a pixel that is nearly transparent the colour alone is not seen, and is not exact.
    const pixels = canvas => {
        const ground = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
        const context = ground.getContext('2d', { alpha: false, willReadFrequently: true });
        context.fillStyle = '#808080';
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.drawImage(canvas, 0, 0);
        return new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    };
    const isNear = (p, q) => [0, 8, 16, 24].every(bits => Math.abs((p >>> bits & 255) - (q >>> bits & 255)) < 8);
    const found = { pictures: 0, partly: 0, different: [] };
    let before = null;
    for (const { call, args } of script) {
        if (call === 'resize') {
            const [width, height, ratio] = args;
            kept.width = Math.max(1, Math.min(2000, Math.floor(width * ratio)));
            kept.height = Math.max(1, Math.min(2000, Math.floor(height * ratio)));
            before = null;
        }
        if (call === 'render' || call === 'draw') {
            if (segment !== 'whole') chart.draw();
            const list = { whole: () => chart.render(), base: () => chart.base(), overlay: () => chart.overlay() }[segment]();
            const own = { words: list.words.slice() };
            own.floats = new Float32Array(own.words.buffer);
            const fresh = document.createElement('canvas');
            fresh.width = kept.width;
            fresh.height = kept.height;
            new Painter(fresh, { transparent }).paint(own.words, own.floats);
            painter.paint(own.words, own.floats);
            if (before && damage(before, own, kept.width * kept.height)) found.partly += 1;
            before = own;
            const a = pixels(kept);
            const b = pixels(fresh);
            const at = a.findIndex((pixel, i) => pixel !== b[i] && !isNear(pixel, b[i]));
            if (at >= 0) found.different.push([found.pictures, at % kept.width, Math.floor(at / kept.width)]);
            found.pictures += 1;
        } else if (special[call]) {
            special[call](args);
        } else {
            exports[`cw_chart_${call}`](1, ...args);
        }
    }
    return found;
}"""


@pytest.mark.parametrize("segment", ["whole", "base", "overlay"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_painting_the_difference_gives_the_whole_picture(page: Page, simulated: Server, seed: int, segment: str) -> None:
    page.goto(f"{simulated.address}/health")
    found = page.evaluate(COMPARE, {"script": scene_script(seed, 250), "segment": segment})
    assert found["pictures"] > 30
    assert found["partly"] > 2, "nothing was painted in part: the test tests nothing"
    assert found["different"] == []


def test_a_thousand_columns_are_the_same_pixels_as_lines_and_as_rectangles(page: Page, simulated: Server) -> None:
    page.goto(f"{simulated.address}/health")
    different = page.evaluate(
        """async () => {
            const { Painter } = await import('/engine/painter.js');
            const canvas = () => Object.assign(document.createElement('canvas'), { width: 1000, height: 400 });
            const [a, b] = [canvas(), canvas()];
            const colour = 0x2ebd6b52;
            const rects = Array.from({ length: 1000 }, (_, i) => [i, (i * 37) % 200, 1, 1 + ((i * 91) % 180)]);
            const words = new Uint32Array(2 + rects.length * 4);
            const floats = new Float32Array(words.buffer);
            words[0] = 1 | (words.length << 8);
            words[1] = colour;
            floats.set(rects.flat(), 2);
            new Painter(a).paint(words, floats);
            const context = b.getContext('2d', { alpha: false });
            context.fillStyle = '#2ebd6b52';
            rects.forEach(rect => context.fillRect(...rect));
            const [one, two] = [a, b].map(c => c.getContext('2d').getImageData(0, 0, 1000, 400).data);
            let count = 0;
            one.forEach((value, i) => { if (value !== two[i]) count += 1; });
            return [count, one.some((value, i) => i % 4 < 3 && value > 0)];
        }"""
    )
    assert different == [0, True]
