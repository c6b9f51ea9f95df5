import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.domain.errors import BadInput
from verifier.domain.findings import ClauseVerdict, Finding, FindingsReport, Unconfirmed, UnconfirmedReport
from verifier.domain.observations import (
    CardSeen,
    ChipSeen,
    HandSeen,
    NamedHash,
    Observation,
    ObservationsHeader,
    Quality,
    VideoInfo,
)
from verifier.formats.findings import read_findings, read_unconfirmed, write_findings, write_unconfirmed
from verifier.formats.observations import ObservationWriter, open_observations

HEADER = ObservationsHeader(
    video=VideoInfo(name="a.mp4", sha256="0" * 64, width=1280, height=720, frames=10, duration=0.4),
    layout=NamedHash(name="a.layout.yaml", sha256=None),
    models=[NamedHash(name="d.onnx", sha256="1")],
    sample_hz=12.5,
)
FULL = Observation(
    t=12.345,
    frame=370,
    clock="2026-11-02T21:14:07",
    cards=[CardSeen(id=1, face="up", p=0.9, quad=((0, 0), (1, 0), (1, 1), (0, 1)), rank="K", suit="h", ranks={"K": 1})],
    chips=[ChipSeen(id=None, colour="other", p=0.5, center=(1.5, 2.5), radius=3.0)],
    hands=[
        HandSeen(
            id=2,
            owner="dealer",
            side="left",
            facing="back",
            p=0.9,
            box=(0, 0, 9, 9),
            fingers=5,
            keypoints=[(1.0, 2.0, 0.5)] * 21,
        )
    ],
    quality=Quality(sharpness=143.2, obstructed=0.0, luma=92.0),
)


def write(path, *observations):
    with ObservationWriter(path, HEADER) as writer:
        for observation in observations:
            writer.write(observation)
    return path


def test_observations_round_trip(tmp_path):
    path = write(tmp_path / "o.jsonl", FULL, Observation(t=13.0, frame=400))
    reader = open_observations(path)
    assert reader.header == HEADER
    assert list(reader) == [FULL, Observation(t=13.0, frame=400)]
    assert next(iter(reader)) == FULL


@settings(max_examples=50, deadline=None, database=None)
@given(
    st.lists(st.floats(0, 1e7), max_size=5).map(sorted),
    st.floats(0, 1),
    st.floats(0.001, 1e4),
    st.floats(-1e6, 1e6, allow_nan=False),
)
def test_any_observation_round_trips_exactly(tmp_path_factory, times, p, radius, x):
    seen = [
        Observation(t=t, frame=n, chips=[ChipSeen(id=n, colour="red", p=p, center=(x, -x), radius=radius, cents=500)])
        for n, t in enumerate(times)
    ]
    path = write(tmp_path_factory.mktemp("trip") / "o.jsonl", *seen)
    assert list(open_observations(path)) == seen


def test_the_reader_keeps_one_record_in_memory(tmp_path):
    path = write(tmp_path / "o.jsonl", *(Observation(t=float(n), frame=n, cards=FULL.cards * 20) for n in range(2000)))
    tracemalloc.start()
    assert sum(1 for _ in open_observations(path)) == 2000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 4_000_000 > 4 * peak


def test_the_file_appears_only_when_whole(tmp_path):
    path = tmp_path / "o.jsonl"
    with ObservationWriter(path, HEADER) as writer:
        writer.write(FULL)
        assert not path.exists()
    assert path.exists()
    with pytest.raises(RuntimeError), ObservationWriter(tmp_path / "p.jsonl", HEADER) as writer:
        raise RuntimeError
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="with block"):
        writer.write(FULL)


@pytest.mark.parametrize(
    ("change", "where", "said"),
    [
        ({"t": "x"}, "line 2, field t", "a number"),
        ({"frame": -1}, "line 2, field frame", "0 or more"),
        ({"cards": [{"id": 1, "face": "up", "p": 1, "quad": [[0, 0]]}]}, "line 2, field cards[0].quad", "a list of 4"),
        ({"cards": [{"id": 1, "face": "up", "p": 1}]}, "line 2, field cards[0].quad", "missing"),
        ({"chips": [{"id": 1, "colour": "blue", "p": 1, "center": [0, 0], "radius": 1}]},
         "line 2, field chips[0].colour", "mustard"),
        ({"chips": [{"id": 1, "colour": "red", "p": 1, "center": [0, 0], "radius": 0}]},
         "line 2, field chips[0].radius", "above 0"),
        ({"hands": [{"id": 1, "owner": "dealer", "side": "left", "facing": "back", "p": 1, "box": [0, 0, 1, 1],
                     "fingers": 6}]}, "line 2, field hands[0].fingers", "from 0 to 5"),
        ({"hands": [{"id": 1, "owner": "dealer", "side": "left", "facing": "back", "p": 1, "box": [0, 0, 1, 1],
                     "keypoints": [[1, 1, 1]] * 5}]}, "line 2, field hands[0].keypoints", "21"),
        ({"bills": [{"p": 1, "quad": [[0, 0], [9, 0], [9, 4], [0, 4]], "values": {"20.00": 0.9}}]},
         "line 2, field bills[0].values", "[0-9]"),
    ],
)  # fmt: skip
def test_a_bad_record_names_line_and_field(tmp_path, change, where, said):
    path = write(tmp_path / "o.jsonl")
    path.write_text(path.read_text() + json.dumps({"t": 0.0, "frame": 0, **change}) + "\n")
    with pytest.raises(BadInput) as caught:
        list(open_observations(path))
    assert caught.value.where == where
    assert said in caught.value.cause


