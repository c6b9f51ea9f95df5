"""Players' hand signals: visits of a player's hand to its space during the decisions, told apart by shape and motion.

A hit is a pointing hand that taps almost in place; a stand is a flat hand waved side to side. Chips set beside the
wager are a double, or a split where the pair is then laid apart or two fingers are shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from statistics import median, median_low

from verifier.domain.events import HandSignal
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.touches import touch_of
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.gestures.visits import Visit, seen_in_part, visits
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.zones import SpaceMap


def wave(visit: Visit, spot: SpaceMap) -> float:
    """Extent of the hand's movement across the player's line of reach, in millimetres.

    Coming and going, which move along that line, are left out, and outliers of long visits.
    """
    ox, oy = spot.outward
    along = [hand.sway[0] * ox + hand.sway[1] * oy for hand in visit.hands]
    middle = median_low(along)
    across = sorted(
        hand.sway[0] * -oy + hand.sway[1] * ox
        for hand, out in zip(visit.hands, along, strict=True)
        if abs(out - middle) <= par.SIGNAL_ALONG_MM
    )
    drop = 1 if len(across) >= par.WAVE_OUTLIER_LOOKS else 0
    return across[-1 - drop] - across[drop]


def fingers(visit: Visit) -> float | None:
    """Median count of extended fingers."""
    counts = [hand.fingers for hand in visit.hands if hand.fingers is not None]
    return median(counts) if counts else None


def shows_two(visit: Visit) -> bool:
    """Tell whether two fingers are held up: by the keypoints of the frames that tell, else by the median count."""
    told = [hand.two for hand in visit.hands if hand.two is not None]
    if len(told) >= par.SIGNAL_LEAST_LOOKS:
        return sum(told) > len(told) / 2
    shown = fingers(visit)
    return shown is not None and par.TWO_FINGERS_LEAST <= shown <= par.TWO_FINGERS_MOST


def stand_score(visit: Visit, spot: SpaceMap) -> float:
    """Log odds of stand against hit, from the wave's extent and the fingers."""
    score = min(par.WAVE_MOST_ODDS, max(-par.WAVE_MOST_ODDS, (wave(visit, spot) - par.WAVE_MM) / par.WAVE_SPREAD_MM))
    shown = fingers(visit)
    if shown is not None:
        score += min(2.0, max(-2.0, (shown - par.FINGERS_EVEN) * par.FINGERS_ODDS))
    return score


def signal_events(scene: RoundScene, layout: Layout, stakes: Sequence[Stake], until: float) -> Drafts:
    """`hand_signal` and `touch` events of all spaces."""
    drafts: Drafts = []
    for number, spot in scene.table.spaces.items():
        hands = layout.space(number)
        if hands:
            drafts += _of_space(scene, layout, [s for s in stakes if s.space == number], spot, until)
    return drafts


def stood_at(layout: Layout, signals: Drafts) -> frozenset[str]:
    """Return the places whose players surely signed to stand, with all their cards before them."""
    dealt = {hand.place: max(card.t_rest for card in hand.cards) for hand in layout.hands if hand.cards}
    stands = (one for one in signals if isinstance(one, HandSignal) and one.meaning == "stand" and not one.weak)
    return frozenset(one.at for one in stands if one.t_end > dealt.get(one.at, -math.inf))


