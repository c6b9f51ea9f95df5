"""Plants at taking up: busts, naturals and settled hands whose cards or chips go too soon or too late (11(6)-(17))."""

from __future__ import annotations

from typing import Final

import msgspec

from verifier.simulate.play.plants.edits import change_one, move, places, step_at
from verifier.simulate.play.steps import (
    TIPS,
    Collect,
    Deal,
    HoldAside,
    MoveInsurance,
    Omitted,
    Pay,
    Reveal,
    Signal,
    TakeCards,
)
from verifier.simulate.play.writer import RoundWriter


def _busts(writer: RoundWriter, clause: str) -> list[int]:
    """Where a bust's cards are taken at once, after its chips."""
    low = "low" in clause
    extra = {hand.place: hand.split or hand.doubled or hand.place in writer.insured for hand in writer.hands}
    last = max((i for i, step in enumerate(writer.steps) if isinstance(step, Signal)), default=0)

    if low and not writer.up_low:
        return []

    def wanted(step: TakeCards) -> bool:
        return len(step.places) == 1 and writer.outcomes.get(step.places[0]) == "bust" and extra[step.places[0]] == low

    return [
        i
        for i in places(writer, TakeCards, wanted)
        if i < last and isinstance(writer.steps[i - 1], Collect) and not _held(writer, i)
    ]


def _held(writer: RoundWriter, index: int) -> bool:
    step = writer.steps[index]
    place = step.places[0] if isinstance(step, TakeCards) else ""
    return any(hand.place == place and hand.held for hand in writer.hands)


