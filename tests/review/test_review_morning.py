"""The first page: what the night found, what was not watched, what is owed, what is due."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from batch_fakes import CHAIN, make_table, record, settled
from batch_night import Here
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from streamlit.testing.v1 import AppTest

from verifier.dashboard import access
from verifier.domain.errors import BadInput
from verifier.review.batch import shift
from verifier.review.batch.to_look_at import to_look_at
from verifier.review.morning import due, owed, this_morning
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.roles import Person, Role
from verifier.review.people.sessions import open_session
from verifier.review.recording import review_recording
from verifier.store.papers import Document, Papers
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

PASSWORD = "correct horse battery"


@pytest.fixture
def kim(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    chief = create_first(Store(), "ada", "Ada", PASSWORD)
    person = create(Store(), chief, NewAccount(name="kim", full_name="Kim", role=Role.MANAGER, password=PASSWORD))
    token = open_session(Store(), person)
    monkeypatch.setattr(access, "token", lambda: token)
    yield person


def today() -> AppTest:
    app = AppTest.from_string("from verifier.dashboard import today_page\ntoday_page.show()", default_timeout=150).run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    elements = [
        *app.title,
        *app.subheader,
        *app.markdown,
        *app.text,
        *app.caption,
        *app.info,
        *app.success,
        *app.warning,
    ]
    return "\n".join(str(one.value) for one in elements)


def test_an_empty_house_offers_the_first_review(kim: Person) -> None:
    app = today()
    assert "Nothing was reviewed yet." in words(app)
    assert [one.label for one in app.button] == ["Begin a new review"]


def test_what_the_night_found_and_what_it_did_not_watch(
    kim: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shift, "make_engine", lambda order, setup: Here(setup))
    folder = make_table(tmp_path / "night", table="7")
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    (folder / "b.mp4").write_text("broken")
    settled(folder / "b.mp4")
    order = shift.Order(places=[str(folder)], folders=shift.Folders(tmp_path / "work"), chain=CHAIN)
    shift.Shift(order, lambda tally: None).run()
    morning = this_morning(Store(), kim, datetime.now())
    assert morning.open_findings == 2
    assert morning.findings[0].stored.finding.verdict == "violation"
    assert [one.where for one in morning.not_watched] == ["Site 0123, table 7, b.mp4"]
    app = today()
    assert "b.mp4" in words(app)
    assert not app.success
    assert app.button(key="today start")


def test_a_review_that_no_night_made_is_told_too(kim: Person, tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(SHOWN, finding(), until=5.0))
    morning = this_morning(Store(), kim, datetime(2026, 11, 18, 8))
    assert morning.night is None
    assert [one.when for one in morning.not_watched] == ["5 s to 8 s"]
    assert [(one.table, one.week, one.minutes) for one in morning.owed] == [("2", "2026-W47", 60.0)]


def test_a_finding_is_shown_by_the_still_of_what_became_of_it(kim: Person, tmp_path: Path) -> None:
    """The last one, as in the list of findings and in the morning report."""
    video, layout, house = write_inputs(tmp_path)
    made = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding()))
    (stored,) = Store().findings()
    assert len(stored.stills) > 1
    (picture,) = [one.value for one in today().get("html") if "img class='still'" in one.value]
    assert f"/room/still/{stored.id}/{len(stored.stills) - 1}'" in picture
    (told,) = to_look_at(Store(), [made.review.id])
    assert told.still is not None and told.still.endswith(stored.stills[-1])


def review(name: str, day: str, table: str = "2") -> ReviewRecord:
    return ReviewRecord(
        id=name,
        video_sha256=name,
        video_name=name,
        site="1",
        table=table,
        play_date=day,
        rulebook="nd-twenty-one",
        law_as_of="2023-01-01",
        folder="",
        duration=60.0,
        reviewed_seconds=60.0,
        coverage=1.0,
    )


def test_the_hour_of_a_table_is_that_of_its_week(own_home: Path) -> None:
    reviews = [
        review("a", "2026-11-16"),
        review("b", "2026-11-22"),
        review("c", "2026-11-23"),
        review("d", "2026-12-01"),
    ]
    found = owed(Store(), reviews, date(2026, 11, 24))
    assert [(one.week, one.minutes) for one in found] == [("2026-W48", 60.0), ("2026-W47", 60.0)]


def test_a_document_is_due_when_its_week_or_day_is_over_until_it_is_kept(own_home: Path) -> None:
    reviews = [review("a", "2026-11-22"), review("b", "2026-11-23")]
    says = [one.says for one in due(Store(), reviews, date(2026, 11, 23))]
    assert says == [
        "Weekly document of site 1, 2026-W47, 16 November to 22 November",
        "Daily log of site 1, 2026-11-22",
    ]
    assert not [one for one in due(Store(), reviews, date(2026, 11, 22)) if one.page == "weekly"]
    Papers(Store()).add_document(Document(kind="weekly", site="1", period="2026-W47", made_by="kim", body="{}"))
    assert [one.page for one in due(Store(), reviews, date(2026, 11, 23))] == ["daily"]
    assert len(due(Store(), reviews, date(2026, 11, 30))) == 2  # the week of the 23rd is over, too


def test_who_may_not_read_sees_nothing(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = Person(name="x", full_name="X", role=Role.REVIEWER)
    monkeypatch.setattr("verifier.review.people.roles.GRANTS", {Role.REVIEWER: frozenset()})
    with pytest.raises(BadInput, match="not allowed"):
        this_morning(Store(), nobody, datetime(2026, 11, 18))
