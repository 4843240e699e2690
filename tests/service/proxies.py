"""A real nginx with the configuration that we ship, between clients and real servers."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import urllib3

from tests.service.server import ROOT, SECONDS, free_port

SHIPPED = ROOT / "deploy" / "nginx.conf"
NAME = "ruleglot.example"
NEEDED = "nginx" in os.environ.get("RULEGLOT_DEMAND", "").split()
MAIN = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 2048; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/ruleglot.conf;
}}
"""


class Proxy(NamedTuple):
    """Where it listens: by TLS, without, and on the port that leads from one to the other."""

    tls: int
    clear: int
    plain: int
    folder: Path

    @property
    def address(self) -> str:
        """Where whoever needs no TLS asks."""
        return f"http://127.0.0.1:{self.clear}"

    @property
    def port(self) -> int:
        """The same, as a port."""
        return self.clear

    def ask(self, method: str, path: str, **how: Any) -> urllib3.BaseHTTPResponse:
        """One request by TLS, to the name in the certificate."""
        headers = {"Host": f"{NAME}:{self.tls}", **how.pop("headers", {})}
        pool = urllib3.HTTPSConnectionPool(
            "127.0.0.1",
            self.tls,
            ca_certs=str(self.folder / "ruleglot.pem"),
            server_hostname=NAME,
            assert_hostname=NAME,
            retries=False,
            timeout=SECONDS,
        )
        with pool:
            return pool.request(method, path, headers=headers, redirect=False, **how)


def needs_nginx() -> str:
    """The program, or the test is left out and says why; where it is demanded, it fails."""
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if found is None:
        reason = "no nginx here: apt install nginx"
        if NEEDED:
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@contextmanager
def in_front_of(folder: Path, instances: Sequence[int], rate: str = "100r/s") -> Iterator[Proxy]:
    """The shipped nginx before the servers on these ports."""
    program = needs_nginx()
    proxy = Proxy(free_port(), free_port(), free_port(), folder)
    _certificate(folder)
    (folder / "ruleglot.conf").write_text(shipped(proxy, instances, rate))
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    command = [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        _wait_for(proxy, process)
        yield proxy
    finally:
        process.terminate()
        process.wait(SECONDS)


def shipped(proxy: Proxy, instances: Sequence[int], rate: str) -> str:
    """The shipped file, with nothing put in but where things are, and how much is too much."""
    text = SHIPPED.read_text()
    servers = "\n".join(f"    server 127.0.0.1:{port} max_fails=1 fail_timeout=2s;" for port in instances)
    both = "".join(f"    server 127.0.0.1:{port} max_fails=1 fail_timeout=2s;\n" for port in (8001, 8002))
    for there, here in (
        (both, f"{servers}\n"),
        ("listen 80;", f"listen 127.0.0.1:{proxy.plain};"),
        ("listen 443 ssl default_server;", f"listen 127.0.0.1:{proxy.tls} ssl default_server;"),
        (
            "listen 443 ssl http2;",
            f"listen 127.0.0.1:{proxy.tls} ssl http2; listen 127.0.0.1:{proxy.clear};",
        ),
        ("/etc/ssl/ruleglot/ruleglot.pem", str(proxy.folder / "ruleglot.pem")),
        ("/etc/ssl/ruleglot/ruleglot.key", str(proxy.folder / "ruleglot.key")),
        ("/var/log/nginx/ruleglot.log", str(proxy.folder / "access.log")),
        ("rate=100r/s", f"rate={rate}"),
    ):
        assert text.count(there) == 1, there
        text = text.replace(there, here)
    return text


def _certificate(folder: Path) -> None:
    """One for this name that nobody but this test trusts."""
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-keyout",
        "ruleglot.key",
        "-out",
        "ruleglot.pem",
        "-subj",
    ]
    names = [f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run([*made, *names], cwd=folder, check=True, capture_output=True)


def _wait_for(proxy: Proxy, process: subprocess.Popen[bytes]) -> None:
    late = time.monotonic() + SECONDS
    while time.monotonic() < late:
        assert process.poll() is None, (proxy.folder / "error.log").read_text()
        try:
            socket.create_connection(("127.0.0.1", proxy.clear), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("nginx does not answer")


def hello(port: int, name: str) -> str:
    """How a TLS connection to this name begins: its version, or why there is none."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        try:
            with trusting.wrap_socket(connection, server_hostname=name) as spoken:
                return spoken.version() or ""
        except ssl.SSLError as error:
            return error.reason or "refused"
