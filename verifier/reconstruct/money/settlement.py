"""What settlement left on each space: stakes taken, the rows that grew out of them, and payoffs beside them.

A space is read at the instant when the last chip of its settlement has come to rest: rows there are fans, rows that
grew out of a stake are its own, the others are payoffs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.payoffs import beside, shared, weighed, with_open_ends, with_top, with_tops
from verifier.reconstruct.money.piles import Pile, apart, cluster, with_weak, without_bridges
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.sums import joined
from verifier.reconstruct.money.taken import taken, went_with
from verifier.reconstruct.resting.chip_dwells import ChipDwell, linked, lying
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import distance


class Settled(Struct, frozen=True, kw_only=True):
    """What settlement left of one stake: its own pile and the payoff beside it (None: none)."""

    stake: Stake
    own: Pile | None
    payoffs: tuple[Pile, ...]
    taken: bool
    """Whether the dealer took it."""
    with_cards: bool = False
    """Whether it went shortly before its cards: then it is known when."""
    picked: float | None = None
    """When its cards went."""


def settle_space(
    scene: RoundScene,
    stakes: Sequence[Stake],
    dwells: Sequence[ChipDwell],
    settle_from: float,
    until: float,
    picked: Mapping[str, float],
    naturals: Set[str] = frozenset(),
) -> list[Settled]:
    """Read one space; `picked` has when the cards of each of its hands went, `naturals` the hands that are one."""
    lost = [stake for stake in stakes if taken(scene, stake, stakes, dwells, until, picked.get(stake.place))]
    fresh = [s for s in dwells if settle_from <= s.t0 <= until and not _known(stakes, s)]
    left = [stake for stake in stakes if stake not in lost]
    t = _when_laid_out(fresh, dwells, settle_from)
    there = [s for s in _lying_about(dwells, t) if s in fresh or _known(left, s)]
    piles, behind = _by_stake(scene, cluster(there), left) if left else ([], [])
    since = [s for s in dwells if s.t0 >= settle_from]
    piles = [_dated(scene, pile, fresh, since) for pile in piles]
    own: dict[int, list[Pile]] = {index: [] for index in range(len(left))}
    loose = [_dated(scene, pile, fresh, since) for pile in behind]
    for pile in piles:
        owner = _owner(pile, left)
        if owner is None:
            loose.append(pile)
        else:
            own[owner].append(pile)
    paid = shared(beside(scene, loose, left), left, [_whole(piles) for piles in own.values()])
    result = [_lost(scene, one, picked.get(one.place)) for one in lost]
    for index, stake in enumerate(left):
        mine, odds = _whole(own[index]) if own[index] else None, _odds(scene, stake, naturals)
        result.append(_paid(scene, stake, mine, paid[index], since, odds))
    return result


def _odds(scene: RoundScene, stake: Stake, naturals: Set[str]) -> Fraction:
    """Return the odds at which a stake is paid if it wins."""
    if stake.kind == "insurance":
        return par.ODDS_INSURANCE
    return scene.natural_odds if stake.place in naturals else par.ODDS_EVEN


def _paid(
    scene: RoundScene,
    stake: Stake,
    mine: Pile | None,
    payoffs: Sequence[Pile],
    since: Sequence[ChipDwell],
    odds: Fraction,
) -> Settled:
    """Return a stake that was left, and what was paid on it; amounts are weighed against each other."""
    if mine is not None and payoffs:
        mine, won = weighed(mine, joined(payoffs), since, stake, odds)
        return Settled(stake=stake, own=mine, payoffs=(with_open_ends(scene.hands, mine, won, odds),), taken=False)
    own = None if mine is None else with_top(mine, stake)
    return Settled(stake=stake, own=own, payoffs=tuple(with_tops(pile, since, stake) for pile in payoffs), taken=False)


def _lost(scene: RoundScene, stake: Stake, picked: float | None) -> Settled:
    """Return a stake that the dealer took; `picked` is when its cards went."""
    with_cards = went_with(scene, stake.last, picked)
    return Settled(stake=stake, own=None, payoffs=(), taken=True, picked=picked, with_cards=with_cards)


def _whole(piles: Sequence[Pile]) -> Pile:
    """Pieces of one stake's row, of which the nearest to each other may have lost a chip between them."""
    return Pile(tuple(dwell for pile in piles for dwell in pile.dwells), unsure=len(piles) > 1)


def _dated(scene: RoundScene, pile: Pile, fresh: Sequence[ChipDwell], dwells: Sequence[ChipDwell]) -> Pile:
    """Return a pile with its fresh chips since they first lay on their spots: some were lost from sight and found
    again.

    A chip that comes into sight beside others with no hand near had come with them.
    """
    dated: list[ChipDwell] = []
    before = math.inf
    for dwell in sorted(pile.dwells, key=lambda dwell: dwell.t0):
        if dwell in fresh:
            since = min([dwell.t0, *[s.t0 for s in dwells if s.cents == dwell.cents and _one_spot(s, dwell)]])
            late = since > before + par.SETTLEMENT_LATE_S and scene.hands.known
            if late and scene.hands.laid_by(dwell.xy, since) is None:
                since = before
            dwell, before = replace(dwell, t0=since), since
        dated.append(dwell)
    return replace(pile, dwells=tuple(dated))


