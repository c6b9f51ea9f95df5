"""Settlement of each space: stakes taken, fanned and paid, ties tapped, hands clear of the chips.

A space is read at the instant when the last chip of its settlement has come to rest: rows there are fans, rows that grew
out of a stake are its fan, the others are payoffs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from verifier.domain.events import ChipsCollected, ChipsFanned, ChipsFromTray, HandsClear, PayoffPlaced, PushTapped
from verifier.reconstruct.piles import SET, ChipStay, Pile, cluster, lying
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.stakes import Stake
from verifier.reconstruct.zones import SpaceMap, Xy, distance

OWN_MM = 24.0
"""A row belongs to a stake if one of its chips lies this near to where the stake lay."""
CLEAR_SECONDS = 0.35
LONGEST_CLEAR = 5.0
TAP_SECONDS = 0.3


class Settled(Struct, frozen=True, kw_only=True):
    """What settlement left of one stake: its own pile and the payoff beside it (None: none)."""

    stake: Stake
    own: Pile | None
    payoffs: tuple[Pile, ...]
    taken: bool
    """Whether the dealer took it."""


def settle_space(
    scene: RoundScene, stakes: Sequence[Stake], stays: Sequence[ChipStay], settle_from: float, until: float
) -> list[Settled]:
    """Reads one space."""
    taken = [stake for stake in stakes if _taken(scene, stake, stays, until)]
    fresh = [s for s in stays if settle_from <= s.t0 <= until and s.t1 - s.t0 > 0.5 and not _known(stakes, s)]
    left = [stake for stake in stakes if stake not in taken]
    t = _when_laid_out(fresh, stays, settle_from)
    piles = _by_stake(cluster([s for s in lying(stays, t) if s in fresh or _known(left, s)]), left) if left else []
    own: dict[int, list[Pile]] = {index: [] for index in range(len(left))}
    loose: list[Pile] = []
    for pile in piles:
        owner = _owner(pile, left)
        if owner is None:
            loose.append(pile)
        else:
            own[owner].append(pile)
    shared = _share(loose, left)
    result = [Settled(stake=stake, own=None, payoffs=(), taken=True) for stake in taken]
    for index, stake in enumerate(left):
        mine = Pile(tuple(stay for pile in own[index] for stay in pile.stays)) if own[index] else None
        result.append(Settled(stake=stake, own=mine, payoffs=tuple(shared[index]), taken=False))
    return result


def _known(stakes: Iterable[Stake], stay: ChipStay) -> bool:
    return any(stay in stake.stays for stake in stakes)


def _taken(scene: RoundScene, stake: Stake, stays: Sequence[ChipStay], until: float) -> bool:
    """Whether the dealer took a stake: its place is bare, and no row grew out of it."""
    last = stake.stays[-1]
    if last.t1 > until + 0.5:
        return False
    if any(s is not last and s.at(last.t1 + 0.25) and distance(s.xy, last.xy) <= OWN_MM for s in stays):
        return False
    return scene.hands.owner_at(last.xy, last.seen_to - 0.3, last.t1 + 0.1, 40.0) != "player"


def _when_laid_out(fresh: Sequence[ChipStay], stays: Sequence[ChipStay], settle_from: float) -> float:
    """The instant after a birth at which most fresh chips lie there; the latest of equal ones."""
    best, most = settle_from, -1
    for t in sorted(stay.t0 for stay in fresh):
        count = len([s for s in lying(stays, t + 0.05) if s in fresh])
        if count >= most:
            best, most = t + 0.05, count
    return best


def _by_stake(piles: Sequence[Pile], stakes: Sequence[Stake]) -> list[Pile]:
    """Parts a pile that two stakes grew into, by the stake whose column each chip lies in."""
    parted: list[Pile] = []
    for pile in piles:
        owners = [stake for stake in stakes if pile.touches(stake.anchor, 12.0)]
        if len(owners) < 2:
            parted.append(pile)
            continue
        columns: dict[int, list[ChipStay]] = {}
        for stay in pile.stays:
            nearest = min(range(len(owners)), key=lambda i: abs(owners[i].anchor[0] - stay.xy[0]))
            columns.setdefault(nearest, []).append(stay)
        parted += [Pile(tuple(column)) for column in columns.values()]
    return parted


def _owner(pile: Pile, stakes: Sequence[Stake]) -> int | None:
    gaps = [
        (min(distance(stay.xy, stake.anchor) for stay in pile.stays), index) for index, stake in enumerate(stakes)
    ]
    near = [(gap, index) for gap, index in gaps if gap <= OWN_MM]
    return min(near)[1] if near else None


def _share(piles: Sequence[Pile], stakes: Sequence[Stake]) -> list[list[Pile]]:
    """Payoffs by stake: with as many piles as stakes in order from the dealer's left, else each to the nearest stake."""
    result: list[list[Pile]] = [[] for _ in stakes]
    payable = [index for index, stake in enumerate(stakes) if stake.kind != "tip"] or list(range(len(stakes)))
    if len(piles) == len(payable):
        order = sorted(payable, key=lambda index: stakes[index].anchor[0])
        for pile, index in zip(sorted(piles, key=lambda pile: pile.xy[0]), order, strict=True):
            result[index].append(pile)
        return result
    for pile in piles:
        if payable:
            nearest = min(payable, key=lambda index: distance(stakes[index].anchor, pile.xy))
            result[nearest].append(pile)
    return result


