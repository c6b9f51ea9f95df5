"""The house options of a site as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.law.entries import table_name
from verifier.review.products import KEPT_EVENTS
from verifier.store.floor import Floor
from verifier.store.repository import NotAsMade, Store


def site_options(store: Store, site: str, day: date) -> dict[str, object]:
    """Return the house options of the site's tables on a day, as far as all tables have the same.

    Of a site whose tables are not kept, those of its reviews of up to that day, the newest of each table.
    """
    tables = [one for one in Floor(store).tables() if table_name(one.site) == table_name(site)]
    kept = [found.house for one in tables if (found := one.in_force("house", day.isoformat())) is not None]
    options: list[dict[str, object]] = [msgspec.to_builtins(one) for one in kept]
    return _shared(options or _of_reviews(store, site, day))


def _shared(options: Sequence[dict[str, object]]) -> dict[str, object]:
    first = options[0] if options else {}
    return {name: value for name, value in first.items() if all(one.get(name) == value for one in options)}


def _of_reviews(store: Store, site: str, day: date) -> list[dict[str, object]]:
    newest: dict[str, dict[str, object]] = {}
    sites = [name for name in store.review_sites() if table_name(name) == table_name(site)]
    for review in (one for name in sites for one in store.reviews(site=name, last=day.isoformat())):
        table = review.table or ""
        if table not in newest and (house := _house_of(store, Path(review.folder) / KEPT_EVENTS)) is not None:
            newest[table] = house
    return list(newest.values())


class _Header(Struct, frozen=True):
    house: dict[str, object] = {}


def _house_of(store: Store, log: Path) -> dict[str, object] | None:
    """Return the house options in the header of a kept log; None if it is gone, damaged, or not as it was made,
    which its own check reports.
    """
    try:
        store.check_kept([log])
        with log.open("rb") as stream:
            return msgspec.json.decode(stream.readline(), type=_Header).house
    except (NotAsMade, OSError, msgspec.DecodeError):
        return None
