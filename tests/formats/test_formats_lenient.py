"""What other people's writers do: numbers without a fraction as floats, nulls for what is not known."""

import gzip
import json

import pytest
from click.testing import CliRunner

from verifier.domain.errors import BadInput
from verifier.formats.events import read_events, write_events
from verifier.formats.layout import layout_from
from verifier.formats.observations import open_observations
from verifier.law.commands import check_command
from verifier.law.judge import judge

HEADER = {"format": "verifier-events", "version": 1, "rulebook": "nd-twenty-one"}
WAGER = {
    "id": "e1", "event": "wager_placed", "t_start": 1, "t_end": 2, "p": 1, "source": "video", "round": 1, "shoe": 1,
    "kind": "original", "at": "space:2", "cents": 500, "chips": {"500": 1},
}  # fmt: skip
SEEN = {
    "t": 1, "frame": 30, "cards": [{"id": 7, "face": "up", "p": 1, "quad": [[0, 0], [9, 0], [9, 9], [0, 9]]}],
    "chips": [{"id": 8, "colour": "red", "cents": 500, "p": 1, "center": [5, 5], "radius": 9}],
    "hands": [{"id": 9, "owner": "dealer", "side": "left", "facing": "back", "fingers": 5, "p": 1,
               "box": [0, 0, 9, 9]}],
}  # fmt: skip


def floating(value):
    """The same values as a writer gives them that knows floats only."""
    if isinstance(value, dict):
        return {name: floating(item) for name, item in value.items()}
    if isinstance(value, list):
        return [floating(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def written(tmp_path, name, *records):
    path = tmp_path / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_an_event_log_of_floats_is_the_same_log(tmp_path):
    whole = read_events(written(tmp_path, "whole", HEADER, WAGER))
    assert read_events(written(tmp_path, "floats", floating(HEADER), floating(WAGER))) == whole
    assert isinstance(whole.events[0].cents, int)


def test_observations_of_floats_are_the_same(tmp_path):
    header = {"format": "verifier-observations", "version": 1}
    whole = list(open_observations(written(tmp_path, "whole", header, SEEN)))
    assert list(open_observations(written(tmp_path, "floats", header, floating(SEEN)))) == whole


def test_a_fraction_is_no_whole_number(tmp_path):
    with pytest.raises(BadInput, match=r"line 2, field cents: found 500\.5, expected a whole number"):
        read_events(written(tmp_path, "log", HEADER, {**WAGER, "cents": 500.5}))


def test_a_layout_may_tell_its_size_in_floats():
    square = [[0, 0], [99, 0], [99, 99], [0, 99]]
    given = {
        "version": 1.0,
        "image_size": [200.0, 100.0],
        "pixels_per_mm": 1,
        "dealer_side": "bottom",
        "zones": {"dealer": square, "inner": square},
        "spaces": {1: {"area": square}},
    }
    assert layout_from(given).image_size == (200, 100)


def test_a_recording_need_not_be_known_by_its_hash(tmp_path):
    video = {"name": "a.mp4", "width": 1280, "height": 720}
    header = {"format": "verifier-observations", "version": 1, "video": video, "models": [{"name": "mine"}]}
    found = open_observations(written(tmp_path, "seen", header)).header
    assert found.video is not None and found.video.sha256 is None and found.models[0].sha256 is None


def test_what_is_missing_of_a_recording_is_told(tmp_path):
    header = {"format": "verifier-observations", "version": 1, "video": {"name": "a.mp4", "height": 720}}
    with pytest.raises(BadInput, match=r"field video\.width: the field is missing, expected a whole number above 0"):
        open_observations(written(tmp_path, "seen", header))


def test_a_house_option_that_is_null_counts_as_left_out(tmp_path):
    log = read_events(written(tmp_path, "log", {**HEADER, "house": {"even_money": None, "deck_count": 6}}, WAGER))
    assert log.header.house == {"deck_count": 6}
    assert judge(log).rulebook == "nd-twenty-one"


def test_a_log_without_a_rulebook_is_judged_by_the_one_that_is_named(tmp_path):
    path = written(tmp_path, "log", {**HEADER, "rulebook": None}, WAGER)
    told = CliRunner().invoke(check_command, [str(path), "--rulebook", "house-manual", "--json"])
    assert json.loads(told.stdout)["rulebook"] == "house-manual"


def test_the_logs_own_rulebook_stands_in_its_header(tmp_path):
    log = read_events(written(tmp_path, "log", HEADER, WAGER), "house-manual")
    assert log.header.rulebook == "nd-twenty-one"


def test_a_packed_log_is_told_as_such(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(HEADER).encode()))
    with pytest.raises(BadInput, match=r"compressed \(gzip\), expected text; unpack it first"):
        read_events(path)


@pytest.mark.parametrize(("new", "old"), [("card", "was"), ("card_after", "card_before")])
def test_a_replaced_card_reads_by_its_names_of_now_and_of_before(tmp_path, new, old):
    """Earlier versions wrote `card_before` and `card_after`; what they wrote reads, and is written by today's names."""
    times = {"t_start": 1, "t_end": 2, "p": 1, "source": "video", "round": 1}
    record = {"id": "e1", "event": "card_replaced", **times, "at": "space:2", new: "Qc", old: "Jh", "by": "player"}
    log = read_events(written(tmp_path, "one.events.jsonl", HEADER, record))
    (event,) = log.events
    assert (event.card_before, event.card_after, event.by) == ("Jh", "Qc", "player")
    write_events(tmp_path / "again.events.jsonl", log)
    again = json.loads((tmp_path / "again.events.jsonl").read_text().splitlines()[1])
    assert (again["was"], again["card"]) == ("Jh", "Qc") and "card_before" not in again
