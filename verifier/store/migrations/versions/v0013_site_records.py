"""The site's records, each in versions."""

import sqlalchemy as sa
from alembic import op

from verifier.store.migrations.versions.v0012_floor_and_queue import _refuse_change

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, whose rows are only added."""
    op.create_table(
        "site_records",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("site", sa.String(64), nullable=False, index=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("table_name", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
        sa.UniqueConstraint("site", "kind", "name", "version"),
    )
    _refuse_change("site_records")
