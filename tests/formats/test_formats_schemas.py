import json
from functools import cache

import jsonschema
import pytest
import test_formats_events as events
import test_formats_observations as observations
import test_formats_yaml as layouts
import yaml

from verifier.domain.coverage import CoverageReport, Stretch
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.formats.coverage import read_coverage, write_coverage
from verifier.formats.events import read_events, write_events
from verifier.formats.findings import findings_json, write_unconfirmed
from verifier.formats.house import write_house
from verifier.formats.layout import layout_from, write_layout
from verifier.formats.schemas import NAMES, make_schema, shipped_schema, write_schemas


@pytest.mark.parametrize("name", NAMES)
def test_shipped_schemas_are_up_to_date(name):
    message = "run python -m verifier.formats.schemas"
    assert shipped_schema(name) == json.loads(json.dumps(make_schema(name))), message
    jsonschema.Draft202012Validator.check_schema(shipped_schema(name))


@cache
def validator(name):
    return jsonschema.Draft202012Validator(shipped_schema(name))


def validate(value, name):
    validator(name).validate(value)


def test_written_logs_satisfy_the_schemas(tmp_path):
    path = tmp_path / "again.jsonl"
    write_events(path, read_events(events.write(tmp_path, events.HEADER, *events.all_kinds())))
    header, *records = path.read_text().splitlines()
    validate(json.loads(header), "events-header")
    for record in records:
        validate(json.loads(record), "event")


def test_written_observations_satisfy_the_schemas(tmp_path):
    header, record = observations.write(tmp_path / "o.jsonl", observations.FULL).read_text().splitlines()
    validate(json.loads(header), "observations-header")
    validate(json.loads(record), "observation")


def test_written_findings_satisfy_the_schema():
    validate(json.loads(findings_json(observations.report())), "findings")


def test_what_one_look_alone_told_satisfies_the_schema(tmp_path):
    write_unconfirmed(tmp_path / "u.json", observations.unconfirmed())
    validate(json.loads((tmp_path / "u.json").read_text()), "unconfirmed")


COVERAGE = CoverageReport(
    recorded=12.0,
    watched=8.0,
    stretches=[
        Stretch(t_start=0.0, t_end=8.0, clock_start="2026-11-02T21:00:01", state="watched"),
        Stretch(t_start=8.0, t_end=12.0, state="gap", why="nothing was recorded"),
    ],
)


def test_written_coverage_satisfies_the_schema_and_reads_back(tmp_path):
    write_coverage(tmp_path / "c.json", COVERAGE)
    validate(json.loads((tmp_path / "c.json").read_text()), "coverage")
    assert read_coverage(tmp_path / "c.json") == COVERAGE
    assert (COVERAGE.complete, [one.state for one in COVERAGE.unwatched]) == (False, ["gap"])


def test_a_coverage_file_with_an_unknown_state_is_refused(tmp_path):
    write_coverage(tmp_path / "c.json", COVERAGE)
    text = (tmp_path / "c.json").read_text()
    (tmp_path / "c.json").write_text(text.replace('"gap"', '"asleep"'))
    with pytest.raises(BadInput, match=r"stretches.*state"):
        read_coverage(tmp_path / "c.json")


def test_written_yaml_satisfies_the_schemas(tmp_path):
    write_layout(tmp_path / "l.yaml", layout_from(layouts.LAYOUT))
    layout = yaml.safe_load((tmp_path / "l.yaml").read_text())
    validate({**layout, "spaces": {str(number): space for number, space in layout["spaces"].items()}}, "layout")
    write_house(tmp_path / "h.yaml", House(dealing_method="no_hole_card", hit_soft_17=True))
    validate(yaml.safe_load((tmp_path / "h.yaml").read_text()), "house")


@pytest.mark.parametrize("change", [{"card": "Kx"}, {"to": "space:3/10"}, {"p": 2}, {"event": "nothing"}])
def test_the_schema_refuses_what_the_reader_refuses(change):
    with pytest.raises(jsonschema.ValidationError):
        validate({**events.CARD, **change}, "event")


def test_schemas_are_written_as_shipped(tmp_path):
    for file in write_schemas(tmp_path):
        assert json.loads(file.read_text()) == shipped_schema(file.name.removesuffix(".schema.json"))
