"""Where a hand of the dealer's came from before it laid something down, and where it went with what it took up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile

from msgspec import Struct

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog, agreed_side
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.zones import TableMap, Xy, bounds, centre_of, distance

TRAY, RECEPTACLE, FELT = "tray", "tip_receptacle", "felt"
"""Ends of a hand path; `felt` is the players' side of the table, beyond the inner area."""


class HandPath(Struct, frozen=True):
    """The other end of a way: the place, the first and last detection of the hand there, its side and farthest point
    (mm).

    `p` is lower where the hand was lost from sight at that place, as over a dark receptacle.
    """

    place: str
    t0: float
    t1: float
    side: str | None
    at: Xy
    p: float = par.SEEN_P


def came_from(hands: HandLog, table: TableMap, points: Sequence[Xy], t: float) -> HandPath | None:
    """Where the hand that laid something at the points at `t` had been before; None where that was not seen.

    The hand that was there first laid it down; another may have spread it since.
    """
    looks = list(_looks(hands, t - par.HAND_PATH_CAME_S, t + par.THREE_LOOKS_S))
    paths = sorted(_paths(looks[::-1], points, t, par.HAND_PATH_BACK_WITHIN_S), key=lambda path: _contact(path, points))
    hand_paths = [_later(_hand_path(table, path, par.TWICE_LOOKS), _met(hands, path)) for path in paths]
    return next(filter(None, hand_paths), None) or _lost_at_receptacle(hands, table, t - par.HAND_PATH_CAME_S, t)


def _later(*hand_paths: HandPath | None) -> HandPath | None:
    """Return the last of the ends that a hand was at."""
    return max(filter(None, hand_paths), key=lambda hand_path: hand_path.t1, default=None)


def went_to(hands: HandLog, table: TableMap, points: Sequence[Xy], t: float) -> HandPath | None:
    """Where the hand went that took up what was last seen at the points at `t`; None where that was not seen."""
    looks = list(_looks(hands, t - par.THREE_LOOKS_S, t + par.HAND_PATH_WENT_S))
    hand_paths = [_hand_path(table, path, 1) for path in _paths(looks, points, t, par.HAND_PATH_ON_WITHIN_S)]
    return next(filter(None, hand_paths), None) or _lost_at_receptacle(hands, table, t, t + par.HAND_PATH_WENT_S)


def pushed_unseen(hands: HandLog, table: TableMap, t: float) -> HandPath | None:
    """Where chips went that were last seen at `t`, right before nobody looked: to the players, if the dealer's hand
    is seen to reach there in the looks after.
    """
    gap = hands.blind(t, t + par.HAND_PATH_WENT_S)
    if gap is None or gap[0] > t + par.HAND_PATH_GAP_S:
        return None
    there = [hand for hand in hands.between(gap[1], gap[1] + par.HAND_PATH_BACK_S, "dealer") if _beyond(table, hand)]
    if not there:
        return None
    far = max(there, key=lambda hand: distance(hand.tip, centre_of(table.zones["inner"])))
    return HandPath(
        FELT, there[0].t, there[-1].t, agreed_side([hand.side for hand in there]), far.tip, par.HAND_PATH_UNSEEN_P
    )


def brought_unseen(hands: HandLog, table: TableMap, t: float) -> HandPath | None:
    """Where chips came from that show since `t`, right after nobody looked: from a player, whose hand is seen to reach
    farther in than a wager lies in the looks before.
    """
    gap = hands.blind(t - par.HAND_PATH_CAME_S, t)
    if gap is None or t - gap[1] > par.HAND_PATH_GAP_S:
        return None
    middle = centre_of(table.zones["inner"])
    spots = [spot.wager for spot in table.spaces.values()]
    there = [
        hand
        for hand in hands.between(gap[0] - par.HAND_PATH_BACK_S, gap[0], "player")
        if distance(hand.xy, middle) < min((distance(spot, middle) for spot in spots), default=0.0)
    ]
    return HandPath(FELT, there[0].t, there[-1].t, None, there[-1].xy, par.HAND_PATH_UNSEEN_P) if there else None


