"""Scripts for the chart engine: seeded sequences of its calls, for comparing two builds of it.

A script is JSON lines, `{"call": "resize", "args": [1440, 900, 2]}`. Names are those of the WebAssembly exports without
`cw_chart_`; `set_symbol` takes the name and the precision, `set_data` takes rows of six numbers and whether to keep
the view, `prepend` takes rows; `add_comparison` takes a name and a precision, `set_comparison` an id and rows. Each
`render` appends the display list's words to the output, each `draw` those of the segments that it drew.
"""

import json
import random
from collections.abc import Callable
from typing import Any

Call = dict[str, Any]

# Index on the boundary and seconds of the timeframes that the scripts use.
TIMEFRAMES = [
    (0, 1),
    (1, 5),
    (3, 60),
    (5, 300),
    (8, 3600),
    (10, 14_400),
    (13, 86_400),
    (14, 604_800),
    (15, 2_592_000),
]
SYMBOLS = [("BTC-USD", 2), ("DOGE-USD", 5), ("SHIB/USDT", 8), ("JPY", 0), ("Ωμέγα-€", 3), ("", 2)]
SIZES = [(1440, 900), (390, 600), (320.5, 240.25), (1, 1), (0, 0), (2560, 1440), (150, 90)]
RATIOS = [1, 1.25, 1.5, 2, 3]
MONDAY = 1_699_833_600


