"""Exchanging tips (99-01.3-08-11(18)(b))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    ChipsFanned,
    ChipsFromTray,
    ChipsToTray,
    DealerShift,
    HandsClear,
    HandsShown,
    TipDeposited,
    TipExchange,
)
from verifier.law import say
from verifier.law.amounts import Amount, seen, total
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_11.sub18_hands_shown import SHOW_AFTER_EXCHANGE, complete_showing, shown_words
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.stretches import closes

EMPTY = "ND-08-11.18.b-empty-receptacle"
LEFT = "ND-08-11.18.b-place-left"
FAN_IN = "ND-08-11.18.b-fan-exchanged-only"
EQUAL = "ND-08-11.18.b-equal-value"
RIGHT = "ND-08-11.18.b-place-right"
AWAY = "ND-08-11.18.b-hands-away"
TRAY = "ND-08-11.18.b-tray-then-receptacle"


def _exchanges(session: Session) -> list[tuple[tuple[AnyEvent, ...], AnyEvent | None]]:
    """Tip exchanges as stretches of events, each with what ended it: play, a change of dealer, the table's closing."""
    found: list[tuple[tuple[AnyEvent, ...], AnyEvent | None]] = []
    members: list[AnyEvent] = []
    for event in session.events:
        if isinstance(event, TipExchange) or members:
            if isinstance(event, CardDealt | DealerShift) or closes(event):
                found.append((tuple(members), event))
                members = []
            else:
                members.append(event)
    if members:
        found.append((tuple(members), None))
    return found


@session_check(SHOW_AFTER_EXCHANGE, video=True)
def shown_after_exchange(session: Session) -> Iterator[Instance]:
    """Check that an exchange that does not end in the dealer's leaving still ends in showing the hands."""
    for members, ending in _exchanges(session):
        if ending is None or (isinstance(ending, DealerShift) and ending.phase == "end"):
            continue
        shown = [e for e in members if isinstance(e, HandsShown)]
        step = any(isinstance(e, TipExchange) and e.step == "hands_shown" for e in members)
        relief = isinstance(ending, DealerShift) or _by_relief(session, members)
        right = True if step else complete_showing(shown)
        yield judged(
            SHOW_AFTER_EXCHANGE,
            None if relief and right is False else right,
            key=f"exchange {members[0].id}",
            events=[members[0], *shown],
            expected="after a tip exchange the dealer shows both sides of both hands",
            observed=shown_words(shown, []),
        )


def _by_relief(session: Session, members: Sequence[AnyEvent]) -> bool:
    """Tell whether the next dealer exchanges the tips of the one who left (11(18)(b))."""
    before = [e for e in session.of(DealerShift) if e.t_end <= members[0].t_start]
    cards = [e for e in session.of(CardDealt) if e.t_end <= members[0].t_start]
    if not before or before[-1].phase != "start":
        return False
    return len(before) > 1 and not any(c.t_start >= before[-1].t_end for c in cards)


@session_check(EQUAL, video=True)
def exchange_equal(session: Session) -> Iterator[Instance]:
    """Chips taken from the tray equal the tips that were fanned to be exchanged."""
    for members, ending in _exchanges(session):
        given = _value(members, "tip_exchange_in", "fanned_in")
        taken = _out(members, given)
        if given is None or taken is None:
            continue
        right = taken.equals(given)
        yield judged(
            EQUAL,
            right,
            key=members[0].id,
            at="inner",
            events=_money(members),
            uncounted=_unread(right, taken, given),
            expected=say.that("{given} are taken from the tray for the {given} that were fanned", given=given),
            observed=say.that("{taken} were taken from the tray", taken=taken),
        )
        back: list[AnyEvent] = [e for e in members if isinstance(e, ChipsToTray)]
        trayed = total(seen(e.cents) for e in members if isinstance(e, ChipsToTray))
        if back or ending is not None:
            short: list[AnyEvent] = [
                e for e in members if isinstance(e, TipExchange) and e.step == "to_tray" and e.cents is not None
            ]
            if short and _cents(short[-1]).equals(given) is False:
                trayed, back = _cents(short[-1]), back or short
            right = trayed.equals(given) if back else _step_only(members)
            yield judged(
                TRAY,
                right,
                key=f"value {members[0].id}",
                at="inner",
                events=_money(members),
                uncounted=bool(back) and _unread(right, trayed, given),
                expected=say.that("the exchanged {given} go to the tray", given=given),
                observed=say.that("{trayed} went to the tray", trayed=trayed)
                if back
                else "they did not go to the tray",
                also=[EQUAL],
            )


def _unread(right: bool | None, *amounts: Amount) -> bool:
    """Tell whether a comparison is open only because an amount could not be read."""
    return right is None and not all(amount.exact for amount in amounts)


def _cents(event: AnyEvent) -> Amount:
    return seen(getattr(event, "cents", None))


def _step_only(members: Sequence[AnyEvent]) -> bool | None:
    return True if any(isinstance(e, TipExchange) and e.step == "to_tray" for e in members) else None


def _money(members: Sequence[AnyEvent]) -> list[AnyEvent]:
    return [e for e in members if isinstance(e, ChipsFanned | ChipsFromTray | ChipsToTray)]


def _value(members: Sequence[AnyEvent], owner: str, step: str) -> Amount | None:
    fans = [e for e in members if isinstance(e, ChipsFanned) and e.owner == owner]
    if fans:
        return total(seen(e.cents) for e in fans)
    steps = [e for e in members if isinstance(e, TipExchange) and e.step == step]
    told = [e for e in steps if e.cents is not None]
    return seen((told or steps)[-1].cents) if steps else None


_REPLACING = ("taken", "placed_right", "fanned_out")


