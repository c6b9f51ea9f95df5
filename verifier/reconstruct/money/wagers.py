"""Events of stakes: `wager_placed` for each, `wager_changed` where a player's hand altered it after the first card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from verifier.domain.events import WagerChanged, WagerMoved, WagerPlaced
from verifier.domain.places import space as space_text
from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.second_tip import tip_before
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.positions import UNSEEN, Found, at_lower_left, horizontal, on_line
from verifier.reconstruct.table.zones import distance


def stake_events(
    scene: RoundScene, stakes: Sequence[Stake], shown: Mapping[int, Pile], until: float, signals: Drafts
) -> Drafts:
    """`wager_placed` for every stake and `wager_changed` where an original or tip alters after the first card.

    `shown` has the fan that a stake (by its object id) was spread to later; `until` ends the decisions; a hand that
    gives one of the `signals` handles nothing.
    """
    drafts: Drafts = []
    for stake in stakes:
        fan = shown.get(id(stake))
        changes: Drafts = []
        if stake.kind in ("original", "tip"):
            changes = _changes(scene, stake, fan) or _handled(scene, stake, stakes, until, signals)
        where = position_of(scene, stake, stakes)
        placed = replace(_placed(scene, stake, None if changes else fan), position=where.position, position_p=where.p)
        earlier = _earlier(scene, stake, fan)
        drafts += [placed, *changes] if earlier is None else [earlier, _further(placed, earlier), *changes]
    return drafts


def _earlier(scene: RoundScene, stake: Stake, fan: Pile | None) -> WagerPlaced | None:
    """Return an earlier bet under a tip; none where the fan of both shows no such chip beside another: it was
    misread.
    """
    earlier = tip_before(scene, stake)
    if earlier is None or fan is None or fan.cents is None:
        return earlier
    return earlier if fan.fan and fan.values[earlier.cents] else None


def _further(placed: WagerPlaced, earlier: WagerPlaced) -> WagerPlaced:
    """Return a bet on top of an earlier one: what a fan showed later was the sum."""
    if earlier.weak or placed.lower_bound or placed.cents is None or earlier.cents is None:
        return placed
    return replace(placed, cents=placed.cents - earlier.cents, chips=None)


def _placed(scene: RoundScene, stake: Stake, fan: Pile | None) -> WagerPlaced:
    """Return a stake's placing. Where nothing was added in between, what its fan showed later is what was placed.

    The chip that showed on top is no lower bound where the fan has none like it: in one of both it was misread.
    """
    early = [dwell for dwell in stake.dwells if dwell.t0 <= scene.start + par.FIRST_LOOKS_S]
    laid = stake.dwells[:1] if stake.kind == "insurance" else early or stake.dwells
    t = max(scene.since, max(dwell.t0 for dwell in laid)) if stake.laid is None else stake.laid
    pile = Pile(tuple(laid))
    known = fan if fan is not None and fan.cents is not None else None
    whole = known or pile
    misread = fan is not None and fan.fan and bool({*whole.values} - {*fan.values, None})
    if stake.kind in ("original", "tip") and early:
        left_over = t < scene.since + par.STAKE_LEFT_OVER_S
        visits = [
            hand.t
            for hand in scene.hands.between(t, scene.start, "player")
            if left_over and distance(hand.tip, stake.anchor) < par.HAND_OWNER_MM
        ]
        t = min(max([t, *visits]), scene.start - par.INSTANT_S)
    return event(
        WagerPlaced,
        t - par.LAYING_S,
        t,
        pile.p,
        kind=stake.kind,
        at=stake.place,
        cents=None if misread else whole.cents,
        chips=None if misread else whole.chips,
        lower_bound=known is None,
        by="player",
    )


def _changes(scene: RoundScene, stake: Stake, fan: Pile | None) -> Drafts:
    """Chips that came on a stake, or went from it, under a player's hand after the first card.

    Before a fan the amounts are those of the chips that were seen, so that their difference is the change. A chip that
    was in sight with no hand near it, and then reads otherwise, was read anew.
    """
    drafts: Drafts = []
    for old, new in pairwise(stake.dwells):
        if new.t0 <= scene.start + par.FIRST_LOOKS_S or new.cents == old.cents or _untouched(scene, old, new):
            continue
        before, after = _amounts(old, new, fan)
        drafts.append(
            event(
                WagerChanged,
                new.t0 - par.CHANGED_BEFORE_S,
                new.t0,
                min(old.p, new.p, par.SURELY_SEEN_P),
                kind=stake.kind,
                at=stake.place,
                cents_before=before,
                cents_after=after,
                by="player",
            )
        )
    return drafts


def _untouched(scene: RoundScene, old: ChipDwell, new: ChipDwell) -> bool:
    """Tell whether looks followed each other as one chip went on to read as another, and no hand was near in any
    of them.
    """
    since = max(old.seen_to - par.WAGER_REREAD_S, old.t0 + par.WAGER_AT_ONCE_S)  # the hand that laid it changes nothing
    near = any(hand.over(old.xy, par.WAGER_NEAR_MM) for hand in scene.hands.between(since, new.t0 + par.INSTANT_S))
    return scene.hands.known and new.t0 - old.seen_to <= par.WAGER_AT_ONCE_S and not near


def _amounts(old: ChipDwell, new: ChipDwell, fan: Pile | None) -> tuple[int | None, int | None]:
    """Return what a stake was worth before and after another chip showed on top, which was misread if the fan has
    none.
    """
    if old.cents is None or new.cents is None:
        return old.cents, None
    whole = fan.cents if fan is not None and fan.fan else None
    if _removed(old.cents, new.cents, fan if whole is not None else None):
        return (old.cents + new.cents, new.cents) if whole is None else (whole + old.cents, whole)
    if whole is None:
        return old.cents, old.cents + new.cents
    return whole - new.cents if fan is not None and fan.values[new.cents] else None, whole


def _removed(old: int, new: int, fan: Pile | None) -> bool:
    """Tell whether the chip on top was taken, so that the one below it shows: a fan has none like it any more.

    Where no fan tells, the lowest value lies on top of a stack (99-01.3-08-09(3)): a dearer one that shows lay below.
    """
    if fan is not None:
        return old not in fan.values
    return new > old


def _handled(scene: RoundScene, stake: Stake, stakes: Sequence[Stake], until: float, signals: Drafts) -> Drafts:
    """Return that a player's hand was at a wager after the first card: a chip of the wager's colour put on top does not
    show.

    Unless the top face is seen to be another then, whatever the hand seemed to sign, or the same.
    """
    if stake.kind != "original":
        return []
    placing = [other.placed for other in stakes if other.kind in ("double", "split")]
    at = [
        hand
        for hand in scene.hands.between(max(scene.start, stake.placed) + par.WAGER_HANDLED_AFTER_S, until, "player")
        if distance(hand.tip, stake.anchor) < par.WAGER_HANDLED_MM
        and all(abs(hand.t - t) > par.WAGER_PLACING_S for t in placing)
    ]
    rests = [
        (a.t, b.t)
        for a, b in pairwise(at)
        if b.t - a.t <= par.THREE_LOOKS_S and distance(a.tip, b.tip) < par.WAGER_REST_MM
    ]
    seen = [(rest, _another_face(stake, rest[0], until)) for rest in rests]
    changed = next((rest for rest, other in seen if other), None)
    if changed is not None:
        return [_changed(stake, changed, par.WAGER_ANOTHER_P)]
    sure = [one for one in signals if not one.weak]  # a closed hand that sets down a chip may pass for a gesture
    own = [one for one in sure if getattr(one, "at", "").partition("/")[0] == space_text(stake.space)]
    unknown = [
        rest
        for rest, other in seen
        if other is None
        and not any(one.t_start - par.TWO_LOOKS_S <= t <= one.t_end + par.TWO_LOOKS_S for one in own for t in rest)
    ]
    return [_changed(stake, unknown[0], par.WEAK_P)] if unknown else []


def _changed(stake: Stake, rest: tuple[float, float], p: float) -> WagerChanged:
    return event(
        WagerChanged, *rest, p, kind=stake.kind, at=stake.place, cents_before=None, cents_after=None, by="player"
    )


def _another_face(stake: Stake, visit: float, until: float) -> bool | None:
    """Tell whether a stake's top face after the decisions is another than before a hand's visit; None where not
    seen.
    """
    faces = [face for dwell in stake.dwells for face in dwell.faces]
    before = [number for number, t0, _ in faces if t0 <= visit]
    after = [number for number, t0, t1 in faces if t1 > visit + par.WAGER_FACE_S and t0 < until]
    return before[-1] != after[-1] if before and after else None


def insurance_moved(scene: RoundScene, stakes: Iterable[Stake]) -> Drafts:
    """`wager_moved` of the insurance that the dealer took from its line to the cards."""
    return [
        event(
            WagerMoved,
            min(old.seen_to, new.t0),
            new.t0,
            p,
            kind="insurance",
            from_=stake.place,
            to=stake.place,
            hand=scene.hands.side_laid(new.xy, new.t0),
        )
        for stake in stakes
        if stake.kind == "insurance" and stake.insured_at is not None
        for old, new, p in [
            (stake.dwells[0], stake.dwells[-1], par.SEEN_P if len(stake.dwells) > 1 else par.WAGER_BRIEF_P)
        ]
    ]


# Where stakes lie within their spaces


def position_of(scene: RoundScene, stake: Stake, stakes: Iterable[Stake]) -> Found:
    """Return the place of a stake as it was laid; unseen where the law names none, or where it was seen only later."""
    spot, laid = scene.table.spaces[stake.space], stake.dwells[0]
    if stake.kind == "insurance":
        return UNSEEN if stake.insured_at is not None and laid.t0 >= stake.insured_at else on_line(spot, laid.xy)
    if stake.kind == "tip":
        return at_lower_left(spot, laid.xy)
    if stake.kind == "split":
        original = [other for other in stakes if other.kind == "original" and other.space == stake.space]
        return horizontal(spot, _lay(original[0].dwells, laid.t0).xy, laid.xy) if original else UNSEEN
    return UNSEEN


def _lay(dwells: Sequence[ChipDwell], t: float) -> ChipDwell:
    """Return what lay of a stake at `t`."""
    return next((dwell for dwell in reversed(dwells) if dwell.t0 <= t), dwells[0])
