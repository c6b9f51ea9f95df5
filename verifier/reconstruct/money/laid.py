"""Who laid a chip beside a wager, and when: it may be seen only later."""

from __future__ import annotations

from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import CardHand
from verifier.reconstruct.leaning import hidden_at
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import distance


def by_player(scene: RoundScene, dwell: ChipDwell) -> bool:
    """Tell whether a player's hand may have laid a chip: no dealer's was seen there, or none before the chip was."""
    owner = scene.hands.laid_by(dwell.xy, dwell.t0)
    return owner != "dealer" or scene.hands.unlooked(dwell.xy, dwell.t0) is not None


def when_laid(scene: RoundScene, dwell: ChipDwell) -> float | None:
    """When a player laid a chip beside a wager; None where nobody's hand was there when it came, nor before.

    For a sure chip a stretch in which nobody looked is enough, since none comes by itself; so is one in which somebody
    leant over the wager, if the chip shows as it ends.
    """
    unseen = scene.hands.unlooked(dwell.xy, dwell.t0)
    if unseen is not None:
        return unseen[0]
    there = scene.hands.laid_by(dwell.xy, dwell.t0)
    if there is not None or not scene.hands.known:
        return dwell.t0
    since = max(scene.start, dwell.t0 - par.LAID_S)
    hands = scene.hands.between(since, dwell.t0, "player")
    visits = [hand.t for hand in hands if distance(hand.tip, dwell.xy) <= par.HAND_OWNER_MM]
    gap = (
        scene.hands.blind(since, dwell.t0) or _leant(scene, dwell, since)
        if dwell.mean >= par.SURE_CHIP_MEAN_P
        else None
    )
    return max(visits) if visits else None if gap is None else gap[0]


def laid_with_cards(hand: CardHand, dwell: ChipDwell, laid: float) -> float:
    """When a chip was laid that shows only later: not while its hand lacked the second card that shows before it does.

    Nobody saw that it was laid too soon, and what nobody could see accuses nobody.
    """
    since = [card.t_rest for card in hand.cards[1:2] if card.t_rest <= dwell.t0]
    return max([laid, *since]) if laid < dwell.t0 else laid


def _leant(scene: RoundScene, dwell: ChipDwell, since: float) -> tuple[float, float] | None:
    """Return the stretch after `since` in which somebody who leant over the space's wager hid a chip, too, until it
    shows.
    """
    number = scene.table.space_of_chip(dwell.xy)
    hidden = hidden_at(scene, number, since, dwell.t0) if number is not None else None
    return hidden if hidden is not None and dwell.t0 - hidden[1] <= par.HAND_LOST_S else None


def laid_before(scene: RoundScene, dwell: ChipDwell, turn: float) -> bool:
    """Tell whether a chip lay there by the dealer's `turn`: seen, or hidden, for so soon after it nothing is paid."""
    if dwell.t0 < turn:
        return True
    soon = dwell.t0 < turn + par.LAID_PAYING_S and scene.hands.blind(turn - par.LAID_TURNED_S, turn) is None
    laid = when_laid(scene, dwell) if soon else None
    return laid is not None and laid < turn
