"""Who may import whom among the page's modules, types included: a feature uses the shared folders and no other feature."""

import re
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "Web"

# The plain modules are the files of Web itself but for those that know the features.
PLAIN = "."
ROOTS = ("main.js", "terminal.js")
GROUND = {PLAIN, "ui", "engine", "stream"}
FEATURES = {"a11y", "chart", "consultation", "drawings", "objects", "panels", "trading", "tracker", "watchlists"}

# Each folder with those it may import beside itself.
ALLOWED = {
    PLAIN: set(),
    "ui": {PLAIN},
    "engine": {PLAIN, "stream"},
    "stream": {PLAIN, "engine"},
    "api": {PLAIN, "stream"},
    # What features share is declared by what they use of each other, and names none of them.
    "types": {PLAIN, "ui", "engine", "stream"},
    **{feature: GROUND for feature in FEATURES},
}


def folder(path: Path) -> str:
    parts = path.relative_to(WEB).parts
    return parts[0] if len(parts) > 1 else PLAIN


def targets(path: Path, text: str) -> list[Path]:
    found = re.findall(r'(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*\.js)"', text)
    return [(path.parent / each).resolve() for each in found]


def imports(path: Path) -> list[Path]:
    """Modules that a file loads."""
    return targets(path, re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL))


def names(path: Path) -> list[Path]:
    """Modules that a file loads, or of which it names a type in a comment."""
    return targets(path, path.read_text())


def modules() -> list[Path]:
    return sorted(path for path in WEB.rglob("*.js") if path.relative_to(WEB).as_posix() not in ROOTS)


def declarations() -> list[Path]:
    return sorted(WEB.rglob("*.d.ts"))


def test_every_folder_of_the_page_is_in_the_table() -> None:
    assert {folder(path) for path in modules() + declarations()} <= set(ALLOWED)


def test_no_module_imports_what_its_folder_may_not() -> None:
    wrong = [
        f"{path.relative_to(WEB)} imports {target.relative_to(WEB)}"
        for path in modules() + declarations()
        for target in names(path)
        if folder(target) != folder(path) and folder(target) not in ALLOWED[folder(path)]
    ]
    assert not wrong, "\n".join(wrong)


def test_every_import_is_there() -> None:
    missing = [f"{path.relative_to(WEB)}: {target}" for path in WEB.rglob("*.js") for target in names(path) if not target.is_file()]
    assert not missing, "\n".join(missing)


def test_nothing_imports_the_modules_that_wire_the_page() -> None:
    roots = {WEB / name for name in ROOTS}
    wrong = [str(path.relative_to(WEB)) for path in modules() for target in names(path) if target in roots]
    assert not wrong, "\n".join(wrong)


def test_every_module_is_imported() -> None:
    imported = {target for path in WEB.rglob("*.js") for target in imports(path)}
    pages = " ".join(path.read_text() for path in WEB.rglob("*.html"))
    unused = [
        str(path.relative_to(WEB)) for path in modules() if path not in imported and path.name not in pages
    ]
    assert not unused, "\n".join(unused)
