"""A verdict says whether the finding's clip was shown before it was given."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column that tells whether the clip was shown. For earlier verdicts nobody knows."""
    op.add_column("verdicts", sa.Column("seen", sa.Boolean(), nullable=True))
