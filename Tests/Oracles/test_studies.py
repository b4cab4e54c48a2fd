"""Every technical study of whole series, against TA-Lib where it has it and a plain computation where it has not."""

import csv
import io
import subprocess
from pathlib import Path

import numpy as np
import pytest

from shared_data import OHLCV
from study_oracle import CHECKS, SERIES, Bars, Check, Column, read_bars
from support.server import binary

RELATIVE = 1e-9


class Recorded:
    """A series as the oracle has it and as a file for the program."""

    def __init__(self, path: Path, columns: tuple[int, ...], folder: Path) -> None:
        self.bars: Bars = read_bars(path, columns)
        self.file = folder / "bars.csv"
        self.bars.write(self.file)

    def columns(self, check: Check) -> list[Column]:
        arguments = [str(binary()), "studies", str(self.file), "--study", check.study]
        if check.parameters:
            arguments += ["--parameters", ",".join(f"{parameter:g}" for parameter in check.parameters)]
        if check.source:
            arguments += ["--source", check.source]
        answer = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=True)
        rows = list(csv.reader(io.StringIO(answer.stdout)))[1:]
        table = np.array([[float(field) if field else np.nan for field in row] for row in rows])
        return list(table.T[1:])


@pytest.fixture(scope="module", params=SERIES)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return Recorded(OHLCV / f"{request.param}.csv.gz", SERIES[request.param], tmp_path_factory.mktemp("studies"))


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_every_value_is_the_oracles(recorded: Recorded, check: Check) -> None:
    if check.needs_volume and not recorded.bars.volumes.any():
        pytest.skip("the series has no volumes")
    found, expected = recorded.columns(check), check.reference(recorded.bars)
    assert len(found) == len(expected)
    compared = ~check.left_out(recorded.bars)
    compared[: check.after] = False
    for output, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        assert len(ours) == recorded.bars.count
        where = f"{check} output {output}"
        wrong = np.flatnonzero(compared & (np.isnan(ours) != np.isnan(theirs)))
        assert not wrong.size, f"{where} bar {wrong[0]}: {ours[wrong[0]]}, not {theirs[wrong[0]]}"
        both = compared & ~np.isnan(theirs)
        assert both.sum() > 0.3 * (recorded.bars.count - check.after), f"{where}: too few are compared"
        limits = RELATIVE * np.maximum(np.abs(theirs), check.scale)
        wrong = np.flatnonzero(both & (np.abs(ours - theirs) > limits))
        first = f"bar {wrong[0]}: {ours[wrong[0]]!r}, not {theirs[wrong[0]]!r}" if wrong.size else ""
        assert not wrong.size, f"{where}: {wrong.size} of {both.sum()} differ, {first}"
