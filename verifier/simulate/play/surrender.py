"""Surrender: a player gives up a hand of two cards; the dealer takes half of its wager and pushes back the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verifier.domain import events
from verifier.simulate.play.collecting import push_back
from verifier.simulate.play.layout_state import OnLayout, stack_cents
from verifier.simulate.play.spots import tray_point
from verifier.simulate.play.steps import GiveUp, TakeCards

if TYPE_CHECKING:
    from verifier.simulate.play.hands_in_play import HandInPlay
    from verifier.simulate.play.writer import RoundWriter

NOT_ALLOWED: Final = "HM-play.5-surrender-option"
TOO_LATE: Final = "HM-def.7-surrender-timing"
TO_BLACKJACK: Final = "HM-def.7-no-surrender-bj"
NEEDS: Final = {NOT_ALLOWED: False, TOO_LATE: True, TO_BLACKJACK: True}
"""Clauses of the manual that a surrender can break, and whether the casino then allows it."""
_POOR: Final = (14, 15, 16)
"""Hard totals that players give up."""
_SHARE: Final = 0.8
"""Share of such hands that are given up where the casino allows it."""


def gives_up(writer: RoundWriter, hand: HandInPlay) -> bool:
    """Write that a hand is given up, lawfully or as planted; False where it plays on."""
    if writer.house.surrender_allowed is None or not _halves(hand) or hand.split or hand.doubled or hand.insurance:
        return False
    clause = next((one for one in NEEDS if writer.breaks(one) and _shows(writer, hand, one)), None)
    if clause is None and not _lawful(writer, hand):
        return False
    broken = None if clause is None else writer.broken(clause)
    hand.done = True
    writer.outcomes[hand.place] = "surrender"
    writer.steps += [GiveUp(at=hand.place, clause=broken), TakeCards(places=[hand.place])]
    return True


def _halves(hand: HandInPlay) -> bool:
    """Tell whether the wager is of two equal halves of chips."""
    chips = hand.stakes.get("original", [])
    return len(chips) % 2 == 0 and len({*chips}) == 1


def _shows(writer: RoundWriter, hand: HandInPlay, clause: str) -> bool:
    """Tell whether giving up this hand now breaks the clause, and no other."""
    natural = writer.state().natural and writer.up == "A"
    if clause == TO_BLACKJACK:
        return natural and len(hand.cards) == 2
    return not natural and len(hand.cards) == (2 if clause == NOT_ALLOWED else 3)


def _lawful(writer: RoundWriter, hand: HandInPlay) -> bool:
    poor = len(hand.cards) == 2 and hand.total.best in _POOR and not hand.total.soft
    if not writer.house.surrender_allowed or writer.up not in "789TJQK" or not poor:
        return False
    return writer.rng.random() < _SHARE


def give_up(table: OnLayout, step: GiveUp) -> None:
    """Act out how the right hand takes the upper half of the wager to the tray and pushes back the lower one."""
    stage, right, rng = table.stage, table.right, table.stage.rng
    stack = table.stakes[step.at]["original"]
    kept, taken = stack[: len(stack) // 2], stack[len(stack) // 2 :]
    contact = right.go(max(right.free, table.now), taken[0].xy, shape="grip", z=30.0, speed=900.0, least=0.2)
    held = right.wait(contact + 0.2)
    cents = stack_cents(taken)
    stage.note(events.ChipsCollected, contact, held, kind="original", at=step.at, cents=cents, to="hand", hand="right")
    dropped = right.go(held, tray_point(stage.plan, right.tool), speed=950.0)
    for level, chip in enumerate(taken):
        chip.hold(right, held, dropped, (rng.uniform(-10, 10), rng.uniform(-4, 14), -14.0 + 3.3 * level, 0.0))
        chip.vanish(dropped + 0.08)
    table.now = right.wait(dropped + 0.15)
    stage.note(events.ChipsToTray, dropped - 0.1, table.now, cents=cents, hand="right", origin="settlement")
    table.stakes[step.at]["original"] = kept
    push_back(table, step.at, kept, "original", "surrender")
    right.go_rest(right.free)
    table.now += 0.15
