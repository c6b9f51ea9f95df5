"""What was kept outside: heads of the audit log and public keys."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.formats.files import read_bytes
from verifier.store.audit.chain import Head
from verifier.store.audit.signing import checked_public, trusted_keys
from verifier.store.database import home
from verifier.store.repository import Store

_PRINTED: Final = re.compile(r"(\d{1,12}):([0-9a-f]{32,64})")


def known_keys(given: Iterable[str] = ()) -> dict[str, str]:
    """Public key -> name: those given, or else those that this installation trusts."""
    named = {checked_public(key): "the key that was given" for key in given}
    return named or trusted_keys(home() / "keys")


def read_pin(path: Path) -> Head:
    """Read a head from a file. Raises BadInput for anything else."""
    try:
        return msgspec.json.decode(read_bytes(path), type=Head)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(path, "is no head of an audit log", "give what verifier evidence head printed") from error


def told_pin(text: str) -> Head:
    """Read a head from a file, or as a document shows it at its foot (ENTRY:HASH). Raises BadInput for anything
    else.
    """
    printed = _PRINTED.fullmatch(text.strip().lower())
    if printed is None:
        return read_pin(Path(text))
    return Head(seq=int(printed[1]), hash=printed[2], key="", signature="")


def head_or_refuse(store: Store) -> Head:
    """Return the audit log's head. Raises BadInput while the log is empty."""
    head = store.audit_head()
    if head is None:
        raise BadInput("the audit log", "is empty", "review a recording first")
    return head
