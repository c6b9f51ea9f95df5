"""The store's signing key is made in a folder of the test, never in the user's."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "home"))
