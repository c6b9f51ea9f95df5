"""New review, tables and folders: the pages do what their buttons say, and refuse whom they must."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest
from review_fakes import SHOWN, fake_stages, finding, make_layout, write_inputs
from streamlit.testing.v1 import AppTest
from test_dashboard_pages import home, page, sign_in, words  # noqa: F401 - home is a fixture

from verifier.dashboard import new_page, new_table_panel, orders_panel
from verifier.domain.errors import BadInput
from verifier.domain.house import Blinds, House
from verifier.domain.names import path_of
from verifier.formats.house_words import house_words
from verifier.review.order_values import OrderProgress, ReviewOrder, ask, order_of
from verifier.review.orders.browse import allow
from verifier.review.orders.fit_told import fit_sentences
from verifier.review.orders.proposing import KeptProposal, still_of
from verifier.review.orders.transcripts import Said, keep_transcript
from verifier.review.people.roles import Person, Role
from verifier.review.pipeline.values import Spoken
from verifier.review.recording import review_recording
from verifier.simulate.poker.layouts import poker_layout
from verifier.simulate.poker_table import plan_poker
from verifier.simulate.render import Camera
from verifier.store.floor import Floor
from verifier.store.home import database_url
from verifier.store.night.lease import Lease
from verifier.store.queue import ReviewQueue
from verifier.store.repository import Store
from verifier.zones.proposing import ASSUMED

ADA = Person(name="ada", full_name="Ada", role=Role.ADMINISTRATOR)
KIM = Person(name="kim", full_name="Kim", role=Role.MANAGER)


@pytest.fixture(autouse=True)
def no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (new_page, new_table_panel, orders_panel):
        monkeypatch.setattr(module, "ensure_runner", lambda store: None)


@pytest.fixture
def recordings(home: Path) -> Path:  # noqa: F811
    folder = home / "recordings"
    (folder / "table-2").mkdir(parents=True)
    (folder / "table-2" / "a [1].mp4").write_text("film")
    allow(Store(), ADA, str(folder), "0123")
    return folder


@pytest.fixture
def table() -> None:
    floor = Floor(Store())
    floor.add_layout("0123", "2", make_layout(), "kim")
    floor.add_house("0123", "2", House(video_surveillance="present"), "kim")


def pressed(app: AppTest, label: str) -> AppTest:
    done = next(one for one in app.button if one.label == label).click().run()
    assert not done.exception
    return done


def at_recording() -> AppTest:
    app = page("new").run()
    assert not app.exception
    app = pressed(app, "table\\-2")
    return app.checkbox[0].check().run()


def test_a_review_of_a_kept_table_is_begun(recordings: Path, table: None) -> None:
    app = at_recording()
    assert "a \\[1\\].mp4" in app.checkbox[0].label  # nothing of a name is markup
    app = pressed(app, "Begin the review of 1 recording")
    (ordered,) = ReviewQueue(Store()).orders()
    assert order_of(ordered) == ReviewOrder(files=[str(recordings / "table-2" / "a [1].mp4")])
    assert (ordered.asked_by, ordered.state) == ("kim", "waiting")
    assert "Waits for its turn" in words(app)


def test_the_table_can_be_chosen(recordings: Path, table: None) -> None:
    app = at_recording()
    app = app.selectbox(key="new table").select("Site 0123, table 2").run()
    pressed(app, "Begin the review of 1 recording")
    (ordered,) = ReviewQueue(Store()).orders()
    assert (order_of(ordered).site, order_of(ordered).table) == ("0123", "2")


def test_a_new_table_is_proposed_confirmed_and_its_review_begun(recordings: Path) -> None:
    app = pressed(at_recording(), "Propose the table from the recording")
    (ordered,) = ReviewQueue(Store()).orders()
    assert order_of(ordered).propose
    tips = {f"space {number} {part}": ASSUMED.reason for number in (1, 2) for part in ("tip", "insurance")}
    kept = KeptProposal(
        layout=msgspec.structs.replace(make_layout(), site="0124", table="9"), doubts={"shoe": "not seen"} | tips
    )
    where = still_of(ordered.id).parent
    where.mkdir(parents=True)
    (where / "proposal.json").write_bytes(msgspec.json.encode(kept))
    ReviewQueue(Store()).tell(ordered.id, msgspec.json.encode(OrderProgress()).decode(), "done")
    app = app.run()
    assert "**Shoe**: not seen" in words(app)
    assert words(app).count("assumed, not seen") == 1, "in one sentence"
    assert "**Tip and insurance of spaces 1 and 2**: assumed, not seen" in words(app)
    (warning,) = app.warning
    assert warning.value.startswith("The sign in the picture reads site 0124, not 0123")
    fields = {one.label: one for one in app.text_input}
    assert fields["Site, as its sign says"].value == "0123"  # the folder's
    assert fields["Table, as its sign says"].value == "9"
    app.selectbox(key=f"new house {ordered.id} video_surveillance").select("present")
    pressed(app.run(), "Keep this table and begin the review")
    (made,) = Floor(Store()).tables()
    assert (made.site, made.table) == ("0123", "9")
    house = made.in_force("house", None)
    assert house is not None
    assert house.house == House(video_surveillance="present")
    assert [order_of(one).table for one in ReviewQueue(Store()).orders()] == ["9", None]


def test_a_proposal_that_failed_says_why(recordings: Path) -> None:
    app = pressed(at_recording(), "Propose the table from the recording")
    (ordered,) = ReviewQueue(Store()).orders()
    told = OrderProgress(told=["a.mp4: no table"])
    ReviewQueue(Store()).tell(ordered.id, msgspec.json.encode(told).decode(), "failed")
    app = app.run()
    assert "no table" in words(app)
    assert not Floor(Store()).tables()
    pressed(app, "Try again")
    (again,) = ReviewQueue(Store()).orders()
    assert again.state == "waiting"


@pytest.mark.parametrize(("name", "who"), [("new", "rob"), ("new", "ada"), ("folders", "kim"), ("guide", "kim")])
def test_a_role_that_may_not_is_refused(recordings: Path, monkeypatch: pytest.MonkeyPatch, name: str, who: str) -> None:
    sign_in(monkeypatch, who)
    app = page(name).run()
    assert not app.button
    assert app.exception


def test_an_administrator_allows_and_takes_away_a_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    sign_in(monkeypatch, "ada")
    app = page("folders").run()
    app.text_input[0].input(str(home))
    app = pressed(app, "Allow this folder")
    assert Floor(Store()).folders() == [str(home)]
    pressed(app, "Take away")
    assert Floor(Store()).folders() == []
    app.text_input[0].input("nowhere")
    assert "is no folder" in words(pressed(app, "Allow this folder"))


def test_the_first_steps_make_a_manager_and_a_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    sign_in(monkeypatch, "ada")
    app = page("guide").run()
    assert "Kim Olson" in words(app)
    site, path = app.text_input
    site.input("0123")
    path.input(str(home))
    app = pressed(app, "Allow this folder")
    assert Floor(Store()).site_of_folder(str(home)) == "0123"
    assert [one.value for one in app.success]


def test_house_options_are_kept_as_a_new_version(table: None, home: Path) -> None:  # noqa: F811
    app = page("tables").run()
    assert not app.exception
    labels = {one.label for one in (*app.selectbox, *app.text_input, *app.number_input)}
    assert {one.label for one in house_words() if one.default == "must be told" and one.group == "Game"} <= labels
    app.selectbox(key="house Site 0123, table 2 1 deck_count").select("6")
    app = pressed(app.run(), "Keep these options")
    (kept,) = Floor(Store()).tables()
    house = kept.in_force("house", None)
    assert house is not None
    assert house.house == House(video_surveillance="present", deck_count=6)
    assert len(kept.of("house")) == 2
    app.text_input(key="house Site 0123, table 2 2 clock_error_seconds").input("soon")
    assert "expected a number" in words(app.run())


def test_a_table_may_be_played_by_other_rules(table: None, home: Path) -> None:  # noqa: F811
    app = page("tables").run()
    key = "house Site 0123, table 2 1"
    assert "Surrender" not in {one.label for one in app.selectbox}, "the options of other rules are not asked for"
    assert "North Dakota poker" not in app.selectbox(key=f"{key} rulebook").options
    app.selectbox(key=f"{key} rulebook").select("house-manual").run()
    assert "a casino's own rules, not law" in words(app)
    app.selectbox(key=f"{key} surrender_allowed").select("True")
    app.text_input(key=f"{key} burn_cards").input("2")
    app = pressed(app.run(), "Keep these options")
    house = Floor(Store()).tables()[0].in_force("house", None)
    assert house is not None
    assert house.house == House(
        rulebook="house-manual", video_surveillance="present", surrender_allowed=True, burn_cards=2
    )
    app.selectbox(key="house Site 0123, table 2 2 rulebook").select("nd-twenty-one").run()
    app = pressed(app, "Keep these options")
    house = Floor(Store()).tables()[0].in_force("house", None)
    assert house is not None and house.house == House(video_surveillance="present"), "no option of other rules stays"


def test_what_a_review_found_stands_below_it(home: Path) -> None:  # noqa: F811
    video, layout, house = write_inputs(home)
    made = review_recording(video, layout, house, home / "out", stages=fake_stages(SHOWN, finding()))
    number = ask(Store(), KIM, ReviewOrder(files=[str(video)]))
    done = OrderProgress(reviews=[made.review.id], told=["b.mp4: broken"])
    ReviewQueue(Store()).tell(number, msgspec.json.encode(done).decode(), "done")
    app = page("new").run()
    assert "2 findings" in words(app)
    assert [one.value for one in app.warning] == ["b.mp4\\: broken"]
    assert len([one for one in app.button if one.label == "Look at it"]) == 2


def test_a_night_shift_stands_in_the_queue_as_long_as_it_is_at_work(home: Path) -> None:  # noqa: F811
    queue, lease = ReviewQueue(Store()), Lease(database_url(), "night")
    order = ReviewOrder(files=["/r/a.mp4", "/r/b.mp4"], night="2026-11-17")
    number, _ = queue.begin_night(msgspec.json.encode(order).decode(), "software", "night/2026-11-17")
    queue.tell(number, msgspec.json.encode(OrderProgress(stage="Watching", seen=60, planned=600)).decode())
    assert lease.take() is None
    app = page("new").run()
    assert "Night shift of 2026\\-11\\-17\\: 2 recordings" in words(app) and "ended before" not in words(app)
    assert [one.label for one in app.button if one.label in ("Stop", "Go on")] == ["Stop"]
    lease.release()
    app = page("new").run()
    assert "The night shift ended before it was done" in words(app)
    assert not [one for one in app.button if one.label in ("Stop", "Go on")]
    queue.tell(number, "{}", "cancelled")
    assert not [one for one in page("new").run().button if one.label == "Go on"], "the runner has not its configuration"


def test_a_layout_that_does_not_fit_is_told(tmp_path: Path) -> None:
    assert fit_sentences(tmp_path) == (True, [])
    checks = [{"ok": False, "says": "The sign says table 8."}, {"ok": True, "says": "fine"}, {"ok": None, "says": "?"}]
    (tmp_path / "coverage.json").write_text(json.dumps({"fit": {"ok": False, "checks": checks}}))
    assert fit_sentences(tmp_path) == (False, ["The sign says table 8."])
    (tmp_path / "coverage.json").write_text(json.dumps({"format": "verifier-coverage"}))
    assert fit_sentences(tmp_path) == (True, [])


PREVIEW = """
from review_fakes import finding
from verifier.dashboard.orders_panel import _preview
from verifier.review.order_values import preview_of
_preview(preview_of("a.mp4", 240.0, [finding()] * {count}, whole={whole}))
"""


@pytest.mark.parametrize(
    ("count", "whole", "quiet"), [(0, True, True), (0, False, False), (1, True, False), (2, False, False)]
)
def test_a_preview_says_that_nothing_was_seen_only_of_what_was_watched(count: int, whole: bool, quiet: bool) -> None:
    app = AppTest.from_string(PREVIEW.format(count=count, whole=whole), default_timeout=150).run()
    assert not app.exception
    told = " ".join(str(one.value) for one in (*app.caption, *app.markdown))
    assert ("So far no violation was seen" in told.replace("\\", "")) == quiet
    assert bool(app.warning) != whole
    assert ("Payoff fanned" in told) == (count > 0) == ("Preliminary" in told)


SRT = b"00:00:01,000 --> 00:00:02,000\nDealer: showing a seven\n"


def test_a_transcript_that_is_sent_is_kept_and_goes_with_the_order(home: Path) -> None:  # noqa: F811
    spoken = keep_transcript(Store(), KIM, Said(name="..\\said.srt", content=SRT, offset=2.5, complete=True))
    assert spoken is not None
    path = path_of(spoken.path or "")
    assert path.read_bytes() == SRT and path.name == "transcript.srt" and own_home_holds(path)
    assert (spoken.offset, spoken.complete) == (2.5, True)
    number = ask(Store(), KIM, ReviewOrder(files=["a.mp4"], spoken=spoken))
    found = ReviewQueue(Store()).order(number)
    assert found is not None and order_of(found).spoken == spoken
    with pytest.raises(BadInput, match=r"said.srt: line 1: found"):
        keep_transcript(Store(), KIM, Said(name="said.srt", content=SRT.replace(b"-->", b"->")))


@pytest.mark.parametrize(
    ("name", "kept", "noted"),
    [
        ("..", "transcript", ".."),
        ("/", "transcript", "transcript"),
        ("\0.srt", "transcript.srt", "\ufffd.srt"),
        (90 * "\U0001f0cf" + ".VTT", "transcript.vtt", 76 * "\U0001f0cf" + ".VTT"),
        ("\udcff.json", "transcript.json", "\ufffd.json"),
    ],
)
def test_a_transcript_may_have_any_name(home: Path, name: str, kept: str, noted: str) -> None:  # noqa: F811
    store = Store()
    spoken = keep_transcript(store, KIM, Said(name=name, content=SRT))
    assert spoken is not None and path_of(spoken.path or "").name == kept
    assert path_of(spoken.path or "").read_bytes() == SRT
    (note,) = store.audit(act="transcript")
    assert note.deed is not None and note.deed.detail["name"] == noted
    with pytest.raises(BadInput, match="line 1"):
        keep_transcript(store, KIM, Said(name=name, content=b"nothing"))


def own_home_holds(path: Path) -> bool:
    return path_of(os.environ["VERIFIER_HOME"]) in path.parents


def test_the_page_names_the_transcript_beside_a_recording(recordings: Path, table: None) -> None:
    (recordings / "table-2" / "a [1].srt").write_bytes(SRT)
    app = at_recording()
    assert any("a \\[1\\].srt tells what was said" in one.value for one in app.caption)
    app.number_input(key="new offset").set_value(3.5).run()
    pressed(app, "Begin the review of 1 recording")
    (ordered,) = ReviewQueue(Store()).orders()
    assert order_of(ordered).spoken == Spoken(offset=3.5)


def test_the_role_that_may_not_begin_sends_no_transcript(home: Path) -> None:  # noqa: F811
    with pytest.raises(BadInput, match="not allowed"):
        keep_transcript(Store(), ADA, Said(name="said.srt", content=SRT))


def test_a_table_with_seats_is_played_by_the_rules_of_poker(home: Path) -> None:  # noqa: F811
    floor = Floor(Store())
    floor.add_layout("0123", "4", poker_layout(plan_poker(4), Camera.straight((1280, 720)), "0123", "4"), "kim")
    app = page("tables").run()
    assert not app.exception
    key = "house Site 0123, table 4 0"
    assert app.selectbox(key=f"{key} rulebook").options == ["North Dakota poker"]
    labels = {one.label for one in (*app.selectbox, *app.text_input, *app.number_input)}
    assert "Decks in the shoe" not in labels, "options of twenty-one are not asked for"
    app.selectbox(key=f"{key} poker_variant").select("holdem")
    app.number_input(key=f"{key} poker_blinds small").set_value(1.0)
    app.number_input(key=f"{key} poker_blinds big").set_value(2.0)
    app.text_input(key=f"{key} poker_ante").input("0.50")
    app.text_input(key=f"{key} seats").input("seat:1, seat:2, seat:4")
    pressed(app.run(), "Keep these options")
    kept = floor.tables()[0].in_force("house", None)
    assert kept is not None and kept.house == House(
        rulebook="nd-poker",
        poker_variant="holdem",
        poker_blinds=Blinds(small=100, big=200),
        poker_ante=50,
        seats=["seat:1", "seat:2", "seat:4"],
    )
