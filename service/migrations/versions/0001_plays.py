"""Plays, their moves, readings, keys and join codes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "plays",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("scenario", sa.String(40)),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("verified", sa.Integer, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("asked", sa.LargeBinary),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("changed", sa.Float(53), nullable=False),
        sa.Column("expires", sa.Float(53)),
    )
    op.create_index("plays_by_owner", "plays", ["owner"])
    op.create_index("plays_by_expiry", "plays", ["expires"])
    op.create_table(
        "moves",
        sa.Column("play", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("written", sa.LargeBinary, nullable=False),
        sa.Column("position", sa.LargeBinary),
        sa.Column("reading", sa.Integer, nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("play", "number"),
    )
    op.create_table(
        "readings",
        sa.Column("play", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("play", "number"),
    )
    op.create_table(
        "keys",
        sa.Column("play", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("play", "number"),
    )
    op.create_table(
        "codes",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("play", sa.String(22), nullable=False),
        sa.Column("expires", sa.Float(53), nullable=False),
    )
    op.create_index("codes_by_play", "codes", ["play"])
    op.create_table(
        "repeats",
        sa.Column("scope", sa.String(80), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("body", sa.String(64), nullable=False),
        sa.Column("play", sa.String(22), nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("scope", "key"),
    )
    op.create_index("repeats_by_age", "repeats", ["made"])
    op.create_index("repeats_by_play", "repeats", ["play"])
    op.create_table(
        "salts",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
