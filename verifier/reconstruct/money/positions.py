"""Where stakes lie within their spaces: insurance on its line, a tip at the edge, a split wager beside the original."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.positions import UNSEEN, Found, at_lower_left, horizontal, on_line


def position_of(scene: RoundScene, stake: Stake, stakes: Iterable[Stake]) -> Found:
    """The place of a stake as it was laid; unseen where the law names none, or where it was seen only later."""
    spot, laid = scene.table.spaces[stake.space], stake.stays[0]
    if stake.kind == "insurance":
        return UNSEEN if stake.insured_at is not None and laid.t0 >= stake.insured_at else on_line(spot, laid.xy)
    if stake.kind == "tip":
        return at_lower_left(spot, laid.xy)
    if stake.kind == "split":
        original = [other for other in stakes if other.kind == "original" and other.space == stake.space]
        return horizontal(spot, _lay(original[0].stays, laid.t0).xy, laid.xy) if original else UNSEEN
    return UNSEEN


def _lay(stays: Sequence[ChipStay], t: float) -> ChipStay:
    """What lay of a stake at `t`."""
    return next((stay for stay in reversed(stays) if stay.t0 <= t), stays[0])