def settlement_events(scene: RoundScene, settled: Sequence[Settled], spot: SpaceMap, settle_from: float) -> Drafts:
    """Events of one space's settlement."""
    drafts: Drafts = [_collected(scene, one.stake) for one in settled if one.taken]
    kept = [one for one in settled if not one.taken]
    for place in sorted({one.stake.place for one in kept}):
        hand = [one for one in kept if one.stake.place == place]
        paid = [one for one in hand if one.payoffs]
        if paid:
            drafts += _pay(scene, paid, spot, settle_from)
        else:
            drafts += _tap(scene, hand[0].stake, settle_from)
    return drafts


def _collected(scene: RoundScene, stake: Stake) -> ChipsCollected:
    last = stake.stays[-1]
    pile = Pile((last,))
    side = scene.hands.side_at([last.xy], last.seen_to - 0.1, last.t1 + 0.1)
    t0, t1 = _leaving(scene, last.xy, last.seen_to, last.t1)
    return event(
        ChipsCollected, t0, t1, min(0.97, pile.p), kind=stake.kind, at=stake.place, cents=None, to="hand", hand=side,
    )  # fmt: skip


def _leaving(scene: RoundScene, xy: Xy, seen: float, bare: float) -> tuple[float, float]:
    """When a hand took what lay at `xy`: from the last sight of it to the hand's leaving, or the bare place."""
    over = [hand.t for hand in scene.hands.between(seen - 0.2, bare, "dealer") if hand.over(xy, 30.0)]
    t1 = min(bare, max(over) + 0.15) if over else bare
    return min(seen, t1), t1


class Paid(Struct, frozen=True):
    """A stake's own pile with its payoff, and when the payoff was first seen."""

    one: Settled
    pile: Pile
    placed: float


def _pay(scene: RoundScene, hand: Sequence[Settled], spot: SpaceMap, settle_from: float) -> Drafts:
    """A winning hand: fans of its stakes, chips from the tray, payoffs and their fans, hands clear."""
    paid = [_paid(scene, one, settle_from) for one in hand]
    drafts: Drafts = []
    for each in paid:
        drafts += _wager_fan(scene, each, spot, settle_from)
        drafts.append(_payoff(scene, each))
        drafts += _payoff_fan(scene, each, spot)
    drafts.append(_from_tray(scene, paid))
    return drafts + _clear(scene, paid)


def _paid(scene: RoundScene, one: Settled, settle_from: float) -> Paid:
    pile = Pile(tuple(stay for pile in one.payoffs for stay in pile.stays))
    return Paid(one, pile, _first_seen(scene, pile, one, settle_from))


def _wager_fan(scene: RoundScene, paid: Paid, spot: SpaceMap, settle_from: float) -> Drafts:
    own, stake = paid.one.own, paid.one.stake
    if own is not None and own.fan:
        births = [stay.t0 for stay in own.stays if stay.t0 >= settle_from]
        return [_fan(scene, "wager", stake, own, min(births, default=paid.placed), max(births, default=paid.placed), spot)]
    if own is not None and _single(own, paid.pile):
        return [_fan(scene, "wager", stake, own, paid.placed - 2.3, paid.placed - 1.9, spot)]
    return []


def _payoff(scene: RoundScene, paid: Paid) -> PayoffPlaced:
    pile, stake, t = paid.pile, paid.one.stake, paid.placed
    whole = pile.fan or _single(pile, paid.one.own)
    return event(
        PayoffPlaced, t - 0.45, t, pile.p, kind=stake.kind, at=stake.place, cents=pile.cents, chips=pile.chips,
        hand=scene.hands.side_at([pile.xy], t - 0.3, t + 0.1), lower_bound=None if whole else True,
    )  # fmt: skip


def _payoff_fan(scene: RoundScene, paid: Paid, spot: SpaceMap) -> Drafts:
    pile, t0 = paid.pile, paid.placed + 0.05
    if pile.fan:
        end = max(stay.t0 for stay in pile.stays)
        return [_fan(scene, "payoff", paid.one.stake, pile, t0, max(end, t0 + 0.05), spot)]
    if _single(pile, paid.one.own):
        return [_fan(scene, "payoff", paid.one.stake, pile, t0, t0 + 0.05, spot)]
    return []


