"""Recordings that a browser sends in pieces; a transfer that broke off goes on where it was."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
import threading
from pathlib import Path
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_text
from verifier.formats.whole import write_whole
from verifier.review.batch.sources import ENDINGS
from verifier.review.people.roles import Act, Person, require
from verifier.store.home import home
from verifier.store.repository import Store

PIECE_BYTES: Final = 8 << 20
"""Bytes of a piece: small enough for the server's limit of one request, large enough for a fast network."""
SPARE_BYTES: Final = 1 << 30
"""Bytes that stay free on the disk: reviews write their evidence beside it."""
LONGEST_MOMENT: Final = 20
"""Letters that are kept of the moment at which a file was changed: milliseconds since 1970."""
_ID: Final = re.compile(r"[0-9a-f]{24}")
_PLAIN: Final = re.compile(r"[^\w. ()+-]+")
_ABOUT: Final = "upload.json"
_ADDING: Final = threading.Lock()
"""One piece at a time: of two tabs that send the same piece, the second is told that it has come."""


class Upload(Struct, frozen=True, kw_only=True):
    """A recording that is being sent: `got` of `size` bytes have come; `path` is where it lies, or will."""

    id: str
    name: str
    size: int
    got: int
    path: str

    @property
    def whole(self) -> bool:
        return self.got == self.size


def begin_upload(
    store: Store, person: Person, name: str, size: int, changed: str = "", *, anew: bool = False
) -> Upload:
    """Make room for a recording; continue an upload of the same person and file that broke off.

    The file is the same if its name, its size and the moment at which it was last `changed`, as the browser tells it,
    are: recorders write many files of one size under one name. Whether what has come is of that file, its contents tell
    (`came`); where they do not, it is begun `anew`, and what has come is removed.

    Raises Forbidden, or BadInput if the name is not that of a recording, or there is no space.
    """
    require(person, Act.BEGIN)
    plain = _PLAIN.sub("_", name.replace("\\", "/").rpartition("/")[2]).lstrip(".")[-120:]
    if Path(plain).suffix.lower() not in ENDINGS or size <= 0:
        raise BadInput(
            name[:60] or "the file", "is no recording that can be reviewed", "send an MP4, MKV, AVI or the like"
        )
    for known, about in _begun(person):
        if (known.name, known.size, about.get("changed", "")) != (plain, size, changed) or known.whole:
            continue
        if not anew:
            return known
        shutil.rmtree(home() / "uploads" / known.id, ignore_errors=True)
    top = home() / "uploads"
    top.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(top).free < size + SPARE_BYTES:
        raise BadInput(
            plain, f"has {size / 1e9:.1f} GB, for which there is no space", "free some space, then send it again"
        )
    folder = top / secrets.token_hex(12)
    folder.mkdir()
    about = {"by": person.name, "name": plain, "size": size, "changed": changed}
    write_whole(folder / _ABOUT, json.dumps(about).encode())
    store.note(person.name, "upload", f"upload/{folder.name}", {"name": plain, "bytes": size})
    return _upload(folder, about)


def add_piece(person: Person, upload_id: str, offset: int, data: bytes) -> Upload:
    """Add the piece that begins at `offset`. Raises BadInput if it does not fit what has come."""
    with _ADDING:
        upload = upload_of(person, upload_id)
        if offset != upload.got or offset + len(data) > upload.size or not data or len(data) > PIECE_BYTES:
            raise BadInput(
                upload.name, f"the piece at {offset} does not fit: {upload.got} bytes have come", "go on from there"
            )
        folder = home() / "uploads" / upload_id
        part = folder / "part"
        with part.open("ab") as stream:
            stream.write(data)
        if part.stat().st_size == upload.size:
            part.replace(folder / upload.name)
        return upload_of(person, upload_id)


def came(person: Person, upload_id: str) -> list[str]:
    """SHA-256 of what has come of an upload, for each piece of `PIECE_BYTES`. Raises Forbidden, BadInput."""
    upload = upload_of(person, upload_id)
    if upload.whole or not upload.got:
        return []
    with (home() / "uploads" / upload_id / "part").open("rb") as stream:
        return [hashlib.sha256(piece).hexdigest() for piece in iter(lambda: stream.read(PIECE_BYTES), b"")]


def upload_of(person: Person, upload_id: str) -> Upload:
    """Return an upload of that person. Raises Forbidden, BadInput."""
    require(person, Act.BEGIN)
    folder = home() / "uploads" / upload_id
    about = _about(folder / _ABOUT) if _ID.fullmatch(upload_id) else None
    if about is None or about["by"] != person.name:
        raise BadInput("the upload", "is not known", "send the recording again")
    return _upload(folder, about)


def _begun(person: Person) -> list[tuple[Upload, dict[str, object]]]:
    """Return the uploads of a person, each with what is known of it."""
    found = []
    for about in sorted((home() / "uploads").glob(f"*/{_ABOUT}")):
        told = _about(about)
        if told is not None and told["by"] == person.name:
            found.append((_upload(about.parent, told), told))
    return found


def _about(path: Path) -> dict[str, object] | None:
    """Return what is known of an upload; None if it is gone, or damaged: then the recording is sent anew."""
    try:
        told = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) and told.keys() >= {"by", "name", "size"} else None


def _upload(folder: Path, about: dict[str, object]) -> Upload:
    name, size = str(about["name"]), int(str(about["size"]))
    path, part = folder / name, folder / "part"
    got = size if path.exists() else (part.stat().st_size if part.exists() else 0)
    return Upload(id=folder.name, name=name, size=size, got=got, path=path_text(path))