def _of_space(scene: RoundScene, layout: Layout, stakes: Sequence[Stake], spot: SpaceMap, until: float) -> Drafts:
    dealt = [d for d in layout.dealings if d.hand.number == spot.number]
    times = [d.card.t_rest for d in dealt]
    if len(times) < 2:
        return []
    added = [stake for stake in stakes if stake.kind in ("double", "split")]
    hands = layout.space(spot.number)
    parted = [xy for hand in hands for card in hand.cards for xy, _, _ in card.dwells[-1:] if len(hands) > 1]
    found = visits(scene, spot, times[0], until, times[2:], parted)
    drafts: Drafts = [_asked(layout, stake, found) for stake in added]
    gestures: list[Visit] = []
    for before, visit in zip([None, *found], found, strict=False):
        touch = touch_of(scene, layout.space(spot.number), visit.hands)
        came = (before is None or visit.t0 - before.t1 > par.VISIT_GAP_S) and len(visit.hands) > 1
        asked = came and any(visit.t0 + par.SIGNAL_LEAST_S < t <= visit.t1 + par.SIGNAL_SOON_S for t in times[2:])
        if touch is not None:
            drafts.append(touch)
        elif (asked or _lasts(scene, visit, spot)) and visit.t1 >= times[1] - par.TWO_LOOKS_S:
            gestures.append(visit)
    later = [stake for stake in stakes if stake.kind in ("double", "split", "tip_double", "insurance")]
    laid = [stake for stake in later if stake.insured_at != stake.dwells[0].t0]  # not first seen as the dealer laid it
    unseen = [stake for stake in later if stake not in laid]
    gestures = [
        one
        for one in gestures
        if not (_adding(laid, one) or _collecting(layout, stakes, one) or _laying(scene, unseen, one, spot))
        and not _changing(stakes, one, times[2:])
        and not _handling(one, times[2:])
    ]
    stood: set[str] = set()
    for visit, following in zip_longest(gestures, gestures[1:]):
        drafts += _hit_or_stand(layout, visit, spot, stood, following, part=seen_in_part(scene, visit, spot.number))
    return drafts


def _lasts(scene: RoundScene, visit: Visit, spot: SpaceMap) -> bool:
    """Tell whether a visit is long enough for a gesture, as far as it was to be seen."""
    part = len(visit.hands) >= par.SIGNAL_IN_PART_LOOKS and seen_in_part(scene, visit, spot.number)
    return part or visit.t1 - visit.t0 >= par.SIGNAL_LEAST_S


def _hit_or_stand(
    layout: Layout, visit: Visit, spot: SpaceMap, stood: set[str], following: Visit | None, *, part: bool
) -> Drafts:
    """Return the gesture of a visit; one that may be either is written as both, weakly.

    What it meant is told by its shape, and by what followed where no further visit stands between: a card for the hand
    whose turn it was, or none for it, a card for another hand of the space at the latest.
    """
    later = [d for d in layout.dealings if d.hand.number == spot.number and d.card.t_rest > visit.t1 - par.SLACK_S]
    at = _active(layout, spot.number, visit.t1, stood)
    asked = later[0].place if later else at
    over = later[0].card.t_rest if later else math.inf
    last = following is None or following.t0 > over - par.SAME_TIME_S
    score = stand_score(visit, spot) + (
        0.0 if not last else -par.SIGNAL_ANSWER_ODDS if later and asked == at else par.SIGNAL_ANSWER_ODDS
    )
    if abs(score) < par.SIGNAL_LEAST_ODDS:
        return [
            _signal(visit.t0, visit.t1, asked, "hit", par.WEAK_P),
            _signal(visit.t0, visit.t1, at, "stand", par.WEAK_P),
        ]
    p = min(most_sure(visit, part=part), 1.0 / (1.0 + math.exp(-abs(score))))
    if score < 0:
        return [_signal(visit.t0, visit.t1, asked, "hit", p)]
    stood.add(at)
    return [_signal(visit.t0, visit.t1, at, "stand", p)]


def most_sure(visit: Visit, *, part: bool) -> float:
    """How probable a gesture may be by how much of it was seen; `part` of it was not to be seen."""
    if len(visit.hands) >= par.SIGNAL_LEAST_LOOKS or (
        len(visit.hands) > par.SIGNAL_IN_PART_LOOKS and visit.t1 - visit.t0 >= par.SIGNAL_LONG_S
    ):
        return par.SIGNAL_P
    return par.SIGNAL_PART_P if part and len(visit.hands) >= par.SIGNAL_IN_PART_LOOKS else par.WEAK_P


def _adding(added: Sequence[Stake], visit: Visit) -> bool:
    """Tell whether chips were set beside the wager in this visit, or right after it (two fingers, then the chips).

    A hand seen for a few looks shortly before an insurance is laid came to lay it: decisions are made after that.
    """
    two, brief = shows_two(visit), len(visit.hands) < par.SIGNAL_LEAST_LOOKS
    for stake in added:
        reach = par.INSURANCE_MOVED_S if two or (brief and stake.kind == "insurance") else par.CHIPS_ADDED_S
        if visit.t0 - par.THREE_LOOKS_S <= stake.placed <= visit.t1 + reach:
            return True
    return False


