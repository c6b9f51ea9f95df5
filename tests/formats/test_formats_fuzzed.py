"""Every reader refuses what no file may hold, wherever it stands, and says in which file, line and field."""

import json

import pytest
import test_formats_events as events
import test_formats_observations as observations
import test_formats_yaml as layouts
import yaml

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.formats.events import read_events
from verifier.formats.findings import read_findings, write_findings
from verifier.formats.house import read_house, write_house
from verifier.formats.layout import read_layout
from verifier.formats.lists import read_list
from verifier.formats.observations import open_observations
from verifier.review.score_findings import Deviation

PLANTED = [{"clause": "ND-08-11.13", "round": 3, "at": "space:2", "t_start": 1.0, "t_end": 2.0}]
DEEP = "[" * 2000 + "]" * 2000
NEVER = ["NaN", "-Infinity", "1e999", "-1e999", "1" + "0" * 30, "9" * 5000, r'"\ud800"', r'"a\udfff"', DEEP,
         '{"a": 1, "a": 2}', "01", "[1,"]  # fmt: skip
"""JSON texts that no reader takes in any place."""
ODD = ["null", "true", "-1", "-0.5", "[]", "{}", '""', '"\\u0000"', "[[[]]]", '{"": null}', "1e300", '"space:9"']
"""JSON texts that some fields may hold."""


def places(value, at=()):
    """Every place within a JSON value; of a list its first item."""
    yield at
    for key, item in (
        value.items() if isinstance(value, dict) else enumerate(value[:1] if isinstance(value, list) else ())
    ):
        yield from places(item, (*at, key))


def with_text(value, at, text):
    """The JSON of a value with one part replaced by raw text."""
    copy = json.loads(json.dumps(value))
    part = copy
    for step in at[:-1]:
        part = part[step]
    part[at[-1]] = "@@@@"
    return json.dumps(copy).replace('"@@@@"', text)


def event_logs(text):
    record = {**events.CARD, "ranks": {"K": 0.9}, "unknown": [1]}
    entry = {**events.COMMON, "id": "e2", "event": "record_entry", "t_start": 3, "t_end": 4, "type": "x", "fields": {}}
    header = json.dumps(events.HEADER)
    for at in list(places(record))[1:]:
        yield at, f"{header}\n{with_text(record, at, text)}\n", "line 2"
    yield ("fields",), f"{header}\n{with_text(entry, ('fields',), text)}\n", "line 2"
    for at in list(places(events.HEADER))[1:]:
        yield at, f"{with_text(events.HEADER, at, text)}\n{json.dumps(record)}\n", "line 1"


def observation_files(text):
    header, record = (json.loads(line) for line in _observations())
    record["unknown"] = 1
    for at in list(places(record))[1:]:
        yield at, f"{json.dumps(header)}\n{with_text(record, at, text)}\n", "line 2"
    for at in list(places(header))[1:]:
        yield at, f"{with_text(header, at, text)}\n{json.dumps(record)}\n", "line 1"


def _observations():
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        return observations.write(Path(folder) / "o.jsonl", observations.FULL).read_text().splitlines()


def findings_files(text):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        write_findings(Path(folder) / "f.json", observations.report())
        whole = json.loads((Path(folder) / "f.json").read_text())
    for at in list(places(whole))[1:]:
        yield at, with_text(whole, at, text), "file"


def deviation_files(text):
    for at in list(places(PLANTED))[1:]:
        yield at, with_text(PLANTED, at, text), "item 1"


KINDS = {
    "events": (event_logs, read_events),
    "observations": (observation_files, lambda path: list(open_observations(path))),
    "findings": (findings_files, read_findings),
    "deviations": (deviation_files, lambda path: read_list(path, Deviation)),
}


def refused(read, path, text):
    path.write_text(text, "utf-8")
    try:
        read(path)
    except BadInput as error:
        assert "\n" not in str(error) and str(error).startswith(f"{path}: ") and error.remedy
        return error
    return None


