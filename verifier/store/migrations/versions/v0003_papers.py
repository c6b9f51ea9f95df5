"""Documents in versions, the roster, percent-of-hold figures, and the acts of retention."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_APPEND_ONLY = ("documents", "hold_figures", "retention_acts")


def upgrade() -> None:
    """Create the tables; on SQLite triggers refuse to change or delete what people wrote."""
    _documents()
    op.create_table(
        "roster",
        sa.Column("site", sa.String(64), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("shift", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(120), primary_key=True),
        sa.Column("duty", sa.String(64), primary_key=True),
    )
    _hold_figures()
    op.create_table(
        "retention_acts",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("act", sa.String(16), nullable=False),
        sa.Column("item", sa.String(160), nullable=False, index=True),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        for table in _APPEND_ONLY:
            for act in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )


def _documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("site", sa.String(64), nullable=False),
        sa.Column("period", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("files", sa.Text, nullable=False),
        sa.UniqueConstraint("kind", "site", "period", "version"),
    )


def _hold_figures() -> None:
    op.create_table(
        "hold_figures",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("site", sa.String(64), nullable=False, index=True),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("dealer", sa.String(120), nullable=False),
        sa.Column("gross_cents", sa.BigInteger, nullable=False),
        sa.Column("prizes_cents", sa.BigInteger, nullable=False),
        sa.Column("entered_by", sa.Text, nullable=False),
        sa.Column("entered_at", sa.String(32), nullable=False),
        sa.Column("replaces", sa.Integer, sa.ForeignKey("hold_figures.id")),
    )
