"""Enrolling a table's own cards: kept with the table, dated, told to the review, refused where they do not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import yaml
from batch_fakes import chain
from msgspec import structs
from review_fakes import fake_stages, make_layout, write_inputs
from sqlalchemy import select

from verifier.cli import run
from verifier.domain.cards import Card
from verifier.domain.enrolment import FACES, EnrolledChip, EnrolledFace, Enrolment
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.observations import NamedHash
from verifier.formats.enrolment import look_of, read_enrolment, text_of, write_enrolment
from verifier.formats.layout import write_layout
from verifier.recording.identity import Identity
from verifier.recording.probe import Probe, probe
from verifier.review.batch.sources import find_sources
from verifier.review.floor.enrolling import LEAST_FACES, Enrolled, enrol, order_of
from verifier.review.floor.files import files_of
from verifier.review.pipeline import own_cards
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.own_cards import (
    CHIPS_NAME,
    LEAST_CARDS,
    LIKE,
    NAME,
    chips_verdict_on,
    networks_at,
    verdict_on,
)
from verifier.review.pipeline.plan import config_of
from verifier.review.pipeline.values import Source
from verifier.review.recording import review_recording
from verifier.simulate.commands import look_and_camera
from verifier.simulate.show import card_show, record_show
from verifier.simulate.table import plan_table
from verifier.store.floor import Floor
from verifier.store.repository import Store
from verifier.store.tables import AuditRow
from verifier.vision.networks import Networks, load_networks
from verifier.vision.table_chips import LEAST_CHIPS, TableChips


def enrolment(shade: int = 90, day: str | None = "2026-11-17") -> Enrolment:
    looks = [look_of(np.full((96, 64, 3), shade, np.uint8))]
    return Enrolment(
        format="verifier-enrolment",
        version=1,
        day=day,
        learnt_from="show",
        video=NamedHash(name="show.mp4", sha256="0" * 64),
        faces={face: EnrolledFace(p=0.99, looks=looks) for face in FACES},
    )


def kept() -> Floor:
    floor = Floor(Store())
    floor.add_layout("0123", "2", structs.replace(make_layout(), site="0123", table="2"), "kim")
    floor.add_house("0123", "2", House(video_surveillance="present"), "kim")
    return floor


def test_cards_are_kept_with_their_table_from_a_day_on() -> None:
    floor = kept()
    floor.add_cards("0123", "2", enrolment(90), "kim", since="2026-11-17")
    made = floor.add_cards("0123", "2", enrolment(120), "kim", since="2026-11-20")
    (table,) = floor.tables()
    assert files_of(table, "2026-11-16").enrolment is None
    assert files_of(table, None).enrolment is None  # a recording without a day is judged without them
    for day, shade in (("2026-11-17", 90), ("2026-11-19", 90), ("2026-11-20", 120)):
        file = files_of(table, day).enrolment
        assert file is not None
        assert read_enrolment(file) == enrolment(shade)
    with Store().reading() as session:
        deeds = list(session.scalars(select(AuditRow).where(AuditRow.act == "cards")))
    assert [deed.subject for deed in deeds] == ["table/0123/2"] * 2
    assert made.sha256 in deeds[-1].detail


def test_cards_that_hold_since_ever_need_no_day() -> None:
    floor = kept()
    floor.add_cards("0123", "2", enrolment(), "kim")
    assert files_of(floor.tables()[0], None).enrolment is not None


def test_cards_go_out_with_their_table_and_come_back(tmp_path: Path) -> None:
    kept().add_cards("0123", "2", enrolment(), "kim", since="2026-11-17", reason="new deck")
    assert run(["tables", "export", str(tmp_path / "out")]) == 0
    before = Floor(Store()).tables()[0].of("cards")
    (tmp_path / "home" / "verifier.sqlite").unlink()
    for more in (tmp_path / "home").glob("verifier.sqlite-*"):
        more.unlink()
    assert run(["tables", "import", str(tmp_path / "out" / "0123-2.table.yaml")]) == 0
    after = Floor(Store()).tables()[0].of("cards")
    assert [(one.sha256, one.valid_from, one.reason) for one in after] == [
        (one.sha256, one.valid_from, one.reason) for one in before
    ]


def test_cards_of_another_table_do_not_come_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept().add_cards("0123", "2", structs.replace(enrolment(), site="0123", table="2"), "kim")
    assert run(["tables", "export", str(tmp_path / "out")]) == 0
    file = tmp_path / "out" / "0123-2.table.yaml"
    assert run(["tables", "import", str(file)]) == 0
    told = yaml.safe_load(file.read_text())
    told["cards"][0]["cards"]["table"] = "3"
    file.write_text(yaml.safe_dump(told))
    capsys.readouterr()
    assert run(["tables", "import", str(file)]) == 2
    says = "its enrolment is of site 0123, table 3, not of site 0123, table 2; take the enrolment of that table"
    assert says in capsys.readouterr().err
    assert len(Floor(Store()).tables()[0].of("cards")) == 1


def test_a_layout_whose_site_and_table_are_exchanged_does_not_come_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept()
    assert run(["tables", "export", str(tmp_path / "out")]) == 0
    file = tmp_path / "out" / "0123-2.table.yaml"
    told = yaml.safe_load(file.read_text())
    told["layouts"][0]["layout"] |= {"site": "2", "table": "0123"}
    file.write_text(yaml.safe_dump(told))
    assert run(["tables", "import", str(file)]) == 2
    assert "its layout is of site 2, table 0123" in capsys.readouterr().err


def test_a_show_is_not_learnt_by_the_layout_of_another_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept()
    video, *_ = write_inputs(tmp_path)
    write_layout(tmp_path / "other.yaml", structs.replace(make_layout(), site="0123", table="3"))
    assert run(["enrol", str(video), "--layout", str(tmp_path / "other.yaml"), "--table", "0123/2"]) == 2
    assert "other.yaml: its layout is of site 0123, table 3, not of site 0123, table 2" in capsys.readouterr().err


@pytest.mark.parametrize("over", ["video", "layout"])
def test_what_is_learnt_is_not_written_over_what_it_is_learnt_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    video, layout, _ = write_inputs(tmp_path)
    made = Enrolled(enrolment=enrolment(), cards=52, unnamed=0)
    monkeypatch.setattr("verifier.review.floor.enrolling.enrol", lambda *_, **__: made)
    (tmp_path / "link.json").symlink_to({"video": video, "layout": layout}[over])
    before = video.read_bytes(), layout.read_bytes()
    assert run(["enrol", str(video), "--layout", str(layout), "--out", str(tmp_path / "link.json")]) == 2
    assert "link.json is a file that is read; name another file" in capsys.readouterr().err
    assert run(["enrol", str(video), "--layout", str(layout), "--out", str(video)]) == 2
    assert (video.read_bytes(), layout.read_bytes()) == before


def test_what_a_review_depends_on_includes_the_cards(tmp_path: Path) -> None:
    bare = Source(path="a.mp4", layout=None, house=None)
    write_enrolment(tmp_path / "one.json", enrolment(90))
    write_enrolment(tmp_path / "two.json", enrolment(120))
    told = [structs.replace(bare, enrolment=str(tmp_path / name)) for name in ("one.json", "two.json")]
    assert len({config_of(one, chain(), 120.0) for one in (bare, *told)}) == 3


def test_cards_that_are_not_those_enrolled_are_not_used() -> None:
    alike = verdict_on([LIKE] * LEAST_CARDS, enrolment())
    assert alike.used
    assert alike.cause is None
    other = verdict_on([LIKE - 0.01] * LEAST_CARDS, enrolment())
    assert not other.used
    assert other.cause == "this table's cards are not those enrolled on 2026-11-17: the enrolment is not used"
    changed = [0.95] * 7 + [0.3] * 3  # amid the recording
    assert not verdict_on(changed * 3, enrolment()).used
    assert verdict_on(([0.95] * 8 + [0.3] * 2) * 3, enrolment()).used
    few = verdict_on([1.0] * (LEAST_CARDS - 1), enrolment(day=None))
    assert not few.used
    assert (
        few.cause == "too few cards are surely read to tell whether they are those enrolled: the enrolment is not used"
    )


def film(path: Path, inode: int) -> Any:
    """What is asked of a recording of some length that lies at a place."""
    identity = Identity(size=1, modified=1, changed=1, device=1, inode=inode)
    return SimpleNamespace(path=path, length=10.0, facts=SimpleNamespace(identity=identity))


def test_each_film_in_a_place_is_looked_at_and_the_digest_is_that_of_the_deed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = kept()
    made = floor.add_cards("0123", "2", enrolment(), "kim")
    file = files_of(floor.tables()[0], None).enrolment
    assert file is not None
    said = iter([[1.0] * LEAST_CARDS, [0.0] * LEAST_CARDS])
    monkeypatch.setattr(own_cards, "_learnt", lambda *_: None)
    monkeypatch.setattr(own_cards, "_likenesses", lambda *_: next(said))
    readers: Any = SimpleNamespace(files=(), _card=None, _chip=None, _hand=None)
    networks = Networks(finder=readers, readers=readers, text=readers)
    first, other = (cast(Probe, film(tmp_path / "a.mp4", inode)) for inode in (1, 2))
    used, told = networks_at(first, file, networks)
    assert told.used
    assert [one.sha256 for one in used.identities] == [made.sha256]
    assert networks_at(first, file, networks)[1].used, "the same film is looked at once"
    assert not networks_at(other, file, networks)[1].used
    assert next(said, None) is None


def test_the_order_names_all_cards() -> None:
    assert order_of("shdc")[:2] == ["As", "2s"]
    assert sorted(order_of("hcds")) == sorted(FACES)
    with pytest.raises(BadInput, match="expected the four suits once each"):
        order_of("shd")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "verifier: verifier enrol: does not know where to keep what it learns; give --table, --out or both"),
        (["--table", "7"], "verifier: --table: found '7', expected SITE/TABLE; write the site and the table: 0131/7"),
        (["--table", "9/9"], "verifier: site 9, table 9: is not kept; keep it first: verifier tables import"),
        (
            ["--out", "e.json", "--order", "sh"],
            "verifier: --order: found 'sh', expected the four suits once each; write",
        ),
        (["--out", "e.json", "--order", "shdc", "--play"], "verifier: --order: is for one deck that is shown; leave"),
        (["--out", "e.json", "--chips", "red,blue"], "verifier: --chips: found 'blue', expected mustard, white, pink,"),
        (["--out", "e.json", "--chips", "red,white,red"], "verifier: --chips: names red more than once; lay one chip"),
        (["--out", "e.json", "--chips", ",".join(["other"] * 17)], "verifier: --chips: names other more than 16 times"),
        (["--out", "e.json", "--chips", "red", "--play"], "verifier: --chips: is for chips that are shown; leave it"),
        (["--out", "e.json"], "no.mp4: no such file"),
    ],
)
def test_what_is_asked_wrongly_is_told_in_one_line(
    arguments: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["enrol", str(tmp_path / "no.mp4"), *arguments]) == 2
    told = capsys.readouterr().err
    assert line in told
    assert told.count("\n") == 1


def test_a_review_names_an_enrolment_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cards.json").write_text("{}")
    files = [str(tmp_path / "a.mp4"), "--layout", "l.yaml", "--house", "h.yaml", "--out", str(tmp_path / "out")]
    assert run(["review", *files, "--enrolment", str(tmp_path / "cards.json")]) == 2
    told = capsys.readouterr().err
    assert "cards.json: enrolment, field format" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(("told", "why"), [("these are other cards", "these are other cards"), (None, None)])
def test_a_review_says_where_the_cards_enrolled_are_not_used(tmp_path: Path, told: str | None, why: str | None) -> None:
    files, asked = write_inputs(tmp_path), list[Path]()

    def at_table(chain: Chain, facts: Probe, path: Path) -> tuple[Chain, str | None]:
        asked.append(path)
        return chain, told

    write_enrolment(tmp_path / "cards.json", enrolment())
    stages = structs.replace(fake_stages(), at_table=at_table)
    made = review_recording(*files, tmp_path / "out", stages=stages, enrolment=tmp_path / "cards.json")
    assert set(asked) == {tmp_path / "cards.json"}
    assert made.coverage.stretches[0].why == why
    assert made.coverage.complete
    asked.clear()
    review_recording(*files, tmp_path / "bare", stages=stages)
    assert asked == []


def test_a_batch_takes_the_cards_that_lie_by_a_recording(tmp_path: Path) -> None:
    for name in ("a.mp4", "b.mp4", "layout.yaml", "house.yaml", "enrolment.json", "b.enrolment.json"):
        (tmp_path / name).write_bytes(b"")
    assert {one.path: one.enrolment for one in find_sources([str(tmp_path)])} == {
        str(tmp_path / "a.mp4"): str(tmp_path / "enrolment.json"),
        str(tmp_path / "b.mp4"): str(tmp_path / "b.enrolment.json"),
    }


def show(folder: Path, seed: int, deck: str, faces: list[str]) -> Path:
    look, camera = look_and_camera(seed, (1280, 720), "easy", "test")
    cards = [Card.parse(face) for face in faces]
    return record_show(card_show(plan_table(3), seed, cards), replace(look, deck=deck), camera, folder)


@pytest.mark.slow
def test_a_show_is_learnt_and_used_where_the_same_cards_lie(tmp_path: Path) -> None:
    faces = [rank + suit for suit in "sh" for rank in "A23456789"]
    first = show(tmp_path / "first", 1, "style:test:482", faces)
    made = enrol(first, tmp_path / "first" / "layout.yaml")
    assert made.cards == len(faces)
    assert set(made.enrolment.faces) <= set(faces)  # nothing is learnt that was not there
    assert len(made.enrolment.faces) >= LEAST_FACES
    assert set(FACES) - set(faces) <= set(made.enrolment.missing)
    file = tmp_path / "enrolment.json"
    write_enrolment(file, made.enrolment)
    networks = load_networks(faint_hands=True)
    used, told = networks_at(probe(first), file, networks)
    assert told.used
    assert used.identities[-1].name == NAME
    other = show(tmp_path / "other", 2, "style:test:10162", faces)
    same, told = networks_at(probe(other), file, networks)
    assert not told.used
    assert same is networks
    with pytest.raises(BadInput, match="of 52 faces can be told surely"):
        enrol(show(tmp_path / "few", 1, "style:test:482", faces[:4]), tmp_path / "few" / "layout.yaml")


GREY = (120.0, 128.0, 128.0)


@pytest.mark.parametrize(
    ("colours", "cause"),
    [
        ([GREY] * LEAST_CHIPS, None),
        ([GREY] * (LEAST_CHIPS - 1), "too few chips are seen to tell whether they are those enrolled on 2026-11-17"),
        (
            [(120.0, 160.0, 128.0)] * LEAST_CHIPS,
            "this table's chips, or its light, are not those enrolled on 2026-11-17",
        ),
    ],
)
def test_chips_that_are_not_those_enrolled_are_not_used(
    colours: list[tuple[float, float, float]], cause: str | None
) -> None:
    chips = TableChips({"other": EnrolledChip(colours=[GREY])})
    told = chips_verdict_on(chips, [np.array(one) for one in colours], enrolment())
    assert told.used is (cause is None)
    assert told.cause == (None if cause is None else f"{cause}: those chips are not used")


def test_an_enrolment_without_chips_is_written_as_before() -> None:
    """Its digest is in audit logs."""
    assert '"chips"' not in text_of(enrolment())
    assert '"chips"' in text_of(structs.replace(enrolment(), chips={"red": EnrolledChip(colours=[GREY])}))


def test_a_show_of_chips_alone_leaves_the_tables_cards_and_one_of_cards_its_chips(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = kept()
    video, layout, _ = write_inputs(tmp_path)
    write_layout(layout, structs.replace(make_layout(), site="0123", table="2"))
    red, deck = {"red": EnrolledChip(colours=[GREY])}, enrolment(90)
    shows = [deck, structs.replace(deck, faces={}, chips=red), enrolment(120)]
    for number, show in enumerate(shows):
        made = Enrolled(enrolment=show, cards=52, unnamed=0)
        monkeypatch.setattr("verifier.review.floor.enrolling.enrol", lambda *_, made=made, **__: made)
        asked = ["enrol", str(video), "--layout", str(layout), "--table", "0123/2", "--since", f"2026-11-2{number}"]
        assert run(asked) == 0
    (table,) = floor.tables()
    held = [read_enrolment(file) for n in range(3) if (file := files_of(table, f"2026-11-2{n}").enrolment) is not None]
    assert [one.faces for one in held] == [deck.faces, deck.faces, enrolment(120).faces]
    assert [one.chips or None for one in held] == [None, red, red]
    said = capsys.readouterr().out
    assert said.count("The table's cards stay those of show.mp4.") == said.count("The table's chips stay those of") == 1


@pytest.mark.parametrize(
    ("told", "faces", "chips"),
    [
        ("22 red, 24 new, 20 old", "old old new", "- red red"),
        ("24 red, 22 old", "- old old", "- - red"),
        ("20 red, 24 old, 22 black", "- - old", "red black black"),
        ("20 red, 24 black, 22 old", "- old old", "red red black"),
    ],
)
def test_cards_and_chips_each_hold_until_others_are_learnt_in_whatever_order_they_are_kept(
    told: str, faces: str, chips: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = kept()
    video, layout, _ = write_inputs(tmp_path)
    write_layout(layout, structs.replace(make_layout(), site="0123", table="2"))
    decks = {"old": enrolment(90), "new": enrolment(120)}
    shown = {"red": {"red": EnrolledChip(colours=[GREY])}, "black": {"black": EnrolledChip(colours=[GREY])}}
    for day, name in (one.split() for one in told.split(", ")):
        show = decks[name] if name in decks else structs.replace(decks["old"], faces={}, chips=shown[name])
        made = Enrolled(enrolment=show, cards=52, unnamed=0)
        monkeypatch.setattr("verifier.review.floor.enrolling.enrol", lambda *_, made=made, **__: made)
        asked = ["enrol", str(video), "--layout", str(layout), "--table", "0123/2", "--since", f"2026-11-{day}"]
        assert run(asked) == 0
    (table,) = floor.tables()
    held = [files_of(table, f"2026-11-{day}").enrolment for day in (20, 22, 24)]
    read = [read_enrolment(file) if file is not None else None for file in held]
    assert [one.faces if one else {} for one in read] == [
        decks[name].faces if name in decks else {} for name in faces.split()
    ]
    assert [(one.chips or None) if one else None for one in read] == [shown.get(name) for name in chips.split()]


@pytest.mark.slow
def test_chips_are_learnt_without_cards_and_used_where_the_same_chips_lie(tmp_path: Path) -> None:
    shown = [100, 500, 2500, 10000]
    video = tmp_path / "show" / "video.mp4"
    for seed, folder in ((1, video.parent), (6, tmp_path / "other")):
        look, camera = look_and_camera(seed, (1280, 720), "easy", "test")
        record_show(card_show(plan_table(3), seed, [], shown, begin=1.5), look, camera, folder)
    layout, file = video.parent / "layout.yaml", tmp_path / "enrolment.json"
    assert (
        run(["enrol", str(video), "--layout", str(layout), "--out", str(file), "--chips", "white,red,green,black"]) == 0
    )
    told = read_enrolment(file)
    assert (told.faces, sorted(told.chips or {})) == ({}, ["black", "green", "red", "white"])
    networks = load_networks(faint_hands=True)
    used, verdict = networks_at(probe(video), file, networks)
    assert (verdict.used, verdict.cause, used.identities[-1].name) == (True, None, CHIPS_NAME)
    same, verdict = networks_at(probe(tmp_path / "other" / "video.mp4"), file, networks)
    assert not verdict.used and same is networks
    with pytest.raises(BadInput, match="4 chips were laid down, 3 are named; start the recording, then lay"):
        enrol(video, layout, chips=["white", "red", "green"])
