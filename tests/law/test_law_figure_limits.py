"""Each figure that the law names, with a log on either side of it: the last that is lawful, the first that is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from law_build import Log, hand_out, row
from record_rows import DAY, Rows, broken, given, kit, other, poh, sample, tournament, weeks

from verifier.law import figures

RECORDS: dict[str, Any] = {"date": DAY, "table": "2", "site": "0123", "channels": ["video", "records"]}
Limit = tuple[str, str, Callable[[], Log], str]
"""Figure, clause, log, and verdict."""


def kept(rows: Rows, **house: Any) -> Callable[[], Log]:
    return lambda: given(rows, **house)


def week_rows(count: int) -> Rows:
    """A quarter of losses, and the weekly percent-of-hold of one of the site's dealers."""
    dealer = [
        poh(quarter=None, dealer="D1", week=week, prizes=None, gross_proceeds=None) for week in range(1, count + 1)
    ]
    return [poh(quarter="2026Q1", prizes=1_100_000), *dealer]


def wagered(cents: int, **house: Any) -> Callable[[], Log]:
    return lambda: hand_out("Th 8d 9s 9c", {2: cents}, **house)


def cut(cards: int) -> Callable[[], Log]:
    def make() -> Log:
        log = hand_out("Th 8d 9s 9c", {2: 1000})
        return log.change(log.one("cut"), depth_cards=cards)

    return make


def indicator(cards: int) -> Callable[[], Log]:
    def make() -> Log:
        log = hand_out("Th 8d 9s 9c", {2: 1000})
        return log.change(log.one("indicator_card"), cards_remaining=cards)

    return make


def fanned(cents: int, sizes: list[int], chips: dict[str, int] | None) -> Callable[[], Log]:
    def make() -> Log:
        log = hand_out("Th 8d 9s 9c", {2: cents})
        return log.change(log.one("chips_fanned", owner="wager"), set_sizes=sizes, chips=chips)

    return make


def tied(taps: int) -> Callable[[], Log]:
    def make() -> Log:
        log = hand_out("Th 7d 7s Tc", {2: 1000})
        tap = log.one("push_tapped")
        return log if taps else log.drop(tap)

    return make


def racked(chips: int) -> Callable[[], Log]:
    def make() -> Log:
        log = hand_out("Th 8d 9s 9c", {2: 2500})
        return log.change(log.one("payoff_placed"), rack_sets=1, chips={"100": chips}, cents=100 * chips)

    return make


def overlapping(seconds: int) -> Callable[[], Log]:
    def make() -> Log:
        log = hand_out("Th 8d 9s 9c", {2: 1000}, two_recorders=True)
        for recorder, start, end in (("1", 0, 3600), ("2", 3600 - seconds, 7200)):
            log.add("recording_segment", recorder_id=recorder, start=start, end=end)
        return log

    return make


