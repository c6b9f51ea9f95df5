import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.domain.cards import FULL_DECK, RANKS, SUITS, Card
from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent, CardDealt, ChipsCollected
from verifier.domain.layout import Layout, Zones
from verifier.domain.money import CENTS_BY_COLOUR, CHIP_COLOURS, dollars
from verifier.domain.places import Place, space


@given(st.sampled_from([*RANKS, "?"]), st.sampled_from([*SUITS, "?"]))
def test_a_card_reads_back(rank, suit):
    assert str(Card.parse(rank + suit)) == rank + suit


@pytest.mark.parametrize("text", ["", "K", "10h", "kh", "KH", "Kx", "1s", " Kh"])
def test_no_card_is_refused(text):
    with pytest.raises(ValueError, match="no card"):
        Card.parse(text)


def test_a_deck_has_52_different_cards():
    assert len(set(FULL_DECK)) == 52


@given(st.integers(1, 7), st.integers(0, 3))
def test_a_space_reads_back(number, hand):
    text = space(number, hand)
    assert str(Place.parse(text)) == text
    assert Place.parse(text).space == Place("space", number)


def test_hand_0_is_the_space_itself():
    assert Place.parse("space:3/0") == Place.parse("space:3")
    assert str(Place.parse("space:3/0")) == "space:3"


@pytest.mark.parametrize(
    "text", ["space:0", "space:8", "space:3/10", "space:", "seat:0", "table", "dealer:1", "space:3/"]
)
def test_no_place_is_refused(text):
    with pytest.raises(ValueError, match="no place"):
        Place.parse(text)


def test_08_03_3_colours_stand_for_values():
    assert {CENTS_BY_COLOUR[colour]: colour for colour in CENTS_BY_COLOUR} == CHIP_COLOURS
    assert list(CHIP_COLOURS) == [50, 100, 200, 500, 2500, 10000]


def test_money_in_cents():
    assert dollars(1050) == "10.50"


def test_every_event_has_its_own_name():
    kinds = AnyEvent.__args__
    names = {kind.__struct_config__.tag for kind in kinds}
    assert len(names) == len(kinds) == 51
    assert {"card_dealt", "tip_receptacle_taken", "chips_from_tray", "record_entry"} <= names


def test_an_event_knows_its_name_and_weakness():
    event = CardDealt(id="e1", t_start=1.0, t_end=2.0, p=0.4, source="video", card="Kh", to="dealer", face="up", seq=1)
    assert event.name == "card_dealt" and event.weak
    assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event


def test_an_occluded_event_is_weak():
    event = ChipsCollected(
        id="e", t_start=0, t_end=0, p=1, source="video", occluded=True, kind="tip", at="space:1", cents=5, to="tray"
    )
    assert event.weak


def test_an_event_ends_after_it_starts():
    with pytest.raises(ValueError, match="before t_start"):
        CardDealt(id="e", t_start=2, t_end=1, p=1, source="video", card="Kh", to="dealer", face="up", seq=1)


def test_scale_from_a_card():
    square = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)]
    layout = Layout(
        version=1, image_size=(10, 10), zones=Zones(dealer=square, inner=square), spaces={}, card_px=(63.0, 88.0)
    )
    assert layout.scale == 1.0


def test_an_error_is_one_line_with_place_cause_and_remedy():
    error = BadInput("a.jsonl", "found\nnothing", "write\tsomething", where="line 3")
    assert str(error) == "a.jsonl: line 3: found nothing; write something"