def _changing(stakes: Sequence[Stake], visit: Visit, dealt: Sequence[float]) -> bool:
    """Tell whether a stake was changed in a visit, or right after it: that is what the hand did there.

    In one of many looks it may have asked for a card as well, if one came soon.
    """
    changed = [t for stake in stakes for t in stake.changes]
    asked = len(visit.hands) >= par.SIGNAL_LEAST_LOOKS and any(
        visit.t0 < t <= visit.t1 + par.SIGNAL_SOON_S for t in dealt
    )
    return not asked and any(visit.t0 - par.THREE_LOOKS_S <= t <= visit.t1 + par.CHIPS_ADDED_S for t in changed)


def _handling(visit: Visit, dealt: Sequence[float]) -> bool:
    """Tell whether a closed hand came for a moment and got no card: it handled chips, which need not show."""
    brief = fingers(visit) == 0 and visit.t1 - visit.t0 < par.SIGNAL_LONG_S
    return brief and not any(visit.t0 < t <= visit.t1 + par.SIGNAL_SOON_S for t in dealt)


def _laying(scene: RoundScene, unseen: Sequence[Stake], visit: Visit, spot: SpaceMap) -> bool:
    """Tell whether a visit that was seen in part came shortly before the dealer took an insurance that nobody saw
    laid.
    """
    soon = any(0.0 <= stake.dwells[0].t0 - visit.t1 <= par.INSURANCE_MOVED_S for stake in unseen)
    return soon and seen_in_part(scene, visit, spot.number)


def _collecting(layout: Layout, stakes: Sequence[Stake], visit: Visit) -> bool:
    """Tell whether a hand's stake went in this visit, or just before, and its cards with it: it was the dealer's hand.

    A stake that was seen after the visit did not go in it.
    """
    return any(
        visit.t0 - par.COLLECTED_S <= stake.gone <= visit.t1 + 0.5
        and stake.gone <= gone <= stake.gone + par.SIGNAL_GONE_S
        for stake in stakes
        if stake.last.seen_to <= visit.t1
        for hand in layout.space(stake.space)
        for gone in [card.gone for card in hand.cards if hand.place == stake.place and card.gone is not None]
    )


def _asked(layout: Layout, stake: Stake, found: Sequence[Visit]) -> HandSignal:
    """Return the signal that an added stake is in itself, with the visits in which it was made."""
    t = stake.placed
    near = [visit for visit in found if _adding([stake], visit)]
    start = min([t - par.SIGNAL_ADDED_S, *[visit.t0 for visit in near]])
    source = next((one.source for one in layout.splits if one.target == stake.place), stake.place)
    return _signal(start, max(start, t - par.TWO_LOOKS_S), source, stake.kind, par.SURELY_SEEN_P)


def _signal(t0: float, t1: float, at: str, meaning: str, p: float) -> HandSignal:
    return event(HandSignal, t0, t1, p, at=at, meaning=meaning)


def _active(layout: Layout, number: int, t: float, stood: set[str]) -> str:
    """Return the hand whose turn it is at `t`: of the hands that lie there and have not stood, the one dealt to last.

    Before any was dealt to after a split, the first.
    """
    hands = sorted(layout.space(number), key=lambda hand: hand.index)
    open_hands = [hand for hand in hands if _plays(hand, t) and hand.place not in stood]
    dealt = [(_dealt_last(hand, t), -hand.index, hand.place) for hand in open_hands]
    return max(dealt)[2] if dealt else hands[0].place


def _plays(hand: CardHand, t: float) -> bool:
    gone = [card.gone for card in hand.cards if card.gone is not None]
    busted = len(gone) == len(hand.cards) and max(gone, default=t) < t
    return not busted and (hand.split_at is None or hand.index == 0 or hand.split_at < t)


def _dealt_last(hand: CardHand, t: float) -> float:
    """When a hand last got a card before `t`, those before its split left out (0.0: none)."""
    since = hand.split_at or 0.0
    return max((card.t_rest for card in hand.cards if since < card.t_rest <= t), default=0.0)
