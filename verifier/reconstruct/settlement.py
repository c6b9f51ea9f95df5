"""What settlement left on each space: stakes taken, the rows that grew out of them, and payoffs beside them.

A space is read at the instant when the last chip of its settlement has come to rest: rows there are fans, rows that
grew out of a stake are its own, the others are payoffs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import permutations

from msgspec import Struct
from msgspec.structs import replace

from verifier.reconstruct.piles import ChipStay, Pile, cluster, lying, with_weak
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.stakes import OWN_MM, TIPS, Stake, left_bare
from verifier.reconstruct.sums import joined, reconciled
from verifier.reconstruct.zones import distance

SAME_SPOT_MM = 8.0
MOST_SHUFFLED = 5
SEEN_SECONDS = 2.5
"""For this long after its last chip came to rest a space is looked at; then its player may take the chips."""
LATE_SECONDS, LAID_SECONDS = 1.0, 0.8
"""A chip that comes so much later than those beside it, with no hand near so long before, had been missed."""
COLUMN_MM = 14.0
ROWS_MM = 25.0
"""Rows that are laid beside each other lie farther apart than this, chips of one row do not across it."""
LATER_SECONDS = 0.8
"""A payoff is laid at least this long after the wager was spread: the dealer's hand goes to the tray meanwhile."""
FAR_MM = 56.0
BUST_SECONDS = 4.0
"""The cards of a busted hand go within this time of its stake."""
PAYOFF_MM = 150.0
"""A payoff's first chip lies within this distance of a stake."""
ONWARD_MM = 80.0
"""A piece of a payoff's row, with a chip or two unseen before it, begins within this distance of the piece before."""


class Settled(Struct, frozen=True, kw_only=True):
    """What settlement left of one stake: its own pile and the payoff beside it (None: none)."""

    stake: Stake
    own: Pile | None
    payoffs: tuple[Pile, ...]
    taken: bool
    """Whether the dealer took it."""


def settle_space(
    scene: RoundScene,
    stakes: Sequence[Stake],
    stays: Sequence[ChipStay],
    settle_from: float,
    until: float,
    picked: Mapping[str, float],
    naturals: Set[str] = frozenset(),
) -> list[Settled]:
    """Reads one space; `picked` has when the cards of each of its hands went, `naturals` the hands that are one."""
    taken = [stake for stake in stakes if _taken(scene, stake, stakes, stays, until, picked.get(stake.place))]
    fresh = [s for s in stays if settle_from <= s.t0 <= until and s.t1 - s.t0 > 0.5 and not _known(stakes, s)]
    left = [stake for stake in stakes if stake not in taken]
    t = _when_laid_out(fresh, stays, settle_from)
    there = [s for s in _lying_about(stays, t) if s in fresh or _known(left, s)]
    piles, behind = _by_stake(cluster(there), left) if left else ([], [])
    since = [s for s in stays if s.t0 >= settle_from]
    piles = [_dated(scene, pile, fresh, since) for pile in piles]
    own: dict[int, list[Pile]] = {index: [] for index in range(len(left))}
    loose = [_dated(scene, pile, fresh, since) for pile in behind]
    for pile in piles:
        owner = _owner(pile, left)
        if owner is None:
            loose.append(pile)
        else:
            own[owner].append(pile)
    shared = _share(_beside(scene, loose, left), left, [_whole(piles) for piles in own.values()])
    result = [Settled(stake=stake, own=None, payoffs=(), taken=True) for stake in taken]
    for index, stake in enumerate(left):
        mine = _whole(own[index]) if own[index] else None
        payoffs = tuple(shared[index])
        if mine is not None and payoffs:
            mine, paid = reconciled(mine, joined(payoffs), natural=stake.place in naturals)
            payoffs = (paid,)
        result.append(Settled(stake=stake, own=mine, payoffs=payoffs, taken=False))
    return result


def _whole(piles: Sequence[Pile]) -> Pile:
    """Pieces of one stake's row, of which the nearest to each other may have lost a chip between them."""
    return Pile(tuple(stay for pile in piles for stay in pile.stays), unsure=len(piles) > 1)


