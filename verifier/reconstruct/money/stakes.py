"""Stakes of a round: what lay on each betting space before the first card, and what was added or changed after it.

From above a stack shows its top chip only, so an amount read before a fan is a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from verifier.domain.places import space as space_text
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import Layout
from verifier.reconstruct.money.insured import insurance_of
from verifier.reconstruct.money.laid import by_player, laid_before, laid_with_cards, when_laid
from verifier.reconstruct.resting.chip_dwells import ChipDwell, lying
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import SpaceMap, depth, distance

TIPS = ("tip", "tip_double")


@dataclass
class Stake:
    """A stake from its placing on; `dwells` are its visible chips until settlement."""

    kind: str
    space: int
    place: str
    dwells: list[ChipDwell] = field(default_factory=list)
    insured_at: float | None = None
    """Insurance: when the dealer laid it beside the cards."""
    held: ChipDwell | None = None
    """Where the dealer laid it on the cards of a bust held aside."""
    upon: list[ChipDwell] = field(default_factory=list)
    """The dwells of its visible chip there, if it was seen there."""
    laid: float | None = None
    """When a player's hand laid it, where its chip was seen only later."""

    @property
    def placed(self) -> float:
        """When it was laid."""
        return self.dwells[0].t0 if self.laid is None else self.laid

    @property
    def last(self) -> ChipDwell:
        """Its visible chip before settlement: of those that lay longest, the one that came last."""
        return self.held or max(reversed(self.dwells), key=lambda dwell: dwell.t1)

    @property
    def anchor(self) -> tuple[float, float]:
        """Where it lies."""
        return self.last.xy

    @property
    def changes(self) -> list[float]:
        """When its visible chip changed.

        One that reads as the one before, and shows where that lay whose place was not bare yet, is that one.
        """
        return [after.t0 for before, after in pairwise(self.dwells) if not _same_chip(before, after)]

    @property
    def gone(self) -> float:
        """When its place was first seen bare (infinite while it lies there)."""
        return self.last.t1


def _same_chip(before: ChipDwell, after: ChipDwell) -> bool:
    near = distance(before.xy, after.xy) <= par.UNTOUCHED_MM
    other_face = bool(before.faces and after.faces) and before.faces[-1][0] != after.faces[0][0]
    return near and before.cents == after.cents and after.t0 < before.t1 and not other_face


def left_bare(stake: Stake, dwells: Iterable[ChipDwell], others: Sequence[ChipDwell] = ()) -> bool:
    """Tell whether nothing lay at a stake's place once its visible chip was gone from there (no row grew out of it).

    A row may begin where the chip next to the stake's place is not seen; the chips of `others` are no row of it.
    """
    last = stake.last
    there = [s for s in dwells if s is not last and s.at(last.t1 + par.SAME_TIME_S)]
    return not any(
        distance(s.xy, last.xy) <= par.STAKE_OWN_ROW_MM or (s not in others and _grown(last, s)) for s in there
    )


def _grown(last: ChipDwell, dwell: ChipDwell) -> bool:
    """Tell whether a chip came to lie in line with a stake toward the dealer, and stayed, as the stake was spread.

    Where the first chip of the row is like the one on top of the stack, it seems to lie on all the while.
    """
    dx, dy = abs(dwell.xy[0] - last.xy[0]), dwell.xy[1] - last.xy[1]
    spread = last.t0 < dwell.t0 <= last.t1 + par.STAKE_SPREAD_S and dwell.seen_to - dwell.t0 >= 2.0
    return spread and dx < par.COLUMN_MM and 0.0 < dy <= par.STAKE_SPREAD_MM


def find_stakes(
    scene: RoundScene, layout: Layout, settle_from: float, dwells: dict[int, list[ChipDwell]]
) -> list[Stake]:
    """Stakes of all spaces: originals and tips of before the first card, doubles and splits added during decisions.

    None at spaces whose wager spot the layout does not have: nobody knows there which chip is a stake.
    """
    stakes: list[Stake] = []
    drawn = [(number, spot) for number, spot in sorted(scene.table.spaces.items()) if spot.drawn]
    for number, spot in drawn:
        early = _before_cards(scene, spot, dwells[number])
        stakes += early
        if layout.space(number):
            if scene.begun and not any(stake.kind == "original" for stake in early):
                stakes += _late_wager(scene, spot, dwells[number], settle_from)
            chips, moved_at = insurance_of(scene, spot, dwells, settle_from)
            insured = [Stake("insurance", number, space_text(number), chips, moved_at)] if chips else []
            others = [dwell for dwell in dwells[number] if all(dwell not in stake.dwells for stake in insured)]
            stakes += _added(scene, layout, spot, others, settle_from) + insured
    return stakes


def _before_cards(scene: RoundScene, spot: SpaceMap, dwells: Sequence[ChipDwell]) -> list[Stake]:
    there = lying(dwells, scene.start + par.FIRST_LOOKS_S)
    result = []
    wagers = _on_wager(spot, there)
    tips = _on_tip(spot, there) or (_tips_astray(scene, spot, there) if wagers else [])
    for kind, dwells_of in (("original", wagers), ("tip", tips)):
        if dwells_of:
            result.append(Stake(kind, spot.number, space_text(spot.number), dwells_of))
    return result


def _late_wager(scene: RoundScene, spot: SpaceMap, dwells: Sequence[ChipDwell], until: float) -> list[Stake]:
    """Return a wager first seen after the first card, on a spot that had been bare: a player set it down then.

    Where no hand was near as it came into sight it had lain there.
    """
    fresh = [
        (dwell, owner)
        for dwell in _on_wager(spot, dwells)
        if scene.start + par.FIRST_LOOKS_S < dwell.t0 < until
        and dwell.first
        and dwell.t1 - dwell.t0 > par.STAKE_LEFT_OVER_S
        for owner in [scene.hands.laid_by(dwell.xy, dwell.t0)]
        if owner == "player" or (owner is None and scene.hands.known)
    ]
    return [
        Stake(
            "original",
            spot.number,
            space_text(spot.number),
            [dwell],
            laid=None if owner else scene.start - par.INSTANT_S,
        )
        for dwell, owner in fresh[:1]
    ]


