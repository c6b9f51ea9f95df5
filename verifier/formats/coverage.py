"""What of a recording was watched (`coverage.json`); docs/formats.md."""

from __future__ import annotations

import msgspec

from verifier.domain.coverage import COVERAGE_FORMAT, COVERAGE_VERSION, CoverageReport
from verifier.formats.files import PathLike, read_bytes, replacing
from verifier.formats.json_text import parse_object
from verifier.formats.records import check_format, convert_object


def read_coverage(path: PathLike) -> CoverageReport:
    """Read a coverage file. Raises BadInput naming the field and what was expected."""
    value = parse_object(path, read_bytes(path).strip(), "file")
    check_format(path, value, COVERAGE_FORMAT, COVERAGE_VERSION, "file")
    return convert_object(path, value, CoverageReport, "file")


def write_coverage(path: PathLike, report: CoverageReport) -> None:
    """Write a coverage file that reads back equal. Raises BadInput when it cannot be written."""
    with replacing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
