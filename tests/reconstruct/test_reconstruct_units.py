"""Zones, resting objects, piles and owners on hand-made detections."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import card, chip, hand, layout

from verifier.domain.observations import Observation
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.hands.owners import with_owners
from verifier.reconstruct.money.piles import cluster
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES, CHIP_TOLERANCES
from verifier.reconstruct.resting.card_tracks import tell
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.chip_dwells import chip_dwells
from verifier.reconstruct.resting.settle import ChipSettler, Settler
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
HZ = 7.5


def settle(scenes, kind="cards"):
    """Feeds (seconds, cards, chips, hands) stretches to a settler; gives it and the time reached."""
    settler = Settler(CARD_TOLERANCES if kind == "cards" else CHIP_TOLERANCES)
    t = 0.0
    for seconds, seen in scenes:
        for _ in range(round(seconds * HZ)):
            detection = detections_of(Observation(t=t, frame=0, **seen), TABLE, BODY)
            settler.step(t, detection.cards if kind == "cards" else detection.chips, Cover(detection.hands))
            t += 1 / HZ
    return settler, t


def test_a_card_that_creeps_and_shows_at_two_places_at_once_is_followed_on():
    settler, hands = CardSettler(CARD_TOLERANCES), HandLog()
    for i, xs in enumerate(([-6], [0], [4], [12], [16], [24, 7], [4])):
        cards = [card(600 + x, 300) for x in xs]
        detection = detections_of(Observation(t=i / HZ, frame=i, cards=cards, hands=[hand(500, 620)]), TABLE, BODY)
        settler.step(detection.t, detection.cards, hands.cover(detection))
        hands.add(detection)
    assert len(settler.settled()) == 1 and all(track.trail for track in settler.tracks)


@pytest.mark.parametrize(
    ("xy", "place"),
    [
        ((300, 300), "space:1"),
        ((900, 300), "space:3"),
        ((560, 540), "dealer"),
        ((1100, 600), "discard"),
        ((60, 600), "shoe"),
    ],
)
def test_where_a_card_lies(xy, place):
    assert TABLE.card_place(TABLE.mm(xy)) == place


def test_a_picture_from_the_other_side_is_turned():
    turned = TableMap.of(layout("top"))
    x, y = turned.mm((700.0, 400.0))
    assert (round(x), round(y)) == (-100, 0)


def test_a_card_at_rest_settles_and_a_carried_one_does_not():
    moving = [(1 / HZ, {"cards": [card(300 + 60 * i, 300)]}) for i in range(8)]
    settler, _ = settle(moving)
    assert settler.settled() == []
    settler, _ = settle([(1.0, {"cards": [card(300, 300)]})])
    assert len(settler.settled()) == 1


def test_a_covered_card_is_remembered_and_a_taken_one_is_not():
    lying = {"cards": [card(300, 300)]}
    covered = {"hands": [hand(300, 300)]}
    settler, _ = settle([(1.0, lying), (6.0, covered)])
    assert len(settler.settled()) == 1
    settler, _ = settle([(1.0, lying), (0.5, covered), (1.5, {})])
    assert settler.settled() == []
    assert len(settler.ended) == 1


def test_a_card_under_the_dealers_forearm_is_kept():
    reach = {"hands": [hand(590, 110, side="left")]}
    settler, _ = settle([(1.0, {"cards": [card(500, 540)]}), (3.0, reach)])
    assert len(settler.settled()) == 1


def test_a_misread_frame_does_not_change_the_card():
    good, bad = {"cards": [card(300, 300, "K")]}, {"cards": [card(300, 300, "Q")]}
    settler, _ = settle([(1.0, good), (0.15, bad), (1.0, good)])
    (card_track,) = tell(settler.settled(), TABLE)
    assert card_track.text == "Kh"
    assert card_track.ranks["K"] > 0.9


def test_an_even_misreading_is_kept_as_doubt():
    scenes = [(0.14, {"cards": [card(300, 300, rank)]}) for rank in "KQ" * 8]
    settler, _ = settle(scenes)
    (card_track,) = tell(settler.settled(), TABLE)
    assert max(card_track.ranks.values()) < 0.75
    assert {"K", "Q"} <= set(card_track.ranks)


def test_a_card_that_is_not_named_was_there_as_surely_as_it_was_seen():
    settler, _ = settle([(0.14, {"cards": [card(300, 300, rank)]}) for rank in "KQJ" * 6])
    (card_track,) = tell(settler.settled(), TABLE)
    assert (card_track.text[0], card_track.p_rank) == ("?", card_track.p) and card_track.p > 0.9


def test_a_doubtful_back_whose_face_shows_only_on_its_way_off_is_told():
    back, face = card(600, 300, face="down", p=0.6), card(618, 300, "K")
    settler, _ = settle([(1.5, {"cards": [back]}), (0.14, {"cards": [face]})])
    (card_track,) = tell(settler.settled(), TABLE)
    assert card_track.dwells and card_track.t_first < 0.2


def test_a_turned_card_shows_both_sides():
    settler, _ = settle([(2.0, {"cards": [card(560, 540, face="down")]}), (2.0, {"cards": [card(560, 540, "9")]})])
    (card_track,) = tell(settler.settled(), TABLE)
    assert card_track.face == "down"
    assert card_track.turned is not None
    assert card_track.turned[1] == pytest.approx(2.0, abs=0.2)
    assert card_track.rank == "9"


def test_a_fan_is_one_pile_and_stakes_side_by_side_are_two():
    row = [chip(300, 140 + 24 * i) for i in range(4)]
    settler, _ = settle([(1.0, {"chips": [*row, chip(345, 140)]})], "chips")
    sizes = sorted(pile.size for pile in cluster(chip_dwells(settler.settled())))
    assert sizes == [1, 4]


def test_a_lasting_change_of_colour_begins_a_new_stay():
    settler, _ = settle([(2.0, {"chips": [chip(300, 140, 100)]}), (2.0, {"chips": [chip(300, 140, 500)]})], "chips")
    assert [dwell.cents for dwell in chip_dwells(settler.settled())] == [100, 500]


def test_a_stay_tells_the_faces_that_showed_on_top():
    one, other = (replace(chip(300, 140, 500), face=face) for face in (7, 8))
    scenes = [(1.0, {"chips": [one]}), (0.4, {"chips": [chip(300, 140, 500)]}), (1.0, {"chips": [other]})]
    settler, _ = settle(scenes, "chips")
    (dwell,) = chip_dwells(settler.settled())
    assert [face for face, _, _ in dwell.faces] == [7, 8]
    assert dwell.faces[0][2] <= 1.0 <= 1.4 <= dwell.faces[1][1] < dwell.faces[1][2]


def test_a_flickering_colour_does_not():
    scenes = [(1.0, {"chips": [chip(300, 140, 500)]}), (0.2, {"chips": [chip(300, 140, 200)]})] * 3
    settler, _ = settle(scenes, "chips")
    assert [dwell.cents for dwell in chip_dwells(settler.settled())] == [500]


@pytest.mark.parametrize(("seconds", "told"), [(1.2, [500]), (2.0, [500, 200, 500])], ids=["a moment", "for long"])
def test_a_colour_that_is_back_after_a_moment_had_not_changed(seconds, told):
    own = (2.0, {"chips": [chip(300, 140, 500)]})
    settler, _ = settle([own, (seconds, {"chips": [chip(300, 140, 200)]}), own], "chips")
    assert [dwell.cents for dwell in chip_dwells(settler.settled())] == told


def test_a_colour_read_at_first_only_is_a_misreading():
    settler, _ = settle([(0.2, {"chips": [chip(300, 140, 200)]}), (2.0, {"chips": [chip(300, 140, 100)]})], "chips")
    (dwell,) = chip_dwells(settler.settled())
    assert (dwell.cents, dwell.t0) == (100, 0.0)


@pytest.mark.parametrize(("once", "first"), [(200, 2.27), (500, 0.0)], ids=["another", "the same"])
def test_print_that_passed_for_another_chip_is_no_first_look_at_one_that_is_laid_there(once: int, first: float):
    settler = ChipSettler(CHIP_TOLERANCES)
    for i in range(40):
        chips = [chip(300, 140, once if i == 0 else 500)] if i == 0 or i > 16 else []
        detection = detections_of(Observation(t=i / HZ, frame=i, chips=chips), TABLE, BODY)
        settler.step(detection.t, detection.chips, Cover(()))
    assert [round(track.t_first, 2) for track in settler.settled()] == [first]


@pytest.mark.parametrize(
    ("sides", "owner", "p", "kept"),
    [
        (("left", "right"), "dealer", 0.9, 2),
        (("left", "right"), "dealer", 0.98, 3),
        (("left", "right"), "player", 0.9, 3),
        (("left",), "dealer", 0.9, 2),
    ],
)
def test_beside_both_hands_of_the_dealers_a_doubtful_third_is_none(sides, owner, p, kept):
    seen = [replace(hand(300 + 200 * i, 560, side=side), p=0.99) for i, side in enumerate(sides)]
    seen.append(replace(hand(620, 400, owner), p=p))
    assert len(detections_of(Observation(t=0.0, frame=0, hands=seen), TABLE, BODY).hands) == kept


def test_the_path_tells_whose_hand_it_is():
    coming_in = [hand(600, 40 + 30 * i, "dealer") for i in range(5)] + [hand(600, 40, "dealer")]
    reaching_out = [hand(600, 560 - 90 * i, "player" if i > 3 else "dealer") for i in range(6)] + [
        hand(600, 420, "dealer")
    ]
    for path, owner in ((coming_in, "player"), (reaching_out, "dealer")):
        frames = [
            detections_of(Observation(t=i / HZ, frame=i, hands=[seen]), TABLE, BODY).hands
            for i, seen in enumerate(path)
        ]
        decided = with_owners(frames, TABLE, BODY)
        assert {hands[0].owner for hands in decided} == {owner}


def test_a_hand_read_as_a_players_that_is_lost_from_sight_within_the_wager_spot_is_no_dealers():
    """It waves there, two looks a step, and was never seen to come or go."""
    way = [(600 + 60 * (i // 2 % 2), 235 + i % 2) for i in range(9)]
    frames = [
        (detections_of(seen, TABLE, BODY)).hands
        for seen in (Observation(t=i / 7.5, frame=i, hands=[hand(*xy, "player")]) for i, xy in enumerate(way))
    ]
    assert {one.owner for hands in with_owners(frames, TABLE, BODY) for one in hands} == {"player"}


def test_a_hand_that_lay_before_the_tray_is_the_dealers_though_it_came_and_went_over_the_rim():
    """It was first seen as it reached for a wager, and lost from sight as it did so again."""
    way = [(600, y) for y in (*range(100, 640, 40), *range(640, 90, -40))]
    frames = [
        detections_of(Observation(t=i / HZ, frame=i, hands=[hand(*xy)]), TABLE, BODY).hands for i, xy in enumerate(way)
    ]
    assert {one.owner for hands in with_owners(frames, TABLE, BODY) for one in hands} == {"dealer"}


@pytest.mark.parametrize(("suit", "last"), [("s", 3.07), ("h", 4.8)], ids=["another", "its own"])
def test_a_look_at_a_card_of_another_suit_does_not_keep_one_lying_that_was_taken_up(suit: str, last: float):
    """So the other six of a pair that was parted passed for it once."""
    settler, hands = CardSettler(CARD_TOLERANCES), HandLog()
    for i in range(50):
        shown = [card(600, 300, "6")] if i < 24 else [replace(card(595, 296, "6"), suit=suit)] if i == 36 else []
        detection = detections_of(Observation(t=i / HZ, frame=i, cards=shown, hands=[hand(500, 620)]), TABLE, BODY)
        settler.step(detection.t, detection.cards, hands.cover(detection))
        hands.add(detection)
    tracks = [*settler.settled(), *settler.ended]
    assert [round(track.t_last, 2) for track in tracks] == [last]


def test_a_hand_that_is_told_twice_in_one_look_goes_on_as_itself():
    """It pushes chips to a player, out at the rim, nearer to where it was told twice, and is lost from sight there."""
    way = [*((600, y) for y in range(540, 60, -80)), (600, 60), (640, 60), (650, 60), (640, 60), (650, 60), (650, 60)]
    seen = [[hand(*xy)] for xy in way]
    seen[6].append(hand(640, 60))
    frames = [
        detections_of(Observation(t=i / HZ, frame=i, hands=hands), TABLE, BODY).hands for i, hands in enumerate(seen)
    ]
    assert {hands[0].owner for hands in with_owners(frames, TABLE, BODY)} == {"dealer"}


def test_a_players_hand_that_comes_as_the_dealers_leaves_over_there_is_the_players():
    """One look at it is missed, and it is then nearer to where the dealer's was seen than to where it came from."""
    dealers = [*[(592, 138)] * 6, (745, 243), (1042, 476), (1159, 583)]
    players = [(1201, -149), (973, 10), (827, 123), (811, 131), (828, 146), (893, 218), None, (818, 136), (886, 214)]
    looks = [[hand(*xy)] for xy in dealers] + [[] for _ in players[3:]]
    for look, xy in zip(looks[6:], players, strict=True):
        look += [hand(*xy, "player")] if xy else []
    log = [detections_of(Observation(t=i / HZ, frame=i, hands=seen), TABLE, BODY).hands for i, seen in enumerate(looks)]
    told = [[one.owner for one in hands] for hands in with_owners(log, TABLE, BODY)]
    assert told == [["dealer"]] * 6 + [["dealer", "player"]] * 3 + [["player"] if xy else [] for xy in players[3:]]


