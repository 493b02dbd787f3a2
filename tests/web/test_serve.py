"""The server as a process: where it listens, how it ends, what it leaves."""

from __future__ import annotations

import shutil
import signal
import ssl
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from linkrisk.cli.examples import EXAMPLES
from linkrisk.web.options import Serving
from tests.cli.command import linkrisk_command
from tests.web.server import START, Server


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--address", "192.0.2.1"], ["other machines could reach 192.0.2.1", "--allow-other-machines"]),
        (["--address", "localhost"], ["other machines could reach"]),
        (["--address", "192.0.2.1", "--allow-other-machines"], ["--certificate and --key"]),
        (["--address", "192.0.2.1", "--certificate", "c.pem", "--key", "k.pem"], ["--allow-other-machines"]),
        (["--certificate", "c.pem"], ["needs its key"]),
        (["--port", "70000"], ["--port", "65535"]),
        (["--upload-limit", "0"], ["--upload-limit"]),
    ],
)
def test_what_would_be_unsafe_is_refused(options: list[str], words: list[str]) -> None:
    """Before anything listens; with the remedy."""
    linkrisk_command("serve", "--no-browser", *options).check_mistake(*words)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """Is a mistake like any other."""
    server = Server.start(tmp_path)
    try:
        port = server.base.split(":")[2].split("/")[0]
        linkrisk_command("serve", "--no-browser", "--port", port).check_mistake("cannot be served", port, "--port")
    finally:
        server.end(signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_at_the_end_nothing_is_left(tmp_path: Path, heard_signals: None, number: int) -> None:
    """Whatever ends it: no file, no process; the exit code says that all is well."""
    del heard_signals
    server = Server.start(tmp_path)
    (folder,) = server.folders
    assert folder.stat().st_mode & 0o777 == 0o700
    with server.browser() as client:
        assert client.post(f"{server.base}/demo").status_code == 303
        _wait(client, f"{server.base}/case/1/columns", "Go on to the attackers")
        assert (folder / "case-1" / "original.csv").exists()
        client.post(f"{server.base}/case/1/attackers", data=_choice(time_limit="60"))
        workers = server.workers()
    code, said = server.end(number)
    assert (code, server.folders) == (0, [])
    assert said.splitlines()[-1] == "The page is closed, and its files are removed."
    assert "Traceback" not in said
    assert workers
    assert not [number for number in workers if Path(f"/proc/{number}").exists()]


def _choice(**more: str) -> dict[str, Any]:
    return {"attackers": "mean", "scales": "ranks", "ties": "expected", "time_limit": "1", "max_rate": "5", **more}


def _wait(client: httpx.Client, address: str, text: str) -> str:
    """Wait until a view says something."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        answer = client.get(address, follow_redirects=True)
        if text in answer.text:
            return str(answer.text)
        time.sleep(0.1)
    raise AssertionError(answer.text)


@pytest.mark.slow
def test_a_server_that_is_killed_is_cleared_by_the_next(tmp_path: Path) -> None:
    """Its processes end with it, its folder goes when another server starts."""
    server = Server.start(tmp_path)
    server.end(signal.SIGKILL)
    (folder,) = server.folders
    other = Server.start(tmp_path)
    assert folder not in other.folders
    other.end(signal.SIGTERM)


@pytest.mark.slow
def test_the_address_is_shown_again_to_who_lost_the_key(tmp_path: Path) -> None:
    """A browser that was closed has lost it; not more than now and then, for anybody may ask."""
    server = Server.start(tmp_path, code=f"import linkrisk.web.serve as s; s.SECONDS_BETWEEN = 0.5\n{START}")
    first, view = server.start_address, f"{server.base}/"
    assert httpx.get(view).status_code == 403  # too early
    assert httpx.get(first).status_code == 303
    assert httpx.get(first).status_code == 403
    time.sleep(0.6)
    for _ in range(3):
        assert httpx.get(view).status_code == 403
    assert server.process.stdout is not None
    server.process.stdout.readline()
    again = server.process.stdout.readline().split()[-1]
    assert again != first
    assert httpx.get(again).status_code == 303
    assert "A browser without the key" not in server.end(signal.SIGTERM)[1]


@pytest.mark.slow
def test_other_machines_by_tls(tmp_path: Path) -> None:
    """With a certificate, its key and the flag; the cookie is for encrypted connections alone."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl")
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    made = [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
    ]
    subprocess.run([openssl, *made, *subject], check=True, capture_output=True)  # noqa: S603
    options = ["--address", "localhost", "--allow-other-machines", "--certificate", str(certificate), "--key", str(key)]
    server = Server.start(tmp_path, *options)
    try:
        assert server.base.startswith("https://localhost:")
        with httpx.Client(verify=ssl.create_default_context(cafile=str(certificate))) as client:
            answer = client.get(server.start_address)
            assert "Secure" in answer.headers["set-cookie"]
    finally:
        server.end(signal.SIGTERM)


def test_a_certificate_that_cannot_be_read(tmp_path: Path) -> None:
    """Is told in a sentence."""
    (tmp_path / "c.pem").write_text("nonsense")
    arguments = ("--certificate", tmp_path / "c.pem", "--key", tmp_path / "c.pem")
    linkrisk_command("serve", "--no-browser", *arguments).check_mistake("c.pem", "PEM files")


def test_defaults() -> None:
    """Nobody but this machine, a free port, the browser is opened."""
    usual = Serving()
    assert (usual.address, usual.port, usual.browser, usual.allow_other_machines) == ("127.0.0.1", 0, True, False)
    assert EXAMPLES["serve"][0] == "linkrisk serve"
