"""The terminal page as a package has it: all modules of `main.js` as one script, the style sheets as one, and names with the
hash of their content, which a browser keeps without asking for them again (`FileHeadersMiddleware`). So the first visit needs
five answers where the sources need two hundred, and the next one needs one.

The page's modules import by name, never each other in a circle, and what they export does not change: each becomes a function
that runs once, after those that it needs, and returns its exports.
"""

import hashlib
import posixpath
import re
from collections.abc import Iterable

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.M)
# Lines of their own; others are rare, and a comment's beginning may be in a string.
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.M)
# What would not work in the joined script.
LEFT = re.compile(r"^(?:import|export)\b.*|.*\b(?:import\.meta|await import\().*", re.M)
STYLES = re.compile(r'(?:[ \t]*<link rel="stylesheet" href="[^"]+">\n)+')
MODULE = "candlewire.wasm"
MODULE_ADDRESS = f'new URL("{MODULE}", import.meta.url)'


def joined(files: dict[str, bytes]) -> dict[str, bytes]:
    """The page's files by name, with what `index.html` needs joined. What other pages and the engine need stays as it is."""
    modules = order(files, ["main.js"])
    page = files["index.html"].decode()
    links = STYLES.search(page)
    sheets = re.findall('href="([^"]+)"', links[0]) if links else []
    if not links or "stylesheet" in page[links.end() :]:
        raise ValueError("index.html must link its style sheets in one place")
    others = set(order(files, [name for name in files if re.match(r"(api|engine)/.*\.js$", name)]))
    result = {name: files[name] for name in files if name not in {*modules, *sheets, MODULE} - others - {"style.css"}}

    def named(name: str, content: bytes) -> str:
        stem, suffix = posixpath.splitext(posixpath.basename(name))
        hashed = f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}{suffix}"
        result[hashed] = content
        return hashed

    def name_in_page(name: str, content: bytes) -> str:
        nonlocal page
        if page.count(f'"{name}"') != 1:
            raise ValueError(f"index.html must name {name} once")
        hashed = named(name, content)
        page = page.replace(f'"{name}"', f'"{hashed}"')
        return hashed

    module = name_in_page(MODULE, files[MODULE])
    script = "".join(function_of(name, files[name].decode(), modules) for name in modules)
    if script.count(MODULE_ADDRESS) != 1:
        raise ValueError(f"main.js must load {MODULE_ADDRESS} once")
    script = script.replace(MODULE_ADDRESS, f'"{module}"')
    if left := LEFT.search(script):
        raise ValueError(f"the page's modules cannot be joined because of: {left[0].strip()}")
    name_in_page("main.js", script.encode())
    name_in_page("chart/theme-early.js", files["chart/theme-early.js"])
    style = named("style.css", b"".join(files[sheet] for sheet in sheets))
    page = page.replace(links[0], f'    <link rel="stylesheet" href="{style}">\n')
    return {**result, "index.html": page.encode()}


def order(files: dict[str, bytes], entries: Iterable[str]) -> list[str]:
    """These modules and all that they import, each after those that it needs."""
    found: dict[str, None] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(f"modules import each other: {' -> '.join((*path, name))}")
        if name not in found:
            for match in IMPORT.finditer(files[name].decode()):
                visit(resolved(name, match[2]), (*path, name))
            found[name] = None

    for entry in entries:
        visit(entry, ())
    return list(found)


def resolved(module: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), address))


def function_of(name: str, text: str, modules: list[str]) -> str:
    """The module as a function that was called."""

    def lookup(match: re.Match[str]) -> str:
        names = match[1].replace(" as ", ": ")
        return f"const {{{names}}} = module{modules.index(resolved(name, match[2]))};\n"

    exports = ", ".join(EXPORT.findall(text))
    body = EXPORT.sub("", IMPORT.sub(lookup, COMMENT.sub("", text)))
    return f"// {name}\nconst module{modules.index(name)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
