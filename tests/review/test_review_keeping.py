"""Documents and layouts are kept under names of their own, whole or not at all."""

from __future__ import annotations

import hashlib
import resource
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from review_fakes import make_layout

from verifier.domain.errors import BadInput
from verifier.review.calibrate.drawing import Table, kept_layout
from verifier.review.documents.keeping import keep_document
from verifier.review.floor.keeping import keep_layout_version
from verifier.review.people.roles import Person, Role
from verifier.store.papers import Document, Papers
from verifier.store.repository import Store

WEEK = "2026-W47"
LIMIT = 36_000


def kept_files(folder: Path) -> Mapping[str, str]:
    """SHA-256 of each file in `folder`, by its name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def hashes(documents: list[Document]) -> Mapping[str, str]:
    """SHA-256 of each file by its name, as the rows of the store tell it."""
    return {name: sha for document in documents for name, sha in document.files.items()}


@contextmanager
def full_disk() -> Iterator[None]:
    """No file grows beyond `LIMIT` bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize(
    ("one", "other"), [("01/23", "01-23"), ("A", "a"), ("x y", "x_y"), ("1%2F", "1/"), ("\u00e4", "a\u0308")]
)
def test_documents_of_two_sites_have_two_files(tmp_path: Path, one: str, other: str) -> None:
    """Case document_names_collide."""
    store = Store()
    for site in (one, other):
        keep_document(
            store, "weekly", site, WEEK, "Kim", "{}", tmp_path / "out", lambda _, site=site: {"csv": site.encode()}
        )
    told = hashes(Papers(store).documents())
    assert (len(told), kept_files(tmp_path / "out")) == (2, told)


def test_of_two_people_at_once_the_second_is_refused_or_makes_a_correction(tmp_path: Path) -> None:
    """Case document_names_collide."""
    store, out = Store(), tmp_path / "out"
    both = threading.Barrier(2)
    refused: list[str] = []

    def keep(who: str, reason: str) -> None:
        def make(version: int) -> dict[str, bytes]:
            if version == 1:
                both.wait(30)
            return {"csv": f"{version} by {who}".encode()}

        try:
            keep_document(store, "weekly", "0123", WEEK, who, "{}", out, make, reason)
        except BadInput as error:
            refused.append(str(error))

    def at_once(*people: tuple[str, str]) -> None:
        threads = [threading.Thread(target=keep, args=person) for person in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    at_once(("Kim", ""), ("Lee", ""))
    assert len(refused) == 1 and "say why it is corrected" in refused[0]
    assert [document.version for document in Papers(store).documents()] == [1]
    assert kept_files(out) == hashes(Papers(store).documents())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("12", "3-4"), ("12-3", "4")),
        (("a", "b c"), ("a b", "c")),
        (("A", "1"), ("a", "1")),
        (("1_2", "3"), ("1", "2_3")),
    ],
)
def test_each_of_two_tables_has_its_own_layout(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Case document_names_collide."""
    store, kim = Store(), Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)
    drawn = {
        (site, table): msgspec.structs.replace(make_layout((1280, 720)), site=site, table=table, name=f"{site} {table}")
        for site, table in (one, other)
    }
    for layout in drawn.values():
        keep_layout_version(store, kim, layout)
    for (site, table), layout in drawn.items():
        assert kept_layout(store, Table(site=site, table=table, size=(1280, 720))) == layout


def test_a_disk_that_is_full_amid_a_document_leaves_no_part_of_it(tmp_path: Path) -> None:
    """Case half_written_documents."""
    store, out = Store(), tmp_path / "out"
    files = {"csv": b"short", "pdf": b"%PDF" + bytes(2 * LIMIT)}
    with full_disk(), pytest.raises((BadInput, OSError)):
        keep_document(store, "weekly", "0123", WEEK, "Kim", "{}", out, lambda _: files)
    assert [path.name for path in out.iterdir() if path.suffix in (".csv", ".pdf")] == []
    assert Papers(store).documents() == []
    made = keep_document(store, "weekly", "0123", WEEK, "Kim", "{}", out, lambda _: files)
    assert (made.document.version, made.document.reason) == (1, "")
    assert kept_files(out) == made.document.files
