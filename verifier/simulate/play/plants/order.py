"""Plants at the order of settlement and at wagers out of time (09(2), 11(13))."""

from __future__ import annotations

from typing import Final

import msgspec

from verifier.simulate.play.plants.edits import deal_end, places, step_at
from verifier.simulate.play.steps import AnyStep, Collect, Deal, Pay, PlaceWager, TakeCards, Tie, TrayAside
from verifier.simulate.play.writer import RoundWriter


def late_wager(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a player puts the original wager down when the first card lies already."""
    tipped = {step.at for step in writer.steps if isinstance(step, PlaceWager) and step.kind == "tip"}
    found = places(writer, PlaceWager, lambda step: step.kind == "original" and step.at not in tipped)
    found = [i for i in found if i > min(found)]
    first = next(i for i, step in enumerate(writer.steps) if isinstance(step, Deal))
    if not found:
        return False
    index = writer.rng.choice(found)
    step = msgspec.structs.replace(writer.steps[index], clause=clause)
    writer.steps.insert(first + 1, step)
    del writer.steps[index]
    return True


def winners_first(writer: RoundWriter, clause: str) -> bool:
    """All winners are paid before the losers are collected."""
    last = max(i for i, step in enumerate(writer.steps) if isinstance(step, TakeCards))
    turn = _settlement_begins(writer)
    part: list[AnyStep] = writer.steps[turn:last]
    pays = [step for step in part if isinstance(step, Pay)]
    collects = [step for step in part if isinstance(step, Collect)]
    ties = [step for step in part if isinstance(step, Tie)]
    others = [step for step in part if not isinstance(step, Pay | Collect | Tie)]
    first_collect = next((i for i, step in enumerate(part) if isinstance(step, Collect)), 99)
    if not pays or len(collects) != 1 or ties or first_collect > part.index(pays[-1]):
        return False
    collects[0] = msgspec.structs.replace(collects[0], clause=clause)
    writer.steps[turn:last] = [*pays, *collects, *others]
    return True


def _settlement_begins(writer: RoundWriter) -> int:
    """Index after the dealer's last card or turn of the hole card, and what follows it at once."""
    from verifier.simulate.play.steps import DealerStands

    stands = [i for i, step in enumerate(writer.steps) if isinstance(step, DealerStands)]
    return stands[-1] + 1 if stands else len(writer.steps)


def tray_late(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: collected chips lie on the felt while a winner is paid."""
    found = places(writer, Collect, lambda step: "original" in step.kinds)
    found = [i for i in found if isinstance(writer.steps[i + 1], Pay)]
    if not found:
        return False
    index = writer.rng.choice(found)
    writer.steps[index] = msgspec.structs.replace(writer.steps[index], fault="aside", clause=clause)
    writer.steps.insert(index + 2, TrayAside())
    return True


def _second_card(writer: RoundWriter, at: str) -> list[int]:
    return places(writer, Deal, lambda step: step.to == at and step.index == 1)


def doubled_too_soon(writer: RoundWriter, clause: str) -> bool:
    """Plant a breach: a player doubles before every space has its second card."""
    end = deal_end(writer)
    late = {f":{space}" for space in sorted({hand.order[0] for hand in writer.hands})[-2:]}
    doubles = places(writer, PlaceWager, lambda step: step.kind == "double")
    for index in doubles:
        step = step_at(writer, index, PlaceWager)
        second = _second_card(writer, step.at)
        if second and second[0] < end and f":{step.at.split(':')[1]}" not in late:
            signal = writer.steps[index - 1]
            del writer.steps[index - 1 : index + 1]
            early = msgspec.structs.replace(step, clause=clause)
            writer.steps[second[0] + 1 : second[0] + 1] = [signal, early]
            return True
    return False


PLANTS: Final = {
    "ND-08-09.2-original-before-cards": late_wager, "ND-08-11.13-repeat-order": winners_first,
    "ND-08-11.13-tray-before-pay": tray_late, "ND-08-09.2-extra-wagers-after-two": doubled_too_soon,
}  # fmt: skip