def _dated(scene: RoundScene, pile: Pile, fresh: Sequence[ChipStay], stays: Sequence[ChipStay]) -> Pile:
    """A pile with its fresh chips since they first lay on their spots: some were lost from sight and found again.

    A chip that comes into sight beside others with no hand near had come with them.
    """
    dated: list[ChipStay] = []
    before = math.inf
    for stay in sorted(pile.stays, key=lambda stay: stay.t0):
        if stay in fresh:
            since = min([stay.t0, *[s.t0 for s in stays if s.cents == stay.cents and _one_spot(s, stay)]])
            late = since > before + LATE_SECONDS and scene.hands.known
            if late and scene.hands.owner_at(stay.xy, since - LAID_SECONDS, since + 0.1, 20.0) is None:
                since = before
            stay, before = replace(stay, t0=since), since
        dated.append(stay)
    return replace(pile, stays=tuple(dated))


def _one_spot(a: ChipStay, b: ChipStay) -> bool:
    return distance(a.xy, b.xy) <= SAME_SPOT_MM


def _known(stakes: Iterable[Stake], stay: ChipStay) -> bool:
    return any(stay in stake.stays or stay is stake.held for stake in stakes)


def _taken(
    scene: RoundScene, stake: Stake, stakes: Sequence[Stake], stays: Sequence[ChipStay], until: float,
    picked: float | None,
) -> bool:  # fmt: skip
    """Whether the dealer took a stake: its place is bare, and no row grew out of it.

    A hand that passes for a player's took it for the dealer where the cards of the hand went with it.
    """
    last = stake.last
    others = [stay for other in stakes if other is not stake for stay in (*other.stays, other.held) if stay]
    if last.t1 > until + 0.5 or not left_bare(stake, stays, others):
        return False
    with_cards = picked is not None and -1.0 <= picked - last.t1 <= BUST_SECONDS
    return with_cards or taken_by(scene, stake) != "player"


def taken_by(scene: RoundScene, stake: Stake) -> str | None:
    """Whose hand was at a stake when it went."""
    last = stake.last
    return scene.hands.owner_at(last.xy, last.seen_to - 0.3, last.t1 + 0.1, 40.0)


def _when_laid_out(fresh: Sequence[ChipStay], stays: Sequence[ChipStay], settle_from: float) -> float:
    """The instant after a birth at which most fresh chips lie there; the latest of equal ones."""
    best, most = settle_from, -1
    for t in sorted(stay.t0 for stay in fresh):
        count = len([s for s in lying(stays, t + 0.05) if s in fresh])
        if count >= most:
            best, most = t + 0.05, count
    return best


