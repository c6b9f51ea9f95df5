"""Alembic's entry: runs on the connection that `store.database` hands over."""

from alembic import context

from verifier.store.all_tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
