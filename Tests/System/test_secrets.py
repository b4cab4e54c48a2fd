"""That the look for secrets in servers' logs, which every test ends with, finds them."""

from pathlib import Path

from support import secrets


def test_the_look_for_secrets_finds_one_however_it_was_written(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    secret = secrets.remember("the-secret-of-this-test-alone")
    (tmp_path / "keys").write_text("# ours\nada:another-secret-of-this-test\n")
    secrets.watch(log, ("--feed", "sim", "--consultation-keys", str(tmp_path / "keys")))
    log.write_text(f"GET /?ticket={secret[:9]}")
    assert secrets.leaks() == []
    with log.open("a") as file:
        file.write(f"{secret[9:]}\n")
    assert len(secrets.leaks()) == 1
    log.write_text("x-api-key: another-secret-of-this-test\n" * 10)
    assert len(secrets.leaks()) == 1
    # Else it would be found after this test, too.
    log.unlink()
