"""A table that is not kept yet: its layout as a recording shows it, for a person to confirm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.formats.whole import make_folder, whole_file
from verifier.store.home import home


class KeptProposal(Struct, frozen=True, kw_only=True):
    """A proposed layout. `doubts` are the parts that are not sure, with the reason in plain words."""

    layout: Layout
    doubts: dict[str, str]


def propose_table(number: int, video: Path, told: Callable[[float], None]) -> None:
    """Propose a layout and keep it, with its still, under the order's number. Raises BadInput."""
    from verifier.zones import propose

    made = propose(video, on_progress=told)
    where = _folder(number)
    kept = KeptProposal(layout=made.layout, doubts=made.reasons)
    done, jpeg = cv2.imencode(".jpg", made.still)
    if not done:
        raise BadInput(video, "its still could not be written", "try again")
    make_folder(where)
    with whole_file(where / "still.jpg") as stream:
        stream.write(jpeg.tobytes())
    with whole_file(where / "proposal.json") as stream:
        stream.write(msgspec.json.encode(kept))


def proposal_of(number: int) -> KeptProposal | None:
    """Return the proposal of an order; None while there is none."""
    path = _folder(number) / "proposal.json"
    return msgspec.json.decode(path.read_bytes(), type=KeptProposal) if path.exists() else None


def still_of(number: int) -> Path:
    """Where the still of a proposal lies."""
    return _folder(number) / "still.jpg"


def _folder(number: int) -> Path:
    return home() / "room" / "proposals" / str(number)