def carried(hands: HandLog, table: TableMap, t0: float, t1: float) -> tuple[HandPath, HandPath] | None:
    """Return the dwell at the tray and the reach to the players of a hand that went from one right to the other in [t0,
    t1].
    """
    looks = list(_looks(hands, t0, t1))
    for index, look in enumerate(looks):
        for hand in look:
            if _place(table, hand) == FELT:
                path = _path(looks[:index][::-1], hand)
                hand_path = _hand_path(table, [one for one in path if _place(table, one) != FELT], par.TWICE_LOOKS + 1)
                if (
                    hand_path is not None
                    and hand_path.place == TRAY
                    and hand.t - hand_path.t1 <= par.HAND_PATH_CARRIED_S
                ):
                    return hand_path, HandPath(FELT, hand.t, hand.t, hand_path.side, hand.tip)
    return None


def nearest_space(table: TableMap, xy: Xy) -> str:
    """Return the space whose player a hand at `xy` (mm) reaches to: the hand is between that space's wager and
    cards.
    """
    best = min(table.spaces.values(), key=lambda spot: distance(centre_of([spot.wager, spot.cards]), xy))
    return f"space:{best.number}"


def _met(hands: HandLog, path: Sequence[HandDetection]) -> HandPath | None:
    """Where on its way a hand was at the spot that a player's hand had just left.

    Players at the table's sides lay down chips where the inner area begins.
    """
    if not path:
        return None
    players = list(hands.between(path[-1].t - par.HAND_PATH_MET_S, path[0].t, "player"))
    for hand in path:
        at = [
            p
            for p in players
            if 0.0 <= hand.t - p.t <= par.HAND_PATH_MET_S and distance(p.tip, hand.tip) <= par.HAND_PATH_MET_MM
        ]
        if at:
            return HandPath(
                FELT, at[0].t, hand.t, hand.side if hand.side != "unknown" else None, at[-1].xy, par.HAND_PATH_MET_P
            )
    return None


def _looks(hands: HandLog, t0: float, t1: float) -> Iterable[tuple[HandDetection, ...]]:
    for _, look in groupby(hands.between(t0, t1, "dealer"), key=lambda hand: hand.t):
        yield tuple(look)


def _paths(
    looks: Sequence[tuple[HandDetection, ...]], points: Sequence[Xy], t: float, reach: float
) -> list[list[HandDetection]]:
    """Return the paths of the hands that were at the points within `reach` seconds of `t`, from there on; the nearest
    first.
    """
    near = sorted(
        (
            (min(distance(end, xy) for xy in points for end in (hand.tip, hand.xy)), index, hand.xy, hand)
            for index, look in enumerate(looks)
            for hand in look
            if abs(hand.t - t) <= reach
        ),
        key=lambda item: item[:2],
    )
    paths: list[list[HandDetection]] = []
    for gap, index, _, hand in near:
        if gap <= par.HAND_PATH_HELD_MM and all(hand not in path for path in paths):
            paths.append(_path(looks[index + 1 :], hand))
    return paths


def _contact(path: Sequence[HandDetection], points: Sequence[Xy]) -> float:
    """Since when a hand was at the points, going back along its way until it was not."""
    at = takewhile(lambda hand: min(distance(hand.tip, xy) for xy in points) <= par.HAND_PATH_HELD_MM, path)
    return min((hand.t for hand in at), default=path[0].t)


