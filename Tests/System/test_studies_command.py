"""`candlewire studies`: the values it prints, its list, and what a wrong call answers."""

import csv
import io
import subprocess
from pathlib import Path

import pytest

from support.server import binary
from test_cli import INPUT, USAGE, candlewire, error_of, prices


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_prints_a_line_a_candle(tmp_path: Path) -> None:
    answer = candlewire("studies", prices(tmp_path), "--study", "macd", "--parameters", "3,5,2", folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    header, *lines = rows(answer.stdout)
    assert header == ["timestamp", "MACD", "Signal", "Histogram"]
    assert [line[0] for line in lines] == [str(1_700_000_040 + 60 * index) for index in range(50)]
    assert [sum(field != "" for field in line[1:]) for line in lines] == [0] * 4 + [1] + [3] * 45


def test_the_numbers_have_all_their_digits(tmp_path: Path) -> None:
    answer = candlewire("studies", prices(tmp_path), "--study", "sma", "--parameters", "3", folder=tmp_path)
    closes = [101 + index % 7 for index in range(50)]
    expected = [sum(closes[index - 2 : index + 1]) / 3 for index in range(2, 50)]
    assert [float(line[1]) for line in rows(answer.stdout)[3:]] == expected


def test_the_source_is_the_requested_price(tmp_path: Path) -> None:
    first = {}
    for source in ("close", "hl2", "hlc3", "ohlc4"):
        arguments = ("--study", "sma", "--parameters", "1", "--source", source)
        answer = candlewire("studies", prices(tmp_path), *arguments, folder=tmp_path)
        first[source] = float(rows(answer.stdout)[1][1])
    # The first candle is 100, 102, 98, 101.
    assert first == {"close": 101, "hl2": 100, "hlc3": 301 / 3, "ohlc4": 100.25}


def test_candles_are_joined_first(tmp_path: Path) -> None:
    arguments = ("--study", "obv", "--timeframe", "5m")
    answer = candlewire("studies", prices(tmp_path), *arguments, folder=tmp_path)
    times = [int(line[0]) for line in rows(answer.stdout)[1:]]
    assert len(times) == 11
    assert all(time % 300 == 0 for time in times)


def test_the_list_names_each_study_with_its_parameters(tmp_path: Path) -> None:
    answer = candlewire("studies", "--list", folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    entries = {entry.split("  ")[0]: entry for entry in answer.stdout.strip().split("\n\n")}
    assert len(entries) == 24
    assert "Period: 14, a whole number from 1 to 1000" in entries["rsi"]
    assert "Deviations: 2, a number from 0.1 to 20" in entries["bollinger"]
    assert "Span A (drawn 26 further right, by the last parameter)" in entries["ichimoku"]
    for name in entries:
        answer = candlewire("studies", prices(tmp_path), "--study", name, folder=tmp_path)
        assert (answer.returncode, answer.stderr) == (0, ""), name
        assert len(rows(answer.stdout)) == 51


# What is called, the exit code, and a part of the sentence.
REFUSED = {
    "nothing": ([], USAGE, "Name a CSV file or a symbol, or use --list"),
    "no study": (["prices.csv"], USAGE, "Name a study with --study: sma, ema"),
    "an unknown study": (["prices.csv", "--study", "magic"], USAGE, "“magic” is not a study; allowed are sma, ema"),
    "a parameter too many": (["prices.csv", "--study", "rsi", "--parameters", "14,3"], USAGE, "rsi has 1, not 2"),
    "no number": (["prices.csv", "--study", "rsi", "--parameters", "x"], USAGE, "“x”: Period: 14, a whole"),
    "part of a bar": (["prices.csv", "--study", "rsi", "--parameters", "2.5"], USAGE, "“2.5”: Period: 14, a whole"),
    "below zero": (["prices.csv", "--study", "rsi", "--parameters", "-3"], USAGE, "“-3”: Period: 14, a whole number"),
    "not a number": (["prices.csv", "--study", "sar", "--parameters", "nan"], USAGE, "“nan”: Step: 0.02, a number"),
    "too long": (["prices.csv", "--study", "sma", "--parameters", "1001"], USAGE, "from 1 to 1000"),
    "an unknown price": (["prices.csv", "--study", "sma", "--source", "low"], USAGE, "allowed are close hl2 hlc3 ohlc4"),
    "a price where none is": (["prices.csv", "--study", "obv", "--source", "hl2"], USAGE, "from whole candles"),
    "a missing file": (["gone.csv", "--study", "rsi"], INPUT, "there is no such file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refuses(tmp_path: Path, case: str) -> None:
    prices(tmp_path)
    arguments, code, part = REFUSED[case]
    answer = candlewire("studies", *arguments, folder=tmp_path)
    assert part in error_of(answer)
    assert answer.returncode == code
    assert answer.stdout == ""


def test_a_reader_may_leave_early(tmp_path: Path) -> None:
    command = f"{binary()} studies {prices(tmp_path, count=20_000)} --study sma | head -n 1"
    shell = ["bash", "-c", command]
    answer = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (answer.stdout, answer.stderr) == ("timestamp,SMA\n", "")
