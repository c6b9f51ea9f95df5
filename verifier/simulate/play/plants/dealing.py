"""Plants at the deal: how cards are drawn, laid, looked at and turned, and whether as asked (10(1)-(3), 11(3)-(5))."""

from __future__ import annotations

from typing import Final

import msgspec

from verifier.domain.places import Place
from verifier.simulate.play.plants.edits import change_one, deal_end, move, omit, places
from verifier.simulate.play.steps import Collect, Deal, Peek, ReadCards, Reveal, Signal
from verifier.simulate.play.writer import RoundWriter


def _to_player(step: Deal) -> bool:
    return step.to != "dealer"


def right_draws(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the right hand draws a card and places it."""
    return change_one(writer, clause, Deal, _to_player, fault="right_draws")


def left_places(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the left hand draws a card and places it, at a space beyond the first two."""
    spaces = sorted({hand.order[0] for hand in writer.hands})
    far = {space for space in spaces[2:] if space > 2}
    return change_one(
        writer, clause, Deal, lambda step: _to_player(step) and Place.parse(step.to).number in far, fault="left_places"
    )


def covered(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a card covers nearly half of the one before."""
    return change_one(
        writer, clause, Deal, lambda step: _to_player(step) and step.index > 0 and not step.across, fault="covers"
    )


def face_down(writer: RoundWriter, clause: str) -> bool:
    """One of a player's first two cards is dealt face down and turned up afterwards."""
    found = [i for i in places(writer, Deal, _to_player) if i < deal_end(writer)]
    if not found:
        return False
    index = writer.rng.choice(found)
    step = writer.steps[index]
    assert isinstance(step, Deal)
    writer.steps[index] = msgspec.structs.replace(step, face="down", clause=clause)
    writer.steps.insert(index + 1, Reveal(card=step.card, at=step.to, index=step.index))
    return True


def upright(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a card that belongs at a right angle lies straight."""
    aces = "split-ace" in clause
    doubled = {hand.place for hand in writer.hands if hand.doubled}
    return change_one(writer, clause, Deal, lambda step: step.across and (step.to not in doubled) == aces, across=False)


def peeked(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the dealer looks at the hole card before the players are served."""
    if writer.no_hole or not any(isinstance(step, Reveal) for step in writer.steps):
        return False
    writer.steps.insert(deal_end(writer), Peek(clause=clause))
    return True


def read_late(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the reader is used only when players have drawn."""
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
    if not writer.no_hole or not second or not hits or writer.insured:
        return False
    move(writer, second[0], writer.rng.choice(hits), clause)
    return True


def turned_early(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the hole card is turned while players still draw."""
    turn = places(writer, Reveal, lambda step: step.at == "dealer")
    hits = [i for i in places(writer, Signal, lambda step: step.meaning == "hit") if turn and i < turn[0]]
    if not hits or writer.insured:
        return False
    move(writer, turn[0], writer.rng.choice(hits), clause)
    return True


def not_as_asked(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a hand that signals to stand is dealt a card."""
    return change_one(writer, clause, Signal, lambda step: step.meaning == "hit", meaning="stand")


def bypassed(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the dealer passes over a hand that has not signalled to stand."""
    totals = {hand.place: hand.total.best for hand in writer.hands}
    found = places(writer, Signal, lambda step: step.meaning == "stand" and totals[step.at] < 21)
    if not found:
        return False
    omit(writer, writer.rng.choice(found), clause)
    return True


PLANTS: Final = {
    "ND-08-10.2-left-hand-draw": right_draws,
    "ND-08-10.2-right-hand-place": left_places,
    "ND-08-10.2-card-overlap": covered,
    "ND-08-10.1-players-faceup": face_down,
    "ND-08-11.3.a-split-ace-card-angle": upright,
    "ND-08-11.3.b-double-card-angle": upright,
    "ND-08-10.1.a-no-peek": peeked,
    "ND-08-10.1.b-no-second-card-early": second_early,
    "ND-08-10.3.a-reader-timing": read_late,
    "ND-08-12.14-exposed-hole": turned_early,
    "ND-08-11.5-deal-as-requested": not_as_asked,
    "ND-08-11.4-hand-signal-bypass": bypassed,
}
