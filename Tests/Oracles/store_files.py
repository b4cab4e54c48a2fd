"""A data directory that files are imported into with `candlewire import`, and what is exported from it again."""

import csv
import subprocess
from pathlib import Path

from support.server import binary


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def call(self, *arguments: str) -> str:
        """What a command says that succeeds without a complaint."""
        answer = subprocess.run(
            [str(binary()), *arguments, "--data-dir", "data"], cwd=self.folder, capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip
        assert (answer.returncode, answer.stderr) == (0, ""), answer.stdout + answer.stderr
        return answer.stdout

    def candles(self, symbol: str, timeframe: str) -> list[dict[str, float]]:
        text = self.call("export", symbol, "--timeframe", timeframe)
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(text.splitlines())]
