"""A won tip's payoff that need not have shown: the dealer's hands were over its place until it went, or for a while."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.cleared import clear_stretch
from verifier.reconstruct.money.fetched import brought
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import distance


def covered(scene: RoundScene, own: Pile) -> bool:
    """Tell whether the dealer's hands were beside a won tip until it went, or since one may have laid its payoff
    there.
    """
    places = [(dwell.xy[0] + par.UNSEEN_PAYOFF_BESIDE_MM, dwell.xy[1]) for dwell in own.dwells]
    stretch = clear_stretch(scene, places, own.since + par.UNSEEN_PAYOFF_PAID_S)
    return stretch is None or stretch[0] >= _gone(own) or hidden_payoff(scene, own, _gone(own)) is not None


def shown_late(scene: RoundScene, own: Pile, shown: float) -> tuple[float, str | None] | None:
    """When and with which hand a payoff had been laid beside a tip that showed long after; None where it showed."""
    laid = next(_visits(scene, own, shown), None)
    return laid if laid is not None and shown - laid[0] > par.UNSEEN_PAYOFF_LATE_S else None


def hidden_payoff(scene: RoundScene, own: Pile, until: float) -> tuple[float, str] | None:
    """When and with which hand a payoff was brought from the tray to beside a tip, where it lay hidden until then."""
    return next(((t, side) for t, side in _visits(scene, own, until) if side is not None), None)


def _visits(scene: RoundScene, own: Pile, until: float) -> Iterator[tuple[float, str | None]]:
    """When hands, and which, came from the tray to beside a tip, a place that was hidden from then on until `until`."""
    beside = (own.dwells[0].xy[0] + par.UNSEEN_PAYOFF_BESIDE_MM, own.dwells[0].xy[1])
    for hand in scene.hands.between(own.since, until, "dealer"):
        if distance(hand.tip, beside) > par.HAND_OWNER_MM:
            continue
        side, at_tray = brought(scene, [beside], hand.t)
        if at_tray is None or at_tray < own.since - par.UNSEEN_PAYOFF_PAID_S:
            continue
        bare = clear_stretch(scene, [beside], hand.t + par.UNSEEN_PAYOFF_LEAVES_S)
        if bare is None or bare[0] >= until - par.UNSEEN_PAYOFF_SHOWS_S:
            yield hand.t, side


def _gone(own: Pile) -> float:
    return min(dwell.seen_to for dwell in own.dwells)
