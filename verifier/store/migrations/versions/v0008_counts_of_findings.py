"""Counting the queue's findings by decision reads an index and no finding."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_findings_counts", "findings", ["decision", "current", "review_id"])
