"""First tables: reviews, findings, verdicts (append-only), weekly documents."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_APPEND_ONLY = ("verdicts", "weekly_documents")


def upgrade() -> None:
    """Create the tables; on SQLite triggers refuse to change or delete what people wrote."""
    _reviews()
    _findings()
    op.create_table(
        "verdicts",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("finding_id", sa.String(80), sa.ForeignKey("findings.id"), nullable=False, index=True),
        sa.Column("decision", sa.String(20), nullable=False),
        sa.Column("reviewer", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("decided_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "weekly_documents",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("site", sa.String(64), nullable=False),
        sa.Column("week", sa.String(8), nullable=False, index=True),
        sa.Column("reviewer", sa.Text, nullable=False),
        sa.Column("pdf", sa.Text, nullable=False),
        sa.Column("csv", sa.Text, nullable=False),
        sa.Column("pdf_sha256", sa.String(64), nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        for table in _APPEND_ONLY:
            _refuse_changes(table)


def _reviews() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("video_sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("video_name", sa.Text, nullable=False),
        sa.Column("site", sa.String(64), index=True),
        sa.Column("table_name", sa.String(64)),
        sa.Column("play_date", sa.String(10), index=True),
        sa.Column("rulebook", sa.String(32), nullable=False),
        sa.Column("law_as_of", sa.String(10), nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("duration", sa.Float),
        sa.Column("reviewed_seconds", sa.Float, nullable=False),
        sa.Column("coverage", sa.Float, nullable=False),
        sa.Column("gaps", sa.Text, nullable=False),
        sa.Column("clock_start", sa.String(32)),
        sa.Column("clock_end", sa.String(32)),
        sa.Column("reviewed_at", sa.String(32), nullable=False),
    )


def _findings() -> None:
    op.create_table(
        "findings",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("review_id", sa.String(64), sa.ForeignKey("reviews.id"), nullable=False, index=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, index=True),
        sa.Column("current", sa.Boolean, nullable=False),
        sa.Column("clause", sa.String(120), nullable=False, index=True),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("clip", sa.Text),
        sa.Column("stills", sa.Text, nullable=False),
    )


def _refuse_changes(table: str) -> None:
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )
