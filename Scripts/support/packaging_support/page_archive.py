"""The terminal page's files as one block of bytes, which `PageArchive.swift` reads."""

import zlib
from pathlib import Path

from packaging_support.joined_page import joined

MAGIC = b"candlewire page 1\n"
# What only the type checker reads.
OMITTED = ("tsconfig.json", "types/")
NEEDED = ("index.html", "candlewire.wasm", "candlewire-chart.wasm", "engine/boundary.js")


def files(web: Path) -> list[str]:
    """The page's files, relative to its folder."""
    names = sorted(path.relative_to(web).as_posix() for path in web.rglob("*") if path.is_file())
    served = [name for name in names if not name.startswith(OMITTED)]
    for name in NEEDED:
        if name not in served:
            raise FileNotFoundError(f"{web / name} is missing; run: make web")
    return served


def archive(web: Path, time: int) -> bytes:
    """`time`: seconds since 1970 UTC that each file is said to have changed at."""
    page = served(web)
    names = sorted(page)
    lines = [f"{len(page[name])} {name}\n".encode() for name in names]
    return b"".join([MAGIC, f"{time}\n".encode(), *lines, b"\n", *(page[name] for name in names)])


def served(web: Path) -> dict[str, bytes]:
    """What a package's server has, by name."""
    return joined({name: (web / name).read_bytes() for name in files(web)})


def packed(content: bytes) -> bytes:
    """As the section of the program has it."""
    return len(content).to_bytes(8, "little") + zlib.compress(content, 9)
