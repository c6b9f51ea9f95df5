"""Weekly documents of earlier versions become documents like the others; their own table goes."""

import json
from collections import Counter
from pathlib import PurePath

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Copy every weekly document as the next version of its site and week, and drop their table."""
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT * FROM weekly_documents ORDER BY id")).mappings().all()
    versions: Counter[tuple[str, str]] = Counter()
    for row in rows:
        versions[row["site"], row["week"]] += 1
        pdf = PurePath(row["pdf"])
        connection.execute(
            sa.text(
                "INSERT INTO documents (kind, site, period, version, made_by, made_at, reason, body, folder, files) "
                "VALUES ('weekly', :site, :week, :version, :by, :at, '', '{}', :folder, :files)"
            ),
            {
                "site": row["site"],
                "week": row["week"],
                "version": versions[row["site"], row["week"]],
                "by": row["reviewer"],
                "at": row["made_at"],
                "folder": str(pdf.parent),
                "files": json.dumps({pdf.name: row["pdf_sha256"]}),
            },
        )
    op.drop_table("weekly_documents")
