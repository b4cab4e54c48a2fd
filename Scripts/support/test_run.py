"""What the parts of a test run share: which tests were unsteady, in all parts together."""

import os
from pathlib import Path

MOST_REPEATED = 3
"""So many failures are repeated; more are no matter of chance."""
MOST_UNSTEADY = 1


def report_unsteady(names: list[str]) -> int:
    """Prints the tests that failed and passed when repeated; the exit code is 1 once a run has more than one of them.

    `Scripts/test` names a folder in the environment; a part that runs by itself counts its own.
    """
    folder = os.environ.get("CANDLEWIRE_TEST_RUN")
    record = Path(folder) / "unsteady" if folder else None
    known = record.read_text().splitlines() if record and record.exists() else []
    for name in names:
        print(f"==> UNSTEADY: {name} failed in the run and passed when repeated", flush=True)
    if record and names:
        record.write_text("".join(f"{name}\n" for name in [*known, *names]))
    total = len(known) + len(names)
    if names and total > MOST_UNSTEADY:
        print(f"==> {total} unsteady tests in one run are too many: at most {MOST_UNSTEADY} is allowed", flush=True)
        return 1
    return 0
