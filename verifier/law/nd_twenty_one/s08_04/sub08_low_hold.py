"""What a low percent-of-hold sets off (99-01.3-08-04(8))."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from verifier.domain.events import ReviewAction
from verifier.law import say
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.shared.holds import READS, Hold, holds
from verifier.law.registry import session_check
from verifier.law.rows import at_site, by, of_row
from verifier.law.session import Session

TRIGGER = "ND-08-04.8-poh-trigger"


def triggers(session: Session) -> list[Hold]:
    """Rows of a whole site whose percent-of-hold is below the limit of its game."""
    return [
        hold
        for hold in holds(session.records)
        if hold.dealer is None and hold.share is not None and hold.share < hold.least(session.figures)
    ]


@session_check(TRIGGER, video=True, reads=READS)
def low_hold(session: Session) -> Iterator[Instance]:
    """Check that the video of a site is reviewed when its percent-of-hold is below 10 percent (15 for paddlewheels)."""
    for hold in holds(session.records):
        if hold.dealer is not None or hold.share is None:
            continue
        least = hold.least(session.figures)
        low = hold.share < least
        yield of_row(
            TRIGGER,
            _reviewed(session, hold) if low else True,
            hold.entry,
            expected=say.that("video is reviewed once percent-of-hold is below {least}", least=say.share(least)),
            observed=say.that("percent-of-hold was {share} and no review was made", share=say.share(hold.share, 2)),
            incident=f"no review {hold.entry.event.id}",
            rank=1,
        )


def _reviewed(session: Session, hold: Hold) -> bool | None:
    said = hold.entry.flag("review_started", "video_review", "review_required", "review_opened")
    if said is not None:
        return said
    known = hold.determined
    since = [
        e
        for e in session.records.of("review_document")
        if (known is None or e.day is None or e.day >= known) and at_site(session, e, hold.entry)
    ]
    if since or session.of(ReviewAction):
        return True
    return by(session.records.today, known + timedelta(days=7) if known else None)
