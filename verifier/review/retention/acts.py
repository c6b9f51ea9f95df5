"""Holding, releasing and purging: acts of a person, each with a reason, each in the audit log."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of
from verifier.review.originals import KEPT_ORIGINALS
from verifier.review.retention.due import Kept, thing
from verifier.store.database import home
from verifier.store.kept import PURGED, file_name
from verifier.store.papers import Papers, Retained, RetentionAct
from verifier.store.repository import Store


def hold(store: Store, item: str, by: str, reason: str, today: date, account: str = "") -> None:
    """Put a legal hold on something, so that it cannot be purged; `account` is that of `by` (default: the same)."""
    found = thing(store, item, today)
    if found.state == "purged":
        raise BadInput(item, "was purged already", "nothing is left to hold")
    _add(store, "hold", item, by, reason, account)


def release(store: Store, item: str, by: str, reason: str, today: date, account: str = "") -> None:
    """End a legal hold."""
    if thing(store, item, today).state != "held":
        raise BadInput(item, "is not on hold", "take the name from verifier retention list")
    _add(store, "release", item, by, reason, account)


def purge(store: Store, item: str, by: str, reason: str, today: date, account: str = "") -> list[str]:
    """Remove what is due, and return the paths that are gone.

    Raises BadInput for what is not due yet, held, purged before, or lies outside of if this product keeps things,
    and where its row, its recordings' list or an act on it is not as it was made: its day, its place or a hold may have
    been forged.
    The act is written down before anything is removed. Recordings that lie outside of the data folder are the
    organization's: their purge is written down and their removal is left to the person.
    """
    found = thing(store, item, today)
    refusals = {
        "kept": (f"must be kept until {found.until} ({found.cite})", "wait until it is listed as due"),
        "held": (f"is on legal hold ({found.hold})", "end the hold first"),
        "purged": ("was purged already", "nothing is left"),
    }
    if found.state in refusals:
        raise BadInput(item, *refusals[found.state])
    _refuse_forged(store, item)
    _add(store, "purge", item, by, reason, account, dict.fromkeys(_known_below(store, found.paths), PURGED))
    return [path for path in found.paths if _removed(path_of(path), found)]


def _refuse_forged(store: Store, item: str) -> None:
    kind, _, number = item.partition("/")
    names = {name for name in store.ledger().made_for.get(item[:120], set()) if name.startswith("retention_acts/")}
    names |= {f"retention_acts/{one.id}" for one in Papers(store).retained() if one.item == item}
    names.add(f"documents/{number}" if kind == "document" else f"reviews/{number}")
    review = None if kind == "document" else store.review(number)
    if review is not None:
        names.add(file_name(path_of(review.folder) / KEPT_ORIGINALS))
    faults = store.compare(names).faults
    if faults:
        raise BadInput(faults[0].where, faults[0].says, "nothing was removed: see verifier evidence log")


def _known_below(store: Store, paths: Sequence[str]) -> list[str]:
    """Return the names of the files at and below these paths that deeds tell of."""
    roots = [file_name(path_of(path)) for path in paths]
    below = tuple(f"{root}/" for root in roots)
    return [name for name in store.ledger().names() if name in roots or name.startswith(below)]


def _add(
    store: Store,
    act: RetentionAct,
    item: str,
    by: str,
    reason: str,
    account: str,
    files: Mapping[str, str] | None = None,
) -> None:
    if not by.strip() or not reason.strip():
        raise BadInput(item, "needs a name and a reason", "say who does it and why")
    Papers(store).add_retained(Retained(act=act, item=item, reason=reason.strip(), actor=by.strip()), files, account)


def _removed(path: Path, found: Kept) -> bool:
    inside = path.resolve().is_relative_to(home().resolve())
    if path.is_dir() and inside:
        shutil.rmtree(path)
        return True
    if path.is_file() and (inside or found.item.startswith("document/")):
        path.unlink()
        return True
    return False
