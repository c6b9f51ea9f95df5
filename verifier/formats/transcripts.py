"""Transcripts of what was said: SRT, WebVTT and JSON. Content decides which, not the name.

The readers of PyPI leave out what they cannot read, or take it for words, and tell no line; here a faulty line is
refused by its number.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.transcript import DEALER, OTHERS, TRANSCRIPT_FORMAT, TRANSCRIPT_VERSION, SaidLine, Transcript
from verifier.formats.files import PathLike, read_bytes
from verifier.formats.json_text import parse_json
from verifier.formats.records import check_format, convert_object
from verifier.formats.wording import shown

MOST_LINES: Final = 100_000
MOST_SECONDS: Final = 1e6
_SRT_TIME: Final = r"(\d{1,3}):([0-5]\d):([0-5]\d)[,.](\d{1,3})"
_VTT_TIME: Final = r"(?:(\d{2,3}):)?([0-5]\d):([0-5]\d)\.(\d{3})"
_SRT_SPAN: Final = re.compile(rf"{_SRT_TIME}\s*-->\s*{_SRT_TIME}(?:\s+X1:.*)?")
_VTT_SPAN: Final = re.compile(rf"{_VTT_TIME}[ \t]+-->[ \t]+{_VTT_TIME}(?:[ \t]+\S.*)?")
MOST_LETTERS: Final = 2000
"""Letters of one cue: two minutes of quick talk. More is no line of speech, and is not searched."""
_TAG: Final = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]([^<>]+)>|</v>", re.IGNORECASE)
_AMID: Final = re.compile(
    r"(?<=\S)[ \t](?=>>)|(?<=[.!?,;\N{HORIZONTAL ELLIPSIS}])[ \t]"
    r"(?=[\[(]?(?:dealer|players?|guests?|patrons?|customers?|pit boss|supervisor)\b[\w #]{0,12}[\])]?:)",
    re.IGNORECASE,
)
"""Where somebody else begins to speak amid a line: `Seventeen. Player 2: push`."""
_CHANGE: Final = re.compile(r"\s*(?:[-\N{EN DASH}\N{EM DASH}>*\N{BULLET}]\s*)+")
"""Signs before the words of another speaker: `- Push.`, `>> Push.`"""
_NAME: Final = r"[^\W\d_][\w .'\N{RIGHT SINGLE QUOTATION MARK}/#()&-]{0,60}?"
_NAMED: Final = re.compile(
    rf"\s*(?:\[(?P<square>[^\[\]]{{1,60}})\]\s*(?P<square_colon>:?)"
    rf"|\((?P<round>[^()]{{1,60}})\)\s*(?P<round_colon>:?)|(?P<plain>{_NAME})\s*:)(?=\s*\S)"
)
"""`Dealer: seventeen`, `[Player 2]: push`."""
_ADDRESS: Final = re.compile(r"(?:seat|space|spot)s?\b", re.IGNORECASE)
"""`Seat two: push` is the dealer's word to a player, no player's."""


def read_transcript(path: PathLike) -> Transcript:
    """Return the transcript in a file. Raises BadInput with the line (in JSON: the number of the line of speech)."""
    content = read_bytes(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise BadInput(path, "is not UTF-8", "save it as UTF-8", where=f"line {number}") from error
    if text.lstrip()[:1] in ("{", "["):
        return _of_json(path, text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    is_vtt = lines[0].startswith("WEBVTT")
    said = list(_vtt(path, lines) if is_vtt else _srt(path, lines))
    if not said:
        raise BadInput(path, "holds no line of speech", "give a transcript in SRT, WebVTT or JSON")
    return Transcript(lines=_in_order(path, said))


def _in_order(path: PathLike, said: list[SaidLine]) -> list[SaidLine]:
    if len(said) > MOST_LINES:
        raise BadInput(path, f"has more than {MOST_LINES} lines of speech", "divide it")
    return sorted(said, key=lambda line: (line.t_start, line.t_end))


def _srt(path: PathLike, lines: Sequence[str]) -> Iterator[SaidLine]:
    number = 0
    while number < len(lines):
        if not lines[number].strip():
            number += 1
            continue
        if lines[number].strip().isdigit() and number + 1 < len(lines) and lines[number + 1].strip():
            number += 1
        span = _span(path, lines[number], number, _SRT_SPAN, "00:00:01,000 --> 00:00:02,500")
        number, words = _words(path, lines, number + 1)
        yield from _said(span, words)


def _vtt(path: PathLike, lines: Sequence[str]) -> Iterator[SaidLine]:
    number = _after_block(lines, 0)
    mapped = next((n for n in range(number) if lines[n].startswith("X-TIMESTAMP-MAP")), None)
    if mapped is not None:
        cause = "its times are those of another clock (X-TIMESTAMP-MAP)"
        raise BadInput(path, cause, "remove the line, and tell the offset", where=f"line {mapped + 1}")
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            number += 1
        elif re.match(r"(NOTE|STYLE|REGION)(\s|$)", line):
            number = _after_block(lines, number)
        else:
            if "-->" not in line and number + 1 < len(lines) and lines[number + 1].strip():
                number += 1  # the name of a cue
            span = _span(path, lines[number], number, _VTT_SPAN, "00:01.000 --> 00:02.500")
            number, words = _words(path, lines, number + 1)
            yield from _said(span, words)


def _after_block(lines: Sequence[str], number: int) -> int:
    """Return the number of the line after the next empty one."""
    while number < len(lines) and lines[number].strip():
        number += 1
    return number + 1


def _span(path: PathLike, line: str, number: int, form: re.Pattern[str], example: str) -> tuple[float, float]:
    found = form.fullmatch(line.strip())
    where = f"line {number + 1}"
    if found is None:
        cause = f"found {shown(line.strip())}, expected times such as {example}"
        raise BadInput(path, cause, "correct the line, or end the words before it with an empty one", where=where)
    start, end = _seconds(found.groups()[:4]), _seconds(found.groups()[4:8])
    if end < start:
        raise BadInput(path, "ends before it begins", "correct the times", where=where)
    return start, end


def _seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds, rest = (part or "0" for part in parts)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(rest.ljust(3, "0")) / 1000


def _words(path: PathLike, lines: Sequence[str], number: int) -> tuple[int, list[str]]:
    """Return where the next empty line is, and the lines up to it. Raises BadInput for times among them, and for more
    than a cue may have.
    """
    words: list[str] = []
    begun = number
    while number < len(lines) and lines[number].strip():
        if "-->" in lines[number]:
            raise BadInput(path, "times stand among words", "put an empty line before them", where=f"line {number + 1}")
        words.append(lines[number])
        number += 1
    _check_length(path, sum(map(len, words)), f"line {begun + 1}")
    return number, words


def _check_length(path: PathLike, letters: int, where: str) -> None:
    if letters > MOST_LETTERS:
        cause = f"has {letters} letters, more than {MOST_LETTERS}"
        raise BadInput(path, cause, "divide it into lines with their own times", where=where)


def _said(span: tuple[float, float], words: Sequence[str]) -> Iterator[SaidLine]:
    """Yield the words of a cue, separated by speaker."""
    told: list[tuple[str | None, list[str]]] = []
    for line in words:
        for speaker, text, begins in _voices(line):
            if begins or not told:
                told.append((speaker, []))
            told[-1][1].append(text)
    for speaker, parts in told:
        text = " ".join(" ".join(parts).split())
        if text:
            yield SaidLine(t_start=span[0], t_end=span[1], text=text, speaker=speaker)


def _voices(line: str) -> Iterator[tuple[str | None, str, bool]]:
    """Yield the speakers of a line of text with their words and, last, whether somebody else begins to speak there."""
    before, *voiced = _VOICE.split(line)
    if not voiced or before.strip():
        yield from map(_named, _AMID.split(_without_tags(before)))
    for voice, text in zip(voiced[::2], voiced[1::2], strict=True):  # no voice: the one before it has ended
        own, *others = _AMID.split(_without_tags(text))
        speaker, words, _ = (html.unescape(voice).strip() or None, _CHANGE.sub("", own, 1), 0) if voice else _named(own)
        yield speaker, words, True
        yield from map(_named, others)


def _without_tags(text: str) -> str:
    return html.unescape(_TAG.sub("", text)).replace("\N{NO-BREAK SPACE}", " ")


def _named(text: str) -> tuple[str | None, str, bool]:
    """Return the speaker whom the words themselves name, the words without the name, and whether a speaker begins
    there.
    """
    change = _CHANGE.match(text)
    words = text[change.end() :] if change else text
    found = _NAMED.match(words)
    if found is not None and (name := _name(found, words)) is not None:
        return name, words[found.end() :].strip(), True
    return None, words.strip(), change is not None


def _name(found: re.Match[str], words: str) -> str | None:
    """Return the name before the words; None where it is an address, a time of day, or a remark in brackets."""
    name = (found["square"] or found["round"] or found["plain"]).strip()
    is_role = DEALER.search(name) is not None or OTHERS.search(name) is not None
    if found["plain"]:
        is_time = name[-1].isdigit() and words[found.end()].isdigit() and not is_role
        address = _ADDRESS.match(name)
        return None if is_time or (address and not OTHERS.search(name[address.end() :])) else name
    return name if is_role or found["square_colon"] or found["round_colon"] else None


def _of_json(path: PathLike, text: str) -> Transcript:
    """Return the transcript in this project's own form of JSON, or in the `segments` that Whisper and its kin write."""
    value = parse_json(path, text.encode(), "file")
    if not isinstance(value, dict):
        raise BadInput(path, f"found {shown(value)}, expected an object", "see docs/formats.md")
    if "segments" in value and "format" not in value:
        items, names = value["segments"], {"start": "t_start", "end": "t_end"}
    else:
        check_format(path, value, TRANSCRIPT_FORMAT, TRANSCRIPT_VERSION, "file")
        items, names = value.get("lines"), {}
    if not isinstance(items, list) or not items:
        raise BadInput(path, "holds no line of speech", "see docs/formats.md")
    lines = [line for number, item in enumerate(items, start=1) for line in _lines(path, item, number, names)]
    about = {name: value[name] for name in ("offset", "complete") if name in value}
    whole = convert_object(path, {"lines": [], **about}, Transcript, "file")
    return Transcript(lines=_in_order(path, lines), offset=whole.offset, complete=whole.complete)


def _lines(path: PathLike, item: object, number: int, names: dict[str, str]) -> list[SaidLine]:
    """Return the lines of speech in one item of JSON. Where no speaker is told, it is split by the speakers whom its
    words name.
    """
    where = f"line of speech {number}"
    if not isinstance(item, dict):
        raise BadInput(path, f"found {shown(item)}, expected an object", "correct it", where=where)
    told: dict[str, object] = {names.get(str(name), str(name)): value for name, value in item.items()}
    line = convert_object(path, told, SaidLine, where)
    if not 0 <= line.t_start <= line.t_end <= MOST_SECONDS:
        raise BadInput(path, f"has the times {line.t_start:g} to {line.t_end:g} s", "correct them", where=where)
    _check_length(path, len(line.text) + len(line.speaker or ""), where)
    if line.speaker is not None and line.speaker.strip():
        return [line]
    found = list(_said((line.t_start, line.t_end), line.text.splitlines()))
    return [msgspec.structs.replace(one, p=line.p) for one in found] or [line]