def bust_left(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a busted hand's cards (and chips) are taken only when all players are served."""
    found = _busts(writer, clause)
    end = _players_done(writer)
    if not found or end is None or _others_come_first(writer, end):
        return False
    index = writer.rng.choice(found)
    step = writer.steps[index]
    if "cards-discard" not in clause:
        chips = writer.steps[index - 1]
        writer.steps[end + 1 : end + 1] = [msgspec.structs.replace(chips, clause=clause), step]
        del writer.steps[index - 1 : index + 1]
    else:
        writer.steps[end + 1 : end + 1] = [msgspec.structs.replace(step, clause=clause)]
        del writer.steps[index]
    return True


def _others_come_first(writer: RoundWriter, since: int) -> bool:
    """Tell whether insurance or held busts are still to be settled, before anything else may be."""
    lost = places(writer, Collect, lambda step: "insurance" in step.kinds)
    won = places(writer, Pay, lambda step: "insurance" in step.payoffs)
    return any(hand.held for hand in writer.hands) or any(index > since for index in (*lost, *won))


def _players_done(writer: RoundWriter) -> int | None:
    """Index of the dealer's turn; None where all players are over 21 and the dealer has none."""
    if writer.no_hole:
        found = places(writer, Deal, lambda step: step.to == "dealer" and step.index == 1)
    else:
        found = places(writer, Reveal, lambda step: step.at == "dealer")
    return found[0] if found else None


def dealer_first(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the dealer's cards are taken up before the players'."""
    return change_one(
        writer,
        clause,
        TakeCards,
        lambda step: step.places[-1] == "dealer" and len(step.places) > 1,
        places=["dealer", *_last_places(writer)],
    )


def _last_places(writer: RoundWriter) -> list[str]:
    last = [step for step in writer.steps if isinstance(step, TakeCards)][-1]
    return last.places[:-1]


def taken_early(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a hand's cards are taken up before the hands at its left are settled."""
    last = max(i for i, step in enumerate(writer.steps) if isinstance(step, TakeCards))
    step = writer.steps[last]
    settled = [i for i in places(writer, Pay, lambda one: "insurance" not in one.payoffs) if i < last]
    later = [i for i, one in enumerate(writer.steps) if isinstance(one, Pay | Collect) and settled and i > settled[0]]
    if not isinstance(step, TakeCards) or not settled or not later or len(step.places) < 3:
        return False
    first = step_at(writer, settled[0], Pay)
    if first.at != step.places[0]:
        return False
    rest = [place for place in step.places if place != first.at]
    writer.steps[last] = msgspec.structs.replace(step, places=rest)
    writer.steps.insert(settled[0] + 1, TakeCards(places=[first.at], clause=clause))
    return True


def natural_unpaid_until_drawn(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a natural against ace or ten is paid before the second card is known, or only after the draw."""
    naturals = {place for place, outcome in writer.outcomes.items() if outcome == "natural"}
    pays = places(writer, Pay, lambda step: step.at in naturals)
    turn = _players_done(writer)
    if len(pays) != 1 or turn is None or pays[0] < turn or writer.up_low:
        return False
    if any(isinstance(step, Pay) and step.at in naturals for step in writer.steps[: pays[0]]):
        return False  # it would be paid before another at its right
    if "not-early" in clause:
        move(writer, pays[0], turn, clause)
        return True
    if ("10.a" in clause) != (writer.up == "A"):
        return False
    taken = writer.steps[pays[0] + 1]
    draws = [i for i in places(writer, Deal, lambda step: step.to == "dealer" and step.index >= 2) if i > pays[0]]
    if not draws or not isinstance(taken, TakeCards) or len(taken.places) != 1:
        return False
    paid = msgspec.structs.replace(writer.steps[pays[0]], clause=clause)
    writer.steps[draws[-1] + 1 : draws[-1] + 1] = [paid, taken]
    del writer.steps[pays[0] : pays[0] + 2]
    return True


def not_held(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a bust that must be held is taken at once: its cards, or only its chips."""
    extra = {hand.place for hand in writer.hands if hand.split or hand.doubled}
    found = places(writer, HoldAside, lambda step: step.at in extra)
    if not found or writer.state().natural:
        return False
    index = writer.rng.choice(found)
    held = step_at(writer, index, HoldAside)
    if "chips" in clause:
        writer.steps.insert(index + 1, Collect(at=[held.at], clause=clause))
        return _drop(writer, index + 2, held.at, cards=False)
    writer.steps[index] = TakeCards(places=[held.at], clause=clause)
    return _drop(writer, index + 1, held.at, cards=True)


def _drop(writer: RoundWriter, since: int, place: str, *, cards: bool) -> bool:
    """Take a place out of what is collected or taken up later."""
    for index in range(since, len(writer.steps)):
        step = writer.steps[index]
        if cards and isinstance(step, TakeCards) and place in step.places:
            rest = [one for one in step.places if one != place]
            writer.steps[index] = msgspec.structs.replace(step, places=rest) if rest else Omitted(at=None)
        if not cards and isinstance(step, Collect) and place in step.at and "insurance" not in step.kinds:
            rest = [one for one in step.at if one != place]
            writer.steps[index] = msgspec.structs.replace(step, at=rest) if rest else Omitted(at=None)
    return True


def held_late(writer: RoundWriter, clause: str) -> bool:
    """Held busts are collected only after the dealer has drawn."""
    held = {hand.place for hand in writer.hands if hand.held and (hand.split or hand.doubled)}
    found = places(writer, Collect, lambda step: bool(held) and {*step.at} <= held and "original" in step.kinds)
    draws = places(writer, Deal, lambda step: step.to == "dealer" and step.index >= 2)
    if len(found) != 1 or not draws or draws[-1] < found[0] or ("10.a" in clause) != (writer.up == "A"):
        return False
    if writer.up_low:
        return False
    taken = writer.steps[found[0] + 1]
    late = msgspec.structs.replace(writer.steps[found[0]], clause=clause)
    writer.steps[draws[-1] + 1 : draws[-1] + 1] = [late, taken]
    del writer.steps[found[0] : found[0] + 2]
    return True


def held_tip_late(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the tip of a held bust is collected only when the hole card has been turned."""
    held = {hand.place for hand in writer.hands if hand.held and hand.doubled and not hand.insurance}
    found = places(writer, Collect, lambda step: {*step.at} <= held and step.kinds == TIPS)
    turn = places(writer, Reveal, lambda step: step.at == "dealer")
    if not found or not turn or any(isinstance(step, MoveInsurance) for step in writer.steps):
        return False
    move(writer, found[0], turn[0] + 1, clause)
    return True


PLANTS: Final = {
    "ND-08-11.6-bust-collect-now": bust_left,
    "ND-08-11.6-bust-cards-discard": bust_left,
    "ND-08-11.7-bust-lowcard-collect": bust_left,
    "ND-08-11.17-dealer-cards-last": dealer_first,
    "ND-08-11.13-cards-after-settlement": taken_early,
    "ND-08-11.11-natural-not-early": natural_unpaid_until_drawn,
    "ND-08-11.10.a-naturals-next": natural_unpaid_until_drawn,
    "ND-08-11.10.b-naturals-next": natural_unpaid_until_drawn,
    "ND-08-11.8-bust-hold-cards": not_held,
    "ND-08-11.8-bust-hold-chips": not_held,
    "ND-08-11.10.a-busted-collect": held_late,
    "ND-08-11.10.b-busted-collect": held_late,
    "ND-08-11.8-bust-tip-lost": held_tip_late,
}
