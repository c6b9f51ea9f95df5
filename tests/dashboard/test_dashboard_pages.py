"""Each page opens and does what its buttons say (Streamlit's own test harness, no browser)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from review_fakes import FAN, SHOWN, as_made, fake_stages, finding, write_inputs
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

import verifier.dashboard
from verifier.dashboard import access, common
from verifier.dashboard.settings import SETTINGS, flags
from verifier.recording.identity import sha256_of
from verifier.review.judging import decide, hold
from verifier.review.originals import KEPT_ORIGINALS, Original
from verifier.review.people.accounts import (
    NewAccount,
    change_own_password,
    check_password,
    create,
    create_first,
    password_by_another,
    person_of,
    set_password,
)
from verifier.review.people.roles import Person, Role
from verifier.review.people.sessions import open_session
from verifier.review.queue import Filters, load_queue
from verifier.review.recording import Reviewed, review_recording
from verifier.store.papers import Papers
from verifier.store.repository import Store
from verifier.store.room.tables import AccountRow
from verifier.store.tables import FindingRow
from verifier.store.values import DECISIONS

PAGES = ("queue", "overview", "finding", "weekly", "people", "watch", "sample", "papers", "account")
PASSWORD = "correct horse battery"


def page(name: str) -> AppTest:
    return AppTest.from_string(f"from verifier.dashboard import {name}_page\n{name}_page.show()", default_timeout=150)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    store = Store()
    chief = create_first(store, "ada", "Ada Admin", PASSWORD)
    for name, role in (("kim", Role.MANAGER), ("rob", Role.REVIEWER), ("agent", Role.ATTORNEY_GENERAL)):
        create(store, chief, NewAccount(name=name, full_name=f"{name.title()} Olson", role=role, password=PASSWORD))
    sign_in(monkeypatch, "kim")
    return tmp_path


def person_named(name: str) -> Person:
    with Store().reading() as session:
        return person_of(session.scalars(select(AccountRow).where(AccountRow.name == name)).one())


def sign_in(monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    """Puts a session of that account (None: no session) where the browser's cookie would be."""
    token = open_session(Store(), person_named(name)) if name is not None else None
    monkeypatch.setattr(access, "token", lambda: token)


@pytest.fixture
def reviewed(home: Path) -> Reviewed:
    video, layout, house = write_inputs(home)
    return review_recording(video, layout, house, home / "out", stages=fake_stages(SHOWN, finding()))


def words(app: AppTest) -> str:
    elements = [*app.title, *app.header, *app.subheader, *app.markdown, *app.text, *app.caption, *app.info, *app.error]
    return "\n".join(str(one.value) for one in elements)


