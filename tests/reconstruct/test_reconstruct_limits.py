"""More places where numbers that decide lie: what is told just on this side of each, and just on the other.

The figures stand here as numbers, not as the parameters that they are, so that a change of one is noticed.
"""

from __future__ import annotations

import pytest
from inner_scenes import RECEPTACLE, TRAY
from msgspec.structs import replace
from recon_scenes import bill, card, chain, chip, chips_settled, frames, hand, scene
from test_reconstruct_gaps import BODY, TABLE, card_track, watched
from test_reconstruct_insurance import table as insuring

from verifier.domain.events import HandsShown
from verifier.domain.observations import Drift, HandSeen, Observation, Quality
from verifier.reconstruct.between.chip_groups import chip_groups_of
from verifier.reconstruct.between.hand_paths import TRAY as FROM_TRAY
from verifier.reconstruct.between.handled import burns_of, taken_first
from verifier.reconstruct.between.unattended import opened_again
from verifier.reconstruct.between.unlooked import came_unlooked
from verifier.reconstruct.cards.burned import burned_cards
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.money.insured import insurance_of
from verifier.reconstruct.resting.bill_dwells import bill_dwells
from verifier.reconstruct.resting.bills import BillLook
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.visitors import Visitors
from verifier.reconstruct.scene import BackSeen, Between, event
from verifier.reconstruct.table.detections import FrameDetections, detections_of
from verifier.reconstruct.table.records import record_of
from verifier.reconstruct.table.steady import Steadier
from verifier.reconstruct.table.zones import TableMap, Xy

HOLDER = TABLE.mm((1115.0, 600.0))


def between(log: HandLog, *backs: float) -> Between:
    """Forty seconds without play, with looks at a back in the discard holder."""
    return Between(table=TABLE, hands=log, backs=tuple(BackSeen(t, HOLDER, 0.9) for t in backs), start=0.0, end=40.0)


def detected(**seen: object) -> FrameDetections:
    return detections_of(Observation(t=0.0, frame=0, **seen), TABLE, BODY)  # type: ignore[arg-type]


def cover(*hands: HandSeen) -> Cover:
    return Cover(detected(hands=list(hands)).hands)


@pytest.mark.parametrize(
    ("there", "p"),
    [((19.0, 20.1), 0.85), ((19.0, 19.7), 0.6), ((19.7, 20.1), 0.6), ((19.0, 19.3), None), ((19.85, 20.1), None)],
    ids=["until hands were shown", "gone before", "briefly", "gone long before", "too briefly"],
)
def test_a_receptacle_was_taken_by_the_hand_that_was_there_until_hands_were_shown(
    there: tuple[float, float], p: float | None
) -> None:
    shown = event(
        HandsShown,
        20.0,
        22.0,
        0.97,
        left_palm=True,
        left_back=True,
        right_palm=True,
        right_back=True,
        fingers_extended=True,
    )
    taken = taken_first(between(watched((*there, *RECEPTACLE), gap=None)), shown)
    assert (taken and taken.p) == p


@pytest.mark.parametrize(("p", "moved"), [(0.5, True), (0.49, False)])
def test_a_camera_has_moved_where_that_is_as_likely_as_not(p: float, moved: bool) -> None:
    assert has_moved(Drift(dx=14.0, dy=-9.0, roll=2.0, scale=1.0, p=p)) == moved


@pytest.mark.parametrize(("dx", "moved"), [(2.1, True), (1.9, False)])
def test_a_camera_that_moved_by_less_than_two_pixels_stayed(dx: float, moved: bool) -> None:
    assert has_moved(Drift(dx=dx, dy=0.0, roll=0.0, scale=1.0, p=1.0)) == moved


def has_moved(drift: Drift) -> bool:
    """Tell whether the table's map moves with a view that is measured so."""
    steadier = Steadier(TABLE, (1200, 800))
    told = Quality(sharpness=200.0, obstructed=0.0, luma=100.0, view="shifted", drift=drift)
    (placed,) = [*steadier.step(Observation(t=0.0, frame=0, quality=told)), *steadier.flush()]
    return placed.table is not TABLE


@pytest.mark.parametrize(("sure", "cents"), [(0.5, 1000), (0.49, None)])
def test_a_look_that_leaves_a_bills_value_more_open_than_not_reads_none(sure: float, cents: int | None) -> None:
    notes = [replace(bill(440, 540), values={"1000": sure}, p=0.95 - n / 100) for n in range(3)]
    looks = [BillLook(float(n), detected(bills=[note]).bills or ()) for n, note in enumerate(notes)]
    (lain,) = bill_dwells(looks, HandLog())
    assert lain.cents == cents


def test_a_chip_that_lay_long_keeps_its_place_though_one_look_is_off() -> None:
    seen = chain(frames(10.0, chips=[chip(600, 140)]), frames(1 / 7.5, chips=[chip(602, 140)]))
    (track,) = chips_settled(seen).settled()
    assert track.xy[0] - TABLE.mm((600.0, 140.0))[0] == pytest.approx(0.1, abs=0.01)


def test_a_table_is_open_three_seconds_after_the_dealer_is_back() -> None:
    (opened,) = opened_again(replace(between(HandLog()), start=100.0), 80.0, 110.0, None)
    assert (opened.t_start, opened.t_end) == pytest.approx((112.8, 112.9))


