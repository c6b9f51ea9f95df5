"""Cards at a space at which no wager was ever seen: nothing about money passes."""

from __future__ import annotations

import msgspec
import pytest

from verifier.domain.events import AnyEvent, CardDealt, EventLog, EventsHeader, WagerPlaced
from verifier.domain.findings import FindingsReport
from verifier.law.judge import judge
from verifier.law.registry import checks
from verifier.law.unseen_wagers import FEWEST_CARDS, FIRST, MODULES, NAMES, NO_WAGER, judges_money

HOUSE = {"video_surveillance": "present", "dealing_method": "hole_card_no_peek"}
MONEY_CLAUSES = (
    "ND-08-09.1-range-1-25",
    "ND-08-09.2-no-change-after-first-card",
    "ND-08-09.2-extra-wagers-after-two",
    "ND-08-09.2.a-one-tip",
    "ND-08-11.16.a-fan-payoff",
    "ND-08-11.12-highest-wins",
    "ND-08-11.13-sweep-one-hand",
    "ND-08-13.2.f-no-side-bets",
)


def dealt(to: str, t: float, card: str = "8h") -> CardDealt:
    return CardDealt(
        id=f"c{t}",
        t_start=t,
        t_end=t + 0.5,
        p=0.97,
        source="video",
        round=1,
        card=card,
        to=to,
        face="up",
        seq=round(t),
    )


def wager(at: str, **fields: object) -> WagerPlaced:
    return WagerPlaced(
        id=f"w{at}",
        t_start=0.1,
        t_end=0.5,
        p=0.97,
        source="video",
        round=1,
        kind="original",
        at=at,
        cents=500,
        **fields,
    )


CARDS = (dealt("space:1", 1), dealt("space:2", 2), dealt("dealer", 3), dealt("space:1", 4), dealt("space:2", 5))


def judged(*events: AnyEvent, video: str | None = "0" * 64) -> FindingsReport:
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one", house=HOUSE, video=video)
    ordered = sorted(events, key=lambda event: event.t_end)
    return judge(EventLog(header, tuple(ordered)))


def verdicts(report: FindingsReport) -> dict[str, str]:
    return {row.clause: row.verdict for row in report.clauses}


def test_cards_without_any_wager_leave_every_clause_of_money_open() -> None:
    report = judged(*CARDS)
    assert {verdicts(report)[clause] for clause in MONEY_CLAUSES} == {"undetermined"}
    (found,) = [one for one in report.findings if NO_WAGER in one.observed]
    assert (found.clause, found.verdict, found.at) == (FIRST, "undetermined", None)
    assert found.observed == f"space 1, 2: cards were dealt, {NO_WAGER}"


def test_a_space_without_a_wager_is_told_though_another_has_one() -> None:
    report = judged(wager("space:1"), *CARDS)
    (found,) = [one for one in report.findings if NO_WAGER in one.observed]
    assert (found.at, found.observed) == ("space:2", f"space 2: cards were dealt, {NO_WAGER}")
    assert verdicts(report)["ND-08-09.1-range-1-25"] == "undetermined"


def test_where_each_space_had_a_wager_once_nothing_is_said() -> None:
    report = judged(wager("space:1"), wager("space:2"), *CARDS)
    assert not [one for one in report.findings if NO_WAGER in one.observed]
    assert verdicts(report)["ND-08-09.1-range-1-25"] == "pass"


def test_a_wager_that_was_seen_weakly_shows_that_wagers_can_be_seen() -> None:
    report = judged(wager("space:1"), wager("space:2", occluded=True), *CARDS)
    assert not [one for one in report.findings if NO_WAGER in one.observed]


def test_clauses_about_other_things_are_never_opened_by_it() -> None:
    """Some are left: who is to get the next card is known by the wagers."""
    without, whole = verdicts(judged(*CARDS)), verdicts(judged(wager("space:1"), wager("space:2"), *CARDS))
    of_money = {clause for check in checks("nd-twenty-one") if judges_money(check) for clause in check.clauses}
    others = {clause: verdict for clause, verdict in without.items() if clause not in of_money}
    assert {c for c, verdict in others.items() if verdict not in (whole[c], "not_applicable")} == set()
    assert "pass" in others.values()


def test_a_single_card_is_no_hand() -> None:
    assert FEWEST_CARDS == 2
    assert not [one for one in judged(dealt("space:1", 1), dealt("dealer", 2)).findings if NO_WAGER in one.observed]


def test_a_log_that_no_camera_wrote_may_leave_wagers_out() -> None:
    assert not [one for one in judged(*CARDS, video=None).findings if NO_WAGER in one.observed]


def test_clauses_out_of_force_or_switched_off_stay_as_they_are() -> None:
    header = EventsHeader(
        format="verifier-events",
        version=1,
        rulebook="nd-twenty-one",
        house=HOUSE | {"mistake_policy": "alternative"},
        video="0" * 64,
    )
    report = judge(EventLog(header, CARDS))
    assert verdicts(report)["ND-08-12.12-miscount-playback"] == "not_assessed"


@pytest.mark.parametrize("rulebook", ["nd-twenty-one", "wa-blackjack-a", "wa-blackjack-b", "house-manual"])
def test_every_rulebook_of_this_game_has_checks_of_money(rulebook: str) -> None:
    report = judge(
        EventLog(
            EventsHeader(format="verifier-events", version=1, rulebook=rulebook, video="0" * 64),  # type: ignore[arg-type]
            tuple(msgspec.structs.replace(card, to=card.to.replace("dealer", "dealer")) for card in CARDS),
        ),
        rulebook,  # type: ignore[arg-type]
    )
    assert [one.verdict for one in report.findings if NO_WAGER in one.observed] == ["undetermined"]


def test_the_named_modules_and_checks_exist() -> None:
    every = [check for book in ("nd-twenty-one", "wa-blackjack-a", "house-manual") for check in checks(book)]
    modules = {(c.of_round or c.of_session).__module__.rpartition(".")[2] for c in every}  # type: ignore[union-attr]
    assert modules >= MODULES
    assert {check.name for check in every} >= NAMES
