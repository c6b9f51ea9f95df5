"""Where 99-01.3-08-11(10) asks the dealer to turn the hole card: at a table where no reader is used."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, findings, row
from test_law_deviations_by_the_text import hole_never_turned, turned_before_decisions
from test_law_named import one

REVEAL = "ND-08-11.10-reveal-hole"
EXPOSED = "ND-08-12.14-exposed-hole"
READER = "hole_card_reader"


def at_reader_table(log: Log) -> Log:
    log.house["dealing_method"] = READER
    return log


@pytest.mark.parametrize(
    ("made", "verdict"), [(one, "pass"), (hole_never_turned, "undetermined"), (turned_before_decisions, "violation")]
)
def test_the_turn_is_asked_where_no_reader_is_used(made: Callable[[], Log], verdict: str) -> None:
    report = made().judge()
    assert verdict == row(report, REVEAL) or any(REVEAL in (f.clause, *f.also) for f in findings(report, verdict))


@pytest.mark.parametrize("made", [one, hole_never_turned, turned_before_decisions])
def test_the_turn_is_not_asked_at_a_table_with_a_reader(made: Callable[[], Log]) -> None:
    report = at_reader_table(made()).judge()
    assert row(report, REVEAL) == "not_applicable"
    assert not any(REVEAL in (f.clause, *f.also) for f in report.findings)


def test_a_card_turned_before_decisions_is_exposed_at_a_table_with_a_reader_too() -> None:
    report = at_reader_table(turned_before_decisions()).judge()
    assert EXPOSED in {f.clause for f in findings(report)}


def test_the_turn_is_not_asked_of_a_round_with_a_reader_where_the_method_is_unknown() -> None:
    log = one("Th Ad 9s 7c", dealing_method=READER)
    log.house.pop("dealing_method")
    assert row(log.judge(), REVEAL) == "not_applicable"
