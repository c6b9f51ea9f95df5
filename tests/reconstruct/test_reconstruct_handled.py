"""A hand that rests at a wager after the first card: what it may have put there is told, unless it surely signalled."""

from __future__ import annotations

import math

import pytest
from recon_scenes import chain, frames, hand, layout

from verifier.domain.events import ChipsFromTray, HandSignal, PayoffPlaced
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.fetched import begun_at_tray
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.wagers import stake_events
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

Faces = tuple[tuple[int, float, float], ...]


def handled(signal_p: float, laid: float = -5.0, faces: Faces = ()) -> Drafts:
    """What is told of a wager at which a player's closed hand rests, whose visit passes for a signal this sure."""
    table, hands = TableMap.of(layout()), HandLog()
    for seen in chain(frames(4.0), frames(0.5, hands=[hand(600, 120, "player", fingers=0)]), frames(1.0)):
        hands.add(detections_of(seen, table, Body.of(table)))
    tip = next(detection.tip for detection in hands.between(4.0, 4.5))
    wager = ChipDwell(tip, 500, laid, math.inf, 0.99, 19.5, 50, 1, True, 6.0, faces=faces)
    scene = RoundScene(
        table=table, hands=hands, cards=(), dwells={2: [wager]}, since=-9.0, start=0.0, end=6.0, begun=True, ended=True
    )
    signal = event(HandSignal, 4.0, 4.5, signal_p, at="space:2", meaning="hit")
    return stake_events(scene, [Stake("original", 2, "space:2", [wager])], {}, 6.0, [signal])


def told(signal_p: float, laid: float = -5.0) -> list[str]:
    return [one.name for one in handled(signal_p, laid)]


@pytest.mark.parametrize(
    ("faces", "changed"),
    [
        (((1, -5.0, 3.9), (2, 4.7, 6.0)), "sure"),
        (((1, -5.0, 3.9), (1, 4.7, 6.0)), None),
        (((1, -5.0, 3.9), (2, 4.7, 5.0), (1, 5.1, 6.0)), None),
        (((1, -5.0, 3.9),), "weak"),
        (((2, 4.7, 6.0),), "weak"),
    ],
    ids=["another", "the same", "the same in the end", "not seen after", "not seen before"],
)
def test_the_face_on_top_tells_whether_a_hand_that_rested_at_a_wager_changed_it(
    faces: Faces, changed: str | None
) -> None:
    changes = [one for one in handled(0.45, faces=faces) if one.name == "wager_changed"]
    assert ["weak" if one.weak else "sure" for one in changes] == ([] if changed is None else [changed])


def test_a_hand_that_hardly_passes_for_a_signal_may_have_changed_the_wager_it_rests_at() -> None:
    assert told(0.45) == ["wager_placed", "wager_changed"]


@pytest.mark.parametrize(
    ("at", "laid", "seen", "missed", "changes"),
    [
        ((200, 120), -5.0, 4.2, 0.0, 0), ((600, 120), -5.0, 4.2, 0.0, 1), ((200, 120), -5.0, 4.2, 1.5, 1),
        ((600, 120), -5.0, 5.2, 0.0, 1), ((600, 120), -5.0, 6.2, 0.0, 0), ((600, 120), 4.4, 5.2, 0.0, 0),
    ],
    ids=["nobody near", "a hand at it", "out of sight between", "a hand a moment before", "long before",
         "the hand that laid it"],
)  # fmt: skip
def test_a_chip_that_reads_otherwise_with_nobody_near_was_read_anew(
    at: tuple[int, int], laid: float, seen: float, missed: float, changes: int
) -> None:
    table, hands = TableMap.of(layout()), HandLog()
    for look in chain(frames(4.0), frames(0.5, hands=[hand(*at, "player", fingers=5)]), frames(3.0)):
        hands.add(detections_of(look, table, Body.of(table)))
    spot = table.spaces[2].wager
    before = ChipDwell(spot, 200, laid, seen, 0.99, 19.5, 50, 1, True, seen)
    after = ChipDwell(spot, 100, seen + 0.1 + missed, math.inf, 0.99, 19.5, 50, 2, True, 7.0)
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={2: [before, after]},
        since=-9.0,
        start=0.0,
        end=7.0,
        begun=True,
        ended=True,
    )
    told = stake_events(scene, [Stake("original", 2, "space:2", [before, after])], {}, 7.0, [])
    assert [one.name for one in told if not one.weak].count("wager_changed") == changes


@pytest.mark.parametrize(
    ("until", "cents", "off", "changes"),
    [(5.0, 200, 1.0, 0), (4.1, 200, 1.0, 1), (5.0, 100, 1.0, 1), (5.0, 200, 9.0, 1)],
    ids=["the same chip", "bare between", "of another value", "elsewhere"],
)  # fmt: skip
def test_a_chip_found_again_under_a_hand_before_its_place_was_bare_did_not_change(
    until: float, cents: int, off: float, changes: int
) -> None:
    """A waving hand hides the wager, and what shows between its fingers is told from what lay there."""
    (x, y) = TableMap.of(layout()).spaces[2].wager
    before = ChipDwell((x, y), 200, -5.0, until, 0.99, 19.5, 50, 1, True, 4.0)
    after = ChipDwell((x + off, y), cents, 4.2, math.inf, 0.99, 19.5, 50, 2, True, 7.0)
    assert len(Stake("original", 2, "space:2", [before, after]).changes) == changes


def test_a_hand_that_seemed_to_sign_changed_the_wager_on_which_another_face_lies_since() -> None:
    (_, changed) = handled(0.98, faces=((1, -5.0, 3.9), (2, 4.7, 6.0)))
    assert changed.name == "wager_changed"
    assert not changed.weak
    assert [one.name for one in handled(0.98, faces=((1, -5.0, 3.9), (1, 4.7, 6.0)))] == ["wager_placed"]


def test_a_hand_that_lays_a_late_wager_changes_nothing() -> None:
    assert told(0.45, laid=4.4) == ["wager_placed"]


def test_a_hand_that_surely_signals_handles_nothing() -> None:
    assert told(0.9) == ["wager_placed"]


def test_a_payoff_begins_as_its_chips_leave_the_tray_and_a_second_of_that_visit_after_the_first() -> None:
    taken = event(ChipsFromTray, 9.0, 9.4, 0.9, cents=1000, hand="right", origin="settlement")
    first, second = (
        event(PayoffPlaced, t - 0.45, t, 0.9, kind="original", at="space:2", cents=500) for t in (10.2, 10.8)
    )
    late = event(PayoffPlaced, 14.0, 14.45, 0.9, kind="original", at="space:3", cents=500)
    told = begun_at_tray([taken, first, second, late])
    assert [one.t_start for one in told] == [9.0, 9.4, second.t_start, 14.0]
