"""Between rounds: shuffle, burned card, hands shown, tip receptacle taken, change of dealers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from verifier.domain.events import CardBurned, DealerShift, Shuffle
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.acts import Reading, readings
from verifier.reconstruct.between.chip_groups import ChipGroup, chip_groups_of
from verifier.reconstruct.between.declared import DEALING
from verifier.reconstruct.between.exchanges import exchange_events
from verifier.reconstruct.between.handled import (
    burns_of,
    cut_of,
    indicator_appeared,
    indicator_inserted,
    receptacle_taken,
    taken_first,
)
from verifier.reconstruct.between.shown import hands_shown, shown_by, shown_unread
from verifier.reconstruct.between.shuffles import shuffles_by_backs, shuffles_by_hands
from verifier.reconstruct.between.unattended import opened_again, table_states
from verifier.reconstruct.scene import Between, Drafts, event, unsure


def session_events(between: Between) -> Drafts:
    """All events of the stretch."""
    chip_groups = chip_groups_of(between.chips, between.table, between.hands, between.start, between.end)
    mixed = [
        each
        for each in shuffles_by_backs(between)
        if not any(_sure(chip_group) and _during(chip_group, each) for chip_group in chip_groups)
    ]
    chip_groups = [chip_group for chip_group in chip_groups if not any(_during(chip_group, each) for each in mixed)]
    by_hands = shuffles_by_hands(between, mixed)
    shuffles = [*mixed, *by_hands]
    burns = burns_of(between, shuffles)
    drafts: Drafts = [*shuffles, *burns]
    for shuffle in shuffles:
        cut = cut_of(between, shuffle)
        after: Drafts = [cut, *indicator_appeared(between, shuffle), *indicator_inserted(between, shuffle, cut.t_end)]
        drafts += unsure(after) if shuffle in by_hands else after
    drafts += _shift(between, burns)
    return drafts + exchange_events(between, chip_groups)


def _sure(chip_group: ChipGroup) -> bool:
    """Tell whether chips lay there: a nail or the print of a back passes for one now and then while cards are
    shuffled.
    """
    return any(dwell.mean >= par.SURE_CHIP_MEAN_P for dwell in chip_group.best.dwells)


def _during(chip_group: ChipGroup, shuffle: Shuffle) -> bool:
    """Tell whether chips lay in the inner area meanwhile: bills that are handled there pass for cards, face down."""
    return chip_group.t0 < shuffle.t_end and shuffle.t_start < chip_group.t1


def _shift(between: Between, burns: Sequence[CardBurned]) -> Drafts:
    """Return the change of dealers: no dealer's hand is over the table for some seconds."""
    drafts: Drafts = _returned(between, burns)
    for left, back in _absences(between):
        shown = hands_shown(between, left)
        taken = taken_first(between, shown) or receptacle_taken(between, left)
        if shown is not None and taken is not None:
            shown = shown_by(between, shown, taken.t_start)
        going: Drafts = [e for e in (shown, taken) if e is not None]
        if not going and not between.banked:
            continue
        going += shown_unread(between, left) if shown is None and not between.banked else []
        drafts += [*going, event(DealerShift, left, left + par.TWO_LOOKS_S, par.SEEN_P, phase="end", how=None)]
        handled = min((e.t_start for e in going), default=left)
        drawn = max((one.t_end for one in burns if one.t_end <= handled and not one.weak), default=0.0)
        drafts += table_states(between, handled, left, back, _burned_after(burns, back), drawn)
        if back is not None:
            drafts.append(_came(back))
    return drafts


def _burned_after(burns: Sequence[CardBurned], back: float | None) -> float | None:
    return next((one.t_start for one in burns if back is not None and one.t_start > back and not one.weak), None)


def _returned(between: Between, burns: Sequence[CardBurned]) -> Drafts:
    """Return that a dealer comes after a stretch that told of the one before leaving, and that the table is open
    again.
    """
    back = next((one.t0 for one in _there(between)), None)
    if between.away is None or back is None:
        return []
    return [*opened_again(between, between.away, back, _burned_after(burns, back)), _came(back)]


def _came(back: float) -> DealerShift:
    return event(DealerShift, back, back + par.THREE_LOOKS_S, par.WELL_SEEN_P, phase="start", how=None)


def _absences(between: Between) -> list[tuple[float, float | None]]:
    """(last detection of a dealer's hand, first detection of the next one) of each absence; None beyond the stretch."""
    there = _there(between)
    found: list[tuple[float, float | None]] = []
    for a, b in itertools.pairwise(there):
        times = between.hands.times_between(a.t1, b.t0)
        watched = sum(t - s for s, t in itertools.pairwise(times) if t - s <= 1.0 / par.LOOKED_AT_HZ)
        if watched >= par.DEALER_ABSENT_S and len(times) >= par.LOOKED_AT_HZ * (b.t0 - a.t1):
            found.append((a.t1, b.t0))
    if (
        there
        and between.end - there[-1].t1 >= par.SHUFFLE_GAP_S
        and between.hands.frames(there[-1].t1, between.end) >= 2
    ):
        found.append((there[-1].t1, None))
    return found


def _there(between: Between) -> list[Reading]:
    """Return when a dealer was there, without what passes for a hand in a few of the looks about it."""
    frames = between.hands.frames
    return [
        one
        for one in readings(DEALING, between, between.start, between.end)
        if len(one.seen["hands"])
        > par.DEALER_SOLID_SHARE * frames(one.t0 - par.DEALER_SOLID_S, one.t1 + par.DEALER_SOLID_S)
    ]
