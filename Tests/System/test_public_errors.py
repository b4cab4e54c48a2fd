"""Each public error type is a LocalizedError: without, its `localizedDescription` is a number and not a sentence.

The conformance is in the error's own module. Those that import no Foundation cannot have it: there it is in the product
that the documentation names.
"""

import re
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = PACKAGE / "Sources"
TYPE = re.compile(r"public (?:final )?(?:struct|enum|class|actor) (\w+)(?:<[^>]*>)?: ([^{]*)\{")
EXTENSION = re.compile(r"extension (?:\w+\.)*(\w+): ([^{]*)\{")
FOUNDATION = re.compile(r"^(?:\w+ )?import Foundation$", re.M)
# `| `StreamCore` | ... | `WebSocketTransport` |`, under the heading.
ROW = re.compile(r"^\| `(\w+)` \|.*\| `(\w+)` \|$", re.M)


def texts() -> dict[str, str]:
    """The source of each module."""
    found: dict[str, str] = defaultdict(str)
    for file in sorted(SOURCES.rglob("*.swift")):
        found[file.relative_to(SOURCES).parts[0]] += file.read_text() + "\n"
    return found


TEXTS = texts()


def conformances(pattern: re.Pattern[str], module: str) -> dict[str, set[str]]:
    """What each type conforms to, as far as the declarations of this module that match say."""
    found: dict[str, set[str]] = {}
    for name, protocols in pattern.findall(TEXTS[module]):
        found.setdefault(name, set()).update(re.findall(r"\w+", protocols))
    return found


def declared_elsewhere() -> dict[str, str]:
    """Which product has the sentences of a module, as Docs/libraries.md says."""
    section = re.search(r"^## Errors\n(.*?)(?=^## |\Z)", (PACKAGE / "Docs/libraries.md").read_text(), re.M | re.S)
    assert section
    return dict(ROW.findall(section[1]))


def test_every_public_error_is_a_sentence_where_its_module_is_used() -> None:
    elsewhere = declared_elsewhere()
    wrong, count, used = [], 0, set()
    for module in TEXTS:
        extensions = conformances(EXTENSION, module)
        for name, protocols in conformances(TYPE, module).items():
            own = protocols | extensions.get(name, set())
            if not {"Error", "LocalizedError"} & own:
                continue
            count += 1
            if "LocalizedError" in own:
                continue
            place = elsewhere.get(module)
            used.add(module)
            if place is None or "LocalizedError" not in conformances(EXTENSION, place).get(name, set()):
                wrong.append(f"{module}.{name}: no LocalizedError in {place or module}")
    assert not wrong, "\n".join(wrong)
    assert count > 30 and used == set(elsewhere), "the documentation names the modules that need it, and no others"


def test_only_modules_without_foundation_have_their_sentences_elsewhere() -> None:
    for module, product in declared_elsewhere().items():
        assert not FOUNDATION.search(TEXTS[module]), f"{module} imports Foundation: the conformance belongs there"
        assert re.search(rf"^(?:\w+ )?import {module}$", TEXTS[product], re.M), f"{product} does not use {module}"
