"""Runs `wstest` (Python 2.7) with every listening socket bound to loopback; by itself it binds all interfaces."""

import autobahntestsuite.choosereactor  # noqa: F401, must come before the reactor
from twisted.internet import reactor

listen = reactor.listenTCP


def listen_on_loopback(port, factory, backlog=50, interface=""):
    return listen(port, factory, backlog, "127.0.0.1")


reactor.listenTCP = listen_on_loopback

from autobahntestsuite.wstest import run  # noqa: E402

run()
