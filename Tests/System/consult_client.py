"""`candlewire consult` with a keyboard (a pseudo terminal); what it writes goes to pipes or to the terminal."""

import codecs
import contextlib
import fcntl
import json
import os
import pty
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from typing import Any

from support.server import binary

UTF8 = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "dumb"}


class Consult:
    """The program as a person uses it. `piped`: its output is a pipe, so that it holds nothing but what was said."""

    def __init__(self, *arguments: str, piped: bool = False) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [str(binary()), "consult", *arguments],
            stdin=slave, stdout=subprocess.PIPE if piped else slave, stderr=subprocess.PIPE if piped else slave,
            env={**os.environ, **UTF8}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0) and None,
        )  # fmt: skip
        os.close(slave)
        self.output = ""
        self.notes = ""
        if piped:
            assert self.process.stdout and self.process.stderr
            self._reader("output", self.process.stdout.fileno())
            self._reader("notes", self.process.stderr.fileno())
        else:
            self._reader("output", self.master)

    def _reader(self, name: str, descriptor: int) -> None:
        def read() -> None:
            decoder = codecs.getincrementaldecoder("utf-8")()
            with contextlib.suppress(OSError):
                while data := os.read(descriptor, 65_536):
                    setattr(self, name, getattr(self, name) + decoder.decode(data))

        threading.Thread(target=read, daemon=True).start()

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def until(self, is_so: Callable[[], Any], what: str, within: float = 90) -> Any:
        end = time.monotonic() + within
        while not (found := is_so()):
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.output[-2000:]}{self.notes}"
            assert time.monotonic() < end, f"not within {within} s: {what}\n{self.output[-2000:]}{self.notes[-2000:]}"
            time.sleep(0.005)
        return found

    def shows(self, text: str) -> None:
        self.until(lambda: text in self.output, text)

    @property
    def answers(self) -> list[dict[str, Any]]:
        """With `--json` and a pipe: the answers that are over."""
        whole = self.output[: self.output.rfind("\n") + 1]
        said = [json.loads(line) for line in whole.splitlines()]
        return [message for message in said if message["role"] == "assistant"]

    def end(self) -> int:
        return self.process.wait(timeout=60)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