def _one_spot(a: ChipDwell, b: ChipDwell) -> bool:
    return distance(a.xy, b.xy) <= par.SAME_SPOT_MM


def _known(stakes: Iterable[Stake], dwell: ChipDwell) -> bool:
    return any(dwell in stake.dwells or dwell in stake.upon for stake in stakes)


def _when_laid_out(fresh: Sequence[ChipDwell], dwells: Sequence[ChipDwell], settle_from: float) -> float:
    """Return the instant after a birth at which most fresh chips lie there; the latest of equal ones."""
    best, most = settle_from, -1
    for t in sorted(dwell.t0 for dwell in fresh):
        count = len([s for s in lying(dwells, t + par.MARK_S) if s in fresh])
        if count >= most:
            best, most = t + par.MARK_S, count
    return best


def _lying_about(dwells: Sequence[ChipDwell], t: float) -> list[ChipDwell]:
    """Return the chips that lay at `t`, with their better, later readings and with chips that had been missed."""
    there = lying(dwells, t)
    until = (
        min(t + par.SETTLEMENT_SEEN_S, sorted(s.t1 for s in there)[len(there) // 2] - par.TWO_LOOKS_S) if there else t
    )
    for later in (s for s in dwells if t < s.t0 < until and s.t1 - s.t0 > par.RESTING_S):
        there = [s for s in there if distance(s.xy, later.xy) > par.SAME_SPOT_MM or s.t1 - t > later.t1 - later.t0]
        if all(distance(s.xy, later.xy) > par.SAME_SPOT_MM for s in there):
            there.append(later)
    before = [s for s in dwells if t - par.SETTLEMENT_SEEN_S < s.t1 <= t and s.t1 - s.t0 > par.RESTING_S]
    elsewhere = [s for s in before if all(distance(s.xy, o.xy) > par.SAME_SPOT_MM for o in there)]
    return with_weak(apart(without_bridges(there)), elsewhere)


def _by_stake(scene: RoundScene, piles: Sequence[Pile], stakes: Sequence[Stake]) -> tuple[list[Pile], list[Pile]]:
    """Parts a pile that two stakes grew into, by the stake whose column each chip lies in; and rows laid behind one."""
    parted: list[Pile] = []
    behind: list[Pile] = []
    for pile in piles:
        owners = [stake for stake in stakes if pile.touches(stake.anchor, par.PAYOFF_TOUCH_MM)]
        if len(owners) < 2:
            own, *rows = _beyond(scene, pile, owners[0]) if owners else [pile]
            parted.append(own)
            behind += rows
            continue
        columns: dict[int, list[ChipDwell]] = {}
        for dwell in pile.dwells:
            nearest = min(range(len(owners)), key=lambda i: abs(owners[i].anchor[0] - dwell.xy[0]))
            columns.setdefault(nearest, []).append(dwell)
        for index, column in columns.items():
            own, *rows = _beyond(scene, Pile(tuple(column)), owners[index])
            parted.append(own)
            behind += rows
    return parted, behind


def _beyond(scene: RoundScene, pile: Pile, stake: Stake) -> list[Pile]:
    """Return a stake's row, which grows toward the dealer, and after it what was laid behind it later: its payoff's
    row.

    A row that came while nobody looked may have lain there since nobody did. Where the first chip is
    like the one on top of the stack, it seems to lie on: then chips that overlap it are of the row.
    """
    behind = [dwell for dwell in pile.dwells if dwell.xy[1] < stake.anchor[1] - par.COLUMN_MM]
    own = [dwell for dwell in pile.dwells if dwell not in behind]
    alike = all(dwell in stake.dwells for dwell in own)
    if not behind or not own or (alike and any(linked(a, b, par.SET_LINK_RADII) for a in behind for b in own)):
        return [pile]
    since = min((s.t0 for s in own if s not in stake.dwells), default=stake.placed)
    unseen = scene.hands.unwatched(stake.anchor, since)
    if min(s.t0 for s in behind) < (unseen[0] if unseen else since) + par.SETTLEMENT_LATER_S:
        return [pile]
    return [Pile(tuple(own)), Pile(tuple(behind))]


def _owner(pile: Pile, stakes: Sequence[Stake]) -> int | None:
    """Return the stake that a pile grew out of; where a chip next to it was not seen it lies in line with it.

    Beside an insurance that lies there still no wager is spread: one is paid against a natural, the other is not.
    """
    gaps = [
        (min(distance(dwell.xy, stake.anchor) for dwell in pile.dwells), index) for index, stake in enumerate(stakes)
    ]
    near = [(gap, index) for gap, index in gaps if gap <= par.STAKE_OWN_ROW_MM]
    if not near and all(stake.kind != "insurance" for stake in stakes):
        near = [(gap, index) for gap, index in gaps if gap <= par.STAKE_FAR_MM and _in_column(pile, stakes[index])]
    return min(near)[1] if near else None


def _in_column(pile: Pile, stake: Stake) -> bool:
    """Tell whether a pile lies in line with a stake toward the dealer: the end of its row, beyond a chip not seen."""
    x, y = stake.anchor
    return all(abs(dwell.xy[0] - x) < par.COLUMN_MM and dwell.xy[1] > y for dwell in pile.dwells)
