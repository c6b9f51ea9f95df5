"""Plants at the cards: how they are drawn, placed, shown and taken up (10, 11(3)-(10), 11(17))."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from verifier.domain.places import Place
from verifier.simulate.play.plants.edits import change_one, deal_end, move, omit, places
from verifier.simulate.play.steps import Collect, Deal, Omitted, Pay, Peek, ReadCards, Reveal, Signal, TakeCards

if TYPE_CHECKING:
    from verifier.simulate.play.script import RoundWriter


def _to_player(step: Deal) -> bool:
    return step.to != "dealer"


def right_draws(writer: RoundWriter, clause: str) -> bool:
    """The right hand draws a card and places it."""
    return change_one(writer, clause, Deal, _to_player, fault="right_draws")


def left_places(writer: RoundWriter, clause: str) -> bool:
    """The left hand draws a card and places it, at a space beyond the first two."""
    spaces = sorted({hand.order[0] for hand in writer.hands})
    far = {space for space in spaces[2:] if space > 2}
    return change_one(
        writer, clause, Deal, lambda step: _to_player(step) and Place.parse(step.to).number in far, fault="left_places"
    )


def covered(writer: RoundWriter, clause: str) -> bool:
    """A card covers nearly half of the one before."""
    return change_one(
        writer, clause, Deal, lambda step: _to_player(step) and step.index > 0 and not step.across, fault="covers"
    )


def face_down(writer: RoundWriter, clause: str) -> bool:
    """A player's card is dealt face down and turned up afterwards."""
    found = places(writer, Deal, lambda step: _to_player(step) and not step.across)
    if not found:
        return False
    index = writer.rng.choice(found)
    step = writer.steps[index]
    assert isinstance(step, Deal)
    writer.steps[index] = msgspec.structs.replace(step, face="down", clause=clause)
    writer.steps.insert(index + 1, Reveal(card=step.card, at=step.to, index=step.index))
    return True


def upright(writer: RoundWriter, clause: str) -> bool:
    """A card that belongs at a right angle lies straight."""
    aces = "split-ace" in clause
    doubled = {hand.place for hand in writer.hands if hand.doubled}
    return change_one(writer, clause, Deal, lambda step: step.across and (step.to not in doubled) == aces, across=False)


def peeked(writer: RoundWriter, clause: str) -> bool:
    """The dealer looks at the hole card before the players are served."""
    if writer.no_hole or not any(isinstance(step, Reveal) for step in writer.steps):
        return False
    writer.steps.insert(deal_end(writer), Peek(clause=clause))
    return True


def read_late(writer: RoundWriter, clause: str) -> bool:
    """The reader is used only when players have drawn."""
    read = places(writer, ReadCards)
    hits = [i for i in places(writer, Deal, _to_player) if read and i > read[0]]
    insured = places(writer, Collect, lambda step: "insurance" in step.kinds)
    if not hits or insured:
        return False
    move(writer, read[0], hits[0] + 1, clause)
    return True


def second_early(writer: RoundWriter, clause: str) -> bool:
    """Without a hole card the dealer's second card comes before the players are served."""
    second = places(writer, Deal, lambda step: step.to == "dealer" and step.index == 1)
    hits = [i for i in places(writer, Deal, _to_player) if i >= deal_end(writer)]
    if not writer.no_hole or not second or not hits:
        return False
    move(writer, second[0], writer.rng.choice(hits), clause)
    return True


def turned_early(writer: RoundWriter, clause: str) -> bool:
    """The hole card is turned while players still draw."""
    turn = places(writer, Reveal, lambda step: step.at == "dealer")
    hits = [i for i in places(writer, Signal, lambda step: step.meaning == "hit") if turn and i < turn[0]]
    if not hits:
        return False
    move(writer, turn[0], writer.rng.choice(hits), clause)
    return True


def not_as_asked(writer: RoundWriter, clause: str) -> bool:
    """A hand that signals to stand is dealt a card."""
    return change_one(writer, clause, Signal, lambda step: step.meaning == "hit", meaning="stand")


def bypassed(writer: RoundWriter, clause: str) -> bool:
    """The dealer passes over a hand that has not signalled to stand."""
    totals = {hand.place: hand.total.best for hand in writer.hands}
    found = places(writer, Signal, lambda step: step.meaning == "stand" and totals[step.at] < 21)
    if not found:
        return False
    omit(writer, writer.rng.choice(found), clause)
    return True


def _busts(writer: RoundWriter, clause: str) -> list[int]:
    """Where a bust's cards are taken at once, after its chips."""
    low = "low" in clause
    extra = {hand.place: hand.split or hand.doubled for hand in writer.hands}
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
    """A busted hand's cards (and chips) are taken only when all players are served."""
    found = _busts(writer, clause)
    end = _players_done(writer)
    if not found or end is None:
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


