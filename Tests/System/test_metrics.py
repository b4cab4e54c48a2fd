"""`/metrics`, `/livez` and `/readyz`: what they count, who may read them, and that the real Prometheus reads them."""

import http.client
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_text import scrape
from raw_socket import TEXT, RawSocket
from running_server import RunningServer, subscribe
from support.polling import eventually
from support.server import binary, free_port
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[2]
OPERATE = ROOT / "Examples" / "operate"
TOKEN = "a-token-of-some-length-1"
needs_prometheus = pytest.mark.skipif(
    shutil.which("promtool") is None or shutil.which("prometheus") is None,
    reason="Prometheus is not installed: make setup-test",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("metrics") / "data"
    running = RunningServer(folder, feed="sim:BTC-USD,ETH-USD", flags=("--seed", "5", "--rate", "200")).start()
    yield running
    running.stop()


def status(server: RunningServer, path: str, method: str = "GET", body: Any = None, headers: Any = None) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, path, body=data, headers=headers or {})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


# MARK: The format


@needs_prometheus
def test_promtool_accepts_the_metrics_without_a_remark(server: RunningServer) -> None:
    status(server, "/v1/chart.svg?symbol=BTC-USD&timeframe=1m")
    text = scrape(server.address).text
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_a_histogram_s_classes_add_up(server: RunningServer) -> None:
    found = scrape(server.address)
    histograms = [name for name, kind in found.kinds.items() if kind == "histogram"]
    assert len(histograms) >= 7
    for name in histograms:
        series: dict[frozenset, list[tuple[float, float]]] = {}
        for (each, labels), value in found.samples.items():
            if each == f"{name}_bucket":
                rest = frozenset(label for label in labels if label[0] != "le")
                series.setdefault(rest, []).append((float(dict(labels)["le"]), value))
        for labels, classes in series.items():
            counts = [count for _, count in sorted(classes)]
            assert counts == sorted(counts), (name, labels)
            assert sorted(classes)[-1] == (float("inf"), found.samples[(f"{name}_count", labels)])


def test_a_head_request_has_no_body_and_other_methods_are_refused(server: RunningServer) -> None:
    for path in ("/metrics", "/livez", "/readyz"):
        assert status(server, path, "HEAD") == 200
        assert status(server, path, "POST") == 405


# MARK: What they count


def place_order(server: RunningServer) -> None:
    body = {"symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01"}
    assert status(server, "/v1/orders", "POST", body) == 201


def read_stream(server: RunningServer) -> None:
    with connect(server.stream) as connection:
        connection.send(subscribe("BTC-USD", "1m"))
        seen = 0
        while seen < 5:
            seen += json.loads(connection.recv(timeout=60))["type"] == "tick"


def read_rarely(server: RunningServer) -> None:
    with connect(server.stream) as connection:
        connection.send(subscribe("BTC-USD", "1m", max_rate=2))
        end = time.monotonic() + 60
        while json.loads(connection.recv(timeout=60))["type"] != "skipped":
            assert time.monotonic() < end


def send_rubbish(server: RunningServer) -> None:
    with connect(server.stream) as connection:
        with pytest.raises(Exception, match="4|close"):
            while True:
                connection.send("rubbish")
                connection.recv(timeout=60)


def ask(server: RunningServer) -> None:
    """Asks the built-in guide, and waits for the whole answer."""
    before = scrape(server.address).value('candlewire_model_answers_total{outcome="answered"}')
    body = {"consultationType": "markets", "initialMessage": "How is BTC-USD doing?"}
    assert status(server, "/consultations", "POST", body) == 201
    eventually(
        lambda: scrape(server.address).value('candlewire_model_answers_total{outcome="answered"}') > before,
        "the guide has answered",
    )


def refuse_foreign_page(server: RunningServer) -> None:
    with pytest.raises(InvalidStatus):
        connect(server.stream, origin="https://elsewhere.example").close()


