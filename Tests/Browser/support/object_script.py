"""Scripts that put price lines, alerts, markers, orders and the feed's state on a chart, and drag orders."""

import random
from typing import Any

from support.scene_script import MONDAY, Call, Walk, minute_chart, play

TEXTS = ["", "Buy 0.5 limit", "Ωμέγα-€ 🙂", "x" * 300]


def object_script(seed: int, calls: int) -> list[Call]:
    """About `calls` calls, the same for the same seed."""
    chance = random.Random(seed)
    walk = Walk(chance)
    walk.rests = chance.choice([0, 0.05])
    rows = walk.rows(300)
    script: list[Call] = []

    def call(name: str, *args: Any) -> None:
        script.append({"call": name, "args": list(args)})

    def place() -> tuple[float, float]:
        return round(chance.uniform(0, 1300), 2), round(chance.uniform(0, 700), 2)

    def time() -> int:
        return MONDAY + chance.randint(-20, 330) * 60

    def price() -> float:
        return round(chance.choice(rows[-80:])[4] * chance.uniform(0.99, 1.01), 2)

    def number() -> int:
        return chance.randint(1, 12)

    def text() -> str:
        return chance.choice(TEXTS)

    def colour() -> int:
        return chance.choice([-1, 0xE59F2EFF, 0x3478F680])

    def drag() -> None:
        """From the height of an order, where one is, to somewhere."""
        x, y = place()
        call("order_press", x, y, 30)
        for _ in range(chance.randint(1, 3)):
            call("order_drag", *place())
            call("draw")
        call("order_release")
        call(chance.choice(["order_accept", "order_revert"]), number())

    def mark() -> None:
        start = time()
        call("feed_mark", start, start + chance.choice([-60, 0, 60, 1200]), chance.randint(0, 4), text())

    moves = [
        (8, lambda: call("line_set", number(), price(), colour(), chance.randint(0, 9), chance.randint(0, 3), text())),
        (2, lambda: call("line_remove", number())),
        (6, lambda: call("alert_set", number(), price(), chance.randint(0, 3))),
        (4, lambda: call("alert_update", price())),
        (2, lambda: call("alert_rearm", number())),
        (2, lambda: call("alert_remove", number())),
        (10, lambda: call("marker_set", number(), time(), chance.randint(0, 4), colour(), text())),
        (2, lambda: call("marker_remove", number())),
        (6, mark),
        (1, lambda: call("feed_clear")),
        (10, lambda: call("order_set", number(), chance.randint(0, 4), chance.randint(0, 1), price(),
                          chance.randint(0, 1), text())),
        (2, lambda: call("order_remove", number())),
        (8, drag),
        (1, lambda: call("objects_clear")),
        (3, lambda: call("set_time_scale", chance.randint(0, 1))),
        (3, lambda: call("zoom", round(chance.uniform(0.6, 1.6), 3), round(chance.uniform(0, 1300), 1))),
        (3, lambda: call("pan", round(chance.uniform(-300, 400), 2))),
        (4, lambda: call("crosshair", *place())),
    ]
    minute_chart(script, rows)
    play(chance, moves, script, calls)
    return script
