"""A clear picture with nothing in its way (99-01.3-08-04(6))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from verifier.domain.events import ViewCheck
from verifier.law import say
from verifier.law.entries import as_number
from verifier.law.instances import Instance, judged, untold
from verifier.law.registry import session_check
from verifier.law.session import Session

CLEAR = "ND-08-04.6-picture-clear"
CLEAR_ENOUGH, NOT_CLEAR = 0.8, 0.5
FREE_ENOUGH, OBSTRUCTED = 0.2, 0.5
"""Median share of readable objects, and of the table that is hidden: above the one a pass, below the other a violation
(the rule has no numbers; policy of this project)."""


@session_check(CLEAR, video=True, reads=("view_check",))
def picture_clear(session: Session) -> Iterator[Instance]:
    """Cards, currency and chips are clear and nothing stands before them, over the samples of the recording."""
    checks = [c for c in session.of(ViewCheck) if not c.weak]
    for check in checks:
        if check.readable_share is None and check.occlusion is None:
            yield untold(CLEAR, "how much can be read in the picture", check)
    for what, values in _shares(checks).items():
        middle = median(values)
        yield judged(
            CLEAR,
            True if middle >= CLEAR_ENOUGH else (False if middle < NOT_CLEAR else None),
            key=what,
            events=checks[:5],
            expected=say.that("{what} can be read in the picture", what=what),
            observed=say.that("{middle} of them could be read", middle=say.share(middle)),
        )
    hidden = [c.occlusion for c in checks if c.occlusion is not None]
    if hidden:
        middle = median(hidden)
        yield judged(
            CLEAR,
            True if middle <= FREE_ENOUGH else (False if middle > OBSTRUCTED else None),
            key="hidden",
            events=checks[:5],
            expected="nothing stands before the table",
            observed=say.that("{middle} of the table was hidden", middle=say.share(middle)),
        )


def _shares(checks: Sequence[ViewCheck]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for check in checks:
        share = check.readable_share
        named = share if isinstance(share, dict) else {"cards, currency and chips": share}
        for what, value in named.items():
            number = as_number(value)
            if number is not None:
                found.setdefault(str(what), []).append(number)
    return found
