"""What the parts of a test run share: which tests were unsteady, in all parts together."""

import os
from pathlib import Path

MAX_REPEATED = 3
"""So many failures are repeated; more are no matter of chance."""
MAX_UNSTEADY = 1


def read_record(name: str) -> list[str]:
    """The lines that the parts before this one left for the end of the run."""
    folder = os.environ.get("CANDLEWIRE_TEST_RUN")
    record = Path(folder) / name if folder else None
    return record.read_text().splitlines() if record and record.exists() else []


def append_to_record(name: str, lines: list[str]) -> None:
    """Leaves lines for the end of the run; `Scripts/test` names a folder for them in the environment."""
    if folder := os.environ.get("CANDLEWIRE_TEST_RUN"):
        with (Path(folder) / name).open("a") as record:
            record.writelines(f"{line}\n" for line in lines)


def report_unsteady(names: list[str]) -> int:
    """Prints the tests that failed and passed when repeated; the exit code is 1 once a run has more than one of them.

    A part that runs by itself counts its own.
    """
    for name in names:
        print(f"==> UNSTEADY: {name} failed in the run and passed when repeated", flush=True)
    # Appended before it counts: of two parts that run side by side, the later one sees both.
    append_to_record("unsteady", names)
    total = len(read_record("unsteady")) or len(names)
    if names and total > MAX_UNSTEADY:
        print(f"==> {total} unsteady tests in one run are too many: at most {MAX_UNSTEADY} is allowed", flush=True)
        return 1
    return 0
