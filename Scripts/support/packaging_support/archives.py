"""Packages as bytes that depend on their contents alone: the same files and the same time make the same package."""

import base64
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass
class File:
    """A file of a package: its path there, its contents and its mode."""

    path: str
    content: bytes
    mode: int = 0o644


def write_tar(target: Path, files: list[File], when: int) -> None:
    """A tar.gz of files that belong to root."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for file in sorted(files, key=lambda file: file.path):
            entry = tarfile.TarInfo(file.path)
            entry.size, entry.mode, entry.mtime = len(file.content), file.mode, when
            entry.uname = entry.gname = "root"
            tar.addfile(entry, io.BytesIO(file.content))
    target.write_bytes(gzip.compress(buffer.getvalue(), compresslevel=9, mtime=0))


def write_deb(target: Path, control: dict[str, File], files: list[File], when: int, work: Path) -> None:
    """A Debian package by dpkg-deb. `control`: the files of its folder DEBIAN, by name; md5sums is made here."""
    shutil.rmtree(work, ignore_errors=True)
    sums = [f"{hashlib.md5(file.content).hexdigest()}  {file.path}\n" for file in files]
    control = control | {"md5sums": File("md5sums", "".join(sorted(sums)).encode())}
    for file in [*files, *(File(f"DEBIAN/{name}", file.content, file.mode) for name, file in control.items())]:
        path = work / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(file.mode)
    for folder, _, names in os.walk(work):
        for path in [folder, *(os.path.join(folder, name) for name in names)]:
            os.utime(path, (when, when))
        os.chmod(folder, 0o755)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(work), str(target)], check=True,
        stdout=subprocess.DEVNULL, env=os.environ | {"SOURCE_DATE_EPOCH": str(when)},
    )  # fmt: skip
    shutil.rmtree(work)


def write_wheel(target: Path, distribution: str, tag: str, files: list[File], when: int) -> None:
    """A wheel (PyPA, binary distribution format 1.0). `files`: with METADATA; WHEEL and RECORD are made here."""
    info = f"{distribution}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: candlewire Scripts/package\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = [*files, File(f"{info}/WHEEL", wheel.encode())]
    lines = []
    for file in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.content).digest()).rstrip(b"=").decode()
        lines.append(f"{file.path},sha256={digest},{len(file.content)}\n")
    files.append(File(f"{info}/RECORD", ("".join(lines) + f"{info}/RECORD,,\n").encode()))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path, time.gmtime(when)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | file.mode) << 16
            archive.writestr(entry, file.content)