def test_time_never_goes_back(tmp_path):
    path = write(tmp_path / "o.jsonl", Observation(t=2.0, frame=2), Observation(t=1.0, frame=3))
    with pytest.raises(BadInput, match=r"line 3, field t: found 1.0 after 2.0"):
        list(open_observations(path))


def test_events_are_no_observations(tmp_path):
    path = tmp_path / "e.jsonl"
    path.write_text('{"format":"verifier-events","version":1}\n')
    with pytest.raises(BadInput, match="this is a verifier-events file"):
        open_observations(path)


def report():
    finding = Finding(
        clause="ND-08-11.12-tie-push",
        cite="N.D. Admin. Code 99-01.3-08-11(12)",
        title="Ties are a push",
        verdict="violation",
        severity="critical",
        round=3,
        at="space:3",
        t_start=61.0,
        t_end=66.5,
        clock=None,
        p=0.96,
        expected="no payoff",
        observed="5.00 paid",
        events=["e00042"],
        also=["ND-08-11.2-no-pay-tie"],
    )
    return FindingsReport(
        rulebook="nd-twenty-one",
        law_as_of="2023-01-01",
        summary={"violation": 1},
        findings=[finding],
        clauses=[ClauseVerdict(clause="ND-x", verdict="not_assessed", checked=0, why="speech")],
    )


def unconfirmed():
    told = report().findings[0]
    return UnconfirmedReport(
        unconfirmed=[Unconfirmed(look="closer", told=told, instead=[told]), Unconfirmed(look="first", told=told)]
    )


def test_what_one_look_alone_told_round_trips(tmp_path):
    write_unconfirmed(tmp_path / "u.json", unconfirmed())
    assert read_unconfirmed(tmp_path / "u.json") == unconfirmed()


def test_there_are_two_looks_and_no_third(tmp_path):
    path = tmp_path / "u.json"
    write_unconfirmed(path, unconfirmed())
    path.write_text(path.read_text().replace('"closer"', '"second"', 1))
    with pytest.raises(BadInput) as caught:
        read_unconfirmed(path)
    assert caught.value.where == "file, field unconfirmed[0].look"


def test_findings_round_trip(tmp_path):
    write_findings(tmp_path / "f.json", report())
    assert read_findings(tmp_path / "f.json") == report()


def test_a_finding_never_passes(tmp_path):
    path = tmp_path / "f.json"
    write_findings(path, report())
    path.write_text(path.read_text().replace('"violation",', '"pass",', 1))
    with pytest.raises(BadInput) as caught:
        read_findings(path)
    assert caught.value.where == "file, field findings[0].verdict"


@pytest.mark.parametrize(
    "told",
    [
        {"chips": None, "hands": None, "cards": None, "bills": None, "cut_cards": None},
        {"quality": {"sharpness": 120.0, "obstructed": None, "luma": None}},
        {"hands": [{"p": 0.9, "box": [0, 0, 9, 9], "owner": None, "side": None}]},
    ],
)
def test_what_is_unknown_is_null_or_left_out(tmp_path, told):
    path = tmp_path / "o.jsonl"
    header = {"format": "verifier-observations", "version": 1, "video": None, "models": None, "sample_hz": None}
    path.write_text(json.dumps(header) + "\n" + json.dumps({"t": 1.0, **told}) + "\n")
    reader = open_observations(path)
    (seen,) = reader
    assert [(hand.owner, hand.side, hand.facing) for hand in seen.hands] == [("unknown",) * 3] * len(
        told.get("hands") or []
    )
    with ObservationWriter(tmp_path / "again.jsonl", reader.header) as writer:
        writer.write(seen)
    assert list(open_observations(tmp_path / "again.jsonl")) == [seen]
    assert (tmp_path / "again.jsonl").read_text().count('"owner":"unknown"') == len(seen.hands)
