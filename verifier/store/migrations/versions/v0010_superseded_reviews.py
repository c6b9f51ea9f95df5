"""A review may be of an earlier state of a file that grew: it is kept, and the later review stands in its place."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column that tells which review took the place of another."""
    op.add_column("reviews", sa.Column("superseded_by", sa.String(64), nullable=True))
