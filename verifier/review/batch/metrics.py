"""The night's numbers in Prometheus' text format, for its node exporter's textfile collector."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from verifier.review.batch.tally import Tally
from verifier.review.pipeline.folders import checkpoint_file


def metrics_text(tally: Tally) -> str:
    """All metrics, one sample a line."""
    return "".join(_lines(tally))


def write_metrics(tally: Tally, path: Path) -> None:
    """Replace the file. Raises OSError."""
    with checkpoint_file(path) as stream:
        stream.write(metrics_text(tally).encode())


def _lines(tally: Tally) -> Iterator[str]:
    simple = (
        ("planned_seconds", "gauge", "Seconds of recordings to be watched.", tally.planned),
        ("watched_seconds_total", "counter", "Seconds of recordings watched in this run.", tally.done),
        ("resumed_seconds", "gauge", "Seconds watched in an earlier run and not again.", tally.before),
        ("recordings", "gauge", "Files that were found.", float(tally.files)),
        ("reviews_stored_total", "counter", "Reviews stored in this run.", float(tally.stored)),
        ("reviews_skipped", "gauge", "Reviews that were made before.", float(tally.skipped)),
        (
            "jobs_failed_total",
            "counter",
            "Reviews that failed and are tried again the next night.",
            float(tally.failed),
        ),
        ("run_seconds", "gauge", "Seconds since this run began.", tally.seconds),
        ("pace_ratio", "gauge", "Seconds of recording for a second of work, lately.", tally.pace),
        ("remaining_seconds", "gauge", "Seconds until all is watched at that pace.", tally.remaining),
    )
    for name, kind, text, value in simple:
        yield f"# HELP verifier_night_{name} {text}\n# TYPE verifier_night_{name} {kind}\n"
        if value is not None:
            yield f"verifier_night_{name} {value:g}\n"
    yield "# HELP verifier_night_task_failures_total Failed attempts by kind.\n"
    yield "# TYPE verifier_night_task_failures_total counter\n"
    for failure, count in sorted(tally.failures.items()):
        yield f'verifier_night_task_failures_total{{kind="{failure}"}} {count}\n'
    yield "# HELP verifier_night_stage_seconds_total Seconds that workers spent, by stage.\n"
    yield "# TYPE verifier_night_stage_seconds_total counter\n"
    for stage, seconds in sorted(tally.took.items()):
        yield f'verifier_night_stage_seconds_total{{stage="{stage}"}} {seconds:g}\n'