def _players_done(writer: RoundWriter) -> int | None:
    """Index of the dealer's turn."""
    turn = places(writer, Reveal, lambda step: step.at == "dealer")
    second = places(writer, Deal, lambda step: step.to == "dealer" and step.index == 1)
    found = turn or second
    return found[0] if found else None


def dealer_first(writer: RoundWriter, clause: str) -> bool:
    """The dealer's cards are taken up before the players'."""
    return change_one(
        writer, clause, TakeCards, lambda step: step.places[-1] == "dealer" and len(step.places) > 1,
        places=["dealer", *_last_places(writer)],
    )  # fmt: skip


def _last_places(writer: RoundWriter) -> list[str]:
    last = [step for step in writer.steps if isinstance(step, TakeCards)][-1]
    return last.places[:-1]


def taken_early(writer: RoundWriter, clause: str) -> bool:
    """A hand's cards are taken up before the hands at its left are settled."""
    last = max(i for i, step in enumerate(writer.steps) if isinstance(step, TakeCards))
    step = writer.steps[last]
    settled = [i for i in places(writer, Pay, lambda one: "insurance" not in one.payoffs) if i < last]
    later = [i for i, one in enumerate(writer.steps) if isinstance(one, Pay | Collect) and settled and i > settled[0]]
    if not isinstance(step, TakeCards) or not settled or not later or len(step.places) < 3:
        return False
    first: Any = writer.steps[settled[0]]
    if first.at != step.places[0]:
        return False
    rest = [place for place in step.places if place != first.at]
    writer.steps[last] = msgspec.structs.replace(step, places=rest)
    writer.steps.insert(settled[0] + 1, TakeCards(places=[first.at], clause=clause))
    return True


def natural_unpaid_until_drawn(writer: RoundWriter, clause: str) -> bool:
    """A natural against an ace or ten is paid before the second card is known, or only after the dealer drew."""
    naturals = {place for place, outcome in writer.outcomes.items() if outcome == "natural"}
    pays = places(writer, Pay, lambda step: step.at in naturals)
    turn = _players_done(writer)
    if len(pays) != 1 or turn is None or pays[0] < turn or writer.up_low:
        return False
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
    """A bust that must be held is taken at once: its cards, or only its chips."""
    from verifier.simulate.play.steps import HoldAside

    extra = {hand.place for hand in writer.hands if hand.split or hand.doubled}
    found = places(writer, HoldAside, lambda step: step.at in extra)
    if not found or writer.state().natural:
        return False
    index = writer.rng.choice(found)
    held: Any = writer.steps[index]
    if "chips" in clause:
        writer.steps.insert(index + 1, Collect(at=[held.at], clause=clause))
        return _drop(writer, index + 2, held.at, cards=False)
    writer.steps[index] = TakeCards(places=[held.at], clause=clause)
    return _drop(writer, index + 1, held.at, cards=True)


def _drop(writer: RoundWriter, since: int, place: str, *, cards: bool) -> bool:
    """Takes a place out of what is collected or taken up later."""
    for index in range(since, len(writer.steps)):
        step: Any = writer.steps[index]
        if cards and isinstance(step, TakeCards) and place in step.places:
            rest = [one for one in step.places if one != place]
            writer.steps[index] = msgspec.structs.replace(step, places=rest) if rest else Omitted(at=None)
        if not cards and isinstance(step, Collect) and place in step.at and "insurance" not in step.kinds:
            rest = [one for one in step.at if one != place]
            writer.steps[index] = msgspec.structs.replace(step, at=rest) if rest else Omitted(at=None)
    return True


PLANTS: Final = {
    "ND-08-10.2-left-hand-draw": right_draws, "ND-08-10.2-right-hand-place": left_places,
    "ND-08-10.2-card-overlap": covered, "ND-08-10.1-players-faceup": face_down,
    "ND-08-11.3.a-split-ace-card-angle": upright, "ND-08-11.3.b-double-card-angle": upright,
    "ND-08-10.1.a-no-peek": peeked, "ND-08-10.1.b-no-second-card-early": second_early,
    "ND-08-10.3.a-reader-timing": read_late, "ND-08-12.14-exposed-hole": turned_early,
    "ND-08-11.5-deal-as-requested": not_as_asked,
    "ND-08-11.4-hand-signal-bypass": bypassed, "ND-08-11.6-bust-collect-now": bust_left,
    "ND-08-11.6-bust-cards-discard": bust_left, "ND-08-11.7-bust-lowcard-collect": bust_left,
    "ND-08-11.17-dealer-cards-last": dealer_first, "ND-08-11.13-cards-after-settlement": taken_early,
    "ND-08-11.11-natural-not-early": natural_unpaid_until_drawn,
    "ND-08-11.10.a-naturals-next": natural_unpaid_until_drawn,
    "ND-08-11.10.b-naturals-next": natural_unpaid_until_drawn,
    "ND-08-11.8-bust-hold-cards": not_held, "ND-08-11.8-bust-hold-chips": not_held,
}  # fmt: skip
