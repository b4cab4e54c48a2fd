"""The tools of the Swift toolchain, which another LLVM on the path must not stand in for."""

import shutil
import sys
from pathlib import Path


def folder() -> Path:
    """The toolchain's `usr`."""
    compiler = shutil.which("swiftc")
    if not compiler:
        sys.exit("swiftc is missing; install a Swift toolchain (swift.org/install)")
    return Path(compiler).resolve().parents[1]


def tool(name: str) -> str:
    return str(folder() / "bin" / name)
