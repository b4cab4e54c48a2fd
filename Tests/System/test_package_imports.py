"""Each target names in Package.swift what it imports, and nothing else: the build of all finds also what is not named."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
TARGET = re.compile(r"^        \.(?:target|executableTarget|testTarget)\(.*?(?=^        (?:\.|//)|^    \])", re.M | re.S)
IMPORT = re.compile(r"^ *(?:@\w+ )*(?:(?:public|package|internal|private) )?import (?:(?:struct|enum|class|func|protocol) )?(\w+)", re.M)


def targets() -> dict[str, tuple[Path, set[str]]]:
    """The folder and the declared dependencies of each target."""
    found: dict[str, tuple[Path, set[str]]] = {}
    for match in TARGET.finditer((PACKAGE / "Package.swift").read_text()):
        text = re.sub(r"//[^\n]*", "", match.group())
        name = re.search(r'name: "([^"]+)"', text)
        assert name, text
        path = re.search(r'path: "([^"]+)"', text)
        kind = "Tests" if text.lstrip().startswith(".testTarget") else "Sources"
        folder = PACKAGE / (path.group(1) if path else f"{kind}/{name.group(1)}")
        declared = re.search(r"dependencies: \[(.*?)\]\s*(?:,|\))\s*(?:path|exclude|resources|packageAccess|swiftSettings|linkerSettings)", text, re.S)
        # Of a product its name, not its package's.
        names = re.sub(r'package: "[^"]+"', "", declared.group(1)) if declared else ""
        found[name.group(1)] = (folder, set(re.findall(r'"([^"]+)"', names)))
    return found


TARGETS = targets()


def imported(folder: Path) -> set[str]:
    return {name for file in folder.rglob("*.swift") for name in IMPORT.findall(file.read_text())}


def test_each_folder_of_sources_is_a_target() -> None:
    folders = {each for each in (PACKAGE / "Sources").iterdir() if any(each.rglob("*.swift"))}
    # Scripts/build-web compiles the page's module.
    page = {PACKAGE / "Sources" / name for name in ("CandlewireWasm", "WasmStrings", "WasmNumbers")}
    assert folders - page == {
        folder for folder, _ in TARGETS.values() if folder.parent.name == "Sources"
    }


@pytest.mark.parametrize("target", TARGETS)
def test_imports_are_declared(target: str) -> None:
    folder, declared = TARGETS[target]
    ours = set(TARGETS) | {"CCairo", "CCrypto", "CZlib"}
    third = {name for _, names in TARGETS.values() for name in names}
    assert imported(folder) & (ours | third) - {target} == declared - {target}