def test_a_look_at_another_rank_is_no_first_look_at_a_card_that_comes_later():
    settler, hands = CardSettler(CARD_TOLERANCES), HandLog()
    other, later = replace(card(600, 300, "5"), p=0.69), card(606, 306, "T")
    looks = [(0.0, [other]), (0.2, []), (0.6, []), *((0.8 + i / HZ, [later]) for i in range(15))]
    for i, (t, cards) in enumerate(looks):
        detection = detections_of(Observation(t=t, frame=i, cards=cards, hands=[hand(500, 620)]), TABLE, BODY)
        settler.step(detection.t, detection.cards, hands.cover(detection))
        hands.add(detection)
    assert [track.t_first for track in settler.settled()] == [0.8]


def test_of_two_hands_as_near_that_one_goes_on_that_was_read_as_the_same_persons():
    """The dealer's comes for chips as the player's, missed in the last look, leaves them."""
    laid = [hand(500, y, "player") for y in (60, 150, 250, 330, 330)]
    seen = [*([one, hand(620, 620)] for one in laid), [hand(590, 520)]]
    seen += [[hand(*xy)] for xy in ((560, 404), (560, 410), (580, 460), (585, 500), (600, 560))]
    frames = [
        detections_of(Observation(t=i / HZ, frame=i, hands=hands), TABLE, BODY).hands for i, hands in enumerate(seen)
    ]
    assert [hands[0].owner for hands in with_owners(frames, TABLE, BODY)] == ["player"] * 5 + ["dealer"] * 6


