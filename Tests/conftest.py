"""The order of the files, and in one line how many tests were skipped for want of the shared data."""

import sys
from collections import Counter
from pathlib import Path

import pytest

ORACLES = str(Path(__file__).parent / "Oracles")
if ORACLES not in sys.path:
    sys.path.append(ORACLES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begins with the files that take longest, so that no worker is left with one of them at the end."""
    counts = Counter(item.path for item in items)
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: (item.path not in long, -counts[item.path], item.path))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "../shared" in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"==> {len(skipped)} tests were skipped for want of ../shared")
