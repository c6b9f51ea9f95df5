"""What plants have in common: finding a step of a script and changing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from verifier.simulate.play.steps import AnyStep, Deal, Omitted, Step
from verifier.simulate.play.writer import RoundWriter

S = TypeVar("S", bound=Step)


def places(writer: RoundWriter, kind: type[S], wanted: Callable[[S], bool] = lambda step: True) -> list[int]:
    """Where in the script steps of a kind stand that are wanted and not planted yet."""
    return [
        index
        for index, step in enumerate(writer.steps)
        if isinstance(step, kind) and step.clause is None and not step.fault and wanted(step)
    ]


def change_one(
    writer: RoundWriter, clause: str, kind: type[S], wanted: Callable[[S], bool] = lambda step: True, **fields: object
) -> bool:
    """Change a random step of a kind; return False where there is none."""
    found = places(writer, kind, wanted)
    if not found:
        return False
    index = writer.rng.choice(found)
    writer.steps[index] = msgspec.structs.replace(writer.steps[index], clause=clause, **fields)
    return True


def omit(writer: RoundWriter, index: int, clause: str) -> None:
    """Leave a step out."""
    writer.steps[index] = Omitted(at=getattr(writer.steps[index], "at", None), clause=clause)


def step_at(writer: RoundWriter, index: int, kind: type[S]) -> S:
    """Return the step at a place that `places` gave for this kind."""
    step = writer.steps[index]
    assert isinstance(step, kind)
    return step


def move(writer: RoundWriter, index: int, before: int, clause: str, **fields: object) -> None:
    """Move a step earlier or later: before the step that stands at `before`."""
    step: AnyStep = msgspec.structs.replace(writer.steps[index], clause=clause, **fields)
    writer.steps.insert(before, step)
    del writer.steps[index + (1 if before <= index else 0)]


def deal_end(writer: RoundWriter) -> int:
    """Index after the last card of the first two rounds of cards."""
    spaces = {f"space:{hand.order[0]}" for hand in writer.hands}
    count = len(spaces) * 2 + (1 if writer.no_hole else 2)
    dealt = [i for i, step in enumerate(writer.steps) if isinstance(step, Deal) and step.to in {*spaces, "dealer"}]
    return dealt[count - 1] + 1
