"""A transcript beside a recording: the dealer's announcements, judged as far as the words tell."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from law.law_build import hand_out, row
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.cli import run
from verifier.domain.events import Announcement, EventLog
from verifier.domain.findings import FindingsReport
from verifier.formats.events import read_events, write_events
from verifier.law.judge import judge
from verifier.review.pipeline.spoken import MOST_UNCLEAR, heard, with_speech
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Source, Spoken
from verifier.review.recording import review_recording
from verifier.review.speech.words import announced

UPCARD, TWO, FINAL = "ND-08-11.1-announce-upcard", "ND-08-11.10-announce-two-card", "ND-08-11.10.g-announce-final"
DEALT, TURNED, PAID = 70.0, 74.0, 79.0
"""Seconds of the log below: the dealer's card lies, the second one is turned, the payoff lies. The upcard is a seven,
the dealer has seventeen."""
GOOD = [(DEALT, "Dealer: showing a seven"), (TURNED, "Dealer: seventeen"), (PAID, "Dealer: thank you")]
Cue = tuple[float, str]


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("Dealer shows a king.", [("upcard", True, None)]),
        ("Dealer\N{RIGHT SINGLE QUOTATION MARK}s upcard is the queen", [("upcard", True, None)]),
        ("six showing", [("upcard", True, None)]),
        ("The house has an eight", [("upcard", True, None)]),
        ("a jack", [("upcard", False, None)]),
        ("Ten.", [("upcard", False, None), ("total", True, "10")]),
        ("Dealer has seventeen", [("total", True, "17")]),
        ("Seven, or seventeen.", [("total", True, "7 or 17")]),
        ("Twenty-two, too many", [("total", True, "22")]),
        ("Seventeen, paying eighteens", [("total", True, "17")]),
        ("three", [("upcard", False, None)]),
        ("twenty-six", [("total", True, "26")]),
        ("twenty-seven", []),
        ("Push.", [("push", True, None)]),
        ("I push it over to you", []),
        ("That's a tie", [("push", False, None)]),
        ("Insurance?", [("insurance_offer", True, None)]),
        ("Insurance.", [("insurance_offer", False, None)]),
        ("Insurance is closed", [("insurance_closed", True, None)]),
        ("Insurance pays two to one", []),
        ("Even money", [("even_money", True, None)]),
        ("Even money?", [("even_money", False, None)]),
        ("We don't pay even money", []),
        ("it's ten o'clock", [("total", False, "10")]),
        ("this shoe has eight decks", [("total", False, "8")]),
        ("Dealer has eight decks", [("total", False, "8")]),
        ("shift ends at six thirty", [("total", False, "6")]),
        ("Seventeen?", [("total", False, "17")]),
        ("Thirteen. Nineteen.", [("total", False, "13 or 19")]),
        ("Soft seventeen", [("total", True, "17")]),
        ("Dealer's got a hard 16.", [("total", True, "16")]),
        ("The house has twenty-one", [("total", True, "21")]),
        ("Three or thirteen.", [("total", True, "13")]),
        ("Seven up? Coming right away.", []),
        ("seven up", [("upcard", False, None)]),
        ("Dealer has an eight deck shoe", [("upcard", False, None)]),
        ("showing two players how", [("upcard", False, None)]),
        ("showing a king?", []),
        ("I am not showing a king", [("upcard", False, None)]),
        ("Seat two shows a ten", [("upcard", False, None)]),
        ("No more bets. Insurance?", [("insurance_offer", True, None)]),
        ("Insurance, no more bets", [("insurance_closed", False, None)]),
        ("No more insurance", [("insurance_closed", True, None)]),
        ("insurance is not closed yet", []),
        ("Is insurance closed?", []),
        ("insurance closes soon", [("insurance_closed", False, None)]),
        ("Insurance? Closed.", [("insurance_offer", True, None), ("insurance_closed", True, None)]),
        (
            "Insurance, anyone? Insurance is closed.",
            [("insurance_offer", True, None), ("insurance_closed", True, None)],
        ),
        ("last call on insurance", [("insurance_closed", False, None), ("insurance_offer", False, None)]),
        ("No push.", []),
        ("That isn't a push", []),
        ("Push?", [("push", False, None)]),
        ("No more bets. Push.", [("push", True, None)]),
        ("Space three has twenty", []),
        ("You have nineteen", []),
        ("Twenty dollars in chips", []),
        ("Good luck everyone", []),
        ("", []),
    ],
)
def test_words_announce_no_more_than_they_tell(words: str, means: list[Any]) -> None:
    assert [(one.topic, one.sure, one.total) for one in announced(words)] == means


@pytest.mark.parametrize(
    ("words", "topic", "cents"),
    [
        ("May I color you up? $40", "colour_up", 4000),
        ("Coloring up", "colour_up", None),
        ("Changing forty dollars", "buy_in", 4000),
        ("$5 and $10, coloring in", "colour_up", None),
        ("Changing $1,234.56", "buy_in", 123456),
        ("Colour up, $100,000,000.00", "colour_up", 10**10),
        ("Colour up, $100,000,000.01", "colour_up", None),
        ("Colour up, $" + 310 * "9", "colour_up", None),
    ],
)
def test_amounts_of_money(words: str, topic: str, cents: int | None) -> None:
    assert [(one.topic, one.cents) for one in announced(words)] == [(topic, cents)]


@pytest.mark.parametrize("cents", [10**10, 25 * "9"])
def test_any_amount_that_is_told_can_be_read_back(tmp_path: Path, cents: int | str) -> None:
    log = joined(tmp_path, [(DEALT, f"Dealer: changing ${int(cents) // 100}")])
    write_events(tmp_path / "events.jsonl", log)
    assert [one.topic for one in said(read_events(tmp_path / "events.jsonl"))] == (
        ["buy_in"] if isinstance(cents, int) else []
    )


@pytest.mark.parametrize("piece", ["dealer" + 20000 * "!", 2000 * "! ", 3000 * "2!", 700 * "seven ", 900 * "push!"])
def test_words_are_read_in_little_time(piece: str) -> None:
    begun = time.process_time()
    announced(piece)
    assert time.process_time() - begun < 1.0


def srt(cues: Sequence[Cue]) -> str:
    return "\n".join(f"{stamp(t)} --> {stamp(t + 0.4)}\n{text}\n" for t, text in cues)


def stamp(t: float) -> str:
    ms = round(t * 1000)
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"


def joined(tmp_path: Path, cues: Sequence[Cue], told: Spoken | None = None, at: float = 0.0, **facts: Any) -> EventLog:
    """A lawful round seen by a camera, with this transcript beside its recording."""
    (tmp_path / "video.srt").write_text(srt(cues))
    file = Facts(path=str(tmp_path / "video.mp4"), sha256="0" * 64, bytes=1, modified_ns=0, kept="k", seconds=100.0)
    part = Part(facts=file, at=at, begin=facts.get("begin", 0.0), end=facts.get("end", 100.0))
    source = Source(path=file.path, layout=None, house=None, spoken=told)
    log = hand_out("Th 7d 9s Tc", {2: 1000}).build(video="0" * 64)
    return with_speech(log, heard(RecordingSet(source=source, parts=[part])))


def said(log: EventLog) -> list[Announcement]:
    return [one for one in log.events if isinstance(one, Announcement)]


def verdicts(log: EventLog) -> list[str]:
    report: FindingsReport = judge(log)
    return [row(report, clause) for clause in (UPCARD, TWO, FINAL)]


def test_a_transcript_lets_the_clauses_of_speech_be_judged(tmp_path: Path) -> None:
    silent = hand_out("Th 7d 9s Tc", {2: 1000}).build(video="0" * 64)
    assert verdicts(silent) == ["not_assessed"] * 3
    log = joined(tmp_path, GOOD)
    assert verdicts(log) == ["pass"] * 3
    assert log.header.channels == ("video", "audio")
    assert [(one.topic, one.round, one.source) for one in said(log)] == [("upcard", 1, "audio"), ("total", 1, "audio")]


@pytest.mark.parametrize(
    ("cues", "expected"),
    [
        (["Dealer: showing a seven", "Dealer: eighteen", "Dealer: so"], ["pass", "violation", "violation"]),
        (["Dealer: showing a king", "Dealer: seventeen", "Dealer: so"], ["violation", "pass", "pass"]),
        (["showing a seven", "seventeen", "so"], ["pass", "pass", "pass"]),
        (["showing a king", "eighteen", "so"], ["undetermined"] * 3),
        (["hello", "hello", "hello"], ["undetermined"] * 3),
        (["Player: showing a seven", "Player: seventeen", "so"], ["undetermined"] * 3),
        (["Kim: showing a seven", "Kim: seventeen", "so"], ["undetermined"] * 3),
        (["seven", "Dealer: seventeen", "so"], ["undetermined", "pass", "pass"]),
        (["Dealer: showing a seven", "Dealer: it's ten o'clock", "so"], ["pass", "undetermined", "undetermined"]),
        (["Dealer: seven up? Coming.", "Dealer: seventeen", "so"], ["undetermined", "pass", "pass"]),
        (["Dealer: king up", "Dealer: seventeen", "so"], ["undetermined", "pass", "pass"]),
    ],
)
def test_what_the_words_do_not_tell_stays_undetermined(tmp_path: Path, cues: list[str], expected: list[str]) -> None:
    times = (DEALT, TURNED, PAID)
    assert verdicts(joined(tmp_path, list(zip(times, cues, strict=True)))) == expected


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Dealer: push", [("push", 0.9)]),
        ("- Dealer: push", [("push", 0.9)]),
        ("Dealer 7: push", [("push", 0.9)]),
        ("Kim (dealer): push", [("push", 0.9)]),
        ("- Player 3: push", []),
        ("&gt;&gt; Player: push", []),
        ("Player:push", []),
        ("[Player 2]: push", []),
        ("Guest 7: push", []),
        ("Pit boss to dealer: push", [("push", 0.45)]),
        ("Dealer supervisor: push", [("push", 0.45)]),
        ("Non-dealer: push", [("push", 0.45)]),
        ("Dealer has: seventeen", [("total", 0.45)]),
        ("Kim 7: push", [("push", 0.45)]),
        ("Jack: push", [("push", 0.45)]),
        ("Insurance: closed", [("insurance_closed", 0.7)]),
        ("Dealer insurance: closed", [("insurance_closed", 0.7)]),
        ("Even money: nobody", []),
        ("Even money: seat two", [("even_money", 0.7)]),
        ("Seat two: push", [("push", 0.7)]),
        ("push", [("push", 0.7)]),
    ],
)
def test_only_what_is_clearly_the_dealers_is_his(tmp_path: Path, line: str, told: list[tuple[str, float]]) -> None:
    assert [(one.topic, one.p) for one in said(joined(tmp_path, [(DEALT, line)]))] == told


def test_only_a_complete_transcript_tells_that_nothing_was_said(tmp_path: Path) -> None:
    silence = [(PAID, "Dealer: thank you")]
    assert verdicts(joined(tmp_path, silence)) == ["undetermined"] * 3
    assert verdicts(joined(tmp_path, silence, Spoken(complete=True))) == ["violation"] * 3


def test_a_round_after_the_last_line_was_not_heard(tmp_path: Path) -> None:
    log = joined(tmp_path, [(10.0, "Dealer: good evening")], Spoken(complete=True))
    report = judge(log)
    assert {row(report, clause) for clause in (UPCARD, TWO, FINAL)} == {"not_assessed"}
    assert next(one.why for one in report.clauses if one.clause == UPCARD) == (
        "the transcript does not reach every round"
    )


def test_times_are_media_time_with_the_offset_and_the_place_of_the_file(tmp_path: Path) -> None:
    early = [(t - 60.0, text) for t, text in GOOD]
    assert verdicts(joined(tmp_path, early, Spoken(offset=60.0))) == ["pass"] * 3
    assert verdicts(joined(tmp_path, early, at=60.0)) == ["pass"] * 3
    assert [one.t_start for one in said(joined(tmp_path, GOOD, end=72.0))] == [DEALT]


def test_a_card_named_after_the_turn_is_no_upcard(tmp_path: Path) -> None:
    log = joined(tmp_path, [*GOOD[:2], (TURNED + 1, "Dealer: showing a king"), GOOD[2]])
    assert [one.topic for one in said(log)] == ["upcard", "total"] and verdicts(log)[0] == "pass"


def test_a_card_named_after_the_turn_only_may_be_the_upcard_by_a_clock_that_is_late(tmp_path: Path) -> None:
    late = [(TURNED + 1, "Dealer: showing a seven"), (TURNED + 2, "Dealer: seventeen"), GOOD[2]]
    assert verdicts(joined(tmp_path, late, Spoken(complete=True))) == ["undetermined", "pass", "pass"]


def test_unclear_names_are_told_a_few_times_only_and_not_beside_a_clear_one(tmp_path: Path) -> None:
    many = [(DEALT + n / 10, "seven") for n in range(5)]
    unclear = [one for one in said(joined(tmp_path, many)) if one.topic == "upcard"]
    assert len(unclear) == MOST_UNCLEAR and all(one.weak for one in unclear)
    clear = [one for one in said(joined(tmp_path, [GOOD[0], *many])) if one.topic == "upcard"]
    assert [one.weak for one in clear] == [False]


def test_an_unclear_total_is_kept_beside_a_clear_one_and_may_put_it_right(tmp_path: Path) -> None:
    told = [GOOD[0], (TURNED, "Dealer: eighteen"), (TURNED + 1, "Dealer: no, make that seventeen"), GOOD[2]]
    assert verdicts(joined(tmp_path, told, Spoken(complete=True))) == ["pass", "undetermined", "undetermined"]
    many = [GOOD[0], *((TURNED + n / 10, "Dealer: make that seventeen") for n in range(5)), GOOD[2]]
    assert len([one for one in said(joined(tmp_path, many)) if one.topic == "total"]) == MOST_UNCLEAR


def test_an_upcard_in_a_long_line_is_unclear(tmp_path: Path) -> None:
    for length, weak in ((120, False), (121, True)):
        line = "two friends; " + "x" * (length - 13 - 15) + " showing a king"
        assert len(line) == length
        assert [one.weak for one in said(joined(tmp_path, [(DEALT, f"Dealer: {line}")]))] == [weak]


def test_a_transcript_is_no_record_of_the_site(tmp_path: Path) -> None:
    report = judge(joined(tmp_path, GOOD))
    assert next(one.why for one in report.clauses if one.clause == "ND-08-04.8-six-weeks") == "records not given"


def test_a_review_takes_the_file_beside_the_recording_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video, layout, house = write_inputs(tmp_path / "night")
    video.with_suffix(".srt").write_text(srt([(1.0, "Dealer: showing a king")]))
    stages = msgspec.structs.replace(fake_stages(SHOWN, finding()), judge=judge)
    made = review_recording(video, layout, house, tmp_path / "out", stages=stages)
    assert len(said(read_events(made.out / "events.jsonl"))) == 1
    assert made.coverage.stretches[0].why == "what was said is taken from video.srt: 1 announcement"
    assert made.coverage.complete


def test_a_faulty_transcript_is_refused_before_anything_is_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video, layout, house = write_inputs(tmp_path / "night")
    bad = tmp_path / "said.srt"
    bad.write_text("1\n00:00:01,000 -> 00:00:02,000\nPush.\n")
    arguments = ["--layout", str(layout), "--house", str(house), "--out", str(tmp_path / "out")]
    assert run(["review", str(video), *arguments, "--transcript", str(bad)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "said.srt: line 2: found" in line and not (tmp_path / "out").exists()


@pytest.mark.parametrize("told", [["--transcript-offset", "2"], ["--transcript-complete"]])
def test_what_is_told_of_a_transcript_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], told: list[str]
) -> None:
    video, layout, house = write_inputs(tmp_path / "night")
    arguments = ["--layout", str(layout), "--house", str(house), "--out", str(tmp_path / "out")]
    assert run(["review", str(video), *arguments, *told]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(video) in line and "there is no transcript; name one with --transcript" in line
    assert not (tmp_path / "out").exists()


def test_in_a_night_it_is_told_that_the_transcript_is_not_there(tmp_path: Path) -> None:
    file = Facts(path=str(tmp_path / "video.mp4"), sha256="0" * 64, bytes=1, modified_ns=0, kept="k", seconds=100.0)
    parts = [Part(facts=file, at=5.0, begin=0.0, end=100.0)]
    for spoken, notes in ((Spoken(complete=True), 1), (Spoken(offset=1.0), 1), (Spoken(), 0), (None, 0)):
        source = Source(path=file.path, layout=None, house=None, spoken=spoken)
        assert [one.note.t for one in heard(RecordingSet(source=source, parts=parts))] == [5.0] * notes


def test_in_a_night_a_faulty_transcript_costs_the_words_and_not_the_review(tmp_path: Path) -> None:
    (tmp_path / "video.vtt").write_text("WEBVTT\n\n00:01 --> 00:02\nPush.\n")
    file = Facts(path=str(tmp_path / "video.mp4"), sha256="0" * 64, bytes=1, modified_ns=0, kept="k", seconds=100.0)
    recording_set = RecordingSet(
        source=Source(path=file.path, layout=None, house=None), parts=[Part(facts=file, at=5.0, begin=0.0, end=100.0)]
    )
    (one,) = heard(recording_set)
    assert one.events == [] and one.note.t == 5.0
    assert "the transcript cannot be used" in one.note.text and "line 3" in one.note.text
    log = hand_out("Th 7d 9s Tc", {2: 1000}).build()
    assert with_speech(log, [one]) is log
