"""Insurance of a space: on its line, which may cross the inner area, and then beside the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.laid import by_player
from verifier.reconstruct.resting.chip_dwells import ChipDwell, linked
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import SpaceMap, Xy, distance


def insurance_of(
    scene: RoundScene, spot: SpaceMap, by_space: Mapping[int, Sequence[ChipDwell]], settle_from: float
) -> tuple[list[ChipDwell], float | None]:
    """Return the visible chips of a space's insurance, and when the dealer laid it beside the cards; (none, None)
    without one.

    It is laid on the insurance line after the first cards, and the dealer then moves it: its place on the line, or in
    the inner area, is bare then, or a hand still hides it.
    """
    if spot.insurance is None:
        return [], None
    dwells = [*by_space[spot.number], *_on_inner_line(scene, spot, by_space)]
    there = [*dwells, *by_space.get(0, ())]
    since = _faceup_since(scene)
    line = [
        dwell
        for dwell in dwells
        if dwell.first
        and since < dwell.t0 < settle_from
        and dwell.t1 - dwell.t0 > par.LYING_S
        and distance(dwell.xy, spot.insurance) <= par.INSURANCE_MM < distance(dwell.xy, spot.wager)
    ]
    if not line:
        found = _beside_cards(scene, spot, dwells, (since, settle_from))[:1]
        return ([*_astray(scene, spot, dwells, since, found[0]), *found], found[0].t0) if found else ([], None)
    laid = line[0]
    moved = [
        dwell
        for dwell in dwells
        if laid.seen_to - par.TWO_LOOKS_S <= dwell.t0 <= laid.t1 + par.INSURANCE_MOVE_S
        and dwell is not laid
        and distance(dwell.xy, spot.wager) > par.SPOT_MM
        and laid.seen_to <= dwell.t0 + par.SAME_TIME_S
        and not any(
            o is not laid and distance(o.xy, laid.xy) <= par.STAKE_OWN_ROW_MM and o.at(dwell.t0 + par.SAME_TIME_S)
            for o in there
        )
        and scene.hands.laid_by(dwell.xy, dwell.t0) != "player"
    ]
    return [laid, *moved[:1]], moved[0].t0 if moved else None


def _astray(
    scene: RoundScene, spot: SpaceMap, dwells: Sequence[ChipDwell], since: float, moved: ChipDwell
) -> list[ChipDwell]:
    """Return the chip that a player laid beside its line, and that the dealer laid beside the cards from there."""
    laid = [
        dwell
        for dwell in dwells
        if dwell.first
        and since < dwell.t0 < moved.t0
        and dwell.t1 - dwell.t0 > par.LYING_S
        and moved.t0 - par.INSURANCE_MOVE_S <= dwell.seen_to <= moved.t0 + par.SAME_TIME_S
        and min(distance(dwell.xy, spot.wager), distance(dwell.xy, moved.xy)) > par.SPOT_MM
        and scene.hands.laid_by(dwell.xy, dwell.t0) == "player"
    ]
    return laid[-1:]


def _on_inner_line(scene: RoundScene, spot: SpaceMap, dwells: Mapping[int, Sequence[ChipDwell]]) -> list[ChipDwell]:
    """Chips that a player laid on the space's insurance line where that crosses the inner area."""
    if spot.insurance is None:
        return []
    near = [dwell for dwell in dwells.get(0, ()) if distance(dwell.xy, spot.insurance) <= par.INSURANCE_MM]
    return [dwell for dwell in near if by_player(scene, dwell)]


def insured_place(spot: SpaceMap) -> Xy:
    """Where the dealer lays a space's insurance: beside its first card."""
    return spot.cards[0] + par.INSURANCE_BESIDE_CARDS_MM[0], spot.cards[1] + par.INSURANCE_BESIDE_CARDS_MM[1]


def _faceup_since(scene: RoundScene) -> float:
    """When the dealer's faceup card came to lie: nobody insures against one that is not known."""
    up = [card.t_first for card in scene.cards if card.place == "dealer" and card.face == "up"]
    return max(scene.start + par.FIRST_LOOKS_S, min(up, default=scene.start))


def _beside_cards(
    scene: RoundScene, spot: SpaceMap, dwells: Sequence[ChipDwell], within: tuple[float, float]
) -> list[ChipDwell]:
    """Chips that the dealer laid beside a space's cards during the decisions: an insurance whose line was hidden."""
    place = insured_place(spot)
    since, until = within
    return [
        dwell
        for dwell in dwells
        if dwell.first
        and since < dwell.t0 < until
        and dwell.t1 - dwell.t0 > par.RESTING_S
        and distance(dwell.xy, place) < min(2 * par.INSURANCE_MM, distance(dwell.xy, spot.wager))
        and scene.hands.laid_by(dwell.xy, dwell.t0) == "dealer"
        and not any(
            o is not dwell and abs(o.t0 - dwell.t0) <= par.INSURE_AT_ONCE_S and linked(o, dwell) for o in dwells
        )
    ]
