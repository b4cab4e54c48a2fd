"""A TCP proxy that cuts its connections at random, in the middle of what they carry."""

import contextlib
import random
import socket
import struct
import threading


class CuttingProxy:
    """Forwards to `port` on this machine; each chunk of bytes is cut with a chance of `chance`, by a seed.

    Where it cuts, part of the chunk still gets through, and both sides get a TCP reset: an answer that is lost that way
    belongs to a request that the server has carried out.
    """

    def __init__(self, port: int, *, seed: int) -> None:
        self.chance = 0.0
        self.cuts = 0
        # Whether new connections are turned away.
        self.is_down = False
        self._target = port
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.is_down:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                client.close()
                continue
            with self._lock:
                self._open |= {client, server}
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=(source, target), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while chunk := source.recv(65_536):
                kept = self._kept(len(chunk))
                target.sendall(chunk[:kept])
                if kept < len(chunk):
                    break
        except OSError:
            pass
        self._reset(source)
        self._reset(target)

    def _kept(self, size: int) -> int:
        """Bytes of a chunk that get through; all of them where it is not cut."""
        with self._lock:
            if self._random.random() >= self.chance:
                return size
            self.cuts += 1
            return self._random.randrange(size)

    def _reset(self, end: socket.socket) -> None:
        with self._lock:
            if end not in self._open:
                return
            self._open.discard(end)
        with contextlib.suppress(OSError):
            # Closed with a reset, also where bytes wait to be sent, and its blocked reader is woken up.
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.shutdown(socket.SHUT_RD)
        end.close()

    def cut_all(self) -> None:
        with self._lock:
            ends = list(self._open)
            self.cuts += len(ends) // 2
        for end in ends:
            self._reset(end)

    def stop(self) -> None:
        self._listener.close()
        self.cut_all()
