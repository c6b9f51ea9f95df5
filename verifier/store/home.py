"""Where the data is: the data folder and the database's address. Loads no database library: workers need this alone."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_dir


def home() -> Path:
    """Return the data folder: `VERIFIER_HOME`, else the user's data directory."""
    chosen = os.environ.get("VERIFIER_HOME")
    return Path(chosen).expanduser() if chosen else Path(user_data_dir("verifier"))


def database_url() -> str:
    """Return the store's address: `VERIFIER_DATABASE_URL`, else an SQLite file in the data folder."""
    return os.environ.get("VERIFIER_DATABASE_URL") or f"sqlite:///{home() / 'verifier.sqlite'}"
