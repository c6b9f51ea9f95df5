"""Findings (`*.findings.json`), and what one look alone told (`unconfirmed.json`); docs/formats.md."""

from __future__ import annotations

import msgspec

from verifier.domain.findings import (
    FINDINGS_FORMAT,
    FINDINGS_VERSION,
    UNCONFIRMED_FORMAT,
    UNCONFIRMED_VERSION,
    FindingsReport,
    UnconfirmedReport,
)
from verifier.formats.files import PathLike, read_bytes, replacing
from verifier.formats.json_text import parse_object
from verifier.formats.records import check_format, convert_object


def read_findings(path: PathLike) -> FindingsReport:
    """Read a findings file. Raises BadInput naming the field and what was expected."""
    value = parse_object(path, read_bytes(path).strip(), "file")
    check_format(path, value, FINDINGS_FORMAT, FINDINGS_VERSION, "file")
    return convert_object(path, value, FindingsReport, "file")


def findings_json(report: FindingsReport) -> str:
    """Return the report as indented JSON text."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode()


def write_findings(path: PathLike, report: FindingsReport) -> None:
    """Write a findings file that reads back equal. Raises BadInput when it cannot be written."""
    with replacing(path) as stream:
        stream.write(findings_json(report).encode() + b"\n")


def read_unconfirmed(path: PathLike) -> UnconfirmedReport:
    """Read a file of violations that one look alone reported. Raises BadInput naming the field and what was
    expected.
    """
    value = parse_object(path, read_bytes(path).strip(), "file")
    check_format(path, value, UNCONFIRMED_FORMAT, UNCONFIRMED_VERSION, "file")
    return convert_object(path, value, UnconfirmedReport, "file")


def write_unconfirmed(path: PathLike, report: UnconfirmedReport) -> None:
    """Write a file of violations that one look alone reported, so that it reads back equal. Raises BadInput when it
    cannot be written.
    """
    with replacing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
