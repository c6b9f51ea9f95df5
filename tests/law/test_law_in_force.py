"""House options by site and date, and options that a site must apply alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from law_build import Log, findings, hand_out, named, play_on

from verifier.cli import run
from verifier.domain.events import EventLog
from verifier.formats.events import write_events
from verifier.law import catalogue
from verifier.law import judge as judging
from verifier.law.consistency import inconsistencies
from verifier.law.in_force import house_in_force

HIT = "ND-08-11.10.g-soft17-option"


def soft_17(*rules: dict[str, Any], **house: Any) -> Log:
    """The dealer hits an ace and a six; whether that is allowed, dated records of the site tell."""
    log = hand_out("Th 6d 9s Ac", {2: 1000}, **house)
    card = log.insert_after(log.one("card_revealed"), "card_dealt", card="4h", to="dealer", face="up", seq=None)
    assert card
    paid = [*log.all("payoff_placed"), *log.all("chips_fanned"), *log.all("chips_from_tray"), *log.all("hands_clear")]
    log.drop(*paid)
    log.insert_after(card, "chips_collected", kind="original", at="space:2", cents=1000, to="tray")
    for own in rules:
        fields = {k: v for k, v in own.items() if k != "on"}
        log.add("record_entry", type="house_rules", date=own.get("on"), fields=fields, source="record")
    return log


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ([{"on": "2026-10-01", "hit_soft_17": True}], True),
        ([{"on": "2026-11-03", "hit_soft_17": True}], None),
        ([{"on": "2026-10-01", "hit_soft_17": True}, {"on": "2026-11-01", "hit_soft_17": False}], False),
        ([{"on": "2026-11-01", "hit_soft_17": False}, {"on": "2026-10-01", "hit_soft_17": True}], False),
        ([{"on": "2026-10-01", "hit_soft_17": True, "to": "2026-10-31"}], None),
        ([{"on": "2026-10-01", "hit_soft_17": True, "site": "0456"}], None),
        ([{"on": "2026-10-01", "options": {"hit_soft_17": True}}], True),
        ([{"on": "2026-10-01", "hit_soft_17": "perhaps"}], None),
    ],
)
def test_the_options_of_the_site_on_the_day_of_play(rules: list[dict[str, Any]], allowed: bool | None) -> None:
    log = soft_17(*rules, hit_soft_17=None).build(date="2026-11-02", site="0123")
    assert house_in_force(log).hit_soft_17 is allowed


def test_the_header_of_a_log_stands_before_the_records() -> None:
    log = soft_17({"on": "2026-10-01", "hit_soft_17": True}, hit_soft_17=False)
    assert house_in_force(log.build(date="2026-11-02")).hit_soft_17 is False


def test_a_dealer_who_hits_soft_17_is_judged_by_the_option_of_the_day() -> None:
    allowed = soft_17({"on": "2026-10-01", "hit_soft_17": True}, hit_soft_17=None)
    later = soft_17({"on": "2026-11-03", "hit_soft_17": True}, hit_soft_17=False)
    assert not {c for c in named(allowed.judge(date="2026-11-02")) if ".10.g" in c}
    assert {c for c in named(later.judge(date="2026-11-02")) if ".10.g" in c}


def test_with_a_broken_reader_another_method_is_in_force() -> None:
    log = hand_out("Th Kd 9s 7c", {2: 1000}, dealing_method="hole_card_reader")
    log.drop(*log.all("hole_card_check"))
    assert findings(log.judge(date="2026-11-02"))
    log.add("record_entry", type="other", date="2026-11-02", fields={"kind": "reader_malfunction"}, source="record")
    assert not findings(log.judge(date="2026-11-02"))


def at_site(site: str | None, **house: Any) -> EventLog:
    log = Log(**house)
    for _ in range(6):
        play_on(log, "Th 7d 9s Tc", {2: 1000})
    built = log.build()
    return EventLog(msgspec.structs.replace(built.header, site=site), built.events)


def test_options_that_differ_within_a_site_are_told() -> None:
    logs = [
        ("a", at_site("1", payoff_fan_hand="left")),
        ("b", at_site("1", payoff_fan_hand="right")),
        ("c", at_site("2", payoff_fan_hand="right")),
    ]
    (found,) = inconsistencies(logs)
    assert (found.site, found.option, found.values) == ("1", "payoff_fan_hand", {"left": ["a"], "right": ["b"]})


def test_a_practice_counts_where_nothing_is_configured() -> None:
    unsaid = at_site("1", payoff_fan_hand="right")
    house = {k: v for k, v in unsaid.header.house.items() if k != "payoff_fan_hand"}
    unsaid = EventLog(msgspec.structs.replace(unsaid.header, house=house), unsaid.events)
    assert [i.option for i in inconsistencies([("a", at_site("1")), ("b", unsaid)])] == ["payoff_fan_hand"]
    assert not inconsistencies([("a", at_site("1")), ("b", at_site("1"))])


@pytest.mark.parametrize(
    ("day", "verdict"), [("2015-12-31", "not_assessed"), ("2016-01-01", "violation"), (None, "violation")]
)
def test_a_clause_is_judged_by_its_text_on_the_day_of_play(
    day: str | None, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clause = "ND-08-11.16.a-fan-payoff"
    since = {c.id: c for c in catalogue.clauses()}
    since[clause] = msgspec.structs.replace(since[clause], in_force=catalogue.InForce(from_="2016-01-01"))
    for name, given in (("by_id", lambda _: since), ("clauses", lambda _="": tuple(since.values()))):
        monkeypatch.setattr(judging, name, given)
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.drop(*log.all("chips_fanned", owner="payoff"))
    report = log.judge(date=day)
    (found,) = [r for r in report.clauses if r.clause == clause]
    assert found.verdict == verdict
    assert (found.why == "not in force on the day of play") == (verdict == "not_assessed")


@pytest.mark.parametrize(
    ("rulebook", "clause", "since"),
    [
        ("nd-twenty-one", "ND-08-10.1.a-order", "2023-01-01"),
        ("nd-twenty-one", "ND-08-11.16.a-fan-payoff", "2023-01-01"),
        ("nd-twenty-one", "ND-08-12.12-miscount-playback", "2010-07-01"),
        ("nd-poker", "ND-09-04.26-dealer-awards", "2018-07-01"),
    ],
)
def test_the_sections_that_were_amended_hold_from_the_day_in_their_history(
    rulebook: str, clause: str, since: str
) -> None:
    assert catalogue.by_id(rulebook)[clause].in_force == catalogue.InForce(from_=since)


@pytest.mark.parametrize(("day", "told"), [("2022-12-31", True), ("2023-01-01", False), (None, False)])
def test_a_log_older_than_the_text_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], day: str | None, told: bool
) -> None:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.drop(*log.all("chips_fanned", owner="payoff"))
    write_events(tmp_path / "events.jsonl", log.build(date=day))
    code = run(["check", str(tmp_path / "events.jsonl")])
    assert ("124 clauses were not judged: their text was not in force" in capsys.readouterr().out) == told
    assert code == (0 if told else 4)
