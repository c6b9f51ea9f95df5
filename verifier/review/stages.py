"""The stages that a review of one recording runs; tests and benchmarks put others in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.names import path_text
from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.review.closer import Span
from verifier.review.watching import Eye, Watch
from verifier.vision.probe import sha256_of

Mind = Callable[[Iterator[Observation], Layout, House, ObservationsHeader], EventLog]
Judge = Callable[[EventLog], FindingsReport]


class Stages(Struct, frozen=True):
    """The three stages of the chain, and how a stretch that a watch has passed is looked at from nearer."""

    eye: Eye
    mind: Mind
    judge: Judge
    closer: Callable[[Watch, Span], Watch | None] = lambda watch, span: None


def own_stages(layout: Path) -> Stages:
    """The models, the reconstruction and the law of this package; `layout` is named in the observations' header."""
    from verifier.law.judge import judge
    from verifier.reconstruct import reconstruct
    from verifier.vision.observe import Watch as OwnWatch
    from verifier.vision.observe import observe

    named = NamedHash(name=path_text(layout.name), sha256=sha256_of(layout))

    def closer(watch: Watch, span: Span) -> Watch | None:
        return watch.closer(*span) if isinstance(watch, OwnWatch) else None

    return Stages(lambda video, table: observe(video, table, layout_file=named), reconstruct, judge, closer)
