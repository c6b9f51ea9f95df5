"""A transcript beside a recording: found, read, and told as announcements on the recording's media time."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import Announcement, AnyEvent, CardDealt, CardRevealed, EventLog, RecordEntry
from verifier.domain.names import path_of, path_text
from verifier.domain.transcript import DEALER, OTHERS, SaidLine
from verifier.formats.files import read_bytes
from verifier.formats.transcripts import read_transcript
from verifier.recording.coverage import Note
from verifier.review.pipeline.values import Part, RecordingSet, Spoken
from verifier.review.speech.beside import TRANSCRIPT, beside
from verifier.review.speech.words import Announced, announced

DEALER_P, UNNAMED_P, UNCLEAR_P = 0.9, 0.7, 0.45
"""Probability of what a line says where the dealer is named as its speaker; where nobody is; and where the words, or
the name, may mean something else. Below 0.75 no violation rests on it, below 0.5 no pass (policy of this project)."""
_NOT_HIM: Final = re.compile(
    r"\b(?:non|not|no|ex|to|for|from|with|by|near|of|and|or|off|has|have|had|gets?|got|is|was|shows?|showing|draws?|takes?"
    r"|wins?|loses?|relief|next|old|new|other|second|trainee|assistant)\b",
    re.IGNORECASE,
)
"""Words by which a name that says `dealer` may be somebody else's, or be no name."""
MOST_UNCLEAR: Final = 2
"""Unclear announcements that are told of a round: each is weighed in every way, and the first ones tell most."""
MOST_TEXT: Final = 120
_NONE_THERE: Final = "the offset or the completeness of a transcript is told, and there is no transcript"


class Heard(Struct, frozen=True, kw_only=True):
    """A transcript of a part of the recording set: the events it tells, in the recording set's time, and the note on
    it.
    """

    events: list[AnyEvent]
    note: Note


def check_transcript(recording: Path, told: Spoken | None) -> None:
    """Read the transcript of a recording, so that a faulty one is refused before anything is watched.

    Raises BadInput, too, if something is told of a transcript and there is none.
    """
    path = path_of(told.path) if told is not None and told.path else beside(recording)
    if path is not None:
        read_transcript(path)
    elif told is not None and (told.offset or told.complete):
        raise BadInput(recording, _NONE_THERE, "name one with --transcript, or put it beside the recording")


def spoken_key(recording_set: RecordingSet) -> list[tuple[str | None, float, bool]]:
    """Return what a recording set's conclusion takes from its transcripts: for each file the SHA-256 of the one that
    tells of it.

    Empty where there is none. None in place of the digest is a transcript that cannot be read.
    """
    told = [
        (_transcript_of(recording_set, part), _told_of(recording_set, part) or Spoken()) for part in recording_set.parts
    ]
    return [(_digest(path), one.offset, one.complete) for path, one in told] if any(path for path, _ in told) else []


def _digest(path: Path | None) -> str | None:
    if path is None:
        return ""
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except BadInput:
        return None


def heard(recording_set: RecordingSet) -> list[Heard]:
    """Return what the transcripts of a recording set's files tell; one that cannot be read gives a note and nothing
    else.
    """
    return [one for part in recording_set.parts if (one := _of_part(recording_set, part)) is not None]


def with_speech(log: EventLog, told: Sequence[Heard]) -> EventLog:
    """Return the log with what was said, in its rounds, and with `audio` among its channels; unchanged where
    nothing was told.
    """
    events = [event for one in told for event in one.events]
    if not events:
        return log
    said = [_in_round(event, log) for event in events if isinstance(event, Announcement)]
    rows = [event for event in events if not isinstance(event, Announcement)]
    kept = [*rows, *_clear(said, log)]
    named = [msgspec.structs.replace(event, id=f"t{n:05d}") for n, event in enumerate(kept)]
    joined = sorted([*log.events, *named], key=lambda e: (e.t_end, e.t_start, e.id))
    channels = tuple(dict.fromkeys((*log.header.channels, "audio")))
    header = msgspec.structs.replace(log.header, channels=channels)
    return EventLog(header, tuple(joined))


def _transcript_of(recording_set: RecordingSet, part: Part) -> Path | None:
    """Return the transcript that is named for a file, or the one beside it."""
    told = _told_of(recording_set, part)
    return path_of(told.path) if told is not None and told.path else beside(path_of(part.facts.path))


def _told_of(recording_set: RecordingSet, part: Part) -> Spoken | None:
    """Return what is told of the transcript of a part. One that is named for several files is none of theirs: its
    times are those of one file.
    """
    own = any(one.spoken is not None for one in recording_set.parts)
    told = part.spoken if own else recording_set.source.spoken
    if told is None or told.path is None or len(recording_set.parts) == 1:
        return told
    named = [one.spoken.path for one in recording_set.parts if one.spoken is not None]
    return told if named.count(told.path) == 1 else msgspec.structs.replace(told, path=None)


def _of_part(recording_set: RecordingSet, part: Part) -> Heard | None:
    told, path, at = _told_of(recording_set, part), _transcript_of(recording_set, part), part.at + part.begin
    if path is None:
        is_told = told is not None and (told.offset != 0.0 or told.complete)
        return Heard(events=[], note=Note(at, f"what was said is not known: {_NONE_THERE}")) if is_told else None
    try:
        events = list(_events(path, part, told))
    except BadInput as error:
        return Heard(events=[], note=Note(at, f"what was said is not known: the transcript cannot be used ({error})"))
    count = "1 announcement" if len(events) == 2 else f"{len(events) - 1} announcements"
    text = f"what was said is taken from {path_text(path).rpartition('/')[2]}: {count}"
    return Heard(events=events, note=Note(at, text))


