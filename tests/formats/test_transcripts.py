"""Transcripts: SRT, WebVTT and JSON are read; a faulty line is refused by its number."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.domain.transcript import SaidLine
from verifier.formats.transcripts import MOST_LETTERS, read_transcript

SRT = """\
1
00:00:01,000 --> 00:00:02,500
Dealer: shows a <i>king</i>

2
00:01:03,25 --> 00:01:04,000
Seventeen.
- Nice!
"""
VTT = """\
WEBVTT - table 7

NOTE made by hand
on Monday

intro
00:01.000 --> 00:02.500 align:start
<v Dealer>Dealer shows a king</v>

01:00:00.000 --> 01:00:01.000
<v.loud Pat Dahl>Hit &amp; run
"""


def said(tmp_path: Path, text: str | bytes) -> list[SaidLine]:
    path = tmp_path / "what was said"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_transcript(path).lines


def test_srt(tmp_path: Path) -> None:
    assert said(tmp_path, "\ufeff" + SRT.replace("\n", "\r\n")) == [
        SaidLine(t_start=1.0, t_end=2.5, text="shows a king", speaker="Dealer"),
        SaidLine(t_start=63.25, t_end=64.0, text="Seventeen."),
        SaidLine(t_start=63.25, t_end=64.0, text="Nice!"),
    ]


def test_vtt(tmp_path: Path) -> None:
    assert said(tmp_path, VTT) == [
        SaidLine(t_start=1.0, t_end=2.5, text="Dealer shows a king", speaker="Dealer"),
        SaidLine(t_start=3600.0, t_end=3601.0, text="Hit & run", speaker="Pat Dahl"),
    ]


def test_json(tmp_path: Path) -> None:
    own = {
        "format": "verifier-transcript",
        "version": 1,
        "offset": -2.5,
        "complete": True,
        "lines": [{"t_start": 3, "t_end": 4.5, "text": "Push.", "speaker": "dealer", "p": 0.8}],
    }
    path = tmp_path / "own"
    path.write_text(json.dumps(own))
    found = read_transcript(path)
    assert (found.offset, found.complete, found.end) == (-2.5, True, 2.0)
    assert found.lines == [SaidLine(t_start=3.0, t_end=4.5, text="Push.", speaker="dealer", p=0.8)]
    whisper = {"text": "Push.", "language": "en", "segments": [{"id": 0, "start": 3.0, "end": 4.5, "text": "Push."}]}
    assert said(tmp_path, json.dumps(whisper)) == [SaidLine(t_start=3.0, t_end=4.5, text="Push.")]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("- Player 3: push", [("Player 3", "push")]),
        ("- Dealer: insurance closed", [("Dealer", "insurance closed")]),
        ("&gt;&gt; Player: push", [("Player", "push")]),
        (">> Player: push", [("Player", "push")]),
        ("Player:push", [("Player", "push")]),
        ("Player 2:17", [("Player 2", "17")]),
        ("[Player 2]: push", [("Player 2", "push")]),
        ("[Dealer] push", [("Dealer", "push")]),
        ("(guest) push", [("guest", "push")]),
        ("(laughs) push", [(None, "(laughs) push")]),
        ("It's 10:30", [(None, "It's 10:30")]),
        ("Seat two: push", [(None, "Seat two: push")]),
        ("Space 3: seventeen", [(None, "Space 3: seventeen")]),
        ("Seat 2 guest: push", [("Seat 2 guest", "push")]),
        ("Dealer: seventeen. Player 2: push", [("Dealer", "seventeen."), ("Player 2", "push")]),
        ("Seventeen. >> Push!", [(None, "Seventeen."), (None, "Push!")]),
        ("<v Dealer>Seventeen</v> <v Player>push</v>", [("Dealer", "Seventeen"), ("Player", "push")]),
        ("<v Player>push</v> seventeen", [("Player", "push"), (None, "seventeen")]),
        ("so <v Player>push", [(None, "so"), ("Player", "push")]),
        ("<v Dealer>Seven\nor seventeen", [("Dealer", "Seven or seventeen")]),
    ],
)
def test_who_speaks(tmp_path: Path, words: str, told: list[tuple[str | None, str]]) -> None:
    cue = f"00:00:01,000 --> 00:00:02,000\n{words}\n"
    assert [(one.speaker, one.text) for one in said(tmp_path, cue)] == told
    segment = {"segments": [{"start": 1, "end": 2, "text": words}]}
    assert [(one.speaker, one.text) for one in said(tmp_path, json.dumps(segment))] == told


def test_a_told_speaker_of_json_goes_before_the_words(tmp_path: Path) -> None:
    segment = {"segments": [{"start": 1, "end": 2, "text": "Dealer: push", "speaker": "Player", "p": 0.5}]}
    assert said(tmp_path, json.dumps(segment)) == [
        SaidLine(t_start=1.0, t_end=2.0, text="Dealer: push", speaker="Player", p=0.5)
    ]


def test_a_cue_has_a_greatest_length_and_is_read_in_little_time(tmp_path: Path) -> None:
    head, at = "00:00:01,000 --> 00:00:02,000\n", "line 2: has 2001 letters"
    assert len(said(tmp_path, head + MOST_LETTERS * "x")[0].text) == MOST_LETTERS == 2000
    with pytest.raises(BadInput, match=at):
        said(tmp_path, head + 1000 * "x" + "\n" + 1001 * "x")
    with pytest.raises(BadInput, match="line of speech 1: has 2001 letters"):
        said(tmp_path, json.dumps({"segments": [{"start": 1, "end": 2, "text": 2001 * "x"}]}))
    for piece in ("<v ", "<v" + 1990 * " ", "{\\", "(", "[x", "a ", ">", "- ", "player ", "&gt;"):
        text = (MOST_LETTERS // len(piece) + 1) * piece
        begun = time.process_time()
        said(tmp_path, head + "x" + text[: MOST_LETTERS - 1])
        assert time.process_time() - begun < 0.2, piece
    with pytest.raises(BadInput, match="letters"):
        said(tmp_path, head + 8000 * "<v ")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (SRT.replace("00:01:03,25", "00:01:0x,25"), "line 6: found '00:01:0x,25"),
        (SRT.replace("00:01:03,25", "00:61:03,25"), "line 6"),
        (SRT.replace("00:01:04,000", "00:01:03,000"), "line 6: ends before it begins"),
        (SRT.replace("\n\n2\n", "\n"), "line 4: times stand among words"),
        ("Seventeen.\n", "line 1: found 'Seventeen.'"),
        (SRT.encode() + b"\xff", "line 9: is not UTF-8"),
        ("", "holds no line of speech"),
        (VTT.replace("00:01.000", "00:01,000"), "line 7"),
        (VTT.replace("table 7\n", "table 7\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:9000\n"), "line 2"),
        ("WEBVTT\n\nNOTE nothing\n", "holds no line of speech"),
        ('{"format": "verifier-transcript", "version": 2}', "field version"),
        ('{"format": "verifier-transcript", "version": 1, "lines": [{"t_start": 1}]}', "line of speech 1"),
        ('{"segments": [{"start": 2, "end": 1, "text": "x"}]}', "line of speech 1: has the times 2 to 1 s"),
        ('{"segments": [3]}', "line of speech 1: found 3"),
        ("[1]", "expected an object"),
        ('{"segments": ', "file"),
    ],
)
def test_a_faulty_line_is_refused_by_its_number(tmp_path: Path, text: str | bytes, where: str) -> None:
    with pytest.raises(BadInput) as error:
        said(tmp_path, text)
    assert where in str(error.value) and "\n" not in str(error.value)