# What somebody does, and by how much which series grows then: exactly, or (a minimum,) where time adds to it.
Growth = dict[str, float | tuple[float]]
ACTIONS: dict[str, tuple[Callable[[RunningServer], Any], Growth]] = {
    "a request": (
        lambda server: status(server, "/v1/markets"),
        {
            'candlewire_http_requests_total{route="/v1/markets",method="GET",status="2xx"}': 1,
            'candlewire_http_request_duration_seconds_count{route="/v1/markets",method="GET"}': 1,
            'candlewire_http_requests_total{route="none"}': 0,
        },
    ),
    "a request with a name in its path": (
        lambda server: status(server, "/v1/markets/ETH-USD"),
        {'candlewire_http_requests_total{route="/v1/markets/{symbol}",method="GET",status="2xx"}': 1},
    ),
    "a request for an unknown market": (
        lambda server: status(server, "/v1/markets/NO-SUCH"),
        {'candlewire_http_requests_total{route="/v1/markets/{symbol}",method="GET",status="4xx"}': 1},
    ),
    "a request for nothing": (
        lambda server: status(server, "/v1/nowhere"),
        {'candlewire_http_requests_total{route="none",method="GET",status="4xx"}': 1},
    ),
    "the page": (
        lambda server: status(server, "/index.html"),
        {'candlewire_http_requests_total{route="page",method="GET",status="2xx"}': 1},
    ),
    "an order": (
        place_order,
        {
            'candlewire_http_requests_total{route="/v1/orders",method="POST",status="2xx"}': 1,
            'candlewire_store_commits_total{store="ledger"}': (1,),
            'candlewire_store_transaction_seconds_count{store="ledger"}': (1,),
            'candlewire_store_commit_seconds_count{store="ledger"}': (1,),
            'candlewire_store_written_rows_total{store="ledger"}': (1,),
        },
    ),
    "a refused order": (
        lambda server: status(server, "/v1/orders", "POST", {"symbol": "BTC-USD"}),
        {'candlewire_http_requests_total{route="/v1/orders",method="POST",status="4xx"}': 1},
    ),
    "a picture": (
        lambda server: status(server, "/v1/chart.svg?symbol=BTC-USD&timeframe=1m"),
        {'candlewire_render_duration_seconds_count{lane="small"}': 1, "candlewire_render_jobs": 0},
    ),
    "a stream": (
        read_stream,
        {
            "candlewire_websockets_accepted_total": 1,
            "candlewire_stream_deliveries_total": (5,),
            "candlewire_stream_messages_published_total": (5,),
            "candlewire_stream_sent_bytes_total": (300,),
            "candlewire_stream_received_bytes_total": (40,),
            "candlewire_tick_to_send_seconds_count": (1,),
            'candlewire_stream_skipped_total{cause="max_rate"}': 0,
            'candlewire_stream_skipped_total{cause="slow_reader"}': 0,
            'candlewire_stream_skipped_total{cause="busy_server"}': 0,
        },
    ),
    "a reader that wants two messages a second": (
        read_rarely,
        {
            'candlewire_stream_skipped_total{cause="max_rate"}': (1,),
            'candlewire_stream_skipped_total{cause="slow_reader"}': 0,
        },
    ),
    "a client that sends rubbish": (
        send_rubbish, {'candlewire_stream_closed_total{reason="bad_requests"}': 1},
    ),
    "a foreign page": (
        refuse_foreign_page, {'candlewire_websockets_refused_total{reason="origin"}': 1},
    ),
    "a question": (
        ask,
        {
            'candlewire_model_answers_total{outcome="answered"}': 1,
            'candlewire_model_answers_total{outcome="failed"}': 0,
            "candlewire_model_answer_seconds_count": 1,
            "candlewire_model_first_event_seconds_count": 1,
            'candlewire_store_commits_total{store="conversations"}': (1,),
        },
    ),
    "time": (
        lambda _: time.sleep(1.1),
        {
            "candlewire_ticks_accepted_total": (50,), "candlewire_uptime_seconds": (1,),
            "candlewire_candles_final_total": (1,), "process_cpu_seconds_total": (0.01,),
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("action", ACTIONS)
def test_what_is_done_is_what_is_counted(server: RunningServer, action: str) -> None:
    act, growth = ACTIONS[action]
    before = scrape(server.address)
    act(server)

    def differences() -> dict[str, tuple[float, Any]]:
        after = scrape(server.address)
        grown = {series: after.value(series) - before.value(series) for series in growth}
        return {
            series: (grown[series], expected)
            for series, expected in growth.items()
            if (grown[series] < expected[0] if isinstance(expected, tuple) else grown[series] != expected)
        }

    # What happens on other threads is counted a moment after the client saw it.
    eventually(lambda: not differences(), f"{action}: {differences()}", within=20)


def test_the_figures_of_the_process_are_those_of_the_system(server: RunningServer) -> None:
    found = scrape(server.address)
    process = server._process
    assert process is not None
    memory = found.value("process_resident_memory_bytes")
    assert abs(memory - server.memory) < 0.3 * server.memory
    assert found.value("process_open_fds") >= 5
    assert found.value("process_max_fds") >= found.value("process_open_fds")
    assert found.value("process_threads") == len(list(Path(f"/proc/{process.pid}/task").iterdir()))
    assert abs(time.time() - found.value("process_start_time_seconds") - found.value("candlewire_uptime_seconds")) < 120
    assert found.value("candlewire_ready") == 1 and found.value("candlewire_clock_held") == 0
    assert found.value('candlewire_feed_up{feed="sim"}') == 1
    assert 0 <= found.value('candlewire_feed_age_seconds{feed="sim"}') < 30


def test_hostile_paths_methods_and_symbols_add_no_series(server: RunningServer) -> None:
    attacks = [
        lambda n: status(server, f"/v1/markets/X{n}"),
        lambda n: status(server, f"/v1/orders/paper-main-{n}"),
        lambda n: status(server, f"/no/such/path/{n}"),
        lambda n: status(server, f"/v1/candles?symbol=S{n}&timeframe=T{n}"),
        lambda n: status(server, "/v1/markets/" + urllib.parse.quote(f'x\n"}} {n}')),
        lambda n: status(server, "/v1/markets", f"METHOD{n}"),
        lambda n: status(server, "/metrics", headers={"X-Correlation-ID": f"id-{n}", "User-Agent": f"agent-{n}"}),
    ]
    for attack in attacks:
        attack(0)
    before = set(scrape(server.address).samples)
    for number in range(1, 40):
        for attack in attacks:
            attack(number)
    after = scrape(server.address)
    assert set(after.samples) - before == set()
    assert len(after.samples) < 3000
    assert {dict(labels).get("method") for name, labels in after.samples if name == "candlewire_http_requests_total"} <= {
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other",
    }  # fmt: skip


# MARK: Who may read them


def test_with_tokens_the_metrics_need_one_and_failures_are_counted(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{TOKEN}\n")
    tokens.chmod(0o600)
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens))
    assert status(server, "/metrics") == 401
    assert status(server, "/metrics", headers={"Authorization": "Bearer wrong-token-of-length"}) == 401
    assert status(server, "/livez") == status(server, "/readyz") == status(server, "/health") == 200
    with connect(server.stream) as connection:
        connection.send(json.dumps({"action": "auth", "token": "another-wrong-token"}))
        with pytest.raises(Exception, match="4"):
            while True:
                connection.recv(timeout=60)
    with pytest.raises(InvalidStatus):
        connect(server.stream.replace("/v1/stream", "/raw")).close()
    # A conversation, whose socket expects the token in its first frame.
    address = server.stream.replace("/v1/stream", "/ws/consultation?consultation_id=00000000-0000-4000-8000-000000000000")
    with connect(address) as connection:
        frame = {"type": "auth", "message_id": "a", "content": "another-wrong-token", "timestamp": "2026-11-26T10:00:00Z"}
        connection.send(json.dumps(frame))
        with pytest.raises(ConnectionClosed, match="4101"):
            while True:
                connection.recv(timeout=60)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    counted = {"http": 2, "stream": 1, "consultation": 1, "upgrade": 1}

    def failures() -> dict[str, float]:
        found = scrape(server.address, headers=headers)
        return {key: found.value(f'candlewire_auth_failures_total{{interface="{key}"}}') for key in counted}

    eventually(lambda: failures() == counted, "each failure is counted once")


def test_a_port_of_their_own_needs_no_login_and_takes_them_from_the_other(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{TOKEN}\n")
    tokens.chmod(0o600)
    port = free_port()
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens), "--metrics-port", str(port))
    own = f"http://127.0.0.1:{port}"
    assert scrape(own).value("candlewire_ready") == 1
    assert status(server, "/metrics", headers={"Authorization": f"Bearer {TOKEN}"}) == 404
    for path in ("/health", "/livez", "/readyz"):
        assert json.load(urllib.request.urlopen(own + path, timeout=60))["status"] in ("ok", "ready")
    # Nothing else is there, and no page of elsewhere reaches it under a name of its own.
    for path, host, expected in (("/v1/markets", None, 404), ("/metrics", "elsewhere.example", 421)):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", path, headers={"Host": host} if host else {})
        assert connection.getresponse().status == expected
        connection.close()


def test_beyond_loopback_logins_of_the_assistant_open_no_metrics(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    keys = tmp_path / "keys"
    keys.write_text("somebody:a-key-of-some-length-01\n")
    keys.chmod(0o600)
    server = serve("sim:BTC-USD", "--host", "0.0.0.0", "--consultation-keys", str(keys))
    assert status(server, "/metrics") == 403
    assert status(server, "/readyz") == 200


def test_an_address_that_is_taken_is_a_sentence(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    first = serve("sim:BTC-USD")
    for more, words in (
        (("--metrics-port", str(first.port)), f"Port {first.port} on 127.0.0.1 is already in use"),
        (("--metrics-port", "0"), "--metrics-port must be from 1 to 65535"),
        (("--trace-sample", "2"), "--trace-sample must be from 0 to 1"),
        (("--log-level-of", "chart=debug"), "--log-level-of must be NAME=LEVEL"),
        (("--log-format", "xml"), "xml"),
        (("--trace-file", str(tmp_path / "none" / "trace")), "cannot be written"),
    ):
        command = [str(binary()), "serve", "--port", "0", "--data-dir", str(tmp_path / "other"), *more]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert ended.returncode != 0 and words in ended.stderr, (more, ended.stderr)


# MARK: The real Prometheus, the alerts, the dashboard


@pytest.fixture(scope="module")
def prometheus(server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Prometheus that scrapes the server once a second, with the alerts of the example."""
    folder = tmp_path_factory.mktemp("prometheus")
    port = free_port()
    text = (OPERATE / "prometheus.yml").read_text()
    text = text.replace("candlewire-alerts.yml", str(OPERATE / "candlewire-alerts.yml"))
    text = text.replace("127.0.0.1:9464", f"127.0.0.1:{server.port}").replace("interval: 15s", "interval: 1s")
    (folder / "prometheus.yml").write_text(text)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                "prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdout=log, stderr=log,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"

    def is_ready() -> bool:
        assert process.poll() is None, (folder / "log").read_text()
        try:
            return urllib.request.urlopen(f"{address}/-/ready", timeout=60).status == 200
        except OSError:
            # It listens before it is ready, and answers 503 then.
            return False

    try:
        eventually(is_ready, "Prometheus is ready")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=60)


def query(prometheus: str, expression: str) -> list[dict[str, Any]]:
    address = f"{prometheus}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{expression}: {error.read().decode()}") from None
    assert found["status"] == "success" and not found.get("warnings"), (expression, found)
    return found["data"]["result"]


@needs_prometheus
def test_the_real_prometheus_scrapes_the_server(server: RunningServer, prometheus: str) -> None:
    eventually(lambda: query(prometheus, 'up{job="candlewire"} == 1'), "Prometheus has scraped the server")
    with urllib.request.urlopen(f"{prometheus}/api/v1/targets", timeout=60) as answer:
        (target,) = json.load(answer)["data"]["activeTargets"]
    assert (target["health"], target["lastError"]) == ("up", "")
    before = scrape(server.address).value("candlewire_ticks_accepted_total")

    def stored() -> float:
        (found,) = query(prometheus, "candlewire_ticks_accepted_total")
        return float(found["value"][1])

    kept = eventually(lambda: stored() if stored() > before else None, "a later scrape is in")
    assert before < kept <= scrape(server.address).value("candlewire_ticks_accepted_total")
    assert float(query(prometheus, "rate(candlewire_ticks_accepted_total[30s])")[0]["value"][1]) > 0
    # Every family has come in, with its type and its help.
    with urllib.request.urlopen(f"{prometheus}/api/v1/targets/metadata?metric=", timeout=60) as answer:
        known = {each["metric"]: each["type"] for each in json.load(answer)["data"]}
    assert scrape(server.address).kinds.items() <= known.items()


def dashboard_expressions() -> dict[str, str]:
    board = json.loads((OPERATE / "grafana-candlewire.json").read_text())
    return {
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in board["panels"]
        for target in panel.get("targets", [])
    }


def alert_expressions() -> dict[str, str]:
    """By the name of the alert; the file has one `expr:` each, on its line or folded below it."""
    found = {}
    for part in (OPERATE / "candlewire-alerts.yml").read_text().split("- alert: ")[1:]:
        name = part.split("\n", 1)[0]
        match = re.search(r"expr: (?:>\n)?(.*?)\n        (?:for|labels):", part, re.DOTALL)
        assert match, name
        found[name] = match[1]
    return found


EXPRESSIONS = {**dashboard_expressions(), **alert_expressions()}


@needs_prometheus
def test_the_example_files_are_valid() -> None:
    for command in (
        ("check", "rules", "candlewire-alerts.yml"),
        ("check", "config", "prometheus.yml"),
        ("test", "rules", "candlewire-alerts.test.yml"),
    ):
        ended = subprocess.run(["promtool", *command], cwd=OPERATE, capture_output=True, text=True, timeout=60)
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert len(dashboard_expressions()) >= 30 and len(alert_expressions()) == 20


def test_the_expressions_name_metrics_and_labels_that_are_there(server: RunningServer) -> None:
    place_order(server)
    status(server, "/v1/nowhere")
    ask(server)
    found = scrape(server.address)
    histograms = {name for name, kind in found.kinds.items() if kind == "histogram"}
    known = set(found.kinds) - histograms | {name + end for name in histograms for end in ("_bucket", "_sum", "_count")}
    # Only live feeds have these.
    live = {name for name in found.kinds if name.startswith("candlewire_feed_") and name.endswith("_total")}
    labels = {label for name in found.names() for label in found.labels(name)} | {"instance", "job", "feed"}
    for where, expression in EXPRESSIONS.items():
        names = set(re.findall(r"\b(?:candlewire|process)_\w+", expression.replace("candlewire_build_info, instance", "")))
        assert names or "up{" in expression, where
        assert names <= known | live, (where, names - known)
        used = set(re.findall(r"(\w+)\s*(?:=~|!=|=)\s*\"", expression))
        for group in re.findall(r"by \(([^)]*)\)", expression):
            used |= {label.strip() for label in group.split(",")}
        assert used <= labels, (where, used - labels)
        assert names <= found.names() | live, (where, "has no series", names - found.names())


@needs_prometheus
def test_prometheus_evaluates_every_expression(server: RunningServer, prometheus: str) -> None:
    for where, expression in EXPRESSIONS.items():
        expression = expression.replace("$__rate_interval", "1m").replace("$instance", ".*")
        assert isinstance(query(prometheus, expression), list), where

    def states() -> dict[str, str]:
        with urllib.request.urlopen(f"{prometheus}/api/v1/rules", timeout=60) as answer:
            groups = json.load(answer)["data"]["groups"]
        return {rule["name"]: rule["health"] for group in groups for rule in group["rules"]}

    eventually(lambda: set(states().values()) == {"ok"}, "all alerts have been evaluated")
    assert set(states()) == set(alert_expressions())


# MARK: The document


def test_the_document_has_exactly_the_metrics_that_there_are(server: RunningServer) -> None:
    rows = re.findall(r"^\| `((?:candlewire|process)_\w+)` \| (\w+) \|", (ROOT / "Docs/operate.md").read_text(), re.M)
    assert len(rows) == len(dict(rows)), "a metric is described twice"
    assert dict(rows) == scrape(server.address).kinds


# MARK: The end


def test_a_server_that_stops_says_that_it_drains(serve: Callable[..., RunningServer]) -> None:
    port = free_port()
    server = serve("sim:BTC-USD", "--metrics-port", str(port))
    own = f"http://127.0.0.1:{port}"
    assert json.load(urllib.request.urlopen(own + "/readyz", timeout=60)) == {"status": "ready"}
    process = server._process
    assert process is not None
    # A reader that reads nothing, and so does not answer the server's close: the end waits for it for two seconds.
    with RawSocket(server.port) as reader:
        reader.send(TEXT, subscribe("BTC-USD", "1m").encode())
        process.terminate()

        def draining() -> bool:
            try:
                urllib.request.urlopen(own + "/readyz", timeout=10)
            except urllib.error.HTTPError as error:
                return error.code == 503 and json.load(error) == {"status": "draining"}
            return False

        eventually(draining, "the server says that it drains", within=20, every=0.01)
    assert process.wait(timeout=60) in (0, -15)
    server._process = None
