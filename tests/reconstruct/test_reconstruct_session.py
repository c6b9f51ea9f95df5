"""Signals and what happens between rounds, on hand-made observations."""

from __future__ import annotations

import itertools
import math

import pytest
from msgspec.structs import replace
from recon_scenes import HZ, card, chain, chip, frames, hand, layout

from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct


def run(observations):
    return reconstruct(observations, layout(), House(), ObservationsHeader()).events


def named(events, name):
    return [event for event in events if event.name == name]


def dealt(spot=(600, 300), extra=()):
    return [
        card(*spot, "9"),
        card(spot[0] - 33, spot[1] + 45, "8"),
        card(560, 540, "7"),
        card(632, 540, face="down"),
        *extra,
    ]


def gesture(path, fingers):
    """Frames of a player's hand at space 2 that follows `path` of (x, y)."""
    way_in = [(600, -60), (600, 60)]
    return [
        Observation(
            t=0.0, frame=0, cards=dealt(), chips=[chip(600, 140)], hands=[hand(x, y, "player", fingers=fingers)]
        )
        for x, y in [*way_in, *path, *reversed(way_in)]
    ]


def a_round(*middle):
    wager = {"chips": [chip(600, 140)]}
    opening = [
        frames(2.0, **wager),
        frames(1.0, cards=dealt()[:1], **wager),
        frames(1.0, cards=[*dealt()[:1], dealt()[2]], **wager),
        frames(1.0, cards=dealt()[:3], **wager),
        frames(2.0, cards=dealt(), **wager),
    ]
    return chain(*opening, *middle, frames(1.0, cards=dealt(), **wager))


def test_a_wave_of_a_flat_hand_is_a_stand():
    path = [(600 + 60 * math.sin(i * 1.7), 190) for i in range(9)]
    (signal,) = named(run(a_round(gesture(path, 5))), "hand_signal")
    assert (signal.at, signal.meaning) == ("space:2", "stand")
    assert signal.p > 0.9


def test_taps_of_a_pointing_finger_are_a_hit():
    path = [(600, 190 + 8 * (i % 2)) for i in range(7)]
    (signal,) = named(run(a_round(gesture(path, 1))), "hand_signal")
    assert (signal.at, signal.meaning) == ("space:2", "hit")


def test_a_hand_that_only_passes_is_no_signal():
    assert named(run(a_round(gesture([(600, 200)], 1))), "hand_signal") == []


def test_wager_and_cards_of_an_open_round():
    events = run(a_round())
    (wager,) = named(events, "wager_placed")
    assert (wager.at, wager.cents, wager.lower_bound) == ("space:2", 500, True)
    assert [(e.card, e.to) for e in named(events, "card_dealt")] == [
        ("9h", "space:2"),
        ("7h", "dealer"),
        ("8h", "space:2"),
        ("??", "dealer"),
    ]
    assert len(named(events, "round_started")) == 1
    assert named(events, "round_ended") == []


def test_a_recording_that_begins_within_a_round_has_weak_cards_and_no_start():
    events = run(chain(frames(5.0, cards=dealt(), chips=[chip(600, 140)])))
    assert named(events, "round_started") == []
    assert len(named(events, "card_dealt")) == 4
    assert all(event.weak for event in named(events, "card_dealt"))


def both(facing, y=520.0, fingers=5):
    return [hand(x, y, side=side, facing=facing, fingers=fingers) for x, side in ((500, "left"), (700, "right"))]


IDLE = [hand(400, 640, side="left", fingers=2), hand(800, 640, side="right", fingers=2)]
TAKING = [hand(400, 640, side="left", fingers=2), hand(950, 770, side="right", fingers=0)]


@pytest.mark.parametrize("shown", [True, False])
def test_shift_end_with_and_without_hands_shown(shown):
    show = [frames(1.0, hands=both("back")), frames(1.0, hands=both("palm"))] if shown else []
    events = run(chain(frames(2.0, hands=IDLE), *show, frames(0.8, hands=TAKING), frames(4.0), frames(2.0, hands=IDLE)))
    assert len(named(events, "tip_receptacle_taken")) == 1
    assert [e.phase for e in named(events, "dealer_shift")] == ["end", "start"]
    seen = named(events, "hands_shown")
    assert len(seen) == int(shown)
    if shown:
        one = seen[0]
        assert all((one.left_palm, one.left_back, one.right_palm, one.right_back, one.fingers_extended))
    assert events[-1].dealer == "D2"


