"""What the ways to break a clause share: their register by clause, and how they look into a table's log.

A way breaks one clause in a lawful log and returns the round broken, or None where the log offers no occasion.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from poker_play import HOLE, Record, Table

Deviation = Callable[[Table, random.Random], int | None]
DEVIATIONS: dict[str, list[Deviation]] = {}
BETS = ("check", "bet", "call", "raise", "fold")


def breaks(*clauses: str) -> Callable[[Deviation], Deviation]:
    """Registers a way to break these clauses (without their common beginning)."""

    def register(function: Deviation) -> Deviation:
        for clause in clauses:
            DEVIATIONS.setdefault(f"ND-09-04.{clause}", []).append(function)
        return function

    return register


def pick(rng: random.Random, found: list[Any]) -> Any:
    return rng.choice(found) if found else None


def of(table: Table, number: int, *events: str) -> list[Record]:
    return sorted(
        (r for r in table.records if r["round"] == number and (not events or r["event"] in events)),
        key=lambda r: (r["t_end"], r["id"]),
    )


def rounds(table: Table) -> list[int]:
    return list(range(1, table.hands + 1))


def swap(a: Record, b: Record, *names: str) -> None:
    for name in names:
        a[name], b[name] = b.get(name), a.get(name)


def dealt(table: Table, number: int) -> list[Record]:
    return [r for r in of(table, number, "card_dealt") if r["to"].startswith("seat")]


def initial(table: Table, number: int) -> list[Record]:
    cards = dealt(table, number)
    return cards[: HOLE[table.variant] * len({c["to"] for c in cards})]


def acts(table: Table, number: int) -> list[Record]:
    return [r for r in of(table, number, "player_action") if r["action"] in BETS]


def live(table: Table, number: int) -> list[str]:
    seats = dict.fromkeys(c["to"] for c in dealt(table, number))
    gone = {a["at"] for a in acts(table, number) if a["action"] == "fold"}
    return [s for s in seats if s not in gone]


def shown(table: Table, number: int) -> list[str]:
    return list(dict.fromkeys(r["at"] for r in of(table, number, "card_revealed")))
