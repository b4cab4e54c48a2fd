"""Says in one line how many tests were skipped for want of the shared data."""

import sys
from pathlib import Path

import pytest

ORACLES = str(Path(__file__).parent / "Oracles")
if ORACLES not in sys.path:
    sys.path.append(ORACLES)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "../shared" in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"==> {len(skipped)} tests were skipped for want of ../shared")
