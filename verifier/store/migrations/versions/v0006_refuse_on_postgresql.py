"""On PostgreSQL too, triggers refuse to change or delete what people wrote."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_APPEND_ONLY = ("verdicts", "weekly_documents", "audit_log", "documents", "hold_figures", "retention_acts")


def upgrade() -> None:
    """Create the triggers; SQLite has them already. TRUNCATE passes no row, so it is refused as a statement."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for table in _APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
