"""The paperwork in the store: versions beside each other, corrections that replace, acts that stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from verifier.store import database
from verifier.store.database import open_engine
from verifier.store.papers import Document, Duty, HoldFigure, Papers, Retained
from verifier.store.repository import Store

FIGURE = HoldFigure(
    site="0123", day="2026-11-17", game="twenty-one", dealer="Kim", gross_cents=100000, prizes_cents=90000
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'store.sqlite'}", now=lambda: "2026-11-21T02:00:00+00:00")


@pytest.fixture
def papers(store: Store) -> Papers:
    return Papers(store)


def a_document(**changes: str) -> Document:
    fields = {"kind": "weekly", "site": "0123", "period": "2026-W47", "made_by": "Kim", "body": "{}", **changes}
    return Document(**fields, files={"a.pdf": "00"})  # type: ignore[arg-type]


def test_a_correction_is_a_new_version_and_the_old_one_stays(papers: Papers) -> None:
    papers.add_document(a_document())
    papers.add_document(a_document(body='{"more":1}', reason="minutes were missing"))
    papers.add_document(a_document(period="2026-W48"))
    kept = papers.documents("weekly", "0123", "2026-W47")
    assert [(one.version, one.body) for one in kept] == [(2, '{"more":1}'), (1, "{}")]
    assert papers.documents("daily") == []


@pytest.mark.parametrize("table", ["documents", "hold_figures", "retention_acts"])
def test_nothing_that_people_wrote_is_changed(papers: Papers, tmp_path: Path, table: str) -> None:
    papers.add_document(a_document())
    papers.add_figures([FIGURE], "Kim")
    papers.add_retained(Retained(act="hold", item="video/1", reason="a dispute", actor="Kim"))
    engine = open_engine(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with engine.connect() as connection, pytest.raises(Exception, match="append-only"):
        connection.execute(text(f"DELETE FROM {table}"))


def test_a_corrected_figure_stands_in_the_place_of_the_earlier_one(papers: Papers) -> None:
    papers.add_figures([FIGURE], "Kim")
    papers.add_figures([HoldFigure(**{**_fields(FIGURE), "prizes_cents": 80000})], "Lee")
    (stands,) = papers.figures("2026-10-01", "2026-12-31", "0123")
    assert (stands.prizes_cents, stands.entered_by) == (80000, "Lee")
    assert papers.figures("2026-01-01", "2026-03-31") == []


def test_the_roster_of_a_week(papers: Papers) -> None:
    duty = Duty(site="0123", day="2026-11-17", shift="evening", person="Kim", duty="twenty-one")
    papers.set_roster([duty, duty], "Lee")
    assert papers.roster("0123", "2026-11-16", "2026-11-22") == [duty]
    assert papers.roster("0123", "2026-11-18", "2026-11-22") == []


def test_every_piece_of_paper_leaves_an_entry_in_the_audit_log(store: Store, papers: Papers) -> None:
    papers.add_document(a_document())
    papers.add_figures([FIGURE], "Kim")
    papers.add_retained(Retained(act="hold", item="video/1", reason="a dispute", actor="Kim"))
    papers.set_roster([], "Kim")
    assert [link.deed.act for link in store.audit() if link.deed] == ["document", "figures", "hold", "roster"]


def test_weekly_documents_of_earlier_versions_are_carried_over(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    engine = create_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0006")
        for when in ("2026-11-20", "2026-11-21"):
            connection.execute(
                text(
                    "INSERT INTO weekly_documents (site, week, reviewer, pdf, csv, pdf_sha256, made_at) "
                    "VALUES ('0123', '2026-W47', 'Kim', '/docs/a.pdf', '/docs/a.csv', '00', :at)"
                ),
                {"at": when},
            )
    engine.dispose()
    kept = Papers(Store(url)).documents("weekly")
    assert [(one.version, one.made_at, one.files, one.folder) for one in kept] == [
        (2, "2026-11-21", {"a.pdf": "00"}, "/docs"),
        (1, "2026-11-20", {"a.pdf": "00"}, "/docs"),
    ]


def _fields(figure: HoldFigure) -> dict[str, object]:
    return {name: getattr(figure, name) for name in figure.__struct_fields__ if name != "id"}
