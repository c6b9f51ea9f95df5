"""The order of values in a stack (99-01.3-08-09(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import ChipsFanned, WagerMoved
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check
from verifier.law.rounds import Round

STACK = "ND-08-09.3-stack-order"


@round_check(STACK, partial="keep")
def lowest_on_top(game: Round) -> Iterator[Instance]:
    """In a stack of several values the lowest lies on top: the chip first seen is no dearer than any under it."""
    for hand in game.hands:
        for kind, stake in hand.stakes.items():
            tops = [w for w in stake.placed if w.lower_bound and w.chips and len(w.chips) == 1]
            if not tops or stake.changed or len(stake.placed) > 1:
                continue
            fans = [
                f for f in game.at(ChipsFanned, hand.key) if f.owner == "wager" and f.kind in (None, kind) and f.chips
            ]
            if not fans or any(hand_key(m.from_) == hand.key for m in game.of(WagerMoved)):
                continue
            top = int(next(iter(tops[0].chips or {})))
            lowest = min(int(value) for value in fans[-1].chips or {})
            yield judged(
                STACK,
                top <= lowest,
                at=hand.place,
                key=kind,
                events=[tops[0], fans[-1]],
                expected="the chip of least value lies on top of a stack",
                observed=say.that(
                    "a chip of {top} lay on one of {lowest}", top=say.cents(top), lowest=say.cents(lowest)
                ),
            )
