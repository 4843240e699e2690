"""Runs the steps on the connection that store.py hands over, inside its transaction."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    render_as_batch=True,  # SQLite cannot change a column in place
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