def _on_wager(spot: SpaceMap, dwells: Iterable[ChipDwell]) -> list[ChipDwell]:
    return [s for s in dwells if distance(s.xy, spot.wager) <= par.SPOT_MM and not _tip_nearer(spot, s)]


def _on_tip(spot: SpaceMap, dwells: Iterable[ChipDwell]) -> list[ChipDwell]:
    return [s for s in dwells if _tip_nearer(spot, s)]


def _tips_astray(scene: RoundScene, spot: SpaceMap, there: Iterable[ChipDwell]) -> list[ChipDwell]:
    """Return a chip that a player laid against the betting space from outside, where no tip belongs, and the dealer
    took.

    Chips of the player's own may lie there, too: only the dealer's hand tells that it was a bet.
    """
    if spot.wager_zone is None:
        return []
    beside = [
        dwell
        for dwell in there
        if abs(-depth(dwell.xy, spot.wager_zone) - par.CHIP_RADIUS_MM) <= par.STAKE_TOUCHING_MM
        and dwell.first
        and dwell.t0 > scene.since + par.STAKE_LEFT_OVER_S
        and scene.hands.laid_by(dwell.xy, dwell.t0) == "player"
        and scene.hands.took(dwell.xy, dwell.seen_to) == "dealer"
    ]
    return beside if len(beside) == 1 else []


def _tip_nearer(spot: SpaceMap, dwell: ChipDwell) -> bool:
    if spot.tip is None:
        return False
    gap = distance(dwell.xy, spot.tip)
    return gap <= par.TIP_MM and gap < distance(dwell.xy, spot.wager)


def _added(
    scene: RoundScene, layout: Layout, spot: SpaceMap, dwells: Sequence[ChipDwell], settle_from: float
) -> list[Stake]:
    """Stakes placed beside the wager after the first card, nearest first in time."""
    reach = par.STAKE_BESIDE_MM * max(2, len(layout.space(spot.number)) - 1) / 2
    fresh = [
        dwell
        for dwell in dwells
        if scene.start + par.FIRST_LOOKS_S < dwell.t0
        and dwell.first
        and par.SPOT_MM < distance(dwell.xy, spot.wager) <= (2 * reach if _beside_tip(spot, dwell) else reach)
        and not _tip_nearer(spot, dwell)
        and dwell.t1 - dwell.t0 > par.RESTING_S
        and (dwell.n >= par.NEW_COLOUR_LOOKS or dwell.mean >= par.SURE_CHIP_MEAN_P)
        and by_player(scene, dwell)
        and laid_before(scene, dwell, settle_from)
    ]
    if not fresh:
        return []
    tipped = any(_tip_nearer(spot, dwell) for dwell in lying(dwells, scene.start + par.FIRST_LOOKS_S))
    splits = [(one.t1, one.target) for one in layout.splits if one.source.startswith(space_text(spot.number))]
    natural = any(hand.natural for hand in layout.space(spot.number))
    result: list[Stake] = []
    for dwell in fresh:
        same = next((stake for stake in result if distance(stake.anchor, dwell.xy) <= par.SPOT_MM), None)
        if same is not None:
            same.dwells.append(dwell)
            continue
        laid = when_laid(scene, dwell)
        if laid is None or (natural and laid < dwell.t0):  # nobody saw it laid: then it is its payoff
            continue
        laid = laid_with_cards(layout.space(spot.number)[0], dwell, laid)
        split = next((target for t, target in splits if laid < t + 1.0 and not _taken(result, target)), None)
        kind, place = "double", _doubled_place(layout, spot.number, laid)
        if tipped and _beside_tip(spot, dwell):
            kind, place = "tip_double", space_text(spot.number)
        elif split is not None:
            kind, place = "split", split
        result.append(Stake(kind, spot.number, place, [dwell], laid=laid if laid < dwell.t0 else None))
    return result


def _beside_tip(spot: SpaceMap, dwell: ChipDwell) -> bool:
    """Tell whether a chip was set beside the tip rather than beside the wager."""
    return spot.tip is not None and distance(dwell.xy, spot.tip) < min(
        par.TIP_DOUBLE_MM, distance(dwell.xy, spot.wager)
    )


def _taken(stakes: Iterable[Stake], place: str) -> bool:
    return any(stake.place == place for stake in stakes)


def _doubled_place(layout: Layout, number: int, laid: float) -> str:
    """Return the hand that is dealt the space's next card after its chip was laid, else the hand that lies nearest."""
    dealings = [d for d in layout.dealings if d.hand.number == number and d.card.t_rest > laid]
    return dealings[0].place if dealings else space_text(number)


def follow(scene: RoundScene, stakes: Iterable[Stake], dwells: dict[int, list[ChipDwell]], settle_from: float) -> None:
    """Add to each stake the later readings of its spot until settlement, where a player's hand altered it."""
    for stake in stakes:
        if stake.kind not in ("original", "tip"):
            continue
        for dwell in dwells[stake.space]:
            late = scene.start + par.FIRST_LOOKS_S < dwell.t0 < settle_from and dwell not in stake.dwells
            on_top = distance(dwell.xy, stake.anchor) <= par.STAKE_ON_TOP_MM and dwell.t1 >= stake.last.t1
            if late and on_top and by_player(scene, dwell):
                stake.dwells.append(dwell)
