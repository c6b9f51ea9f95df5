"""The plaque with the limits (99-01.3-08-09(1))."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.domain.events import OverlayRead
from verifier.law import say
from verifier.law.instances import Instance, judged, untold
from verifier.law.registry import session_check
from verifier.law.session import Session

PLAQUE = "ND-08-09.1-plaque"


@session_check(PLAQUE, reads=("overlay_read of plaque",))
def plaque(session: Session) -> Iterator[Instance]:
    """Check that a plaque shows the limits that are in force."""
    limits = session.house.table_limits
    for event in session.of(OverlayRead):
        amounts = [round(float(n) * 100) for n in re.findall(r"\d+(?:\.\d{1,2})?", event.text or "")]
        if event.what == "plaque" and len(amounts) != 2:
            yield untold(PLAQUE, "what the plaque says", event)
        elif event.what == "plaque":
            yield judged(
                PLAQUE,
                sorted(amounts) == [limits.min, limits.max],
                key=event.id,
                events=[event],
                expected=say.that(
                    "the plaque shows {min} to {max}", min=say.cents(limits.min), max=say.cents(limits.max)
                ),
                observed=say.that("it shows {event}", event=event.text),
            )
