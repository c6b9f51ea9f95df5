"""Prints a score on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from verifier.formats.console import Console
from verifier.review.score import Rate, Score
from verifier.review.score_several import Scored


def print_score(console: Console, score: Score) -> None:
    """Print events by kind, the planted deviations and the false violations."""
    table = Table(title="Events (kind, place, value and time)", title_justify="left")
    for name in ("Kind", "Matched", "Missed", "Invented", "Precision", "Recall", "F1"):
        table.add_column(name, justify="left" if name == "Kind" else "right")
    for kind, rate in score.by_kind.items():
        table.add_row(kind, *_cells(rate))
    table.add_section()
    table.add_row("all", *_cells(score.events))
    table.add_row("all, nothing false stated", *_cells(score.events_stated))
    table.add_row("all, value left out", *_cells(score.events_placed))
    console.print(table)
    console.print(
        f"hands with all cards right in value: {score.hands.right} of {score.hands.of}; "
        f"fanned wagers and payoffs with the right amount: {score.amounts.right} of {score.amounts.of}"
    )
    for one in score.deviations:
        unseen = " (not to be told from above: the chips were never spread)" if one.hidden else ""
        console.print(f"planted {escape(one.clause)}, round {one.round}: {one.outcome}{unseen}")
    for text in score.false_violations:
        console.print(f"false violation: {escape(text)}", soft_wrap=True)
    console.print(
        f"{score.hours * 60:.1f} minutes. Deviations found: {_number(score.deviation_recall)}, of those that show "
        f"{_number(score.deviation_recall_shown)}. A table-hour: "
        f"{_number(score.false_violations_per_hour)} false violations, "
        f"{_number(score.undetermined_per_hour)} undetermined."
    )


def print_scores(console: Console, scored: Sequence[Scored]) -> None:
    """Print one line for each recording, the worst first, and what they come to together."""
    table = Table(title="Recordings, the worst first", title_justify="left")
    for name in ("Recording", "Minutes", "Planted", "Found", "False", "Undetermined", "Missed", "Wrong", "F1"):
        table.add_column(name, justify="left" if name == "Recording" else "right")
    for one in scored:
        found = sum(deviation.outcome == "violation" for deviation in one.score.deviations)
        told = one.score.events_stated
        counts = (len(one.score.deviations), found, len(one.score.false_violations), one.score.undetermined)
        table.add_row(
            escape(one.recording),
            f"{one.score.hours * 60:.1f}",
            *map(str, counts),
            str(told.missed),
            str(told.invented),
            _number(told.f1),
        )
    console.print(table)
    hours = sum(one.score.hours for one in scored)
    false = sum(len(one.score.false_violations) for one in scored)
    unsure = sum(one.score.undetermined for one in scored)
    console.print(
        f"{len(scored)} recordings, {hours:.2f} table-hours; a table-hour: {_number(false / hours if hours else None)} "
        f"false violations, {_number(unsure / hours if hours else None)} undetermined."
    )


def _cells(rate: Rate) -> tuple[str, ...]:
    counts = (str(rate.matched), str(rate.missed), str(rate.invented))
    return (*counts, *(_number(value) for value in (rate.precision, rate.recall, rate.f1)))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
