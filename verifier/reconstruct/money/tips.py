"""Won tips: moved to the inner table area, fanned, paid beside, and put into the tip receptacle."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from verifier.domain.events import ChipsFanned, ChipsFromTray, PayoffPlaced, TipDeposited, WagerMoved
from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.cleared import clear_stretch, spread_by
from verifier.reconstruct.money.fetched import brought
from verifier.reconstruct.money.hidden import covered, hidden_payoff, shown_late
from verifier.reconstruct.money.piles import Pile, cluster
from verifier.reconstruct.money.stakes import TIPS, Stake, left_bare
from verifier.reconstruct.money.sums import agreed
from verifier.reconstruct.resting.chip_dwells import ChipDwell, lying
from verifier.reconstruct.scene import Drafts, RoundScene, event, hands_clear
from verifier.reconstruct.table.zones import bounds, distance


def tip_events(scene: RoundScene, tips: Sequence[tuple[Stake, ChipDwell]], turn: float) -> Drafts:
    """Events of won tips (of `moved_tips`); lost ones are ordinary collections."""
    if not tips:
        return []
    inner = _inner(scene, turn)
    drafts: Drafts = []
    piles: list[tuple[Stake, Pile, Pile | None]] = []
    for stake, first in tips:
        drafts.append(
            event(
                WagerMoved,
                stake.dwells[-1].seen_to,
                first.t0,
                par.SEEN_P,
                kind=stake.kind,
                from_=stake.place,
                to="inner",
                hand=_carried(scene, stake, first),
            )
        )
        own, paid = _columns(inner, first)
        piles.append((stake, own, paid))
    over: list[float] = []
    for stake, own, paid in piles:
        drafts += _fans(scene, stake, own, paid)
        if paid is None and covered(scene, own):
            brought_at, hidden = _hidden(scene, stake, own)
            drafts.append(hidden)
            over += [] if brought_at is None else [brought_at]
        if paid is not None:
            drafts += _paid(scene, stake, own, paid)
            over.append(spread_by(scene, paid))
    drafts += _inner_clear(scene, inner, max(over, default=scene.end))
    return drafts + _deposited(scene, piles)


def _carried(scene: RoundScene, stake: Stake, first: ChipDwell) -> str | None:
    """Which hand took a tip from its space and laid it down: another may have come while it lay unseen."""
    seen = stake.dwells[-1].seen_to
    took = scene.hands.side_at([stake.anchor], seen - par.SLACK_S, min(seen + par.TIP_LIFT_S, first.t0))
    laid = scene.hands.side_laid(first.xy, first.t0)
    return laid if took is None else took if laid in (None, took) else None


def _hidden(scene: RoundScene, stake: Stake, own: Pile) -> tuple[float | None, PayoffPlaced]:
    """Return a payoff that the hands hid all along, with when it was laid: surely laid where a hand came to it from the
    tray.
    """
    laid = hidden_payoff(scene, own, min(dwell.seen_to for dwell in own.dwells))
    if laid is None:
        t = own.since
        weak = event(PayoffPlaced, t, t + 0.5, par.WEAK_P, kind=stake.kind, at=stake.place, cents=None, occluded=True)
        return None, weak
    t, side = laid
    return t, event(
        PayoffPlaced,
        t - par.LAYING_S,
        t,
        par.TIP_HIDDEN_P,
        kind=stake.kind,
        at=stake.place,
        cents=None,
        hand=side,
    )


def _paid(scene: RoundScene, stake: Stake, own: Pile, paid: Pile) -> Drafts:
    """Return the payoff of a tip: its chips taken from the tray and laid beside it; a hand may have hidden them
    since.
    """
    t = min(dwell.t0 for dwell in paid.dwells)
    laid = shown_late(scene, own, t)
    t = t if laid is None else laid[0]
    whole = paid.fan or own.size == 1
    cents, chips = (paid.cents, paid.chips) if whole else (None, None)
    side, at_tray = brought(scene, [dwell.xy for dwell in paid.dwells], t)
    taken, p = (t - par.FETCH_CARRY_S, par.FETCH_UNSEEN_P) if at_tray is None else (at_tray, par.SEEN_P)
    return [
        event(ChipsFromTray, taken - 0.5, taken, p, cents=cents, chips=chips, hand=side, origin="tip"),
        event(
            PayoffPlaced,
            t - 0.5,
            t,
            paid.p,
            kind=stake.kind,
            at=stake.place,
            cents=paid.cents,
            chips=paid.chips,
            hand=side,
            lower_bound=None if whole else True,
        ),
    ]


def tips_shown(scene: RoundScene, tips: Sequence[tuple[Stake, ChipDwell]], turn: float) -> dict[int, Pile]:
    """By won tip (its object id), the pile that shows all its chips."""
    inner = _inner(scene, turn)
    piles = {id(stake): _columns(inner, first) for stake, first in tips}
    return {key: own for key, (own, paid) in piles.items() if own.fan or (paid is not None and paid.size == own.size)}


def _inner(scene: RoundScene, turn: float) -> list[ChipDwell]:
    """Chips laid in the inner area during settlement."""
    return [dwell for dwell in scene.dwells.get(0, []) if dwell.t0 >= turn - 1.0 and dwell.t1 - dwell.t0 > 0.5]


def moved_tips(scene: RoundScene, stakes: Sequence[Stake], turn: float) -> list[tuple[Stake, ChipDwell]]:
    """Tips that went from their space while a chip came to rest in the inner area, with that chip: the shortest way.

    Print that passes for a chip now and then is another's only where no sure chip came, and a chip of another value
    only where none came like the one that showed on the tip.
    """
    won = [s for s in stakes if s.kind in TIPS and not math.isinf(s.gone) and not _lost(scene, s, stakes)]
    pairs = [
        (chip.mean < par.SURE_CHIP_MEAN_P, chip.cents != stake.last.cents, hand_path, i, chip)
        for i, stake in enumerate(won)
        for chip in _inner(scene, turn)
        for hand_path in [_hand_path(scene, stake, chip)]
        if hand_path is not None
    ]
    found: dict[int, ChipDwell] = {}
    for *_, i, chip in sorted(pairs, key=lambda pair: pair[:3]):
        if i not in found and all(chip is not one for one in found.values()):
            found[i] = chip
    return sorted(((won[i], chip) for i, chip in found.items()), key=lambda pair: pair[0].gone)


def _hand_path(scene: RoundScene, tip: Stake, chip: ChipDwell) -> float | None:
    """Seconds on the way from a tip's place to a chip's in the inner area; None where it cannot have been carried so.

    A tip may have lain on in the longest stretch that nobody looked at, and until its place was told bare: one that is
    missed in most looks is so later.
    """
    t0, t1 = tip.dwells[-1].seen_to, chip.t0
    if t1 - t0 < distance(tip.anchor, chip.xy) / par.FASTEST_MM_S:
        return None
    gap = scene.hands.blind(t0, t1)
    hand_path = t1 - t0 if gap is None else t1 - t0 - (min(gap[1], t1) - max(gap[0], t0))
    return hand_path if min(hand_path, t1 - tip.gone) <= par.TIP_HAND_PATH_S else None


def _lost(scene: RoundScene, tip: Stake, stakes: Sequence[Stake]) -> bool:
    """Tell whether the wager of the same hand went before or with the tip: then both were collected."""
    return any(
        s.kind == "original"
        and s.space == tip.space
        and s.gone <= tip.gone + par.TIP_WITH_WAGER_S
        and left_bare(s, scene.dwells.get(s.space, ()))
        for s in stakes
    )


def _dated(dwell: ChipDwell, near: Sequence[ChipDwell]) -> ChipDwell:
    """Return a chip since when it first lay on its spot: it may have been lost from sight under a hand and found
    again.
    """
    times = [s.t0 for s in near if s.cents == dwell.cents and distance(s.xy, dwell.xy) <= par.SAME_SPOT_MM]
    return replace(dwell, t0=min([dwell.t0, *times]))


def _columns(inner: Sequence[ChipDwell], first: ChipDwell) -> tuple[Pile, Pile | None]:
    """Return the tip's own row and its payoff's at the dealer's right, when most of both lies there.

    A doubtful chip of another value than the tip's first is none.
    """
    near = [
        s
        for s in inner
        if -par.TIP_ROW_LEFT_MM < s.xy[0] - first.xy[0] < par.TIP_ROW_RIGHT_MM
        and abs(s.xy[1] - first.xy[1]) < par.TIP_ROW_OUT_MM
        and (s.mean >= par.SURE_CHIP_MEAN_P or s.cents == first.cents)
    ]
    times = sorted(s.t0 + par.MARK_S for s in near)
    best = max(times, key=lambda t: (len(lying(near, t)), t))
    there = lying(near, best)
    own = [_dated(s, near) for s in there if s.xy[0] - first.xy[0] <= par.TIP_OWN_MM]
    paid = [_dated(s, near) for s in there if s.xy[0] - first.xy[0] > par.TIP_OWN_MM]
    pile = Pile(tuple(own or [first]))
    return agreed(pile, Pile(tuple(paid))) if paid else (pile, None)


def _fans(scene: RoundScene, stake: Stake, own: Pile, paid: Pile | None) -> Drafts:
    drafts: Drafts = []
    alone = paid is None or own.size == paid.size
    for owner, pile in (("tip", own), ("tip_payoff", paid)):
        if pile is None or (pile.size == 1 and not alone):
            continue
        t0, t1 = min(dwell.t0 for dwell in pile.dwells), spread_by(scene, pile)
        drafts.append(
            event(
                ChipsFanned,
                t0,
                t1 + par.MARK_S,
                pile.p,
                owner=owner,
                at=stake.place,
                cents=pile.cents,
                kind=stake.kind,
                chips=pile.chips,
                direction=pile.direction(),
                set_sizes=[group.size for group in cluster(pile.dwells)],
            )
        )
    return drafts


def _inner_clear(scene: RoundScene, inner: Sequence[ChipDwell], since: float) -> Drafts:
    stretch = clear_stretch(scene, [dwell.xy for dwell in inner], since)
    return [] if stretch is None else [hands_clear(stretch, par.SEEN_P)]


def _gone(scene: RoundScene, dwell: ChipDwell) -> float:
    """When a chip went; infinite while it lies there.

    One that is missed in most looks is hardly told to have gone: it did as the dealer's hand was last at its place, if
    it was not seen since.
    """
    if not math.isinf(dwell.t1):
        return dwell.t1
    at = [hand.t for hand in scene.hands.between(dwell.seen_to, math.inf, "dealer") if hand.over(dwell.xy, 0.0)]
    return max((t for t in at if t > dwell.seen_to), default=math.inf)


def _deposited(scene: RoundScene, piles: Sequence[tuple[Stake, Pile, Pile | None]]) -> Drafts:
    """Return that the chips of the inner area go while a dealer's hand travels to the receptacle."""
    every = [dwell for _, own, paid in piles for pile in (own, paid) if pile is not None for dwell in pile.dwells]
    went = [_gone(scene, dwell) for dwell in every]
    gone = [t for t in went if not math.isinf(t)]
    left = (dwell for dwell, t in zip(every, went, strict=True) if math.isinf(t))
    if not gone or any(dwell.seen_to > min(gone) + par.TIP_GONE_S for dwell in left):
        return []
    since = min(dwell.seen_to for dwell in every) - par.TWO_LOOKS_S
    at = [
        hand.t
        for hand in scene.hands.between(since, since + par.TIP_DEPOSIT_WITHIN_S, "dealer")
        if scene.table.near(hand.tip, "tip_receptacle", par.HAND_OWNER_MM)
    ]
    at = [t for t in at if t - at[0] <= par.TIP_DEPOSIT_S]
    p = par.SEEN_P
    if not at and "tip_receptacle" in scene.table.zones:
        hidden = scene.hands.lost_near(
            bounds(scene.table.zones["tip_receptacle"]), since, since + par.TIP_DEPOSIT_WITHIN_S, par.RECEPTACLE_LOST_MM
        )
        at, p = list(hidden or ()), par.TIP_DEPOSIT_HIDDEN_P
    whole = Pile(tuple(every))
    if not at:  # they went, but not where to: nothing is said against the dealer
        t = max(gone)
        return [event(TipDeposited, t, t + par.SLACK_S, par.WEAK_P, occluded=True, cents=None)]
    shown = all(
        (paid is not None or not covered(scene, own))
        and (own.fan or own.size == (paid.size if paid else 1))
        and (paid is None or paid.fan or own.size == 1)
        for _, own, paid in piles
    )
    cents, chips = (whole.cents, whole.chips) if shown else (None, None)
    return [event(TipDeposited, at[0] - par.SLACK_S, at[-1], p, cents=cents, chips=chips)]
