"""`candlewire import` and `candlewire export`: what they keep, what they say, and what a wrong call answers."""

import gzip
import os
import pty
import resource
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from running_server import RunningServer
from support.server import binary
from test_cli import INPUT, OUTPUT, USAGE, candlewire, error_of, prices

BAD_DATA = 65  # sysexits.h
STORE = ("--data-dir", "data")
MINUTES = ("--symbol", "X", "--timeframe", "1m", *STORE)


def test_a_file_comes_back_byte_by_byte(tmp_path: Path) -> None:
    prices(tmp_path, count=3000)
    answer = candlewire("import", "prices.csv", *MINUTES, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "kept      3,000 candles: 3,000 new, 0 replaced, 0 were there already" in answer.stdout
    assert "first     2023-11-14 22:14:00 UTC" in answer.stdout
    assert "1,001 of 3m, 601 of 5m" in answer.stdout

    first = candlewire("export", "X", "--timeframe", "1m", "--out", "first.csv", *STORE, folder=tmp_path)
    assert (first.returncode, first.stdout, first.stderr) == (0, "first.csv: 3,000 candles of X, 1m\n", "")
    text = (tmp_path / "first.csv").read_bytes()
    assert text.splitlines()[:2] == [b"timestamp,open,high,low,close,volume", b"1700000040,100,102,98,101,0.5"]

    # Through another store, packed, from standard input, and in another clock's words.
    with gzip.open(tmp_path / "packed.csv.gz", "wb") as file:
        file.write(text)
    candlewire("import", "packed.csv.gz", "--symbol", "Y", "--timeframe", "1m", "--data-dir", "b", folder=tmp_path)
    second = candlewire("export", "Y", "--timeframe", "1m", "--data-dir", "b", folder=tmp_path)
    assert second.stdout.encode() == text
    local = ("--time-format", "M/D/YYYY h:MM:SS AM", "--time-zone", "America/New_York")
    words = candlewire("export", "X", "--timeframe", "1m", *local, *STORE, folder=tmp_path).stdout
    assert words.splitlines()[1].startswith("11/14/2023 5:14:00 PM,100,102,98")
    piped = subprocess.run(
        [str(binary()), "import", "-", "--symbol", "Z", "--timeframe", "1m", *local, *STORE],
        cwd=tmp_path, input=words, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (piped.returncode, piped.stderr) == (0, ""), piped.stderr
    third = candlewire("export", "Z", "--timeframe", "1m", *STORE, folder=tmp_path)
    assert third.stdout.encode() == text

    again = candlewire("import", "prices.csv", *MINUTES, folder=tmp_path)
    assert "Nothing changed: all of it was in the store already." in again.stdout
    period = ("--from", "2023-11-14 22:20", "--to", "2023-11-14T22:25:00Z")
    part = candlewire("export", "X", "--timeframe", "1m", *period, *STORE, folder=tmp_path)
    assert [line.split(",")[0] for line in part.stdout.splitlines()[1:]] == [
        str(1_700_000_400 + 60 * index) for index in range(5)
    ]


def test_bad_rows_are_reported_and_the_others_kept(tmp_path: Path) -> None:
    name = prices(tmp_path, count=30)
    lines = (tmp_path / name).read_text().splitlines()
    lines[5] = "1700000280,1,2,3,4,5"
    for index in range(30):
        lines.append(f'bad{index},1,2,"0.5",1,{index}')
    (tmp_path / name).write_text("\n".join(lines))
    answer = candlewire("import", name, *MINUTES, "--rejects", "bad.csv", folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "60 rows" in answer.stdout and "kept      29 candles" in answer.stdout
    assert "rejected  31 rows" in answer.stdout and "… and 11 more bad rows" in answer.stdout
    assert "line 6, column 3: high is 2.0; it is at least open, low and close" in answer.stdout
    reported = (tmp_path / "bad.csv").read_text().splitlines()
    assert reported[0] == "line,column,reason,row" and len(reported) == 32
    assert reported[2].startswith('32,1,"“bad0” is not a time') and reported[2].endswith('"bad0,1,2,""0.5"",1,0"')

    (tmp_path / "none.csv").write_text("timestamp,open,high,low,close\nnever,1,2,3,4\n")
    nothing = candlewire("import", "none.csv", *MINUTES, folder=tmp_path)
    assert nothing.returncode == BAD_DATA
    assert "There is no good row in it; the store stays as it was." in nothing.stdout


def test_trades_become_candles_of_all_timeframes(tmp_path: Path) -> None:
    rows = [f"{1_700_000_040 + index / 4},{100 + index % 5},0.1" for index in range(1200)]
    rows.append("1699990000,100,1")
    (tmp_path / "trades.csv").write_text("\n".join(rows))
    call = ("import", "trades.csv", "--trades", "--symbol", "X", *STORE)
    answer = candlewire(*call, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "kept      300 candles: 300 new" in answer.stdout and "rejected  1 trades" in answer.stdout
    assert "line 1201: the trade is more than an hour older than one before it" in answer.stdout
    minute = candlewire("export", "X", "--timeframe", "1m", *STORE, folder=tmp_path).stdout.splitlines()
    assert minute[1] == "1700000040,100,104,100,104,24" and len(minute) == 6
    assert "Nothing changed" in candlewire(*call, folder=tmp_path).stdout

    # The file may begin and end in the midst of a second: such a piece does not take the place of a whole one.
    (tmp_path / "piece.csv").write_text("1700000042.9,7,1\n1700000045.1,8,1\n1700000400.1,9,1\n")
    piece = candlewire("import", "piece.csv", "--trades", "--symbol", "X", *STORE, folder=tmp_path)
    assert "1 new, 1 replaced" in piece.stdout and "1 stay as they hold more than the pieces" in piece.stdout
    second = candlewire("export", "X", "--timeframe", "1s", *STORE, folder=tmp_path).stdout.splitlines()
    assert second[3].startswith("1700000042,103,104,100,101") and second[6] == "1700000045,8,8,8,8,1"
    with sqlite3.connect(tmp_path / "data" / "candlewire.sqlite") as store:
        kinds = store.execute("SELECT timestamp, quality FROM candles WHERE quality = 1 AND series = 1").fetchall()
    store.close()
    assert kinds == [(1_700_000_040, 1), (1_700_000_339, 1), (1_700_000_400, 1)], "first and last, of either file"


def test_the_hour_that_clocks_showed_twice(tmp_path: Path) -> None:
    walls = ["00:59:59", "01:00:00", "01:00:00", "01:59:59", "01:00:00", "01:30:00", "01:59:59", "02:00:00"]
    (tmp_path / "trades.csv").write_text("".join(f"2024-11-03 {wall},5,1\n" for wall in walls))
    zone = ("--time-zone", "America/New_York")
    answer = candlewire("import", "trades.csv", "--trades", "--symbol", "X", *zone, *STORE, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    rows = candlewire("export", "X", "--timeframe", "1s", *STORE, folder=tmp_path).stdout.splitlines()[1:]
    start = 1_730_606_400
    expected = [(3599, 1), (3600, 2), (7199, 1), (7200, 1), (9000, 1), (10_799, 1), (10_800, 1)]
    assert [row.split(",")[0::5] for row in rows] == [[str(start + at), str(count)] for at, count in expected]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
def test_days_are_days_in_every_zone(zone: str, tmp_path: Path) -> None:
    lines = [f"2024-08-{day:02},1,3,0.5,2,{day}" for day in range(1, 11)]
    (tmp_path / "days.csv").write_text("\n".join(lines))
    days = ("--timeframe", "1d", "--time-zone", zone, *STORE)
    assert candlewire("import", "days.csv", "--symbol", "X", *days, folder=tmp_path).returncode == 0
    period = ("--from", "2024-08-02", "--to", "2024-08-09", "--time-format", "YYYY-MM-DD")
    out = candlewire("export", "X", *days, *period, folder=tmp_path).stdout.splitlines()[1:]
    assert out == lines[1:8]


def test_the_file_that_is_read_cannot_receive_the_rejects(tmp_path: Path) -> None:
    prices(tmp_path)
    text = (tmp_path / "prices.csv").read_bytes()
    (tmp_path / "link.csv").symlink_to("prices.csv")
    os.link(tmp_path / "prices.csv", tmp_path / "other.csv")
    for name in ("prices.csv", "./prices.csv", "link.csv", "other.csv"):
        answer = candlewire("import", "prices.csv", *MINUTES, "--rejects", name, folder=tmp_path)
        assert answer.returncode == USAGE and "is the file that is read" in error_of(answer)
    with (tmp_path / "prices.csv").open() as file:
        piped = subprocess.run(
            [str(binary()), "import", "-", *MINUTES, "--rejects", "prices.csv"],
            cwd=tmp_path, stdin=file, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert piped.returncode == USAGE
    assert (tmp_path / "prices.csv").read_bytes() == text


def test_an_export_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    prices(tmp_path, count=3000)
    assert candlewire("import", "prices.csv", *MINUTES, folder=tmp_path).returncode == 0

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

    # Python ignores SIGXFSZ, and so does what it starts: writing fails instead.
    answer = subprocess.run(
        [str(binary()), "export", "X", "--timeframe", "1m", "--out", "big.csv", *STORE], cwd=tmp_path,
        capture_output=True, text=True, timeout=120, check=False, preexec_fn=small_files, restore_signals=False,
    )  # fmt: skip
    assert answer.returncode == OUTPUT, answer.stderr
    assert "big.csv cannot be written" in error_of(answer)
    assert not list(tmp_path.glob("big.csv*"))


BAD = {
    "no timeframe": (["import", "p.csv", "--symbol", "X"], USAGE, "--timeframe is missing; it is one of 1s 5s"),
    "a timeframe that is none": (["import", "p.csv", "--symbol", "X", "--timeframe", "7m"], USAGE, "is not a timeframe"),
    "no symbol": (["import", "p.csv", "--timeframe", "1m"], USAGE, "Missing expected argument '--symbol"),
    "a symbol with blanks": (["import", "p.csv", "--symbol", "A B", "--timeframe", "1m"], USAGE, "without blanks"),
    "columns that are none": (["import", "p.csv", *MINUTES, "--columns", "x"], USAGE, "chosen as ROLE=NAME"),
    "a time format that is none": (["import", "p.csv", *MINUTES, "--time-format", "?"], USAGE, "is auto, s, ms"),
    "a zone that is none": (["import", "p.csv", *MINUTES, "--time-zone", "Mars"], USAGE, "as America/New_York"),
    "a date that is none": (["import", "p.csv", *MINUTES, "--date", "May"], USAGE, "is not a date"),
    "a scale of zero": (["import", "p.csv", *MINUTES, "--price-scale", "0"], USAGE, "--price-scale must be above 0"),
    "a choice that is none": (["import", "p.csv", *MINUTES, "--coarser", "some"], USAGE, "missing, all or none"),
    "no such file": (["import", "gone.csv", *MINUTES], INPUT, "gone.csv: there is no such file"),
    "a folder": (["import", ".", *MINUTES], INPUT, "it is a directory"),
    "prose": (["import", "prose.txt", *MINUTES], BAD_DATA, "neither a header nor a row"),
    "a header without a column": (["import", "short.csv", *MINUTES], BAD_DATA, "the header lacks low"),
    "a damaged gzip file": (["import", "damaged.gz", *MINUTES], INPUT, "damaged.gz: the gzip data is corrupt"),
    "a cut gzip file": (["import", "cut.gz", *MINUTES], INPUT, "cut.gz: the gzip data is truncated"),
    "rejects in no folder": (["import", "p.csv", *MINUTES, "--rejects", "no/x"], OUTPUT, "no/x cannot be written"),
    "no store": (["export", "X", "--timeframe", "1m", "--data-dir", "none"], OUTPUT, "There is no candle store"),
    "no such symbol": (["export", "Q", "--timeframe", "1m", *STORE], INPUT, "has no candles of Q; it has those of X"),
    "no such candles": (["export", "X", "--timeframe", "1s", *STORE], INPUT, "has no 1s candles of X; it has 1m, 3m"),
    "an output in no folder": (["export", "X", "--timeframe", "1m", "--out", "no/x", *STORE], OUTPUT, "no/x cannot be"),
    "a format to read only": (
        ["export", "X", "--timeframe", "1m", "--time-format", "auto", *STORE], USAGE, "can be read only"),
    "an end before the start": (
        ["export", "X", "--timeframe", "1m", "--from", "2024-01-02", "--to", "2024-01-01", *STORE], USAGE, "not after"),
    "a time that is none": (["export", "X", "--timeframe", "1m", "--from", "now", *STORE], USAGE, "“now” is not a time"),
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    prices(folder)
    (folder / "p.csv").write_bytes((folder / "prices.csv").read_bytes())
    (folder / "prose.txt").write_text("Dear all,\nwe have no prices.\nYours\n")
    (folder / "short.csv").write_text("date,open,high,close\n2024-01-01,1,2,1\n")
    packed = gzip.compress((folder / "p.csv").read_bytes())
    (folder / "damaged.gz").write_bytes(packed[:30] + b"\x00\xff" * 20 + packed[70:])
    (folder / "cut.gz").write_bytes(packed[:-20])
    assert candlewire("import", "p.csv", *MINUTES, folder=folder).returncode == 0
    return folder


@pytest.mark.parametrize("what", BAD)
def test_a_wrong_call_says_what_is_wrong(what: str, files: Path) -> None:
    arguments, code, words = BAD[what]
    answer = candlewire(*arguments, folder=files)
    assert words in error_of(answer)
    assert (answer.returncode, answer.stdout) == (code, "")
    assert not list(files.rglob("*.part"))


def test_a_running_server_keeps_its_store_to_itself(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    prices(tmp_path)
    serve("sim:BTC-USD")
    data = ("--data-dir", "data-0")
    answer = candlewire("import", "prices.csv", "--symbol", "X", "--timeframe", "1m", *data, folder=tmp_path)
    assert answer.returncode == OUTPUT
    assert "is in use by another candlewire" in error_of(answer)
    # Reading disturbs no other process.
    exported = candlewire("export", "BTC-USD", "--timeframe", "1d", *data, folder=tmp_path)
    assert exported.returncode == 0 and exported.stdout.count("\n") > 10


def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    prices(tmp_path, count=20_000)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [str(binary()), "import", "prices.csv", *MINUTES], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs,
        env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    assert process.wait(timeout=120) == 0
    os.close(ours)
    text = shown.decode()
    assert "reading prices.csv [" in text and " rows" in text
    # The line is removed at the end.
    assert text.endswith("\x1b[2K")
