"""Ways to break clauses of the betting: antes, turns, sizes of bets, blinds."""

from __future__ import annotations

import random
from itertools import pairwise

from poker_breaking import acts, breaks, initial, of, pick, rounds, swap
from poker_play import Table


@breaks("9-ante")
def no_ante(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    antes = [r for r in of(table, number, "wager_placed") if r["kind"] == "ante"]
    if not antes:
        return None
    gone = rng.choice(antes)
    table.drop(
        gone, *(r for r in of(table, number, "chips_collected") if r["kind"] == "ante" and r["at"] == gone["at"])
    )
    return number


@breaks("9-ante")
def wrong_ante(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    antes = [r for r in of(table, number, "wager_placed") if r["kind"] == "ante"]
    if not antes:
        return None
    rng.choice(antes)["cents"] += 50
    return number


@breaks("9-ante-fixed")
def ante_changed(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    antes = [r for r in of(table, number, "wager_placed") if r["kind"] == "ante"]
    if not antes:
        return None
    ante = rng.choice(antes)
    table.after(
        initial(table, number)[0],
        "wager_changed",
        kind="ante",
        at=ante["at"],
        cents_before=ante["cents"],
        cents_after=ante["cents"] + 100,
        by="player",
    )
    return number


@breaks("10-first-round-start")
def wrong_first(table: Table, rng: random.Random) -> int | None:
    return _wrong_first(table, rng, first=True)


@breaks("10-later-rounds")
def wrong_later(table: Table, rng: random.Random) -> int | None:
    return _wrong_first(table, rng, first=False)


def _wrong_first(table: Table, rng: random.Random, *, first: bool) -> int | None:
    if table.variant == "seven_card_stud":
        return None
    number = rng.choice(rounds(table))
    for street in [0] if first else [1, 2, 3]:
        own = [a for a in acts(table, number) if a.get("street") == street]
        if (
            len(own) > 2
            and all(a["action"] in ("check", "fold") for a in own[:2])
            and own[0]["at"] != own[1]["at"]
            and (first or own[0]["action"] == own[1]["action"] == "check")
        ):
            swap(own[0], own[1], "at", "action", "cents")
            return number
    return None


@breaks("10-round-ends")
def last_player_passed_over(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    own = acts(table, number)
    ends = [
        a
        for a, b in pairwise(own)
        if a.get("street") != b.get("street") and a["action"] == "check" and a.get("street") is not None
    ]
    last = pick(rng, ends)
    if last is None:
        return None
    table.drop(last)
    return number


@breaks("10-match-or-raise")
def checks_facing_a_bet(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    calls = [a for a in acts(table, number) if a["action"] == "call" and not a.get("all_in")]
    call = pick(rng, calls)
    if call is None:
        return None
    call["action"], call["cents"] = "check", None
    return number


@breaks("16-short-call")
def short_call(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    calls = [a for a in acts(table, number) if a["action"] == "call" and not a.get("all_in") and a["cents"] > 50]
    call = pick(rng, calls)
    if call is None:
        return None
    later = [
        a
        for a in acts(table, number)
        if a["at"] == call["at"] and a["t_end"] > call["t_end"] and a.get("street") == call.get("street")
    ]
    if later:
        return None
    call["cents"] -= 50
    return number


@breaks("17-multi-chip-half-raise")
def half_a_raise(table: Table, rng: random.Random) -> int | None:
    if table.variant == "seven_card_stud" or not table.blinds:
        return None
    number = rng.choice(rounds(table))
    own = [a for a in acts(table, number) if a.get("street") == 0]
    raises = [i for i, a in enumerate(own) if a["action"] == "raise" and not a.get("all_in")]
    if not raises or raises[0] != 0 or any(a["action"] not in ("fold",) for a in own[1:]):
        return None
    raised = own[0]
    posted = sum(
        r["cents"] for r in of(table, number, "wager_placed") if r["kind"] == "blind" and r["at"] == raised["at"]
    )
    big = table.blinds[1]
    raised["cents"] = big - posted + big * 3 // 4
    return number


@breaks("17-single-chip-call")
def one_chip_raise(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    raised = pick(rng, [a for a in acts(table, number) if a["action"] == "raise"])
    if raised is None:
        return None
    raised["chips"] = {str(raised["cents"]): 1}
    return number


@breaks("16-bet-made")
def bet_taken_back(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    bet = pick(rng, [a for a in acts(table, number) if a["action"] in ("bet", "raise") and a["cents"] > 50])
    if bet is None:
        return None
    table.after(bet, "wager_changed", kind="bet", at=bet["at"], cents_before=bet["cents"], cents_after=50, by="player")
    return number


@breaks("11-heads-up-blind")
def heads_up_blinds_swapped(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    blinds = [r for r in of(table, number, "wager_placed") if r["kind"] == "blind"]
    if len(table.places) != 2 or len(blinds) != 2:
        return None
    swap(blinds[0], blinds[1], "at")
    return number
