"""Concluding a long shift: what was made before an interruption is not made again, and the review is the same."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from batch_fakes import FakeReconstructor, make_table, record
from batch_night import run_night
from review_fakes import EVENTS, FAN, finding, make_layout, make_video

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.observations import CardSeen, Observation, ObservationsHeader
from verifier.formats.whole import place_file
from verifier.review.evidence import gather
from verifier.review.looked_at import observations_between
from verifier.review.pipeline import retelling
from verifier.review.pipeline.dealers import dealer_at, read_dealers
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.laps import Laps
from verifier.review.pipeline.seams import Run
from verifier.review.products import unconfirmed_of
from verifier.store.repository import Store

HEADER = ObservationsHeader()


class KilledError(Exception):
    pass


def seen(first: float, last: float) -> Iterator[Observation]:
    """A card that lies all the time, under an id of each segment's own, seen once a second."""
    quad = ((40.0, 30.0), (62.0, 30.0), (62.0, 60.0), (40.0, 60.0))
    for t in range(int(first), int(last)):
        card = CardSeen(id=int(first) + 7, face="up", p=0.9, rank="K", suit="h", quad=quad)
        yield Observation(t=float(t), frame=t, clock=None, cards=[card])


def runs() -> list[Run]:
    """Twenty segments of 10 s, each watched from 4 s before."""
    return [Run(seen(max(0, at - 4), at + 10), 0.0, 0, float(at)) for at in range(0, 200, 10)]


def reconstructor() -> FakeReconstructor:
    return FakeReconstructor(make_layout(), House(), HEADER)


@pytest.mark.parametrize("killed_at", [0.0, 1.0, 9.0, 10.0, 120.0, 199.0])
def test_an_interrupted_reconstruction_begins_anew_and_tells_the_same(tmp_path: Path, killed_at: float) -> None:
    def until(t: float) -> None:
        if t == killed_at:
            raise KilledError

    log, account = retelling.Telling(HEADER, reconstructor, tmp_path / "whole").whole(runs(), lambda t: None)
    with pytest.raises(KilledError):
        retelling.Telling(HEADER, reconstructor, tmp_path / "cut").whole(runs(), until)
    again, account = retelling.Telling(HEADER, reconstructor, tmp_path / "cut").whole(runs(), lambda t: None)
    assert again == log
    assert (account.last, account.unusable()) == (account.last, account.unusable())
    kept = observations_between(tmp_path / "cut", 0.0, 1000.0)
    assert [one.t for one in kept] == [float(t) for t in range(200)]
    assert {card.id for one in kept for card in one.cards} == {1}
    assert kept == observations_between(tmp_path / "whole", 0.0, 1000.0)


def test_clips_and_stills_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    video = make_video(tmp_path / "a.mp4", 8)
    events = {event.id: event for event in EVENTS}  # type: ignore[attr-defined]

    def made() -> dict[str, int]:
        (shown,) = gather(video, [finding()], events, [], make_layout(), 8.0, tmp_path / "out")
        return {name: (tmp_path / "out" / name).stat().st_ino for name in (str(shown.clip), *shown.stills)}

    first = made()
    lost = next(name for name in first if name.startswith("stills"))
    (tmp_path / "out" / lost).unlink()
    assert {name for name, inode in made().items() if inode != first[name] and name != lost} == set()
    assert (tmp_path / "out" / lost).exists()
    assert not list((tmp_path / "out").rglob(".*")), "nothing unfinished is left"


def test_a_finding_whose_clip_cannot_be_made_has_its_stills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    video = make_video(tmp_path / "a.mp4", 8)
    events = {event.id: event for event in EVENTS}  # type: ignore[attr-defined]

    def refused(*_: object) -> None:
        raise BadInput(video, "shows no picture there", "watch it with another player")

    monkeypatch.setattr("verifier.review.evidence.make_clip", refused)
    (shown,) = gather(video, [finding()], events, [], make_layout(), 8.0, tmp_path / "out")
    assert shown.clip is None
    assert shown.stills
    assert all((tmp_path / "out" / name).exists() for name in shown.stills)


def test_nothing_of_a_conclusion_is_left_over(tmp_path: Path) -> None:
    record(make_table(tmp_path / "night") / "a.mp4", 8)
    run_night(tmp_path / "night")
    assert list((tmp_path / "home" / "night" / "concluding").iterdir()) == []
    (stale := tmp_path / "home" / "night" / "concluding" / "old").mkdir()
    os.utime(stale, (0, 0))
    Folders(tmp_path / "home" / "night").forget_old()
    assert not stale.exists()


def test_what_the_closer_look_does_not_tell_is_kept_with_the_review_and_its_time_is_told(tmp_path: Path) -> None:
    record(make_table(tmp_path / "night") / "a.mp4", 8)
    _, tally = run_night(tmp_path / "night", chain="batch_fakes:doubting_chain")
    (review,) = Store().reviews()
    assert Store().findings() == []
    (alone,) = unconfirmed_of(Path(review.folder))
    assert (alone.look, alone.told.clause, alone.instead) == ("first", FAN, [])
    assert [stage for stage in tally.took if stage not in ("examine", "watch")] == [
        "fit",
        "reconstruct",
        "law",
        "closer look",
        "clips",
    ]


def test_what_a_call_does_after_its_stage_belongs_to_the_next_one() -> None:
    clock = iter([0.0, 1.0, 3.0, 10.0, 15.0])
    laps = Laps(lambda: next(clock))
    laps.end("reconstruct")
    judge = laps.ending("law", str)
    assert [judge(n) for n in (1, 2, 3)] == ["1", "2", "3"]
    laps.end("closer look")
    laps.end("clips")
    assert laps.took == {"reconstruct": 1.0, "law": 2.0, "closer look": 7.0, "clips": 5.0}


def test_a_file_takes_its_place_in_one_step_and_twice(tmp_path: Path) -> None:
    (tmp_path / "new").write_text("new")
    (tmp_path / "there").write_text("old")
    for _ in range(2):
        place_file(tmp_path / "new", tmp_path / "there")
        assert (tmp_path / "there").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "there"]


def test_who_dealt_when() -> None:
    turns = read_dealers("Kim 20:00, Ann Lee 01:30; Pat 2:15", "2026-11-17T21:00:00")
    clocks = ("2026-11-17T21:00:00", "2026-11-18T01:29:59", "2026-11-18T01:30:00", "2026-11-18T03:00:00")
    assert [dealer_at(turns, clock) for clock in clocks] == ["Kim", "Kim", "Ann Lee", "Pat"]
    assert dealer_at(read_dealers("Kim 22:00", "2026-11-17T21:00:00"), "2026-11-17T21:30:00") is None
    assert dealer_at(read_dealers("Kim", None), None) == "Kim"
    assert read_dealers("Kim 20:00", None) == []
    for text in ("Kim 25:00", "20:00"):
        with pytest.raises(ValueError):
            read_dealers(text, None)


def test_findings_name_the_dealer_of_the_manifest(tmp_path: Path) -> None:
    record(make_table(tmp_path / "night") / "a.mp4", 8, clock="2026-11-17T21:00:00")
    manifest = tmp_path / "night.csv"
    for dealers in ("Kim 20:00, Pat 21:00:04", "Kim"):
        with manifest.open("w", newline="") as stream:
            csv.writer(stream).writerows([("file", "dealers"), ("night/a.mp4", dealers)])
        run_night(manifest)
        (found,) = [one for one in Store().findings() if one.current]
        assert found.dealer == dealers.split()[-2 if "," in dealers else -1], "another manifest, another dealer"
