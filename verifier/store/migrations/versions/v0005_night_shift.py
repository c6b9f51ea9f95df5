"""The night shift: its journal of jobs, and leases."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "night_jobs",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("night", sa.String(32), nullable=False, index=True),
        sa.Column("site", sa.String(64)),
        sa.Column("table_name", sa.String(64)),
        sa.Column("review_id", sa.String(64), index=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("recorded", sa.Float, nullable=False),
        sa.Column("reviewed", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("finished_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(200), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
