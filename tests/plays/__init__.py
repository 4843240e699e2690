"""Plays, kept in SQLite and in a real PostgreSQL."""
