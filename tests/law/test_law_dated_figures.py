"""The law's figures hold from their days, and an amendment is a line of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from law_build import Log, hand_out

from verifier.law import catalogue, figures
from verifier.law.figures import Dated, Figures, figures_on

SETS = "ND-08-11.16.a-sets-of-five"


@pytest.fixture
def amended(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Payoffs are fanned in sets of four from 2027-01-01 on."""
    told = figures.catalogue()
    sets = told["chips_in_set"]
    later = msgspec.structs.replace(sets, values=(*sets.values, Dated(value=4, from_="2027-01-01")))
    monkeypatch.setattr(figures, "catalogue", lambda: told | {"chips_in_set": later})
    figures.figures_on.cache_clear()
    yield
    figures.figures_on.cache_clear()


def fanned(*sizes: int) -> Log:
    """A wager of 8.00 in chips of 1.00 that is fanned in sets of these sizes."""
    log = hand_out("Th 7d 9s Tc", {2: 800})
    return log.change(log.one("chips_fanned", owner="wager"), set_sizes=list(sizes), chips={"100": 8}, cents=800)


@pytest.mark.usefixtures("amended")
@pytest.mark.parametrize(
    ("day", "sizes", "verdict"),
    [
        ("2026-12-31", (5, 3), "pass"),
        ("2026-12-31", (4, 4), "violation"),
        ("2027-01-01", (4, 4), "pass"),
        ("2027-01-01", (5, 3), "violation"),
        (None, (4, 4), "pass"),
        (None, (5, 3), "violation"),
    ],
)
def test_an_amended_figure_holds_from_its_day_on(day: str | None, sizes: tuple[int, ...], verdict: str) -> None:
    report = fanned(*sizes).judge(date=day)
    assert {row.clause: row.verdict for row in report.clauses}[SETS] == verdict


def test_each_figure_says_where_it_stands_and_for_which_clauses() -> None:
    told, clauses = figures.catalogue(), catalogue.by_id("nd-twenty-one")
    assert set(told) == set(Figures.__struct_fields__)
    for name, figure in told.items():
        assert figure.clauses and set(figure.clauses) <= set(clauses), name
        assert figure.cite in {clauses[clause].cite for clause in figure.clauses}, name
        days = [dated.from_ or "" for dated in figure.values]
        assert days == sorted(days) and len(set(days)) == len(days), name


def test_a_day_before_all_that_is_known_has_the_oldest_figure() -> None:
    dated = figures.Figure(
        means="x",
        cite="x",
        clauses=("x",),
        values=(Dated(value=3, from_="2020-01-01"), Dated(value=4, from_="2021-01-01")),
    )
    days = ["2019-12-31", "2020-01-01", "2020-12-31", "2021-01-01", None]
    assert [dated.on(day) for day in days] == [3, 3, 3, 4, 4]


@pytest.mark.parametrize("day", ["2026-11-02", "2026-11-02T21:14:26", None])
def test_today_s_figures(day: str | None) -> None:
    held = figures_on(day)
    assert (held.chips_in_set, held.sets_above_cents, held.rack_above_chips) == (5, 500, 20)
    assert (held.wager_least_cents, held.wager_most_cents, held.decks) == (100, 2500, (4, 6, 8))
