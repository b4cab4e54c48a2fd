"""Options of `serve` from a file, the environment and the command line, and the document that lists them."""

import hashlib
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from running_server import RunningServer
from support.polling import eventually
from support.server import PACKAGE, binary

DOCUMENT = PACKAGE / "Docs" / "configuration.md"


def candlewire(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CANDLEWIRE_")} | variables
    return subprocess.run(
        [str(binary()), *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False, env=environment
    )


def table() -> dict[str, list[str]]:
    """The cells of each row of the options' table, by the option."""
    lines = DOCUMENT.read_text().split("\n## Options\n")[1].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| `--")]
    return {row[0].strip("`"): row for row in cells}


def test_the_table_has_each_option_of_the_help_and_no_other() -> None:
    text = candlewire("serve", "--help").stdout
    helped = set(re.findall(r"^  (--[a-z-]+)", text, re.M)) - {"--version", "--help"}
    assert len(helped) > 40
    assert {"missing": helped - table().keys(), "unknown": table().keys() - helped} == {"missing": set(), "unknown": set()}


def test_the_table_names_variables_keys_and_reloads_as_they_are() -> None:
    for option, (_, variable, key, *_, changes) in table().items():
        assert variable == f"`CANDLEWIRE_{option[2:].upper().replace('-', '_')}`"
        assert key == ("–" if option == "--config" else f"`{option[2:]}`")
        assert changes in ("restart", "at SIGHUP")
    assert {option for option, row in table().items() if row[-1] == "at SIGHUP"} == {"--allow-origin", "--log-level", "--log-level-of"}


def shown(*arguments: str | Path, **variables: str) -> dict[str, tuple[str, str]]:
    """The value and the source of each option."""
    answer = candlewire("config", "show", *arguments, **variables)
    assert answer.returncode == 0, answer.stderr
    lines = re.findall(r"^([a-z-]+) +(.*?)  \((.*)\)$", answer.stdout, re.M)
    return {name: (value, source) for name, value, source in lines}


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text('# Ports.\nport = 1001\nrate = 7\n\nfeed = sim:BTC-USD\nfeed = "replay:/tmp/a b.jsonl"\nloop = yes\nseed=3\n')
    found = shown("--config", file, "--port", "1003", CANDLEWIRE_PORT="1002", CANDLEWIRE_RATE="8", CANDLEWIRE_SEED="")
    assert found["port"] == ("1003", "command line")
    assert found["rate"] == ("8", "CANDLEWIRE_RATE")
    assert found["seed"] == ("3", f"{file}, line 8")
    assert found["loop"] == ("yes", f"{file}, line 7")
    assert found["host"] == ("127.0.0.1", "default")
    assert found["feed"][0] == "replay:/tmp/a b.jsonl"
    assert shown(CANDLEWIRE_CONFIG=str(file), CANDLEWIRE_LOOP="false", CANDLEWIRE_FEED="sim")["loop"] == ("false", "CANDLEWIRE_LOOP")
    # What an orchestrator adds is not ours.
    assert shown(CANDLEWIRE_SERVICE_HOST="10.0.0.1")["port"] == ("8080", "default")


def test_every_option_is_shown_with_its_default() -> None:
    found = shown()
    assert {value for value, _ in found.values()}.isdisjoint({"–", ""}) and found.keys() == {name[2:] for name in table()}
    wanted = {
        "feed": "sim", "demo": "false", "evict-idle": "3600", "speed": "1", "url": "none", "consultation-timeout": "300",
        "ledger-key": "ledger.key in the data folder", "keep-candles": "all are kept", "idle-timeout": "75.0",
    }  # fmt: skip
    assert {name: found[name][0] for name in wanted} == wanted


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text("feed = coinbase:BTC-USD\nurl = coinbase=wss://user:hunter2@example.com/feed?key=hunter2\n")
    answer = candlewire("config", "show", "--config", file, "--json")
    assert answer.returncode == 0 and "hunter2" not in answer.stdout and "coinbase=wss://example.com/feed" in answer.stdout


WRONG = {
    "prot = 1": '{0}, line 1: Unknown key "prot"; is port meant?',
    "colour = red": '{0}, line 1: Unknown key "colour"; allowed are host, port,',
    "config = other": "{0}, line 1: config names a configuration file, and none can name another.",
    "# fine\n\nport 80": '{0}, line 3: "port 80" is not KEY = VALUE.',
    "port = 1\nport = 2": "{0}, line 2: port is set in line 1 already",
    "port = many": "{0}, line 1: The value 'many' is invalid for '--port",
    "host = 127.0.0.1\nport = 99999": "{0}, line 2: The port 99999 must be a number from 0 to 65535.",
    "demo = perhaps": '{0}, line 1: demo is "perhaps"; allowed are true and false.',
    "require-login = some": "trading",
    "log-level = loud": '{0}, line 1: Unknown log level "loud"; allowed are trace,',
    "keep-candles = 1m:1d,2s:7d": '{0}, line 1: The --keep-candles "2s:7d" is not TIMEFRAME:AGE',
    "rate = 1\nstream-token-file = /none": "{0}, line 2: The token file /none ",
    "loop = true": "{0}, line 1: --speed, --loop and --venue belong to a replay",
    "tls-cert = a.pem": "{0}, line 1: --tls-cert and --tls-key belong together",
}


@pytest.mark.parametrize("text", WRONG)
def test_each_wrong_line_is_named_with_what_is_allowed(tmp_path: Path, text: str) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text(text + "\n")
    answer = candlewire("config", "check", file)
    assert answer.returncode == 65, answer
    assert WRONG[text].format(file) in answer.stderr, answer.stderr
    started = candlewire("serve", "--config", file, "--port" if "port" not in text else "--seed", "1")
    assert started.returncode in (64, 66, 69, 73) and WRONG[text].format(file) in started.stderr, started


def test_all_wrong_lines_are_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text("prot = 1\nport = 99999\nrate = 0\nlog-level = loud\nseed = -\n")
    answer = candlewire("config", "check", file)
    assert [line.split(":")[0] for line in sorted(answer.stderr.splitlines())] == [f"{file}, line {n}" for n in range(1, 6)]


MISSING_FILES = {
    "host = 0.0.0.0\nrequire-login = all\nstream-token-file = /none": ["line 3: The token file /none cannot be read."],
    "host = 0.0.0.0\nstream-token-file = /none\nrate = 0": ["line 3: The rate 0", "line 2: The token file /none"],
    "tls-key = /none/key\ntls-cert = /none/cert": ["line 2: "],
    "jwt-issuer = https://login.example.com\njwt-key = /none": ["line 2: The "],
}


@pytest.mark.parametrize("text", MISSING_FILES)
def test_a_file_that_is_missing_is_one_problem_and_not_also_what_follows_from_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text(text + "\n")
    lines = candlewire("config", "check", file).stderr.splitlines()
    assert len(lines) == len(MISSING_FILES[text]), lines
    for line, wanted in zip(lines, MISSING_FILES[text], strict=True):
        assert line.startswith(f"{file}, {wanted}"), lines


def test_a_right_file_is_right_and_one_that_is_missing_is_said(tmp_path: Path) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text("port = 9000\nkeep-candles = 1s:7d\n")
    answer = candlewire("config", "check", file)
    assert (answer.returncode, answer.stdout) == (0, f"{file} is right: it sets 2 options.\n")
    missing = candlewire("serve", "--config", tmp_path / "none")
    assert missing.returncode == 64 and "cannot be read" in missing.stderr
    wrong = candlewire("serve", CANDLEWIRE_PORT="many")
    assert wrong.returncode == 64 and "CANDLEWIRE_PORT: The value 'many'" in wrong.stderr


def test_a_signal_reloads_what_can_change_and_names_what_cannot(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    file = tmp_path / "candlewire.conf"
    file.write_text("log-level = notice\nallow-origin = https://one.example\n")
    server = serve("sim:BTC-USD", "--config", str(file))

    def allows(origin: str) -> bool:
        import urllib.error
        import urllib.request

        request = urllib.request.Request(f"{server.address}/v1/accounts", b'{"name":"x"}', {"Origin": origin, "Content-Type": "application/json"})
        try:
            urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            return error.code != 403
        return True

    def reload(text: str, sentence: str) -> None:
        seen = server.log.count(sentence)
        file.write_text(text)
        assert server._process is not None
        server._process.send_signal(signal.SIGHUP)
        eventually(lambda: server.log.count(sentence) > seen, sentence)

    assert allows("https://one.example") and not allows("https://two.example")
    reload("log-level = info\nallow-origin = https://two.example\nmax-connections = 5\n", "the configuration was reloaded")
    assert "needs_restart=max-connections" in server.log and "changed=allow-origin,log-level" in server.log
    assert allows("https://two.example") and not allows("https://one.example")
    assert '"reload allow-origin,log-level"' in (server.data_dir / "audit.jsonl").read_text()
    reload("log-level = loud\nallow-origin = *\n", "the configuration was not reloaded")
    assert not allows("https://one.example") and 'line 1: Unknown log level "loud"' in server.log


def test_without_a_file_the_signal_ends_the_server(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD")
    code, _ = server.terminate(within=60, number=signal.SIGHUP)
    assert code == -signal.SIGHUP


def test_the_system_s_configuration_of_openssl_changes_nothing(tmp_path: Path) -> None:
    # With it OpenSSL's own program can neither read the key nor make a SHA-256.
    openssl, key, file = tmp_path / "openssl.cnf", tmp_path / "key.pem", tmp_path / "candlewire.conf"
    openssl.write_text("openssl_conf = a\n[a]\nproviders = b\n[b]\nlegacy = c\n[c]\nactivate = 1\n")
    key.write_text(
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7\n"
        "6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n-----END PUBLIC KEY-----\n"
    )
    file.write_text(f"jwt-key = {key}\n")
    refused = subprocess.run(
        ["openssl", "dgst", "-sha256", key], env=os.environ | {"OPENSSL_CONF": str(openssl)}, capture_output=True, check=False
    )
    assert refused.returncode != 0
    checked = candlewire("config", "check", file, OPENSSL_CONF=str(openssl))
    assert (checked.returncode, checked.stdout) == (0, f"{file} is right: it sets 1 option.\n"), checked
    folder = tmp_path / "data"
    made = candlewire("tokens", "create", "ada", "--scope", "read", "--data-dir", folder, OPENSSL_CONF=str(openssl))
    assert made.returncode == 0, made
    assert hashlib.sha256(made.stdout.strip().encode()).hexdigest() in (folder / "tokens.json").read_text()
