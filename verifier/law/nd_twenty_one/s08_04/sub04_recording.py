"""The table, its cover and the camera's view (99-01.3-08-03(4), 04(1), 07(1),(2))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import (
    ChipsFanned,
    ChipsFromTray,
    CurrencyDropped,
    PayoffPlaced,
    PlayerPresence,
    RecordingSegment,
    TableState,
    TrayTransfer,
    ViewCheck,
    WagerPlaced,
)
from verifier.domain.money import CHIP_COLOURS
from verifier.law.gaps import SEGMENT_GAP, seconds
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

UNATTENDED_TRAY = "ND-08-03.4-unattended-tray"
SAFEGUARDED = "ND-08-03.4-chips-safeguarded"
UNATTENDED_CARDS = "ND-08-07.1-unattended-cards"
UNATTENDED_SHOE = "ND-08-07.2-unattended-shoe"
CHIP_VALUES = "ND-08-03.1-chip-values"
REAL_TIME = "ND-08-04.1.a-real-time"
NO_LAPSE = "ND-08-04.1.a-no-time-lapse"
TO_CLOSE = "ND-08-04.4.b-continue-to-close"
GRACE_SECONDS = 10.0
"""For so long a dealer may be away from an open table that is not covered (site policy)."""
LAPSE_FPS, ENOUGH_FPS = 5.0, 10.0
"""Pictures a second below which a recording is time-lapse, and from which it is real time (site policy)."""
FEW_LOST, MANY_LOST = 0.002, 0.02
"""Share of lost pictures up to which nothing is said, and above which the recording has gaps (site policy)."""
FILL = "ND-08-05.6-dealer-verifies-fill"
CREDIT = "ND-08-05.4-credit-original"
TWO_SPACES = "ND-08-01.2-two-adjacent-spaces"
OVERLAP = "ND-08-04.4.c-overlap-10-min"
PROPER = "ND-08-04.3-proper-view"
VIEWS = {
    "shoe_face": "ND-08-04.1.c-view-shoe-face",
    "spaces": "ND-08-04.1.c-view-betting-spaces",
    "discard": "ND-08-04.1.c-view-discard",
    "tray": "ND-08-04.1.c-view-tray",
    "plunger": "ND-08-04.1.c-view-plunger",
    "table_number": "ND-08-04.1.c-view-table-number",
}


@session_check(UNATTENDED_TRAY, SAFEGUARDED, UNATTENDED_CARDS, UNATTENDED_SHOE)
def unattended(session: Session) -> Iterator[Instance]:
    """Without a dealer the tray, the cards and the shoe are covered or removed."""
    for state in session.of(TableState):
        closed = state.state == "closed_day"
        if (state.dealer_present is not False and not closed) or _back_at_once(session, state):
            continue
        tray = SAFEGUARDED if closed else UNATTENDED_TRAY
        for clause, safe, place, what, bare in (
            (tray, None if state.tray is None else state.tray != "open", "tray", "tray is", "stood open"),
            (UNATTENDED_CARDS, state.cards_covered, "shoe", "cards are", "lay uncovered"),
            (UNATTENDED_SHOE, state.shoe_covered, "shoe", "shoe is", "lay uncovered"),
        ):
            yield judged(
                clause,
                safe,
                at=place,
                key=state.id,
                events=[state],
                expected=f"the {what} covered or removed while no dealer is at the table",
                observed=f"the {what.split()[0]} {bare} with no dealer at the table"
                if safe is False
                else f"whether the {what} covered or removed was not seen",
                incident=f"unattended {state.id}" if safe is None else None,
                uncounted=safe is None,
            )


def _back_at_once(session: Session, away: TableState) -> bool:
    """Whether the dealer of an open table only turned away: the log tells that they were back within seconds."""
    back = (s for s in session.of(TableState) if s.dealer_present and s.t_start >= away.t_end)
    return away.state == "open" and any(s.t_start - away.t_start <= GRACE_SECONDS for s in back)


@session_check(CHIP_VALUES)
def chip_values(session: Session) -> Iterator[Instance]:
    """Only chips of 0.50, 1, 2, 5, 25 and 100 are in play."""
    stacks: list[WagerPlaced | ChipsFanned | PayoffPlaced | ChipsFromTray] = [
        *session.of(WagerPlaced),
        *session.of(ChipsFanned),
        *session.of(PayoffPlaced),
        *session.of(ChipsFromTray),
    ]
    for event in stacks:
        if event.chips is None:
            continue
        place = "tray" if isinstance(event, ChipsFromTray) else event.at
        odd = sorted(int(value) for value in event.chips if int(value) not in CHIP_COLOURS)
        yield judged(
            CHIP_VALUES,
            not odd,
            at=place,
            key=event.id,
            events=[event],
            expected="chips are worth 0.50, 1, 2, 5, 25 or 100 dollars",
            observed="a chip of " + ", ".join(f"{value / 100:.2f}" for value in odd) + " was in play",
        )


@session_check(FILL, CREDIT)
def slip_dropped(session: Session) -> Iterator[Instance]:
    """After a fill or credit its form goes in the drop box."""
    forms = {e.id: e for e in session.of(CurrencyDropped) if e.what == "form"}
    for transfer in session.of(TrayTransfer):
        if transfer.direction not in ("fill", "credit"):
            continue
        own = next((form for form in forms.values() if form.t_end >= transfer.t_start), None)
        if own is not None:
            del forms[own.id]
        yield judged(
            FILL if transfer.direction == "fill" else CREDIT,
            True if own is not None else None,
            key=transfer.id,
            at="drop",
            events=[transfer],
            expected=f"the {transfer.direction} slip goes in the drop box",
            observed="no form was seen to be dropped afterwards",
        )


@session_check(TWO_SPACES)
def adjacent_spaces(session: Session) -> Iterator[Instance]:
    """A player plays at most two spaces, side by side."""
    for presence in session.of(PlayerPresence):
        spaces = sorted(presence.spaces or ())
        if presence.phase == "arrive" and spaces:
            yield judged(
                TWO_SPACES,
                len(spaces) <= 2 and spaces[-1] - spaces[0] <= 1,
                key=presence.id,
                at=f"space:{spaces[0]}",
                events=[presence],
                expected="a player plays one or two adjacent spaces",
                observed="a player took spaces " + ", ".join(str(space) for space in spaces),
            )


@session_check(*VIEWS.values(), video=True, reads=("view_check",))
def field_of_view(session: Session) -> Iterator[Instance]:
    """The camera sees the six parts of the table that the rules name; each stretch without one is one finding."""
    for region, clause in VIEWS.items():
        told = [
            (check, seen)
            for check in session.of(ViewCheck)
            if (seen := (check.regions_ok or {}).get(region)) is not None
        ]
        for seen, stretch in itertools.groupby(told, key=lambda pair: pair[1]):
            checks = [check for check, _ in stretch]
            name = region.replace("_", " ")
            yield judged(
                clause,
                seen,
                key=checks[0].id,
                events=[checks[0], checks[-1]],
                expected=f"the {name} is in view",
                observed=f"the {name} was not in view",
                also=[] if seen else [PROPER],
                incident=f"view {checks[0].id} {checks[-1].id}",
            )


Span = tuple[RecordingSegment, float, float]


def spans(session: Session) -> list[Span]:
    """Segments in order with begin and end in seconds: by their `start` and `end`, else by the times of the records."""
    segments = session.of(RecordingSegment)
    told = [(seconds(s.start), seconds(s.end)) for s in segments]
    found: list[Span] = []
    for segment, (start, end) in zip(segments, told, strict=True):
        if all(a is not None and b is not None and a <= b for a, b in told) and start is not None and end is not None:
            found.append((segment, start, end))
        else:
            found.append((segment, segment.t_start, segment.t_end))
    return sorted(found, key=lambda span: span[1:])


def _cadence(segment: RecordingSegment, duration: float) -> Iterator[Instance]:
    """The picture rate is that of a moving picture, and few pictures were lost."""
    if segment.fps is not None:
        yield judged(
            NO_LAPSE,
            True if segment.fps >= ENOUGH_FPS else (False if segment.fps < LAPSE_FPS else None),
            key=segment.id,
            events=[segment],
            expected="the recording is no time-lapse",
            observed=f"it has {segment.fps:g} pictures a second",
            also=[REAL_TIME],
        )
    if isinstance(segment.dropped_frames, int) and segment.fps and duration > 0:
        lost = segment.dropped_frames / (segment.fps * duration)
        yield judged(
            REAL_TIME,
            True if lost <= FEW_LOST else (False if lost > MANY_LOST else None),
            key=f"lost {segment.id}",
            events=[segment],
            expected="the recording has all its pictures",
            also=[NO_LAPSE],
            observed=f"{segment.dropped_frames} pictures ({lost:.1%}) were lost",
        )


@session_check(REAL_TIME, NO_LAPSE, video=True, reads=("recording_segment with its rate",))
def recorded_in_real_time(session: Session) -> Iterator[Instance]:
    """The recording runs in real time."""
    for segment, begin, end in spans(session):
        yield from _cadence(segment, end - begin)
        gaps = segment.clock_gaps
        if isinstance(gaps, (int, list, tuple)):
            yield judged(
                REAL_TIME,
                not gaps,
                key=segment.id,
                events=[segment],
                expected="the recording runs in real time",
                observed=f"the recording's clock jumps: {gaps}",
                also=[NO_LAPSE],
            )


@session_check(TO_CLOSE, video=True, reads=("next recording_segment",))
def recorded_through(session: Session) -> Iterator[Instance]:
    """The recording goes on without gaps between its segments.

    A log of a review holds those that were reviewed; whether others exist, before, between and after them, it does not
    tell.
    """
    if session.from_pixels:
        return
    for (before, _, ended), (after, begun, _) in itertools.pairwise(spans(session)):
        if before.recorder_id == after.recorder_id:
            gap = begun - ended
            yield judged(
                TO_CLOSE,
                gap <= SEGMENT_GAP,
                key=after.id,
                events=[before, after],
                expected="the recording goes on until the table is closed for the day",
                observed=f"nothing was recorded for {gap:.0f} s",
            )


@session_check(OVERLAP, needs={"two_recorders": True}, video=True, reads=("second recording_segment",))
def recorders_overlap(session: Session) -> Iterator[Instance]:
    """Two recorders used in turn overlap by ten minutes."""
    enough = session.figures.overlap_seconds
    for (before, _, ended), (after, begun, _) in itertools.pairwise(spans(session)):
        if before.recorder_id and after.recorder_id and before.recorder_id != after.recorder_id:
            yield judged(
                OVERLAP,
                ended - begun >= enough,
                key=after.id,
                events=[before, after],
                expected=f"the recordings overlap by {enough / 60:g} minutes",
                observed=f"they overlap by {max(0.0, ended - begun):.0f} s",
            )
