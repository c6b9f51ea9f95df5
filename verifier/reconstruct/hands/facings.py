"""Which side of a hand the camera sees, over the looks that follow each other with the same answer.

A look that is in doubt tells neither that a palm was shown nor that it was not. Several that agree tell more, but they
are looks at one hand under one light: together they count as few independent ones (`parameters.FACING_WORTH`). Looks
that are sure do not answer for those in doubt beside them: the hand may have been turned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby

from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.detections import FACINGS


def agreed(looks: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """Return the facings' probabilities of each look at one hand, in order of time; looks in doubt that follow each
    other and agree have their joint ones.

    A look without any, at a hand whose facing is unknown, stays without.
    """
    joined: list[dict[str, float]] = []
    for _, run in groupby(looks, key=_answer):
        together = list(run)
        joined += [_joined(together)] * len(together)
    return joined


def _answer(look: Mapping[str, float]) -> tuple[str, bool] | None:
    """Return the likeliest facing, and whether it is sure."""
    if not look:
        return None
    likeliest = max(look, key=lambda facing: look[facing])
    return likeliest, look[likeliest] >= par.SURE_FACING_P


def _joined(looks: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of the looks' log-probabilities, scaled by what they are worth together."""
    if not looks[0]:
        return {}
    worth = min(math.sqrt(len(looks)), par.FACING_WORTH)
    logs = {
        facing: sum(math.log(max(par.FACING_FLOOR, look.get(facing, 0.0))) for look in looks) / len(looks)
        for facing in FACINGS
    }
    powers = {facing: math.exp(worth * log) for facing, log in logs.items()}
    return {facing: power / sum(powers.values()) for facing, power in powers.items()}
