"""Each test that `Tests/requirements.md` names exists, and requirement numbers are in that file alone."""

import re
import subprocess
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


def rows_that_begin(pattern: str) -> list[str]:
    lines = (TESTS / "requirements.md").read_text().splitlines()
    return [line for line in lines if re.match(rf"\| {pattern} \|", line)]


def requirement_rows() -> list[str]:
    return rows_that_begin(r"[A-Z]+-\d+")


def promise_rows() -> list[str]:
    """Rows that begin with who was promised something."""
    return rows_that_begin(r"(?!Number|Reader)\w[\w ]+")


def test_each_test_that_holds_a_requirement_exists() -> None:
    rows = requirement_rows() + promise_rows()
    exists = swift_tests() | python_tests()
    wrong = [
        f"{row.split('|')[1].strip()}, {row.split('|')[2].strip()}: {', '.join(missing) or 'no test'}"
        for row in rows
        if (missing := [name for name in NAME.findall(row.split("|")[3]) if name not in exists])
        or not NAME.search(row.split("|")[3])
    ]
    assert len(requirement_rows()) > 200 and len(promise_rows()) > 40
    assert not wrong, "\n".join(["Tests/requirements.md names tests that do not exist:", *wrong])


def test_requirement_numbers_are_in_no_other_file() -> None:
    prefixes = sorted({row.split("|")[1].strip().partition("-")[0] for row in requirement_rows()})
    assert prefixes
    # As a word of its own: no part of a longer name, path or symbol.
    number = re.compile(rf"(?<![\w./+-])(?:{'|'.join(prefixes)})-\d+(?![\w-])".encode())
    root = TESTS.parent
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, timeout=60).stdout
    own = {TESTS / "requirements.md", Path(__file__)}
    wrong: list[str] = []
    for name in filter(None, listed.decode().split("\0")):
        file = root / name
        if file in own or not file.is_file():
            continue
        content = file.read_bytes()
        # Binary files have no text to search.
        if b"\0" in content[:8192] or not number.search(content):
            continue
        wrong += [f"{name}:{at}" for at, line in enumerate(content.splitlines(), 1) if number.search(line)]
    assert not wrong, "\n".join(["Requirement numbers outside Tests/requirements.md:", *wrong])
