"""A card that became another in its place (99-01.3-08-11(2)): what is a breach, what a rule explains, what is open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, findings, hand_out

SWITCHED = "ND-08-11.2-no-switch-card"
TOUCH = "ND-08-11.2-no-card-touch"
RECORDING = {"video": "0" * 64}


def exchanged(before: str = "8s", after: str = "9s", at: str = "space:2", **own: object) -> Log:
    """Space 2 has 10-8 against a dealer's 19; after its last card another lies in one's place."""
    log = hand_out("Th 9d 8s Tc", {2: 1000})
    log.insert_after(log.one("hand_signal"), "card_replaced", at=at, card=after, was=before, **own)
    return log


def burned() -> Log:
    log = exchanged()
    log.insert_after(log.one("card_replaced"), "card_burned", card="8s", face_shown=True, reason="exposed_error")
    return log


def played_back() -> Log:
    log = exchanged()
    seen = log.insert_after(log.one("hand_signal"), "cards_played_back", round_replayed=1)
    seen["t_start"] = log.one("card_replaced")["t_start"] - 0.1
    return log


@pytest.mark.parametrize(
    ("make", "verdict"),
    [
        (exchanged, "violation"),
        (lambda: exchanged("8s", "8c"), "undetermined"),
        (lambda: exchanged("8s", "8h"), "violation"),
        (lambda: exchanged(p=0.49), "undetermined"),
        (lambda: exchanged(p=0.74), "undetermined"),
        (lambda: exchanged("9d", "8d", at="dealer"), "undetermined"),
        (burned, "pass"),
        (played_back, "pass"),
    ],
    ids=[
        "another rank",
        "another suit of its colour",
        "of the other colour",
        "weak",
        "not sure",
        "the dealer's",
        "the first was burned",
        "played back",
    ],
)
def test_a_card_replaced_in_a_recording(make: Callable[[], Log], verdict: str) -> None:
    report = make().judge(**RECORDING)
    assert next(row.verdict for row in report.clauses if row.clause == SWITCHED) == verdict
    told = [one for one in report.findings if one.clause == SWITCHED]
    assert [one.verdict for one in told] == [verdict] * (verdict != "pass")
    assert all("who exchanged them was not seen" in one.observed for one in told), "nobody is accused"


@pytest.mark.parametrize(
    ("by", "says"),
    [("player", "a player exchanged them"), ("dealer", "the dealer exchanged them"), ("other", "somebody else")],
)
def test_who_exchanged_a_card_is_told_where_it_was_seen(by: str, says: str) -> None:
    """A player who does it touched a card, too (11(2)): one incident."""
    told = findings(exchanged(by=by).judge(**RECORDING))
    assert [f.clause for f in told] == [SWITCHED] and says in told[0].observed
    assert (TOUCH in told[0].also) == (by == "player")


@pytest.mark.parametrize(("after", "at", "verdict"), [("8c", "space:2", "violation"), ("8d", "dealer", "undetermined")])
def test_a_suit_that_a_person_wrote_down_is_no_misreading(after: str, at: str, verdict: str) -> None:
    before = "8s" if at == "space:2" else "9d"
    report = exchanged(before, after, at).judge()
    assert [f.verdict for f in report.findings if f.clause == SWITCHED] == [verdict]


@pytest.mark.parametrize("at", ["space:2", "dealer"])
def test_a_hand_with_an_exchanged_card_counts_as_either(at: str) -> None:
    """10-8 loses against 10-9, and ties it as 10-9: neither way of settling is a breach of its own."""
    before, after = ("8s", "9s") if at == "space:2" else ("9d", "8d")
    log = exchanged(before, after, at)
    taken = log.one("chips_collected", kind="original")
    told = {f.clause for f in findings(log.judge(**RECORDING), "violation")} - {SWITCHED}
    paid = log.drop(taken)
    assert not told and not {f.clause for f in findings(paid.judge(**RECORDING), "violation")} - {SWITCHED}


def suits_changed(count: int, **own: object) -> Log:
    """`count` cards that each became the same rank of the other suit of their colour."""
    log = hand_out("Th 9d 8s Tc", {2: 1000})
    signal = log.one("hand_signal")
    for before, after, at in [("8s", "8c", "space:2"), ("Th", "Td", "space:2"), ("9d", "9h", "dealer")][:count]:
        log.insert_after(signal, "card_replaced", at=at, card=after, was=before, **own)
    return log


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("p", [0.99, 0.45])
def test_suits_that_change_in_a_recording_are_one_question(count: int, p: float) -> None:
    """One suit may be an exchange; with several the deck is hard to read. None is lost, seen weakly or not."""
    told = [f for f in suits_changed(count, p=p).judge(**RECORDING).findings if f.clause == SWITCHED]
    assert [f.verdict for f in told] == ["undetermined"]
    assert len(told[0].events) == count


def test_suits_that_a_person_wrote_down_are_each_judged() -> None:
    told = [f for f in suits_changed(2).judge().findings if f.clause == SWITCHED]
    assert [f.verdict for f in told] == ["violation", "violation"]


def test_a_ten_that_became_another_ten_leaves_no_total_open() -> None:
    """10-8 is 18 whichever of the two the ten was: a win that it did not have stays a violation."""
    log = exchanged("Th", "Kd")
    log.drop(log.one("chips_collected", kind="original"))
    told = {f.clause: f.verdict for f in log.judge(**RECORDING).findings}
    assert told.pop(SWITCHED) == "violation"
    assert set(told.values()) == {"violation"}
