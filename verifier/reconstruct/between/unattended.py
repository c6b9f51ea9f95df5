"""A table without a dealer for a while: when it was left and opened again, and what nobody can have covered before."""

from __future__ import annotations

from itertools import pairwise

from verifier.domain.events import TableState
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.acts import looks
from verifier.reconstruct.between.declared import COVERED
from verifier.reconstruct.scene import Between, Drafts, event


def table_states(
    between: Between, handled: float, left: float, back: float | None, burned: float | None, drawn: float = 0.0
) -> Drafts:
    """`table_state` of an absence from `left` to `back` (None: until the end), if it is long enough for a closed table.

    Covers are not detected. What no hand was at between the end of play and `handled`, when the dealer began to leave,
    cannot have been covered; of anything else nothing is said. `burned` is when the next dealer burned a card, `drawn`
    when one was last burned before: shoe and discard holder were uncovered then.
    """
    until = between.end if back is None else back
    if until - left < par.TABLE_CLOSED_S:
        return []
    tray = _uncovered(between, "tray", between.start, handled)
    cards, shoe = (_uncovered(between, zone, max(between.start, drawn), handled) for zone in ("discard", "shoe"))
    closed = event(
        TableState,
        left + par.THREE_LOOKS_S,
        left + 1.0,
        par.TABLE_CLOSED_P,
        state="temp_closed",
        dealer_present=False,
        tray="open" if tray else None,
        cards_covered=False if cards else None,
        shoe_covered=False if shoe else None,
    )
    if back is None:
        return [closed]
    return [closed, _opened(back, burned)]


def opened_again(between: Between, left: float, back: float, burned: float | None) -> Drafts:
    """`table_state` where somebody `left` in a stretch before, which told of the closed table if that was long."""
    if between.start - left >= par.TABLE_CLOSED_S:
        return [_opened(back, burned)]
    return table_states(between, left, left, back, burned)


def _opened(back: float, burned: float | None) -> TableState:
    opened = back + par.TABLE_OPEN_S if burned is None else burned
    return event(
        TableState,
        opened - par.TWO_LOOKS_S,
        opened - par.SLACK_S,
        par.TABLE_OPEN_P,
        state="open",
        dealer_present=True,
        tray=None,
    )


def _uncovered(between: Between, zone: str, used: float, until: float) -> bool:
    """Tell whether a fixture was watched from the time it was last `used`, and no hand came to it."""
    since = used + par.UNATTENDED_PLAY_S
    times = between.hands.times_between(since, until)
    watched = len(times) >= 2 and all(b - a <= par.TABLE_WATCHED_S for a, b in pairwise(times))
    return watched and zone in between.table.zones and not looks(between, COVERED[zone], since, until)
