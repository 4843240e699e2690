"""How the database of plays came to have its tables: one file for each step, run by Alembic."""
