"""The review room: accounts, sessions, holds, watched stretches, bookmarks, blind samples, policies; a quick queue."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_VERDICTS = {"violation": 0, "undetermined": 1}
_SEVERITIES = {"critical": 0, "major": 1, "minor": 2}


def upgrade() -> None:
    """Create the tables and fill the queue's columns of findings that are there already."""
    _people()
    _watching()
    _queue_columns()
    _fill_queue()
    op.create_index("ix_findings_urgency", "findings", ["urgency", "id"])
    op.create_index("ix_findings_decision", "findings", ["decision", "urgency", "id"])


def _people() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("name", sa.String(120), nullable=False, unique=True),
        sa.Column("full_name", sa.Text, nullable=False),
        sa.Column("role", sa.String(32), nullable=False),
        sa.Column("authority", sa.Boolean, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("locked_until", sa.String(32)),
        sa.Column("created_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token_sha256", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False, index=True),
        sa.Column("started_at", sa.String(32), nullable=False),
        sa.Column("seen_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "holds",
        sa.Column("finding_id", sa.String(80), sa.ForeignKey("findings.id"), primary_key=True),
        sa.Column("person", sa.String(120), nullable=False),
        sa.Column("until", sa.String(32), nullable=False),
    )
    op.create_table(
        "site_policies",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("site", sa.String(64), nullable=False, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("set_by", sa.String(120), nullable=False),
        sa.Column("set_at", sa.String(32), nullable=False),
    )


def _review() -> sa.Column[str]:
    return sa.Column("review_id", sa.String(64), sa.ForeignKey("reviews.id"), nullable=False, index=True)


def _watching() -> None:
    op.create_table(
        "watched",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        _review(),
        sa.Column("person", sa.String(120), nullable=False, index=True),
        sa.Column("stretches", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("position", sa.Float, nullable=False),
        sa.Column("reported_at", sa.String(32), nullable=False),
        sa.UniqueConstraint("review_id", "person"),
    )
    op.create_table(
        "bookmarks",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        _review(),
        sa.Column("t", sa.Float, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("person", sa.String(120), nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "blind_samples",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        _review(),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("t_start", sa.Float, nullable=False),
        sa.Column("t_end", sa.Float, nullable=False),
        sa.Column("flagged", sa.Boolean, nullable=False),
        sa.Column("person", sa.String(120), nullable=False),
        sa.Column("answer", sa.String(20), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("answered_at", sa.String(32), nullable=False),
        sa.UniqueConstraint("review_id", "round", "person"),
    )


def _queue_columns() -> None:
    for column in (
        sa.Column("urgency", sa.Integer, nullable=False, server_default="0"),
        sa.Column("dealer", sa.String(120)),
        sa.Column("origin", sa.String(16), nullable=False, server_default="software"),
        sa.Column("decision", sa.String(20), nullable=False, server_default="open"),
        sa.Column("decided_by", sa.Text),
    ):
        op.add_column("findings", column)
    op.create_index("ix_findings_dealer", "findings", ["dealer"])
    op.add_column("verdicts", sa.Column("reason", sa.String(32), nullable=False, server_default=""))
    op.add_column("reviews", sa.Column("video_path", sa.Text, nullable=False, server_default=""))


def _fill_queue() -> None:
    bind = op.get_bind()
    for name, body in bind.execute(sa.text("SELECT id, body FROM findings")).all():
        fields = json.loads(body)
        rank = (_VERDICTS[fields["verdict"]] * 2 + bool(fields.get("corrected"))) * 3 + _SEVERITIES[fields["severity"]]
        urgency = rank * 101 + 100 - round(fields["p"] * 100)
        bind.execute(sa.text("UPDATE findings SET urgency = :u WHERE id = :i"), {"u": urgency, "i": name})
    newest = "SELECT decision, reviewer, finding_id FROM verdicts ORDER BY id"
    for decision, reviewer, name in bind.execute(sa.text(newest)).all():
        bind.execute(
            sa.text("UPDATE findings SET decision = :d, decided_by = :r WHERE id = :i"),
            {"d": decision, "r": reviewer, "i": name},
        )