def quarters(cents: int) -> Callable[[], Log]:
    two = [poh(quarter=name, gross_proceeds=cents, prizes=cents // 2) for name in ("2026Q1", "2026Q2")]
    return kept(two, video_surveillance="absent")


def temporary(days: int, events: int) -> Callable[[], Log]:
    return kept([kit(temporary=True, video=False, table="9", days=days, events=events)])


def operational(day: str) -> Callable[[], Log]:
    return kept([other("new_site", start_date="2026-09-01", operational=day)])


def without_video(most: int) -> Callable[[], Log]:
    return kept([other("new_site", start_date="2026-09-01")], table_limits={"min": 100, "max": most})


def repaired(first: str, day: str, hours: int) -> Callable[[], Log]:
    return kept([broken(first_seen=first, repaired=day, active_hours=hours)])


def redeemed(until: str) -> Callable[[], Log]:
    return kept([other("discontinued", discontinued="2026-09-01", redeemed_until=until)])


def posted(least: int) -> Callable[[], Log]:
    return kept([("house_rules", {"on": DAY, "tables": [{"min": least}]})])


def recording(purged: str) -> Callable[[], Log]:
    return kept([other("recording", recording_date="2026-09-01", purged=purged)])


def fees(cents: int) -> Callable[[], Log]:
    """An entry fee and two rebuys, none of them above it."""
    player = {"name": "Ann", "entry_fee": 10_000, "rebuys": [5_000, cents - 15_000]}
    return kept([tournament(players=[player])], tournament_rules="on")


REPAIR, TEMPORARY, RENT = "04.6-repair-48h-4d", "04.0-temporary-table", "01.4-extra-table-rent"
LIMITS: list[Limit] = [
    ("contact_days", "01.3-contact-ag", kept([poh(prizes=1_100_000, ag_contacted="2026-10-30")]), "pass"),
    ("contact_days", "01.3-contact-ag", kept([poh(prizes=1_100_000, ag_contacted="2026-10-31")]), "violation"),
    ("loss_weeks", "01.3-dealer-poh-12-weeks", kept(week_rows(12)), "pass"),
    ("loss_weeks", "01.3-dealer-poh-12-weeks", kept(week_rows(11)), "violation"),
    ("rent_uses", RENT, kept([other("rent", uses_per_quarter=[13] * 4)]), "pass"),
    ("rent_uses", RENT, kept([other("rent", uses_per_quarter=[12] * 4)]), "violation"),
    ("rent_quarters", RENT, kept([other("rent", uses_per_quarter=[12] * 3)]), "undetermined"),
    ("rent_quarters", RENT, kept([other("rent", uses_per_quarter=[12] * 4)]), "violation"),
    ("decks", "02.3-deck-count", wagered(1000, deck_count=4), "pass"),
    ("decks", "02.3-deck-count", wagered(1000, deck_count=8), "pass"),
    ("decks", "02.3-deck-count", wagered(1000, deck_count=5), "violation"),
    ("temporary_days", TEMPORARY, temporary(14, 2), "pass"),
    ("temporary_days", TEMPORARY, temporary(15, 2), "violation"),
    ("temporary_events", TEMPORARY, temporary(14, 2), "pass"),
    ("temporary_events", TEMPORARY, temporary(14, 3), "violation"),
    ("video_average_cents", "04.0-system-required", quarters(999_999), "not_assessed"),
    ("video_average_cents", "04.0-system-required", quarters(1_000_000), "violation"),
    ("video_days", "04.0-new-site", operational("2026-10-16"), "pass"),
    ("video_days", "04.0-new-site", operational("2026-10-17"), "violation"),
    ("no_video_wager_cents", "04.0-new-site", without_video(200), "pass"),
    ("no_video_wager_cents", "04.0-new-site", without_video(201), "violation"),
    ("sample_days", "04.10-sample-14-days", kept([sample(submitted="2026-10-24")]), "pass"),
    ("sample_days", "04.10-sample-14-days", kept([sample(submitted="2026-10-25")]), "violation"),
    ("overlap_seconds", "04.4.c-overlap-10-min", overlapping(600), "pass"),
    ("overlap_seconds", "04.4.c-overlap-10-min", overlapping(599), "violation"),
    ("repair_hours", REPAIR, repaired("2026-11-01", "2026-11-02", 48), "pass"),
    ("repair_hours", REPAIR, repaired("2026-11-01", "2026-11-02", 49), "violation"),
    ("repair_days", REPAIR, repaired("2026-10-28", "2026-11-01", 1), "pass"),
    ("repair_days", REPAIR, repaired("2026-10-28", "2026-11-02", 1), "violation"),
    ("low_hold", "04.8-poh-trigger", kept([poh(prizes=900_000)]), "pass"),
    ("low_hold", "04.8-poh-trigger", kept([poh(prizes=900_001)]), "violation"),
    ("low_hold_paddlewheel", "04.8-poh-trigger", kept([poh(game="paddlewheel", prizes=850_000)]), "pass"),
    ("low_hold_paddlewheel", "04.8-poh-trigger", kept([poh(game="paddlewheel", prizes=850_001)]), "violation"),
    ("low_hold_weeks", "04.8-six-weeks", kept(weeks(1, 2, 3, 4, 5, 6)), "pass"),
    ("low_hold_weeks", "04.8-six-weeks", kept(weeks(1, 2, 3, 4, 5)), "undetermined"),
    ("weekly_review_seconds", "04.8-one-hour-per-week", kept(weeks(1, minutes=60)), "pass"),
    ("weekly_review_seconds", "04.8-one-hour-per-week", kept(weeks(1, minutes=3599 / 60)), "violation"),
    ("redemption_days", "06.2-discontinued-30-days", redeemed("2026-10-01"), "pass"),
    ("redemption_days", "06.2-discontinued-30-days", redeemed("2026-09-30"), "violation"),
    ("cut_least_cards", "08.1-cut-ten-cards", cut(10), "pass"),
    ("cut_least_cards", "08.1-cut-ten-cards", cut(9), "undetermined"),  # its reading may be off by two
    ("cut_least_cards", "08.1-cut-ten-cards", cut(8), "undetermined"),
    ("cut_least_cards", "08.1-cut-ten-cards", cut(7), "violation"),
    ("indicator_least_cards", "08.2-indicator-50-100", indicator(40), "pass"),  # "about": ten more or less
    ("indicator_least_cards", "08.2-indicator-50-100", indicator(39), "violation"),
    ("indicator_most_cards", "08.2-indicator-50-100", indicator(110), "pass"),
    ("indicator_most_cards", "08.2-indicator-50-100", indicator(111), "violation"),
    ("wager_least_cents", "09.1-range-1-25", wagered(100), "pass"),
    ("wager_least_cents", "09.1-range-1-25", wagered(99), "violation"),
    ("wager_most_cents", "09.1-range-1-25", wagered(2500), "pass"),
    ("wager_most_cents", "09.1-range-1-25", wagered(2501, table_limits={"min": 100, "max": 5000}), "violation"),
    ("wager_step_cents", "09.1-whole-dollar", wagered(200), "pass"),
    ("wager_step_cents", "09.1-whole-dollar", wagered(250), "violation"),
    ("posted_minimum_cents", "09.1-min-wager-3", posted(300), "pass"),
    ("posted_minimum_cents", "09.1-min-wager-3", posted(301), "violation"),
    ("taps_at_tie", "11.13-tap-push", tied(1), "pass"),
    ("taps_at_tie", "11.13-tap-push", tied(0), "violation"),
    ("sets_above_cents", "11.16.a-sets-of-five", fanned(500, [6], None), "not_applicable"),
    ("sets_above_cents", "11.16.a-sets-of-five", fanned(501, [6], None), "violation"),
    ("chips_in_set", "11.16.a-sets-of-five", fanned(600, [5, 1], {"100": 6}), "pass"),
    ("chips_in_set", "11.16.a-sets-of-five", fanned(600, [4, 2], {"100": 6}), "violation"),
    ("chips_in_set", "11.16.a-sets-of-five", fanned(600, [6], {"100": 6}), "violation"),
    ("rack_above_chips", "11.16.a-rack-20", racked(21), "pass"),
    ("rack_above_chips", "11.16.a-rack-20", racked(20), "violation"),
    ("tournament_fees_cents", "15.1-fee-cap-200", fees(20_000), "pass"),
    ("tournament_fees_cents", "15.1-fee-cap-200", fees(20_001), "violation"),
    ("video_kept_days", "04.5-retain-30-days", recording("2026-10-01"), "pass"),
    ("video_kept_days", "04.5-retain-30-days", recording("2026-09-30"), "violation"),
]


@pytest.mark.parametrize(
    ("clause", "make", "verdict"), [limit[1:] for limit in LIMITS], ids=[f"{x[0]}-{x[3]}" for x in LIMITS]
)
def test_the_figure_decides_where_the_law_puts_it(clause: str, make: Callable[[], Log], verdict: str) -> None:
    assert row(make().judge(**RECORDS), f"ND-08-{clause}") == verdict


def test_every_figure_has_a_log_on_either_side() -> None:
    sides = {name: {verdict for figure, _, _, verdict in LIMITS if figure == name} for name in figures.catalogue()}
    assert {name for name, verdicts in sides.items() if len(verdicts) < 2} == set()


def other_values(name: str) -> list[Any]:
    """The figure's neighbours: a little less and a little more."""
    (dated,) = figures.catalogue()[name].values
    if isinstance(dated.value, tuple):
        return [dated.value[1:], dated.value[:-1], (*dated.value, 5)]
    step = 1e-6 if isinstance(dated.value, float) else 50 if name == "wager_step_cents" else 1
    return [dated.value - step, dated.value + step]


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in figures.catalogue() for value in other_values(name)]
)
def test_another_figure_would_be_noticed(name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = msgspec.structs.replace(figures.NEWEST, **{name: value})
    monkeypatch.setattr("verifier.law.session.figures_on", lambda day: changed)
    own = [limit[1:] for limit in LIMITS if limit[0] == name]
    assert any(row(make().judge(**RECORDS), f"ND-08-{clause}") != verdict for clause, make, verdict in own)


def test_a_figure_s_logs_are_of_a_clause_that_names_it() -> None:
    assert {
        figure for figure, clause, _, _ in LIMITS if f"ND-08-{clause}" not in figures.catalogue()[figure].clauses
    } == set()
