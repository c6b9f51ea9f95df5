"""Ways to break one clause in a lawful log; each returns the round broken, or None where the log offers no occasion."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from poker_play import HOLE, Record, Table

Deviation = Callable[[Table, random.Random], int | None]
DEVIATIONS: dict[str, list[Deviation]] = {}
BETS = ("check", "bet", "call", "raise", "fold")


def breaks(*clauses: str) -> Callable[[Deviation], Deviation]:
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


# The deck


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
    table.records.append({
        "id": "insp", "event": "cards_inspected", "t_start": shuffle["t_start"] - 0.2,
        "t_end": shuffle["t_start"] - 0.1, "round": None, "p": 0.99, "source": "video", "action": "inspect",
    })  # fmt: skip
    return number


# The deal


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


# Betting


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
    table.after(initial(table, number)[0], "wager_changed", kind="ante", at=ante["at"], cents_before=ante["cents"],
                cents_after=ante["cents"] + 100, by="player")  # fmt: skip
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
    later = [a for a in acts(table, number) if a["at"] == call["at"] and a["t_end"] > call["t_end"]
             and a.get("street") == call.get("street")]  # fmt: skip
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


# Showdown and award


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
    table.drop(*(r for r in of(table, number) if r["t_end"] >= last["t_end"] and r["event"] in (
        "card_burned", "card_dealt", "card_revealed", "player_action", "cards_collected", "chips_collected",
        "chips_returned")))  # fmt: skip
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