def _first_seen(scene: RoundScene, paid: Pile, one: Settled, settle_from: float) -> float:
    """When the payoff first lay there, as a stack or already spread."""
    near = [
        stay.t0
        for stay in _all_stays(scene, one.stake.space)
        if stay.t0 >= settle_from
        and min(distance(stay.xy, mine.xy) for mine in paid.stays) <= 30.0
        and distance(stay.xy, one.stake.anchor) > OWN_MM
        and stay not in (one.own.stays if one.own else ())
    ]
    return min(near, default=min(stay.t0 for stay in paid.stays))


def _all_stays(scene: RoundScene, number: int) -> Sequence[ChipStay]:
    return scene.stays.get(number, ())


def _single(pile: Pile, other: Pile | None) -> bool:
    """Whether one visible chip may be taken for the whole: nothing beside it says that it hides others."""
    if pile.size != 1 or pile.cents is None:
        return False
    if other is None or other.cents is None:
        return other is None
    if other.fan:
        mine, whole = pile.cents, other.cents
        return mine == whole or mine * 3 == whole * 2 or mine * 2 == whole * 3
    return pile.cents == other.cents


def _fan(
    scene: RoundScene, owner: str, stake: Stake, pile: Pile, t0: float, t1: float, spot: SpaceMap
) -> ChipsFanned:
    side = scene.hands.side_at([stay.xy for stay in pile.stays], t0 - 0.4, t1) if pile.fan else None
    return event(
        ChipsFanned, t0, t1, pile.p, owner=owner, at=stake.place, cents=pile.cents, kind=stake.kind, chips=pile.chips,
        hand=side, direction=pile.direction(spot.outward), set_sizes=_sets(pile, stake.anchor),
    )  # fmt: skip


def _sets(pile: Pile, base: Xy) -> list[int]:
    """Sizes of the sets of a fan, from the stake outward."""
    groups = cluster(pile.stays, SET)
    return [group.size for group in sorted(groups, key=lambda group: distance(group.xy, base))]


def _from_tray(scene: RoundScene, paid: Sequence[Paid]) -> ChipsFromTray:
    """The last time before the first payoff at which a dealer's hand was at the tray."""
    placed = min(each.placed for each in paid)
    at_tray = [
        hand for hand in scene.hands.between(placed - 4.0, placed - 0.2, "dealer")
        if scene.table.near(hand.tip, "tray", 45.0)
    ]  # fmt: skip
    points = [stay.xy for each in paid for stay in each.pile.stays]
    side = scene.hands.side_at(points, placed - 0.4, placed + 0.1)
    at_tray = [hand for hand in at_tray if side is None or hand.side in (side, "unknown")]
    t = at_tray[-1].t if at_tray else placed - 0.6
    whole = Pile(tuple(stay for each in paid for stay in each.pile.stays))
    shown = all(each.pile.fan or _single(each.pile, each.one.own) for each in paid)
    return event(
        ChipsFromTray, t - 0.4, t, 0.9 if at_tray else 0.6, cents=whole.cents if shown else None,
        chips=whole.chips if shown else None, hand=side if at_tray else None, origin="settlement",
    )  # fmt: skip


def _clear(scene: RoundScene, paid: Sequence[Paid]) -> Drafts:
    one = paid[0].one
    points = [stay.xy for each in paid for pile in (each.pile, each.one.own) if pile is not None for stay in pile.stays]
    stretch = clear_stretch(scene, points, max(stay.t0 for each in paid for stay in each.pile.stays))
    if stretch is None:
        return []
    t0, t1 = stretch
    return [event(HandsClear, t0, t1, 0.95, region=one.stake.place, duration=round(t1 - t0, 3))]


def clear_stretch(scene: RoundScene, points: Sequence[Xy], since: float) -> tuple[float, float] | None:
    """The first stretch after `since` in which no hand of the dealer is at any of the points."""
    times = scene.hands.times_between(since, min(scene.end, since + 12.0))
    start: float | None = None
    for t in times:
        at = any(hand.over(xy, 12.0) for hand in scene.hands.between(t, t, "dealer") for xy in points)
        if not at and start is None:
            start = t
        elif at and start is not None:
            if t - start >= CLEAR_SECONDS:
                return start, min(t, start + LONGEST_CLEAR)
            start = None
    if start is None or times[-1] - start < CLEAR_SECONDS:
        return None
    return start, min(times[-1], start + LONGEST_CLEAR)


def _tap(scene: RoundScene, stake: Stake, settle_from: float) -> Drafts:
    """A dealer's hand that dwells at a stake which stays as it was."""
    near = [
        hand for hand in scene.hands.between(settle_from, scene.end, "dealer")
        if distance(hand.tip, stake.anchor) < 70.0 or hand.over(stake.anchor, 5.0)
    ]  # fmt: skip
    runs: list[list[float]] = []
    for hand in near:
        if not runs or hand.t - runs[-1][-1] > 0.45:
            runs.append([])
        runs[-1].append(hand.t)
    runs = [run for run in runs if run[-1] - run[0] >= TAP_SECONDS]
    if not runs:
        return []
    best = max(runs, key=len)
    return [event(PushTapped, best[0], best[-1], 0.9, at=stake.place)]