@pytest.mark.parametrize("bad", NEVER, ids=lambda text: text[:12])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_is_no_json_value_is_refused_in_every_place(tmp_path, kind, bad):
    files, read = KINDS[kind]
    for at, text, where in files(bad):
        error = refused(read, tmp_path / "file", text)
        if kind == "observations" and "twice" not in str(error) and bad.startswith('{"a"') and at == ("unknown",):
            continue  # of the many observations only the records' own names are looked at, for speed
        assert error is not None, at
        if kind != "deviations":
            assert error.where.startswith(where), at
        if bad in NEVER[:8]:
            assert "field" in error.where or kind == "deviations", (at, str(error))


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_odd_value_is_read_or_refused_with_its_field(tmp_path, kind, odd):
    files, read = KINDS[kind]
    for at, text, where in files(odd):
        error = refused(read, tmp_path / "file", text)
        if error is not None:
            assert error.where.startswith((where, "file")), (at, str(error))
            assert "field" in error.where or len(at) == 1, (at, str(error))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_file_cut_off_anywhere_is_read_or_refused(tmp_path, kind):
    files, read = KINDS[kind]
    whole = next(iter(files("1")))[1]
    for end in range(0, len(whole), 7):
        error = refused(read, tmp_path / "file", whole[:end])
        assert error is None or error.where or end < 2 or "empty" in error.cause


def test_shoes_are_counted_from_1_and_cards_may_begin_at_0(tmp_path):
    assert events.refusal(tmp_path, events.HEADER, {**events.CARD, "shoe": 0}).where == "line 2, field shoe"
    assert events.refusal(tmp_path, events.HEADER, {**events.CARD, "seq": -1}).where == "line 2, field seq"
    for name, value in (("seq", 0), ("seq", None), ("shoe", None)):
        assert read_events(events.write(tmp_path, events.HEADER, {**events.CARD, name: value}))


def test_pick_ups_are_counted_from_1(tmp_path):
    record = {
        "id": "e1",
        "t_start": 1,
        "t_end": 2,
        **events.COMMON,
        "event": "cards_collected",
        "from": "space:1",
        "order": 0,
        "to": "discard",
    }
    assert events.refusal(tmp_path, events.HEADER, record).where == "line 2, field order"


@pytest.mark.parametrize(
    "line",
    [r'{"\u0069d": "other", ' + json.dumps(events.CARD)[1:], json.dumps(events.CARD)[:-1] + ', "x" :1, "x" :2}'],
    ids=["escaped", "spaced"],
)
def test_a_name_that_repeats_is_seen_however_it_is_written(tmp_path, line):
    assert "twice" in events.refusal(tmp_path, events.HEADER, line).cause


@pytest.mark.parametrize("text", [b"\xff\xfe{\x00}\x00", b"\x00", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf{}"])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_other_encodings_are_refused(tmp_path, kind, text):
    path = tmp_path / "file"
    path.write_bytes(text)
    with pytest.raises(BadInput):
        KINDS[kind][1](path)


def test_lines_may_end_the_windows_way(tmp_path):
    path = events.write(tmp_path, events.HEADER, *events.all_kinds())
    whole = read_events(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_events(path) == whole


YAML_NEVER = [".nan", ".inf", "-.inf", "9" * 5000, "[" * 200 + "]" * 200, "2026-13-45", '"\\ud800"', "-1", "{}",
              "!!x 1", "'", "*a"]  # fmt: skip


def yaml_with(value, at, text):
    copy = json.loads(json.dumps(value))
    part = copy
    for step in at[:-1]:
        part = part[step]
    part[at[-1]] = "@@@@"
    return yaml.dump(copy, Dumper=layouts.NoAlias, sort_keys=False).replace("'@@@@'", text)


@pytest.mark.parametrize("odd", YAML_NEVER, ids=lambda text: text[:8])
def test_layouts_and_houses_are_read_or_refused_with_their_line(tmp_path, odd):
    write_house(tmp_path / "h.yaml", House(disabled_dealer=["D1"], tip_bet_max=500, inactivity_reshuffle=15))
    house = yaml.safe_load((tmp_path / "h.yaml").read_text())
    table = json.loads(json.dumps(layouts.LAYOUT))
    for read, whole in ((read_house, house), (read_layout, table)):
        for at in list(places(whole))[1:]:
            error = refused(read, tmp_path / "file", yaml_with(whole, at, odd))
            assert error is None or (error.where or "").startswith("line ") or "cannot be read" in error.cause, at


@pytest.mark.parametrize("bad", [*NEVER, "-5", '"x"'], ids=lambda text: text[:12])
def test_the_command_ends_with_2_and_one_line(tmp_path, capsys, bad):
    path = tmp_path / "log.events.jsonl"
    path.write_text(f"{json.dumps(events.HEADER)}\n{with_text(events.CARD, ('seq',), bad)}\n", "utf-8")
    assert run(["check", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1 and f"{path}: line 2" in said.err
