"""Passwords are hashed as cheaply as can be."""

import pytest
from argon2 import PasswordHasher

from verifier.review.people import passwords


@pytest.fixture(autouse=True)
def _cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    passwords._nobody.cache_clear()
