"""The audit log: whatever is done leaves a signed link, and each kind of meddling is told from the others."""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import create_engine, insert, text
from sqlalchemy.orm import Session
from test_store_repository import a_finding, a_review

from verifier.domain.errors import BadInput
from verifier.review.bundle.whole import check_log, whole_check
from verifier.store.audit import log
from verifier.store.audit.chain import GENESIS, Deed, Head, Link, deed_sha256, head_of, next_link
from verifier.store.audit.check import check_chain
from verifier.store.audit.log import SKEW_S
from verifier.store.audit.signing import Signer, fingerprint, own_public, own_signer, trust, trusted_keys
from verifier.store.database import home, open_engine
from verifier.store.repository import Store
from verifier.store.tables import FindingRow, ReviewRow
from verifier.store.values import NewFinding

Change = Callable[[list[Link]], Sequence[Link]]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'store.sqlite'}", now=lambda: "2026-11-21T02:00:00+00:00")


def chain(length: int = 6, signer: Signer | None = None, actor: str = "Kim") -> list[Link]:
    links: list[Link] = []
    signer = signer or Signer(Ed25519PrivateKey.generate())
    for seq in range(1, length + 1):
        deed = Deed(at="2026-11-21T02:00:00", actor=actor, act="view", subject=f"finding/{seq}")
        links.append(next_link(seq, links[-1].hash if links else GENESIS, deed, signer))
    return links


def faults(links: Sequence[Link], head: Head) -> set[str]:
    return {fault.kind for fault in check_chain(links, (1, GENESIS), head)}


def edited(link: Link) -> Link:
    assert link.deed is not None
    return msgspec.structs.replace(link, deed=msgspec.structs.replace(link.deed, actor="Lee"))


def recomputed(links: list[Link]) -> list[Link]:
    """Everything from entry 3 on computed anew, with the old signatures: what someone without the key can do."""
    made = links[:2]
    for link in links[2:]:
        fresh = next_link(link.seq, made[-1].hash, edited(link).deed or Deed(at="", actor="", act=""), MALLORY)
        made.append(msgspec.structs.replace(fresh, key=link.key, signature=link.signature))
    return made


MALLORY = Signer(Ed25519PrivateKey.generate())
MEDDLING: dict[str, Change] = {
    "edited": lambda links: [*links[:2], edited(links[2]), *links[3:]],
    "deleted": lambda links: [*links[:2], *links[3:]],
    "reordered": lambda links: [links[0], links[2], links[1], *links[3:]],
    "truncated": lambda links: links[:-2],
    "recomputed": recomputed,
    "added": lambda links: [*links, links[-1]],
}


def test_an_untouched_chain_has_no_faults() -> None:
    links = chain()
    assert faults(links, head_of(links[-1])) == set()


@pytest.mark.parametrize("kind", MEDDLING)
def test_each_kind_of_meddling_is_told_apart(kind: str) -> None:
    links = chain()
    assert faults(MEDDLING[kind](links), head_of(links[-1])) == {kind}


def test_a_chain_computed_anew_by_another_key_does_not_reach_the_pinned_head() -> None:
    pinned = head_of(chain()[-1])
    assert faults(chain(signer=MALLORY, actor="Lee"), pinned) == {"recomputed"}


def test_sealed_links_hold_the_chain_together_without_telling_what_they_say() -> None:
    links = [link.sealed() if link.seq % 2 else link for link in chain()]
    assert links[0].deed is None
    assert faults(links, head_of(links[-1])) == set()
    broken = [*links[:2], msgspec.structs.replace(links[2], deed_sha256="0" * 64), *links[3:]]
    assert faults(broken, head_of(links[-1])) == {"edited"}


def test_whatever_is_written_leaves_an_entry_in_order(store: Store) -> None:
    (one,) = store.save_review(a_review(), [NewFinding(finding=a_finding())])
    store.add_verdict(one.id, "confirmed", "Kim", "clear")
    store.note("Lee", "view", f"finding/{one.id}")
    deeds = [link.deed for link in store.audit() if link.deed]
    assert [(deed.actor, deed.act) for deed in deeds] == [("verifier", "ingest"), ("Kim", "verdict"), ("Lee", "view")]
    assert deeds[0].detail["video_sha256"] == a_review().video_sha256
    head = store.audit_head()
    assert head is not None
    assert check_chain(store.audit(), (1, GENESIS), head) == []


