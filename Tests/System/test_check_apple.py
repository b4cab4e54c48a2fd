"""Scripts/check-apple finds what a compiler on Apple's platforms would: in each platform's branches, in Swift 6 mode."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
VIEW = "Sources/FinanceChartsKit/Apple/PriceChartView.swift"
PAINTER = "Sources/FinanceChartsKit/Apple/CoreGraphicsPainter.swift"
TERMINAL = "Sources/candlewire/Watch/Terminal.swift"


@dataclass
class Mistake:
    name: str
    file: str
    right: str
    wrong: str
    error: str
    platforms: str = "iOS, macOS, tvOS"


MISTAKES = (
    Mistake("misspelt modifier", VIEW, ".accessibilityAddTraits(", ".accessibilityAddTrait(", "no member 'accessibilityAddTrait'"),
    Mistake("wrong label", PAINTER, "context.fill(rect)", "context.fill(rectangle: rect)", "extraneous argument label 'rectangle:'"),
    Mistake("wrong label of a gesture", VIEW, "minimumDistance: 2", "minDistance: 2", "incorrect argument label", "iOS, macOS"),
    Mistake("branch of one platform", VIEW, ".onPlayPauseCommand", ".onPlayPause", "no member 'onPlayPause'", "tvOS"),
    Mistake("branch of the C library", TERMINAL, "Darwin.write(", "Darwin.writ(", "no member named 'writ'", "macOS"),
    Mistake("data race", VIEW, "private enum Hand", "nonisolated static var shared = 0\n        private enum Hand", "not concurrency-safe"),
    Mistake("warning", PAINTER, "context.beginPath()", "context.beginPath()\n            let unused = 1", "never used"),
)

Check = Callable[[], "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("package")
    for folder in ("Tests/AppleInterfaces", "Sources/FinanceChartsKit", "Sources/candlewire"):
        shutil.copytree(PACKAGE / folder, root / folder)
    return root


@pytest.fixture(scope="module")
def check(copy: Path) -> Check:
    command = [PACKAGE / "Scripts/check-apple", "--root", copy, "--output", copy / "output"]
    return lambda: subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_fails_the_check(mistake: Mistake, copy: Path, check: Check) -> None:
    file = copy / mistake.file
    text = file.read_text()
    assert mistake.right in text
    changed = text.replace(mistake.right, mistake.wrong, 1)
    line = changed[: changed.index(mistake.wrong)].count("\n") + 1
    file.write_text(changed)
    try:
        result = check()
    finally:
        file.write_text(text)
    assert result.returncode == 1
    assert mistake.error in result.stderr
    assert re.search(rf"^{re.escape(mistake.file)}:({line}|{line + 1}):", result.stderr, re.M), result.stderr
    failed = re.findall(r"^check-apple: .* does not compile for (\w+)$", result.stderr, re.M)
    assert ", ".join(sorted(failed, key=str.lower)) == mistake.platforms


def test_the_code_as_it_is_passes(check: Check) -> None:
    result = check()
    assert (result.returncode, result.stderr) == (0, "")


def test_every_branch_for_apple_is_checked() -> None:
    """Each file that uses one of Apple's modules is in a module that the script compiles."""
    checked = re.findall(r'^    \("\w+", "([\w/]+)",', (PACKAGE / "Scripts/check-apple").read_text(), re.M)
    apple = re.compile(r"canImport\((Darwin|SwiftUI|UIKit|AppKit|CoreGraphics|CoreText|Network|AVFoundation|Speech|Accessibility)\)|^import SwiftUI", re.M)
    files = [
        str(file.relative_to(PACKAGE))
        for folder in ("Sources", "Examples")
        for file in (PACKAGE / folder).rglob("*.swift")
        if apple.search(file.read_text())
    ]
    assert len(files) >= 2
    assert [file for file in files if not file.startswith(tuple(f"{folder}/" for folder in checked))] == []


def test_each_dialog_has_a_button_of_its_own_that_keeps_things_as_they_are() -> None:
    """Where a confirmation has none, SwiftUI adds "Cancel": beside "Cancel all orders" it says the opposite of what it does."""
    views = PACKAGE / "Sources/CandlewireUI/Views"
    found = [text for file in views.glob("*.swift") for text in re.findall(r"\.confirmationDialog\((?:.*\n)*?\s*\) \{(?s:.*?)\n {20}\}\n", file.read_text())]
    assert found != []
    assert [text for text in found if "role: .cancel" not in text] == []


def test_the_example_app_is_a_package() -> None:
    """Xcode opens its Package.swift, which has the products that project.yml lists for the app's target."""
    app = PACKAGE / "Examples/CandlewireApp"
    command = ["swift", "package", "--package-path", app, "--scratch-path", PACKAGE / ".build/candlewire-app", "describe", "--type", "json"]
    describe = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert describe.returncode == 0, describe.stderr
    package = json.loads(describe.stdout)
    (target,) = package["targets"]
    assert (target["name"], target["path"], target["type"]) == ("CandlewireApp", "Sources", "executable")
    assert sorted(target["sources"]) == sorted(file.name for file in (app / "Sources").glob("*.swift"))
    assert target["product_dependencies"] == re.findall(r"product: (\w+)", (app / "project.yml").read_text())
    libraries = re.findall(r'\.library\(name: "(\w+)"', (PACKAGE / "Package.swift").read_text())
    assert set(target["product_dependencies"]) <= set(libraries)
    assert {each["name"]: each["version"] for each in package["platforms"]} == {"ios": "18.0", "macos": "15.0"}


def test_documents_say_what_the_check_does() -> None:
    """Nothing says that code for Apple's platforms is not compiled on Linux: it is type-checked."""
    files = [PACKAGE / "Docs/accessibility.md", PACKAGE / "Sources/FinanceChartsKit/Documentation.docc/ApplePlatforms.md"]
    files += (PACKAGE / "Sources/FinanceChartsKit/Apple").glob("*.swift")
    words = re.compile(r"not compiled|only\s+their syntax|do not build this file")
    assert [file.name for file in files if words.search(file.read_text())] == []
