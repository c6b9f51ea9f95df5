"""Plants at places: wagers, cards and payoffs that lie where they should not (09(2)(a)-(c), 11(10)(f), 11(16)(a))."""

from __future__ import annotations

from typing import Final

from verifier.domain.places import Place
from verifier.simulate.play.plants.edits import change_one, places
from verifier.simulate.play.steps import BurnFrom, Deal, Pay, PlaceWager, SplitCards
from verifier.simulate.play.writer import RoundWriter

_AHEAD: Final = 0.5
"""Sine of the greatest angle at which a player sits aside of the dealer for left and right to be the same to both."""
_NOT_LEFT: Final = -0.12
"""At the dealer's left a card laid above and to the right would lie along the row of spaces."""
_MOST_CHIPS: Final = 2
"""A payoff of more chips, laid too far away and spread, would reach the next space."""


def insurance_astray(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a player lays insurance between wager and cards instead of on its line."""
    return change_one(writer, clause, PlaceWager, lambda step: step.kind == "insurance", fault="astray")


def tip_astray(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a tip is laid at the upper right of its betting space."""
    ahead = _ahead(writer)
    tips = places(writer, PlaceWager, lambda step: step.kind == "tip")
    several = {at for at in _ats(writer, tips) if sum(other == at for other in _ats(writer, tips)) > 1}
    doubled = {hand.place for hand in writer.hands if hand.doubled or "tip_double" in hand.stakes}

    def wanted(step: PlaceWager) -> bool:
        plain = step.at not in several | doubled and Place.parse(step.at).number not in _split(writer)
        return step.kind == "tip" and plain and Place.parse(step.at).number in ahead

    return change_one(writer, clause, PlaceWager, wanted, fault="astray")


def split_astray(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a split wager that is not paid is laid behind the original one."""
    ahead, twice = _ahead(writer), {space for space, hands in _split(writer).items() if hands == 2}
    unpaid = {hand.place for hand in writer.hands} - {step.at for step in writer.steps if isinstance(step, Pay)}

    def wanted(step: PlaceWager) -> bool:
        return step.kind == "split" and step.at in unpaid and Place.parse(step.at).number in ahead & twice

    return change_one(writer, clause, PlaceWager, wanted, fault="astray")


def split_cards_astray(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the second card of a split is laid above the first; its hand gets one more card at most."""
    ahead = {number for number in _ahead(writer) if writer.plan.spaces[number].outward[0] > _NOT_LEFT}
    twice = {space for space, hands in _split(writer).items() if hands == 2}
    short = {hand.place for hand in writer.hands if len(hand.cards) == 2}

    def wanted(step: SplitCards) -> bool:
        return step.to in short and Place.parse(step.at).number in ahead & twice

    return change_one(writer, clause, SplitCards, wanted, fault="above")


def draw_astray(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the dealer lays a card that was drawn at the left of the first one; won tips leave room there."""
    burned = any(isinstance(step, BurnFrom) and step.place == "dealer" for step in writer.steps)
    crowded = sum(isinstance(step, PlaceWager) and step.kind == "tip" for step in writer.steps) > 1
    if burned or crowded:
        return False
    return change_one(writer, clause, Deal, lambda step: step.to == "dealer" and step.index >= 2, fault="at_left")


def payoff_astray(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a payoff is laid away from its wager."""
    split = _split(writer)

    def wanted(step: Pay) -> bool:
        few = list(step.payoffs) == ["original"] and len(step.payoffs["original"]) <= _MOST_CHIPS
        return few and Place.parse(step.at).number not in split

    return change_one(writer, clause, Pay, wanted, fault="far")


def _ahead(writer: RoundWriter) -> set[int]:
    return {number for number, spots in writer.plan.spaces.items() if abs(spots.outward[0]) < _AHEAD}


def _split(writer: RoundWriter) -> dict[int, int]:
    """Spaces that were split, with their number of hands."""
    numbers = [hand.order[0] for hand in writer.hands]
    return {number: numbers.count(number) for number in numbers if numbers.count(number) > 1}


def _ats(writer: RoundWriter, indices: list[int]) -> list[str | None]:
    return [getattr(writer.steps[index], "at", None) for index in indices]


PLANTS: Final = {
    "ND-08-09.2.b-insurance-line": insurance_astray,
    "ND-08-09.2.a-tip-position": tip_astray,
    "ND-08-09.2.c-split-wager-horizontal": split_astray,
    "ND-08-11.3.a-split-side-by-side": split_cards_astray,
    "ND-08-11.10.f-hit-position": draw_astray,
    "ND-08-11.16.a-payoff-beside": payoff_astray,
}