def _lying_about(stays: Sequence[ChipStay], t: float) -> list[ChipStay]:
    """What lay at `t`, with what was seen of it while it lay on: better readings, and chips that had been missed."""
    there = lying(stays, t)
    until = min(t + SEEN_SECONDS, sorted(s.t1 for s in there)[len(there) // 2] - 0.2) if there else t
    for later in (s for s in stays if t < s.t0 < until and s.t1 - s.t0 > 0.8):
        there = [s for s in there if distance(s.xy, later.xy) > SAME_SPOT_MM or s.t1 - t > later.t1 - later.t0]
        if all(distance(s.xy, later.xy) > SAME_SPOT_MM for s in there):
            there.append(later)
    before = [s for s in stays if t - SEEN_SECONDS < s.t1 <= t and s.t1 - s.t0 > 0.8]
    return with_weak(there, [s for s in before if all(distance(s.xy, o.xy) > SAME_SPOT_MM for o in there)])


def _by_stake(piles: Sequence[Pile], stakes: Sequence[Stake]) -> tuple[list[Pile], list[Pile]]:
    """Parts a pile that two stakes grew into, by the stake whose column each chip lies in; and rows laid behind one."""
    parted: list[Pile] = []
    behind: list[Pile] = []
    for pile in piles:
        owners = [stake for stake in stakes if pile.touches(stake.anchor, 12.0)]
        if len(owners) < 2:
            own, *rows = _beyond(pile, owners[0]) if owners else [pile]
            parted.append(own)
            behind += rows
            continue
        columns: dict[int, list[ChipStay]] = {}
        for stay in pile.stays:
            nearest = min(range(len(owners)), key=lambda i: abs(owners[i].anchor[0] - stay.xy[0]))
            columns.setdefault(nearest, []).append(stay)
        parted += [Pile(tuple(column)) for column in columns.values()]
    return parted, behind


def _beyond(pile: Pile, stake: Stake) -> list[Pile]:
    """A stake's row, which grows toward the dealer, and after it what was laid behind it later: its payoff's row."""
    behind = [stay for stay in pile.stays if stay.xy[1] < stake.anchor[1] - COLUMN_MM]
    own = [stay for stay in pile.stays if stay not in behind]
    if not behind or min(s.t0 for s in behind) < max((s.t0 for s in own if s.first), default=math.inf) + LATER_SECONDS:
        return [pile]
    return [Pile(tuple(own)), Pile(tuple(behind))]


def _beside(scene: RoundScene, piles: Sequence[Pile], stakes: Sequence[Stake]) -> list[Pile]:
    """Piles that begin near a stake, with what goes on where one of them ends as their last piece.

    An insurance may be paid beside the wager of its space.
    """
    anchors = [stake.anchor for stake in stakes]
    anchors += [scene.table.spaces[stake.space].wager for stake in stakes if stake.kind == "insurance"]
    near = [pile for pile in piles if any(pile.touches(anchor, PAYOFF_MM) for anchor in anchors)]
    for piece in (pile for pile in piles if pile not in near):
        before = [i for i, pile in enumerate(near) if any(pile.touches(stay.xy, ONWARD_MM) for stay in piece.stays)]
        if before:
            nearest = min(before, key=lambda i: distance(near[i].xy, piece.xy))
            near[nearest] = joined([near[nearest], piece])
    return near


def _owner(pile: Pile, stakes: Sequence[Stake]) -> int | None:
    gaps = [(min(distance(stay.xy, stake.anchor) for stay in pile.stays), index) for index, stake in enumerate(stakes)]
    near = [(gap, index) for gap, index in gaps if gap <= OWN_MM]
    near = near or [(gap, index) for gap, index in gaps if gap <= FAR_MM and _in_column(pile, stakes[index])]
    return min(near)[1] if near else None


def _in_column(pile: Pile, stake: Stake) -> bool:
    """Whether a pile lies in line with a stake toward the dealer: the end of its row, beyond a chip not seen."""
    x, y = stake.anchor
    return all(abs(stay.xy[0] - x) < COLUMN_MM and stay.xy[1] > y for stay in pile.stays)


def _share(piles: Sequence[Pile], stakes: Sequence[Stake], own: Sequence[Pile]) -> list[list[Pile]]:
    """Payoffs by stake. As many piles as stakes go where they equal the stakes' `own` rows, else from left to right.

    Other numbers of piles go to the nearest stake each; one of more chips than that stake's may be of others, too.
    """
    result: list[list[Pile]] = [[] for _ in stakes]
    payable = [index for index, stake in enumerate(stakes) if stake.kind not in TIPS] or list(range(len(stakes)))
    if len(piles) < len(payable):
        piles = [row for pile in piles for row in _rows(pile)]
    if len(piles) == len(payable):
        order = sorted(payable, key=lambda index: stakes[index].anchor[0])
        along = sorted(piles, key=lambda pile: pile.xy[0])
        ways = permutations(along) if len(along) <= MOST_SHUFFLED else iter([tuple(along)])
        best = max(ways, key=lambda way: sum(p.values == own[i].values for p, i in zip(way, order, strict=True)))
        for pile, index in zip(best, order, strict=True):
            result[index].append(pile)
        return result
    for pile in piles:
        if payable:
            nearest = min(payable, key=lambda index: distance(stakes[index].anchor, pile.xy))
            several = len(payable) > 1 and own[nearest].stays and pile.size > own[nearest].size
            result[nearest].append(replace(pile, undivided=True) if several else pile)
    return result


def _rows(pile: Pile) -> list[Pile]:
    """The rows of a pile that were laid beside each other across the table; the pile where it is no such rows."""
    stays = sorted(pile.stays, key=lambda stay: stay.xy[1])
    cuts = [i for i in range(1, len(stays)) if stays[i].xy[1] - stays[i - 1].xy[1] > ROWS_MM]
    rows = [stays[a:b] for a, b in zip([0, *cuts], [*cuts, len(stays)], strict=True)]
    if any(row[-1].xy[1] - row[0].xy[1] > COLUMN_MM or len(row) < 2 for row in rows):
        return [pile]
    return [replace(pile, stays=tuple(row)) for row in rows]
