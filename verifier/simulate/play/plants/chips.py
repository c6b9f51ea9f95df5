"""Plants at payment: fans, the hands that pay, amounts that follow from the cards (09(2), 11(10)-(12), 11(16)(a))."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from verifier.simulate.play.hands_in_play import change
from verifier.simulate.play.plants.edits import change_one, deal_end, move, omit, places
from verifier.simulate.play.steps import (
    TIPS,
    Collect,
    Deal,
    MoveInsurance,
    Pay,
    PlaceWager,
    ReturnStakes,
    Reveal,
    StakeKind,
)  # fmt: skip

if TYPE_CHECKING:
    from verifier.simulate.play.script import RoundWriter

_FAULTS: Final = {
    "ND-08-11.16.a-fan-hand": "other_hand_fans", "ND-08-11.16.a-fan-direction": "fan_to_player",
    "ND-08-11.16.a-right-hand-take": "left_takes", "ND-08-11.16.a-hands-away": "hands_stay",
}  # fmt: skip


def _stakes(writer: RoundWriter, at: str) -> dict[StakeKind, list[int]]:
    return next({**hand.stakes} for hand in writer.hands if hand.place == at)


def _ordinary(step: Pay) -> bool:
    return "insurance" not in step.payoffs


def paid_oddly(writer: RoundWriter, clause: str) -> bool:
    """A winner is paid with the wrong hand, fanned the wrong way, or left too soon."""
    fault = _FAULTS[clause]

    def wanted(step: Pay) -> bool:
        stacks = [_stakes(writer, step.at)[kind] for kind in step.payoffs] if _ordinary(step) else []
        enough = any(len(chips) > 1 for chips in stacks) or fault in ("left_takes", "hands_stay")
        return bool(stacks) and enough and not (step.tip_wins and fault == "hands_stay")

    return change_one(writer, clause, Pay, wanted, fault=fault)


def values_mixed(writer: RoundWriter, clause: str) -> bool:
    """A bet above five dollars is fanned without regard to its values."""

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
    first: Any = writer.steps[index]
    second: Any = writer.steps[index + 1]
    if first.tip_wins or second.tip_wins:
        return False
    extra = [*second.payoffs["original"]]
    writer.steps[index] = msgspec.structs.replace(first, fault="takes_for_two", extra=extra)
    writer.steps[index + 1] = msgspec.structs.replace(second, fault="from_hand", clause=clause)
    return True


def unpaid(writer: RoundWriter, clause: str) -> bool:
    """The dealer is over 21 and a hand that is still in play is not paid."""
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
        step: Any = writer.steps[index]
        spared = [at for at in step.at if at not in tipped and writer.outcomes.get(at) == "natural_loss"]
        plain = [at for at in spared if _plain(writer, at)]
        if plain:
            at = writer.rng.choice(plain)
            rest = [one for one in step.at if one != at]
            writer.steps[index] = msgspec.structs.replace(step, at=rest, clause=clause)
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
    step: Any = writer.steps[found[0]]
    writer.steps[found[0]] = Collect(at=[step.at], kinds=step.kinds, clause=clause)
    return True


def split_paid_more(writer: RoundWriter, clause: str) -> bool:
    """A split hand's twenty-one in two cards is paid three to two."""
    hands = {h.place for h in writer.hands if h.split and len(h.cards) == 2 and h.total.best == 21}
    found = places(writer, Pay, lambda step: step.at in hands)
    if not found:
        return False
    step: Any = writer.steps[found[0]]
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
    step: Any = writer.steps[found[0]]
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
    """The reader showed no natural, and insurance is collected only after players have drawn."""
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
    step: Any = writer.steps[writer.rng.choice(found)]
    index = writer.steps.index(step)
    half = change(sum(step.payoffs["insurance"]) // 2)
    writer.steps[index] = msgspec.structs.replace(step, payoffs={"insurance": half}, clause=clause)
    return True


def even_money_cards(writer: RoundWriter, clause: str) -> bool:
    """After even money the cards stay on the table until the round's end."""
    from verifier.simulate.play.steps import TakeCards

    even = {place for place, outcome in writer.outcomes.items() if outcome == "even_money"}
    found = places(writer, TakeCards, lambda step: len(step.places) == 1 and step.places[0] in even)
    turn = places(writer, Reveal)
    if not found or not turn:
        return False
    move(writer, found[0], turn[0] + 1, clause)
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
    """The tip of a held bust is collected only when the hole card has been turned."""
    held = {hand.place for hand in writer.hands if hand.held and hand.doubled and not hand.insurance}
    found = places(writer, Collect, lambda step: {*step.at} <= held and step.kinds == TIPS)
    turn = places(writer, Reveal, lambda step: step.at == "dealer")
    if not found or not turn or any(isinstance(step, MoveInsurance) for step in writer.steps):
        return False
    move(writer, found[0], turn[0] + 1, clause)
    return True


def left_collects(writer: RoundWriter, clause: str) -> bool:
    """Where chips are collected hand by hand with the right hand, the left does it."""
    kind: StakeKind = "insurance" if "hand-by-hand-option" in clause else "original"
    return change_one(writer, clause, Collect, lambda step: kind in step.kinds, fault="left_hand")


def even_tip_taken(writer: RoundWriter, clause: str) -> bool:
    """The tip of a hand that took even money is collected."""
    even = {place for place, outcome in writer.outcomes.items() if outcome == "even_money"}
    tipped = {hand.place for hand in writer.hands if "tip" in hand.stakes} & even
    found = places(writer, Pay, lambda step: step.at in tipped)
    if not found:
        return False
    step: Any = writer.steps[found[0]]
    writer.steps.insert(found[0] + 1, Collect(at=[step.at], kinds=("tip",), clause=clause))
    return True


def _second_card(writer: RoundWriter, at: str) -> list[int]:
    return places(writer, Deal, lambda step: step.to == at and step.index == 1)


def doubled_too_soon(writer: RoundWriter, clause: str) -> bool:
    """A player doubles before every space has its second card."""
    end = deal_end(writer)
    late = {f":{space}" for space in sorted({hand.order[0] for hand in writer.hands})[-2:]}
    doubles = places(writer, PlaceWager, lambda step: step.kind == "double")
    for index in doubles:
        step: Any = writer.steps[index]
        second = _second_card(writer, step.at)
        if second and second[0] < end and f":{step.at.split(':')[1]}" not in late:
            signal = writer.steps[index - 1]
            del writer.steps[index - 1 : index + 1]
            early = msgspec.structs.replace(step, clause=clause)
            writer.steps[second[0] + 1 : second[0] + 1] = [signal, early]
            return True
    return False


PLANTS: Final = {
    "ND-08-11.10.a-busted-collect": held_late, "ND-08-11.10.b-busted-collect": held_late,
    "ND-08-11.8-bust-tip-lost": held_tip_late, "ND-08-11.13-hand-by-hand": left_collects,
    "ND-08-11.10.a-hand-by-hand-option": left_collects, "ND-08-09.2.b-even-money-tip-push": even_tip_taken,
    "ND-08-09.2-extra-wagers-after-two": doubled_too_soon,
    "ND-08-10.3.a-reader-natural-collect": not_collected, "ND-08-10.3.a-reader-natural-pay": insurance_short,
    "ND-08-10.3.b-reader-no-natural": insurance_after_play,
    **dict.fromkeys(_FAULTS, paid_oddly), "ND-08-11.16.a-sets-of-five": values_mixed,
    "ND-08-11.16-hand-by-hand": paid_together, "ND-08-11.10.h-bust-pays-active": unpaid,
    "ND-08-11.10.d-natural-collect": not_collected, "ND-08-11.10.e-void-split-double": void_kept,
    "ND-08-09.2.c-split-21-not-natural": split_paid_more, "ND-08-11.13-sweep-one-hand": swept_with_both,
    "ND-08-11.10.a-one-hand-sweep": swept_with_both, "ND-08-09.2.b-insurance-reposition": insurance_not_moved,
    "ND-08-11.10.a-insurance-right-to-left": insurance_order, "ND-08-11.10.a-insurance-collect-first": insurance_late,
    "ND-08-11.10.c-insurance-pay": insurance_short, "ND-08-09.2.b-even-money-cards": even_money_cards,
}  # fmt: skip
