"""picows on uvloop for the fan-out benchmark; see fanout_load.cpp for the commands."""

import asyncio
import resource
import sys

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

subscribers: list[WSTransport] = []


class Subscriber(WSListener):
    def on_ws_connected(self, transport: WSTransport):
        subscribers.append(transport)

    def on_ws_disconnected(self, transport: WSTransport):
        subscribers.remove(transport)


class Control(WSListener):
    def on_ws_frame(self, transport: WSTransport, frame: WSFrame):
        command, count, stamp = frame.get_payload_as_utf8_text().split(" ")
        message = (stamp + ',"BTC-USD",67321.5,0.0125,').ljust(100, "x").encode()
        for _ in range(int(count) * (16 if command == "batch" else 1)):
            for subscriber in subscribers:
                subscriber.send(WSMsgType.TEXT, message)


def listener(request: WSUpgradeRequest):
    return Control() if request.path == b"/control" else Subscriber()


async def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(6000, hard)), hard))
    server = await ws_create_server(listener, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    print("ready", flush=True)
    await server.serve_forever()


uvloop.run(main())
