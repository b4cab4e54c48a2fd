"""What `candlewire doctor` finds of a machine, its options and its data."""

import http.server
import json
import os
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from running_server import RunningServer
from support.server import binary, free_port


def doctor(*arguments: str | Path) -> tuple[int, list[dict[str, Any]]]:
    command = [str(binary()), "doctor", "--json", *map(str, arguments)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert answer.returncode in (0, 1), answer.stderr
    document = json.loads(answer.stdout)
    assert document["ok"] == (answer.returncode == 0)
    return answer.returncode, document["findings"]


def texts(findings: list[dict[str, Any]], name: str, *status: str) -> str:
    return "\n".join(each["text"] for each in findings if each["name"] == name and each["status"] in (status or ("ok",)))


def test_an_empty_machine_is_well(tmp_path: Path) -> None:
    port = free_port()
    code, findings = doctor("--data-dir", tmp_path / "data", "--port", port)
    assert code == 0, findings
    assert f"{port} on 127.0.0.1 is free" in texts(findings, "port")
    assert "there is none yet" in texts(findings, "data")
    assert "are free for" in texts(findings, "disk", "ok", "warning") and " ms" in texts(findings, "disk", "ok", "warning")
    assert {each["name"] for each in findings} >= {"version", "toolchain", "configuration", "clock", "permissions", "limits"}
    assert all(each.get("advice") for each in findings if each["status"] != "ok")
    assert not (tmp_path / "data").exists(), "nothing is made"


def test_a_page_of_text_says_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", free_port()))
        holder.listen()
        port = holder.getsockname()[1]
        command = [str(binary()), "doctor", "--data-dir", str(tmp_path / "data"), "--port", str(port)]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert answer.returncode == 1
    lines = answer.stdout.splitlines()
    assert len(lines) < 40
    at = next(index for index, line in enumerate(lines) if line.startswith("problem  port"))
    name = Path(f"/proc/{os.getpid()}/comm").read_text().strip()
    assert f"in use by {name} (process {os.getpid()})" in lines[at]
    assert "→ stop it, or choose another --port" in lines[at + 1]


def test_a_running_server_is_recognised_and_its_data_is_whole(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD")
    code, findings = doctor("--data-dir", server.data_dir, "--port", server.port)
    assert code == 0, findings
    assert f"listens on {server.port}" in texts(findings, "port")
    assert f"a running server uses {server.data_dir}" in texts(findings, "data")
    for name in ("candlewire.sqlite", "ledger.sqlite", "conversations.sqlite"):
        assert name in texts(findings, "data")
    assert texts(findings, "data").count(", not damaged") == 3
    assert "schema version 2, not damaged" in texts(findings, "data"), texts(findings, "data")


def test_damage_newer_versions_and_open_files_are_problems(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve("sim:BTC-USD")
    server.stop()
    folder = server.data_dir
    candles, ledger, talk = (folder / name for name in ("candlewire.sqlite", "ledger.sqlite", "conversations.sqlite"))
    content = bytearray(candles.read_bytes())
    content[40_960:61_440] = b"\xa5" * 20_480
    candles.write_bytes(content)
    ledger.chmod(0o644)
    with sqlite3.connect(talk) as database:
        database.execute("INSERT INTO grdb_migrations VALUES ('99 future')")
    database.close()
    tokens = tmp_path / "tokens"
    tokens.write_text("a-token-of-some-length\n")
    tokens.chmod(0o644)
    code, findings = doctor("--data-dir", folder, "--port", 0, "--stream-token-file", tokens)
    assert code == 1
    problems = texts(findings, "data", "problem")
    assert "candlewire.sqlite" in problems and "written by a newer version" in problems and "ledger" not in problems
    rights = texts(findings, "permissions", "problem")
    assert f"{ledger} (mode 644)" in rights and f"{tokens} (mode 644)" in rights
    advice = {each["advice"] for each in findings if each["name"] == "permissions"}
    assert f"chmod 600 {ledger}" in advice


def test_options_that_are_wrong_are_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text("port = 0\nrate = 0\nprot = 5\n")
    code, findings = doctor("--config", file, "--data-dir", tmp_path)
    assert code == 1
    problems = texts(findings, "configuration", "problem")
    assert f"{file}, line 2: The rate 0" in problems and f'{file}, line 3: Unknown key "prot"' in problems


class Late(http.server.BaseHTTPRequestHandler):
    """A venue an hour ahead."""

    def do_GET(self) -> None:
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def date_time_string(self, timestamp: float | None = None) -> str:
        import time

        return super().date_time_string(time.time() + 3600)

    def log_message(self, *_: Any) -> None:
        pass


def test_venues_are_asked_only_where_feed_names_them(tmp_path: Path) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Late) as venue:
        threading.Thread(target=venue.serve_forever, daemon=True).start()
        feed = ("--feed", "coinbase:BTC-USD", "--url", f"ws://127.0.0.1:{venue.server_port}/")
        code, findings = doctor("--data-dir", tmp_path, "--port", 0, *feed)
        venue.shutdown()
    assert code == 0 and "coinbase: http://127.0.0.1" in texts(findings, "feed")
    assert "s behind coinbase" in texts(findings, "clock", "warning")
    code, findings = doctor("--data-dir", tmp_path, "--port", 0, "--feed", "coinbase:BTC-USD", "--url", f"ws://127.0.0.1:{free_port()}/")
    assert code == 1 and "does not answer" in texts(findings, "feed", "problem")
    _, findings = doctor("--data-dir", tmp_path, "--port", 0)
    assert not any(each["name"] == "feed" for each in findings)
