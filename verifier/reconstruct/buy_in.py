"""A buy-in: chips given for bills. Where no look showed bills the hands that handle them tell that there were some."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from verifier.domain.events import CurrencyDropped, CurrencySpread, HandsClear
from verifier.reconstruct.cash import Cash, dropped_cents, looked_in_vain, spread_out
from verifier.reconstruct.heap_events import WEAK_P, clear, fan, from_tray
from verifier.reconstruct.heaps import Heap
from verifier.reconstruct.runs import runs_of
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.sights import HandSight
from verifier.reconstruct.trips import AT_MM
from verifier.reconstruct.zones import Xy, centre_of, distance

BEFORE_SECONDS, AFTER_SECONDS = 10.0, 9.0
"""Bills are handed over and spread this long at most before chips are taken, and dropped so long after at most."""
PICKED_MM, PICKED_SECONDS = 130.0, 3.0
SPREAD_LOOKS, DROP_LOOKS = 3, 3
AWAY_MM, STILL_MM, WORKING_MM, REST_SECONDS = 90.0, 30.0, 60.0, 0.35
"""How far from the bills a hand has left them; how far it goes from look to look at rest, and spreading bills."""
ON_WAY_SECONDS, LOOK_SECONDS = 0.9, 0.45
"""A hand comes from the bills to the tray in less than the first; looks at what moves are no farther apart."""
DROPPED_P = {1: 0.6, 2: 0.7, 3: 0.85}
"""Probability that bills were given where a hand was at the drop box, by how many signs were seen: that one, a handing
over, a spread. Without it there is doubt: then what was handed over may have been chips."""
UNSEEN_SECONDS = 3.0
"""Bills that nobody was seen to hand over are spread within this time of the taking of chips; those that no look
showed for as long have gone."""
Stretch = tuple[float, float]


def buy_in(between: Between, given: Heap, pushed: Drafts, cash: Cash | None = None) -> Drafts:
    """Events of a buy-in: its bills as they were seen, or what the hands tell of them, then the chips `given` for them.

    `cash` are the bills that were seen to lie as the chips were taken; `pushed` the chips' push to the player.
    """
    if given.came is None:
        return []
    chips = [*from_tray(given, "buy_in"), *fan(given, "buy_in"), *clear(given, given.t1), *pushed]
    if cash is not None:
        return [*spread_out(between, cash, given.came.t0), *chips, *cash_dropped(between, cash, given)]
    return _by_hands(between, given, given.came.t0, chips)


def _by_hands(between: Between, given: Heap, taken: float, chips: Drafts) -> Drafts:
    """What the hands tell of bills that no look showed, before and after the chips' own events."""
    picked = _handed_over(between, taken)
    spread = _spread(between, picked, taken)
    drop = _dropped(between, given)
    signs = sum(sign is not None for sign in (picked, spread, drop))
    drafts: Drafts = []
    if signs:
        begin, end = _when_spread(given, picked, spread)
        most = DROPPED_P[1] if looked_in_vain(between, taken, given.t1) else 1.0
        p = WEAK_P if drop is None else min(most, DROPPED_P[signs])
        drafts.append(event(CurrencySpread, begin, end, p, bills=None, cents=None, occluded=drop is None))
    worked = spread or _at_work(between, given, signs)
    if worked:
        drafts += _left_alone(between, worked, taken)
    drafts += chips
    if drop is not None:
        drafts.append(event(CurrencyDropped, *drop, 0.85, what="currency", cents=None))
    elif signs and "drop" not in between.table.zones:
        drafts.append(_unseen_drop(given.t1 + 2.0))
    return drafts


def _unseen_drop(t: float) -> CurrencyDropped:
    return event(CurrencyDropped, t, t + 0.5, WEAK_P, what="currency", cents=None, occluded=True)


def cash_dropped(between: Between, cash: Cash, given: Heap) -> Drafts:
    """The cash's way to the drop box: with the hand that dwells there once the bills have gone.

    Nothing where they lie on; a weak one where they went and no hand was seen there.
    """
    looked = max((look.t for look in between.bills), default=between.end)
    left = [stay.t1 for stay in cash.stays if stay.gone is not None or stay.t1 < looked - UNSEEN_SECONDS]
    went = max(left, default=None)
    if went is None:
        return []
    drop = next(
        (
            run
            for run in _at_drop(between, given.came.t0 if given.came is not None else given.t0, between.end)
            if run[1] >= went
        ),
        None,
    )
    if drop is None:
        return [_unseen_drop(max(went, given.t1) + 1.0)]
    return [event(CurrencyDropped, *drop, 0.9, what="currency", cents=dropped_cents(cash, drop[1]))]


def _handed_over(between: Between, until: float) -> HandSight | None:
    """The dealer's hand where a player's had just been, as far in as cards lie."""
    since = max(between.start, until - BEFORE_SECONDS)
    laid = [hand for hand in between.hands.between(since, until, "player") if _reaches_in(between, hand.tip)]
    for hand in between.hands.between(since, until, "dealer"):
        for player in laid:
            if 0.0 < hand.t - player.t < PICKED_SECONDS and distance(hand.tip, player.tip) < PICKED_MM:
                return hand
    return None


