"""What the documents name is there: files in backticks, and the targets of links."""

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = sorted((ROOT / "Docs").glob("*.md"))
WITH_PATHS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *GUIDES]
WITH_LINKS = [*WITH_PATHS, ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", ROOT / "Benchmarks" / "README.md"]

PATH = re.compile(r"(?:Sources|Web|Tests|Scripts|Benchmarks|Examples|Docs)/[^\s`]*")
# The build writes them.
GENERATED = re.compile(r"Web/candlewire[^/]*\.wasm|Web/engine/boundary\.js")
FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(path: Path) -> str:
    """Without blocks of code."""
    return FENCE.sub("", path.read_text())


def named_paths(path: Path) -> list[str]:
    return [span for span in re.findall(r"`([^`\n]+)`", prose(path)) if PATH.fullmatch(span)]


def exists(span: str) -> bool:
    if GENERATED.fullmatch(span):
        return True
    return any(ROOT.glob(span)) if "*" in span else (ROOT / span).exists()


def slug(heading: str) -> str:
    """As GitHub makes it: lower case, only letters, digits, hyphens and underscores, hyphens for spaces."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path: Path) -> set[str]:
    """The second heading of a name gets `-1` behind it, the third `-2`."""
    found, seen = set[str](), Counter[str]()
    for heading in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", prose(path), re.MULTILINE):
        base = slug(heading)
        found.add(f"{base}-{seen[base]}" if seen[base] else base)
        seen[base] += 1
    return found


def flaw(document: Path, link: str) -> str | None:
    place, _, anchor = link.partition("#")
    target = (document.parent / place).resolve() if place else document
    if not target.exists():
        return f"{link}: there is no such file"
    if anchor and anchor not in anchors(target):
        return f"{link}: {name(target)} has no such heading"
    return None


@pytest.mark.parametrize("document", WITH_PATHS, ids=name)
def test_every_file_that_a_document_names_exists(document: Path) -> None:
    assert [span for span in named_paths(document) if not exists(span)] == []


@pytest.mark.parametrize("document", WITH_LINKS, ids=name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    links = [link for link in LINK.findall(prose(document)) if not EXTERNAL.match(link)]
    assert [flaw(document, link) for link in links if flaw(document, link)] == []


@pytest.mark.parametrize(
    "heading, expected",
    [
        ("Over HTTP", "over-http"),
        ("What `bench-png` counts", "what-bench-png-counts"),
        ("Unreleased (0.2.0)", "unreleased-020"),
        ("Skipped & stale", "skipped--stale"),
    ],
)
def test_headings_become_anchors_as_github_makes_them(heading: str, expected: str) -> None:
    assert slug(heading) == expected


def test_the_architecture_names_files() -> None:
    assert len(named_paths(ROOT / "Docs" / "architecture.md")) > 100


GUIDE_USER = ROOT / "Tests" / "GuideUser" / "Swift6"
# The program around the blocks of the guide.
HARNESS = {"main.swift", "Blocks.swift", "Outage.swift"}


def swift_blocks(path: Path) -> list[str]:
    return re.findall(r"^```swift\n(.*?)\n```$", path.read_text(), re.DOTALL | re.MULTILINE)


def test_the_code_of_the_integration_guide_is_compiled() -> None:
    """`test_guide_user.py` runs it."""
    sources = {file.name: file.read_text().rstrip("\n") for file in GUIDE_USER.glob("*.swift")}
    blocks = swift_blocks(ROOT / "Docs" / "from-the-guide.md")
    assert [block for block in blocks if block not in sources.values()] == []
    assert [file for file in sources.keys() - HARNESS if sources[file] not in blocks] == []


def test_the_package_of_the_libraries_is_one_that_swift_accepts(tmp_path: Path) -> None:
    text = (ROOT / "Docs" / "libraries.md").read_text()
    manifest = re.findall(r"^```swift\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[0]
    (tmp_path / "Package.swift").write_text(manifest)
    dump = subprocess.run(
        ["swift", "package", "--package-path", tmp_path, "dump-package"], capture_output=True, text=True, timeout=300
    )
    assert dump.returncode == 0, dump.stderr
    package = json.loads(dump.stdout)
    assert [each["fileSystem"][0]["identity"] for each in package["dependencies"]] == ["candlewire"]
    ours = (ROOT / "Package.swift").read_text()
    for target in package["targets"]:
        for dependency in target["dependencies"]:
            assert f'.library(name: "{dependency["product"][0]}"' in ours, dependency
    tools = ours.splitlines()[0].rpartition(": ")[2]
    assert f"Swift {tools} or newer" in text and f"swift-tools-version: {tools}" in manifest
