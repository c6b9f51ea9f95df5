"""Cash on its way to the drop box: a hand of the dealer's dwells there once the bills have gone."""

from __future__ import annotations

from verifier.domain.events import CurrencyDropped
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.acts import told
from verifier.reconstruct.between.cash import Cash, overlap
from verifier.reconstruct.between.declared import DROP
from verifier.reconstruct.scene import Between, Drafts, event

Stretch = tuple[float, float]


def at_drop(between: Between, t0: float, t1: float) -> list[Stretch]:
    """Return the stretches of [t0, t1] in which a hand of the dealer's dwelt at the drop box."""
    return [(one.t0, one.t1) for one in told(DROP, between, t0, t1)]


def unseen_drop(t: float) -> CurrencyDropped:
    """Return a weak record of a drop that nobody saw."""
    return event(CurrencyDropped, t, t + 0.5, par.WEAK_P, what="currency", cents=None, occluded=True)


def cash_dropped(between: Between, cash: Cash, taken: float, pushed: float) -> Drafts:
    """Return the way of the cash that lay there at `taken` to the drop box; `pushed` is when its chips went, if any
    did.

    Nothing where the bills lie on; a weak record where they went and no hand was seen there. What no look showed any
    more after a hand had dwelt there went with it.
    """
    looked = max((look.t for look in between.bills), default=between.end)
    runs = at_drop(between, taken, between.end)
    left = [
        dwell.t1
        for dwell in cash.dwells
        if dwell.gone is not None or dwell.t1 < looked - par.DROP_GONE_S or any(dwell.t1 < b < looked for _, b in runs)
    ]
    if not left:
        return []
    until = max(*left, pushed) + par.DROP_AFTER_S
    drop = next((run for run in runs if max(left) <= run[1] <= until), None)
    if drop is None:
        return [unseen_drop(max(*left, pushed) + 1.0)]
    return [event(CurrencyDropped, *drop, par.SEEN_P, what="currency", cents=_cents(cash, drop[1]))]


def _cents(cash: Cash, until: float) -> int | None:
    """Return how much of the cash was taken up by `until`; None where a value is not known."""
    lying = [dwell for dwell in cash.dwells if dwell.t1 > until]
    gone = [dwell for dwell in cash.dwells if dwell not in lying]
    values = [dwell.cents for dwell in gone if dwell.cents is not None]
    return sum(values) if len(values) == len(gone) and not overlap(cash.dwells) else None
