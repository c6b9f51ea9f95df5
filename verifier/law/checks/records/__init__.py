"""The checks of external records (99-01.3-08, observability `records`); importing this package registers them."""

from verifier.law.checks.records import (  # noqa: F401
    access,
    books,
    cameras,
    continuity,
    counts,
    disclosure,
    equipment,
    fees,
    hold,
    limits,
    losses,
    redemption,
    reviews,
    samples,
    slip_forms,
    slips,
    tournaments,
)
