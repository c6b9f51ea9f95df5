"""Lawful hands of which records are weak, amounts or cards were not seen, or the log is cut: nobody is accused."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from poker_play import HOLE, Table, table_of
from poker_script import violations

Blur = Callable[[Table, random.Random], None]


def weak(table: Table, rng: random.Random) -> None:
    for record in rng.sample(table.records, rng.randint(1, 12)):
        record |= {"p": 0.3} if rng.random() < 0.5 else {"occluded": True}


def amounts_not_seen(table: Table, rng: random.Random) -> None:
    known = [r for r in table.records if r.get("cents") is not None]
    for record in rng.sample(known, min(len(known), rng.randint(1, 4))):
        record["cents"] = None


def cards_not_read(table: Table, rng: random.Random) -> None:
    read = [r for r in table.records if "?" not in r.get("card", "?")]
    for record in rng.sample(read, min(len(read), rng.randint(1, 4))):
        record["card"] = rng.choice(["??", record["card"][0] + "?", "?" + record["card"][1]])


def breaks_off(table: Table, rng: random.Random) -> None:
    del table.records[rng.randrange(3, len(table.records)) :]


def begins_late(table: Table, rng: random.Random) -> None:
    del table.records[: rng.randrange(1, len(table.records) - 2)]


SEEDS: dict[Blur, tuple[int, ...]] = {
    weak: (1, 2, 3, 56),
    amounts_not_seen: (21, 39, 63, 107, 137),
    cards_not_read: (1, 2, 3, 4),
    breaks_off: (5, 93, 7, 8),
    begins_late: (7, 81, 123, 165, 432, 477),
}


@pytest.mark.parametrize(("blur", "seed"), [(b, s) for b, seeds in SEEDS.items() for s in seeds])
def test_a_lawful_hand_seen_badly_is_not_accused(blur: Blur, seed: int) -> None:
    table = table_of(seed, hands=2)
    blur(table, random.Random(seed))
    assert violations(table.judge()) == []


@pytest.mark.parametrize("blur", [amounts_not_seen, begins_late, weak])
def test_last_chips_seen_badly_accuse_nobody(blur: Blur) -> None:
    """Who plays for which pot, and who still had to act, is not known then (09-04(1), (10), (25))."""
    for seed in range(60):
        blinds = None if seed % 2 else (50, 100)
        table = Table("holdem", ("high", "low")[seed % 2], seats=4, ante=50, blinds=blinds, bet=100, seed=seed)
        rng = random.Random(seed)
        table.hand(stacks=rng.sample([1000, 2000, rng.choice((50, 100)), rng.choice((50, 150))], 4))
        blur(table, rng)
        assert violations(table.judge()) == [], seed


@pytest.mark.parametrize("variant", ["holdem", "seven_card_stud"])
def test_a_blind_or_bring_in_that_lies_in_the_pot_is_nobodys(variant: str) -> None:
    """Its seat is not known, so that the order of play is left open (09-04(10))."""
    table = table_of(1, hands=1, variant=variant, game="high")
    table.after(table.all("button_moved")[-1], "wager_placed", kind="blind", at="pot", cents=100, blind="big")
    for wager in table.all("wager_placed", kind="blind"):
        wager["at"] = "pot"
    assert not [v for v in violations(table.judge()) if "10-first-round-start" in v]


@pytest.mark.parametrize("variant", HOLE)
def test_a_last_chip_that_is_an_ante_or_a_blind_accuses_nobody(variant: str) -> None:
    """Nothing in the log marks such a player as all-in, and stacks are not told (09-04(9), (10), (23))."""
    blinds = None if variant == "seven_card_stud" else (50, 100)
    for seed in range(8):
        table = Table(variant, seats=4, ante=100, blinds=blinds, bet=100, seed=seed)
        table.hand(stacks=[(50, 100, 150, 200)[(seed + n) % 4] + 900 * (n == seed % 4) for n in range(4)])
        assert violations(table.judge()) == [], seed
