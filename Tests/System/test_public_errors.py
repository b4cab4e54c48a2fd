"""Each public error type is a LocalizedError: without, its `localizedDescription` is a number and not a sentence."""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources"
TYPE = re.compile(r"public (?:final )?(?:struct|enum|class|actor) (\w+)(?:<[^>]*>)?: ([^{]*)\{")
EXTENSION = re.compile(r"extension (?:\w+\.)*(\w+): ([^{]*)\{")


def conformances(pattern: re.Pattern[str]) -> dict[str, set[str]]:
    """What each type conforms to, as far as the declarations that match say."""
    found: dict[str, set[str]] = {}
    for file in SOURCES.rglob("*.swift"):
        for name, protocols in pattern.findall(file.read_text()):
            found.setdefault(name, set()).update(re.findall(r"\w+", protocols))
    return found


def test_every_public_error_is_a_sentence() -> None:
    extensions = conformances(EXTENSION)
    errors = {
        name: protocols | extensions.get(name, set())
        for name, protocols in conformances(TYPE).items()
        if {"Error", "LocalizedError"} & (protocols | extensions.get(name, set()))
    }
    assert len(errors) > 30
    assert [name for name, protocols in errors.items() if "LocalizedError" not in protocols] == []
