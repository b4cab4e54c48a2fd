"""The texts of CandlewireUI are in its string catalogue: all of them, and no others."""

import json
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = PACKAGE / "Sources/CandlewireUI"
LOCALIZED = re.compile(r'\blocalized\(\s*"((?:[^"\\]|\\.)*)"')
# A text that a person sees or hears is never written into a view itself.
LITERAL = re.compile(r'\b(?:Text|Button|Label|Toggle|navigationTitle|accessibility(?:Label|Value|Hint))\((?:verbatim: )?"([^"\\]*)"')


def catalogue() -> dict[str, object]:
    document = json.loads((SOURCES / "Resources/Localizable.xcstrings").read_text())
    assert document["sourceLanguage"] == "en"
    return document["strings"]


def texts() -> list[str]:
    return [text for file in SOURCES.rglob("*.swift") for text in LOCALIZED.findall(file.read_text())]


def test_every_text_can_be_translated() -> None:
    assert sorted(set(texts()) - set(catalogue())) == []
    assert len(texts()) > 100


def test_no_text_is_left_over() -> None:
    assert sorted(set(catalogue()) - set(texts())) == []


def test_no_view_has_a_text_of_its_own() -> None:
    found = {
        f"{file.name}: {text}"
        for file in (SOURCES / "Views").glob("*.swift")
        for text in LITERAL.findall(file.read_text())
        if re.search("[A-Za-z]", text)
    }
    assert found == set()
