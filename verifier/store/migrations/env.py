"""Alembic's entry: runs on the connection that `store.database` hands over."""

from alembic import context

from verifier.store import floor_rows, papers_tables, queue_rows  # noqa: F401 - their tables belong to the metadata
from verifier.store.night import tables as night_tables  # noqa: F401 - and these
from verifier.store.room import tables as room_tables  # noqa: F401 - so do these
from verifier.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
