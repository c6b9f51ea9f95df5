"""No test sees anybody's data: each has an empty home of its own and SQLite in it."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("VERIFIER_DATABASE_URL", raising=False)
    return tmp_path / "home"
