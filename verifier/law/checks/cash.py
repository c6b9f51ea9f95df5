"""Buy-ins and chip exchanges (99-01.3-08-06(1), 07(3))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    ChipsFanned,
    ChipsFromTray,
    ChipsPushed,
    ChipsReceived,
    ChipsToTray,
    CurrencyDropped,
    CurrencySpread,
    HandsClear,
    RoundStarted,
)
from verifier.law.amounts import UNKNOWN, Amount, seen, total
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

CASH_ONLY = "ND-08-06.1-cash-only"
FLAT = "ND-08-07.3.b-bills-face-down-flat"
SEQUENCE = "ND-08-07.3.b-bills-in-sequence"
INNER = "ND-08-07.3.b-bills-inner-area"
CLEAR_CASH = "ND-08-07.3.b-hands-clear-cash"
EQUAL_CASH = "ND-08-07.3.b-chips-equal-cash"
RIGHT_HAND = "ND-08-07.3.b-stack-right-hand"
FAN = "ND-08-07.3.b-fan-buyin"
CLEAR_CHIPS = "ND-08-07.3.b-hands-clear-chips"
DROP = "ND-08-07.3.b-cash-to-drop-last"
PUSH = "ND-08-07.3.b-restack-push"
IN_LEFT = "ND-08-07.3.c-exchange-in-left"
CLEAR_IN = "ND-08-07.3.c-exchange-hands-clear-in"
EQUAL = "ND-08-07.3.c-exchange-equal"
CLEAR_OUT = "ND-08-07.3.c-exchange-hands-clear-out"
ORDER = "ND-08-07.3.c-exchange-order"
_PLAYER_REASONS = frozenset({"settlement", "payoff", "win", "colour_up", "error", "return"})


def _stretches(session: Session, start: type[AnyEvent]) -> Iterator[tuple[AnyEvent, tuple[AnyEvent, ...], bool]]:
    """Each opening event, the events up to the next opening of its kind or the next card, and whether play went on."""
    events = session.events
    for index, event in enumerate(events):
        if not isinstance(event, start):
            continue
        members: list[AnyEvent] = []
        went_on = False
        for later in events[index + 1 :]:
            if isinstance(later, start | CardDealt | RoundStarted):
                went_on = True
                break
            members.append(later)
        yield event, tuple(members), went_on


@session_check(FLAT, SEQUENCE, INNER, video=True)
def bills_spread(session: Session) -> Iterator[Instance]:
    """Bills are spread face down and flat, in sequence, across the inner table area."""
    for spread in session.of(CurrencySpread):
        for clause, value, words in (
            (FLAT, spread.face_down, "face down"), (SEQUENCE, spread.monotone, "in sequence of denomination"),
            (INNER, spread.perpendicular, "perpendicular to the tray"),
        ):  # fmt: skip
            if value is not None:
                yield judged(
                    clause, value, key=spread.id, at="inner", events=[spread], expected=f"bills are laid {words}",
                    observed=f"bills were not laid {words}",
                )  # fmt: skip
        if spread.overlap:
            yield judged(
                FLAT, False, key=f"overlap {spread.id}", at="inner", events=[spread],
                expected="each bill lies flat and apart", observed="bills overlapped",
            )  # fmt: skip


@session_check(EQUAL_CASH, RIGHT_HAND, FAN, PUSH, DROP, CLEAR_CASH, CLEAR_CHIPS, video=True)
def buy_in(session: Session) -> Iterator[Instance]:
    """Chips equal to the cash are taken, fanned, left, pushed, and the cash is dropped last."""
    for spread, members, went_on in _stretches(session, CurrencySpread):
        assert isinstance(spread, CurrencySpread)
        pushes = [e for e in members if isinstance(e, ChipsPushed)]
        taken = _before([e for e in members if isinstance(e, ChipsFromTray)], pushes)
        fans = [e for e in members if isinstance(e, ChipsFanned) and e.owner == "buy_in"]
        drops = [e for e in members if isinstance(e, CurrencyDropped) and e.what == "currency"]
        done = went_on or bool(drops)
        if pushes:
            late = [f for f in fans if f.t_start >= pushes[0].t_end]
            yield judged(
                PUSH, not late, key=spread.id, at=pushes[0].at, events=[*fans, pushes[0]],
                expected="the chips are fanned, stacked again and pushed to the player",
                observed="they were pushed before they were fanned",
            )  # fmt: skip
            yield _equal_cash(spread, taken, fans, pushes)
            yield _step(
                FAN,
                spread,
                any(f.t_start <= pushes[0].t_end for f in fans),
                "the chips are fanned",
                "they were not fanned",
            )
            yield from _clear(spread, members, taken, fans, pushes)
        elif taken and went_on:
            yield judged(
                PUSH, None if session.from_pixels else False, key=spread.id, at="inner", events=[spread, *taken],
                expected="the chips are pushed to the player", observed="they were not pushed to any player",
            )  # fmt: skip
        for chips in taken:
            if chips.hand is not None:
                yield _step(
                    RIGHT_HAND, spread, None if chips.hand == "unknown" else chips.hand == "right",
                    "the chips are stacked with only the right hand", f"they were taken with {chips.hand}",
                )  # fmt: skip
        if done:
            yield _drop(spread, drops, pushes)


def _before(taken: Sequence[ChipsFromTray], pushes: Sequence[ChipsPushed]) -> list[ChipsFromTray]:
    limit = pushes[0].t_end if pushes else float("inf")
    return [e for e in taken if e.t_end <= limit]


def _step(clause: str, root: AnyEvent, right: bool | None, expected: str, observed: str, *more: AnyEvent) -> Instance:
    return judged(clause, right, key=root.id, at="inner", events=[root, *more], expected=expected, observed=observed)


def _cash(spread: CurrencySpread) -> Amount:
    if spread.cents is None and spread.bills:
        value = sum(int(bill) * count for bill, count in spread.bills.items())
        return Amount(value, value)
    return seen(spread.cents)


def _equal_cash(
    spread: CurrencySpread, taken: Sequence[ChipsFromTray], fans: Sequence[ChipsFanned], pushes: Sequence[ChipsPushed]
) -> Instance:
    sums = [total(seen(e.cents) for e in group) for group in (taken, fans, pushes) if group]
    said = {amount.equals(_cash(spread)) for amount in sums}
    right = False if False in said else (None if None in said else True)
    observed = f"chips worth {' / '.join(str(s) for s in sums)} were given for {_cash(spread)}"
    found = _step(EQUAL_CASH, spread, right, f"chips worth {_cash(spread)} are given", observed, *taken, *pushes)
    return msgspec.structs.replace(found, uncounted=right is None and _cash(spread) == UNKNOWN)


def _clear(
    spread: CurrencySpread, members: Sequence[AnyEvent], taken: Sequence[AnyEvent], fans: Sequence[AnyEvent],
    pushes: Sequence[ChipsPushed],
) -> Iterator[Instance]:  # fmt: skip
    clear = [e for e in members if isinstance(e, HandsClear)]
    first = min((e.t_start for e in (*taken, *fans)), default=pushes[0].t_start)
    yield _step(
        CLEAR_CASH, spread, any(c.t_start <= first for c in clear), "the hands leave the spread cash",
        "the hands never left the cash before chips were taken",
    )  # fmt: skip
    if fans:
        yield _step(
            CLEAR_CHIPS, spread, any(c.t_end >= fans[-1].t_end and c.t_start <= pushes[0].t_end for c in clear),
            "the hands leave the fanned chips", "the hands never left the fanned chips",
        )  # fmt: skip


def _drop(spread: CurrencySpread, drops: Sequence[CurrencyDropped], pushes: Sequence[ChipsPushed]) -> Instance:
    right: bool | None = bool(drops)
    words = "it was not dropped"
    if drops and pushes and drops[0].t_end <= pushes[0].t_start:
        right, words = False, "it was dropped before the chips were pushed"
    known = [d for d in drops if d.cents is not None]
    if right and known and len(known) == len(drops):
        dropped = total(seen(d.cents) for d in known)
        right = dropped.equals(_cash(spread))
        words = f"{dropped} were dropped"
    return _step(DROP, spread, right, "after the chips are pushed all the cash goes in the drop box", words, *drops)


@session_check(CASH_ONLY)
def cash_only(session: Session) -> Iterator[Instance]:
    """Chips go to a player only for cash, for other chips, or in settlement."""
    credit = 0
    complete = bool(session.rounds) and session.rounds[0].bets_seen
    for event in session.events:
        if isinstance(event, CurrencySpread | ChipsReceived):
            credit += 1
        elif isinstance(event, ChipsPushed):
            explained = credit > 0 or event.reason in _PLAYER_REASONS
            credit = max(0, credit - 1)
            yield judged(
                CASH_ONLY, True if explained else (False if complete or event.round is None else None), key=event.id,
                at=event.at, events=[event], expected="chips are pushed to a player only for cash or chips received",
                observed=f"chips worth {seen(event.cents)} were pushed to {event.at} for nothing that was seen",
            )  # fmt: skip


@session_check(IN_LEFT, EQUAL, ORDER)
def chip_exchange(session: Session) -> Iterator[Instance]:
    """Chips received are fanned, exchanged for their equal, and put in the tray last."""
    for received, members, went_on in _stretches(session, ChipsReceived):
        assert isinstance(received, ChipsReceived)
        pushes = [e for e in members if isinstance(e, ChipsPushed)]
        taken = _before([e for e in members if isinstance(e, ChipsFromTray)], pushes)
        given = seen(received.cents)
        fans = [e for e in members if isinstance(e, ChipsFanned) and e.owner == "exchange_in"]
        single = received.chips is not None and sum(received.chips.values()) == 1
        if pushes:
            yield _step(
                IN_LEFT, received, bool(fans) or single, "the chips received are fanned", "they were not fanned"
            )
            sums = [total(seen(e.cents) for e in group) for group in (taken, pushes) if group]
            said = [amount.equals(given) for amount in sums]
            yield _step(
                EQUAL, received, False if False in said else (None if None in said else True),
                f"chips worth {given} are given in exchange",
                f"chips worth {' / '.join(str(s) for s in sums)} were given for {given}", *taken, *pushes,
            )  # fmt: skip
        out = [e for e in members if isinstance(e, ChipsFanned) and e.owner == "exchange_out"]
        if pushes and not out:
            chips = [e.chips for e in taken]
            one = len(chips) == 1 and chips[0] is not None and sum(chips[0].values()) == 1
            yield _step(EQUAL, received, one, "the chips given are fanned", "they were not fanned", *taken, *pushes)
        trayed = [e for e in members if isinstance(e, ChipsToTray)]
        if pushes and (went_on or trayed):
            ordered = bool(trayed) and trayed[-1].t_end >= pushes[0].t_start
            yield _step(
                ORDER, received, ordered,
                "the exchanged chips go in the tray after the others are pushed to the player",
                "they went in the tray before that" if trayed else "they did not go in the tray", *trayed, *pushes,
            )  # fmt: skip


@session_check(CLEAR_IN, CLEAR_OUT, video=True)
def exchange_in_view(session: Session) -> Iterator[Instance]:
    """The hands leave the chips received, and the chips given, so that both are in view."""
    for received, members, _ in _stretches(session, ChipsReceived):
        pushes = [e for e in members if isinstance(e, ChipsPushed)]
        taken = _before([e for e in members if isinstance(e, ChipsFromTray)], pushes)
        if not pushes or not taken:
            continue
        clear = [e for e in members if isinstance(e, HandsClear)]
        yield _step(
            CLEAR_IN, received, any(c.t_start <= taken[0].t_start for c in clear),
            "the hands leave the chips received before others are taken", "they never left them",
        )  # fmt: skip
        yield _step(
            CLEAR_OUT, received, any(c.t_end >= taken[-1].t_end and c.t_start <= pushes[0].t_end for c in clear),
            "the hands leave the replacement chips before they are pushed", "they never left them",
        )  # fmt: skip
