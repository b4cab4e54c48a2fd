"""The compilers of release builds: what they do to save time changes no object."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts/support"))

from packaging_support.toolchain import tool  # noqa: E402

BORINGSSL = ROOT / ".build/checkouts/swift-nio-ssl/Sources/CNIOBoringSSL"
LIBRARY = "CTinyBoringSSL"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="release builds have compilers of their own on Linux alone")


class Library:
    """A library in C++ and the folder of its objects, as `swift build` names them."""

    def __init__(self, sources: Path, build: Path) -> None:
        self.sources, self.build, self.name = sources, build, sources.name
        (build / f"{self.name}.build").mkdir(parents=True)
        self.headers = build / f"{self.name}.headers.pch"

    def compile(self, source: str, wrapper: bool = True) -> bytes:
        """The object of a source."""
        compiler = str(ROOT / "Scripts/support/release-clang") if wrapper else tool("clang")
        target = self.build / f"{self.name}.build" / source.replace("/", "-")
        dependencies = target.with_suffix(".d")
        done = subprocess.run(
            [compiler, "-O2", "-fPIC", "-std=c++17", "-I", str(self.sources / "include"), "-MD", "-MT", "dependencies",
             "-MF", str(dependencies), "-c", str(self.sources / source), "-o", str(target.with_suffix(".o"))],
            env=os.environ | {"CANDLEWIRE_CLANG": tool("clang")}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert f"{self.name}/include/" in dependencies.read_text(), "a change of a header compiles it again"
        return target.with_suffix(".o").read_bytes()


@pytest.fixture
def tiny(tmp_path: Path) -> Library:
    sources = tmp_path / LIBRARY
    (sources / "include").mkdir(parents=True)
    (sources / "include" / f"{LIBRARY}.h").write_text('#include "tiny.h"\n')
    (sources / "include/tiny.h").write_text("constexpr int factor = 7;\n")
    for name in ("first", "second"):
        (sources / f"{name}.cc").write_text(f'#include "tiny.h"\nint {name}(int x) {{ return x * factor; }}\n')
    return Library(sources, tmp_path / "build")


def test_the_objects_of_boringssl_are_the_compiler_s_own(tmp_path: Path) -> None:
    if not BORINGSSL.exists():
        pytest.skip("the package's dependencies are not there")
    library = Library(BORINGSSL, tmp_path / "build")
    sources = sorted(path for path in BORINGSSL.rglob("*.cc") if 10_000 < path.stat().st_size < 20_000)[::6]
    assert len(sources) > 5
    for source in sources:
        name = str(source.relative_to(BORINGSSL))
        assert library.compile(name) == library.compile(name, wrapper=False), name
    assert library.headers.stat().st_size > 100_000, "the headers were read in advance"


def test_a_header_that_changed_is_read_again(tiny: Library) -> None:
    before = tiny.compile("first.cc")
    (tiny.sources / "include/tiny.h").write_text("constexpr int factor = 1234;\n")
    hour_ago = time.time() - 3600
    os.utime(tiny.headers, (hour_ago, hour_ago))
    after = tiny.compile("first.cc")
    assert after != before and after == tiny.compile("first.cc", wrapper=False)
    assert not tiny.headers.exists(), "what was refused is gone"
    assert tiny.compile("second.cc") == tiny.compile("second.cc", wrapper=False)
    assert tiny.headers.stat().st_size > 10_000 and tiny.headers.stat().st_mtime > hour_ago + 60


def test_files_are_compiled_where_the_headers_cannot_be_read_in_advance(tiny: Library) -> None:
    (tiny.sources / "include" / f"{LIBRARY}.h").unlink()
    for name in ("first.cc", "second.cc"):
        assert tiny.compile(name) == tiny.compile(name, wrapper=False)
    assert tiny.headers.stat().st_size == 0, "and only one file tried it"


def test_an_error_in_a_source_is_reported(tiny: Library) -> None:
    (tiny.sources / "first.cc").write_text("int first(int x) { return y; }\n")
    with pytest.raises(AssertionError, match="undeclared identifier 'y'"):
        tiny.compile("first.cc")


def test_only_sources_of_boringssl_have_their_headers_read_in_advance(tiny: Library, tmp_path: Path) -> None:
    other = Library(Path(shutil.copytree(tiny.sources, tmp_path / "COther")), tmp_path / "other")
    (other.sources / "include/COther.h").touch()
    other.compile("first.cc")
    assert not other.headers.exists()


@pytest.mark.parametrize("name", ["orders", "ledger", "fanout", "operate"])
def test_figures_are_those_of_the_program_that_the_packages_have(name: str) -> None:
    text = (ROOT / "Benchmarks" / name).read_text()
    assert ".build/small/release/candlewire" in text
    assert not re.search(r"\.build/release/candlewire(?!-)", text)
