"""Before a night: finds the kept table of each recording that has no layout or house options by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.review.batch.engines.base import Engine
from verifier.review.batch.logs import Log, quiet
from verifier.review.batch.tasks import Done, Identify
from verifier.review.batch.unexamined import line_of
from verifier.review.floor.find import Place, known_place, lean, told_tables, with_files
from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.values import Source
from verifier.store.floor import GamingTable

WAIT_S: Final = 0.5


def identified(
    sources: Sequence[Source],
    tables: Sequence[GamingTable],
    engine: Engine,
    stop: Callable[[], bool] = lambda: False,
    log: Log = quiet,
) -> list[Source]:
    """Return the recordings with the layout and house options of their tables; where none is found, with the reason.

    What must be read from a picture is read by the engine: a file that hangs or swells ends a worker, not the night.
    """
    if not tables:
        return list(sources)
    found: dict[str, Source] = {}
    waiting: list[Source] = []
    for source in sources:
        if source.layout and source.house:
            found[source.path] = source
            continue
        told = _told(source)
        place = known_place(told, tables)
        if place is None:
            waiting.append(told)
        else:
            found[source.path] = _completed(told, place, tables)
    found |= _read(waiting, tables, engine, stop, log)
    return [found.get(source.path, source) for source in sources]


def _told(source: Source) -> Source:
    """Return the recording with the site and table of its layout, where it has one."""
    site, table = place_of(source)
    return msgspec.structs.replace(source, site=site, table=table)


def _read(
    waiting: Sequence[Source], tables: Sequence[GamingTable], engine: Engine, stop: Callable[[], bool], log: Log
) -> dict[str, Source]:
    found: dict[str, Source] = {}
    left, running = list(waiting), dict[int, Source]()
    numbers = 0
    while (left or running) and not stop():
        while left and len(running) < engine.slots:
            source = left.pop(0)
            numbers -= 1  # the night's own tasks count upwards
            running[numbers] = source
            engine.give(numbers, Identify(source, [lean(one) for one in told_tables(source, tables)], _several(tables)))
        for ended in engine.wait(WAIT_S):
            source = running.pop(ended.number)
            if isinstance(ended.outcome, Done) and ended.outcome.place is not None:
                found[source.path] = _completed(source, ended.outcome.place, tables)
            else:
                cause = getattr(ended.outcome, "cause", "unknown")
                found[source.path] = msgspec.structs.replace(source, unknown=line_of(cause))
            log("table", recording=source.path, site=found[source.path].site, table=found[source.path].table)
    return found


def _several(tables: Sequence[GamingTable]) -> bool:
    return len({one.site for one in tables}) > 1


def _completed(source: Source, place: Place, tables: Sequence[GamingTable]) -> Source:
    try:
        return with_files(source, place, tables)
    except BadInput as error:
        return msgspec.structs.replace(source, unknown=f"{error.source}: {error.cause}")
