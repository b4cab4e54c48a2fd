"""The terminal page's files as one block of bytes, which `PageArchive.swift` reads."""

import zlib
from pathlib import Path

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
    names = files(web)
    contents = [(web / name).read_bytes() for name in names]
    lines = [f"{len(content)} {name}\n" for name, content in zip(names, contents, strict=True)]
    return b"".join([MAGIC, f"{time}\n".encode(), *(line.encode() for line in lines), b"\n", *contents])


def packed(content: bytes) -> bytes:
    """As the section of the program has it."""
    return len(content).to_bytes(8, "little") + zlib.compress(content, 9)
