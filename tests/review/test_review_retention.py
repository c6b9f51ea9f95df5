"""Retention: each thing its own clock; holds stop a purge; a purge is a person's act and leaves an entry."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from forging import by_other_hands
from review_fakes import fake_stages, finding, write_inputs
from sqlalchemy import text

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.review.documents.keeping import keep_document
from verifier.review.originals import KEPT_ORIGINALS
from verifier.review.recording import Reviewed, review_recording
from verifier.review.retention.acts import hold, purge, release
from verifier.review.retention.due import kept_things
from verifier.store.database import database_url, home
from verifier.store.repository import Store


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    video, layout, house = write_inputs(tmp_path)
    made = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding()))
    for kind, period in (("weekly", "2026-W47"), ("daily", "2026-11-17"), ("hold", "2026-Q3")):
        keep_document(Store(), kind, "0123", period, "Kim", "{}", tmp_path / "docs", lambda version: {"pdf": b"%PDF"})  # type: ignore[arg-type]
    return made


def until(today: str = "2026-11-21") -> dict[str, str]:
    return {one.says.split(" ")[0]: one.until for one in kept_things(Store(), date.fromisoformat(today))}


def test_every_kind_has_its_own_clock(reviewed: Reviewed) -> None:
    assert until() == {
        "Recording": "2026-12-17",  # 30 days, 08-04(5)
        "Clips,": "2027-12-31",  # one year from the end of the quarter of the activity, 08-16(1)(h)
        "Weekly": "2027-12-31",
        "Hold": "2027-09-30",
        "Daily": "2029-12-31",  # three years
    }


@pytest.mark.parametrize(("today", "state"), [("2026-12-17", "kept"), ("2026-12-18", "due")])
def test_the_last_day_is_kept_and_the_next_is_due(reviewed: Reviewed, today: str, state: str) -> None:
    video = next(one for one in kept_things(Store(), date.fromisoformat(today)) if one.item.startswith("video/"))
    assert video.state == state


def test_nothing_goes_before_its_time_or_under_a_hold(reviewed: Reviewed) -> None:
    item, folder = f"evidence/{reviewed.review.id}", Path(reviewed.review.folder)
    with pytest.raises(BadInput, match="must be kept until 2027-12-31"):
        purge(Store(), item, "Kim", "tidying", date(2027, 12, 31))
    hold(Store(), item, "Kim", "a dispute", date(2027, 12, 31))
    with pytest.raises(BadInput, match="legal hold"):
        purge(Store(), item, "Kim", "tidying", date(2028, 1, 1))
    assert folder.exists()
    release(Store(), item, "Kim", "settled", date(2028, 1, 1))
    assert purge(Store(), item, "Kim", "due", date(2028, 1, 1)) == [str(folder)]
    assert not folder.exists()
    with pytest.raises(BadInput, match="purged already"):
        purge(Store(), item, "Kim", "again", date(2028, 1, 1))
    acts = [link.deed.act for link in Store().audit(subject=item) if link.deed]
    assert acts == ["hold", "release", "purge"]


def test_the_organizations_own_recording_is_never_removed(reviewed: Reviewed, tmp_path: Path) -> None:
    purge(Store(), f"video/{reviewed.review.id}", "Kim", "due", date(2027, 1, 1))
    assert (tmp_path / "video.mp4").exists()


def test_an_act_needs_a_name_and_a_reason(reviewed: Reviewed) -> None:
    item = f"video/{reviewed.review.id}"
    for by, reason in (("", "a dispute"), ("Kim", " ")):
        with pytest.raises(BadInput, match="name and a reason"):
            hold(Store(), item, by, reason, date(2026, 11, 21))
    with pytest.raises(BadInput, match="not on hold"):
        release(Store(), item, "Kim", "settled", date(2026, 11, 21))
    with pytest.raises(BadInput, match="nothing that is kept"):
        hold(Store(), "video/nothing", "Kim", "a dispute", date(2026, 11, 21))


def test_the_commands(reviewed: Reviewed, capsys: pytest.CaptureFixture[str]) -> None:
    item = f"video/{reviewed.review.id}"
    assert run(["retention", "list", "--date", "2026-11-21"]) == 0
    assert run(["retention", "list", "--date", "2026-12-18"]) == 4
    assert item in capsys.readouterr().out
    assert run(["retention", "hold", item, "--reason", "a dispute", "--by", "Kim"]) == 0
    assert run(["retention", "list", "--date", "2026-12-18"]) == 0
    assert "a dispute" in capsys.readouterr().out
    assert run(["retention", "purge", f"evidence/{reviewed.review.id}", "--reason", "tidying"]) == 2


DUE = date(2040, 1, 1)


def forge(*acts: str) -> None:
    with by_other_hands(database_url()) as connection:
        for act in acts:
            connection.execute(text(act))


@pytest.mark.parametrize(
    "act",
    [
        "DELETE FROM retention_acts",
        "UPDATE retention_acts SET item = 'video/another'",
        "INSERT INTO retention_acts SELECT 99, 'release', item, reason, actor, at FROM retention_acts",
    ],
)
def test_a_hold_that_was_forged_away_still_holds(reviewed: Reviewed, act: str) -> None:
    item, folder = f"evidence/{reviewed.review.id}", Path(reviewed.review.folder)
    hold(Store(), item, "Kim", "a dispute", DUE)
    forge(act)
    with pytest.raises(BadInput, match="nothing was removed"):
        purge(Store(), item, "Kim", "due", DUE)
    assert any(folder.rglob("*.mp4"))


def test_what_a_forged_row_names_is_not_removed(reviewed: Reviewed) -> None:
    """A purge takes away what the review's row names, which by now may be the folder of the key."""
    keys = home() / "keys"
    forge(f"UPDATE reviews SET folder = '{keys}'", f"UPDATE documents SET folder = '{keys}' WHERE kind = 'weekly'")
    weekly = next(one.item for one in kept_things(Store(), DUE) if one.says.startswith("Weekly"))
    for item in (f"evidence/{reviewed.review.id}", weekly):
        with pytest.raises(BadInput, match="nothing was removed"):
            purge(Store(), item, "Kim", "due", DUE)
    assert (keys / "signing.pem").exists()


def test_a_list_of_recordings_that_was_forged_removes_nothing(reviewed: Reviewed) -> None:
    originals = Path(reviewed.review.folder) / KEPT_ORIGINALS
    originals.write_bytes(originals.read_bytes() + b" ")
    with pytest.raises(BadInput, match="nothing was removed"):
        purge(Store(), f"video/{reviewed.review.id}", "Kim", "due", DUE)


def test_what_was_forged_elsewhere_stops_no_purge(reviewed: Reviewed) -> None:
    forge("UPDATE findings SET dealer = 'Mallory'")
    next(Path(reviewed.review.folder).rglob("*.mp4")).write_bytes(b"another film")
    assert purge(Store(), f"evidence/{reviewed.review.id}", "Kim", "due", DUE)
