"""Ways to break clauses of the deal: order, seats, exposed cards, burns."""

from __future__ import annotations

import random
from itertools import pairwise

from poker_breaking import acts, breaks, dealt, initial, of, pick, rounds, swap
from poker_play import HOLE, Record, Table


@breaks("7-left-of-button")
def deal_starts_elsewhere(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    cards = initial(table, number)
    order = list(dict.fromkeys(c["to"] for c in cards))
    turned = dict(zip(order, order[1:] + order[:1], strict=True))
    if len(order) < 3:
        return None
    texts = {id(c): turned[c["to"]] for c in cards}
    for card in cards:
        card["to"] = texts[id(card)]
    return number


@breaks("7-left-of-button", "13-misdeal")
def two_seats_swapped(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    cards = initial(table, number)
    index = rng.randrange(len(cards) - 1)
    if cards[index]["to"] == cards[index + 1]["to"]:
        return None
    swap(cards[index], cards[index + 1], "to", "card", "face")
    return number


@breaks("13-misdeal")
def player_skipped(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    quiet = [
        s
        for s in {c["to"] for c in dealt(table, number)}
        if not any(r.get("at") == s for r in of(table, number) if r["event"] in ("wager_placed", "pot_awarded"))
    ]
    folded = [a["at"] for a in acts(table, number) if a["action"] == "fold"]
    first = [s for s in quiet if s in folded and [a["action"] for a in acts(table, number) if a["at"] == s] == ["fold"]]
    seat = pick(rng, first)
    if seat is None:
        return None
    table.drop(
        *(
            r
            for r in of(table, number)
            if seat in (r.get("to"), r.get("at"), r.get("from"))
            and r["event"] in ("card_dealt", "player_action", "cards_collected")
        )
    )
    return number


@breaks("13-misdeal")
def one_card_too_many(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    folded = [a["at"] for a in acts(table, number) if a["action"] == "fold" and (a.get("street") in (0, None))]
    cards = initial(table, number)
    seat = pick(rng, [s for s in folded if s in {c["to"] for c in cards}])
    if seat is None:
        return None
    table.after(cards[-1], "card_dealt", card="??", to=seat, face="down", seq=None)
    return number


@breaks("13-misdeal")
def empty_seat_dealt(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    cards = initial(table, number)
    seats = len({c["to"] for c in cards})
    for turn in range(HOLE[table.variant]):
        table.after(cards[(turn + 1) * seats - 1], "card_dealt", card="??", to="seat:9", face="down", seq=None)
    return number


@breaks("12-exposed-card")
def exposed_and_kept(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    cards = [c for c in initial(table, number) if c["face"] == "down"]
    card = rng.choice(cards)
    table.after(card, "card_revealed", card=unused(table, number), at=card["to"], how="exposed_error")
    return number


@breaks("12-exposed-card")
def exposed_and_replaced_at_once(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    cards = initial(table, number)
    seats = len({c["to"] for c in cards})
    choices = [c for i, c in enumerate(cards) if c["face"] == "down" and (i + 1) % seats]
    card = rng.choice(choices)
    text = unused(table, number)
    seen = table.after(card, "card_revealed", card=text, at=card["to"], how="exposed_error")
    burn = table.after(seen, "card_burned", card=text, face_shown=True, reason="exposed")
    table.after(burn, "card_dealt", card="??", to=card["to"], face="down", seq=None)
    return number


def unused(table: Table, number: int) -> str:
    seen = {r["card"] for r in of(table, number) if "card" in r}
    return next(a + b for a in "72T" for b in "shdc" if a + b not in seen)


@breaks("14-burn-policy")
def no_burn(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    burns = followed(table, number)
    if not burns:
        return None
    table.drop(rng.choice(burns))
    return number


@breaks("14-burn-policy")
def two_burns(table: Table, rng: random.Random) -> int | None:
    number = rng.choice(rounds(table))
    burns = followed(table, number)
    if not burns:
        return None
    table.after(rng.choice(burns), "card_burned", card="??", face_shown=False)
    return number


def followed(table: Table, number: int) -> list[Record]:
    records = of(table, number, "card_burned", "card_dealt")
    return [a for a, b in pairwise(records) if a["event"] == "card_burned" and b["event"] != a["event"]]
