"""How gunicorn serves Ruleglot, from a checkout and from the wheel; GUNICORN_CMD_ARGS overrides every setting."""

import gc
import os
import shutil
import socket
import struct
import tempfile
from pathlib import Path
from typing import Any

from service import logs
from service.config import ON, WrongSetting, read

try:
    settings = read(os.environ)
except WrongSetting as wrong:
    raise SystemExit(str(wrong)) from None

wsgi_app = "service.app:create_app()"

host = settings["HOST"]
bind = f"[{host}]:{settings['PORT']}" if ":" in host and host[0] != "[" else f"{host}:{settings['PORT']}"

# One per core that this process may use, which in a container is fewer than the machine has.
cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
workers = settings["WEB_CONCURRENCY"] or cores

# A browser opens silent connections by itself, and one sync worker waits for one client: two silent clients
# stop two of them. A proxy that waits for whole requests makes up for it, and then sync is the fastest.
behind_a_proxy = settings["RULEGLOT_PROXIES"] > 0
worker_class = "sync" if behind_a_proxy else "gthread"
threads = 1 if behind_a_proxy else 64
keepalive = 5

# Rules, catalogs and search index are loaded once and shared; a mistake in them stops the start.
preload_app = True

# A client that says nothing for so long in the middle of a request gives its thread back.
SILENCE = 10


def on_starting(server: Any) -> None:
    """Bring the tables of the plays up to date, once, before any worker needs them."""
    from service.languages import reader  # noqa: PLC0415  a server that only reads this file needs no catalogs
    from service.play_problems import Problem  # noqa: PLC0415
    from service.problems import sentences  # noqa: PLC0415
    from service.store import Store  # noqa: PLC0415

    store = Store()
    try:
        if store.exists():  # otherwise it is made when the first play is
            store.upgrade()
    except Problem as problem:
        said = sentences(problem, reader("en"))
        if problem.code == "store-newer":
            raise SystemExit(said) from None
        server.log.error("%s Everything but plays is served.", said)
    finally:
        store.close()


def when_ready(server: Any) -> None:
    """What is loaded now lives as long as the server: the garbage collector need not look at it again.

    An answer makes a few hundred short-lived objects and no cycles, so it need not look in the middle of one.
    """
    from service import constants, pages, prices, refusals, search, shapes  # noqa: PLC0415  who only reads this file needs no index

    search.warm()  # before the workers are forked, who share it then
    constants.warm()
    shapes.warm()
    pages.warm(server.app.wsgi())
    prices.of_a_check()
    refusals.instead_of_pages()
    logs.leave_out_what_was_sent()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    for listener in server.LISTENERS:  # what is accepted inherits it; gunicorn itself waits for ever
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", SILENCE, 0))


# The longest answer is an odds enumeration with a cap; whatever runs longer is stuck.
timeout = 30

# Long enough to finish any answer under way, short enough for a container's usual stop limit of 10 s.
graceful_timeout = 8

# Queries are short and bodies have their own limit in the service; this bounds what comes before a body.
limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190

# A proxy beside it may pass on what anybody sends as SCRIPT_NAME; addresses begin at / and nowhere else.
forwarder_headers = ""

# The workers' heartbeat files belong in memory: on a slow disk a healthy worker looks stuck.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# A control socket (gunicorn 25.1 and newer) cannot be opened in a read-only or non-root container.
control_socket_disable = True

# gunicorn's own access log has addresses and queries, and costs 8-15 %; service/watching.py writes another.
accesslog = None

# Errors go to standard error, where a container or a service manager picks them up.
errorlog = "-"
if settings["RULEGLOT_LOG"] == "json":
    logconfig_dict = logs.AS_JSON

# Each worker counts in a file of its own; whoever asks for the numbers gets them put together.
METRICS = "PROMETHEUS_MULTIPROC_DIR"
own_metrics = settings["RULEGLOT_METRICS"] == ON and METRICS not in os.environ
if own_metrics:
    os.environ[METRICS] = tempfile.mkdtemp(prefix="ruleglot-metrics-", dir=worker_tmp_dir)


def child_exit(_server: Any, worker: Any) -> None:
    """What a worker that has ended was doing is no longer under way."""
    if METRICS in os.environ:
        from prometheus_client import multiprocess  # noqa: PLC0415

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(_server: Any) -> None:
    """Leave nothing behind."""
    if own_metrics:
        shutil.rmtree(os.environ[METRICS], ignore_errors=True)
