"""What the numbers of dealt cards tell: a card without a record leaves verdicts open, other ways of counting do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, findings, hand_out, named, play_on

CARDS = "Th Jd Jc 8s 9c 7h 7c Td"
"""Space 2 has 19, spaces 4 and 6 have 17, the dealer 8-10 = 18."""


def wrongly_settled() -> Log:
    """Space 4 lost with 17 against 18, and its wager was left."""
    log = hand_out(CARDS, {2: 1000, 4: 700, 6: 700})
    log.one("chips_to_tray")["cents"] = 700
    return log.drop(log.one("chips_collected", at="space:4"))


def accused(log: Log) -> set[str | None]:
    return {f.at for f in findings(log.judge()) if any("collected" in text for text in (f.expected, f.observed))}


def some_without(log: Log) -> None:
    for card in log.all("card_dealt")[1::2]:
        card["seq"] = None


def one_without(log: Log) -> None:
    log.all("card_dealt")[2]["seq"] = None


def none(log: Log) -> None:
    for card in log.all("card_dealt"):
        card["seq"] = None


def in_tens(log: Log) -> None:
    for card in log.all("card_dealt"):
        card["seq"] *= 10


def by_hand(log: Log) -> None:
    count: dict[str, int] = {}
    for card in log.all("card_dealt"):
        card["seq"] = count[card["to"]] = count.get(card["to"], 0) + 1


def cards_left(log: Log) -> None:
    for card in log.all("card_dealt"):
        card["seq"] = 312 - card["seq"]


def burned_amid(log: Log) -> None:
    """A burned card takes a number of its own."""
    log.insert_after(log.all("card_dealt")[1], "card_burned", card="??", face_shown=False)
    for card in log.all("card_dealt")[2:]:
        card["seq"] += 1


def another_shoe(log: Log) -> None:
    for card in log.all("card_dealt")[4:]:
        card |= {"shoe": 2, "seq": card["seq"] + 2}


def another_hand_unsure(log: Log) -> None:
    """A weak record at another hand: if it did not happen, its number is no card that was missed."""
    log.one("card_dealt", card="9c")["p"] = 0.4


NUMBERINGS: list[Callable[[Log], None]] = [
    some_without, one_without, none, in_tens, by_hand, cards_left, burned_amid, another_shoe, another_hand_unsure,
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERINGS, ids=lambda f: f.__name__)
def test_another_way_of_counting_loses_no_violation(number: Callable[[Log], None]) -> None:
    log = wrongly_settled()
    assert accused(log) == {"space:4"}
    number(log)
    assert accused(log) == {"space:4"}


@pytest.mark.parametrize("missed", [1, 2])
def test_a_number_that_no_card_has_leaves_the_verdict_open(missed: int) -> None:
    log = wrongly_settled()
    for card in log.all("card_dealt")[3:]:
        card["seq"] += missed
    report = log.judge()
    assert not findings(report)
    assert any("is not in the log" in f.observed for f in findings(report, "undetermined"))


def test_an_unnumbered_card_fills_one_hole_in_the_numbers() -> None:
    log = wrongly_settled()
    for card in log.all("card_dealt")[3:]:
        card["seq"] += 1
    log.all("card_dealt")[2]["seq"] = None
    assert not accused(log), "four cards lie between two numbers five apart"
    for card in log.all("card_dealt")[3:]:
        card["seq"] -= 1
    assert accused(log) == {"space:4"}


def test_what_does_not_rest_on_cards_is_found_though_a_card_is_missing() -> None:
    log = wrongly_settled()
    for card in log.all("card_dealt")[3:]:
        card["seq"] += 1
    log.one("wager_placed", at="space:2")["cents"] = 1013
    assert named(log.judge())


def test_rounds_that_nobody_numbered_are_counted() -> None:
    """The wrong settlement of the third round is told in the third."""
    log = hand_out("Th 9d 8s Tc", {2: 1000})
    play_on(log, "Th 9d 8s Tc", {2: 1000})
    play_on(log, "Th 9d 8s Tc", {2: 1000})
    log.drop(log.one("chips_collected", round=3, kind="original"))
    numbered = [(f.clause, f.round) for f in log.judge().findings]
    for record in log.records:
        record["round"] = None
    assert numbered and {round_ for _, round_ in numbered} == {3}
    assert [(f.clause, f.round) for f in log.judge().findings] == numbered
