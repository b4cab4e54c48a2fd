"""`candlewire serve | head -1` must not end the server."""

import json
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from support.polling import eventually
from support.server import binary, free_port


def test_the_server_outlives_the_reader_of_its_output(tmp_path: Path) -> None:
    port = free_port()
    command = [str(binary()), "serve", "--port", str(port), "--data-dir", str(tmp_path / "data"), "--feed", "sim:BTC-USD"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()

        def is_healthy() -> bool:
            assert process.poll() is None, "the server ended with its reader"
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=60) as answer:
                    return json.load(answer)["status"] == "ok"
            except urllib.error.URLError:
                return False

        eventually(is_healthy, "the server answers /health", within=60)
        process.terminate()
        assert process.wait(timeout=60) == 0
