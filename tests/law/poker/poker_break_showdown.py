"""Ways to break clauses of the showdown and the award."""

from __future__ import annotations

import random

from poker_breaking import acts, breaks, initial, live, of, rounds, shown
from poker_play import Table


@breaks("23-show-order")
def wrong_hand_first(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    seats = shown(table, number)
    own = acts(table, number)
    if len(seats) != 2 or any(a.get("all_in") for a in own) or len(live(table, number)) != 2:
        return None
    last = [a for a in own if a.get("street") == own[-1].get("street")]
    if last[0].get("street") in (0, None) and not any(a["action"] in ("bet", "raise") for a in last):
        return None
    reveals = of(table, number, "card_revealed")
    first = [r for r in reveals if r["at"] == seats[0]]
    for record in first:
        table.drop(record)
        table.after(reveals[-1], "card_revealed", card=record["card"], at=record["at"], how="showdown")
    return number


@breaks("23.d-clockwise")
def not_clockwise(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    seats = shown(table, number)
    own = acts(table, number)
    if len(seats) < 3 or any(a.get("all_in") for a in own):
        return None
    reveals = of(table, number, "card_revealed")
    for record in [r for r in reveals if r["at"] == seats[1]]:
        table.drop(record)
        table.after(reveals[-1], "card_revealed", card=record["card"], at=record["at"], how="showdown")
    return number


@breaks("24-all-in-show")
def all_in_hand_mucked(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    seats = shown(table, number)
    winners = {r["at"] for r in of(table, number, "pot_awarded")}
    losers = [s for s in seats if s not in winners]
    if not any(a.get("all_in") and a["at"] in live(table, number) for a in acts(table, number)) or not losers:
        return None
    seat = rng.choice(losers)
    own = [r for r in of(table, number, "card_revealed") if r["at"] == seat]
    table.after(own[0], "player_action", at=seat, action="muck", cents=None)
    table.drop(*own)
    return number


@breaks("1-hand-ranking", "24.b-cards-speak", "24.j-no-kill-winner")
def loser_gets_the_pot(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    awards = of(table, number, "pot_awarded")
    losers = [s for s in shown(table, number) if s not in {a["at"] for a in awards}]
    if not losers or len(awards) != 1:
        return None
    awards[0]["at"] = rng.choice(losers)
    return number


@breaks("25-tie-break")
def tie_not_split(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    awards = of(table, number, "pot_awarded")
    if table.game == "high_low" or len(awards) != 2 or awards[0]["pot"] != awards[1]["pot"]:
        return None
    awards[0]["cents"] += awards[1]["cents"]
    table.drop(awards[1])
    return number


@breaks("27-odd-chip")
def uneven_split(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    awards = of(table, number, "pot_awarded")
    if table.game == "high_low" or len(awards) != 2 or awards[0]["pot"] != awards[1]["pot"]:
        return None
    awards[0]["cents"] += 100
    awards[1]["cents"] -= 100
    return number if awards[1]["cents"] > 0 else None


@breaks("25-high-low")
def uneven_halves(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    awards = of(table, number, "pot_awarded")
    if table.game != "high_low" or {a["portion"] for a in awards} != {"high", "low"} or len(awards) != 2:
        return None
    awards[0]["cents"] += 200
    awards[1]["cents"] -= 200
    return number if awards[1]["cents"] > 0 else None


@breaks("25-high-low")
def scooped_instead_of_split(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    awards = of(table, number, "pot_awarded")
    if table.game != "high_low" or {a["portion"] for a in awards} != {"high", "low"} or len(awards) != 2:
        return None
    awards[0] |= {"cents": awards[0]["cents"] + awards[1]["cents"], "portion": "both"}
    table.drop(awards[1])
    return number


@breaks("26-dealer-awards")
def awarded_too_early(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    board = [r for r in of(table, number, "card_dealt") if r["to"] == "board"]
    if len(board) < 5 or len(live(table, number)) < 2:
        return None
    last = of(table, number, "card_burned")[-1]
    table.drop(
        *(
            r
            for r in of(table, number)
            if r["t_end"] >= last["t_end"]
            and r["event"]
            in (
                "card_burned",
                "card_dealt",
                "card_revealed",
                "player_action",
                "cards_collected",
                "chips_collected",
                "chips_returned",
            )
        )
    )
    return number


@breaks("24.h-facedown-dead", "24.c-premature-discard")
def folded_hand_wins(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    folded = [a["at"] for a in acts(table, number) if a["action"] == "fold"]
    awards = of(table, number, "pot_awarded")
    if not folded or len(awards) != 1:
        return None
    awards[0]["at"] = rng.choice(folded)
    return number


@breaks("18-fouled-hand", "24.a-too-many-cards")
def winner_with_too_many_cards(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    awards = of(table, number, "pot_awarded")
    if len(awards) != 1 or len(live(table, number)) < 2:
        return None
    table.after(initial(table, number)[-1], "card_dealt", card="??", to=awards[0]["at"], face="down", seq=None)
    return number


@breaks("24.e-leaver-discards")
def left_with_cards(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    own = acts(table, number)
    if len(own) < 3 or any(a.get("all_in") for a in own) or len(live(table, number)) < 2:
        return None
    table.after(own[-1], "player_presence", phase="leave", at=[rng.choice(live(table, number))])
    return number


@breaks("24.d-verbal-concession")
def conceded_and_won(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    awards = of(table, number, "pot_awarded")
    if len(awards) != 1 or len(shown(table, number)) < 2:
        return None
    table.after(
        of(table, number, "card_revealed")[-1], "player_action", at=awards[0]["at"], action="concede", cents=None
    )
    return number