def _out(members: Sequence[AnyEvent], given: Amount | None) -> Amount | None:
    """Return what was taken in exchange, by the tray, the fan and the steps. One of these that does not equal what was
    given decides.
    """
    taken = [e for e in members if isinstance(e, ChipsFromTray)]
    told = [total(seen(e.cents) for e in taken)] if taken else []
    fan = _value(members, "tip_exchange_out", "fanned_out")
    told += [fan] if fan is not None else []
    told += [
        seen(e.cents) for e in members if isinstance(e, TipExchange) and e.step in _REPLACING and e.cents is not None
    ]
    other = [amount for amount in told if given is not None and amount.equals(given) is False]
    found = other or told
    return found[0] if found else None


_STEPS = (
    ("emptied", EMPTY, "all chips are taken out of the receptacle"),
    ("placed_left", LEFT, "the tips are laid at the dealer's left"),
    ("fanned_in", FAN_IN, "the tips to be exchanged are fanned"),
    ("placed_right", RIGHT, "the replacement chips are laid at the dealer's right"),
    ("fanned_out", RIGHT, "the replacement chips are fanned"),
)


@session_check(EMPTY, LEFT, FAN_IN, RIGHT, AWAY, TRAY, video=True)
def exchange_steps(session: Session) -> Iterator[Instance]:
    """Check that the steps of a tip exchange are all made, in their order."""
    for members, ending in _exchanges(session):
        steps = [e for e in members if isinstance(e, TipExchange)]
        at: dict[str, TipExchange] = {e.step: e for e in reversed(steps)}
        complete = ending is not None or "to_receptacle" in at
        fans = {e.owner for e in members if isinstance(e, ChipsFanned)}
        previous: TipExchange | None = None
        amid = _begins_amid(session, members[0])
        for step, clause, words in _STEPS:
            own = at.get(step)
            fanned = (step == "fanned_in" and "tip_exchange_in" in fans) or (
                step == "fanned_out" and "tip_exchange_out" in fans
            )
            ordered = own is None or previous is None or own.t_end >= previous.t_end
            right: bool | None = (own is not None or fanned) and ordered
            if own is None and previous is None and amid:
                right = right or None  # the log begins amid the exchange
            if own is not None or complete:
                yield judged(
                    clause,
                    right,
                    key=f"{step} {members[0].id}",
                    at="inner",
                    events=[*steps[:1], own],
                    expected=words,
                    observed=say.that("this step was {which}", which="missing" if own is None else "out of order"),
                )
            previous = own or previous
        yield from _fanned_before_taken(members, at)
        yield from _end_of_exchange(members, at, complete, amid)
        yield from _put_back(session, members, at, ending)


def _begins_amid(session: Session, first: AnyEvent) -> bool:
    """Tell whether the log may begin amid an exchange: only its own acts lie before its first step."""
    before = session.events[: session.events.index(first)]
    return all(isinstance(e, ChipsFanned | ChipsFromTray | ChipsToTray | HandsClear) for e in before)


def _fanned_before_taken(members: Sequence[AnyEvent], at: dict[str, TipExchange]) -> Iterator[Instance]:
    fanned, taken = at.get("fanned_in"), at.get("taken")
    if fanned is not None and taken is not None:
        yield judged(
            FAN_IN,
            fanned.t_end <= taken.t_end,
            key=f"before {members[0].id}",
            at="inner",
            events=[fanned, taken],
            expected="the tips are fanned before chips are taken for them",
            observed="chips were taken first",
        )


def _end_of_exchange(
    members: Sequence[AnyEvent], at: dict[str, TipExchange], complete: bool, cut: bool
) -> Iterator[Instance]:
    """How an exchange ends; where the log begins amid it (`cut`), what is missing may have come before."""
    first, tray, receptacle = members[0], at.get("to_tray"), at.get("to_receptacle")
    fanned = at.get("fanned_out")
    clear = [e for e in members if isinstance(e, HandsClear)]
    if fanned is not None:
        clear = [e for e in clear if e.t_end >= fanned.t_start]
    if tray is not None:
        clear = [e for e in clear if e.t_start <= tray.t_end]
    if complete:
        yield judged(
            AWAY,
            bool(clear) or (None if cut and fanned is None else False),
            key=first.id,
            at="inner",
            events=[fanned, tray],
            expected="the hands leave the fanned chips before they are put away",
            observed="the hands never left the fanned chips",
        )
        ordered = tray is not None and (receptacle is None or tray.t_end <= receptacle.t_end)
        yield judged(
            TRAY,
            ordered,
            key=first.id,
            at="inner",
            events=[tray, receptacle],
            expected="the exchanged chips go to the tray, then the replacement chips to the receptacle",
            observed="the exchanged chips "
            + ("did not go to the tray" if tray is None else "went to the tray after the replacement was put away"),
        )


def _put_back(
    session: Session, members: Sequence[AnyEvent], at: dict[str, TipExchange], ending: AnyEvent | None
) -> Iterator[Instance]:
    """Once the exchanged chips are in the tray, the others go to the receptacle, in a recording perhaps out of view.

    Where the log ends before, they may still have gone there.
    """
    tray = at.get("to_tray")
    if session.from_pixels or (tray is None and ending is not None):
        return
    back = [e for e in members if isinstance(e, TipDeposited) and tray is not None and e.t_end >= tray.t_start]
    yield judged(
        TRAY,
        "to_receptacle" in at or bool(back) or (None if ending is None else False),
        key=f"back {members[0].id}",
        at="inner",
        events=[tray, ending],
        expected="after the exchanged chips went to the tray, the replacement chips go to the receptacle",
        observed="the log ends before that" if ending is None else "the replacement chips never went to the receptacle",
    )
