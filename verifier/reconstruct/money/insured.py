"""Insurance of a space: on its line, which may cross the inner area, and then beside the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.laid import by_player
from verifier.reconstruct.money.piles import linked
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import SpaceMap, Xy, distance


def insurance_of(
    scene: RoundScene, spot: SpaceMap, by_space: Mapping[int, Sequence[ChipStay]], settle_from: float
) -> tuple[list[ChipStay], float | None]:
    """Return the visible chips of a space's insurance, and when the dealer laid it beside the cards; (none, None)
    without one.

    It is laid on the insurance line after the first cards, and the dealer then moves it: its place on the line, or in
    the inner area, is bare then, or a hand still hides it.
    """
    if spot.insurance is None:
        return [], None
    stays = [*by_space[spot.number], *_on_inner_line(scene, spot, by_space)]
    there = [*stays, *by_space.get(0, ())]
    since = _faceup_since(scene)
    line = [
        stay
        for stay in stays
        if stay.first
        and since < stay.t0 < settle_from
        and stay.t1 - stay.t0 > par.LYING_S
        and distance(stay.xy, spot.insurance) <= par.INSURANCE_MM < distance(stay.xy, spot.wager)
    ]
    if not line:
        found = _beside_cards(scene, spot, stays, (since, settle_from))[:1]
        return ([*_astray(scene, spot, stays, since, found[0]), *found], found[0].t0) if found else ([], None)
    laid = line[0]
    moved = [
        stay
        for stay in stays
        if laid.seen_to - par.TWO_LOOKS_S <= stay.t0 <= laid.t1 + par.INSURANCE_MOVE_S
        and stay is not laid
        and distance(stay.xy, spot.wager) > par.SPOT_MM
        and laid.seen_to <= stay.t0 + par.SAME_TIME_S
        and not any(
            o is not laid and distance(o.xy, laid.xy) <= par.STAKE_OWN_ROW_MM and o.at(stay.t0 + par.SAME_TIME_S)
            for o in there
        )
        and scene.hands.owner_at(stay.xy, stay.t0 - par.INSURE_BY_S, stay.t0) != "player"
    ]
    return [laid, *moved[:1]], moved[0].t0 if moved else None


def _astray(
    scene: RoundScene, spot: SpaceMap, stays: Sequence[ChipStay], since: float, moved: ChipStay
) -> list[ChipStay]:
    """Return the chip that a player laid beside its line, and that the dealer laid beside the cards from there."""
    laid = [
        stay
        for stay in stays
        if stay.first
        and since < stay.t0 < moved.t0
        and stay.t1 - stay.t0 > par.LYING_S
        and moved.t0 - par.INSURANCE_MOVE_S <= stay.seen_to <= moved.t0 + par.SAME_TIME_S
        and min(distance(stay.xy, spot.wager), distance(stay.xy, moved.xy)) > par.SPOT_MM
        and scene.hands.owner_at(stay.xy, stay.t0 - par.LAID_BY_S, stay.t0 + par.SLACK_S, par.LAID_BY_MM) == "player"
    ]
    return laid[-1:]


def _on_inner_line(scene: RoundScene, spot: SpaceMap, stays: Mapping[int, Sequence[ChipStay]]) -> list[ChipStay]:
    """Chips that a player laid on the space's insurance line where that crosses the inner area."""
    if spot.insurance is None:
        return []
    near = [stay for stay in stays.get(0, ()) if distance(stay.xy, spot.insurance) <= par.INSURANCE_MM]
    return [stay for stay in near if by_player(scene, stay)]


def insured_place(spot: SpaceMap) -> Xy:
    """Where the dealer lays a space's insurance: beside its first card."""
    return spot.cards[0] + par.INSURANCE_BESIDE_CARDS_MM[0], spot.cards[1] + par.INSURANCE_BESIDE_CARDS_MM[1]


def _faceup_since(scene: RoundScene) -> float:
    """When the dealer's faceup card came to lie: nobody insures against one that is not known."""
    up = [card.t_first for card in scene.cards if card.place == "dealer" and card.face == "up"]
    return max(scene.start + par.FIRST_LOOKS_S, min(up, default=scene.start))


def _beside_cards(
    scene: RoundScene, spot: SpaceMap, stays: Sequence[ChipStay], within: tuple[float, float]
) -> list[ChipStay]:
    """Chips that the dealer laid beside a space's cards during the decisions: an insurance whose line was hidden."""
    place = insured_place(spot)
    since, until = within
    return [
        stay
        for stay in stays
        if stay.first
        and since < stay.t0 < until
        and stay.t1 - stay.t0 > par.RESTING_S
        and distance(stay.xy, place) < min(2 * par.INSURANCE_MM, distance(stay.xy, spot.wager))
        and scene.hands.owner_at(stay.xy, stay.t0 - par.INSURE_BY_S, stay.t0 + par.SLACK_S) == "dealer"
        and not any(o is not stay and abs(o.t0 - stay.t0) <= par.INSURE_AT_ONCE_S and linked(o, stay) for o in stays)
    ]
