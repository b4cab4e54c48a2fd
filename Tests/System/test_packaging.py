"""The packages' layout, with a small program in the place of the server's, which takes minutes to build: `make package-test`
installs and starts the real ones."""

import base64
import configparser
import csv
import hashlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile
import zlib
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts/support"))

from packaging_support import icu_data, page_archive  # noqa: E402
from packaging_support.joined_page import joined  # noqa: E402
from packaging_support.program import Program  # noqa: E402
from packaging_support.toolchain import folder, tool  # noqa: E402

WHEN = 1_700_000_000
LIMIT_OF_PAGE = 3_000_000


def run(*command: str | Path, **options: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "candlewire"
    source = '#include <stdio.h>\nint main(void) { puts("candlewire"); }\n'
    run(tool("clang"), "-x", "c", "-", "-o", path, input=source)
    return path


def pack(program: Path, output: Path) -> Path:
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(WHEN)}
    run(ROOT / "Scripts/package", "--program", program, "--output", output, env=environment)
    return output


@pytest.fixture(scope="module")
def packages(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(program, tmp_path_factory.mktemp("packages"))


def only(folder: Path, pattern: str) -> Path:
    (path,) = folder.glob(pattern)
    return path


def documents() -> list[str]:
    """What an operator reads and uses is in each package, so that links and commands of the documents work there."""
    patterns = ("Docs/*.md", "Examples/operate/*", "Examples/reverse-proxy/*")
    found = [str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.glob(pattern)]
    assert {"Docs/operate.md", "Examples/operate/prometheus.yml", "Examples/reverse-proxy/nginx.conf"} < set(found)
    return found


def test_the_same_program_makes_the_same_packages(program: Path, packages: Path, tmp_path: Path) -> None:
    again = pack(program, tmp_path / "again")
    assert (again / "SHA256SUMS").read_text() == (packages / "SHA256SUMS").read_text()
    run("sha256sum", "-c", "SHA256SUMS", cwd=packages)


def test_the_archive_has_one_program_with_the_page_inside(packages: Path, tmp_path: Path) -> None:
    path = only(packages, "*.tar.gz")
    with tarfile.open(path) as tar:
        top = path.name.removesuffix(".tar.gz")
        assert tar.getnames() == sorted(f"{top}/{name}" for name in ("NOTICES.txt", "candlewire", *documents()))
        assert {(entry.uid, entry.gid, entry.mtime) for entry in tar.getmembers()} == {(0, 0, WHEN)}
        tar.extractall(tmp_path, filter="data")
        licences = (tmp_path / top / "NOTICES.txt").read_text()
    for name in ("Apache License", "swift-nio-ssl", "libcairo2-dev, of Debian", "libssl-dev, of Debian", "OpenSSL"):
        assert name in licences
    assert run(tmp_path / top / "candlewire") == "candlewire\n"
    run(tool("llvm-objcopy"), "--dump-section=.candlewire_page=page", tmp_path / top / "candlewire", "same", cwd=tmp_path)
    section = (tmp_path / "page").read_bytes()
    page = zlib.decompress(section[8:])
    assert int.from_bytes(section[:8], "little") == len(page)
    assert page == page_archive.archive(ROOT / "Web", WHEN)
    assert len(page) <= LIMIT_OF_PAGE and len(section) <= LIMIT_OF_PAGE / 3
    head, _, contents = page.partition(b"\n\n")
    lines = head.decode().split("\n")
    assert lines[:2] == ["candlewire page 1", str(WHEN)]
    found = {}
    for line in lines[2:]:
        size, name = line.split(" ", 1)
        found[name], contents = contents[: int(size)], contents[int(size) :]
    assert contents == b""
    hashed = {name for name in found if re.search(r"-[0-9a-f]{16}\.", name)}
    assert sorted(name.split("-")[0] for name in hashed) == ["candlewire", "main", "style", "theme"]
    for name in found.keys() - hashed - {"index.html"}:
        assert found[name] == (ROOT / "Web" / name).read_bytes(), name
    for name in hashed:
        assert hashlib.sha256(found[name]).hexdigest()[:16] in name
        assert name.encode() in found["index.html"] + found[next(each for each in hashed if each.startswith("main-"))]


def test_modules_that_cannot_be_joined_are_named() -> None:
    page = b'<link rel="stylesheet" href="style.css">\n"candlewire.wasm" "main.js" "chart/theme-early.js"'
    main = 'import { one as other } from "./one.js";\nother(new URL("candlewire.wasm", import.meta.url));\n'
    one = "/** Says it. */\nexport function one(what) {\n    // A comment.\n    return what;\n}\n"
    files = {"index.html": page, "main.js": main.encode(), "one.js": one.encode(), "style.css": b"a {}"}
    files |= {"candlewire.wasm": b"module", "chart/theme-early.js": b""}
    script = next(content.decode() for name, content in joined(files).items() if name.startswith("main-"))
    assert "const module0 = (() => {\nfunction one(what) {\n    return what;\n}\nreturn { one };\n})();" in script
    assert re.search(r'const \{ one: other \} = module0;\nother\("candlewire-[0-9a-f]{16}\.wasm"\);', script)
    for line in ("export default one;", "export let one = 1;", 'import * as all from "./one.js";', 'await import("./one.js");'):
        with pytest.raises(ValueError, match=f"cannot be joined because of: {re.escape(line)}"):
            joined(files | {"one.js": f"{line}\n".encode()})
    with pytest.raises(ValueError, match="import each other: main.js -> one.js -> main.js"):
        joined(files | {"one.js": b'import { main } from "./main.js";\n'})
    for name in ("main.js", "candlewire.wasm"):
        with pytest.raises(ValueError, match=f"index.html must name {name} once"):
            joined(files | {"index.html": page.replace(name.encode(), b"other")})


def test_the_debian_package_has_what_the_service_needs_and_nothing_for_others(packages: Path, tmp_path: Path) -> None:
    path = only(packages, "*.deb")
    fields = dict(re.findall(r"^(\S+): (.*)$", run("dpkg-deb", "--field", path), re.M))
    assert fields["Package"] == "candlewire" and re.fullmatch(r"\d+\.\d+\.\d+(~dev)?", fields["Version"])
    assert re.fullmatch(r"libc6 \(>= 2\.\d+\), libgcc-s1, passwd", fields["Depends"])
    assert int(fields["Installed-Size"]) > 0
    modes = {}
    for line in run("dpkg-deb", "--contents", path).splitlines():
        mode, owner, *_, name = line.split()
        assert owner == "root/root", line
        modes[name.removeprefix("./")] = mode
    files = {name: mode for name, mode in modes.items() if name and not name.endswith("/")}
    assert files == {
        "usr/bin/candlewire": "-rwxr-xr-x",
        "usr/lib/systemd/system/candlewire.service": "-rw-r--r--",
        "etc/candlewire/candlewire.conf": "-rw-r--r--",
        "usr/share/doc/candlewire/copyright": "-rw-r--r--",
    } | {f"usr/share/doc/candlewire/{name}": "-rw-r--r--" for name in documents()}
    assert {mode for name, mode in modes.items() if name.endswith("/")} == {"drwxr-xr-x"}
    run("dpkg-deb", "--raw-extract", path, tmp_path / "raw")
    control = tmp_path / "raw/DEBIAN"
    assert (control / "conffiles").read_text() == "/etc/candlewire/candlewire.conf\n"
    for line in (control / "md5sums").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.md5((tmp_path / "raw" / name).read_bytes()).hexdigest() == digest
    for name in ("postinst", "prerm", "postrm"):
        assert (control / name).stat().st_mode & 0o777 == 0o755
        run("sh", "-n", control / name)
        assert "set -e" in (control / name).read_text()


def test_the_service_is_well_formed_and_confined(tmp_path: Path) -> None:
    unit = tmp_path / "candlewire.service"
    # The program must be there to be verified.
    text = (ROOT / "Packaging/candlewire.service").read_text().replace("/usr/bin/candlewire", "/bin/true")
    unit.write_text(text)
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    service = parser["Service"]
    assert service["User"] == "candlewire" and service["ProtectSystem"] == "strict" and service["UMask"] == "0077"
    try:
        version = run("systemd-analyze", "--version")
    except FileNotFoundError:
        pytest.skip("systemd-analyze is not installed")
    if int(version.split()[1]) < 250:
        pytest.skip("this systemd-analyze is too old")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    assert "candlewire.service" not in done.stderr, done.stderr
    exposure = run("systemd-analyze", "security", "--offline=true", "--threshold=25", unit)
    assert "Overall exposure level" in exposure


def test_the_wheel_installs_the_program_beside_python_and_says_truly_where_it_runs(packages: Path, program: Path) -> None:
    path = only(packages, "*.whl")
    found = re.fullmatch(r"candlewire-(\d+\.\d+\.\d+(?:\.dev0)?)-(py3-none-manylinux_(\d+)_(\d+)_\w+)\.whl", path.name)
    assert found, path.name
    assert Program(program).glibc == (int(found.group(3)), int(found.group(4)))
    info = f"candlewire-{found.group(1)}.dist-info"
    with zipfile.ZipFile(path) as wheel:
        assert wheel.testzip() is None
        assert f"Tag: {found.group(2)}\n" in wheel.read(f"{info}/WHEEL").decode()
        metadata = wheel.read(f"{info}/METADATA").decode()
        assert f"\nVersion: {found.group(1)}\n" in metadata and metadata.startswith("Metadata-Version: 2.1\n")
        rows = list(csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
        assert [row[0] for row in rows] == wheel.namelist()
        for name, digest, size in rows[:-1]:
            content = wheel.read(name)
            encoded = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={encoded}", str(len(content)))
        script = wheel.getinfo(f"candlewire-{found.group(1)}.data/scripts/candlewire")
        assert script.external_attr >> 16 & 0o777 == 0o755


def test_a_program_that_needs_more_than_glibc_is_not_packed(tmp_path: Path) -> None:
    path = tmp_path / "program"
    source = "#include <zlib.h>\nint main(void) { return zlibVersion()[0] == 0; }\n"
    run(tool("clang"), "-x", "c", "-", "-o", path, "-lz", input=source)
    with pytest.raises(ValueError, match=r"needs libraries that a bare system lacks: libz\.so\.1"):
        Program(path).check(10**9)
    with pytest.raises(ValueError, match="at most 10 are allowed"):
        plain = tmp_path / "plain"
        run(tool("clang"), "-x", "c", "-", "-o", plain, input="int main(void) { return 0; }")
        Program(plain).check(10)


def test_a_page_without_its_module_is_not_packed(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("page")
    with pytest.raises(FileNotFoundError, match="candlewire.wasm is missing; run: make web"):
        page_archive.archive(tmp_path, WHEN)


def test_the_trimmed_unicode_data_keep_their_order_and_what_programs_ask_for(tmp_path: Path) -> None:
    archive = folder() / "lib/swift_static/linux" / icu_data.ARCHIVE
    if not archive.exists():
        pytest.skip("this toolchain has no static libraries")
    icu_data.write_object(archive, tmp_path / "icu.o")
    run(tool("llvm-objcopy"), "-O", "binary", "--only-section=.rodata*", tmp_path / "icu.o", tmp_path / "data")
    data = (tmp_path / "data").read_bytes()
    header = int.from_bytes(data[:2], "little")
    table = data[header:]
    count = int.from_bytes(table[:4], "little")
    names, starts = [], []
    for index in range(count):
        at = 4 + 8 * index
        name = int.from_bytes(table[at : at + 4], "little")
        names.append(table[name : table.index(0, name)].decode().partition("/")[2])
        starts.append(int.from_bytes(table[at + 4 : at + 8], "little"))
    # ICU searches it by halves, and each item is aligned.
    assert names == sorted(names) and starts == sorted(starts) and all(start % 16 == 0 for start in starts)
    assert {"root.res", "en.res", "pool.res", "res_index.res", "uts46.nrm", "nfkc.nrm", "zoneinfo64.res",
            "supplementalData.res", "likelySubtags.res", "keyTypeData.res"} <= set(names)  # fmt: skip
    assert not {"de.res", "coll/zh.res", "unames.icu", "gb18030-2022.cnv"} & set(names)
    assert len(data) < 3_000_000


def script(name: str) -> Any:
    """A script as a module."""
    loader = SourceFileLoader(name.replace("-", "_"), str(ROOT / "Scripts" / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_the_licences_are_of_the_build_that_made_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script("package")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    own, other = tmp_path / ".build/small/x86_64/release/candlewire", tmp_path / "elsewhere/candlewire"
    with pytest.raises(SystemExit, match="the licences of the dependencies are missing; run: swift package resolve"):
        module.checkouts(other)
    for folder in (".build/small/checkouts", ".build/checkouts", "elsewhere/checkouts"):
        (tmp_path / folder).mkdir(parents=True)
    assert module.checkouts(own) == tmp_path / ".build/small/checkouts"
    assert module.checkouts(tmp_path / ".build/release/candlewire") == tmp_path / ".build/checkouts"
    assert module.checkouts(other) == tmp_path / ".build/checkouts"


def test_the_build_says_how_long_it_still_takes(tmp_path: Path) -> None:
    module = script("build-server")
    progress = module.Progress(tmp_path)
    progress.began -= 120
    progress.note("[12/90] Compiling GRDB AdaptedRowDecoder.swift")
    progress.note("[13/90] Compiling NIOCore Channel.swift")
    assert "compiling GRDB, NIOCore" in progress.line() and "(0% done" in progress.line()
    for name, weight in module.WEIGHTS.items():
        objects = tmp_path / f"x86_64-unknown-linux-gnu/release/{name}.build"
        objects.mkdir(parents=True)
        for index in range(module.SOURCES_OF_C.get(name, 1)):
            (objects / f"{index}.o").touch()
        if progress.done() > sum(module.WEIGHTS.values()) / 2:
            break
    minutes = re.search(r"\((5\d)% done, about (\d) min left\)", progress.line())
    assert minutes and 1 <= int(minutes.group(2)) <= 4, progress.line()
    # A later build compiles some modules again, and nobody knows which.
    (tmp_path / "release").symlink_to(tmp_path / "x86_64-unknown-linux-gnu/release")
    (tmp_path / "release/candlewire").touch()
    assert "left" not in module.Progress(tmp_path).line()
