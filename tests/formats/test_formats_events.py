import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.domain.errors import BadInput
from verifier.domain.events import CardDealt, EventLog, EventsHeader
from verifier.formats import events as reader
from verifier.formats.events import read_events, write_events
from verifier.formats.json_text import parse_object

HEADER = {
    "format": "verifier-events", "version": 1, "rulebook": "nd-twenty-one", "site": "0123", "table": "2",
    "date": "2026-11-02", "house": {"dealing_method": "hole_card_no_peek", "table_limits": {"min": 100, "max": 2500}},
    "video": None, "channels": ["video"],
}  # fmt: skip
COMMON = {"p": 0.99, "source": "video", "clock": None, "round": 1, "shoe": 1, "dealer": "D1", "occluded": False}
CARD = {"id": "e1", "event": "card_dealt", "t_start": 1.0, "t_end": 2.0, **COMMON,
        "card": "Kh", "to": "space:3", "face": "up", "seq": 1}  # fmt: skip
OWN = [
    {"event": "card_dealt", "card": "??", "to": "dealer", "face": "down", "seq": None, "ranks": {"K": 0.9}},
    {"event": "card_revealed", "card": "5s", "at": "dealer", "how": "turned"},
    {"event": "card_burned", "card": "??", "face_shown": False},
    {"event": "cards_moved", "kind": "split", "from": "space:3", "to": "space:3/1"},
    {"event": "cards_collected", "from": "space:3/1", "order": 1, "to": "discard"},
    {"event": "wager_placed", "kind": "tip", "at": "space:3", "cents": None, "chips": {"100": 2}, "lower_bound": True},
    {"event": "hand_signal", "at": "space:1", "meaning": "hit"},
    {"event": "chips_collected", "kind": "original", "at": "space:1", "cents": 500, "to": "hand", "hand": None},
    {"event": "chips_fanned", "owner": "wager", "at": "space:1", "cents": 5, "direction": "side", "set_sizes": [1, 2]},
    {"event": "hands_shown", "left_palm": True, "left_back": None, "right_palm": False, "right_back": True,
     "fingers_extended": True, "duration": 1.2},
    {"event": "round_started"},
    {"event": "record_entry", "type": "roster", "fields": {"pit_boss": True}},
    {"event": "player_presence", "phase": "arrive", "at": ["seat:1"]},
    {"event": "tip_receptacle_taken"},
    {"event": "currency_spread", "bills": {"2000": 1}, "cents": 2000, "overlap": 0.5},
]  # fmt: skip


def write(tmp_path, *lines):
    path = tmp_path / "log.events.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n", "utf-8")
    return path


def refusal(tmp_path, *lines):
    with pytest.raises(BadInput) as caught:
        read_events(write(tmp_path, *lines))
    assert "\n" not in str(caught.value)
    return caught.value


def all_kinds():
    return [{"id": f"e{n}", "t_start": n, "t_end": n + 0.5, **COMMON, **own} for n, own in enumerate(OWN)]


def test_a_log_reads_and_writes_back_equal(tmp_path):
    log = read_events(write(tmp_path, HEADER, *all_kinds()))
    assert len(log.events) == len(OWN)
    again = tmp_path / "again.jsonl"
    write_events(again, log)
    assert read_events(again) == log
    first = again.read_bytes()
    write_events(again, read_events(again))
    assert again.read_bytes() == first


def test_required_fields_alone_are_enough(tmp_path):
    bare = {"id": "a", "event": "push_tapped", "t_start": 1, "t_end": 1, "p": 1, "source": "video", "at": "space:1"}
    event = read_events(write(tmp_path, HEADER, bare)).events[0]
    assert event.round is None and event.occluded is False


def test_hand_0_is_read_as_the_space(tmp_path):
    assert read_events(write(tmp_path, HEADER, {**CARD, "to": "space:3/0"})).events[0].to == "space:3"


def test_blank_lines_at_the_end_and_a_byte_order_mark_are_fine(tmp_path):
    path = write(tmp_path, HEADER, CARD, "", "  ")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert len(read_events(path).events) == 1


