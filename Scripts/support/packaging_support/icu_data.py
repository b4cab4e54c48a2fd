"""The Unicode data of Foundation's ICU, without what Candlewire never asks for: 34 MB become 2.

Kept are properties, normalisation, internet names, time zones, and dates and numbers in English and without a language.
Left out are the other languages, what sorts texts by a language's rules, names of regions, currencies and units, converters
of old encodings, transliteration and where words and lines end. What ICU does not find, it answers with an error.
"""

import re
import struct
import subprocess
import tempfile
from pathlib import Path

from .toolchain import tool

ARCHIVE = "lib_FoundationICU.a"
MEMBER = "icu_packaged_data.cpp.o"
# de.res, zh_Hant_TW.res, but not root.res, pool.res, res_index.res, zoneinfo64.res.
LANGUAGE = re.compile(r"^[a-z]{2,3}(_.*)?$")
# The last is no language.
KEPT_LANGUAGES = ("en", "en_US", "en_US_POSIX", "en_001", "res_index")
OMITTED_FOLDERS = ("brkitr", "coll", "curr", "lang", "rbnf", "region", "translit", "unit")


def is_kept(name: str) -> bool:
    """Whether an item of the data, as `icudt76l/zone/de.res`, is for the program."""
    _, _, path = name.partition("/")
    folder, _, file = path.rpartition("/")
    stem, _, kind = file.rpartition(".")
    if kind in ("cnv", "dict") or folder in OMITTED_FOLDERS or file == "unames.icu":
        return False
    return kind != "res" or not LANGUAGE.match(stem) or stem in KEPT_LANGUAGES


def trimmed(data: bytes) -> bytes:
    """ICU's common data (`icu/source/common/ucmndata.h`): a header, a table of sorted names and offsets, the items."""
    header_size, magic = struct.unpack_from("<HH", data)
    if magic != 0x27DA or data[12:16] != b"CmnD":
        raise ValueError("this toolchain's ICU data has another format")
    table = data[header_size:]
    (count,) = struct.unpack_from("<I", table)
    entries = list(struct.iter_unpack("<II", table[4 : 4 + 8 * count]))
    ends = [start for _, start in entries[1:]] + [len(table)]
    kept = []
    for (name_at, start), end in zip(entries, ends, strict=True):
        name = table[name_at : table.index(b"\0", name_at)]
        if is_kept(name.decode()):
            kept.append((name, table[start:end]))
    names = b"".join(name + b"\0" for name, _ in kept)
    offset = -(-(4 + 8 * len(kept) + len(names)) // 16) * 16
    index, items, name_at = struct.pack("<I", len(kept)), b"", 4 + 8 * len(kept)
    for name, item in kept:
        index += struct.pack("<II", name_at, offset + len(items))
        name_at += len(name) + 1
        items += item + bytes(-len(item) % 16)
    return data[:header_size] + (index + names).ljust(offset, b"\0") + items


def write_object(archive: Path, target: Path) -> None:
    """An object file that takes the place of the archive's member: linked first, it has the symbol already."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        subprocess.run([tool("llvm-ar"), "x", str(archive), MEMBER], cwd=work, check=True)
        names = subprocess.run(
            [tool("llvm-objdump"), "--syms", MEMBER], cwd=work, check=True, capture_output=True, text=True).stdout
        symbol = re.search(r" (icudt\d+_dat)$", names, re.M)
        if not symbol:
            raise ValueError(f"{archive} has no ICU data")
        subprocess.run(
            [tool("llvm-objcopy"), "-O", "binary", "--only-section=.rodata*", MEMBER, "whole"], cwd=work, check=True)
        (work / "data").write_bytes(trimmed((work / "whole").read_bytes()))
        (work / "data.S").write_text(
            '    .section .rodata, "a"\n    .balign 16\n'
            f'    .global {symbol.group(1)}\n{symbol.group(1)}:\n    .incbin "data"\n'
            '    .section .note.GNU-stack, "", @progbits\n'
        )
        subprocess.run([tool("clang"), "-c", "data.S", "-o", str(target.resolve())], cwd=work, check=True)
