"""What a dealer's hands do with cards and the tip receptacle between rounds, told by the readings of the acts."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import CardBurned, Cut, HandsShown, IndicatorCard, Shuffle, TipReceptacleTaken
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.acts import Reading, looks, readings, told
from verifier.reconstruct.between.declared import AT_SHOE, BURN, CUT, INSERTED, RECEPTACLE, TAKEN_AWAY, TAKEN_FIRST
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.table.zones import Xy, bounds, centre_of


def cut_of(between: Between, shuffle: Shuffle) -> Cut:
    """Return the cut after a shuffle. Where no player's hand is seen to reach in, it stays doubtful."""
    t = shuffle.t_end
    for one in told(CUT, between, t - 0.5, min(between.end, t + par.CUT_S)):
        return event(Cut, one.t0, one.t1, one.p, by="player")
    return event(Cut, t, t + par.SLACK_S, par.CUT_UNSEEN_P, by=None, occluded=True)


def indicator_appeared(between: Between, shuffle: Shuffle) -> Drafts:
    """Return that the card is taken from beside the shoe before a reshuffle; else a doubtful record, so that nobody is
    accused.
    """
    if not between.played:
        return []
    t = shuffle.t_start
    for one in told(TAKEN_AWAY, between, between.start, t)[-1:]:
        return [event(IndicatorCard, one.t0, one.t1, one.p, action="appeared", cards_remaining=None)]
    return [event(IndicatorCard, t, t, par.INDICATOR_PERHAPS_P, action="appeared", cards_remaining=None, occluded=True)]


def indicator_inserted(between: Between, shuffle: Shuffle, cut: float) -> Drafts:
    """Return that a hand of the dealer's leaves the cut stack and comes back to it before the stack goes to the
    shoe.
    """
    since, until = max(cut, shuffle.t_end), min(between.end, cut + par.SHOE_LOADED_S)
    loaded, stack = looks(between, AT_SHOE, since, until), _stack(between, shuffle, cut)
    if not loaded or stack is None:
        return []
    return [
        event(IndicatorCard, one.t1 - INSERTED.takes_s, one.t1, one.p, action="inserted", cards_remaining=None)
        for one in told(INSERTED, between, since, loaded[0] - par.INSTANT_S, {"stack": stack})[-1:]
    ]


def _stack(between: Between, shuffle: Shuffle, cut: float) -> Xy | None:
    """Where the stack lies in the inner area before it is loaded."""
    inner = [back for back in between.backs if between.table.within(back.xy, "inner")]
    late = [back.xy for back in inner if cut < back.t < cut + par.SHOE_LOADED_S]
    mixed = [back.xy for back in inner if shuffle.t_start <= back.t <= shuffle.t_end]
    return centre_of(late or mixed) if late or mixed else None


def burns_of(between: Between, shuffles: Sequence[Shuffle]) -> list[CardBurned]:
    """Return the burned cards of a stretch; a weak one where nobody looked for as long as a burn takes."""
    if "discard" not in between.table.zones:
        return []
    burns = []
    for one in burn_readings(between, shuffles):
        if one.p >= par.PERHAPS_P:
            shown = _face(between, one)
            fields = {"card": shown or "??", "face_shown": shown is not None, "occluded": one.p < 0.5}
            burns.append(event(CardBurned, one.begun, one.t0 + par.MARK_S, one.p, **fields))
    gap = between.hands.blind(between.start + par.BURN_PICKED_UP_S, between.end)
    known = gap is None or any(one.t_start < gap[1] and gap[0] < one.t_end for one in burns) or _fetched(shuffles, *gap)
    if not known and gap is not None and gap[1] - gap[0] >= par.BURN_S:
        burns.append(event(CardBurned, *gap, par.WEAK_P, card="??", face_shown=None, occluded=True))
    return burns


def burn_readings(between: Between, shuffles: Sequence[Shuffle]) -> list[Reading]:
    """Return what may be burns: not what lay or was put away there as the stretch began, nor what is fetched to be
    mixed.
    """
    found = readings(BURN, between, between.start, between.end)
    begun = between.start + par.BURN_PICKED_UP_S
    return [one for one in found if one.t0 >= begun and not _fetched(shuffles, one.t0, one.t1)]


def _fetched(shuffles: Sequence[Shuffle], t0: float, t1: float) -> bool:
    """Tell whether the cards were being fetched for a shuffle, or mixed."""
    return any(one.t_start - par.BURN_FETCHED_S < t1 and t0 < one.t_end for one in shuffles)


def _face(between: Between, burn: Reading) -> str | None:
    """Return the card whose face lies in the discard holder from a burn on, where none had lain there before."""
    since, t = burn.begun - par.BURN_SHOWN_S, burn.t0
    before = [face for face in between.faces if since <= face.t < t - par.BURN_ARRIVES_S]
    after = [face.card for face in between.faces if abs(face.t - t) <= par.BURN_SHOWN_S]
    return max(after, key=after.count) if not before and len(after) >= par.SURE_LOOKS else None


def receptacle_taken(between: Between, left: float) -> TipReceptacleTaken | None:
    """Return that a dealer's hand took the tip receptacle shortly before it left, or was lost from sight there."""
    if "tip_receptacle" not in between.table.zones:
        return None
    since = left - par.RECEPTACLE_S
    for one in readings(RECEPTACLE, between, since, left)[-1:]:
        if one.p >= 0.5:
            return event(TipReceptacleTaken, one.t0, one.t1, one.p)
    hidden = between.hands.lost_near(bounds(between.table.zones["tip_receptacle"]), since, left, par.RECEPTACLE_LOST_MM)
    return event(TipReceptacleTaken, *hidden, par.RECEPTACLE_HIDDEN_P) if hidden else None


def taken_first(between: Between, shown: HandsShown | None) -> TipReceptacleTaken | None:
    """Return that the receptacle was taken by a hand that was then shown with the other; sure where it dwelt there
    while the other was held out already.
    """
    if shown is None:
        return None
    t = shown.t_start
    for one in readings(TAKEN_FIRST, between, t - 2.0, t + par.RECEPTACLE_AFTER_S):
        dwelt = len(one.seen["at it"])
        if one.t1 >= t - par.RECEPTACLE_BEFORE_S and dwelt >= par.SURE_LOOKS:
            sure = dwelt > par.SURE_LOOKS and one.t1 >= t
            return event(TipReceptacleTaken, one.t0, one.t1, par.RECEPTACLE_FIRST_P[sure])
    return None