def test_irregular_play_is_never_refused(tmp_path):
    odd = {**CARD, "to": "space:7/3", "face": "down", "seq": 900, "round": None}
    assert len(read_events(write(tmp_path, HEADER, odd, {**odd, "id": "e2"})).events) == 2


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"card": "Kx"}, "card", "a card such as Kh"),
        ({"to": "space:3/10"}, "to", "space:3/10"),
        ({"to": "space:8"}, "to", "a place such as"),
        ({"t_end": 0.5}, "t_end", "before t_start"),
        ({"t_start": "1"}, "t_start", "a number"),
        ({"p": 1.01}, "p", "from 0 to 1"),
        ({"p": None}, "p", "found null"),
        ({"event": "card_delt"}, "event", "did you mean card_dealt?"),
        ({"event": 3}, "event", "a name such as"),
        ({"face": "sideways"}, "face", "one of down, up"),
        ({"seq": -1}, "seq", "a whole number from 0"),
        ({"seq": 1.5}, "seq", "a whole number"),
        ({"ranks": {"X": 0.5}}, "ranks", "a rank A 2-9"),
        ({"ranks": {"K": 0.9, "Q": 2}}, "ranks.Q", "from 0 to 1"),
        ({"id": ""}, "id", "text of 1"),
        ({"source": "radio"}, "source", "video"),
        ({"event": "wager_placed", "kind": "bonus", "at": "space:1", "cents": 1}, "kind", "original"),
        ({"event": "wager_placed", "kind": "tip", "at": "space:1", "cents": -1}, "cents", "whole cents"),
        ({"event": "wager_placed", "kind": "tip", "at": "space:1", "cents": 1, "chips": {"x": 1}}, "chips", "'x': 1"),
        ({"event": "chips_fanned", "owner": "tip", "at": "dealer", "cents": 1, "set_sizes": [1, "2"]}, "set_sizes[1]",
         "a whole number"),
        ({"event": "cards_moved", "kind": "split"}, "from", "missing"),
        ({"event": "player_action", "at": "space:3", "action": "fold"}, "at", "a seat such as seat:4"),
        ({"event": "button_moved", "to": "dealer"}, "to", "a seat such as seat:4"),
        ({"event": "pot_awarded", "at": "board", "cents": 1, "pot": 0, "portion": "high"}, "at", "a seat such as"),
        ({"event": "bank_changed", "action": "passed", "cents": None, "to": "bank"}, "to", "a seat such as seat:4"),
    ],
)  # fmt: skip
def test_a_bad_value_names_line_field_and_expectation(tmp_path, change, field, said):
    error = refusal(tmp_path, HEADER, {**CARD, "id": "e0"}, {**CARD, **change})
    assert error.where == f"line 3, field {field}"
    assert said in error.cause


RECORD = {**CARD, "event": "record_entry", "type": "roster"}


@pytest.mark.parametrize("day", ["10/05/2026", "yesterday", "2026-1-5", "2026-02-30", "0000-01-01"])
def test_a_records_date_is_a_day_of_the_calendar(tmp_path, day):
    error = refusal(tmp_path, HEADER, {**RECORD, "date": day})
    assert error.where.startswith("line 2")
    assert "a day such as 2026-11-02" in error.cause or f"date {day} is no day of the calendar" in error.cause


@pytest.mark.parametrize("day", [None, "", "2028-02-29", "2026-10-05T23:59:00-05:00"])
def test_a_records_date_may_be_unknown_blank_or_a_moment(tmp_path, day):
    assert read_events(write(tmp_path, HEADER, {**RECORD, "date": day})).events[0].date == day


@pytest.mark.parametrize("field", ["id", "event", "t_start", "t_end", "p", "source", "card", "to", "face"])
def test_a_missing_field_is_named(tmp_path, field):
    error = refusal(tmp_path, HEADER, {name: value for name, value in CARD.items() if name != field})
    assert error.where == f"line 2, field {field}"
    assert "missing" in error.cause


def test_seq_is_required_but_may_be_null(tmp_path):
    assert read_events(write(tmp_path, HEADER, {**CARD, "seq": None})).events[0].seq is None
    bare = {name: value for name, value in CARD.items() if name != "seq"}
    assert refusal(tmp_path, HEADER, bare).where == "line 2, field seq"


@pytest.mark.parametrize(
    ("change", "where", "said"),
    [
        ({"format": "verifier-observations"}, "line 1, field format", "this is a verifier-observations file"),
        ({"format": None}, "line 1, field format", "expected verifier-events"),
        ({"version": 2}, "line 1, field version", "found version 2"),
        ({"rulebook": "nd-baccarat"}, "line 1, field rulebook", "nd-twenty-one"),
        ({"rulebook": None}, "line 1, field rulebook", "missing"),
        ({"date": "2.11.2026"}, "line 1, field date", "2026-11-02"),
        ({"house": {"hit_soft_18": True}}, "line 1, house, field hit_soft_18", "did you mean hit_soft_17?"),
        ({"house": {"hit_soft_17": "yes"}}, "line 1, house, field hit_soft_17", "true or false"),
        ({"house": {"table_limits": {"min": 900, "max": 100}}}, "line 1, house, field table_limits", "above the most"),
        ({"house": {"seats": ["seat:1", "seat:2", "seat:1"]}}, "line 1, house, field seats", "seat:1 is named twice"),
        ({"house": {"seats": []}}, "line 1, house, field seats", "empty"),
        ({"house": {"poker_ante": -5}}, "line 1, house, field poker_ante", "whole cents"),
        (
            {"house": {"poker_blinds": {"small": -1, "big": 2}}},
            "line 1, house, field poker_blinds.small",
            "whole cents",
        ),
        ({"house": {"stacks": {"seat 1": 5}}}, "line 1, house, field stacks", "a seat such as seat:4"),
        ({"house": {"stacks": {"seat:1": -5}}}, "line 1, house, field stacks.seat:1", "whole cents"),
        ({"channels": ["smell"]}, "line 1, field channels[0]", "audio"),
    ],
)
def test_a_bad_header_is_refused(tmp_path, change, where, said):
    error = refusal(tmp_path, {**HEADER, **change}, CARD)
    assert error.where == where
    assert said in error.cause


