"""Each public error type is a LocalizedError in each product that has it: without, its `localizedDescription` is a number
and not a sentence. Modules that import no Foundation have the conformance in a module beside them.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from test_package_imports import TARGETS

PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = PACKAGE / "Sources"
TYPE = re.compile(r"public (?:final )?(?:struct|enum|class|actor) (\w+)(?:<[^>]*>)?: ([^{]*)\{")
EXTENSION = re.compile(r"extension (?:\w+\.)*(\w+): ([^{]*)\{")
PRODUCT = re.compile(r'\.(?:library|executable)\(name: "(\w+)", targets: \[([^\]]*)\]\)')


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


DECLARED = {module: conformances(TYPE, module) for module in TEXTS}
EXTENDED = {module: conformances(EXTENSION, module) for module in TEXTS}


def products() -> dict[str, set[str]]:
    """All our modules that an app gets with each product."""
    found = {}
    for name, listed in PRODUCT.findall((PACKAGE / "Package.swift").read_text()):
        modules, waiting = set(), re.findall(r"\w+", listed)
        while waiting:
            module = waiting.pop()
            if module not in modules and module in TARGETS:
                modules.add(module)
                waiting += TARGETS[module][1]
        found[name] = modules
    return found


PRODUCTS = products()


def errors(modules: set[str]) -> list[tuple[str, str, set[str]]]:
    """The public errors of these modules, each with what it conforms to with these modules alone."""
    return [
        (module, name, own)
        for module in sorted(modules)
        for name, protocols in DECLARED[module].items()
        if "Error" in (own := protocols.union(*(EXTENDED[each].get(name, set()) for each in modules)))
        or "LocalizedError" in own
    ]


@pytest.mark.parametrize("product", PRODUCTS)
def test_every_public_error_is_a_sentence_in_each_product_that_has_it(product: str) -> None:
    wrong = [f"{module}.{name}" for module, name, own in errors(PRODUCTS[product]) if "LocalizedError" not in own]
    assert not wrong, f"no LocalizedError with {product} alone: {', '.join(wrong)}"


def test_the_errors_are_found() -> None:
    assert len(PRODUCTS) > 15 and len(errors(set(TEXTS))) > 30
    assert {"WireError", "MessageRefusal", "MoneyError"} <= {name for _, name, _ in errors(PRODUCTS["Consultation"])}
