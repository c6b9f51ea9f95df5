"""Plants at payment: fans, the hands that pay, amounts that follow from the cards (09(2), 11(10)-(12), 11(16)(a))."""

from __future__ import annotations

from typing import Final

import msgspec

from verifier.simulate.play.hands_in_play import change
from verifier.simulate.play.plants.edits import change_one, omit, places, step_at
from verifier.simulate.play.steps import Collect, Omitted, Pay, ReturnStakes, StakeKind
from verifier.simulate.play.writer import RoundWriter

_FAULTS: Final = {
    "ND-08-11.16.a-fan-hand": "other_hand_fans", "ND-08-11.16.a-fan-direction": "fan_to_player",
    "ND-08-11.16.a-right-hand-take": "left_takes", "ND-08-11.16.a-hands-away": "hands_stay",
}  # fmt: skip


def _stakes(writer: RoundWriter, at: str) -> dict[StakeKind, list[int]]:
    return next({**hand.stakes} for hand in writer.hands if hand.place == at)


def _ordinary(step: Pay) -> bool:
    return "insurance" not in step.payoffs


def paid_oddly(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a winner is paid with the wrong hand, fanned the wrong way, or left too soon."""
    fault = _FAULTS[clause]

    def wanted(step: Pay) -> bool:
        stacks = [_stakes(writer, step.at)[kind] for kind in step.payoffs] if _ordinary(step) else []
        enough = any(len(chips) > 1 for chips in stacks) or fault in ("left_takes", "hands_stay")
        return bool(stacks) and enough and not (step.tip_wins and fault == "hands_stay")

    return change_one(writer, clause, Pay, wanted, fault=fault)


def values_mixed(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a bet above five dollars is fanned without regard to its values."""

    def wanted(step: Pay) -> bool:
        if not _ordinary(step) or list(step.payoffs) not in (["original"], ["split"]):
            return False
        (chips,) = (_stakes(writer, step.at)[kind] for kind in step.payoffs)
        return sum(chips) > 500 and len(set(chips)) >= 2 and len(chips) <= 5

    return change_one(writer, clause, Pay, wanted, fault="values_mixed")


def paid_together(writer: RoundWriter, clause: str) -> bool:
    """Chips for two winners are taken from the tray at once."""
    found = places(writer, Pay, lambda step: _ordinary(step) and list(step.payoffs) == ["original"])
    pairs = [i for i in found if i + 1 in found]
    if not pairs:
        return False
    index = writer.rng.choice(pairs)
    first, second = (step_at(writer, place, Pay) for place in (index, index + 1))
    if first.tip_wins or second.tip_wins:
        return False
    extra = [*second.payoffs["original"]]
    writer.steps[index] = msgspec.structs.replace(first, fault="takes_for_two", extra=extra)
    writer.steps[index + 1] = msgspec.structs.replace(second, fault="from_hand", clause=clause)
    return True


def unpaid(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: the dealer is over 21 and a hand that is still in play is not paid."""
    if writer.state().total <= 21:
        return False
    tipped = {hand.place for hand in writer.hands if "tip" in hand.stakes}
    won = {place for place, outcome in writer.outcomes.items() if outcome == "win"} - tipped
    found = places(writer, Pay, lambda step: _ordinary(step) and step.at in won)
    totals = [hand.total.best for hand in writer.hands if writer.outcomes.get(hand.place) == "win"]
    if len(found) < 2 or len(set(totals)) != 1:
        return False
    omit(writer, writer.rng.choice(found), clause)
    return True


def not_collected(writer: RoundWriter, clause: str) -> bool:
    """Against the dealer's natural a losing wager is left to the player."""
    if not writer.state().natural:
        return False
    tipped = {hand.place for hand in writer.hands if "tip" in hand.stakes}
    found = places(writer, Collect, lambda step: len(step.at) > 1 and "original" in step.kinds)
    for index in found:
        step = step_at(writer, index, Collect)
        spared = [at for at in step.at if at not in tipped and writer.outcomes.get(at) == "natural_loss"]
        plain = [at for at in spared if _plain(writer, at)]
        if plain:
            at = writer.rng.choice(plain)
            rest = [one for one in step.at if one != at]
            writer.steps[index : index + 1] = [msgspec.structs.replace(step, at=rest), Omitted(at=at, clause=clause)]
            return True
    return False


def _plain(writer: RoundWriter, at: str) -> bool:
    hand = next(hand for hand in writer.hands if hand.place == at)
    return not (hand.split or hand.doubled or hand.insurance)


def void_kept(writer: RoundWriter, clause: str) -> bool:
    """Against the dealer's natural a double or split wager is collected instead of returned."""
    found = places(writer, ReturnStakes)
    if not found:
        return False
    step = step_at(writer, found[0], ReturnStakes)
    writer.steps[found[0]] = Collect(at=[step.at], kinds=step.kinds, clause=clause)
    return True


def split_paid_more(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a split hand's twenty-one in two cards is paid three to two."""
    hands = {h.place for h in writer.hands if h.split and len(h.cards) == 2 and h.total.best == 21}
    found = places(writer, Pay, lambda step: step.at in hands)
    if not found:
        return False
    step = step_at(writer, found[0], Pay)
    payoffs = {kind: change(sum(chips) * 3 // 2) for kind, chips in step.payoffs.items()}
    if payoffs == step.payoffs:
        return False
    writer.steps[found[0]] = msgspec.structs.replace(step, payoffs=payoffs, clause=clause)
    return True


def swept_with_both(writer: RoundWriter, clause: str) -> bool:
    """Both hands collect."""
    if writer.house.sweep_or_hand_by_hand == "hand_by_hand":
        return False
    wagers = ("insurance",) if "one-hand-sweep" in clause else ("original",)
    return change_one(
        writer, clause, Collect, lambda step: wagers[0] in step.kinds and len(step.at) > 0, fault="both_hands"
    )


def left_collects(writer: RoundWriter, clause: str) -> bool:
    """Where chips are collected hand by hand with the right hand, the left does it."""
    kind: StakeKind = "insurance" if "hand-by-hand-option" in clause else "original"
    return change_one(writer, clause, Collect, lambda step: kind in step.kinds, fault="left_hand")


PLANTS: Final = {
    **dict.fromkeys(_FAULTS, paid_oddly),
    "ND-08-11.13-hand-by-hand": left_collects,
    "ND-08-11.10.a-hand-by-hand-option": left_collects,
    "ND-08-10.3.a-reader-natural-collect": not_collected,
    "ND-08-11.16.a-sets-of-five": values_mixed,
    "ND-08-11.16-hand-by-hand": paid_together,
    "ND-08-11.10.h-bust-pays-active": unpaid,
    "ND-08-11.10.d-natural-collect": not_collected,
    "ND-08-11.10.e-void-split-double": void_kept,
    "ND-08-09.2.c-split-21-not-natural": split_paid_more,
    "ND-08-11.13-sweep-one-hand": swept_with_both,
    "ND-08-11.10.a-one-hand-sweep": swept_with_both,
}