class Walk:
    """A random walk of bars and ticks. Numbers have few decimals, so that every parser reads the same doubles."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        # How often there is no bar after a bar.
        self.rests = 0.0
        self.restart(3, 60, 2)

    def restart(self, timeframe: int, seconds: int, precision: int) -> None:
        self._seconds = seconds
        self._precision = precision
        self._price = self._chance.choice([0.004, 1.0, 67_000.0, 1_250_000.0]) * self._chance.uniform(0.5, 2)
        # A multiple of every length but the month; months are only placed by their ticks.
        self._time = MONDAY
        self._oldest = MONDAY
        self.timeframe = timeframe

    def _next_price(self) -> float:
        self._price = max(self._price * (1 + self._chance.uniform(-0.004, 0.004)), 10**-self._precision)
        return round(self._price, self._precision)

    def rest(self) -> None:
        """No bars for a while: a night, a weekend, a hole."""
        self._time += self._chance.choice([1, 7, 60, 400]) * self._seconds

    def _row(self, timestamp: int) -> list[float]:
        opening, closing = self._next_price(), self._next_price()
        high = round(max(opening, closing) * 1.001, self._precision)
        low = round(min(opening, closing) * 0.999, self._precision)
        high, low = max(high, opening, closing), min(low, opening, closing)
        return [timestamp, opening, high, low, closing, round(self._chance.uniform(0, 500), 4)]

    def rows(self, count: int) -> list[list[float]]:
        self._oldest = self._time
        made = []
        for _ in range(count):
            made.append(self._row(self._time))
            self._time += self._seconds
            if self._chance.random() < self.rests:
                self.rest()
        return made

    def compared(self, count: int) -> list[list[float]]:
        """Bars of another symbol around the newest ones."""
        first = self._time - count // 2 * self._seconds
        return [self._row(first + index * self._seconds) for index in range(count) if first > 0]

    def older_rows(self, count: int) -> list[list[float]]:
        first = self._oldest - count * self._seconds
        if first <= 0:
            return []
        made = [self._row(first + index * self._seconds) for index in range(count)]
        self._oldest = first
        return made

    def bar(self) -> list[float]:
        """A bar near the newest one: a correction, the newest again, or the next."""
        return self._row(self._time + self._chance.choice([-3, -1, -1, 0]) * self._seconds)

    def tick(self) -> list[float]:
        """A trade in the forming bar, just before it, or in the next one."""
        timestamp = round(self._time + self._chance.uniform(-0.2, 1.2) * self._seconds, 3)
        self._time = max(self._time, int(timestamp // self._seconds) * self._seconds)
        return [timestamp, self._next_price(), round(self._chance.uniform(0, 3), 4)]


def scene_script(seed: int, calls: int) -> list[Call]:
    """About `calls` calls, the same for the same seed, with a `render` after every few and at the end."""
    chance = random.Random(seed)
    walk = Walk(chance)
    walk.rests = chance.choice([0, 0.01, 0.1])
    script: list[Call] = []
    precision = 2

    def call(name: str, *args: Any) -> None:
        script.append({"call": name, "args": list(args)})

    def new_timeframe() -> None:
        index, seconds = chance.choice(TIMEFRAMES)
        walk.restart(index, seconds, precision)
        call("set_timeframe", index)

    def new_symbol() -> None:
        nonlocal precision
        name, precision = chance.choice(SYMBOLS)
        call("set_symbol", name, precision)

    def new_data() -> None:
        call("set_data", walk.rows(chance.choice([0, 1, 2, 40, 300, 1500])), chance.randint(0, 1))

    def ticks() -> None:
        for _ in range(chance.randint(1, 12)):
            call("tick", *walk.tick())

    def bar() -> None:
        call("place", *walk.bar(), chance.randint(0, 1))

    def crosshair() -> None:
        call("crosshair", round(chance.uniform(-20, 1500), 2), round(chance.uniform(-20, 950), 2))

    def scale() -> None:
        low, high = chance.choice([(None, None), (None, None), (1, 100_000), (0.001, 0.01)])
        call("set_scale", chance.randint(0, 2), chance.randint(0, 4), chance.randint(0, 1), low, high)

    moves = [
        (4, lambda: call("resize", *chance.choice(SIZES), chance.choice(RATIOS))),
        (3, lambda: call("set_theme", chance.randint(0, 4))),
        (3, lambda: call("set_kind", chance.randint(0, 8))),
        (2, lambda: call("set_volume", chance.randint(0, 2))),
        (2, lambda: call("set_font_scale", chance.choice([1, 1.5, 0.8]))),
        (1, lambda: call("set_baseline", chance.choice([None, 1, 67_000]))),
        (1, lambda: call("set_tick_size", chance.choice([0, 0.25, 0.03125]))),
        (3, scale),
        (2, lambda: call("stretch_scale", chance.randint(0, 2), chance.choice([0.5, 0.9, 1.2, 3]))),
        (2, lambda: call("pan_scale", chance.randint(0, 2), chance.randint(-200, 200))),
        (2, lambda: call("reset_scale", chance.randint(0, 2))),
        (2, lambda: call("drag_divider", chance.randint(0, 3), chance.randint(-200, 200))),
        (4, lambda: call("add_study", chance.randint(0, 25), chance.choice([-1, -1, 0, 1, 9]))),
        (3, lambda: call("remove_study", chance.randint(1, 40))),
        (2, lambda: call("set_study", chance.randint(1, 40), chance.randint(-1, 3), chance.randint(1, 60), None, 3, 2)),
        (1, lambda: call("set_study_colour", chance.randint(1, 40), 0, chance.choice([0, 0xFF8800FF]))),
        (1, lambda: call("show_study", chance.randint(1, 40), chance.randint(0, 1))),
        (2, lambda: call("move_study", chance.randint(1, 40), chance.randint(0, 4))),
        (1, lambda: call("move_pane", chance.randint(1, 3), chance.randint(1, 3))),
        (1, lambda: call("add_comparison", "ETH-€", 2)),
        (1, lambda: call("remove_comparison", chance.randint(1, 40))),
        (1, lambda: call("show_comparison", chance.randint(1, 40), chance.randint(0, 1))),
        (2, lambda: call("set_comparison", chance.randint(1, 40), walk.compared(300))),
        (2, lambda: call("set_zoom", chance.choice([0.1, 1, 3, 20]))),
        (1, lambda: call("go_to", MONDAY + chance.randint(-10_000, 10_000))),
        (2, new_symbol),
        (2, new_timeframe),
        (5, new_data),
        (14, ticks),
        (8, bar),
        (4, lambda: call("prepend", walk.older_rows(chance.choice([1, 50, 400])))),
        (10, lambda: call("pan", round(chance.uniform(-600, 900), 2))),
        (3, lambda: call("pan_bars", chance.randint(-80, 40))),
        (10, lambda: call("zoom", round(chance.uniform(0.5, 1.9), 3), round(chance.uniform(0, 1440), 1))),
        (3, lambda: call("set_time_scale", chance.choice([0, 1, 1, 2]))),
        (2, lambda: call("follow_live")),
        (2, lambda: call("fit")),
        (10, crosshair),
        (2, lambda: call("crosshair_off")),
        (5, lambda: call("crosshair_index", chance.randint(-30, 30))),
    ]
    weights, actions = zip(*moves, strict=True)
    call("resize", 1440, 900, 2)
    new_symbol()
    new_timeframe()
    call("set_data", walk.rows(500), 0)
    call("render")
    while len(script) < calls:
        chance.choices(actions, weights)[0]()
        if chance.random() < 0.3:
            call(chance.choice(["render", "draw"]))
    # Whatever came before, the last picture has a size and bars.
    call("resize", 1280, 720, 1.5)
    call("set_data", walk.rows(300), 0)
    ticks()
    call("crosshair", 640, 300)
    call("render")
    return script


def every_setting(studies: list[int]) -> list[Call]:
    """Each of the chart's settings on the same bars, with a picture after each."""
    walk = Walk(random.Random(5))
    walk.restart(5, 300, 2)
    script: list[Call] = []

    def call(name: str, *args: Any) -> None:
        script.append({"call": name, "args": list(args)})

    call("resize", 900, 600, 2)
    call("set_symbol", "BTC-USD", 2)
    call("set_timeframe", 5)
    call("set_data", walk.rows(700), 0)
    call("crosshair", 300, 200)
    for zoom in [1, 0.2]:
        call("set_zoom", zoom)
        for kind in [*range(8), 0]:
            call("set_kind", kind)
            call("render")
        for kind in [1, 2, 3, 0]:
            for inverted in [1, 0]:
                call("set_scale", 0, kind, inverted, None, None)
                call("render")
        for study in studies:
            call("add_study", study, -1)
            call("render")
            # Ids count up from 1.
            call("remove_study", len([each for each in script if each["call"] == "add_study"]))
    for theme in [1, 2, 3, 0]:
        call("set_theme", theme)
        call("draw")
    for volume in [2, 0, 1]:
        call("set_volume", volume)
        call("draw")
    # In time, near and far, over bars with holes.
    walk.rests = 0.05
    call("set_data", walk.rows(600), 0)
    for scale in [1, 0, 1]:
        call("set_time_scale", scale)
        for zoom in [1, 0.1]:
            call("set_zoom", zoom)
            call("pan_bars", -100)
            for kind in [0, 3]:
                call("set_kind", kind)
                call("draw")
    call("set_time_scale", 0)
    call("add_comparison", "ETH-USD", 2)
    call("set_comparison", 2 * len(studies) + 1, walk.compared(900))
    for kind in [2, 3]:
        call("set_scale", 0, kind, 0, None, None)
        call("draw")
    for step in range(5):
        call("crosshair", 200 + 40 * step, 150 + 90 * step)
        call("draw")
    return script


def json_lines(script: list[Call]) -> str:
    return "".join(json.dumps(call, ensure_ascii=False, separators=(",", ":")) + "\n" for call in script)


if __name__ == "__main__":
    import sys

    sys.stdout.write(json_lines(scene_script(*(int(each) for each in sys.argv[1:3]))))


def play(chance: random.Random, moves: list[tuple[int, Callable[[], None]]], script: list[Call], calls: int) -> None:
    """Moves, each as often as its weight says, until there are so many calls; a `render` after every few and at the end."""
    weights, actions = zip(*moves, strict=True)
    while len(script) < calls:
        chance.choices(actions, weights)[0]()
        if chance.random() < 0.3:
            script.append({"call": "render", "args": []})
    script.append({"call": "render", "args": []})


def minute_chart(script: list[Call], rows: list[list[float]]) -> None:
    """A chart of usual size with bars of a minute."""
    for name, *args in [
        ("resize", 1300, 700, 2), ("set_symbol", "BTC-USD", 2), ("set_timeframe", 3), ("set_data", rows, 0)
    ]:
        script.append({"call": name, "args": args})
