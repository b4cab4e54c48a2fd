"""A WebSocket on a bare TCP socket, for what no well-behaved client would do (RFC 6455, sections 4 and 5)."""

import base64
import hashlib
import os
import socket
import struct
import time
from collections.abc import Iterator

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING = 1, 8, 9


class RawSocket:
    def __init__(self, port: int, *, path: str = "/v1/stream", receive_buffer: int | None = None) -> None:
        self._socket = socket.socket()
        if receive_buffer:
            # Before the connection is made: it bounds the window that is announced.
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(60)
        self._socket.connect(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16))
        self._socket.sendall(
            b"GET " + path.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n"
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self._socket.recv(1)
            assert byte, f"the connection ended within the handshake: {head!r}"
            head += byte
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        assert head.startswith(b"HTTP/1.1 101 "), head
        assert b"sec-websocket-accept: " + accept.lower() in head.lower(), head

    def __enter__(self) -> "RawSocket":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, opcode: int, payload: bytes, *, final: bool = True) -> None:
        mask = os.urandom(4)
        head = bytes([(0x80 if final else 0) | opcode])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        elif len(payload) < 65536:
            head += struct.pack(">BH", 0x80 | 126, len(payload))
        else:
            head += struct.pack(">BQ", 0x80 | 127, len(payload))
        self._socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

    def send_within(self, seconds: float, opcode: int, payload: bytes) -> None:
        """Like `send`; a TimeoutError where the peer reads nothing for so long."""
        self._socket.settimeout(seconds)
        self.send(opcode, payload)

    def read(self, deadline: float) -> bytes:
        """What has come, at most 1 MiB; empty at the end. `deadline` is of the monotonic clock."""
        self._socket.settimeout(max(0.001, deadline - time.monotonic()))
        return self._socket.recv(1 << 20)


class FrameParser:
    """Cuts a server's bytes into frames."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        self._bytes += data
        at = 0
        while len(self._bytes) - at >= 2:
            first, length = self._bytes[at], self._bytes[at + 1]
            assert first & 0xF0 == 0x80, "the server sends whole messages, and no reserved bits"
            assert length < 128, "a server does not mask"
            head = 2
            if length == 126:
                head, length = 4, int.from_bytes(self._bytes[at + 2 : at + 4], "big")
            elif length == 127:
                head, length = 10, int.from_bytes(self._bytes[at + 2 : at + 10], "big")
            if len(self._bytes) - at < head + length:
                break
            yield first & 0x0F, bytes(self._bytes[at + head : at + head + length])
            at += head + length
        del self._bytes[:at]


def close_code(connection: RawSocket, within: float = 60) -> int | None:
    """Reads until the server's close frame; `None` where the connection ends without one."""
    parser, deadline = FrameParser(), time.monotonic() + within
    while data := connection.read(deadline):
        for opcode, payload in parser.feed(data):
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big")
    return None
