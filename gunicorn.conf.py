"""How gunicorn serves Ruleglot; the command line and GUNICORN_CMD_ARGS override every setting."""

import gc
import os
from pathlib import Path

wsgi_app = "service.app:create_app()"

# Local unless asked otherwise: sync workers close every connection, so a proxy belongs in front.
bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"

# A request is a fraction of a millisecond of pure computing: threads only make the slowest answers slower.
worker_class = "sync"

# One per core that this process may use, which in a container is fewer than the machine has.
cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
workers = int(os.environ.get("WEB_CONCURRENCY", cores))

# Rules, catalogs and search index are loaded once and shared; a mistake in them stops the start.
preload_app = True


def when_ready(server):  # noqa: ARG001  gunicorn's signature
    """What is loaded now lives as long as the server: the garbage collector need not look at it again.

    An answer makes a few hundred short-lived objects and no cycles, so it need not look in the middle of one.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


# The longest answer is an odds enumeration with a cap; whatever runs longer is stuck.
timeout = 30

# Long enough to finish any answer under way, short enough for a container's usual stop limit of 10 s.
graceful_timeout = 8

# Queries are short and bodies have their own limit in the service; this bounds what comes before a body.
limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190

# The workers' heartbeat files belong in memory: on a slow disk a healthy worker looks stuck.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# A control socket (gunicorn 25.1 and newer) cannot be opened in a read-only or non-root container.
control_socket_disable = True

# An access log costs 8-15 % of the throughput and the proxy has one; --access-logfile - turns it on.
accesslog = None

# Errors go to standard error, where a container or a service manager picks them up.
errorlog = "-"
