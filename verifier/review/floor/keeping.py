"""Keeping a table that a person has confirmed: who may, and what is checked before."""

from __future__ import annotations

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.formats.house import check_filmed
from verifier.formats.layout import check_layout
from verifier.review.floor.exchange import check_day
from verifier.review.people.roles import Act, Person, require
from verifier.store.floor import SINCE_EVER, Floor, GamingTable
from verifier.store.repository import Store


def keep_layout_version(
    store: Store, person: Person, layout: Layout, *, since: str = SINCE_EVER, reason: str = ""
) -> None:
    """Keep a confirmed layout of its site and table from the day `since` on. Raises Forbidden, BadInput."""
    require(person, Act.CALIBRATE)
    check_layout(layout)
    check_day(since or None, "the first day")
    Floor(store).add_layout(layout.site or "", layout.table or "", layout, person.name, since=since, reason=reason)


def keep_house_version(
    store: Store, person: Person, table: GamingTable, house: House, *, since: str = SINCE_EVER, reason: str = ""
) -> None:
    """Keep house options of a table from the day `since` on. Raises Forbidden, BadInput.

    The options name the table's rulebook. One of another game than the table's layout, and options that the rulebook
    does not know, are refused.
    """
    require(person, Act.POLICY)
    known = Floor(store).table(table.site, table.table)
    drawn = [one.layout for one in known.of("layout") if one.layout is not None] if known is not None else []
    check_filmed(house, "the house options", drawn[-1].game if drawn else "twenty-one")
    check_day(since or None, "the first day")
    Floor(store).add_house(table.site, table.table, house, person.name, since=since, reason=reason)


def keep_new_table(store: Store, person: Person, layout: Layout, house: House, site: str, table: str) -> GamingTable:
    """Keep a new table with the layout and the options that a person confirmed. Raises Forbidden, BadInput."""
    require(person, Act.CALIBRATE)
    require(person, Act.POLICY)
    site, table = site.strip(), table.strip()
    if not site or not table:
        raise BadInput("the table", "has no site or no number", "write both as their signs say")
    if Floor(store).table(site, table) is not None:
        raise BadInput(f"site {site}, table {table}", "is kept already", "choose it from the list of tables")
    check_filmed(house, "the house options", layout.game)
    named = msgspec.structs.replace(layout, site=site, table=table, name=f"{site} table {table}")
    keep_layout_version(store, person, named, reason="first seen")
    made = GamingTable(site=site, table=table)
    keep_house_version(store, person, made, house, reason="first seen")
    return Floor(store).table(site, table) or made