def _reaches_in(between: Between, tip: Xy) -> bool:
    """Whether a player's fingertips reach as near to the dealer as the cards of the nearest space lie."""
    inner = centre_of(between.table.zones["inner"])
    space = min(between.table.spaces.values(), key=lambda spot: distance(spot.cards, tip))
    return distance(tip, inner) <= distance(space.cards, inner) + 30.0


def _spread(between: Between, picked: HandSight | None, until: float) -> list[HandSight] | None:
    """The sights of the dealer's hand that worked in the inner area after it had picked up the bills."""
    if picked is None:
        return None
    side = picked.side
    work = [
        hand for hand in between.hands.between(picked.t, until, "dealer")
        if hand.side in (side, "unknown") and between.table.within(hand.tip, "inner") and hand.t > picked.t + 0.1
    ]  # fmt: skip
    moving = _moving(work)
    return moving if len(moving) >= SPREAD_LOOKS else None


def _at_work(between: Between, given: Heap, signs: int) -> list[HandSight]:
    """The sights of the hand that then goes to the tray, since it left its rest: it was not seen to be given bills."""
    if not signs or given.came is None:
        return []
    since, side = given.came.t0 - UNSEEN_SECONDS, given.came.side
    hands = [hand for hand in between.hands.between(since, given.came.t0, "dealer") if hand.side == side]
    return list(dropwhile(lambda hand: distance(hand.xy, hands[0].xy) <= AWAY_MM, hands))


def _moving(hands: Sequence[HandSight]) -> list[HandSight]:
    """The sights until a hand comes to rest for good."""
    if not hands:
        return []
    rest = hands[-1].xy
    last = max((i for i, hand in enumerate(hands) if distance(hand.xy, rest) > AWAY_MM), default=-1)
    return list(hands[: last + 1])


def _when_spread(given: Heap, picked: HandSight | None, spread: Sequence[HandSight] | None) -> Stretch:
    taken = given.came.t0 if given.came is not None else given.t0
    begin = picked.t if picked is not None else taken - UNSEEN_SECONDS
    return begin, spread[-1].t if spread else max(begin, taken - 1.0)


def _left_alone(between: Between, spread: Sequence[HandSight], taken: float) -> Drafts:
    """The hand's last rest before it goes to the tray, where that is away from all places at which it worked.

    Weak where no such rest was seen, but the hand was away for longer than its way to the tray takes.
    """
    side = next((hand.side for hand in spread if hand.side != "unknown"), "unknown")
    since = spread[0].t
    hands = [
        hand for hand in between.hands.between(since, taken + 0.05, "dealer")
        if hand.side == side and not between.table.within(hand.tip, "tray")
    ]  # fmt: skip
    rests = [run for run in _runs(hands, STILL_MM) if run[-1].t - run[0].t >= REST_SECONDS]
    rest = max(rests, key=lambda run: run[-1].t, default=None)
    worked = [
        hand for run in _runs(hands, WORKING_MM) for hand in run[1:] if between.table.within(hand.tip, "inner")
    ]  # fmt: skip
    if rest is not None:
        before = [one for one in worked if one.t < rest[0].t] or [one for one in spread if one.t < rest[0].t]
        if before and min(distance(rest[0].xy, there.xy) for there in before) >= AWAY_MM:
            t0, t1 = rest[0].t, rest[-1].t
            return [event(HandsClear, t0, t1, 0.85, region="inner", duration=round(t1 - t0, 3))]
    bills = worked[:1]
    for hand in worked:
        bills += [hand] if min(distance(hand.xy, there.xy) for there in bills) < AWAY_MM else []
    last = max((hand.t for hand in bills), default=taken)
    if taken - last < ON_WAY_SECONDS:
        return []
    return [event(HandsClear, last, taken, WEAK_P, region="inner", duration=round(taken - last, 3), occluded=True)]


def _runs(hands: Sequence[HandSight], reach: float) -> list[list[HandSight]]:
    """Hands that stay within `reach` from look to look; two that pass for one side make two runs."""
    runs: list[list[HandSight]] = []
    for hand in hands:
        near = [run for run in runs if 0.0 < hand.t - run[-1].t <= LOOK_SECONDS]
        run = next((run for run in near if distance(hand.xy, run[-1].xy) <= reach), None)
        if run is None:
            runs.append([hand])
        else:
            run.append(hand)
    return runs


def _dropped(between: Between, given: Heap) -> Stretch | None:
    """When a hand of the dealer's dwelt at the drop box, from the taking of chips to some time after the push."""
    if given.came is None:
        return None
    found = _at_drop(between, given.came.t0, min(between.end, given.t1 + AFTER_SECONDS))
    return found[-1] if found else None


def _at_drop(between: Between, t0: float, t1: float) -> list[Stretch]:
    """The stretches in which a hand of the dealer's dwelt at the drop box."""
    at = [
        hand.t for hand in between.hands.between(t0, t1, "dealer")
        if between.table.near(hand.tip, "drop", AT_MM) or between.table.within(hand.xy, "drop")
    ]  # fmt: skip
    return [(a, b) for a, b, looks in runs_of(at, 0.6) if looks >= DROP_LOOKS]