def test_what_fails_leaves_no_entry(store: Store) -> None:
    with pytest.raises(BadInput):
        store.add_verdict("nothing", "confirmed", "Kim")
    assert store.audit() == []
    assert store.audit_head() is None


@pytest.mark.parametrize("statement", ["UPDATE audit_log SET actor = 'Lee'", "DELETE FROM audit_log"])
def test_the_database_refuses_to_change_an_entry(store: Store, tmp_path: Path, statement: str) -> None:
    store.note("Kim", "view")
    with (
        open_engine(f"sqlite:///{tmp_path / 'store.sqlite'}").connect() as connection,
        pytest.raises(Exception, match="append-only"),
    ):
        connection.execute(text(statement))


def test_entries_removed_behind_the_triggers_back_show(store: Store, tmp_path: Path) -> None:
    for _ in range(4):
        store.note("Kim", "view")
    head = store.audit_head()
    assert head is not None
    with open_engine(f"sqlite:///{tmp_path / 'store.sqlite'}").begin() as connection:
        connection.execute(text("DROP TRIGGER audit_log_no_delete"))
        connection.execute(text("DELETE FROM audit_log WHERE seq > 2"))
    assert {fault.kind for fault in check_chain(store.audit(), (1, GENESIS), head)} == {"truncated"}


def _write_ten(url: str, name: str) -> None:
    store = Store(url)
    for _ in range(10):
        store.note(name, "view")


