"""Who may import whom among the page's modules: a feature stands on the ground floors and on no other feature."""

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
    "ui": {PLAIN, "stream"},
    "engine": {PLAIN, "stream"},
    "stream": {PLAIN, "engine"},
    "swagger": {PLAIN, "ui"},
    **{feature: GROUND for feature in FEATURES},
}


# The engine's wrappers that still stand beside the chart.
ENGINE = re.compile(r"chart/(engine[a-z-]*|painter|display-list|damage|regions|chart-surface|custom-theme)\.js")


def folder(path: Path) -> str:
    parts = path.relative_to(WEB).parts
    if ENGINE.fullmatch("/".join(parts)):
        return "engine"
    return parts[0] if len(parts) > 1 else PLAIN


def imports(path: Path) -> list[Path]:
    """Modules that a file imports; types in comments are not imports."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    found = re.findall(r'(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*\.js)"', text)
    return [(path.parent / each).resolve() for each in found]


def modules() -> list[Path]:
    return sorted(path for path in WEB.rglob("*.js") if path.relative_to(WEB).as_posix() not in ROOTS)


def test_every_folder_of_the_page_is_in_the_table() -> None:
    assert {folder(path) for path in modules()} <= set(ALLOWED)


def test_no_module_imports_what_its_folder_may_not() -> None:
    wrong = [
        f"{path.relative_to(WEB)} imports {target.relative_to(WEB)}"
        for path in modules()
        for target in imports(path)
        if folder(target) != folder(path) and folder(target) not in ALLOWED[folder(path)]
    ]
    assert not wrong, "\n".join(wrong)


def test_every_import_is_there() -> None:
    missing = [f"{path.relative_to(WEB)}: {target}" for path in WEB.rglob("*.js") for target in imports(path) if not target.is_file()]
    assert not missing, "\n".join(missing)


def test_nothing_imports_the_modules_that_wire_the_page() -> None:
    roots = {WEB / name for name in ROOTS}
    wrong = [str(path.relative_to(WEB)) for path in modules() for target in imports(path) if target in roots]
    assert not wrong, "\n".join(wrong)


def test_every_module_is_imported() -> None:
    imported = {target for path in WEB.rglob("*.js") for target in imports(path)}
    pages = " ".join(path.read_text() for path in WEB.rglob("*.html"))
    unused = [
        str(path.relative_to(WEB)) for path in modules() if path not in imported and path.name not in pages
    ]
    assert not unused, "\n".join(unused)
