"""What the dashboard shows of a round: cards, money, other explanations, plain words."""

from __future__ import annotations

import pytest
from msgspec import convert, structs
from review_fakes import EVENTS, SHOWN, finding, report

from verifier.domain.events import (
    CardDealt,
    CardsCollected,
    CardsMoved,
    EventLog,
    EventsHeader,
    OverlayRead,
    WagerPlaced,
)
from verifier.domain.findings import FindingsReport
from verifier.review.alternatives import alternatives
from verifier.review.round_view import HandView, view_round
from verifier.review.wording import plain_card, plain_event, plain_money, plain_place

LOG = EventLog(EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one"), EVENTS)  # type: ignore[arg-type]


def test_cards_and_money_of_a_round() -> None:
    view = view_round(LOG, finding())
    (hand,) = view.hands
    assert (hand.cards, hand.total) == (["Kh", "Td"], "20")
    assert (hand.money, hand.settled) == (["wager $5.00"], ["wager paid $5.00"])
    assert (view.dealer.cards, view.dealer.total) == (["9s", "9c"], "18")


def test_the_events_that_a_finding_rests_on_are_marked() -> None:
    assert [step.id for step in view_round(LOG, finding()).steps if step.cited] == ["e2", "e7"]


def test_between_rounds_the_events_around_are_shown() -> None:
    view = view_round(LOG, SHOWN)
    assert view.number is None
    assert len(view.steps) == 7


def test_a_split_moves_a_card_to_the_second_hand() -> None:
    base = {"p": 1.0, "source": "video", "round": 1}
    events = (
        CardDealt(id="a", t_start=0, t_end=1, card="8s", to="space:2", face="up", seq=1, **base),
        CardDealt(id="b", t_start=1, t_end=2, card="8h", to="space:2/0", face="up", seq=2, **base),
        CardsMoved(id="c", t_start=2, t_end=3, kind="split", from_="space:2", to="space:2/1", **base),
    )
    hands = {hand.place: hand.cards for hand in view_round(EventLog(LOG.header, events), finding()).hands}
    assert hands == {"space:2": ["8s"], "space:2/1": ["8h"]}


@pytest.mark.parametrize(
    ("cards", "total"), [([], ""), (["As", "6h"], "soft 17"), (["K?", "5h"], "15"), (["?h", "5h"], "?")]
)
def test_totals(cards: list[str], total: str) -> None:
    assert HandView(place="dealer", cards=cards).total == total


def test_other_explanations_name_the_doubtful_reading() -> None:
    (one,) = alternatives(LOG, finding())
    assert one.text == "If the card at space 1 (21:00:01) is a queen, not a king, look at it again: 5%."
    (unread,) = alternatives(LOG, finding(clock=None))
    assert "(0:01)" in unread.text, "the clock was not read"
    assert (one.p, one.clears) == (0.05, None)


def test_another_reading_is_judged_anew() -> None:
    def judge(log: EventLog) -> FindingsReport:
        king = any(isinstance(event, CardDealt) and event.card == "Kh" for event in log.events)
        return report(*([finding()] if king else []))

    (one,) = alternatives(LOG, finding(), judge)
    assert one.clears
    assert "there is no such deviation: 5%" in one.text


def test_nothing_is_said_of_the_law_where_the_round_alone_does_not_show_the_finding() -> None:
    (one,) = alternatives(LOG, finding(), lambda log: report())
    assert one.clears is None


def test_a_lower_bound_and_a_blocked_view_are_told() -> None:
    event = WagerPlaced(
        id="w",
        t_start=1,
        t_end=2,
        p=0.4,
        source="video",
        occluded=True,
        at="space:1",
        kind="original",
        cents=100,
        lower_bound=True,
    )
    told = " ".join(
        one.text for one in alternatives(EventLog(LOG.header, (event,)), finding(events=["w"], corrected=True))
    )
    for part in ("lower bound", "blocked", "corrected at the table"):
        assert part in told


@pytest.mark.parametrize(
    ("what", "text", "region", "told"),
    [
        ("clock", "21:00:05", None, "Clock in the picture read: 21:00:05"),
        ("clock", None, "margin", "Clock in the picture read"),
        ("clock", None, "tray", "Clock in the picture read (tray)"),
        ("site_id", "0123", "sign", "Site's sign read: 0123"),
    ],
)
def test_what_was_read_is_told_in_plain_words(what: str, text: str | None, region: str | None, told: str) -> None:
    read = convert(
        {
            "id": "o",
            "t_start": 1,
            "t_end": 2,
            "p": 1.0,
            "source": "video",
            "what": what,
            "text": text,
            "region": region,
        },
        OverlayRead,
    )
    assert plain_event(read) == told
    assert [plain_place(one) for one in ("margin", "sign")] == ["clock in the picture", "signs of site and table"]


def test_plain_words() -> None:
    assert [plain_place(one) for one in ("space:3/1", "space:3/0", "tip_receptacle", None)] == [
        "space 3, hand 2",
        "space 3",
        "tip receptacle",
        "the table",
    ]
    assert [plain_card(one) for one in ("Th", "??", "K?")] == ["10♥", "unread card", "K"]
    assert [plain_money(500), plain_money(500, True), plain_money(None)] == [
        "$5.00",
        "at least $5.00",
        "an unseen amount",
    ]
    gone = CardsCollected(id="g", t_start=1, t_end=2, p=1.0, source="video", from_="space:3", order=1, to="discard")
    assert plain_event(gone) == "Cards collected (space 3 to discard)"
    several = CardDealt(id="d", t_start=1, t_end=2, p=0.9, source="video", card="??", to="space:3", face="up", seq=None)
    assert "found as one" not in plain_event(several)
    several = structs.replace(several, several=True)
    assert plain_event(several) == "Card dealt, up, unread card, several found as one, how many is not known (space 3)"
