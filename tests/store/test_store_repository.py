"""The store: ids that stay, verdicts that nobody can change, errors that say what to do."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, insert, text

from verifier.domain.errors import BadInput
from verifier.domain.facts import Facts, NumberFact
from verifier.domain.findings import Finding
from verifier.store import migrations
from verifier.store.database import newest_revision, open_engine
from verifier.store.repository import Store, review_id
from verifier.store.rows import review_row
from verifier.store.tables import Base, FindingRow, ReviewRow
from verifier.store.values import NewFinding, ReviewRecord

SHA = "ab" * 32
NOW = "2026-11-21T02:00:00+00:00"


def a_finding(**changes: object) -> Finding:
    base = Finding(
        clause="ND-08-11.16.a-fan-payoff",
        cite="N.D. Admin. Code 99-01.3-08-11(16)(a)",
        title="Payoff fanned",
        verdict="violation",
        severity="major",
        round=3,
        at="space:3",
        t_start=61.0,
        t_end=66.5,
        clock=None,
        p=0.9,
        expected="payoff fanned",
        observed="payoff stayed a stack",
        events=["e1"],
    )
    return msgspec.structs.replace(base, **changes)


def a_review(**changes: object) -> ReviewRecord:
    base = ReviewRecord(
        id=review_id(SHA),
        video_sha256=SHA,
        video_name="table2.mp4",
        site="0123",
        table="2",
        play_date="2026-11-17",
        rulebook="nd-twenty-one",
        law_as_of="2023-01-01",
        folder="/tmp/out",
        duration=60.0,
        reviewed_seconds=60.0,
        coverage=1.0,
    )
    return msgspec.structs.replace(base, **changes)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'deep' / 'store.sqlite'}", now=lambda: NOW)


def test_a_second_run_gives_the_same_ids(store: Store) -> None:
    found = [NewFinding(finding=a_finding(round=number)) for number in (1, 2)]
    first = store.save_review(a_review(), found)
    second = store.save_review(a_review(), found)
    assert [one.id for one in first] == [one.id for one in second] == ["abababababab-0001", "abababababab-0002"]


def test_a_verdict_never_moves_to_another_finding_of_the_same_place(store: Store) -> None:
    """Findings of papers all stand at one moment, without an event: words or facts alone tell one from another."""
    weeks = [a_finding(round=None, at=None, t_start=0.0, events=[], observed=f"week {n}: a draft") for n in (1, 2)]
    first, second = store.save_review(a_review(), [NewFinding(finding=one) for one in weeks])
    facts = Facts(said=["", "week {n}: a draft"], observed=[NumberFact(role="n", value=2)])
    left = msgspec.structs.replace(weeks[1], facts=facts)
    (again,) = store.save_review(a_review(), [NewFinding(finding=left)])
    assert again.id == second.id != first.id
    other = msgspec.structs.replace(left, observed="week 2: nobody named", facts=Facts(said=["", "week {n}: nobody"]))
    (third,) = store.save_review(a_review(), [NewFinding(finding=other)])
    assert third.id not in (first.id, second.id)


def test_what_is_equal_word_for_word_is_the_finding_before_one_that_is_worded_otherwise(store: Store) -> None:
    before = [a_finding(observed=text) for text in ("paid $5.00", "paid 5.00")]
    ids = [one.id for one in store.save_review(a_review(), [NewFinding(finding=one) for one in before])]
    (again,) = store.save_review(a_review(), [NewFinding(finding=before[1])])
    assert again.id == ids[1]


def test_equal_findings_of_one_run_keep_apart(store: Store) -> None:
    found = [NewFinding(finding=a_finding()), NewFinding(finding=a_finding())]
    assert len({one.id for one in store.save_review(a_review(), found)}) == 2


def test_a_changed_finding_gets_a_new_id_and_the_old_keeps_its_verdict(store: Store) -> None:
    (old,) = store.save_review(a_review(), [NewFinding(finding=a_finding())])
    store.add_verdict(old.id, "confirmed", "Kim", "seen twice")
    (new,) = store.save_review(a_review(), [NewFinding(finding=a_finding(observed="something else"))])
    assert new.id == "abababababab-0002"
    assert [(one.id, one.current) for one in store.findings()] == [(old.id, False), (new.id, True)]
    assert [verdict.note for verdict in store.verdicts(old.id)] == ["seen twice"]


def test_a_second_verdict_stands_beside_the_first(store: Store) -> None:
    (one,) = store.save_review(a_review(), [NewFinding(finding=a_finding())])
    store.add_verdict(one.id, "confirmed", "Kim")
    store.add_verdict(one.id, "rejected", "Lee", "wager was a single chip")
    assert [(v.decision, v.reviewer, v.decided_at) for v in store.verdicts(one.id)] == [
        ("confirmed", "Kim", NOW),
        ("rejected", "Lee", NOW),
    ]


@pytest.mark.parametrize("statement", ["UPDATE verdicts SET decision = 'rejected'", "DELETE FROM verdicts"])
def test_nothing_changes_a_verdict(tmp_path: Path, statement: str) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    store = Store(url)
    (one,) = store.save_review(a_review(), [NewFinding(finding=a_finding())])
    store.add_verdict(one.id, "confirmed", "Kim")
    with open_engine(url).connect() as connection, pytest.raises(Exception, match="append-only"):
        connection.execute(text(statement))


def test_a_verdict_needs_its_finding(store: Store) -> None:
    with pytest.raises(BadInput):
        store.add_verdict("nothing", "confirmed", "Kim")


def test_a_failed_save_leaves_nothing(store: Store) -> None:
    broken = NewFinding(finding=a_finding(), clip={"not": "text"})  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        store.save_review(a_review(), [NewFinding(finding=a_finding()), broken])
    assert store.reviews() == []
    assert store.findings() == []


def test_a_review_comes_back_as_it_went_in(store: Store) -> None:
    review = a_review(gaps=[(12.0, None, "the file ends")], coverage=0.5, clock_start="2026-11-17T21:00:00")
    store.save_review(review, [])
    assert store.reviews() == [msgspec.structs.replace(review, reviewed_at=NOW)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(observed=st.text(max_size=40), at=st.none() | st.text(max_size=9), p=st.floats(0, 1), corrected=st.booleans())
def test_any_finding_round_trips(store: Store, observed: str, at: str | None, p: float, corrected: bool) -> None:
    finding = a_finding(observed=observed, at=at, p=p, corrected=corrected)
    (stored,) = store.save_review(a_review(), [NewFinding(finding=finding, clip="clips/a.mp4", stills=["b.jpg"])])
    assert stored.finding == finding
    assert (stored.clip, stored.stills) == ("clips/a.mp4", ["b.jpg"])


def test_opening_twice_migrates_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.sqlite'}"
    Store(url).save_review(a_review(), [])
    assert len(Store(url).reviews()) == 1


@pytest.mark.parametrize(
    ("url", "says"),
    [("nonsense", "no database address"), ("nodb://x/y", "no database address"), ("sqlite:////proc/x/y.db", None)],
)
def test_a_store_that_cannot_be_opened(url: str, says: str | None) -> None:
    with pytest.raises((BadInput, OSError), match=says):
        Store(url)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "s.sqlite").write_text("This is a letter and no database at all, long enough to be read as one.\n" * 9)
    with pytest.raises(BadInput, match="is no database"):
        Store(f"sqlite:///{tmp_path / 's.sqlite'}")


def test_the_migrations_make_the_tables_that_the_code_uses(tmp_path: Path) -> None:
    with open_engine(f"sqlite:///{tmp_path / 's.sqlite'}").connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_reviews_are_read_by_what_is_asked(store: Store) -> None:
    days = {"aa": "2026-11-16", "bb": "2026-11-17", "cc": "2026-11-18", "dd": None}
    for letters, day in days.items():
        site = None if letters == "dd" else "0123"
        gaps = [(1.0, 2.0, "dark")] if letters == "cc" else []
        store.save_review(a_review(id=letters, video_sha256=letters * 32, play_date=day, site=site, gaps=gaps), [])

    def ids(**asked: object) -> list[str]:
        return [one.id for one in store.reviews(**asked)]  # type: ignore[arg-type]

    assert set(ids()) == set(days)
    assert ids(first="2026-11-17", last="2026-11-17") == ["bb"]
    assert (ids(site=""), ids(partial=True), ids(ids=["aa", "zz"])) == (["dd"], ["cc"], ["aa"])
    assert [*ids(offset=0, limit=2), *ids(offset=2, limit=2)] == ids()
    assert (store.review_count(), store.review_count(site="0123"), store.review_count(partial=True)) == (4, 3, 1)
    assert store.review_sites() == ["", "0123"]
    assert store.review("bb") == store.reviews(ids=["bb"])[0]
    assert store.review("zz") is None


def test_a_review_whose_place_another_has_taken_counts_no_more_and_is_kept(store: Store) -> None:
    """The case file_that_grew."""
    store.save_review(a_review(id="aa", video_path="/night/a.ts"), [NewFinding(finding=a_finding())])
    store.save_review(a_review(id="bb", video_path="/night/a.ts"), [NewFinding(finding=a_finding())])
    assert [one.id for one in store.reviews_of(["/night/a.ts"])] == ["aa", "bb"]
    store.supersede("aa", "bb")
    assert [one.id for one in store.reviews()] == [one.id for one in store.reviews_of(["/night/a.ts"])] == ["bb"]
    assert (store.review_count(), [one.current for one in store.findings(["aa", "bb"])]) == (1, [False, True])
    assert {one.id for one in store.reviews(superseded=True)} == {"aa", "bb"}
    (earlier,) = store.reviews(ids=["aa"])
    assert earlier.superseded_by == "bb"
    assert [link.deed.detail for link in store.audit(act="supersede") if link.deed] == [{"by": "bb"}]


def test_an_older_store_is_brought_along_with_all_that_people_wrote(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    migrate_to(url, "0008")
    with create_engine(url).begin() as old:
        old.execute(insert(ReviewRow).values(**review_values(a_review())))
        old.execute(insert(FindingRow).values(**finding_values(a_review().id)))
    store = Store(url)
    store.add_verdict(f"{a_review().id}-0001", "confirmed", "Kim")
    store.save_review(a_review(id="another", table="5"), [NewFinding(finding=a_finding())])
    assert {(one.id, one.video_sha256) for one in store.reviews()} == {(a_review().id, SHA), ("another", SHA)}
    assert [one.review_id for one in store.findings()] == [a_review().id, "another"]
    with pytest.raises(BadInput, match="FOREIGN KEY"):
        store.add_verdict("nothing-0001", "confirmed", "Kim")


def migrate_to(url: str, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with create_engine(url).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def review_values(review: ReviewRecord) -> dict[str, object]:
    row = review_row(review, NOW)
    newer = {"superseded_by"}  # columns that the older store has not
    return {
        column.name: getattr(row, column.name) for column in ReviewRow.__table__.columns if column.name not in newer
    }


def finding_values(review: str) -> dict[str, object]:
    body = msgspec.json.encode(a_finding()).decode()
    given = {"id": f"{review}-0001", "review_id": review, "seq": 1, "digest": "d", "body": body, "current": True}
    own = {"clause": a_finding().clause, "verdict": "violation", "stills": "[]", "origin": "software", "urgency": 1}
    return {**given, **own}


def test_a_number_that_was_given_as_text_is_the_number(store: Store) -> None:
    """A review may come from a script that tells its coverage as text; the column keeps the number."""
    told: dict[str, object] = {"id": "text", "coverage": "1"}
    store.save_review(msgspec.structs.replace(a_review(), **told), [])
    assert [one.coverage for one in store.reviews() if one.id == "text"] == [1.0]


def test_the_files_of_the_migrations_are_named_by_their_revisions() -> None:
    """The newest is told by the names alone: Alembic takes long to load, and most often there is nothing to migrate."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    scripts = ScriptDirectory.from_config(config)
    assert newest_revision() == (scripts.get_current_head(), {one.revision for one in scripts.walk_revisions()})


def test_what_tells_two_versions_is_refused(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'store.sqlite'}"
    Store(address).close()
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO alembic_version VALUES ('0010')"))
    with pytest.raises(BadInput, match="made by another version"):
        Store(address)
