"""Passwords: Argon2id by the library's defaults (RFC 9106, low memory)."""

from __future__ import annotations

from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from verifier.domain.errors import BadInput

SHORTEST = 12
LONGEST = 200
AT_ONCE = 2
"""Passwords that are hashed at once; each takes 64 MiB of memory (Argon2id's own figure)."""
_HASHER = PasswordHasher()
_TURNS = BoundedSemaphore(AT_ONCE)


def hashed(password: str, name: str) -> str:
    """Return the hash to keep. Raises BadInput for a password that is too short, too long, or the account's name."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadInput("password", f"has {len(password)} characters", f"choose {SHORTEST} to {LONGEST} characters")
    if name.casefold() in password.casefold() or len(set(password)) < 5:
        raise BadInput("password", "is easily guessed", "choose one without your name, of more different characters")
    with _TURNS:
        return _HASHER.hash(password)


def fits(password: str, kept: str | None) -> bool:
    """Tell whether the password is the one of the hash; takes as long where there is no account."""
    wanted = kept or _nobody()
    try:
        with _TURNS:
            return _HASHER.verify(wanted, password[:LONGEST]) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobody() -> str:
    with _TURNS:
        return _HASHER.hash("nobody has this password")
