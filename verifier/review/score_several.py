"""Scores of several recordings, the worst first, and one page with the mistakes of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.files import write_file
from verifier.review.score import Score, score_folders
from verifier.review.score_gallery import figures, page_of

TRUTH, EVENTS = "truth.events.jsonl", "events.jsonl"
PICTURES_EACH = 60


class Scored(Struct, frozen=True, kw_only=True):
    """A recording's name, its folder of truth, its folder of review, and the score of one against the other."""

    recording: str
    truth: Path
    review: Path
    score: Score

    @property
    def badness(self) -> tuple[int, int]:
        """Wrong verdicts (planted breaches not found, false violations), then events missed or wrongly told."""
        missed = sum(one.outcome != "violation" for one in self.score.deviations)
        told = self.score.events_stated
        return missed + len(self.score.false_violations), told.missed + told.invented


def score_all(truth: Path, review: Path, tolerance: float) -> list[Scored]:
    """Score the recordings below two folders, paired by name, the worst first; `tolerance` is in seconds.

    A recording's review is the folder of its name below `review`, or a folder `review` within that. Raises BadInput
    if there is no recording, or one has no review.
    """
    names = sorted(path.parent.name for path in truth.glob(f"*/{TRUTH}"))
    if not names:
        raise BadInput(truth, "no simulated recording in it", f"name a folder with {TRUTH}, or one of such folders")
    scored = [
        Scored(recording=name, truth=truth / name, review=found, score=score_folders(truth / name, found, tolerance))
        for name in names
        for found in [_review_of(review, name)]
    ]
    return sorted(scored, key=lambda one: one.badness, reverse=True)


def _review_of(review: Path, name: str) -> Path:
    for folder in (review / name, review / name / "review"):
        if (folder / EVENTS).exists():
            return folder
    raise BadInput(review / name, "no review of this recording", "review it first, or take its truth away")


def write_page(scored: Sequence[Scored], out: Path, tolerance: float) -> Path:
    """Write one page on all recordings in their order, with pictures in a folder for each; return the page's path."""
    sections, count = [], 0
    for one in scored:
        own, found = figures(one.truth, one.review, out / one.recording, tolerance, PICTURES_EACH, f"{one.recording}/")
        count += found
        sections.append(f"<h2>{escape(one.recording)}: {_told(one.score)}</h2>\n<main>\n{own}\n</main>")
    page = out / "index.html"
    write_file(page, page_of(f"{len(scored)} recordings", count, "\n".join(sections)).encode())
    return page


def _told(score: Score) -> str:
    found = sum(one.outcome == "violation" for one in score.deviations)
    return (
        f"{found} of {len(score.deviations)} planted found, {len(score.false_violations)} false, "
        f"{score.undetermined} undetermined, {score.events_stated.missed} events missed, "
        f"{score.events_stated.invented} wrong"
    )
