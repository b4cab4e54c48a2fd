"""Each test that `Tests/requirements.md` names exists."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
# `Suite`, `Suite/test` or `Folder/test_file.py::test`.
NAME = re.compile(r"`([A-Z]\w+(?:/\w+)?|\w+/test_\w+\.py(?:::\w+)?)`")


def swift_tests() -> set[str]:
    """`Suite` and `Suite/test` of all Swift tests; one in an extension counts to the type that is extended."""
    found = set()
    for file in TESTS.rglob("*.swift"):
        suite = ""
        for line in file.read_text().splitlines():
            if match := re.match(r"(?:@\w+(?:\(.*\))? |final |public )*(?:struct|class|enum|actor|extension) (\w+)", line):
                suite = match[1]
                found.add(suite)
            elif match := re.match(r" {4}(?:@\w+(?:\(.*\))? |static )*func (\w+)", line):
                found.add(f"{suite}/{match[1]}")
    return found


def python_tests() -> set[str]:
    found = set()
    for file in TESTS.rglob("test_*.py"):
        path = str(file.relative_to(TESTS))
        found.add(path)
        found |= {f"{path}::{name}" for name in re.findall(r"^def (test_\w+)\(", file.read_text(), re.MULTILINE)}
    return found


def test_each_test_that_holds_a_requirement_exists() -> None:
    rows = [line for line in (TESTS / "requirements.md").read_text().splitlines() if re.match(r"\| [A-Z]+-\d+ \|", line)]
    exists = swift_tests() | python_tests()
    wrong = [
        f"{row.split('|')[1].strip()}: {', '.join(missing) or 'no test'}"
        for row in rows
        if (missing := [name for name in NAME.findall(row.split("|")[3]) if name not in exists])
        or not NAME.search(row.split("|")[3])
    ]
    assert len(rows) > 200 and not wrong, "\n".join(["Tests/requirements.md names tests that do not exist:", *wrong])