@pytest.mark.parametrize(("palms", "before"), [(1.0, True), (0.2, False)], ids=["shown by then", "shown only with it"])
def test_hands_were_shown_before_the_receptacle_was_taken_though_one_lies_open_still(palms, before):
    dwells = [hand(500, 520, side="left", facing="palm"), hand(950, 770, side="right", fingers=0)]
    late = [] if before else [frames(1.0, hands=both("palm"))]
    show = [frames(1.0, hands=both("back")), frames(palms, hands=both("palm")), frames(0.8, hands=dwells), *late]
    events = run(chain(frames(2.0, hands=IDLE), *show, frames(4.0), frames(2.0, hands=IDLE)))
    (shown,), (taken,) = named(events, "hands_shown"), named(events, "tip_receptacle_taken")
    assert all((shown.left_palm, shown.left_back, shown.right_palm, shown.right_back))
    assert (shown.t_end <= taken.t_start) is before


def test_hands_shown_with_closed_fingers_are_shown_so():
    show = [frames(1.0, hands=both(facing, fingers=0)) for facing in ("back", "palm")]
    (one,) = named(run(chain(frames(2.0, hands=IDLE), *show, frames(0.8, hands=TAKING), frames(4.0))), "hands_shown")
    assert all((one.left_palm, one.left_back, one.right_palm, one.right_back))
    assert one.fingers_extended is False
    assert one.duration < 2.5


@pytest.mark.parametrize(("shown", "told"), [({0, 3, 6}, True), ({0, 3}, True), ({0, 1}, None), ({0}, False)])
def test_a_palm_of_a_hand_that_is_lost_from_sight_for_a_while_is_told_by_two_looks_apart(shown, told):
    palms = [frames(1 / 7.5, hands=both("palm")[i not in shown :]) for i in range(8)]
    events = run(
        chain(frames(2.0, hands=IDLE), frames(1.0, hands=both("back")), *palms, frames(0.8, hands=TAKING), frames(4.0))
    )
    assert [(e.left_palm, e.right_palm) for e in named(events, "hands_shown")] == [(told, True)]


@pytest.mark.parametrize(
    ("between", "missed", "told"),
    [([], 1, [True]), (both("palm")[:1], 1, [True]), (both("back"), 1, [None]), ([], 2, [True]), ([], 3, [])],
    ids=["both lost", "one lost", "turned meanwhile", "lost for 0.4 s", "lost for longer"],
)
def test_a_hand_lost_between_two_looks_at_its_palm_showed_it_meanwhile(between, missed, told):
    look = frames(1 / 7.5, hands=both("palm"))
    show = [frames(1.0, hands=both("back")), look, frames(missed / 7.5, hands=between), look]
    events = run(chain(frames(2.0, hands=IDLE), *show, frames(0.8, hands=TAKING), frames(4.0)))
    assert [e.right_palm for e in named(events, "hands_shown")] == told


def test_only_backs_shown_are_no_palms_seen():
    events = run(
        chain(frames(2.0, hands=IDLE), frames(1.6, hands=both("back")), frames(0.8, hands=TAKING), frames(4.0))
    )
    assert not any(e.left_palm or e.right_palm for e in named(events, "hands_shown"))


def doubtful(facing, p, other):
    """Both hands held open, whose facing each look tells with probability `p`, else the other one."""
    return [replace(one, facings={facing: p, other: round(1 - p, 3)}) for one in both(facing)]


@pytest.mark.parametrize(("p", "told"), [(0.6, None), (0.74, None), (0.76, True), (0.99, True)])
def test_palms_that_no_look_tells_surely_may_have_been_shown(p, told):
    """Looks that agree count as two independent ones: 0.75 twice are 0.9."""
    show = [frames(1.0, hands=both("back")), frames(1.0, hands=doubtful("palm", p, "back"))]
    (one,) = named(run(chain(frames(2.0, hands=IDLE), *show, frames(0.8, hands=TAKING), frames(4.0))), "hands_shown")
    assert [one.left_palm, one.right_palm] == [told, told]
    assert one.left_back is one.right_back is True


@pytest.mark.parametrize(("p", "open_palms"), [(0.6, 1), (0.74, 1), (0.76, 0), (0.99, 0)])
def test_backs_in_doubt_leave_open_whether_palms_were_shown_and_sure_ones_do_not(p, open_palms):
    show = frames(1.6, hands=doubtful("back", p, "palm"))
    events = run(chain(frames(2.0, hands=IDLE), show, frames(0.8, hands=TAKING), frames(4.0)))
    seen = named(events, "hands_shown")
    assert [(e.left_palm, e.right_palm) for e in seen] == [(None, None)] * open_palms


def test_looks_that_contradict_each_other_show_no_side_of_a_hand():
    """One look tells a palm, the next a back, none surely."""
    looks = [frames(1 / HZ, hands=doubtful(*pair)) for pair in [("palm", 0.7, "back"), ("back", 0.7, "palm")] * 6]
    (one,) = named(run(chain(frames(2.0, hands=IDLE), *looks, frames(0.8, hands=TAKING), frames(4.0))), "hands_shown")
    assert {one.left_palm, one.right_palm, one.left_back, one.right_back} == {None}


