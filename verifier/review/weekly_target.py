"""Which site and week a weekly document is for, and the minutes that a person states."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.review.recording import read_review
from verifier.review.weeks import week_of
from verifier.store.repository import Store


def target_week(store: Store, site: str | None, week: str | None, review: Path | None) -> tuple[str, str]:
    """Site and week as given, or those of a review's folder. Raises BadInput if they are not to be known."""
    if review is None:
        if site is None or week is None:
            raise BadInput("verifier weekly", "needs --site and --week, or --review", "name them")
        return site, week
    known = read_review(review, store)
    if known is None:
        raise BadInput(review, "this review is not in the store", "review the recording again, or set VERIFIER_HOME")
    if known.play_date is None:
        cause = "the day of play is not known, as no clock was read in the picture"
        raise BadInput(review, cause, "review the recording again with --date 2026-11-17, the day of play")
    return site or known.site or "", week or week_of(known.play_date)


def read_minutes(texts: Iterable[str]) -> dict[str, float]:
    """`["2=75"]` as minutes by table; raises BadInput for anything else."""
    minutes: dict[str, float] = {}
    for text in texts:
        table, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not table or not 0 <= value <= 7 * 24 * 60:
            raise BadInput(f"--minutes {text}", "is no table with minutes", "write it as TABLE=MINUTES, e.g. 2=75")
        minutes[table] = minutes.get(table, 0.0) + value
    return minutes
