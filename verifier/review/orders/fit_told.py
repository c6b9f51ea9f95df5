"""What the fit check says of a review: whether the table's layout fits the recording."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.review.products import KEPT_COVERAGE


class _Check(Struct, frozen=True):
    ok: bool | None
    says: str


class _Fit(Struct, frozen=True):
    ok: bool
    checks: list[_Check]


class _Coverage(Struct, frozen=True):
    fit: _Fit | None = None


def fit_sentences(folder: Path) -> tuple[bool, list[str]]:
    """Tell whether the layout fits, and the sentences of what does not; (True, []) where a review was not checked."""
    try:
        report = msgspec.json.decode((folder / KEPT_COVERAGE).read_bytes(), type=_Coverage)
    except (OSError, msgspec.DecodeError):
        return True, []
    if report.fit is None:
        return True, []
    return report.fit.ok, [check.says for check in report.fit.checks if check.ok is False]
