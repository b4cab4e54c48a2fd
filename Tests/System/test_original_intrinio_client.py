"""Clients written as Intrinio's own connectors, with the simulated venue as their server."""

import json
import re
import urllib.error
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from intrinio_client import ChannelClient, EquitiesClient, Item, channel_frame, fetch_token, socket_url, topic_of
from support.polling import eventually
from support.venue import Venue
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

OK = {"status": "ok", "response": {}}
UNKNOWN = {"status": "error", "response": {"reason": "unmatched topic"}}
Start = Callable[..., tuple[Venue, str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts simulated venues; returns each with its `HOST:PORT`."""
    venues: list[Venue] = []

    def begin(name: str, recording: Path | None = None, *flags: str) -> tuple[Venue, str]:
        venues.append(Venue(name, recording, *flags).start())
        return venues[-1], urllib.parse.urlsplit(venues[-1].url).netloc

    yield begin
    for venue in venues:
        venue.stop()


def sent(said: str) -> int:
    """How many messages the venue says it sent, of all connections."""
    found = re.search(r"messages +\d+ received, (\d+) sent", said)
    assert found, said
    return int(found[1])


def quotes(count: int) -> list[str]:
    """Trades, asks and bids of three stocks, as the venue documents them."""
    kinds, symbols = ("last", "ask", "bid"), ("AAPL", "GE", "MSFT")
    return [
        json.dumps(
            {
                "topic": topic_of(symbols[number % 3]), "event": "quote", "ref": None,
                "payload": {
                    "type": kinds[number // 3 % 3], "timestamp": 1_493_409_509.393 + number, "ticker": symbols[number % 3],
                    "size": 100 + number, "price": 28 + number / 100,
                },
            }
        )
        for number in range(count)
    ]  # fmt: skip


def test_every_quote_of_what_it_joined_arrives_in_order(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    lines = quotes(600)
    file.write_text("\n".join(lines) + "\n")
    venue, address = start("intrinio", file, "--as-recorded", "--speed", "max")
    client = ChannelClient(address)
    client.start()
    for symbol in ("AAPL", "MSFT"):
        client.join(symbol)
        own = [line for line in lines if json.loads(line)["payload"]["ticker"] == symbol]

        def received(name: str = symbol) -> list[str]:
            return [text for text in client.quotes if json.loads(text)["payload"]["ticker"] == name]

        eventually(lambda own=own, received=received: len(received()) >= len(own), f"all of {symbol} arrived")
        assert received() == own, "byte for byte, in the order of the session"
        assert client.replies(topic_of(symbol)) == [OK]
    assert len(client.quotes) == 400, "and nothing of the stock that it did not join"
    client.stop()
    said = venue.stop()
    assert sent(said) == len(client.frames) == 400 + 2, "quotes and answers: all that was sent arrived"


def test_joins_and_leaves_are_honoured_and_a_topic_that_is_not_there_is_refused(start: Start) -> None:
    venue, address = start("intrinio")
    client = ChannelClient(address)
    client.start()
    client.join("AAPL")
    eventually(lambda: len(client.quotes) >= 3, "quotes arrive", within=60)
    client.leave("AAPL")
    closed = {"topic": topic_of("AAPL"), "event": "phx_close", "payload": {}, "ref": None}
    eventually(lambda: closed in client.frames, "the channel is closed")
    assert client.replies(topic_of("AAPL")) == [OK, OK]
    left = len(client.quotes)
    client.join("ZZZZ")
    client.send(channel_frame(topic_of("AAPL"), "phx_leave"))
    eventually(lambda: len(client.replies(topic_of("AAPL"))) == 3, "a leave without a join is answered")
    assert client.replies(topic_of("AAPL"))[-1] == client.replies(topic_of("ZZZZ"))[-1] == UNKNOWN
    client.join("GE")
    eventually(lambda: len(client.quotes) >= left + 3, "quotes of the other one arrive", within=60)
    tickers = [json.loads(text)["payload"]["ticker"] for text in client.quotes]
    assert set(tickers[:left]) == {"AAPL"} and set(tickers[left:]) == {"GE"}
    for quote in map(json.loads, client.quotes):
        assert quote["topic"] == topic_of(quote["payload"]["ticker"]) and quote["ref"] is None
        assert quote["payload"]["type"] in ("last", "ask", "bid") and quote["payload"]["price"] > 0
    # Nothing is on its way any more once the channel is closed.
    client.leave("GE")
    eventually(lambda: closed | {"topic": topic_of("GE")} in client.frames, "the other channel is closed")
    client.stop()
    assert sent(venue.stop()) == len(client.frames)


def test_heartbeats_every_15_s_are_answered_and_who_sends_none_is_closed(start: Start) -> None:
    venue, address = start("intrinio")
    client, silent = ChannelClient(address), ChannelClient(address, sends_heartbeats=False)
    for one in (client, silent):
        one.start()
        one.join("AAPL")
    assert silent.closed.wait(60), "the venue ends it"
    eventually(lambda: client.replies("phoenix") == [OK, OK], "two heartbeats are answered", within=60)
    assert client.is_ready and not silent.is_ready
    beats = [frame for frame in client.frames if frame["topic"] == "phoenix"]
    assert all(frame == {"topic": "phoenix", "event": "phx_reply", "payload": OK, "ref": None} for frame in beats)
    client.stop()
    said = venue.stop()
    assert "#1 ended by the venue: no heartbeat within 20 s" in said and "#0 ended by the venue" not in said


def test_after_a_closure_it_comes_back_with_a_new_token_and_joins_again(start: Start) -> None:
    venue, address = start("intrinio", None, "--max-age", "2")
    client = ChannelClient(address)
    client.start()
    client.join("AAPL")
    client.join("GE")
    for round in range(1, 4):
        known = len(client.quotes)
        eventually(lambda known=known: len(client.quotes) > known, f"quotes arrive, connection {round}", within=60)
        assert client.closed.wait(60), "the venue ends it"
        client.restart()
        assert client.joined == ["AAPL", "GE"] and client.tokens == round + 1
    client.stop()
    said = venue.stop()
    assert said.count("GET /auth 200") == 4 and said.count("subscribed to iex:securities GE") == 4


def test_without_the_account_there_is_no_token_and_without_the_token_no_socket(start: Start) -> None:
    venue, address = start("intrinio")
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetch_token(address, password="wrong")
    assert refused.value.code == 401
    token = fetch_token(address)
    for wrong in ("", "wrong", token + "x"):
        with pytest.raises(InvalidStatus) as rejected, connect(socket_url(address, wrong)):
            pass
        assert rejected.value.response.status_code == 403
    # Then it fetches another one, which is good.
    with connect(socket_url(address, fetch_token(address))) as socket:
        socket.send(channel_frame("phoenix", "heartbeat"))
        assert json.loads(socket.recv(timeout=60))["payload"] == OK
    said = venue.stop()
    assert said.count("refused with 403") == 3 and token not in said


def test_the_binary_stream_sends_what_was_joined_in_order(start: Start) -> None:
    venue, address = start("intrinio-equities", None, "--as-recorded", "--speed", "max")
    with ExitStack() as opened:
        client = EquitiesClient(address, opened)
        whole = round_of(client)
        assert {item.symbol for item in whole} == {"GE"} and {item.type for item in whole} == {0, 1, 2}
        times = [item.nanoseconds for item in whole]
        assert times == sorted(set(times)) and all(item.price > 0 and item.size > 0 for item in whole)
        assert all((item.day_volume is None) == (item.type != 0) for item in whole)
        trades = [item for item in whole if item.type == 0]
        assert round_of(client, trades_only=True) == trades, "trades alone, and all of them"
    assert sent(venue.stop()) == client.received


def round_of(client: EquitiesClient, **join: bool) -> list[Item]:
    """One round of GE in the order of its times; the session is played again and again, each time the same."""
    client.join("GE", **join)
    items = client.read(1)
    while (item := client.read(1)[0]) != items[0]:
        items.append(item)
    assert client.read(len(items) - 1) == items[1:]
    client.leave("GE")
    client.read_until_quiet(2.5)
    # A later join begins within a round.
    start = min(range(len(items)), key=lambda index: items[index].nanoseconds)
    return items[start:] + items[:start]
