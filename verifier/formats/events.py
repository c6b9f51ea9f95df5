"""Event logs (`*.events.jsonl`, docs/formats.md)."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.events import EVENTS_FORMAT, EVENTS_VERSION, AnyEvent, Event, EventLog, EventsHeader
from verifier.formats.files import MOST_LOG_BYTES, PathLike, open_input, read_lines, replacing
from verifier.formats.house import house_from, plain_options
from verifier.formats.json_text import parse_object
from verifier.formats.records import check_format, convert_object, decode_record

_DECODER: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent)
_ENCODER: Final = msgspec.json.Encoder()
_NAMES: Final = re.compile(rb'"([^"]*)"\s*:')
_HAND_0: Final = re.compile(rb'"(space:[1-7])/0"')
_EARLIER: Final = (
    (re.compile(rb'"card_before"(\s*:)'), rb'"was"\1'),
    (re.compile(rb'"card_after"(\s*:)'), rb'"card"\1'),
)
"""What earlier versions called the fields of `card_replaced`, and what they are called."""


def read_events(path: PathLike, rulebook: str | None = None) -> EventLog:
    """Read and validate a whole log; `space:3/0` becomes `space:3`. `rulebook` is for a log that names none.

    Raises BadInput naming file, line, field and what was expected: another format or version, an unknown event, house
    option or place, a value out of range, an id used twice, or records out of order of `t_end`.
    """
    with open_input(path) as stream:
        lines = read_lines(path, stream, MOST_LOG_BYTES)
        first = next(lines, None)
        if first is None:
            raise BadInput(path, "the file is empty, expected a header line", "check how the log was written")
        header = events_header(path, parse_object(path, first[1], "line 1"), rulebook)
        events: list[AnyEvent] = []
        seen: set[str] = set()
        last = float("-inf")
        for number, line in lines:
            event = _event(path, line, number)
            if event.id in seen:
                raise _bad(path, number, "id", f"the id {event.id!r} was used before", "give each record its own id")
            if event.t_end < last:
                cause = f"found {event.t_end} after {last}, expected records ordered by t_end"
                raise _bad(path, number, "t_end", cause, "sort the records by t_end")
            seen.add(event.id)
            last = event.t_end
            events.append(event)
    return EventLog(header, tuple(events))


def events_header(path: PathLike, value: dict[str, object], rulebook: str | None = None) -> EventsHeader:
    """Return the header of a log from builtins, with its house options validated. Raises BadInput where they are not
    valid.
    """
    check_format(path, value, EVENTS_FORMAT, EVENTS_VERSION)
    usual = {} if rulebook is None else {"rulebook": rulebook}
    given = usual | {name: item for name, item in value.items() if item is not None}
    header = convert_object(path, given, EventsHeader, "line 1")
    house_from(header.house, path, "line 1, house")
    return msgspec.structs.replace(header, house=plain_options(header.house))


def write_events(path: PathLike, log: EventLog) -> None:
    """Write a log that reads back equal.

    Raises BadInput when ids repeat, times go back, an event holds a value that no reader would accept, or the file
    cannot be written.
    """
    _check_order(path, log.events)
    with replacing(path) as stream:
        stream.write(_ENCODER.encode(log.header) + b"\n")
        for number, event in enumerate(log.events, start=2):
            line = _ENCODER.encode(event)
            decode_record(path, _DECODER, line, number)
            stream.write(line + b"\n")


def _event(path: PathLike, line: bytes, number: int) -> AnyEvent:
    if b'/0"' in line:
        line = _HAND_0.sub(rb'"\1"', line)
    if b'"card_before"' in line:
        for earlier, name in _EARLIER:
            line = earlier.sub(name, line)
    event = decode_record(path, _DECODER, line, number)
    names = _NAMES.findall(line)
    if len(set(names)) != len(names) or b"\\" in line:
        parse_object(path, line, f"line {number}")
    return event


def _check_order(path: PathLike, events: tuple[Event, ...]) -> None:
    seen: set[str] = set()
    last = float("-inf")
    for event in events:
        if event.id in seen:
            raise BadInput(path, f"the id {event.id!r} is used twice", "give each event its own id")
        if event.t_end < last:
            raise BadInput(path, f"event {event.id} ends before the one ahead of it", "sort the events by t_end")
        seen.add(event.id)
        last = event.t_end


def _bad(path: PathLike, number: int, field: str, cause: str, remedy: str) -> BadInput:
    return BadInput(path, cause, remedy, where=f"line {number}, field {field}")
