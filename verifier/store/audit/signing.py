"""The installation's Ed25519 key, and the keys of others that it trusts."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from verifier.domain.errors import BadInput
from verifier.formats.files import read_bytes

_KEY_FILE = "signing.pem"
_TRUSTED_FILE = "trusted.txt"
_PUBLIC = re.compile(r"^[0-9a-f]{64}$")
_END = 60
"""Characters at either end by which a message tells a long text that is no key."""


class Signer:
    """Signs with one private key; `public` is its public half as 64 hexadecimal digits.

    `secret` marks fields (`kept.row_marks`): whoever has not the key learns nothing from a mark.
    """

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        raw = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        self.secret = hashlib.sha256(b"verifier-marks-1\n" + raw).digest()
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, message: bytes) -> str:
        """Return the signature of `message`, hexadecimal."""
        return self._private.sign(message).hex()


def signed_by(public: str, message: bytes, signature: str) -> bool:
    """Tell whether `signature` of `message` was made with the private half of `public` (both hexadecimal)."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: str) -> str:
    """Return a public key's fingerprint in groups, short enough to be read out: `3f2a-91c0-...` (80 bits of
    SHA-256).
    """
    digest = hashlib.sha256(public.encode()).hexdigest()[:20]
    return "-".join(digest[start : start + 4] for start in range(0, 20, 4))


def own_signer(folder: Path) -> Signer:
    """Return the key kept in `folder`. It is made at the first use, and only its owner may read it.

    Raises BadInput where the file holds no such key.
    """
    path = folder / _KEY_FILE
    if not path.exists():
        _make_key(path)
    try:
        private = load_pem_private_key(_content(path), password=None)
    except (ValueError, TypeError) as error:
        raise BadInput(path, "holds no signing key", "put the key back from a backup") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise BadInput(path, "holds a key of another kind", "put the key back from a backup")
    return Signer(private)


def _content(path: Path) -> bytes:
    """Return the content of a small file. Raises BadInput for what is no file, such as a named pipe, which may never
    end.
    """
    if not path.is_file():
        raise BadInput(path, "is no file", "put it back from a backup")
    return read_bytes(path)


def _make_key(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    draft = path.with_name(f"{_KEY_FILE}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(pem)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # another process made it first; its key stands
    finally:
        draft.unlink()


def own_public(folder: Path) -> str | None:
    """Return the public half of the key kept in `folder`; None where none was made yet."""
    return own_signer(folder).public if (folder / _KEY_FILE).exists() else None


def trusted_keys(folder: Path) -> dict[str, str]:
    """Public key -> whose it is: this installation's own and those that a person said to trust."""
    path = folder / _TRUSTED_FILE
    lines = _content(path).decode("utf-8", "replace").splitlines() if path.exists() else []
    named = {key: name.strip() for key, _, name in (line.partition(" ") for line in lines) if _PUBLIC.match(key)}
    own = own_public(folder)
    return {**named, **({own: "this installation"} if own else {})}


def trust(folder: Path, public: str, name: str) -> None:
    """Add another installation's public key to those trusted. Raises BadInput for what is none."""
    key = checked_public(public)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / _TRUSTED_FILE).open("a", encoding="utf-8") as file:
        file.write(f"{key} {' '.join(name.split())}\n")


def checked_public(text: str) -> str:
    """Return a public key as 64 hexadecimal digits. Raises BadInput for anything else."""
    key = text.strip().lower()
    if not _PUBLIC.match(key):
        given = text if len(text) <= 2 * _END else f"{text[:_END]}...{text[-_END:]}"
        raise BadInput(given, "is no public key", "give the 64 digits that `verifier evidence key` prints")
    return key
