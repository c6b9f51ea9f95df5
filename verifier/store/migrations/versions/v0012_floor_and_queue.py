"""Runs of a night, the gaming floor (tables with their versions, allowed folders), and the queue of reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "night_runs",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("night", sa.String(32), nullable=False, index=True),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    _create_floor()
    op.create_table(
        "ordered_reviews",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("asked_by", sa.String(120), nullable=False),
        sa.Column("asked_at", sa.String(32), nullable=False),
        sa.Column("order", sa.Text, nullable=False),
        sa.Column("progress", sa.Text, nullable=False),
        sa.Column("cancelled", sa.Boolean, nullable=False),
        sa.Column("changed_at", sa.String(32), nullable=False),
    )


def _create_floor() -> None:
    """Create the gaming floor: its tables, their versions, which nobody may change, and the allowed folders."""
    op.create_table(
        "gaming_tables",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("site", sa.String(64), nullable=False, index=True),
        sa.Column("table_name", sa.String(64), nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.UniqueConstraint("site", "table_name"),
    )
    op.create_table(
        "gaming_table_versions",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("gaming_tables.id"), nullable=False, index=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("valid_from", sa.String(10), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.UniqueConstraint("table_id", "kind", "version"),
    )
    op.create_table(
        "allowed_folders",
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("site", sa.String(64), nullable=False),
        sa.Column("added_by", sa.Text, nullable=False),
        sa.Column("added_at", sa.String(32), nullable=False),
    )
    _refuse_change("gaming_table_versions")


def _refuse_change(table: str) -> None:
    """Let the database itself refuse to change or delete a version that was kept."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
        return
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )
