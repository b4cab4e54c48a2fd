"""The Python package websockets on uvloop for the fan-out benchmark; see fanout_load.cpp for the commands."""

import asyncio
import resource
import sys

import uvloop
from websockets.asyncio.server import broadcast, serve

subscribers = set()


async def connection(socket):
    if socket.request.path != "/control":
        subscribers.add(socket)
        try:
            await socket.wait_closed()
        finally:
            subscribers.discard(socket)
        return
    async for text in socket:
        command, count, stamp = text.split(" ")
        message = (stamp + ',"BTC-USD",67321.5,0.0125,').ljust(100, "x")
        for _ in range(int(count) * (16 if command == "batch" else 1)):
            broadcast(subscribers, message)


async def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(6000, hard)), hard))
    async with serve(
        connection, "127.0.0.1", int(sys.argv[1]), compression=None, ping_interval=None, backlog=1024
    ):
        print("ready", flush=True)
        await asyncio.Future()


uvloop.run(main())
