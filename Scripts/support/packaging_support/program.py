"""What a program file needs of the system that runs it."""

import re
import subprocess
from pathlib import Path

from .toolchain import tool

# Sonames of the C library (GNU), which is as old as the symbols that the program needs.
C_LIBRARY = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
# GCC's runtime: glibc itself loads it when a thread ends by pthread_exit, as the main thread of a Swift program does.
COMPILER_LIBRARY = "libgcc_s.so.1"
LOADER = re.compile(r"ld-linux.*\.so\.\d")


class Program:
    def __init__(self, path: Path) -> None:
        self.path = path
        headers = subprocess.run(
            [tool("llvm-objdump"), "--private-headers", str(path)], check=True, capture_output=True, text=True
        ).stdout
        self.libraries = sorted(set(re.findall(r"^\s*NEEDED\s+(\S+)", headers, re.M)))
        versions = [tuple(map(int, found.split("."))) for found in re.findall(r"\bGLIBC_(\d+\.\d+(?:\.\d+)?)\b", headers)]
        if not versions:
            raise ValueError(f"{path} needs no symbol of glibc: is it a program for Linux?")
        if "GLIBC_ABI_DT_RELR" in headers:
            # A version of glibc's loader, by another name.
            versions.append((2, 36))
        self.glibc: tuple[int, ...] = max(versions)[:2]

    @property
    def foreign(self) -> list[str]:
        """Libraries that not every Linux with glibc has."""
        usual = C_LIBRARY | {COMPILER_LIBRARY}
        return [name for name in self.libraries if name not in usual and not LOADER.fullmatch(name)]

    @property
    def debian_depends(self) -> str:
        return f"libc6 (>= {'.'.join(map(str, self.glibc))}), libgcc-s1"

    def check(self, size_limit: int) -> None:
        """Raises where it is not what a package may have: it must run on a system without anything else."""
        if self.foreign:
            raise ValueError(f"{self.path} needs libraries that a bare system lacks: {', '.join(self.foreign)}")
        if (size := self.path.stat().st_size) > size_limit:
            raise ValueError(f"{self.path} has {size} bytes; at most {size_limit} are allowed")
