"""Deeds hold the digests of what they made; who watches has one allowance for all recordings and tabs together."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the digests to the audit log (none in the entries that are there), and the table of allowances.

    What is kept already is taken stock of by the first store that opens the database with its key.
    """
    for name in ("made", "marks"):
        op.add_column("audit_log", sa.Column(name, sa.Text, nullable=False, server_default="{}"))
    op.create_table(
        "watching",
        sa.Column("person", sa.String(120), primary_key=True),
        sa.Column("told_at", sa.String(32), nullable=False),
        sa.Column("left_over", sa.Float, nullable=False),
    )
