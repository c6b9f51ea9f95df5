"""Whether the dealer took a stake: what became of its place, whose hand was there, and when its cards went."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.leaning import seen_taken
from verifier.reconstruct.money.stakes import Stake, left_bare
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import Xy, distance


def taken(
    scene: RoundScene,
    stake: Stake,
    stakes: Sequence[Stake],
    dwells: Sequence[ChipDwell],
    until: float,
    picked: float | None,
) -> bool:
    """Tell whether the dealer took a stake: its place is bare, and no row grew out of it.

    A hand that passes for a player's took it for the dealer where the cards of the hand went with it. What lay on when
    those had gone, and went while nobody's hand was seen, is its player's: cards are taken up once chips are settled.
    """
    last = stake.last
    others = [dwell for other in stakes if other is not stake for dwell in (*other.dwells, *other.upon)]
    if last.t1 > until + 0.5 or not left_bare(stake, dwells, others):
        return False
    free = [dwell for dwell in dwells if dwell not in others]
    if not seen_taken(scene, last) and _row_since(stake, free, until if picked is None else picked):
        return False
    if picked is not None and last.seen_to > picked and taken_by(scene, stake) is None:
        return False
    return went_with(scene, last, picked) or taken_by(scene, stake) != "player"


def went_with(scene: RoundScene, last: ChipDwell, picked: float | None) -> bool:
    """Tell whether a stake went when its cards did (`picked`), or the dealer's hand was the last at it before them.

    One that is missed in most looks is told to have gone long after it was taken.
    """
    if picked is None:
        return False
    if -1.0 <= picked - last.t1 <= par.TAKEN_BUST_S:
        return True
    since = max(last.seen_to, picked - par.TAKEN_BUST_S)
    at = [hand for hand in scene.hands.between(since, picked) if hand.over(last.xy, 0.0)]
    return picked < last.t1 and bool(at) and at[-1].owner == "dealer"


def _row_since(stake: Stake, dwells: Sequence[ChipDwell], until: float) -> bool:
    """Tell whether a row came to lie where a stake had lain before its cards went (`until`): it was spread, not taken.

    Somebody who leans over the table hides that for longer than it takes to miss the stake.
    """
    since = [
        s for s in dwells if stake.last.t1 < s.t0 < until - par.TAKEN_ROW_S and s.seen_to - s.t0 >= par.TAKEN_ROW_S
    ]
    first = [s for s in since if distance(s.xy, stake.anchor) <= par.STAKE_OWN_ROW_MM]
    return any(
        abs(a.xy[0] - b.xy[0]) <= par.COLUMN_MM and par.SAME_SPOT_MM < distance(a.xy, b.xy) <= par.STAKE_FAR_MM
        for a in first
        for b in since
    )


def nobody_near(scene: RoundScene, last: ChipDwell) -> bool:
    """Tell whether no hand of the dealer's is seen anywhere near a chip as it goes from sight: somebody hides it.

    It may then have been taken any time until its cards were; where nobody looked, until looks came again.
    """
    if scene.hands.blind(last.seen_to, last.t1) is not None:
        return False
    looks = scene.hands.between(last.seen_to - par.TAKEN_NEAR_S, last.t1 + par.TAKEN_NEAR_S, "dealer")
    return scene.hands.known and all(distance(hand.tip, last.xy) > par.TAKEN_NEAR_MM for hand in looks)


def taken_by(scene: RoundScene, stake: Stake) -> str | None:
    """Whose hand was at a stake when it went: the dealer's as it was last seen, or what hid it most till then.

    None where nobody looked from then on: a player who signed there need not have taken it.
    """
    last = stake.last
    at_once = scene.hands.took(last.xy, last.seen_to)
    whole = scene.hands.owner_at(last.xy, last.seen_to - par.THREE_LOOKS_S, last.t1 + par.SLACK_S)
    gap = scene.hands.blind(last.seen_to, last.t1 + par.SLACK_S)
    return at_once if at_once == "dealer" else None if gap is not None and gap[0] == last.seen_to else whole


# Whether both hands took it


def both_came(scene: RoundScene, xy: Xy, seen: float, bare: float) -> bool:
    """Tell whether both hands of the dealer came to a chip together and were at it as it went."""
    gaps = scene.hands.both_gaps(xy, seen - par.COLLECT_CAME_S, bare + par.SLACK_S)
    came = any(min(sides.values()) > par.COLLECT_AWAY_MM for t, sides in gaps.items() if t < seen)
    there = [sides for t, sides in gaps.items() if t >= seen - par.SLACK_S]
    long = all(sum(sides[side] <= par.COLLECT_BOTH_MM for sides in there) >= 2 for side in ("left", "right"))
    return came and long and any(max(sides.values()) <= par.COLLECT_BOTH_MM for sides in there)
