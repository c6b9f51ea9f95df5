"""Transcripts of what was said: SRT, WebVTT and JSON. Content decides which, not the name.

The readers of PyPI leave out what they cannot read, or take it for words, and tell no line; here a faulty line is
refused by its number.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from verifier.domain.errors import BadInput
from verifier.domain.transcript import TRANSCRIPT_FORMAT, TRANSCRIPT_VERSION, SaidLine, Transcript
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
_TAG: Final = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_VOICE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>", re.IGNORECASE)
_NAMED: Final = re.compile(r"\s*([^\W\d_][\w .'-]{0,30}?)\s*:\s+(?=\S)")
"""`Dealer: seventeen`."""


def read_transcript(path: PathLike) -> Transcript:
    """The transcript in a file; raises BadInput with the line (in JSON: the number of the line of speech)."""
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
    """The line after the next empty one."""
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
    """The lines up to the next empty one; raises BadInput for times among them."""
    words: list[str] = []
    while number < len(lines) and lines[number].strip():
        if "-->" in lines[number]:
            raise BadInput(path, "times stand among words", "put an empty line before them", where=f"line {number + 1}")
        words.append(lines[number])
        number += 1
    return number, words


def _said(span: tuple[float, float], words: Sequence[str]) -> Iterator[SaidLine]:
    """The words of a cue, apart by their speakers."""
    told: list[tuple[str | None, list[str]]] = []
    for line in words:
        voice = _VOICE.search(line)
        plain = html.unescape(_TAG.sub("", line)).replace("\N{NO-BREAK SPACE}", " ")
        named = _NAMED.match(plain)
        if voice or named or not told or plain.lstrip().startswith("-"):
            speaker = voice[1].strip() if voice else (named[1].strip() if named else None)
            told.append((speaker, []))
        rest = plain[named.end() :] if named and not voice else plain
        told[-1][1].append(rest.lstrip(" -"))
    for speaker, parts in told:
        text = " ".join(" ".join(parts).split())
        if text:
            yield SaidLine(t_start=span[0], t_end=span[1], text=text, speaker=speaker)


def _of_json(path: PathLike, text: str) -> Transcript:
    """This project's own form, or the `segments` that Whisper and its kin write."""
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
    lines = [_line(path, item, number, names) for number, item in enumerate(items, start=1)]
    about = {name: value[name] for name in ("offset", "complete") if name in value}
    whole = convert_object(path, {"lines": [], **about}, Transcript, "file")
    return Transcript(lines=_in_order(path, lines), offset=whole.offset, complete=whole.complete)


def _line(path: PathLike, item: Any, number: int, names: dict[str, str]) -> SaidLine:
    where = f"line of speech {number}"
    if not isinstance(item, dict):
        raise BadInput(path, f"found {shown(item)}, expected an object", "correct it", where=where)
    told: dict[str, Any] = {names.get(str(name), str(name)): value for name, value in item.items()}
    line = convert_object(path, told, SaidLine, where)
    if not 0 <= line.t_start <= line.t_end <= MOST_SECONDS:
        raise BadInput(path, f"has the times {line.t_start:g} to {line.t_end:g} s", "correct them", where=where)
    return line
