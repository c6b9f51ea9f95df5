"""Takes files of records in: all of them or nothing, in one act; then judges again what they bear on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.formats.files import read_bytes
from verifier.formats.record_kinds import record_kinds
from verifier.formats.site_records import SiteRecord, read_records
from verifier.law.attested import KIND as STATEMENT
from verifier.law.entries import table_name
from verifier.review.recheck import Rechecked, recheck
from verifier.review.records.attesting import check_statement
from verifier.review.records.joining import DAYS_ABOUT
from verifier.store.floor import Floor
from verifier.store.repository import Store
from verifier.store.site_records import Imported, KeptRecord, SiteRecords
from verifier.store.values import ReviewRecord


def import_records(
    store: Store,
    files: Sequence[Path],
    actor: str,
    site: str | None = None,
    kind: str | None = None,
    *,
    named: str = "",
    today: date | None = None,
) -> Imported:
    """Keep the records of these files, all in one transaction. Raises BadInput and then keeps none.

    `named` is the account for which `actor` says to act, `today` the day after which no statement may be signed.

    A site that the store knows by another spelling (`131` for `0131`) is kept under the one that it knows.
    """
    known = known_sites(store)
    found: list[KeptRecord] = []
    seen: dict[tuple[str, str, str], str] = {}
    for path in files:
        digest = hashlib.sha256(read_bytes(path)).hexdigest()
        for one in read_records(path, site, kind):
            if one.kind == STATEMENT:
                check_statement(path, one, today or date.today())
            kept = _kept(one, path.name, digest, known)
            first = seen.setdefault((kept.kind, kept.site, kept.name), kept.source)
            if first != kept.source:
                cause = f"tells of the same {one.kind} as {first}: {one.key}"
                raise BadInput(path, cause, "remove one, or correct what tells them apart", where=one.where)
            found.append(kept)
    return SiteRecords(store).add(found, actor, named)


def known_sites(store: Store) -> dict[str, str]:
    """Return the sites that the store knows, by their bare names: `131` -> `0131`."""
    names = [*SiteRecords(store).sites(), *store.review_sites(), *(one.site for one in Floor(store).tables())]
    return {bare: name for name in names if (bare := table_name(name))}


def _kept(one: SiteRecord, file: str, digest: str, known: dict[str, str]) -> KeptRecord:
    site = known.get(table_name(one.site) or "", one.site)
    return KeptRecord(
        site=site,
        kind=one.kind,
        name=one.key,
        day=one.day or "",
        table=one.table,
        fields={**one.fields, "site": site},
        source=f"{file}: {one.where}",
        sha256=digest,
    )


def reviews_beside(store: Store, records: Sequence[KeptRecord]) -> list[ReviewRecord]:
    """Return the stored reviews that these records bear on: of their sites, and of the days about theirs."""
    found: dict[str, ReviewRecord] = {}
    for review in store.reviews():
        if review.play_date and any(_bears_on(one, review) for one in records):
            found[review.id] = review
    return list(found.values())


def _bears_on(record: KeptRecord, review: ReviewRecord) -> bool:
    if table_name(record.site) != table_name(review.site):
        return False
    if record_kinds()[record.kind].about == "site" or not record.day:
        return True
    play, about = date.fromisoformat(review.play_date or ""), timedelta(days=DAYS_ABOUT)
    last = str(record.fields.get(record_kinds()[record.kind].until or "") or record.day)
    return date.fromisoformat(record.day) - about <= play <= date.fromisoformat(last) + about


def judge_again(store: Store, records: Sequence[KeptRecord]) -> list[Rechecked]:
    """Judge again the stored reviews that these records bear on, where their logs are there; keep the findings."""
    there = [one for one in reviews_beside(store, records) if (Path(one.folder) / "events.jsonl").is_file()]
    return list(recheck(store, there, {}, save=True))
