"""Plants at insurance and even money: bets not moved, collected or paid out of turn or wrongly (09(2)(b), 11(10))."""

from __future__ import annotations

from typing import Final

import msgspec

from verifier.simulate.play.hands_in_play import change
from verifier.simulate.play.plants.edits import move, omit, places, step_at
from verifier.simulate.play.steps import Collect, Deal, MoveInsurance, Pay, Reveal, TakeCards
from verifier.simulate.play.writer import RoundWriter


def insurance_not_moved(writer: RoundWriter, clause: str) -> bool:
    """Insurance bets stay where they were placed."""
    found = places(writer, MoveInsurance)
    if not found:
        return False
    omit(writer, found[0], clause)
    return True


def insurance_order(writer: RoundWriter, clause: str) -> bool:
    """Lost insurance is collected from the left."""
    found = places(writer, Collect, lambda step: "insurance" in step.kinds and len(step.at) > 1)
    if not found:
        return False
    step = step_at(writer, found[0], Collect)
    writer.steps[found[0]] = msgspec.structs.replace(step, at=step.at[::-1], clause=clause)
    return True


def insurance_late(writer: RoundWriter, clause: str) -> bool:
    """Lost insurance is collected only after the dealer has drawn."""
    found = places(writer, Collect, lambda step: "insurance" in step.kinds)
    draws = places(writer, Deal, lambda step: step.to == "dealer" and step.index >= 2)
    if not found or not draws or draws[-1] < found[0]:
        return False
    move(writer, found[0], draws[-1] + 1, clause)
    return True


def insurance_after_play(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the reader showed no natural, and insurance is collected only after players have drawn."""
    found = places(writer, Collect, lambda step: "insurance" in step.kinds)
    hits = [i for i in places(writer, Deal, lambda step: step.to != "dealer") if found and i > found[0]]
    if not hits:
        return False
    move(writer, found[0], hits[0] + 1, clause)
    return True


def insurance_short(writer: RoundWriter, clause: str) -> bool:
    """Insurance that wins is paid one to one."""
    found = places(writer, Pay, lambda step: "insurance" in step.payoffs)
    if not found:
        return False
    step = step_at(writer, writer.rng.choice(found), Pay)
    index = writer.steps.index(step)
    half = change(sum(step.payoffs["insurance"]) // 2)
    writer.steps[index] = msgspec.structs.replace(step, payoffs={"insurance": half}, clause=clause)
    return True


def even_money_cards(writer: RoundWriter, clause: str) -> bool:
    """After even money the cards stay on the table until the round's end."""
    even = {place for place, outcome in writer.outcomes.items() if outcome == "even_money"}
    found = places(writer, TakeCards, lambda step: len(step.places) == 1 and step.places[0] in even)
    turn = places(writer, Reveal)
    if not found or not turn:
        return False
    move(writer, found[0], turn[0] + 1, clause)
    return True


def even_tip_taken(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the tip of a hand that took even money is collected."""
    even = {place for place, outcome in writer.outcomes.items() if outcome == "even_money"}
    tipped = {hand.place for hand in writer.hands if "tip" in hand.stakes} & even
    found = places(writer, Pay, lambda step: step.at in tipped)
    if not found:
        return False
    step = step_at(writer, found[0], Pay)
    writer.steps.insert(found[0] + 1, Collect(at=[step.at], kinds=("tip",), clause=clause))
    return True


PLANTS: Final = {
    "ND-08-09.2.b-even-money-tip-push": even_tip_taken,
    "ND-08-10.3.a-reader-natural-pay": insurance_short,
    "ND-08-10.3.b-reader-no-natural": insurance_after_play,
    "ND-08-09.2.b-insurance-reposition": insurance_not_moved,
    "ND-08-11.10.a-insurance-right-to-left": insurance_order,
    "ND-08-11.10.a-insurance-collect-first": insurance_late,
    "ND-08-11.10.c-insurance-pay": insurance_short,
    "ND-08-09.2.b-even-money-cards": even_money_cards,
}