@pytest.mark.parametrize(
    ("lines", "where", "said"),
    [
        ([CARD], "line 1, field format", "expected verifier-events"),
        ([HEADER, CARD, CARD], "line 3, field id", "used before"),
        ([HEADER, CARD, {**CARD, "id": "e2", "t_end": 1.5}], "line 3, field t_end", "ordered by t_end"),
        ([HEADER, "", CARD], "line 2", "blank"),
        ([HEADER, json.dumps(CARD)[:40]], "line 2", "no whole JSON object"),
        ([HEADER, "[1]"], "line 2", "an object in braces"),
        ([HEADER, "hello}"], "line 2", "no JSON object"),
        ([HEADER, json.dumps(CARD)[:-1] + ', "card": "Ah"}'], "line 2, field card", "'card' occurs twice"),
        ([HEADER, json.dumps({**CARD, "t_end": float("nan")})], "line 2, field t_end", "finite number"),
        ([HEADER, json.dumps(CARD).replace("2.0", "1e999")], "line 2, field t_end", "finite number"),
        ([HEADER, '{"a":' + "[" * 50000 + "]" * 50000 + "}"], "line 2", "nested too deeply"),
    ],
)
def test_a_broken_stream_is_refused(tmp_path, lines, where, said):
    error = refusal(tmp_path, *lines)
    assert error.where == where
    assert said in error.cause


def test_repeated_names_in_different_objects_are_fine(tmp_path):
    odd = {**CARD, "event": "record_entry", "type": "other", "fields": {"a": {"x": 1}, "b": {"x": 2}, "id": 3}}
    assert len(read_events(write(tmp_path, HEADER, odd)).events) == 1


def test_text_that_is_not_utf_8_is_refused(tmp_path):
    path = write(tmp_path, HEADER, CARD)
    path.write_bytes(path.read_bytes().replace(b'"D1"', b'"D\xff"'))
    with pytest.raises(BadInput, match=r"line 2: the line is not UTF-8"):
        read_events(path)


def test_control_characters_never_reach_the_message(tmp_path):
    error = refusal(tmp_path, HEADER, {**CARD, "card": "\x1b[31mred" + "x" * 500})
    assert "\x1b" not in str(error) and len(str(error)) < 300


def test_writing_refuses_what_reading_would(tmp_path):
    log = read_events(write(tmp_path, HEADER, CARD))
    target = tmp_path / "out.jsonl"
    for events, said in [
        ((log.events[0], log.events[0]), "used twice"),
        (
            (
                CardDealt(
                    id="x", t_start=0, t_end=float("nan"), p=1, source="video", card="Kh", to="dealer", face="up", seq=1
                ),
            ),
            "t_end",
        ),
    ]:
        with pytest.raises(BadInput, match=said):
            write_events(target, EventLog(log.header, events))
        assert not target.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["log.events.jsonl"]


TIMES = st.lists(st.floats(0, 1e6, allow_nan=False), min_size=1, max_size=6).map(sorted)


@settings(max_examples=50, deadline=None, database=None)
@given(times=TIMES, dealer=st.one_of(st.none(), st.text(max_size=20)), p=st.floats(0, 1))
def test_any_log_round_trips_exactly(tmp_path_factory, times, dealer, p):
    events = tuple(
        CardDealt(
            id=f"e{n}", t_start=t, t_end=t, p=p, source="video", dealer=dealer, card="Kh", to="dealer", face="up", seq=n
        )
        for n, t in enumerate(times, start=1)
    )
    log = EventLog(EventsHeader(format="verifier-events", version=1, rulebook="nd-poker", site=dealer), events)
    path = tmp_path_factory.mktemp("trip") / "log.jsonl"
    write_events(path, log)
    assert read_events(path) == log


def test_60_000_events_read_in_good_time(tmp_path):
    """Held against what bare JSON takes in the same process just then: a loaded machine slows both."""
    lines = [json.dumps({**CARD, "id": f"e{n}", "t_start": n, "t_end": n, "seq": n + 1}) for n in range(60_000)]
    path = write(tmp_path, HEADER, *lines)

    def ratio():
        start = time.process_time()
        assert len(read_events(path).events) == 60_000
        read = time.process_time()
        assert len([json.loads(line) for line in path.read_bytes().splitlines()]) == 60_001
        return (read - start) / (time.process_time() - read)

    assert any(ratio() < 5 for _ in range(3))


def test_only_odd_lines_are_parsed_twice(tmp_path, monkeypatch):
    parsed = []
    monkeypatch.setattr(reader, "parse_object", lambda *given: parsed.append(given[2]) or parse_object(*given))
    odd = {**CARD, "id": 'e"2', "seq": 2}
    read_events(write(tmp_path, HEADER, json.dumps({**CARD, "id": "e1"}), json.dumps(odd)))
    assert parsed == ["line 1", "line 3"]