def test_writers_at_once_make_one_chain(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    Store(url)
    own_signer(home() / "keys")
    writers = [multiprocessing.Process(target=_write_ten, args=(url, name)) for name in ("Kim", "Lee", "Max")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    links, head = Store(url).audit(), Store(url).audit_head()
    assert head is not None
    assert len(links) == 30
    assert check_chain(links, (1, GENESIS), head) == []
    pins = Store(url).pins
    assert pins is not None and pins.head == head
    assert pins.path.stat().st_mode & 0o077 == 0
    assert pins.folder.stat().st_mode & 0o077 == 0


def test_a_log_that_another_program_begins_meanwhile_is_none_of_an_earlier_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program looked for the pin before the first entry was written, and for entries afterwards."""
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    first, asked = Store(url), log.before_digests

    def begun_meanwhile(session: Session) -> bool:
        if not first.audit():
            first.note("Kim", "view")
        return asked(session)

    monkeypatch.setattr(log, "before_digests", begun_meanwhile)
    assert [link.deed.act for link in Store(url).audit() if link.deed] == ["view"]


def dated(*times: str) -> list[Link]:
    links: list[Link] = []
    signer = Signer(Ed25519PrivateKey.generate())
    for seq, at in enumerate(times, start=1):
        links.append(next_link(seq, links[-1].hash if links else GENESIS, Deed(at=at, actor="kim", act="view"), signer))
    return links


@pytest.mark.parametrize(
    ("second", "kinds"),
    [("2026-11-21T02:00:00+00:00", set()), ("2026-11-21T01:59:59+00:00", {"backdated"}), ("2025-01-01", {"backdated"})],
)
def test_dates_that_run_backwards_are_told(second: str, kinds: set[str]) -> None:
    links = dated("2026-11-21T02:00:00+00:00", second)
    assert faults(links, head_of(links[-1])) == kinds


@pytest.mark.parametrize(
    ("behind", "at"),
    [(0, "2026-11-21T02:00:00+00:00"), (300, "2026-11-21T02:00:00+00:00"), (301, "2026-11-21T01:54:59+00:00")],
)
def test_a_clock_that_is_a_little_behind_another_computers_dates_no_entry_back(
    tmp_path: Path, behind: int, at: str
) -> None:
    clock = [datetime(2026, 11, 21, 2, tzinfo=UTC)]
    kept = Store(f"sqlite:///{tmp_path / 'store.sqlite'}", now=lambda: clock[0].isoformat(timespec="seconds"))
    kept.note("kim", "view")
    clock[0] -= timedelta(seconds=behind)
    kept.note("lee", "view")
    deed = kept.audit()[-1].deed
    assert deed is not None and deed.at == at
    head = kept.audit_head()
    assert head is not None
    assert {fault.kind for fault in check_chain(kept.audit(), (1, GENESIS), head)} == (
        {"backdated"} if behind > SKEW_S else set()
    )


def test_a_deed_without_digests_hashes_as_it_did_before_there_were_any() -> None:
    deed = Deed(at="2026-11-21T02:00:00", actor="Kim", act="view", subject="finding/1")
    text = '{"act":"view","actor":"Kim","at":"2026-11-21T02:00:00","detail":{},"subject":"finding/1"}'
    assert deed_sha256(deed) == hashlib.sha256(text.encode()).hexdigest()
    made = msgspec.structs.replace(deed, made={"verdicts/1": "ab"})
    assert deed_sha256(made) != deed_sha256(deed)


def test_a_database_of_before_is_taken_stock_of_once_and_told(tmp_path: Path) -> None:
    from test_store_repository import finding_values, migrate_to, review_values

    url = f"sqlite:///{home() / 'verifier.sqlite'}"
    home().mkdir(parents=True)
    migrate_to(url, "0010")
    (home() / "documents").mkdir()
    (home() / "documents" / "weekly.pdf").write_bytes(b"%PDF")
    with create_engine(url).begin() as old:
        old.execute(insert(ReviewRow).values(**review_values(a_review())))
        old.execute(insert(FindingRow).values(**finding_values(a_review().id)))
    for _ in range(2):
        Store(url).close()
    (stock,) = [link.deed for link in Store(url).audit() if link.deed]
    assert (stock.act, stock.actor) == ("stock", "verifier")
    assert set(stock.made) == {
        f"reviews/{a_review().id}",
        f"findings/{a_review().id}-0001",
        "file/documents/weekly.pdf",
    }
    checked = whole_check(Store(url))
    assert checked.faults == []
    assert checked.notes == [f"3 of them were kept before digests: taken stock on {stock.at[:10]} (entry 1)"]
    with create_engine(url).begin() as forged:
        forged.execute(text("UPDATE findings SET dealer = 'Mallory'"))
    assert [(fault.kind, "entry 1 (stock" in fault.says) for fault in check_log(Store(url))[1]] == [("edited", True)]


def test_nobody_gets_stock_taken_again_to_have_forgeries_vouched_for(tmp_path: Path) -> None:
    url = f"sqlite:///{home() / 'verifier.sqlite'}"
    Store(url).save_review(a_review(), [NewFinding(finding=a_finding())])
    with create_engine(url).begin() as forged:
        for trigger in ("audit_log_no_update", "audit_log_no_delete"):
            forged.execute(text(f"DROP TRIGGER {trigger}"))
        forged.execute(text("DELETE FROM audit_log"))
        forged.execute(text("UPDATE audit_head SET seq = 0, hash = :h"), {"h": GENESIS})
        forged.execute(text("UPDATE findings SET dealer = 'Mallory'"))
    assert [link.deed.act for link in Store(url).audit() if link.deed] == []
    assert {"truncated", "added"} <= {fault.kind for fault in check_log(Store(url))[1]}


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    assert own_public(tmp_path / "keys") is None
    first = own_signer(tmp_path / "keys").public
    assert own_signer(tmp_path / "keys").public == first == own_public(tmp_path / "keys")
    assert (tmp_path / "keys" / "signing.pem").stat().st_mode & 0o077 == 0


def test_a_broken_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "signing.pem").write_text("nothing")
    with pytest.raises(BadInput, match="backup"):
        own_signer(tmp_path)


def test_trusted_keys(tmp_path: Path) -> None:
    own = own_signer(tmp_path).public
    trust(tmp_path, MALLORY.public.upper(), "Fargo  site")
    assert trusted_keys(tmp_path) == {own: "this installation", MALLORY.public: "Fargo site"}
    with pytest.raises(BadInput, match="no public key"):
        trust(tmp_path, "12", "x")
    assert len(fingerprint(own)) == 24
