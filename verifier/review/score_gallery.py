"""A page with a picture of each mistake of a review: what it missed of the truth, and what it invented.

Findings come first, then events in order of time. Where the truth holds no video the page has no pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from verifier.domain.events import AnyEvent, ViewCheck
from verifier.domain.observations import Observation
from verifier.formats.events import read_events
from verifier.formats.files import write_file
from verifier.formats.findings import read_findings
from verifier.formats.layout import read_layout
from verifier.formats.observations import open_observations
from verifier.review.frames import frames_at
from verifier.review.sample_check.files import jpeg_of
from verifier.review.score import nothing_false, unmatched
from verifier.review.score_findings import broken_in, match_findings, read_deviations
from verifier.review.stills import draw_still

MOST_PICTURES = 200
_COMMON = frozenset({"id", "t_start", "t_end", "clock", "round", "shoe", "dealer", "source", "p"})


class Mistake(Struct, frozen=True):
    """Something that was missed or invented, at `t` seconds of the recording and a place (None: nowhere certain)."""

    what: str
    t: float
    at: str | None
    text: str


def mistakes(truth: Path, review: Path, tolerance: float) -> list[Mistake]:
    """All mistakes of the review folder against the simulated recording's folder; `tolerance` in seconds."""
    planted = read_deviations(truth / "truth.deviations.json")
    truth_log = read_events(truth / "truth.events.jsonl")
    outcomes, false = match_findings(planted, read_findings(review / "findings.json").findings, broken_in(truth_log))
    judged = [
        Mistake("planted, " + outcome.outcome, one.t_start, one.at, f"{one.clause}, round {one.round}")
        for one, outcome in zip(planted, outcomes, strict=True)
        if outcome.outcome != "violation"
    ]
    judged += [Mistake("false violation", one.t_start, one.at, f"{one.clause}: {one.observed}") for one in false]
    logs = (truth_log.events, read_events(review / "events.jsonl").events)
    true, found = ([event for event in log if not isinstance(event, ViewCheck)] for log in logs)
    missed, invented = unmatched(true, found, tolerance, nothing_false)
    told = [_told("missed", event) for event in missed] + [_told("invented", event) for event in invented]
    return [*judged, *sorted(told, key=lambda mistake: mistake.t)]


def _told(what: str, event: AnyEvent) -> Mistake:
    own = {name: getattr(event, name) for name in event.__struct_fields__ if name not in _COMMON}
    values = ", ".join(f"{name.rstrip('_')} {value}" for name, value in own.items() if value is not None)
    places = (own.get(name) for name in ("at", "to", "from_"))
    return Mistake(f"{what} {event.name}", event.t_end, next(filter(None, places), None), values)


def write_gallery(truth: Path, review: Path, out: Path, tolerance: float) -> Path:
    """Write `index.html` and its pictures to `out`; return the page's path. Raises BadInput for what cannot be read."""
    body, count = figures(truth, review, out, tolerance)
    page = out / "index.html"
    write_file(page, page_of(truth.name, count, f"<main>\n{body}\n</main>").encode())
    return page


def figures(
    truth: Path, review: Path, out: Path, tolerance: float, most: int = MOST_PICTURES, prefix: str = ""
) -> tuple[str, int]:
    """Return the figures (HTML) of all mistakes and their number; at most `most` pictures go to `out`, linked by
    `prefix`.
    """
    out.mkdir(parents=True, exist_ok=True)
    found = mistakes(truth, review, tolerance)
    pictures = dict(_pictures(truth, review, found[:most], out)) if (truth / "video.mp4").exists() else {}
    told = [
        _figure(mistake, prefix + pictures[number] if number in pictures else None)
        for number, mistake in enumerate(found)
    ]
    return "\n".join(told), len(found)


def page_of(name: str, count: int, body: str) -> str:
    """Return a whole page."""
    return _PAGE.format(name=escape(name), count=count, body=body)


def _pictures(truth: Path, review: Path, shown: Sequence[Mistake], out: Path) -> Iterator[tuple[int, str]]:
    """Yield (number of the mistake, name of its picture): the frame at its time with what was seen then drawn
    over it.
    """
    layout = read_layout(truth / "layout.yaml")
    seen = _nearest(review / "observations.jsonl", sorted({mistake.t for mistake in shown}))
    for t, picture in frames_at(truth / "video.mp4", (mistake.t for mistake in shown)):
        for number, mistake in enumerate(shown):
            if mistake.t == t:
                still = draw_still(picture, seen.get(t), layout, mistake.at, f"{t:.1f} s {mistake.what}")
                write_file(out / f"{number:03}.jpg", jpeg_of(still))
                yield number, f"{number:03}.jpg"


def _nearest(path: Path, times: Sequence[float]) -> dict[float, Observation]:
    """By wanted time, the last observation until then."""
    result: dict[float, Observation] = {}
    waiting = list(times)
    last: Observation | None = None
    for observation in open_observations(path):
        while waiting and observation.t > waiting[0]:
            if last is not None:
                result[waiting[0]] = last
            waiting.pop(0)
        last = observation
    return result | (dict.fromkeys(waiting, last) if last is not None else {})


def _figure(mistake: Mistake, picture: str | None) -> str:
    image = f'<a href="{picture}"><img src="{picture}" loading="lazy" alt=""></a>' if picture else ""
    where = f" at {mistake.at}" if mistake.at else ""
    title = f"{mistake.t:.1f} s: {mistake.what}{where}"
    return f"<figure>{image}<figcaption><b>{escape(title)}</b><br>{escape(mistake.text)}</figcaption></figure>"


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{name}: mistakes</title>
<style>body{{font:15px sans-serif;margin:2em}}main{{display:flex;flex-wrap:wrap;gap:1em}}
figure{{width:26em;margin:0}}img{{width:100%}}</style>
<h1>{name}: {count} mistakes</h1>
{body}
</html>
"""
