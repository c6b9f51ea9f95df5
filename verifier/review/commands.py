"""The commands of the review room."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from verifier.domain.rulebooks import ABOUT, Rulebook
from verifier.formats.console import console
from verifier.review.day_options import DAY
from verifier.review.reading_options import Told, reading_of, reading_options

if TYPE_CHECKING:
    from verifier.review.pipeline.values import Spoken

_FILE = click.Path(path_type=Path)


class OfRecording(Told):
    """What a person tells of a recording, as click reads it: how it is read, and what was said in it."""

    transcript: Path | None
    offset: float
    complete: bool


@click.command("review")
@click.argument("video", type=_FILE)
@click.option("--layout", type=_FILE, help="The table's layout file (YAML) [default: the kept table's].")
@click.option("--house", type=_FILE, help="The site's house options (YAML) [default: the kept table's].")
@click.option("--enrolment", type=_FILE, help="The table's own cards (verifier enrol) [default: the kept table's].")
@click.option("--table", metavar="SITE/TABLE", help="The kept table [default: by folder, or by the picture's signs].")
@click.option(
    "--out", type=_FILE, required=True, help="Folder for observations, events, findings, coverage, stills and clips."
)
@click.option("--date", type=DAY, help="Day of play, where the picture shows no clock.")
@click.option("--rulebook", type=click.Choice(list(ABOUT)), help="Rulebook to judge by (default: the house options').")
@reading_options
@click.option("--transcript", type=_FILE, help="What was said: SRT, VTT or JSON [default: the file beside VIDEO].")
@click.option(
    "--transcript-offset",
    "offset",
    type=click.FloatRange(-1e6, 1e6),
    default=0.0,
    show_default=True,
    help="Seconds of the recording at which the transcript's time 0 lies.",
)
@click.option("--transcript-complete", "complete", is_flag=True, help="All that was said is in the transcript.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def review_command(
    video: Path,
    layout: Path | None,
    house: Path | None,
    enrolment: Path | None,
    table: str | None,
    out: Path,
    date: datetime | None,
    rulebook: Rulebook | None,
    quiet: bool,
    **told: Unpack[OfRecording],
) -> int:
    """Reviews the recording VIDEO: findings with clips and stills, stored for the dashboard."""
    from verifier.review.printing import print_review, stdout_console
    from verifier.review.recording import review_recording

    day = date.date().isoformat() if date else None
    reading = reading_of(told)
    if layout is None or house is None or table is not None:
        from verifier.review.floor.told import told_files

        layout, house, kept = told_files(video, layout, house, table, day=day, how=reading)
        enrolment = enrolment or kept
    spoken = _spoken(told)
    with _bar(quiet) as bar:
        reviewed = review_recording(
            video,
            layout,
            house,
            out,
            _Teller(bar).tell,
            day=day,
            rulebook=rulebook,
            how=reading,
            spoken=spoken,
            enrolment=enrolment,
        )
    print_review(stdout_console(), reviewed)
    return reviewed.exit_code


def _spoken(told: OfRecording) -> Spoken:
    from verifier.domain.names import path_text
    from verifier.review.pipeline.values import Spoken

    named = path_text(told["transcript"].absolute()) if told["transcript"] else None
    return Spoken(path=named, offset=told["offset"], complete=told["complete"])


@click.command("score")
@click.option("--truth", type=_FILE, required=True, help="Folder of a simulated recording, or of several.")
@click.option("--review", type=_FILE, required=True, help="Folder that verifier review wrote for it, or of several.")
@click.option("--tolerance", default=2.0, show_default=True, help="Seconds by which an event's time may be off.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--gallery", type=click.Path(path_type=Path), help="Folder for a page with a picture of each mistake.")
def score_command(truth: Path, review: Path, tolerance: float, as_json: bool, gallery: Path | None) -> int:
    """Scores reviews against the truth of simulated recordings: events by kind, deviations found."""
    import msgspec

    from verifier.review.printing import stdout_console
    from verifier.review.score import score_folders
    from verifier.review.score_gallery import write_gallery
    from verifier.review.score_printing import print_score, print_scores
    from verifier.review.score_several import TRUTH, score_all, write_page

    if any(truth.glob(f"*/{TRUTH}")) and not (truth / TRUTH).exists():
        scored = score_all(truth, review, tolerance)
        told: object = [{"recording": one.recording, "score": one.score} for one in scored]
        page = write_page(scored, gallery, tolerance) if gallery is not None else None
        if not as_json:
            print_scores(stdout_console(), scored)
    else:
        told = score = score_folders(truth, review, tolerance)
        page = write_gallery(truth, review, gallery, tolerance) if gallery is not None else None
        if not as_json:
            print_score(stdout_console(), score)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(told)).decode())
    if page is not None:
        click.echo(f"mistakes: {page}", err=True)
    return 0


class _Teller:
    """Turns a review's progress into one bar for each stage."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._tasks: dict[str, TaskID] = {}

    def tell(self, stage: str, done: float, whole: float | None) -> None:
        """Move the bar of `stage`; a new stage fills up the ones before it."""
        if stage not in self._tasks:
            for earlier in self._tasks.values():
                self._bar.update(earlier, completed=self._bar.tasks[earlier].total)
            self._tasks[stage] = self._bar.add_task(stage, total=whole)
        self._bar.update(self._tasks[stage], completed=done)


def _bar(quiet: bool) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    screen = console(stderr=True)
    return Progress(*columns, console=screen, disable=quiet or not screen.is_interactive)
