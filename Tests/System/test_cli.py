"""The command line: what a wrong call answers, and the pictures that `candlewire chart` makes."""

import csv
import json
import re
import socket
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest

from support.server import PACKAGE, binary

USAGE, INPUT, ADDRESS, OUTPUT = 64, 66, 69, 73  # sysexits.h


def candlewire(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(binary()), *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def error_of(answer: subprocess.CompletedProcess[str]) -> str:
    """The sentence on standard error; nothing else may be there but how to use the command."""
    first, *rest = answer.stderr.splitlines()
    assert first.startswith("Error: "), answer.stderr
    # The parser of the flags adds lines of help to its sentence.
    assert all(line.startswith(("Help:", "Usage:", "  See ")) for line in rest), answer.stderr
    assert "Fatal" not in answer.stderr and "Error(" not in answer.stderr
    return first.removeprefix("Error: ")


def prices(folder: Path, *, start: int = 1_700_000_040, step: int = 60, count: int = 50) -> str:
    """A CSV file of candles in `folder`; returns its name."""
    rows = ["timestamp,open,high,low,close,volume"]
    for index in range(count):
        middle = 100 + index % 7
        rows.append(f"{start + index * step},{middle},{middle + 2},{middle - 2},{middle + 1},{index}.5")
    (folder / "prices.csv").write_text("\n".join(rows) + "\n")
    return "prices.csv"


# MARK: serve

# What is called, the exit code, and a part of the sentence. The files are those of `files`.
BAD_SERVE = {
    "an unknown feed": (["--feed", "mars"], USAGE, 'Unknown feed "mars"; allowed are sim'),
    "a venue without a symbol": (["--feed", "kraken"], USAGE, "at least one symbol, for example kraken:BTC/USD"),
    "another venue's symbol": (["--feed", "kraken:BTC-USD"], USAGE, "its symbols look like BTC/USD"),
    "an address without a feed": (["--feed", "sim", "--url", "ws://127.0.0.1:1"], USAGE, "of which there is none"),
    "an address of two": (
        ["--feed", "kraken:BTC/USD", "--feed", "bitstamp:btcusd", "--url", "ws://127.0.0.1:1"], USAGE,
        "NAME=URL with one of the live feeds: kraken, bitstamp",
    ),
    "a pause without a live feed": (["--feed", "sim", "--pause-unwatched", "60"], USAGE, "belongs to live feeds"),
    "a pause of nothing": (["--feed", "kraken:BTC/USD", "--pause-unwatched", "0"], USAGE, "from 1 to 86400 seconds"),
    "an eviction without a live feed": (["--feed", "sim", "--evict-idle", "60"], USAGE, "--evict-idle belongs to live feeds"),
    "an eviction of stocks": (["--feed", "tracker", "--evict-idle", "0"], USAGE, "--evict-idle belongs to live feeds"),
    "an eviction of no time": (["--feed", "kraken:BTC/USD", "--evict-idle", "0.5"], USAGE, "1 to 604800 seconds, or 0"),
    "a deviation of words": (["--max-deviation", "much"], USAGE, "must be PERCENT or NAME=PERCENT with 0.01 to 1000"),
    "a deviation of nothing": (["--max-deviation", "sim=0"], USAGE, "must be PERCENT or NAME=PERCENT with 0.01 to 1000"),
    "a deviation of an unknown feed": (["--max-deviation", "kraken=5"], USAGE, '"kraken"; the feeds are sim.'),
    "an address that is none": (["--feed", "kraken:BTC/USD", "--url", "http://x"], USAGE, "must begin with ws://"),
    "an address that is none, with a secret": (
        ["--feed", "kraken:BTC/USD", "--url", "http://me:s3cret@x/?token=s3cret"], USAGE, 'The address "http://x/" of'),
    "a recording beside others": (["--feed", "sim", "--feed", "replay:notes.txt"], USAGE, "a clock of its own"),
    "one feed twice": (["--feed", "sim:BTC-USD", "--feed", "sim:ETH-USD"], USAGE, 'feed "sim" is given twice'),
    "an unknown simulated symbol": (["--feed", "sim:FOO-USD"], USAGE, 'no market "FOO-USD"; it has BTC-USD, ETH-USD'),
    "no simulated symbol": (["--feed", "sim:"], USAGE, "needs at least one symbol"),
    "no file to replay": (["--feed", "replay:"], USAGE, "needs a file: replay:FILE"),
    "a speed that is none": (["--feed", "replay:notes.txt", "--speed", "fast"], USAGE, 'The speed "fast" must be'),
    "a speed below zero": (["--feed", "replay:notes.txt", "--speed=-1"], USAGE, "must be a number above 0, or max"),
    "a speed of zero": (["--feed", "replay:notes.txt", "--speed", "0"], USAGE, "must be a number above 0, or max"),
    "a speed of infinity": (["--feed", "replay:notes.txt", "--speed", "inf"], USAGE, "must be a number above 0"),
    "a port beyond the last": (["--port", "65536"], USAGE, "must be a number from 0 to 65535"),
    "a port below the first": (["--port=-1"], USAGE, "must be a number from 0 to 65535"),
    "a port that is no number": (["--port", "http"], USAGE, "'http' is invalid for '--port"),
    "a speed for the simulated exchange": (["--speed", "2"], USAGE, "belong to a replay"),
    "a loop for the simulated exchange": (["--loop"], USAGE, "belong to a replay"),
    "a rate of zero": (["--rate", "0"], USAGE, "must be from 0.01"),
    "a rate that is no number": (["--rate", "nan"], USAGE, "must be from 0.01"),
    "a seed that is no number": (["--seed", "x"], USAGE, "'x' is invalid for '--seed"),
    "an unknown venue": (["--feed", "replay:notes.txt", "--venue", "foo"], USAGE, "allowed are binance, coinbase"),
    "an unknown log level": (["--log-level", "loud"], USAGE, 'Unknown log level "loud"; allowed are trace, debug'),
    "an unknown option": (["--nope"], USAGE, "Unknown option '--nope'"),
    "an argument too many": (["extra"], USAGE, "Unexpected argument 'extra'"),
    "a missing recording": (["--feed", "replay:gone.jsonl"], INPUT, "There is no file gone.jsonl"),
    "a folder as a recording": (["--feed", "replay:."], INPUT, "is a folder"),
    "an empty recording": (["--feed", "replay:empty.jsonl"], INPUT, "empty.jsonl is empty"),
    "a file that is no recording": (["--feed", "replay:notes.txt"], INPUT, "notes.txt: no venue is known to send such messages"),
    "a damaged gzip file": (["--feed", "replay:damaged.gz"], INPUT, "damaged.gz is a damaged gzip file"),
    "a venue not recognised": (["--feed", "replay:other.jsonl"], INPUT, "say whose they are with --venue (binance, coinbase, "),
    "a recording without trades": (
        ["--feed", "replay:other.jsonl", "--venue", "binance"], INPUT, "holds no binance trades"),
    "times that are none": (["--feed", "replay:timed.jsonl"], INPUT, '"yesterday" is not a time in nanoseconds'),
    "a web folder without a page": (["--web-dir", "."], INPUT, "There is no index.html"),
    "a data folder that is a file": (["--data-dir", "notes.txt"], OUTPUT, "notes.txt is a file"),
    "a data folder below a file": (["--data-dir", "notes.txt/data"], OUTPUT, "notes.txt is a file"),
}  # fmt: skip

TRADE = '{"e":"trade","E":1,"s":"AAABBB","t":1,"p":"1.5","q":"2","T":1700000000000,"m":true}\n'


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text("buy low\nsell high\n")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "damaged.gz").write_bytes(b"\x1f\x8b\x08\x00 not really")
    (tmp_path / "other.jsonl").write_text('{"result":null,"id":1}\n{"hello":"world"}\n')
    (tmp_path / "timed.jsonl").write_text(TRADE)
    (tmp_path / "timed.times.txt").write_text("yesterday\n")
    return tmp_path


