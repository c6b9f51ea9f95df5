"""The layout and house options of one recording, as the command `review` finds them."""

from __future__ import annotations

from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of, path_text
from verifier.recording.probe import check_readable
from verifier.recording.timeline import Reading
from verifier.review.floor.find import completed
from verifier.review.pipeline.chain import OWN, Chain, load_chain
from verifier.review.pipeline.values import Source
from verifier.store.floor import Floor
from verifier.store.repository import Store


def told_files(
    video: Path,
    layout: Path | None,
    house: Path | None,
    table: str | None,
    *,
    day: str | None,
    how: Reading,
    store: Store | None = None,
    stages: Chain | None = None,
) -> tuple[Path, Path, Path | None]:
    """Layout, house options and enrolment: the files given, and for what is not given the kept table's.

    Raises BadInput.

    `table` is `SITE/TABLE`; without it the recording's folder tells the table, else the signs in its picture.
    """
    check_readable(video)
    site, slash, name = (table or "").rpartition("/")
    if table is not None and not (site and slash and name):
        raise BadInput("--table", f"found {table!r}, expected SITE/TABLE", "write the site and the table: 0131/7")
    source = Source(
        path=path_text(video.absolute()),
        layout=path_text(layout.absolute()) if layout else None,
        house=path_text(house.absolute()) if house else None,
        site=site or None,
        table=name or None,
        day=day,
        how=how,
    )
    found = completed(source, Floor(store or Store()).tables(), stages or load_chain(OWN))
    own = path_of(found.enrolment) if found.enrolment else None
    return path_of(found.layout or ""), path_of(found.house or ""), own
