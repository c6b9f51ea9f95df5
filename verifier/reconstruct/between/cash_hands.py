"""Cash that no look showed: the hands that handle bills tell that there were some, and that they left them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from verifier.domain.events import CurrencyDropped, CurrencySpread
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.cash import looked_in_vain
from verifier.reconstruct.between.chip_groups import ChipGroup
from verifier.reconstruct.between.drop_box import Stretch, at_drop, unseen_drop
from verifier.reconstruct.scene import Between, Drafts, event, hands_clear
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.zones import Xy, centre_of, distance


def told_by_hands(between: Between, given: ChipGroup, taken: float, chips: Drafts) -> Drafts:
    """Return what the hands tell of the bills, with the events of the chips `given` in between, which were `taken`
    then.
    """
    picked = _handed_over(between, taken)
    spread = _spread(between, picked, taken)
    drop = _dropped(between, given)
    signs = sum(sign is not None for sign in (picked, spread, drop))
    drafts: Drafts = []
    if signs:
        begin, end = _when_spread(given, picked, spread)
        most = par.DROPPED_P[1] if looked_in_vain(between, taken, given.t1) else 1.0
        p = par.WEAK_P if drop is None else min(most, par.DROPPED_P[signs])
        drafts.append(event(CurrencySpread, begin, end, p, bills=None, cents=None, occluded=drop is None))
    worked = spread or _at_work(between, given, signs)
    if worked:
        drafts += _left_alone(between, worked, taken)
    drafts += chips
    if drop is not None:
        drafts.append(event(CurrencyDropped, *drop, par.WELL_SEEN_P, what="currency", cents=None))
    elif signs and "drop" not in between.table.zones:
        drafts.append(unseen_drop(given.t1 + 2.0))
    return drafts


def _handed_over(between: Between, until: float) -> HandDetection | None:
    """Return the dealer's hand where a player's had just been, as far in as cards lie."""
    since = max(between.start, until - par.CASH_BEFORE_S)
    laid = [hand for hand in between.hands.between(since, until, "player") if _reaches_in(between, hand.tip)]
    for hand in between.hands.between(since, until, "dealer"):
        for player in laid:
            if 0.0 < hand.t - player.t < par.CASH_PICKED_S and distance(hand.tip, player.tip) < par.CASH_PICKED_MM:
                return hand
    return None


def _reaches_in(between: Between, tip: Xy) -> bool:
    """Tell whether a player's fingertips reach as near to the dealer as the cards of the nearest space lie."""
    inner = centre_of(between.table.zones["inner"])
    space = min(between.table.spaces.values(), key=lambda spot: distance(spot.cards, tip))
    return distance(tip, inner) <= distance(space.cards, inner) + par.CASH_SIDE_MM


def _spread(between: Between, picked: HandDetection | None, until: float) -> list[HandDetection] | None:
    """Return the looks at the dealer's hand that worked in the inner area after it had picked up the bills."""
    if picked is None:
        return None
    side = picked.side
    work = [
        hand
        for hand in between.hands.between(picked.t, until, "dealer")
        if hand.side in (side, "unknown")
        and between.table.within(hand.tip, "inner")
        and hand.t > picked.t + par.SLACK_S
    ]
    moving = _moving(work)
    return moving if len(moving) >= par.SURE_LOOKS else None


def _at_work(between: Between, given: ChipGroup, signs: int) -> list[HandDetection]:
    """Return the looks at the hand that then goes to the tray, since it left its rest: it was not seen to be given
    bills.
    """
    if not signs or given.came is None:
        return []
    since, side = given.came.t0 - par.CASH_UNSEEN_S, given.came.side
    hands = [hand for hand in between.hands.between(since, given.came.t0, "dealer") if hand.side == side]
    return list(dropwhile(lambda hand: distance(hand.xy, hands[0].xy) <= par.CASH_AWAY_MM, hands))


def _moving(hands: Sequence[HandDetection]) -> list[HandDetection]:
    """Return the looks until a hand comes to rest for good."""
    if not hands:
        return []
    rest = hands[-1].xy
    last = max((i for i, hand in enumerate(hands) if distance(hand.xy, rest) > par.CASH_AWAY_MM), default=-1)
    return list(hands[: last + 1])


def _when_spread(given: ChipGroup, picked: HandDetection | None, spread: Sequence[HandDetection] | None) -> Stretch:
    taken = given.came.t0 if given.came is not None else given.t0
    begin = picked.t if picked is not None else taken - par.CASH_UNSEEN_S
    return begin, spread[-1].t if spread else max(begin, taken - 1.0)


def _left_alone(between: Between, spread: Sequence[HandDetection], taken: float) -> Drafts:
    """Return the hand's last rest before it goes to the tray, where that is away from all places at which it worked.

    Weak where no such rest was seen, but the hand was away for longer than its way to the tray takes.
    """
    side = next((hand.side for hand in spread if hand.side != "unknown"), "unknown")
    since = spread[0].t
    hands = [
        hand
        for hand in between.hands.between(since, taken + par.MARK_S, "dealer")
        if hand.side == side and not between.table.within(hand.tip, "tray")
    ]
    rests = [run for run in _runs(hands, par.CASH_STILL_MM) if run[-1].t - run[0].t >= par.CLEARED_S]
    rest = max(rests, key=lambda run: run[-1].t, default=None)
    worked = [
        hand for run in _runs(hands, par.CASH_WORKING_MM) for hand in run[1:] if between.table.within(hand.tip, "inner")
    ]
    if rest is not None:
        before = [one for one in worked if one.t < rest[0].t] or [one for one in spread if one.t < rest[0].t]
        if before and min(distance(rest[0].xy, there.xy) for there in before) >= par.CASH_AWAY_MM:
            return [hands_clear((rest[0].t, rest[-1].t), par.WELL_SEEN_P)]
    bills = worked[:1]
    for hand in worked:
        bills += [hand] if min(distance(hand.xy, there.xy) for there in bills) < par.CASH_AWAY_MM else []
    last = max((hand.t for hand in bills), default=taken)
    return [] if taken - last < par.CASH_ON_WAY_S else [hands_clear((last, taken), par.WEAK_P)]


def _runs(hands: Sequence[HandDetection], reach: float) -> list[list[HandDetection]]:
    """Hands that stay within `reach` from look to look; two that pass for one side make two runs."""
    runs: list[list[HandDetection]] = []
    for hand in hands:
        near = [run for run in runs if 0.0 < hand.t - run[-1].t <= par.CASH_LOOK_S]
        run = next((run for run in near if distance(hand.xy, run[-1].xy) <= reach), None)
        if run is None:
            runs.append([hand])
        else:
            run.append(hand)
    return runs


def _dropped(between: Between, given: ChipGroup) -> Stretch | None:
    """When a hand of the dealer's dwelt at the drop box, from the taking of chips to some time after the push."""
    if given.came is None:
        return None
    found = at_drop(between, given.came.t0, min(between.end, given.t1 + par.DROP_AFTER_S))
    return found[-1] if found else None