def test_a_players_hand_that_one_look_reads_as_the_dealers_does_not_go_on_as_the_hand_that_just_left():
    """It comes over the rim, and waves, as the dealer's hand leaps out of sight with some cards."""
    went = [hand(600, 240 + 12 * i) for i in range(6)]
    came = [hand(600 + 50 * (i % 2), 170, "player" if i else "dealer") for i in range(8)]
    leaps = [hand(760, 480)]
    frames = [
        detections_of(Observation(t=i / HZ, frame=i, hands=[seen]), TABLE, BODY).hands
        for i, seen in enumerate([*went, *leaps, *came])
    ]
    owners = [hands[0].owner for hands in with_owners(frames, TABLE, BODY)]
    assert owners == ["dealer"] * 7 + ["player"] * 8


@pytest.mark.parametrize(("p", "since"), [(0.8, 3.0), (0.95, 1.0)], ids=["a doubtful look", "a chip hidden by a hand"])
def test_a_doubtful_look_long_before_a_chip_is_none_of_it(p, since):
    there = replace(chip(600, 300), p=p)
    settler, _ = settle(
        [(1.0, {}), (0.13, {"chips": [there]}), (1.87, {}), (2.0, {"chips": [chip(600, 300)]})], "chips"
    )
    (track,) = settler.settled()
    assert abs(track.t_rest - since) < 0.2