@pytest.mark.parametrize(("counts", "told"), [({"5": 0.89, "3": 0.11}, None), ({"5": 0.5, "4": 0.41, "3": 0.09}, True)])
def test_fingers_were_extended_if_looks_tell_it_surely(counts, told):
    show = [
        frames(1.0, hands=[replace(one, finger_counts=counts) for one in both(facing)]) for facing in ("back", "palm")
    ]
    (one,) = named(run(chain(frames(2.0, hands=IDLE), *show, frames(0.8, hands=TAKING), frames(4.0))), "hands_shown")
    assert one.fingers_extended is told


@pytest.mark.parametrize(
    "facings",
    [
        {},
        {"palm": 0.3},
        {"palm": 0.3, "back": 0.01, "edge": 0.01},
        {"palm": 0.0},
        {"back": 0.99},
        {"palm": 1, "back": 1},
    ],
)
def test_probabilities_that_leave_a_facing_open_or_contradict_it_show_no_palm_and_exclude_none(facings):
    palms = [replace(one, facings=facings) for one in both("palm")]
    show = [frames(1.0, hands=both("back")), frames(1.0, hands=palms)]
    (one,) = named(run(chain(frames(2.0, hands=IDLE), *show, frames(0.8, hands=TAKING), frames(4.0))), "hands_shown")
    assert [one.left_palm, one.right_palm] == [None, None]


@pytest.mark.parametrize("counts", [{}, {"3": 0.3}, {"5": 0.3}, {"5": 0.0}])
def test_counts_that_leave_the_fingers_open_do_not_tell_that_they_were_closed(counts):
    show = [
        frames(1.0, hands=[replace(one, finger_counts=counts) for one in both(facing, fingers=int(max(counts or "5")))])
        for facing in ("back", "palm")
    ]
    (one,) = named(run(chain(frames(2.0, hands=IDLE), *show, frames(0.8, hands=TAKING), frames(4.0))), "hands_shown")
    assert one.fingers_extended is None


def test_palms_shown_one_by_one_by_hands_of_which_none_tells_the_side_may_be_those_of_both():
    ones = [hand(x, 520, side=side, facing="palm", fingers=5) for x, side in ((500, "left"), (700, "right"))]
    show = [frames(2.0, hands=[replace(one, sides={"left": 0.5, "right": 0.5})]) for one in ones]
    events = run(chain(frames(2.0, hands=IDLE), frames(1.0, hands=both("back")), *show, frames(4.0)))
    assert [e.right_palm for e in named(events, "hands_shown")] == [None]


@pytest.mark.parametrize(("p", "cents"), [(0.59, None), (0.61, 500)])
def test_a_wager_of_chips_whose_colour_is_in_doubt_has_no_amount(p, cents):
    red = replace(chip(600, 140), colours={"red": p, "other": round(1 - p, 3)})
    wager = {"chips": [red]}
    opening = [
        frames(2.0, **wager),
        frames(1.0, cards=dealt()[:1], **wager),
        frames(1.0, cards=[*dealt()[:1], dealt()[2]], **wager),
        frames(1.0, cards=dealt()[:3], **wager),
        frames(3.0, cards=dealt(), **wager),
    ]
    (placed,) = named(run(chain(*opening)), "wager_placed")
    assert placed.cents == cents


@pytest.mark.parametrize(("y", "doubts"), [(520.0, 0), (560.0, 1)], ids=["they rested", "they moved"])
def test_backs_shown_at_rest_are_no_palms_seen_though_looks_were_rare(y, doubts):
    seen = chain(
        frames(2.0, hands=IDLE),
        frames(0.6, hands=both("back")),
        frames(0.7),
        frames(0.6, hands=both("back", y=y)),
        frames(0.8, hands=TAKING),
        frames(4.0),
    )
    events = run([one for one in seen if one.hands or not 2.0 < one.t < 4.0])
    assert len([e for e in named(events, "hands_shown") if e.left_palm is None]) == doubts


def test_a_burned_card_comes_to_the_discard_holder():
    way = [
        Observation(t=0.0, frame=0, cards=[card(150 + 180 * i, 580, face="down")], hands=[hand(150 + 180 * i, 640)])
        for i in range(5)
    ]
    events = run(chain(frames(2.0), way, frames(1.0, cards=[card(1115, 600, face="down")]), frames(2.0)))
    assert len(named(events, "card_burned")) == 1


def test_a_burned_card_that_is_lost_from_sight_in_the_holder_is_one():
    way = [
        Observation(t=0.0, frame=0, cards=[card(150 + 180 * i, 580, face="down")], hands=[hand(150 + 180 * i, 640)])
        for i in range(5)
    ]
    there = frames(0.3, cards=[card(1115, 600, face="down")])
    events = run(chain(frames(2.0), way, there, frames(0.9), there, frames(2.0)))
    assert len(named(events, "card_burned")) == 1


