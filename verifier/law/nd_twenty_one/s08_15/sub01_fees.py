"""Fees of tournaments and the register of players (99-01.3-08-15(1))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from verifier.law import say
from verifier.law.entries import Entry, as_cents, plain
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

CAP = "ND-08-15.1-fee-cap-200"
REGISTER = "ND-08-15.1-player-register"
_MORE: Final = ("rebuys", "rebuy", "add_ons", "addons", "add_on")
READS = ("tournament",)


def players(entry: Entry) -> list[Mapping[str, object]]:
    """Return the players of a tournament's register, a map for each."""
    value = entry.get("players", "register", "fees", "entries")
    if isinstance(value, Mapping):
        return [v if isinstance(v, Mapping) else {"name": k, "entry_fee": v} for k, v in value.items()]
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _amounts(row: Mapping[str, object], *names: str) -> list[int]:
    found: list[int] = []
    for name in names:
        value = row.get(name)
        found += [c for c in map(as_cents, value if isinstance(value, list) else [value]) if c is not None]
    return found


@session_check(CAP, REGISTER, reads=READS)
def entry_fees(session: Session) -> Iterator[Instance]:
    """Fees, rebuys and add-ons stay within 200 dollars a player; a register of them is kept."""
    cap = session.figures.tournament_fees_cents
    for entry in session.records.of("tournament"):
        rows = players(entry)
        own = [dict(entry.fields)] if not rows and entry.text("player") else []
        for index, row in enumerate([*rows, *own]):
            yield from _fee(entry, {plain(str(k)): v for k, v in row.items()}, index, cap)
        yield from _several_entries(entry, rows, cap)
        said = entry.told("register", "player_register")
        said = entry.told("players") if said is None else said
        yield from _two_lists(entry)
        if said is not None:
            yield of_row(
                REGISTER, said, entry, expected="a register of players and fees is kept", observed="none is kept"
            )


def _two_lists(entry: Entry) -> Iterator[Instance]:
    """Check that a register has the same total of entry fees as the list of players beside it."""
    totals = []
    for name in ("register", "players"):
        rows = entry.get(name)
        if not isinstance(rows, list) or not rows or not all(isinstance(row, Mapping) for row in rows):
            return
        fees = [_amounts({plain(str(k)): v for k, v in row.items()}, "entry_fee", "entry", "fee") for row in rows]
        if not all(fees):
            return
        totals.append(sum(map(sum, fees)))
    yield of_row(
        REGISTER,
        totals[0] == totals[1],
        entry,
        key="totals",
        expected=say.that(
            "the register's entry fees come to those of the players, {totals}", totals=say.cents(totals[1])
        ),
        observed=say.that("they come to {totals}", totals=say.cents(totals[0])),
    )


def _several_entries(entry: Entry, rows: Sequence[Mapping[str, object]], cap: int) -> Iterator[Instance]:
    """Rows of one name that together pass the limit: one player's, unless two have the same name."""
    totals: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        fields = {plain(str(k)): v for k, v in row.items()}
        name = " ".join(str(fields.get("name") or fields.get("player") or "").lower().split())
        totals[name].append(sum(_amounts(fields, "entry_fee", "entry", "fee", "entry_fee_cents", *_MORE)))
    for name, paid in totals.items():
        if name and len(paid) > 1 and sum(paid) > cap >= max(paid):
            yield of_row(
                CAP,
                None,
                entry,
                key=name,
                expected=say.that("a player pays at most {cap} in all", cap=say.cents(cap)),
                observed=say.that(
                    "{name} is on the register {paid} times and paid {paid_2}",
                    name=name,
                    paid=len(paid),
                    paid_2=say.cents(sum(paid)),
                ),
            )


def _fee(entry: Entry, row: Mapping[str, object], index: int, cap: int) -> Iterator[Instance]:
    first = _amounts(row, "entry_fee", "entry", "fee", "entry_fee_cents")
    more = _amounts(row, *_MORE)
    over = [cents for cents in more if first and cents > first[0]]
    total = sum(first) + sum(more)
    unknown = not first or any(None in v for name in _MORE if isinstance(v := row.get(name), list))
    right = False if over or total > cap else (None if unknown else True)
    yield of_row(
        CAP,
        right,
        entry,
        key=str(index),
        expected=say.that(
            "a player pays at most {cap} in all, and no rebuy or add-on above the entry fee", cap=say.cents(cap)
        ),
        observed=say.that(
            "{row} paid {total} in all", row=row.get("name") or row.get("player") or "a player", total=say.cents(total)
        )
        + (say.that(", {over} for one rebuy or add-on", over=say.cents(over[0])) if over else ""),
    )
