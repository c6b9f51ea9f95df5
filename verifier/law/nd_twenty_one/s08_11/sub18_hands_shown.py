"""Leaving the table (99-01.3-08-11(18))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    CardsCollected,
    ChipsCollected,
    ChipsFanned,
    ChipsFromTray,
    ChipsToTray,
    DealerShift,
    HandsShown,
    PayoffPlaced,
    RoundEnded,
    TipDeposited,
    TipExchange,
    TipReceptacleTaken,
)
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.say import Said
from verifier.law.session import ROUNDING_S, Session

SHOW = "ND-08-11.18.a-show-hands"
SHOW_AFTER_EXCHANGE = "ND-08-11.18.b-show-hands"
THEN_TAKE = "ND-08-11.18.a-then-take-receptacle"
_CONTACTS = (
    CardDealt, CardsCollected, ChipsCollected, ChipsFromTray, ChipsToTray, PayoffPlaced, TipDeposited, ChipsFanned,
    TipExchange,
)  # fmt: skip
SLACK = 0.2 + ROUNDING_S
"""Seconds by which a showing of the hands may end before the last touch does (site policy, measuring)."""


@dataclass(frozen=True, eq=False)
class Leaving:
    """A dealer's leaving: the moment, what led up to it since play or the last change of dealer, and what is missing.

    `events` run from the last contact with play; `exchange` is the tip exchange within them.
    """

    end: AnyEvent
    events: tuple[AnyEvent, ...]
    exchange: tuple[TipExchange, ...]


def leavings(session: Session) -> list[Leaving]:
    """Every end of a dealer's shift, logged as such or shown by a new dealer's start."""
    found = []
    begin, present, ended = 0, None, True
    for index, event in enumerate(session.events):
        if isinstance(event, DealerShift) and event.phase == "end":
            found.append(_leaving(session, event, begin, index))
            begin, ended = index + 1, True
        elif isinstance(event, DealerShift):
            relieved = not ended and present is not None and event.dealer is not None and event.dealer != present
            if relieved and not _ends_later(session, index, present):
                found.append(_leaving(session, event, begin, index))
                begin = index + 1
            present, ended = event.dealer, False
        elif isinstance(event, CardDealt):
            ended = False
            present = event.dealer or present
    return found


def _ends_later(session: Session, index: int, dealer: str | None) -> bool:
    """Tell whether the log tells of a relieved dealer's leaving after the next has come."""
    return any(
        e.phase == "end" and e.dealer == dealer and e.t_end >= session.events[index].t_end
        for e in session.of(DealerShift)
    )


def _leaving(session: Session, end: AnyEvent, begin: int, index: int) -> Leaving:
    since = begin
    for place in range(index - 1, begin - 1, -1):
        if isinstance(session.events[place], RoundEnded | CardsCollected | CardDealt | PayoffPlaced):
            since = place
            break
    stretch = tuple(e for e in session.events[since:index] if e.t_start <= end.t_end)
    late = tuple(
        e
        for e in session.events[index : index + 6]
        if isinstance(e, HandsShown | TipReceptacleTaken) and e.t_start <= end.t_end
    )
    events = (*stretch, *late)
    return Leaving(end, events, tuple(e for e in events if isinstance(e, TipExchange)))


@session_check(SHOW, SHOW_AFTER_EXCHANGE, THEN_TAKE, video=True)
def hands_shown(session: Session) -> Iterator[Instance]:
    """Before leaving, or after exchanging tips, the dealer shows both sides of both hands, then takes the tips."""
    for leaving in leavings(session):
        clause = SHOW_AFTER_EXCHANGE if leaving.exchange else SHOW
        contact = _last_contact(leaving)
        shown = [e for e in leaving.events if isinstance(e, HandsShown) and e.t_end >= contact - SLACK]
        early = [e for e in leaving.events if isinstance(e, HandsShown) and e.t_end < contact - SLACK]
        right = complete_showing(shown)
        step = any(isinstance(e, TipExchange) and e.step == "hands_shown" for e in leaving.events)
        if not shown and step:
            right = True
        relieved = isinstance(leaving.end, DealerShift) and leaving.end.phase == "start"
        if right is False and (relieved or _begins_amid(session, leaving, shown)):
            right = None
        yield judged(
            clause,
            right,
            key=leaving.end.id,
            events=[*leaving.exchange[-1:], *early, *shown, *_taken(leaving), leaving.end],
            expected="before leaving, the dealer shows both sides of both hands with the fingers extended",
            observed=shown_words(shown, early),
        )
        if right is not False:
            yield from _then_take(leaving, shown)


def _begins_amid(session: Session, leaving: Leaving, shown: Sequence[HandsShown]) -> bool:
    """Tell whether the log may begin after the hands were shown: nothing of the dealer's work lies before."""
    before = session.events[: session.events.index(leaving.end)]
    return not shown and all(isinstance(e, TipReceptacleTaken) for e in before)


def _last_contact(leaving: Leaving) -> float:
    """When the dealer last handled cards, chips or the tips."""
    times = [
        e.t_end
        for e in leaving.events
        if isinstance(e, _CONTACTS) and not (isinstance(e, TipExchange) and e.step == "hands_shown")
    ]
    return max(times, default=float("-inf"))


def complete_showing(shown: Sequence[HandsShown]) -> bool | None:
    """Tell whether the showings together show palms and backs of both hands with fingers extended."""
    if not shown:
        return False
    sides = ("left_palm", "left_back", "right_palm", "right_back", "fingers_extended")
    found = [[getattr(e, side) for e in shown] for side in sides]
    if all(True in values for values in found):
        return True
    return None if all(True in values or None in values for values in found) else False


def shown_words(shown: Sequence[HandsShown], early: Sequence[HandsShown]) -> Said | str:
    """Return what a showing of the hands lacked, in words."""
    if not shown:
        return "the hands were " + ("shown only before the last touch of chips or cards" if early else "not shown")
    sides = ("left_palm", "left_back", "right_palm", "right_back", "fingers_extended")
    told = {side: [getattr(e, side) for e in shown] for side in sides}
    open_ = [side.replace("_", " ") for side, each in told.items() if None in each and True not in each]
    missing = [side.replace("_", " ") for side, each in told.items() if not {None, True} & set(each)]
    unsure = say.that("not surely seen while the hands were shown").detail(say.listed(", ", open_))
    if not missing:
        return unsure
    words = say.that("not seen while the hands were shown").detail(say.listed(", ", missing))
    return words + "; " + unsure if open_ else words


def _taken(leaving: Leaving) -> list[TipReceptacleTaken]:
    return [e for e in leaving.events if isinstance(e, TipReceptacleTaken)]


def _then_take(leaving: Leaving, shown: Sequence[HandsShown]) -> Iterator[Instance]:
    taken = _taken(leaving)
    if taken and shown:
        yield judged(
            THEN_TAKE,
            _taken_after(taken[-1], shown),
            key=leaving.end.id,
            events=[*shown, *taken],
            expected="the tip receptacle is taken only after the hands are shown",
            observed="the tip receptacle was taken before the hands were shown",
        )


def _taken_after(taken: TipReceptacleTaken, shown: Sequence[HandsShown]) -> bool | None:
    """Tell whether the tips were taken once all was shown; None where what was shown before was partly out of sight."""
    earlier = [e for e in shown if e.t_end <= taken.t_end]
    return True if len(earlier) == len(shown) else complete_showing(earlier)
