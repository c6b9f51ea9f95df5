"""Plants at tips: moved, paid, collected and put away wrongly (09(2)(a), 11(13), 11(14), 11(16))."""

from __future__ import annotations

from typing import Final

import msgspec

from verifier.simulate.play.hands_in_play import change
from verifier.simulate.play.plants.edits import change_one, move, places, step_at
from verifier.simulate.play.steps import Collect, DepositTips, Pay, PayTips, TakeCards, Tie
from verifier.simulate.play.writer import RoundWriter


def _tip_of(writer: RoundWriter, at: str) -> list[int]:
    return next(hand.stakes.get("tip", []) for hand in writer.hands if hand.place == at)


def wrong_hand(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the right hand moves a won tip."""
    return change_one(writer, clause, Pay, lambda step: step.tip_wins, fault="tip_right_hand")


def not_won(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a won tip stays with the player."""
    found = places(writer, Pay, lambda step: step.tip_wins)
    if len(found) != 1:
        return False
    writer.steps[found[0]] = msgspec.structs.replace(writer.steps[found[0]], tip_wins=False, clause=clause)
    writer.steps[:] = [step for step in writer.steps if not isinstance(step, PayTips | DepositTips)]
    return True


def not_collected(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a lost tip is left."""
    for index in places(writer, Collect, lambda step: "original" in step.kinds and "tip" in step.kinds):
        step = step_at(writer, index, Collect)
        lost = [at for at in step.at if _tip_of(writer, at) and writer.outcomes.get(at) == "lose"]
        if lost and len(step.at) == 1:
            writer.steps[index] = msgspec.structs.replace(step, kinds=("original", "split", "double"), clause=clause)
            return True
    return False


def push_collected(writer: RoundWriter, clause: str) -> bool:
    """At a tie the tip is taken."""
    found = places(writer, Tie, lambda step: bool(_tip_of(writer, step.at)) and writer.outcomes[step.at] == "push")
    if not found:
        return False
    step = step_at(writer, found[0], Tie)
    writer.steps.insert(found[0] + 1, Collect(at=[step.at], kinds=("tip",), clause=clause))
    return True


def wrong_amount(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a tip is paid too much or too little."""
    found = places(writer, PayTips)
    if not found:
        return False
    step = step_at(writer, found[0], PayTips)
    at = writer.rng.choice(step.at)
    owed = sum(_tip_of(writer, at))
    paid = owed + writer.rng.choice((100, 200, 500)) if owed <= 100 else owed - 50
    writer.steps[found[0]] = msgspec.structs.replace(step, wrong={at: change(paid)}, clause=clause)
    return True


def paid_oddly(writer: RoundWriter, clause: str) -> bool:
    """Tips are paid with the left hand, not fanned, or not left."""
    fault = {"right-hand": "left_takes", "beside-fan": "not_fanned", "hands-away": "hands_stay"}[
        next(part for part in ("right-hand", "beside-fan", "hands-away") if part in clause)
    ]
    several = fault == "not_fanned"
    return change_one(
        writer,
        clause,
        PayTips,
        lambda step: not several or any(len(_tip_of(writer, at)) > 1 for at in step.at),
        fault=fault,
    )


def paid_before_hands(writer: RoundWriter, clause: str) -> bool:
    """Tips are paid before the last winning hand."""
    tips = places(writer, PayTips)
    pays = places(writer, Pay, lambda step: "insurance" not in step.payoffs)
    if not tips or len(pays) < 2:
        return False
    step = step_at(writer, tips[0], PayTips)
    later = [one.at for one in writer.steps[pays[-1] :] if isinstance(one, Pay)]
    if {*later} & {*step.at} or pays[-1] > tips[0]:
        return False
    move(writer, tips[0], pays[-1], clause)
    return True


def deposited_early(writer: RoundWriter, clause: str) -> bool:
    """Tips are put away while cards still lie."""
    found = places(writer, DepositTips)
    taken = places(writer, TakeCards, lambda step: step.places[-1] == "dealer")
    if not found or not taken:
        return False
    move(writer, found[0], taken[0], clause)
    return True


PLANTS: Final = {
    "ND-08-11.16.a-tip-reposition": wrong_hand, "ND-08-11.14-tip-wins": not_won,
    "ND-08-09.2.a-tip-lose": not_collected, "ND-08-09.2.a-tip-push": push_collected,
    "ND-08-11.16.b-tip-equal": wrong_amount, "ND-08-11.16.b-tip-right-hand": paid_oddly,
    "ND-08-11.16.b-tip-beside-fan": paid_oddly, "ND-08-11.16.b-tip-hands-away": paid_oddly,
    "ND-08-11.16.b-tips-after-hands": paid_before_hands, "ND-08-11.16.b-tip-deposit-last": deposited_early,
}  # fmt: skip