def _path(looks: Sequence[tuple[HandDetection, ...]], hand: HandDetection) -> list[HandDetection]:
    """Return the looks at one hand while it is not out of sight for long."""
    path, beside = [hand], tuple[HandDetection, ...]()
    for look in looks:
        last = path[-1]
        if abs(look[0].t - last.t) > par.HAND_PATH_LOST_S:
            break
        step = par.HAND_PATH_STEP_MM + par.HAND_PATH_STEP_MM_S * abs(look[0].t - last.t)
        near = [
            after
            for after in look
            if distance(last.xy, after.xy) <= (step if _alike(last, after) else par.HAND_PATH_SWAP_MM)
            and (_alike(last, after) or not any(_goes_on(other, after) for other in beside))
        ]
        path += sorted(near, key=lambda after: (not _alike(last, after), distance(last.xy, after.xy)))[:1]
        beside = tuple(other for other in look if other is not path[-1])
    return path


def _goes_on(other: HandDetection, after: HandDetection) -> bool:
    """Tell whether a detection is of the hand of its side that lay there in the look before, beside the one
    followed.
    """
    return other.side == after.side != "unknown" and distance(other.xy, after.xy) <= par.HAND_PATH_DWELL_MM


def _alike(a: HandDetection, b: HandDetection) -> bool:
    return a.side == b.side or "unknown" in (a.side, b.side)


def _hand_path(table: TableMap, path: Sequence[HandDetection], dwell: int) -> HandPath | None:
    """Return the first end that a path comes to, at the tray for `dwell` looks at least.

    One that goes on to the receptacle only passed the tray.
    """
    visits = [
        (place, run)
        for place, group in groupby(path, key=lambda hand: _place(table, hand))
        if place
        for run in _dwells(list(group), place)
    ]
    visits = [
        (place, run)
        for index, (place, run) in enumerate(visits)
        if place != TRAY
        or len(run) > par.TWICE_LOOKS
        or (len(run) >= dwell and all(after != RECEPTACLE for after, _ in visits[index + 1 :]))
    ]
    if not visits:
        return None
    place, run = visits[0]
    times = [hand.t for hand in run]
    side = agreed_side([hand.side for hand in path[: path.index(run[-1]) + 1]])
    inner = centre_of(table.zones["inner"])
    far = max(run, key=lambda hand: distance(hand.tip, inner)) if place == FELT else run[0]
    return HandPath(place, min(times), max(times), side, far.tip)


def _dwells(run: Sequence[HandDetection], place: str) -> list[list[HandDetection]]:
    """Return a run at the tray, parted where the hand moved on: dealers rest their hands near it too."""
    parts = [[run[0]]]
    for hand in run[1:]:
        if place == TRAY and distance(hand.tip, parts[-1][-1].tip) > par.HAND_PATH_DWELL_MM:
            parts.append([])
        parts[-1].append(hand)
    return parts


def _place(table: TableMap, hand: HandDetection) -> str | None:
    if table.near(hand.tip, RECEPTACLE, par.FIXTURE_MM):
        return RECEPTACLE
    if table.near(hand.tip, TRAY, par.FIXTURE_MM):
        return TRAY
    return FELT if _beyond(table, hand) else None


def _beyond(table: TableMap, hand: HandDetection) -> bool:
    """Tell whether a hand is on the players' side: above the inner area, or between a space's cards and its wager."""
    if hand.xy[1] < bounds(table.zones["inner"])[1] - par.HAND_PATH_BEYOND_MM:
        return True
    if table.within(hand.tip, "inner"):
        return False
    return any(
        distance(hand.tip, centre_of([spot.wager, spot.cards])) <= par.HAND_PATH_REACH_MM
        for spot in table.spaces.values()
    )


def _lost_at_receptacle(hands: HandLog, table: TableMap, t0: float, t1: float) -> HandPath | None:
    if RECEPTACLE not in table.zones:
        return None
    box = bounds(table.zones[RECEPTACLE])
    lost = hands.lost_near(box, t0, t1, par.RECEPTACLE_LOST_MM)
    return HandPath(RECEPTACLE, *lost, None, (box[0], box[1]), par.HAND_PATH_UNSEEN_P) if lost else None
