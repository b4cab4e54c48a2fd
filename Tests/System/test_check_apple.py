"""Scripts/check-apple finds what a compiler on Apple's platforms would: in each platform's branches, in Swift 6 mode."""

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
    Mistake("data race", VIEW, "private enum Hand", "nonisolated static var shared = 0\n        private enum Hand", "not concurrency-safe"),
    Mistake("warning", PAINTER, "context.beginPath()", "context.beginPath()\n            let unused = 1", "never used"),
)

Check = Callable[[], "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("package")
    for folder in ("Tests/AppleInterfaces", "Sources/FinanceChartsKit"):
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
    apple = re.compile(r"canImport\((SwiftUI|UIKit|AppKit|CoreGraphics|CoreText|Network|AVFoundation|Speech|Accessibility)\)|^import SwiftUI", re.M)
    files = [
        str(file.relative_to(PACKAGE))
        for folder in ("Sources", "Examples")
        for file in (PACKAGE / folder).rglob("*.swift")
        if apple.search(file.read_text())
    ]
    assert len(files) >= 2
    assert [file for file in files if not file.startswith(tuple(f"{folder}/" for folder in checked))] == []
