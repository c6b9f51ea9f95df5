"""Two tables may have reviews of the same contents: one of the files is a copy, which is for a person to explain."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Remove the rule that a recording's hash may occur only once. On SQLite the table is made anew for it."""
    with op.batch_alter_table("reviews") as reviews:
        reviews.drop_constraint("uq_reviews_video_sha256", type_="unique")