@pytest.mark.parametrize("name", PAGES)
def test_each_page_opens_on_an_empty_store(home: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    sign_in(monkeypatch, "ada" if name == "people" else "kim")
    app = page(name).run()
    assert not app.exception
    assert app.title


@pytest.mark.parametrize("name", PAGES)
def test_no_page_opens_without_a_session(reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    sign_in(monkeypatch, None)
    app = page(name).run()
    assert "signed out" in app.warning[0].value
    assert not app.title


def test_the_whole_script_opens_with_this_morning(reviewed: Reviewed) -> None:
    app = AppTest.from_file(str(Path(verifier.dashboard.__file__).parent / "main.py"), default_timeout=150).run()
    assert not app.exception
    assert app.title[0].value == "This morning"
    assert "Ada Admin chose your password" in app.warning[0].value, "by the name that the other pages tell"


def test_an_own_finding_without_a_clause_is_asked_for_one_in_a_sentence(reviewed: Reviewed) -> None:
    app = page("watch").run()
    next(one for one in app.button if one.label == "Add the finding").click().run()
    assert [one.value for one in app.error] == ["Choose the clause that was not kept."]


def test_the_overview_draws_its_plots_and_keeps_dealers_and_hold_to_those_who_may(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    with store.acting("test", "review", "finding", {}) as session:
        for row in session.scalars(select(FindingRow)):
            row.dealer = "Lee"
    store.add_verdict(reviewed.findings[0].id, "confirmed", "kim")
    app = page("overview").run()
    assert not app.exception
    plots = {one.value for one in app.subheader}
    assert {"By table", "By rule", "By dealer", "Minutes watched by people", "Percent-of-hold by quarter"} <= plots
    assert {one.label: one.value for one in app.metric} == {
        "Open": "1", "Confirmed": "1", "Rejected": "0", "Cannot tell": "0"
    }  # fmt: skip
    app.segmented_control[0].set_value("52 weeks").run()
    app.selectbox[0].set_value("0123").run()
    assert not app.exception
    sign_in(monkeypatch, "agent")
    seen = {one.value for one in page("overview").run().subheader}
    assert "By rule" in seen and not {"By dealer", "Percent-of-hold by quarter"} & seen


def test_the_queue_shows_the_violation_before_the_undetermined(reviewed: Reviewed) -> None:
    app = page("queue").run()
    shown = words(app)
    assert shown.index("stayed a stack") < shown.index("out of the picture")
    assert "Open **2** · ✔ Confirmed **0** · ✘ Rejected **0** · ? Cannot tell **0**" in shown
    stills = [one.value for one in app.get("html") if "img class='still'" in one.value]
    assert len(stills) == len([one for one in reviewed.findings if one.stills])
    app = page("queue")
    app.session_state["view"] = "List"
    app.run()
    assert not app.exception
    assert not [one for one in app.get("html") if "img class='still'" in one.value]
    assert "stayed a stack" in words(app)


def test_a_filter_is_kept_while_a_finding_is_looked_at(reviewed: Reviewed) -> None:
    app = page("queue").run()
    app.multiselect("says").select("undetermined").run()
    again = page("queue")
    again.session_state["filters"] = app.session_state["filters"]
    again.run()
    assert again.multiselect("says").value == ["undetermined"]
    assert "stayed a stack" not in words(again)
    next(one for one in again.button if one.label == "Take all filters away").click().run()
    assert not again.exception
    assert "stayed a stack" in words(again)


def test_what_nobody_watched_is_said_first(home: Path) -> None:
    video, layout, house = write_inputs(home)
    review_recording(video, layout, house, home / "out", stages=fake_stages(until=3.0))
    app = page("queue").run()
    assert "watched only in part" in app.expander[0].label
    assert "0:03 to 0:08 not watched, the file is cut off here" in words(app)


def test_a_filter_narrows_the_queue(reviewed: Reviewed) -> None:
    app = page("queue").run()
    app.multiselect("says").select("undetermined").run()
    assert "out of the picture" in words(app)
    assert "stayed a stack" not in words(app)


@pytest.mark.parametrize("value", ["open", "Open"])
def test_the_address_names_a_filter_by_its_word_or_its_value(reviewed: Reviewed, value: str) -> None:
    confirmed, *_ = (one.id for one in Store().findings())
    decide(Store(), person_named("kim"), confirmed, "confirmed")
    app = page("queue")
    app.query_params["state"] = value
    app.run()
    assert app.multiselect("state").value == ["open"]
    assert f"open {confirmed}" not in [one.key for one in app.button]
    finding_page = page("finding")
    finding_page.query_params["state"] = value
    finding_page.query_params["id"] = next(one.id for one in Store().findings() if one.id != confirmed)
    assert "of **1**" in words(finding_page.run())


def test_what_an_address_asks_for_in_vain_is_told(reviewed: Reviewed) -> None:
    app = page("queue")
    app.query_params["site"] = "nowhere"
    app.query_params["from"] = "yesterday"
    app.run()
    assert app.multiselect("site").value == ["nowhere"]
    told = words(app).replace("\\", "")
    assert "Site: no finding has “nowhere”" in told
    assert "Played from: “yesterday” is no day" in told
    assert "No finding fits these filters" in words(app)


def test_a_finding_shows_what_a_person_needs(reviewed: Reviewed) -> None:
    app = page("finding")
    app.session_state["finding"] = reviewed.findings[0].id
    shown = words(app.run()).replace("\\", "")
    assert not app.exception
    for text in (
        "The payoff is fanned to the side before the hands leave.",
        "The payoff of $5.00 stayed a stack.",
        "99-01.3-08-11(16)(a)",
        "is a queen, not a king",
    ):
        assert text in shown
    (table,) = [one.value for one in app.get("html") if "<table class='round'>" in one.value]
    assert "<th>Round 1</th>" in table
    assert "<tr class='meant'><td>Space 1</td><td><b class='red'>K♥</b> <b class='red'>10♦</b></td><td>20</td>" in table
    assert app.dataframe[0].value["What"].tolist()[0] == "Wager placed, wager, $5.00 (space 1)"


def test_a_decision_is_stored_and_the_next_open_finding_comes(reviewed: Reviewed) -> None:
    app = page("finding")
    app.session_state["finding"] = reviewed.findings[0].id
    app.run()
    app.text_area[0].set_value("clear on the clip")
    app.button(f"arm {reviewed.findings[0].id}").click().run()
    app.button(f"decide confirmed {reviewed.findings[0].id}").click().run()
    assert not app.exception
    assert Store().verdicts() == [], "it can be taken back"
    common.pending().write_all()
    (verdict,) = Store().verdicts()
    said = (verdict.decision, verdict.reviewer, verdict.note)
    assert said == ("confirmed", "Kim Olson (kim)", "clear on the clip")
    assert app.session_state["finding"] == reviewed.findings[1].id


def test_a_rejection_asks_for_its_reason(reviewed: Reviewed) -> None:
    app = page("finding")
    app.session_state["finding"] = reviewed.findings[0].id
    app.run().button(f"arm {reviewed.findings[0].id}").click().run()
    app.button(f"decide rejected {reviewed.findings[0].id}").click().run()
    next(button for button in app.button if str(button.key).startswith("back")).click().run()
    assert app.button(f"decide confirmed {reviewed.findings[0].id}").label.endswith("it happened")
    app.button(f"decide rejected {reviewed.findings[0].id}").click().run()
    app.button(f"reason misread_card {reviewed.findings[0].id}").click().run()
    common.pending().write_all()
    (verdict,) = Store().verdicts()
    assert (verdict.decision, verdict.reason) == ("rejected", "misread_card")


def test_the_buttons_are_shut_before_the_clip_was_shown(reviewed: Reviewed) -> None:
    name = reviewed.findings[0].id
    app = page("finding")
    app.session_state["finding"] = name
    shut = {decision: app.run().button(f"decide {decision} {name}").disabled for decision in DECISIONS}
    assert shut == {"confirmed": True, "rejected": False, "undetermined": True}
    app.button(f"decide rejected {name}").click().run()
    assert all(one.disabled for one in app.button if str(one.key).startswith("reason"))


def test_a_decision_is_taken_back_with_its_note(reviewed: Reviewed) -> None:
    name = reviewed.findings[0].id
    app = page("finding")
    app.session_state["finding"] = name
    app.session_state["armed"] = {name: True}
    app.run().text_area[0].set_value("too dark")
    app.button(f"decide undetermined {name}").click().run()
    assert app.session_state["finding"] == reviewed.findings[1].id
    app.button("undo").click().run()
    assert not app.exception
    assert (app.session_state["finding"], app.text_area[0].value) == (name, "too dark")
    common.pending().write_all()
    assert Store().verdicts() == []


def test_another_page_stores_what_waits(reviewed: Reviewed) -> None:
    kim = person_named("kim")
    common.pending().take(kim, reviewed.findings[0].id, "confirmed")
    script = str(Path(verifier.dashboard.__file__).parent / "main.py")
    assert not AppTest.from_file(script, default_timeout=150).run().exception
    assert [one.decision for one in Store().verdicts()] == ["confirmed"]


@pytest.mark.parametrize("name", ["rob", "agent"])
def test_who_may_not_judge_finds_no_buttons(reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    sign_in(monkeypatch, name)
    app = page("finding")
    app.session_state["finding"] = reviewed.findings[0].id
    app.run()
    assert not app.exception
    assert "You may read, but not decide." in words(app)
    assert not [button for button in app.button if str(button.key).startswith("decide")]
    assert ("may be seen only by a gaming or shift manager" in words(app)) == (name == "rob")


def test_a_finding_that_another_holds_is_left_alone(reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch) -> None:
    app = page("finding")
    app.session_state["finding"] = reviewed.findings[0].id
    app.run()
    create(
        Store(),
        Person(name="ada", full_name="Ada Admin", role=Role.ADMINISTRATOR),
        NewAccount(name="lee", full_name="Lee", role=Role.MANAGER, password=PASSWORD),
    )
    sign_in(monkeypatch, "lee")
    app = page("finding")
    app.session_state["finding"] = reviewed.findings[0].id
    app.run()
    assert "Kim Olson is looking at this finding" in app.warning[0].value


def test_markup_in_a_note_is_shown_as_text(reviewed: Reviewed) -> None:
    note = "<script>alert(1)</script> **bold** ![x](http://evil.example/x.png)"
    Store().add_verdict(reviewed.findings[0].id, "confirmed", "Kim", note)
    app = page("finding")
    app.session_state["finding"] = reviewed.findings[0].id
    app.run()
    assert any(note in one.value for one in app.text)
    assert not any("evil.example" in one.value for one in (*app.markdown, *app.caption, *app.header))


def test_a_recording_of_two_files_plays_either(reviewed: Reviewed) -> None:
    video = Path(reviewed.review.video_path)
    files = [
        Original(path=str(video), sha256=sha256_of(video), at=0.0, begin=0.0, end=4.0),
        Original(path=str(video), sha256=sha256_of(video), at=3.0, begin=4.0, end=8.0),
    ]
    (Path(reviewed.review.folder) / KEPT_ORIGINALS).write_bytes(msgspec.json.encode(files))
    as_made(Path(reviewed.review.folder) / KEPT_ORIGINALS)
    app = page("watch").run()
    assert not app.exception
    (choice,) = app.button_group
    assert choice.options == ["1: video.mp4, from 0 min", "2: video.mp4, from 0 min"]


def test_the_weekly_page_makes_the_document(reviewed: Reviewed, home: Path) -> None:
    app = page("weekly").run()
    assert "2 not yet decided" in words(app)
    app.text_input[0].set_value("Kim Olson")
    app.number_input[0].set_value(75)
    app.button[0].click().run()
    assert "75 minutes are stated, and 0.1 were recorded" in app.error[0].value
    app.number_input[0].set_value(1)
    app.button[0].click().run()
    assert not app.exception
    assert any("Stated, not counted: 1 minute of" in one.value for one in app.warning)
    assert Papers(Store()).documents("weekly") == [], "what nobody attested is a draft"
    next(one for one in app.checkbox if one.label.startswith("I attest")).check()
    app.button[0].click().run()
    assert not app.exception
    (made,) = Papers(Store()).documents("weekly")
    assert (made.site, made.period, made.made_by) == ("0123", "2026-W47", "Kim Olson (kim)")
    pdf = next(name for name in made.files if name.endswith(".pdf"))
    assert (Path(made.folder) / pdf).read_bytes().startswith(b"%PDF")


def test_the_document_needs_a_reviewer(reviewed: Reviewed) -> None:
    app = page("weekly").run()
    app.text_input[0].set_value("")
    app.button[0].click().run()
    assert "needs a reviewer" in app.error[0].value
    assert Papers(Store()).documents("weekly") == []


NEW = "another long password"


def test_ones_own_password_is_changed_by_who_knows_it_and_ends_the_session(home: Path) -> None:
    for old, new, again, said in (
        ("wrong", NEW, NEW, "is wrong"),
        (PASSWORD, NEW, "typo", "typed differently the second time"),
        (PASSWORD, "short", "short", "has 5 characters"),
        (PASSWORD, NEW, NEW, ""),
    ):
        app = page("account").run()
        for field, text in zip(app.text_input, (old, new, again), strict=True):
            field.set_value(text)
        app.button[0].click().run()
        assert not app.exception
        assert said in " ".join(one.value for one in app.error)
    assert check_password(Store(), "kim", PASSWORD) is None
    assert check_password(Store(), "kim", NEW) is not None
    assert "signed out" in page("account").run().warning[0].value


def test_a_person_whose_password_another_chose_is_told(home: Path) -> None:
    kim = person_named("kim")
    assert password_by_another(Store(), kim) == "ada"
    change_own_password(Store(), kim, PASSWORD, NEW, NEW)
    assert password_by_another(Store(), kim) is None
    assert password_by_another(Store(), person_named("ada")) is None, "the first account chose its own"
    set_password(Store(), person_named("ada"), "kim", PASSWORD)
    assert password_by_another(Store(), kim) == "ada"


def test_a_locked_account_is_told_from_an_active_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        check_password(Store(), "rob", "wrong")
    sign_in(monkeypatch, "ada")
    states = dict(zip(*(page("people").run().dataframe[0].value[name] for name in ("Name", "State")), strict=True))
    assert states["kim"] == "active"
    assert states["rob"].startswith("locked until")


def test_a_finding_leads_to_the_recording_and_to_its_evidence(reviewed: Reviewed) -> None:
    one = reviewed.findings[1]
    app = page("finding")
    app.session_state["finding"] = one.id
    app.run()
    assert one.id.replace("-", "\\-") in words(app), "its number, to be quoted"
    next(button for button in app.button if button.label == "Export as evidence").click().run()
    assert app.session_state["evidence of"] == ("One finding", one.id)
    next(button for button in app.button if button.label == "Watch the recording from here").click().run()
    review = reviewed.review.id
    assert app.session_state["recording"] == review
    assert app.session_state[f"resume {review}"] == max(0.0, one.finding.t_start - 10)


@pytest.mark.parametrize("name", ["queue", "finding", "watch", "sample", "weekly"])
def test_a_page_opens_when_the_evidence_and_the_recording_are_gone(reviewed: Reviewed, name: str) -> None:
    shutil.rmtree(reviewed.review.folder)
    Path(reviewed.review.video_path).unlink()
    guarded = f"from verifier.dashboard import common, {name}_page\nwith common.shown_errors():\n    {name}_page.show()"
    app = AppTest.from_string(guarded, default_timeout=150)
    app.session_state["finding"] = reviewed.findings[0].id
    app.run()
    assert not app.exception
    said = words(app) + "".join(one.value for one in app.warning)
    if name == "finding":
        assert "The clip is no longer on this computer." in said
        assert "is not where it was when it was reviewed" in said
        assert "Payoff fanned" in said or "Hands shown" in said
    if name == "watch":
        assert "bring it back, or review it again" in said


def test_nothing_is_told_to_anybody() -> None:
    assert SETTINGS["browser.gatherUsageStats"] is False
    assert SETTINGS["server.address"] == "127.0.0.1"
    assert "--browser.gatherUsageStats=false" in flags(8501)


def test_the_config_file_says_the_same_as_the_command() -> None:
    text = (Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text()
    assert dict(_options(tomllib.loads(text))) == SETTINGS


def _options(part: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in part.items():
        if isinstance(value, dict):
            yield from _options(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


WARMED = """
import importlib, sys
from verifier.dashboard.web.warm import load
load()
assert "streamlit" not in sys.modules
before = set(sys.modules)
from verifier.dashboard.navigation import ENTRIES
for entry in ENTRIES:
    importlib.import_module(f"verifier.dashboard.{entry.key}_page")
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(new & {"altair", "av", "cv2", "openpyxl", "pandas", "scipy", "typst"})
"""


def test_what_is_slow_to_load_is_there_before_the_first_page() -> None:
    done = subprocess.run([sys.executable, "-c", WARMED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "set()"


def test_the_filters_outlast_a_reload_of_a_finding(reviewed: Reviewed) -> None:
    """A reload forgets the session; the address is what is left of it."""
    first, *_ = (one.id for one in Store().findings())
    app = page("finding")
    app.session_state["finding"] = first
    app.session_state["filters"] = Filters(states=frozenset({"open"}), clauses=frozenset({FAN}), day_from="2026-11-01")
    app.run()
    again = page("finding")
    for name, value in app.query_params.items():
        again.query_params[name] = value
    again.run()
    assert "Finding **1** of **1**" in words(again)


def test_when_a_finding_was_is_told_by_the_recordings_clock_where_it_has_none(reviewed: Reviewed) -> None:
    found = load_queue(Store())[0]
    stored = msgspec.structs.replace(found.stored, finding=finding(clock=None, t_start=65.9))
    told = [
        common.when_text(
            msgspec.structs.replace(
                found, stored=stored, review=msgspec.structs.replace(found.review, clock_start=clock)
            )
        )
        for clock in ("2026-11-17T23:59:00", "2026-11-17", None)
    ]
    day = found.review.play_date or "day unknown"
    into = f"{day}, 1:05 into {found.review.video_name}"
    assert told == ["2026-11-18 00:00:05", into, into]


def test_the_queue_tells_who_looks_at_a_finding_and_counts_by_table_and_day(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = Store().findings()[0].id
    hold(Store(), person_named("kim"), name)
    assert "is looking at it" not in words(page("queue").run()), "of oneself nothing is told"
    create(Store(), person_named("ada"), NewAccount(name="lee", full_name="Lee", role=Role.MANAGER, password=PASSWORD))
    sign_in(monkeypatch, "lee")
    app = page("queue").run()
    assert words(app).count("Kim Olson is looking at it") == 1
    assert not app.dataframe
    app.toggle(key="counts").set_value(True).run()
    (table,) = app.dataframe
    assert table.value.to_dict("records") == [{"Day": "2026-11-17", "Site, table": "0123, 2", "Findings": 2, "Open": 2}]


def test_one_decision_is_for_all_findings_of_an_incident_where_the_person_says_so(home: Path) -> None:
    video, layout, house = write_inputs(home)
    twin = finding("ND-08-11.18.a-show-hands", observed="The hands were not shown.")
    review_recording(video, layout, house, home / "out", stages=fake_stages(finding(), twin))
    first, second = (one.id for one in Store().findings())
    app = page("finding")
    app.session_state["finding"] = first
    app.session_state["armed"] = {first: True}
    app.run()
    box = app.checkbox(key=f"together {first}")
    assert "another finding of this incident" in box.label and "hands were not shown" in box.label
    box.check().run()
    app.button(f"decide confirmed {first}").click().run()
    common.pending().write_all()
    assert [(one.finding_id, one.decision) for one in Store().verdicts()] == [
        (first, "confirmed"),
        (second, "confirmed"),
    ]
