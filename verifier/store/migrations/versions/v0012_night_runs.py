"""Each run of a night is kept, so that the morning report holds all of them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "night_runs",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("night", sa.String(32), nullable=False, index=True),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
