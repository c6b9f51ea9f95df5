"""Alembic's scripts, shipped with the package and run on first use."""
