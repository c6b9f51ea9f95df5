"""JSON Schemas of every file format, made from the types themselves; shipped in `verifier/formats/schemas/`.

`python -m verifier.formats.schemas` writes them again after a change to a type.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.coverage import CoverageReport
from verifier.domain.enrolment import Enrolment
from verifier.domain.events import AnyEvent, EventsHeader
from verifier.domain.findings import FindingsReport, UnconfirmedReport
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.formats.files import replacing

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_TYPES: Final[dict[str, tuple[object, str]]] = {
    "observations-header": (ObservationsHeader, "First line of an observations file"),
    "observation": (Observation, "A further line of an observations file: one looked-at frame"),
    "events-header": (EventsHeader, "First line of an event log"),
    "event": (AnyEvent, "A further line of an event log"),
    "findings": (FindingsReport, "A findings file"),
    "unconfirmed": (UnconfirmedReport, "Violations that one look alone told"),
    "coverage": (CoverageReport, "What of a recording was watched"),
    "layout": (Layout, "The layout of a table (YAML)"),
    "house": (House, "The house options of a site (YAML)"),
    "enrolment": (Enrolment, "The card faces of a table"),
}
NAMES: Final = tuple(_TYPES)


def make_schema(name: str) -> dict[str, object]:
    """Return the schema made from the type. Raises KeyError for a name outside `NAMES`."""
    type_, title = _TYPES[name]
    return {"$schema": DRAFT, "title": title, **msgspec.json.schema(type_)}


def shipped_schema(name: str) -> dict[str, object]:
    """Return the schema as shipped with the package."""
    text = resources.files("verifier.formats").joinpath("schemas", f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, object] = msgspec.json.decode(text)
    return schema


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema into `folder` and return the files. Raises BadInput when that fails."""
    files = []
    for name in NAMES:
        file = folder / f"{name}.schema.json"
        with replacing(file) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(make_schema(name), order="deterministic"), indent=1))
            stream.write(b"\n")
        files.append(file)
    return files


if __name__ == "__main__":
    write_schemas(Path(__file__).parent / "schemas")