def _events(path: Path, part: Part, told: Spoken | None) -> Iterator[AnyEvent]:
    transcript = read_transcript(path)
    offset = transcript.offset + (told.offset if told is not None else 0.0)
    complete = transcript.complete or (told is not None and told.complete)
    last = max(line.t_end for line in transcript.lines) + offset
    first, end = part.at + max(part.begin, offset), part.at + min(part.end, max(last, part.begin))
    yield RecordEntry(
        id="t",
        t_start=round(max(0.0, first), 3),
        t_end=round(max(0.0, first, end), 3),
        p=1.0,
        source="audio",
        type=TRANSCRIPT,
        fields={
            "file": path.name,
            "path": path_text(path.absolute()),
            "sha256": hashlib.sha256(read_bytes(path)).hexdigest(),
            "offset": offset,
            "from": round(max(0.0, first), 3),
            "to": round(max(0.0, first, end), 3),
            "complete": complete,
        },
    )
    for line in transcript.lines:
        if part.begin <= line.t_start + offset < part.end:
            yield from _announcements(line, part.at + offset)


def _announcements(line: SaidLine, at: float) -> Iterator[AnyEvent]:
    line = _without_false_name(line)
    p = _probability(line)
    if p is None:
        return
    for one in announced(line.text):
        cut = one.topic == "upcard" and len(line.text) > MOST_TEXT  # the card's name may be in what is not kept
        yield _announcement(line, one, p if one.sure and not cut else min(p, UNCLEAR_P), at)


def _without_false_name(line: SaidLine) -> SaidLine:
    """Return the line with all its words where the supposed speaker is an announcement itself: `Insurance: closed`.

    A card's name may be a person's, too: `Jack` stays one.
    """
    who = line.speaker
    if who is None or OTHERS.search(who):
        return line
    rest = DEALER.sub(" ", who)
    told = [one for one in announced(rest) if one.topic != "upcard"]
    if all(one.topic == "total" and (not one.sure or rest != who) for one in told):  # `Kim 7`, `Dealer 7`
        return line
    return msgspec.structs.replace(line, speaker=None, text=f"{who}: {line.text}")


def _announcement(line: SaidLine, one: Announced, p: float, at: float) -> Announcement:
    return Announcement(
        id="t",
        t_start=round(line.t_start + at, 3),
        t_end=round(line.t_end + at, 3),
        p=round(p, 3),
        source="audio",
        topic=one.topic,
        text=line.text[:MOST_TEXT],
        total=one.total,
        cents=one.cents,
    )


def _probability(line: SaidLine) -> float | None:
    """How surely the dealer said a line; None if somebody else did."""
    who = line.speaker
    if who is None:
        p = UNNAMED_P
    elif not DEALER.search(who):
        if OTHERS.search(who):
            return None
        p = UNCLEAR_P
    else:
        p = UNCLEAR_P if OTHERS.search(who) or _NOT_HIM.search(who) else DEALER_P
    return p if line.p is None else min(p, line.p)


def _in_round(event: Announcement, log: EventLog) -> Announcement:
    """Return the announcement with the number of the round in which it was begun."""
    begun = [one for one in log.events if one.round is not None and one.t_start <= event.t_start]
    if not begun:
        return event
    number = max(begun, key=lambda one: one.t_start).round
    ends = [one.t_end for one in log.events if one.round == number]
    return msgspec.structs.replace(event, round=number) if event.t_start <= max(ends) else event


def _clear(said: Sequence[Announcement], log: EventLog) -> list[Announcement]:
    """Without unclear ones where the round has clear ones or many.

    A card that is named once the dealer's own play has begun may be another than the upcard, or the transcript is late.

    Totals are weighed between two of the dealer's cards, as the rule asks for one after each; an unclear one may put
    right a clear one there.
    """
    turns, cards = _turns(log), _dealer_cards(log)
    kept: list[Announcement] = []
    alike: dict[tuple[object, ...], list[Announcement]] = {}
    for event in said:
        if event.topic == "upcard" and event.t_start >= turns.get(event.round, float("inf")):
            event = msgspec.structs.replace(event, p=min(event.p, UNCLEAR_P))
        is_total = event.topic == "total"
        step = (bisect_right(cards, event.t_start), bisect_right(cards, event.t_end)) if is_total else ()
        there = alike.setdefault((event.round, event.topic, step), [])
        unclear = sum(one.p < 0.5 for one in there)
        if event.p < 0.5 and (unclear >= MOST_UNCLEAR or (not is_total and unclear < len(there))):
            continue
        there.append(event)
        kept.append(event)
    return kept


def _dealer_cards(log: EventLog) -> list[float]:
    """When the dealer's cards are dealt or turned, in order."""
    dealt = (one.t_start for one in log.events if isinstance(one, CardDealt) and one.to == "dealer")
    turned = (one.t_start for one in log.events if isinstance(one, CardRevealed) and one.at == "dealer")
    return sorted([*dealt, *turned])


def _turns(log: EventLog) -> dict[int | None, float]:
    """When the dealer's own play begins in each round: the second card is turned, or dealt face up."""
    found: dict[int | None, float] = {}
    dealt: dict[int | None, int] = {}
    for event in log.events:
        number = event.round
        if isinstance(event, CardDealt) and event.to == "dealer" and event.face == "up":
            dealt[number] = dealt.get(number, 0) + 1
            if dealt[number] > 1:
                found.setdefault(number, event.t_start)
        elif isinstance(event, CardRevealed) and event.at == "dealer":
            found.setdefault(number, event.t_start)
    return found
