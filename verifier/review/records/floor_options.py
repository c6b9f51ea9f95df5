"""The house options of a site as a whole."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from verifier.law.entries import table_name
from verifier.store.floor import Floor
from verifier.store.repository import Store


def site_options(store: Store, site: str, day: date) -> dict[str, Any]:
    """The house options of the site's tables on a day, as far as they all have the same."""
    tables = [one for one in Floor(store).tables() if table_name(one.site) == table_name(site)]
    kept = [found.house for one in tables if (found := one.in_force("house", day.isoformat())) is not None]
    options: list[dict[str, Any]] = [msgspec.to_builtins(one) for one in kept]
    first = options[0] if options else {}
    return {name: value for name, value in first.items() if all(one.get(name) == value for one in options)}
