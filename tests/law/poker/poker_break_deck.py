"""Ways to break clauses of the deck: shuffle, cut, spread, inspection."""

from __future__ import annotations

import random

from poker_breaking import breaks, of, rounds
from poker_play import Table


@breaks("6-shuffle-each-hand")
def no_shuffle(table: Table, rng: random.Random) -> int | None:
    if table.hands < 2:
        return None
    number = rng.randrange(2, table.hands + 1)
    table.drop(table.all("shuffle")[number - 1])
    return number


@breaks("6-dealer-cut")
def no_cut(table: Table, rng: random.Random) -> int | None:
    number = rng.randrange(1, table.hands + 1)
    table.drop(table.all("cut")[number - 1])
    return number


@breaks("6-dealer-cut")
def player_cuts(table: Table, rng: random.Random) -> int | None:
    number = rng.randrange(1, table.hands + 1)
    table.all("cut")[number - 1]["by"] = rng.choice(("player", "seat:1"))
    return number


@breaks("2-one-deck")
def card_twice(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    faces = [r for r in of(table, number, "card_dealt", "card_revealed") if "?" not in r["card"]]
    texts = list(dict.fromkeys(r["card"] for r in faces))
    if len(texts) < 2:
        return None
    target, other = rng.sample(texts, 2)
    chosen = [r for r in faces if r["card"] == target]
    if (
        chosen[0].get("at", chosen[0].get("to")) == next(r.get("at", r.get("to")) for r in faces if r["card"] == other)
        and chosen[0]["event"] == "card_revealed"
    ):
        return None
    for record in chosen:
        record["card"] = other
    return number


@breaks("7-deal-from-hand")
def out_of_a_shoe(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    for record in of(table, number, "card_dealt"):
        record["shoe"] = 1
    return number


@breaks("7-top-card")
def second_card(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    rng.choice(of(table, number, "card_dealt"))["source_place"] = "elsewhere"
    return number


@breaks("7-order-undisturbed")
def shuffled_in_the_hand(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    cards = of(table, number, "card_dealt")
    kind = rng.choice(("shuffle", "cut"))
    own = {"method": "hand", "scope": "all"} if kind == "shuffle" else {"by": "dealer"}
    table.after(rng.choice(cards[:-1]), kind, **own)
    return number


@breaks("5-shuffle-after")
def spread_not_shuffled(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    cut = table.all("cut")[number - 1]
    table.after(cut, "cards_inspected", action="inspect", decks=1)
    table.after(cut, "cards_inspected", action="spread", decks=1)
    return number


@breaks("5-spread")
def inspected_not_spread(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    shuffle = table.all("shuffle")[number - 1]
    table.records.append(
        {
            "id": "insp",
            "event": "cards_inspected",
            "t_start": shuffle["t_start"] - 0.2,
            "t_end": shuffle["t_start"] - 0.1,
            "round": None,
            "p": 0.99,
            "source": "video",
            "action": "inspect",
        }
    )
    return number
