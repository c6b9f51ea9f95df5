"""Things that stand about on a table and have no part in play: cups, phones, keys."""

from __future__ import annotations

import math
from typing import Final

from verifier.domain.places import space
from verifier.simulate.motion import distance
from verifier.simulate.play.spots import stake_spot
from verifier.simulate.scene import Vec
from verifier.simulate.stage import Stage

_KINDS: Final[dict[str, Vec]] = {
    "cup": (78.0, 78.0), "glass": (66.0, 66.0), "phone": (72.0, 150.0), "keys": (60.0, 45.0), "napkin": (110.0, 110.0),
    "ashtray": (95.0, 95.0),
}  # fmt: skip
_RADIUS_MM: Final = (775.0, 830.0)
_APART_MM: Final = 125.0
"""Nearest distance of a thing's middle to a wager spot: hands, stakes and payoffs keep their room."""
_ROWS_MM: Final = (0.0, 75.0, 150.0)
"""Payoffs are spread so far to the dealer's right of a wager spot."""
_TIPS_MM: Final = 105.0
"""Nearest distance of a thing's middle to a tip or a doubled tip: half of a phone's length, and a chip's."""
_STEP: Final = math.radians(4.0)


def put_things(stage: Stage) -> None:
    """Put up to three things along the rail, clear of the betting spaces."""
    rng = stage.rng
    taken = [spots.wager for spots in stage.plan.spaces.values()]
    taken += [(x + 75.0, y) for x, y in taken]
    for _ in range(rng.choice((0, 0, 1, 2, 3))):
        kind = rng.choice([*_KINDS])
        for _ in range(12):
            turn, radius = math.radians(rng.uniform(-72.0, 72.0)), rng.uniform(*_RADIUS_MM)
            at = _at(turn, radius)
            if all(distance(at, spot) > _APART_MM for spot in taken):
                stage.prop(kind, (*_beside_rows(stage, turn, radius), 0.0, rng.uniform(0.0, 360.0)), _KINDS[kind], 0.0)
                taken.append(at)
                break


def _at(turn: float, radius: float) -> Vec:
    return radius * math.sin(turn), 300.0 - radius * math.cos(turn)


def _beside_rows(stage: Stage, turn: float, radius: float) -> Vec:
    """Return the rail's place nearest to a turn (radians) clear of payoffs' rows and tips, without a random draw."""
    spaces = stage.plan.spaces
    rows = [(spot.wager[0] + along, spot.wager[1]) for spot in spaces.values() for along in _ROWS_MM]
    tips = [stake_spot(stage.plan, space(number), kind) for number in spaces for kind in ("tip", "tip_double")]
    turns = sorted((turn + step * _STEP for step in range(-18, 19)), key=lambda other: abs(other - turn))
    places = [_at(other, radius) for other in turns]
    room = [*((spot, _APART_MM) for spot in rows), *((spot, _TIPS_MM) for spot in tips)]
    clear = (at for at in places if all(distance(at, spot) > apart for spot, apart in room))
    return next(clear, places[0])