@pytest.mark.parametrize(
    ("read", "p", "lies_on", "count"),
    [(0.61, 0.95, 0.97, 2), (0.59, 0.95, 0.97, 1), (0.96, 0.7, 0.97, 2), (0.94, 0.7, 0.97, 1), (0.59, 0.95, 0.79, 2)],
    ids=["read", "ill read", "doubtful, surely read", "doubtful, ill read", "upon none that is read"],
)
def test_a_face_that_cannot_be_read_upon_one_that_can_is_none(
    read: float, p: float, lies_on: float, count: int
) -> None:
    under = replace(card(600, 300, "K"), ranks={"K": lies_on})
    upon = replace(card(625, 300, "9", p=p), ranks={"9": read})
    assert len(detected(cards=[under, upon]).cards) == count


@pytest.mark.parametrize(("backs", "count"), [((20.0, 20.13, 20.27), 1), ((20.0, 20.13), 0)])
def test_a_back_in_the_discard_holder_that_no_hand_brought_is_a_burn_where_three_looks_show_it(
    backs: tuple[float, ...], count: int
) -> None:
    assert len(burns_of(between(watched(gap=None), *backs), ())) == count


@pytest.mark.parametrize(("until", "count"), [(11.3, 1), (11.0, 0)], ids=["time enough", "too short"])
def test_a_card_may_have_been_burned_while_nobody_looked_for_as_long_as_that_takes(until: float, count: int) -> None:
    burns = burns_of(between(watched(gap=(10.0, until))), ())
    assert [one.weak for one in burns] == [True] * count


@pytest.mark.parametrize(("since", "tray"), [(9.8, True), (9.95, False)], ids=["two looks", "one look"])
def test_a_hand_that_two_looks_show_at_the_tray_before_nobody_looked_brought_the_chips(
    since: float, tray: bool
) -> None:
    log = watched((since, 10.0, *TRAY), (11.5, 12.5, 450.0, 555.0))
    path = came_unlooked(log, TABLE, [TABLE.mm((450.0, 540.0))], 11.6)
    assert (path is not None and path.place == FROM_TRAY) == tray


@pytest.mark.parametrize(("gone", "count"), [(17.9, 1), (18.1, 0)], ids=["two seconds before", "later"])
def test_a_last_card_that_goes_two_seconds_before_its_hand_was_burned(gone: float, count: int) -> None:
    cards = [replace(card_track(n, (-33.0 * n, -100.0 + 45.0 * n), 2.0 + n), gone=20.0) for n in range(3)]
    cards[-1] = replace(cards[-1], gone=gone, t_last=gone)
    one = CardHand(2, cards=cards)
    dealt = Layout(hands=[one], dealings=[Dealing(each, one.place, one, None) for each in cards])
    assert [burned.card for burned in burned_cards(scene(HandLog()), dealt, ())] == cards[-1:] * count


@pytest.mark.parametrize(("off", "laid"), [(35.9, 1), (36.1, 0)])
def test_a_chip_near_the_insurance_line_insures(off: float, laid: int) -> None:
    spot = TableMap.of(insuring()).spaces[2]
    assert spot.insurance is not None
    line = ChipDwell((spot.insurance[0] + off, spot.insurance[1]), 500, 5.0, 20.0, 0.99, 19.5, 90, 7, True, 19.8)
    insured, _ = insurance_of(scene(HandLog()), spot, {0: [], 2: [line]}, 30.0)
    assert len(insured) == laid


@pytest.mark.parametrize(("far", "count"), [(329.0, 1), (331.0, 0)])
def test_a_card_is_laid_elsewhere_no_farther_than_a_split_hand_goes(far: float, count: int) -> None:
    before, after = (
        record_of(Observation(t=t, frame=0, cards=[card(x, 300, "9")]), TABLE)
        for t, x in ((0.0, 300.0), (1.0, 300.0 + far))
    )
    assert len(after.come(before.cards[0], before)) == count


@pytest.mark.parametrize(("until", "end"), [(11.3, 10.0), (11.0, 14.0)], ids=["for long", "for a moment"])
def test_that_hands_were_off_is_not_told_of_a_time_in_which_nobody_looked(until: float, end: float) -> None:
    off = watched(gap=(10.0, until)).off([TABLE.mm((600.0, 140.0))], 8.0, 14.0)
    assert off == pytest.approx((8.0, end), abs=0.01)


@pytest.mark.parametrize(("later", "came"), [(11.9, True), (12.1, False)])
def test_a_hand_is_remembered_for_twelve_seconds(later: float, came: bool) -> None:
    at: Xy = TABLE.mm((600.0, 140.0))
    visitors = Visitors()
    visitors.remember(0.0, cover(hand(600, 150)))
    visitors.remember(later, cover(hand(900, 600)))
    assert visitors.came(at, -1.0) == came


@pytest.mark.parametrize(("rests", "count"), [(0.21, 1), (0.19, 0)])
def test_chips_that_are_laid_down_rest(rests: float, count: int) -> None:
    x, y = TABLE.mm((600.0, 500.0))
    passing = ChipDwell((x, y), 500, 5.0, 5.0 + rests, 0.99, 19.5, 9, 7, True, 5.0 + rests)
    assert len(chip_groups_of([passing], TABLE, HandLog(), 0.0, 40.0)) == count


def test_a_hand_whose_elbow_is_not_known_hides_what_is_under_it() -> None:
    (seen,) = detected(hands=[hand(600, 150)]).hands
    alone = Cover((replace(seen, elbow=seen.xy),))
    assert alone.hides(seen.xy) and not alone.hides((seen.xy[0], seen.xy[1] + 300.0))