def test_ids_are_unique_and_records_ordered():
    events = run(a_round())
    assert [event.id for event in events] == [f"e{number:05d}" for number in range(1, len(events) + 1)]
    assert all(a.t_end <= b.t_end for a, b in itertools.pairwise(events))


def test_two_runs_give_the_same_events():
    assert run(a_round()) == run(a_round())


def test_nothing_seen_gives_an_empty_log():
    assert run([]) == ()
    assert run(frames(5.0)) == ()
    assert HZ > 0


def test_what_passes_for_a_back_far_from_the_dealers_hands_is_no_card_on_its_way_to_be_burned():
    """Print, or a sleeve on the players' side, while covers are laid on shoe and discard holder at once."""
    covering = [hand(85, 640, side="left"), hand(1115, 640, side="right")]
    seen = chain(
        frames(3.0, hands=IDLE),
        frames(0.9, hands=IDLE, cards=[card(400, 60, face="down")]),
        frames(0.3, hands=covering, cards=[card(1115, 600, face="down")]),
        frames(0.4, hands=covering),
        frames(4.0, hands=IDLE),
    )
    assert [burn.weak for burn in named(run(seen), "card_burned")] == [True]


def test_backs_fetched_from_the_discard_holder_for_a_shuffle_are_no_burned_card():
    fetched = frames(1.0, cards=[card(1115, 600, face="down")], hands=[hand(1115, 650)])
    on_way = [
        Observation(t=0.0, frame=0, cards=[card(x, 560, face="down")], hands=[hand(x, 620)]) for x in (900, 700, 500)
    ]
    mixing = frames(
        4.0,
        cards=[card(x, 540, face="down") for x in (400, 460, 520)],
        hands=[hand(420, 600, side="left"), hand(520, 600, side="right")],
    )
    events = run(chain(frames(2.0), fetched, on_way, mixing, frames(2.0)))
    assert len(named(events, "shuffle")) == 1
    assert named(events, "card_burned") == []


@pytest.mark.parametrize("later", [[], [card(1115, 600, face="down")]], ids=["beside it", "and in it"])
def test_hands_that_pass_for_backs_while_shoe_and_holder_are_covered_at_once_are_weak_for_a_burn(later):
    covering = [hand(85, 640, side="left"), hand(1115, 640, side="right")]
    coming = [hand(300, 640, side="left"), hand(900, 640, side="right")]
    events = run(
        chain(
            frames(3.0, hands=IDLE),
            frames(0.3, hands=coming),
            frames(0.14, hands=covering, cards=[card(400, 460, face="down")]),
            frames(0.3, hands=covering),
            frames(0.14, hands=covering, cards=later),
            frames(1.0, hands=covering),
            frames(4.0, hands=IDLE),
        )
    )
    assert [burn.weak for burn in named(events, "card_burned")] == [True]


def test_print_that_passes_for_a_back_before_and_after_is_no_part_of_a_shuffle():
    resting = [hand(330, 620, side="left"), hand(860, 590)]
    mixing = [hand(480, 560, side="left"), hand(640, 560)]
    print_ = card(700, 500, face="down", p=0.5)
    packs = [card(520, 540, face="down"), card(580, 540, face="down")]
    flicker = [frames(1 / HZ, cards=[print_] if n % 5 == 0 else [], hands=resting) for n in range(30)]
    under = [frames(1 / HZ, cards=packs if n % 4 else [], hands=mixing) for n in range(28)]
    seen = chain(frames(2.0, hands=resting), *flicker, *under, *flicker, frames(3.0, hands=resting))
    (shuffle,) = named(run(seen), "shuffle")
    assert 3.0 < shuffle.t_end - shuffle.t_start < 4.0


@pytest.mark.parametrize(("p", "shuffles"), [(0.8, 1), (0.97, 0)], ids=["what passes for a chip", "a chip"])
def test_chips_that_surely_lie_there_tell_that_bills_are_handled_and_no_cards_shuffled(p, shuffles):
    resting = [hand(330, 620, side="left"), hand(860, 590)]
    mixing = [hand(480, 560, side="left"), hand(640, 560)]
    packs = [card(520, 540, face="down"), card(580, 540, face="down")]
    lying = [replace(chip(640, 500), p=p)]
    under = [frames(1 / HZ, cards=packs if n % 4 else [], hands=mixing, chips=lying) for n in range(28)]
    before = frames(1.5, cards=packs, hands=mixing)
    events = run(chain(frames(2.0, hands=resting), before, *under, before, frames(3.0, hands=resting)))
    assert len(named(events, "shuffle")) == shuffles
    assert p > 0.9 or not named(events, "chips_received")