@pytest.mark.parametrize("case", BAD_SERVE)
def test_serve_refuses(files: Path, case: str) -> None:
    arguments, code, part = BAD_SERVE[case]
    if "--data-dir" not in arguments:
        arguments = [*arguments, "--data-dir", "data"]
    if not any(argument.startswith("--port") for argument in arguments):
        arguments = [*arguments, "--port", "0"]
    answer = candlewire("serve", *arguments, folder=files)
    assert part in error_of(answer)
    assert answer.returncode == code
    assert "Candlewire is running" not in answer.stdout


def test_serve_refuses_a_taken_port(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        answer = candlewire("serve", "--port", str(port), "--data-dir", "data", folder=tmp_path)
    assert f"Port {port} on 127.0.0.1 is already in use" in error_of(answer)
    assert answer.returncode == ADDRESS
    assert not (tmp_path / "data").exists(), "nothing is made before the address is known to be free"


# MARK: help


@pytest.mark.parametrize("command", ["serve", "chart", "echo", "chaos", "record", "watch", "studies"])
def test_help_shows_examples(tmp_path: Path, command: str) -> None:
    answer = candlewire(command, "--help", folder=tmp_path)
    assert answer.returncode == 0
    _, examples = answer.stdout.split("\nEXAMPLES\n")
    assert examples.lstrip().startswith(f"candlewire {command}")


def test_help_is_wrapped_once_at_80_columns(tmp_path: Path) -> None:
    """The parser wraps lines of more than 80 letters: those of a paragraph that is wrapped already become ragged."""
    document = json.loads(candlewire("--experimental-dump-help", folder=tmp_path).stdout)
    ragged: list[tuple[str, str]] = []

    def check(command: dict[str, Any], path: str) -> None:
        name = f"{path} {command['commandName']}"
        lines = ["", *command.get("discussion", "").split("\n"), ""]
        for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
            stands_alone = not line.startswith(" ") and not before and (not after or after.startswith(" "))
            if len(line) > 80 and not stands_alone:
                ragged.append((name, line))
        for each in command.get("subcommands", []):
            check(each, name)

    check(document["command"], "")
    assert not ragged


def test_help_names_the_commands(tmp_path: Path) -> None:
    answer = candlewire("--help", folder=tmp_path)
    assert answer.returncode == 0
    groups = re.findall(r"^([A-Z ]+) SUBCOMMANDS:$", answer.stdout, re.M)
    assert groups == ["SERVER", "MARKETS", "PAPER TRADING", "ASSISTANT", "HISTORY AND CHARTS", "RECORDINGS AND TESTS"]
    assert "\nSUBCOMMANDS:" not in answer.stdout, "each command is in a group"
    assert all(f"\n  {command} " in answer.stdout for command in ("serve", "chart", "echo"))
    assert "\n  candlewire serve\n" in answer.stdout


def test_the_version_is_the_release_and_has_its_changes(tmp_path: Path) -> None:
    source = (PACKAGE / "Sources/HistoryStore/StoreMigration.swift").read_text()
    release = source.split("enum CandlewireRelease {")[1].split('version = "')[1].split('"')[0]
    answer = candlewire("--version", folder=tmp_path)
    assert (answer.returncode, answer.stdout.strip()) == (0, release)
    titles = [line for line in (PACKAGE / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert release.removesuffix("-dev") in titles[0]


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    answer = candlewire("draw", folder=tmp_path)
    assert "draw" in error_of(answer)
    assert answer.returncode == USAGE


# MARK: chart


@pytest.mark.parametrize(("width", "height", "scale"), [(1200, 700, "2"), (400, 300, "1"), (501, 333, "1.5")])
def test_chart_makes_a_png_of_the_requested_size(tmp_path: Path, width: int, height: int, scale: str) -> None:
    size = () if scale == "2" else ("--width", str(width), "--height", str(height), "--scale", scale)
    answer = candlewire("chart", prices(tmp_path), "--out", "a.png", *size, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "a.png: 50 of 50 candles of 1m, 2023-11-14 22:14 to 2023-11-14 23:03 UTC" in answer.stdout
    image = (tmp_path / "a.png").read_bytes()
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert image[-8:-4] == b"IEND"
    pixels = [int(length * float(scale) + 0.5) for length in (width, height)]
    assert list(struct.unpack(">4xII", image[12:24])) == pixels


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [("a.svg", b"<?xml", b"</svg>"), ("a.pdf", b"%PDF-", b"%%EOF"), ("a.PNG", b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82")],
)
def test_chart_makes_the_format_of_the_name(tmp_path: Path, name: str, start: bytes, end: bytes) -> None:
    answer = candlewire("chart", prices(tmp_path), "--out", name, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    image = (tmp_path / name).read_bytes()
    assert image.startswith(start)
    assert image.rstrip().endswith(end)


def test_chart_prints_the_closes_as_braille_with_their_range_in_words(tmp_path: Path) -> None:
    closes = [100, 120, 90, 110]
    rows = "".join(f"{1_737_972_000 + 60 * at},{each},{each},{each},{each},1\n" for at, each in enumerate(closes))
    (tmp_path / "four.csv").write_text("timestamp,open,high,low,close,volume\n" + rows)
    answer = candlewire("chart", "four.csv", "--braille", "--out", "a.png", folder=tmp_path)
    assert answer.returncode == 0
    # Columns of two and four dots; of one and three.
    assert answer.stdout.splitlines()[1:] == ["\u28fc\u28f0", "lowest 90.00, highest 120.00, last 110.00, up 10.00%."]
    assert len(candlewire("chart", "four.csv", "--out", "b.png", folder=tmp_path).stdout.splitlines()) == 1


def test_the_text_of_a_pdf_can_be_selected(tmp_path: Path) -> None:
    assert candlewire("chart", prices(tmp_path), "--out", "a.pdf", folder=tmp_path).returncode == 0
    file = (tmp_path / "a.pdf").read_bytes()
    assert b"/ToUnicode" in file
    page = zlib.decompressobj().decompress(file.split(b"stream\n", 1)[1])
    assert b"(49.5)Tj" in page  # the volume of the newest bar, in the legend


def test_chart_makes_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        assert candlewire("chart", prices(tmp_path), "--out", name, folder=tmp_path).returncode == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_chart_draws_another_picture_in_light(tmp_path: Path) -> None:
    for theme in ("dark", "light"):
        out = ("--theme", theme, "--out", f"{theme}.png")
        assert candlewire("chart", prices(tmp_path), *out, folder=tmp_path).returncode == 0
    assert (tmp_path / "dark.png").read_bytes() != (tmp_path / "light.png").read_bytes()


@pytest.mark.parametrize(
    "flags",
    [
        ("--series", "heikin-ashi"), ("--series", "area"), ("--price-scale", "log"), ("--inverted",), ("--volume", "pane"),
        ("--timezone", "Asia/Tokyo"), ("--study", "ema:20"), ("--study", "rsi:5", "--study", "bollinger:10:1.5"),
        ("--theme", "deuteranopia"), ("--price-range", "50:150"), ("--series", "baseline", "--baseline", "100.5"),
        ("--font-scale", "1.5"), ("--compare", "other.csv"), ("--drawings", "drawings.json"),
    ],
)  # fmt: skip
def test_chart_draws_what_the_flags_say(tmp_path: Path, flags: tuple[str, ...]) -> None:
    (tmp_path / "other.csv").write_text("timestamp,open,high,low,close\n1700000040,1,2,1,2\n1700002800,3,4,3,4\n")
    (tmp_path / "drawings.json").write_text(
        '{"format": "candlewire-drawings", "version": 1, "drawings": ['
        '{"kind": "vertical_line", "anchors": [{"time": 1700001600, "price": 1}]}]}'
    )
    for name, more in (("usual.svg", ()), ("other.svg", flags), ("again.svg", flags)):
        answer = candlewire("chart", prices(tmp_path), *more, "--out", name, folder=tmp_path)
        assert (answer.returncode, answer.stderr) == (0, "")
    assert (tmp_path / "usual.svg").read_bytes() != (tmp_path / "other.svg").read_bytes()
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_chart_spaces_bars_by_their_time(tmp_path: Path) -> None:
    lines = [f"{1_700_000_040 + 60 * (minute + 300 * (minute > 20))},1,2,1,2" for minute in range(40)]
    (tmp_path / "gap.csv").write_text("\n".join(["timestamp,open,high,low,close", *lines]) + "\n")
    for scale in ("bars", "time"):
        out = ("--time-scale", scale, "--out", f"{scale}.svg")
        answer = candlewire("chart", "gap.csv", *out, folder=tmp_path)
        assert (answer.returncode, answer.stderr) == (0, "")
    assert (tmp_path / "bars.svg").read_bytes() != (tmp_path / "time.svg").read_bytes()


def test_chart_reads_a_theme_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"base": "light", "background": "#102030"}')
    answer = candlewire("chart", prices(tmp_path), "--theme", "mine.json", "--out", "a.svg", folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    (tmp_path / "bad.json").write_text('{"up": "red"}')
    answer = candlewire("chart", prices(tmp_path), "--theme", "bad.json", "--out", "a.svg", folder=tmp_path)
    assert "bad.json is not a theme; up: “red” is not a valid colour; use #RRGGBB" in error_of(answer)


def test_chart_writes_bars_with_studies(tmp_path: Path) -> None:
    studies = ("--study", "sma:5", "--study", "macd:3:6:2")
    answer = candlewire("chart", prices(tmp_path), *studies, "--out", "a.csv", folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 50 and "sma_5" in rows[0] and sum(name.startswith("macd_3_6_2_") for name in rows[0]) == 3
    closes = [float(row["close"]) for row in rows]
    for index, row in enumerate(rows):
        mean = sum(closes[index - 4 : index + 1]) / 5 if index >= 4 else None
        assert (row["sma_5"] == "") if mean is None else float(row["sma_5"]) == pytest.approx(mean, rel=1e-12)
    # What it wrote it can draw.
    assert candlewire("chart", "a.csv", "--out", "a.png", folder=tmp_path).returncode == 0


def test_chart_joins_finer_candles(tmp_path: Path) -> None:
    # From 22:14 to 23:03 there are eleven stretches of five minutes.
    answer = candlewire("chart", prices(tmp_path), "--timeframe", "5m", "--out", "a.png", folder=tmp_path)
    assert "11 of 11 candles of 5m" in answer.stdout


BAD_CHART = {
    "a format that is none": (["prices.csv", "--out", "a.gif"], USAGE, "the name ends with .png, .svg, .pdf or .csv"),
    "no picture to write": (["prices.csv"], USAGE, "'--out <path>'"),
    "nothing to draw": (["--out", "a.png"], USAGE, "Missing expected argument"),
    "a timeframe that is none": (["prices.csv", "--timeframe", "7m", "--out", "a.png"], USAGE, "is not a timeframe"),
    "a finer timeframe": (
        ["prices.csv", "--timeframe", "1s", "--out", "a.png"], USAGE, "has 1m candles, from which 1s cannot be made"),
    "a theme that is none": (["prices.csv", "--theme", "blue", "--out", "a.png"], USAGE, "one of dark, light"),
    "a theme's file that is not there": (["prices.csv", "--theme", "a.json", "--out", "a.png"], USAGE, "no file a.json"),
    "a series that is none": (["prices.csv", "--series", "pie", "--out", "a.png"], USAGE, "one of candles, hollow"),
    "a study that is none": (["prices.csv", "--study", "foo", "--out", "a.png"], USAGE, "“foo” is not a valid study"),
    "a period of nothing": (["prices.csv", "--study", "rsi:0", "--out", "a.png"], USAGE, "whole number from"),
    "a zone that is none": (["prices.csv", "--timezone", "Mars", "--out", "a.png"], USAGE, "--timezone: “Mars”"),
    "a price scale that is none": (["prices.csv", "--price-scale", "x", "--out", "a.png"], USAGE, "linear, log, percent"),
    "a price range the wrong way round": (
        ["prices.csv", "--price-range", "2:1", "--out", "a.png"], USAGE, "--price-range: “2:1” is not valid; use auto"),
    "a baseline that is no price": (["prices.csv", "--baseline", "x", "--out", "a.png"], USAGE, "--baseline: “x”"),
    "letters too large": (["prices.csv", "--font-scale", "4", "--out", "a.png"], USAGE, "--font-scale: “4.0”"),
    "drawings that are not there": (["prices.csv", "--drawings", "a.json", "--out", "a.png"], USAGE, "no file a.json"),
    "drawings that are none": (
        ["prices.csv", "--drawings", "header.csv", "--out", "a.png"], USAGE, "--drawings: header.csv: "),
    "a comparison that is not there": (
        ["prices.csv", "--compare", "gone.csv", "--out", "a.png"], INPUT, "gone.csv: there is no such file"),
    "too many comparisons": (
        ["prices.csv", *["--compare", "prices.csv"] * 9, "--out", "a.png"], USAGE, "there are 9; the maximum is 8"),
    "a time scale that is none": (["prices.csv", "--time-scale", "x", "--out", "a.png"], USAGE, "one of bars, time"),
    "too narrow a picture": (["prices.csv", "--width", "99", "--out", "a.png"], USAGE, "must be from 100 to 8000"),
    "too high a picture": (["prices.csv", "--height", "8001", "--out", "a.png"], USAGE, "must be from 100 to 8000"),
    "a scale that is no number": (["prices.csv", "--scale", "nan", "--out", "a.png"], USAGE, "must be from 0.5 to 8"),
    "too many pixels": (
        ["prices.csv", "--width", "8000", "--scale", "8", "--out", "a.png"], USAGE, "the maximum is 32767"),
    "a file that is not there": (["gone.csv", "--out", "a.png"], INPUT, "gone.csv: there is no such file"),
    "an empty file": (["empty.csv", "--out", "a.png"], INPUT, "empty.csv: there are no candles in it"),
    "a header alone": (["header.csv", "--out", "a.png"], INPUT, "there is a header but no candle"),
    "a word for a price": (["word.csv", "--out", "a.png"], INPUT, "word.csv, line 3, column 2: open is “x”"),
    "a high below the low": (["upside.csv", "--out", "a.png"], INPUT, "upside.csv, line 2, column 3: high is"),
    "a symbol without a store": (
        ["BTC-USD", "--data-dir", "gone", "--out", "a.png"], INPUT, "There is no candle store at gone/"),
    "a folder that is not there": (["prices.csv", "--out", "gone/a.png"], OUTPUT, "there is no folder"),
    "a folder that is a file": (["prices.csv", "--out", "empty.csv/a.png"], OUTPUT, "is a file"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_CHART)
def test_chart_refuses(tmp_path: Path, case: str) -> None:
    arguments, code, part = BAD_CHART[case]
    prices(tmp_path)
    header = "timestamp,open,high,low,close\n"
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "header.csv").write_text(header)
    (tmp_path / "word.csv").write_text(header + "1700000040,1,2,1,2\n1700000100,x,2,1,2\n")
    (tmp_path / "upside.csv").write_text(header + "1700000040,1,0.5,1,1\n")
    answer = candlewire("chart", *arguments, folder=tmp_path)
    assert part in error_of(answer)
    assert answer.returncode == code
    assert answer.stdout == ""
    assert not (tmp_path / "a.png").exists()
