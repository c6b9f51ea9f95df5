"""No reader may fail otherwise than by BadInput, whatever the bytes."""

import contextlib
import json

import pytest
import test_formats_events as events
import test_formats_observations as observations
import test_formats_yaml as layouts
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.formats.events import read_events
from verifier.formats.findings import read_findings, read_unconfirmed, write_findings, write_unconfirmed
from verifier.formats.house import read_house, write_house
from verifier.formats.layout import read_layout
from verifier.formats.observations import open_observations


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    log = events.write(folder, events.HEADER, *events.all_kinds())
    seen = observations.write(folder / "o.jsonl", observations.FULL)
    write_findings(folder / "f.json", observations.report())
    write_unconfirmed(folder / "u.json", observations.unconfirmed())
    write_house(folder / "h.yaml", House(dealing_method="no_hole_card", disabled_dealer=["D1"]))
    layout = layouts.write(folder, yaml.dump(layouts.LAYOUT, Dumper=layouts.NoAlias))
    files = {"events": log, "observations": seen, "findings": folder / "f.json", "unconfirmed": folder / "u.json"}
    files["house"] = folder / "h.yaml"
    return folder, {name: file.read_bytes() for name, file in {**files, "layout": layout}.items()}


READERS = {
    "events": read_events, "observations": lambda path: list(open_observations(path)), "findings": read_findings,
    "unconfirmed": read_unconfirmed, "house": read_house, "layout": read_layout,
}  # fmt: skip
JUNK = st.sampled_from([
    b"", b"\x00", b"\xff", b'"', b"{", b"}", b"[", b"]", b":", b",", b"-", b"null", b"1e999", b"\n", b"NaN", b"*a",
    b"&a", b"!!", b"\\ud800", b"99999999999999999999999", b"0x", b"1_0", b"~", b"'", b"%", b"@", b"{}", b"[]", b"\t",
    b"/0", b"? ", b"!!int ", b"<<: ", b"2026-13-45", b"\xe2\x80\xa8",
])  # fmt: skip


@pytest.mark.parametrize("kind", sorted(READERS))
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_bytes_are_read_or_refused(samples, kind, data):
    folder, contents = samples
    content = contents[kind]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        stop = min(len(content), start + data.draw(st.integers(0, 12)))
        content = content[:start] + data.draw(JUNK) + content[stop:]
    path = folder / "mutated"
    path.write_bytes(content)
    with contextlib.suppress(BadInput):
        READERS[kind](path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["space:1", "Kh"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_in_any_field_is_read_or_refused(samples, data):
    folder, _ = samples
    record = {**data.draw(st.sampled_from(events.all_kinds()))}
    record[data.draw(st.sampled_from(sorted(record)))] = data.draw(JSON)
    path = folder / "field"
    path.write_text(json.dumps(events.HEADER) + "\n" + json.dumps(record) + "\n")
    with contextlib.suppress(BadInput):
        read_events(path)
