"""The daily and the weekly page ask what only a person can attest, and what is signed counts in the reviews."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import msgspec
import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from streamlit.testing.v1 import AppTest
from test_dashboard_pages import home, page, sign_in  # noqa: F401 - fixture

from verifier.dashboard import records_page
from verifier.dashboard.common import escaped
from verifier.domain.errors import BadInput
from verifier.formats.findings import read_findings
from verifier.law.judge import judge
from verifier.review.recheck import Rechecked
from verifier.review.recording import review_recording
from verifier.store.repository import Store
from verifier.store.site_records import SiteRecords

PLAYED = date(2026, 11, 17)
DOME, SURGE = "ND-08-04.1.b-dome", "ND-08-04.1.b-surge-protector"


@pytest.fixture
def reviewed(home: Path) -> Path:  # noqa: F811
    video, layout, house = write_inputs(home / "night")
    stages = msgspec.structs.replace(fake_stages(SHOWN, finding()), judge=judge)
    review_recording(video, layout, house, home / "out", stages=stages)
    return Path(Store().reviews()[0].folder)


def evidence(folder: Path, clause: str) -> tuple[str, str | None]:
    row = next(one for one in read_findings(folder / "findings.json").clauses if one.clause == clause)
    return row.verdict, row.evidence


def answer(shown: AppTest, term: str, clause: str, said: str) -> None:
    (asked,) = [
        one for one in shown.radio if (one.key or "").startswith(f"attest {term} ") and clause in (one.key or "")
    ]
    asked.set_value(said)


def sign(shown: AppTest) -> AppTest:
    next(one for one in shown.button if one.label == "Sign as Kim Olson (kim)").click()
    return shown.run()


def test_the_weekly_page_asks_signs_and_judges_again(reviewed: Path) -> None:
    shown = page("weekly").run()
    answer(shown, "week", DOME, "Kept")
    answer(shown, "week", SURGE, "Not kept")
    signed = sign(shown)
    assert not signed.exception and any("Signed: 2 new" in one.value for one in signed.success)
    assert evidence(reviewed, DOME) == ("pass", "attested")
    assert evidence(reviewed, SURGE) == ("violation", "attested")
    assert {(one.made_by, one.fields["from"], one.fields["to"]) for one in SiteRecords(Store()).standing()} == {
        ("kim", "2026-11-16", "2026-11-22")
    }
    again = page("weekly").run()
    assert [one.value for one in again.radio if DOME in (one.key or "")] == ["Kept"]


def test_nothing_is_kept_where_nothing_is_answered(reviewed: Path) -> None:
    signed = sign(page("weekly").run())
    assert any("no clause is answered" in one.value for one in signed.error)
    assert SiteRecords(Store()).standing() == [] and evidence(reviewed, DOME) == ("not_assessed", None)


def test_what_is_not_filled_in_on_the_daily_page_is_empty(reviewed: Path) -> None:
    (table,) = page("daily").run().dataframe
    assert table.proto.placeholder == ""
    assert table.proto.HasField("placeholder")


def test_the_daily_page_asks_what_is_done_each_day(reviewed: Path) -> None:
    shown = page("daily").run()
    shown.date_input[0].set_value(PLAYED).run()
    asked = [one.key or "" for one in shown.radio]
    assert any("ND-08-14.1-drop-box-escort" in one for one in asked) and not any(DOME in one for one in asked)
    answer(shown, "day", "ND-08-14.1-drop-box-escort", "Kept")
    sign(shown)
    assert evidence(reviewed, "ND-08-14.1-drop-box-escort") == ("pass", "attested")


def test_who_may_not_write_documents_is_shown_no_form(reviewed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_in(monkeypatch, "agent")
    assert not page("weekly").run().radio


def test_a_statement_is_withdrawn_and_put_back_on_the_page_of_records(reviewed: Path) -> None:
    shown = page("weekly").run()
    answer(shown, "week", DOME, "Kept")
    sign(shown)
    kept = page("records").run()
    (which,) = [one for one in kept.selectbox if one.label == "Record"]
    assert len(which.options) == 1 and "2026-11-16" in which.options[0]
    no_reason = press(kept, "Withdraw")
    assert any("no reason is given" in one.value for one in no_reason.error)
    next(one for one in kept.text_input if one.label == "Why is it withdrawn?").set_value("of another dome")
    gone = press(kept, "Withdraw")
    assert not gone.exception and any("Withdrawn: " in one.value for one in gone.success)
    assert evidence(reviewed, DOME) == ("not_assessed", None) and SiteRecords(Store()).standing() == []
    (back,) = [one for one in gone.button if one.label.startswith("Put ")]
    back.click()
    again = gone.run()
    assert any("Put back: " in one.value for one in again.success) and evidence(reviewed, DOME) == ("pass", "attested")
    assert not [one for one in again.button if one.label.startswith("Put ")]
    assert [one.withdrawn for one in SiteRecords(Store()).every()] == ["", "of another dome", ""]


@pytest.fixture
def withdrawable(reviewed: Path) -> AppTest:
    """The page of records with a signed statement, and a reason to withdraw it."""
    shown = page("weekly").run()
    answer(shown, "week", DOME, "Kept")
    sign(shown)
    kept = page("records").run()
    next(one for one in kept.text_input if one.label == "Why is it withdrawn?").set_value("of another dome")
    return kept


def test_what_is_withdrawn_can_be_put_back_where_judging_again_fails(
    withdrawable: AppTest, reviewed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> list[Rechecked]:
        raise BadInput(reviewed / "events.jsonl", "line 3 is no event", "review the recording again")

    with monkeypatch.context() as patched:
        patched.setattr(records_page, "judge_again", fails)
        gone = press(withdrawable, "Withdraw")
    assert any("line 3 is no event" in one.value for one in gone.error)
    assert any("Withdrawn" in one.value and "could not all be judged" in one.value for one in gone.warning)
    assert SiteRecords(Store()).standing() == []
    (back,) = [one for one in gone.button if one.label.startswith("Put ")]
    back.click()
    again = gone.run()
    assert any("Put back: " in one.value for one in again.success) and evidence(reviewed, DOME) == ("pass", "attested")


def test_the_page_says_which_transcript_is_not_as_it_was(
    withdrawable: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = "the transcript table-2.vtt was taken away since"
    again = Rechecked(
        review="r1", site="0123", table="2", play_date="2026-11-17", new=[], gone=[], changed=[], same=1, stale=[says]
    )
    monkeypatch.setattr(records_page, "judge_again", lambda *_: [again])
    gone = press(withdrawable, "Withdraw")
    assert [one.value for one in gone.warning] == [escaped(f"Review of table 2, 2026-11-17: {says}.")]
    assert not gone.run().warning


def press(shown: AppTest, label: str) -> AppTest:
    next(one for one in shown.button if one.label == label).click()
    return shown.run()
