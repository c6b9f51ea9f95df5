"""The pages of the paperwork open, do what their buttons say, and refuse whom they must."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pandas as pd
import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from streamlit.testing.v1 import AppTest
from test_dashboard_pages import home, page, sign_in, words  # noqa: F401 - home is a fixture

from verifier.dashboard.common import fault_text
from verifier.dashboard.daily_page import _HEADS, _checks
from verifier.domain.errors import BadInput
from verifier.review.bundle.verify import verify_bundle
from verifier.review.recording import Reviewed, review_recording
from verifier.store.audit.check import Fault, FaultKind
from verifier.store.papers import Document, Duty, HoldFigure, Papers
from verifier.store.repository import Store

FIGURE = HoldFigure(
    site="0123", day="2026-08-01", game="twenty-one", dealer="Lee", gross_cents=100000, prizes_cents=95000
)


@pytest.fixture
def reviewed(home: Path) -> Reviewed:  # noqa: F811
    video, layout, house = write_inputs(home)
    return review_recording(video, layout, house, home / "out", stages=fake_stages(SHOWN, finding()))


def kept(kind: str) -> list[Document]:
    return Papers(Store()).documents(kind)  # type: ignore[arg-type]


def attested(app: AppTest) -> AppTest:
    """The weekly form with its attestation."""
    next(one for one in app.checkbox if one.label.startswith("I attest")).check()
    return app


def pressed(app: AppTest, label: str) -> AppTest:
    done = next(one for one in app.button if one.label == label).click().run()
    assert not done.exception
    return done


@pytest.mark.parametrize("name", ["daily", "hold", "records", "submission", "evidence", "retention", "weekly"])
def test_every_page_opens_with_and_without_reviews(home: Path, name: str) -> None:  # noqa: F811
    app = page(name).run()
    assert not app.exception
    assert app.title


@pytest.mark.parametrize(
    ("name", "who"),
    [("retention", "rob"), ("daily", "agent"), ("hold", "agent"), ("submission", "rob"), ("daily", None)],
)
def test_a_role_that_may_not_is_refused(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch, name: str, who: str | None
) -> None:
    sign_in(monkeypatch, who)
    app = page(name).run()
    assert not app.button
    assert not app.title
    assert app.exception or app.warning


def test_a_reviewer_who_dealt_that_week_is_told(reviewed: Reviewed) -> None:
    duty = Duty(site="0123", day="2026-11-17", shift="evening", person="Kim Olson", duty="twenty-one")
    Papers(Store()).set_roster([duty], "ada")
    assert "Another person must review" in words(page("weekly").run())


def test_the_weekly_document_is_made_and_a_second_one_needs_a_reason(reviewed: Reviewed) -> None:
    app = pressed(attested(page("weekly").run()), "Make the document")
    assert [one.version for one in kept("weekly")] == [1]
    app = pressed(attested(page("weekly").run()), "Make the document")
    assert "was made before" in words(app)
    assert len(kept("weekly")) == 1


def test_the_hold_page_tells_the_duties_and_makes_the_document(reviewed: Reviewed) -> None:
    Papers(Store()).add_figures([FIGURE], "ada")
    app = page("hold").run()
    app.text_input[0].set_value("2026-Q3").run()
    assert "below 10%" in " ".join(one.value for one in app.warning)
    pressed(app, "Make the document")
    assert [one.period for one in kept("hold")] == ["2026-Q3"]


def test_the_evidence_page_makes_a_sound_bundle(reviewed: Reviewed, home: Path) -> None:  # noqa: F811
    app = page("evidence")
    app.session_state["finding"] = reviewed.findings[0].id
    app = pressed(app.run(), "Make the bundle")
    (bundle,) = (home / "home" / "exports").iterdir()
    assert verify_bundle(bundle, {Store().signer().public: "us"}).sound
    assert "cannot prove" in " ".join(one.value for one in app.info)


def test_a_document_that_was_made_twice_is_offered_after_a_reload(reviewed: Reviewed) -> None:
    app = pressed(attested(page("weekly").run()), "Make the document")
    assert not app.run().exception
    assert [getattr(one, "label", "") for one in app.get("download_button")].count("Download the PDF") == 1


def test_every_version_is_read_by_the_attorney_general_with_its_hash(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed(attested(page("weekly").run()), "Make the document")
    (made,) = kept("weekly")
    Papers(Store()).add_document(Document(kind="sample", site="0123", period="table 6", made_by="Kim", body="{}"))
    sign_in(monkeypatch, "agent")
    shown = words(page("papers").run())
    assert "Weekly review documentation**, version 1" in shown
    assert next(digest for name, digest in made.files.items() if name.endswith(".pdf")) in shown
    assert "Sample recording" in shown
    sign_in(monkeypatch, "rob")
    assert "Sample recording" not in words(page("papers").run()), "its stills are video, 08-04(4)(a)"


def test_a_document_whose_file_is_gone_says_so(reviewed: Reviewed) -> None:
    pressed(attested(page("weekly").run()), "Make the document")
    (made,) = kept("weekly")
    name = next(name for name in made.files if name.endswith(".pdf"))
    (Path(made.folder) / name).unlink()
    assert f"{name} is no longer on this computer." in words(page("papers").run())


def test_a_forged_document_says_so_and_is_not_signed(reviewed: Reviewed, home: Path) -> None:  # noqa: F811
    app = pressed(attested(page("weekly").run()), "Make the document")
    assert not app.exception
    (made,) = kept("weekly")
    assert "outside of the review room" not in words(page("papers").run())
    name = next(one for one in made.files if one.endswith(".pdf"))
    (Path(made.folder) / name).write_bytes(b"%PDF-1.4 no violation")
    shown = page("papers").run()
    told = words(shown).replace("\\", "")
    assert f"The file {name} was changed outside of the review room" in told
    assert f"file/documents/{name} is not as entry" in told, "for whoever keeps the audit log"
    evidence = page("evidence")
    evidence.session_state["evidence of"] = ("A document", str(made.id))
    assert "it is not signed" in words(pressed(evidence.run(), "Make the bundle"))
    assert not (home / "home" / "exports").exists()


def test_a_kept_document_is_exported_with_a_hash_list(reviewed: Reviewed, home: Path) -> None:  # noqa: F811
    pressed(attested(page("weekly").run()), "Make the document")
    app = pressed(page("papers").run(), "Export as evidence")
    evidence = page("evidence")
    evidence.session_state["evidence of"] = app.session_state["evidence of"]
    pressed(evidence.run(), "Make the bundle")
    (path,) = (home / "home" / "exports").iterdir()
    assert verify_bundle(path, {Store().signer().public: "us"}).sound
    with zipfile.ZipFile(path) as bundle:
        assert any(name.endswith(".pdf") for name in bundle.namelist())
        listed = bundle.read("SHA256SUMS").decode()
    assert ".pdf" in listed


def test_the_roster_is_given_where_it_is_missed(reviewed: Reviewed) -> None:
    app = page("weekly").run()
    assert app.expander[0].proto.expanded, "nobody knows whether the reviewer dealt"
    duty = Duty(site="0123", day="2026-11-17", shift="evening", person="Lee Dahl", duty="twenty-one")
    table = "site,day,shift,person,duty\n0123,2026-11-17,evening,Lee Dahl,twenty-one\n"
    app.file_uploader[0].upload("roster.csv", table.encode(), "text/csv").run()
    app = pressed(app, "Add the roster")
    assert Papers(Store()).roster("0123", "2026-11-17", "2026-11-17") == [duty]
    assert "has no dealing of Kim Olson" in words(app)


def test_the_audit_log_is_for_those_who_may(reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Audit log" in [tab.label for tab in page("evidence").run().tabs]
    sign_in(monkeypatch, "rob")
    assert [tab.label for tab in page("evidence").run().tabs] == ["Check a bundle"]


def test_a_time_that_is_none_is_told_and_no_log_is_made(reviewed: Reviewed) -> None:
    rows = pd.DataFrame([{**dict.fromkeys(_HEADS, ""), "table": "7", "cards": "yes", "first_seen": "yesterday"}])
    with pytest.raises(BadInput, match="first_seen is 'yesterday'"):
        _checks(rows)
    rows["first_seen"] = "2026-11-17T21:30"
    rows["active_hours"] = 12.5
    (check,) = _checks(rows)
    assert (check.cards, check.chips, check.active_hours, check.game) == (True, None, 12.5, "twenty-one")


def test_retention_says_what_comes_next(reviewed: Reviewed) -> None:
    assert "must be kept until 2026-12-17" in words(page("retention").run())


def test_a_hold_is_put_on_from_the_page(reviewed: Reviewed) -> None:
    app = page("retention").run()
    app.multiselect[0].set_value(["kept"]).run()
    next(one for one in app.text_input if one.label == "Reason").set_value("a dispute")
    pressed(app, "■ Put on legal hold")
    (act,) = Papers(Store()).retained()
    assert (act.act, act.reason, act.actor) == ("hold", "a dispute", "Kim Olson (kim)")


def test_a_draft_waits_on_the_server_and_is_gone_once_attested(reviewed: Reviewed) -> None:
    app = page("weekly").run()
    next(one for one in app.text_area).set_value("The tray was short.")
    app = pressed(app, "Make the document")
    assert "A draft was made." in words(app) and kept("weekly") == []
    again = page("weekly").run()
    assert "The form begins with your draft" in words(again)
    assert again.text_area[0].value == "The tray was short."
    again = pressed(attested(again), "Make the document")
    (made,) = kept("weekly")
    assert "The tray was short." in made.body
    assert "The form begins with your draft" not in words(page("weekly").run())


def test_a_draft_belongs_to_the_person(reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed(page("weekly").run(), "Make the document")
    assert "The form begins with your draft" in words(page("weekly").run())
    sign_in(monkeypatch, "rob")
    assert "The form begins with your draft" not in words(page("weekly").run())


def test_stills_are_offered_and_shown_only_to_who_may_see_video(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asks(app: AppTest) -> list[str]:
        return [one.label for one in app.checkbox if "stills" in one.label]

    app = attested(page("weekly").run())
    (label,) = asks(app)
    next(one for one in app.checkbox if one.label == label).check()
    assert not pressed(app, "Make the document").exception
    assert [one.act for link in Store().audit(act="stills") if (one := link.deed) is not None] == ["stills"]
    assert "Weekly review documentation**, version 1" in words(page("papers").run())
    sign_in(monkeypatch, "rob")
    assert asks(page("weekly").run()) == []
    assert "Weekly review documentation**, version 1" not in words(page("papers").run())
    assert "which your account may not see" in words(page("weekly").run())


@pytest.mark.parametrize(
    ("kind", "where", "words_of_it"),
    [
        ("deleted", "file/evidence/r1/clip.mp4", "The file clip.mp4 is gone"),
        ("edited", "decisions/7", "The stored record decisions 7 was changed outside of the review room"),
        ("added", "file/evidence/r1/extra.jpg", "The file extra.jpg was not made in the review room"),
    ],
)
def test_what_is_not_as_it_was_made_is_told_in_plain_words(kind: FaultKind, where: str, words_of_it: str) -> None:
    told = fault_text(Fault(kind=kind, where=where, says="is gone, though entry 1 (stock by verifier) made it"))
    assert told.startswith(words_of_it)
    assert "entry" not in told and "evidence/" not in told
