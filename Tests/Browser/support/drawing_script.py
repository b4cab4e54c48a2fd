"""Scripts that draw on a chart: seeded sequences of the drawings' calls, in zones with and without daylight saving."""

import random
from typing import Any

from support.scene_script import MONDAY, Call, Walk, minute_chart, play

ZONES = ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Sydney", "Nowhere/At_All"]
TEXTS = ["", "support", "Ωμέγα-€ 🙂", 'with "quotes"', "x" * 300]
DOCUMENT = (
    '{"format":"candlewire-drawings","version":1,"drawings":[{"kind":"fibonacci","anchors":'
    '[{"time":%d,"price":%s},{"time":%d,"price":%s}],"colour":"#E59F2E80","width":3,"dash":"dotted","text":"\\u20ac"}]}'
)


def drawing_script(seed: int, calls: int) -> list[Call]:
    """About `calls` calls, the same for the same seed: every kind, made by presses, by drags and by numbers."""
    chance = random.Random(seed)
    walk = Walk(chance)
    rows = walk.rows(300)
    script: list[Call] = []

    def call(name: str, *args: Any) -> None:
        script.append({"call": name, "args": list(args)})

    def place() -> tuple[float, float]:
        return round(chance.uniform(0, 1300), 2), round(chance.uniform(0, 700), 2)

    def anchor() -> tuple[float, float]:
        """A time on, between, before or after the bars, and a price near theirs."""
        row = chance.choice(rows)
        return MONDAY + chance.randint(-200, 500) * 30, round(row[4] * chance.uniform(0.99, 1.01), 2)

    def number() -> int:
        return chance.randint(1, 30)

    def draw() -> None:
        call("drawing_tool", chance.randint(-1, 8))
        call("drawing_press", *place(), 6)
        call("drawing_move", *place(), 6)
        call("drawing_release", *place(), 6)
        if chance.random() < 0.5:
            call("drawing_press", *place(), 16)
            call("drawing_release", *place(), 16)

    def load() -> None:
        call("drawing_load", DOCUMENT % (*anchor(), *anchor()) if chance.random() < 0.5 else '{"version":2}')

    moves = [
        (12, draw),
        (8, lambda: call("drawing_add", chance.randint(0, 7), *anchor(), *anchor())),
        (6, lambda: call("drawing_move", *place(), 6)),
        (3, lambda: call("drawing_cancel")),
        (3, lambda: call("drawing_at_crosshair")),
        (4, lambda: call("drawing_nudge", chance.randint(-9, 9), chance.randint(-50, 50))),
        (3, lambda: call("drawing_magnet", chance.randint(0, 3))),
        (5, lambda: call("drawing_style", chance.choice([0, number()]), chance.choice([-1, 0xE59F2EFF, 0x3478F680]),
                         chance.randint(0, 9), chance.randint(0, 2))),
        (3, lambda: call("drawing_set_text", number(), chance.choice(TEXTS))),
        (2, lambda: call("drawing_lock", number(), chance.randint(0, 1))),
        (2, lambda: call("drawing_hide", chance.choice([0, number()]), chance.randint(0, 1))),
        (2, lambda: call("drawing_raise", number())),
        (2, lambda: call("drawing_remove", number())),
        (3, lambda: call("drawing_select", chance.choice([0, number()]))),
        (3, lambda: call("drawing_select_next", chance.choice([1, -1]))),
        (6, lambda: call("drawing_undo")),
        (4, lambda: call("drawing_redo")),
        (1, load),
        (3, lambda: call("set_zone", chance.choice(ZONES))),
        (4, lambda: call("zoom", round(chance.uniform(0.6, 1.6), 3), round(chance.uniform(0, 1300), 1))),
        (4, lambda: call("pan", round(chance.uniform(-400, 400), 2))),
        (4, lambda: call("crosshair", *place())),
    ]
    minute_chart(script, rows)
    play(chance, moves, script, calls)
    return script
