"""Buy-ins (99-01.3-08-07(3)(b))."""

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
    CurrencyDropped,
    CurrencySpread,
    HandsClear,
    RoundStarted,
    TipExchange,
)
from verifier.law import say
from verifier.law.amounts import UNKNOWN, Amount, seen, total
from verifier.law.instances import Instance, judged, untold
from verifier.law.registry import session_check
from verifier.law.say import Said
from verifier.law.session import Session
from verifier.law.stretches import NEXT, before, closes, step, stretches

FLAT = "ND-08-07.3.b-bills-face-down-flat"
SEQUENCE = "ND-08-07.3.b-bills-in-sequence"
INNER = "ND-08-07.3.b-bills-inner-area"
CLEAR_CASH = "ND-08-07.3.b-hands-clear-cash"
EQUAL_CASH = "ND-08-07.3.b-chips-equal-cash"
RIGHT_HAND = "ND-08-07.3.b-stack-right-hand"
FAN = "ND-08-07.3.b-fan-buyin"
CLEAR_CHIPS = "ND-08-07.3.b-hands-clear-chips"
DROP = "ND-08-07.3.b-cash-to-drop-last"
_DROPPED = "after the chips are pushed all the cash goes in the drop box"
PUSH = "ND-08-07.3.b-restack-push"
PLAYER_REASONS = frozenset({"settlement", "payoff", "win", "colour_up", "error", "return"})


@session_check(FLAT, SEQUENCE, INNER, video=True)
def bills_spread(session: Session) -> Iterator[Instance]:
    """Bills are spread face down and flat, in sequence, across the inner table area."""
    for spread in session.of(CurrencySpread):
        for clause, value, words, what in (
            (FLAT, spread.face_down, "face down", ""),
            (SEQUENCE, spread.monotone, "in sequence of denomination", "whether the bills lay in sequence"),
            (INNER, spread.perpendicular, "perpendicular to the tray", "how the bills lay to the tray"),
        ):
            if value is None and what:
                if clause != SEQUENCE or spread.bills is None or len(spread.bills) > 1:
                    yield untold(clause, what, spread, at="inner")
            else:
                yield judged(
                    clause,
                    value,
                    key=spread.id,
                    at="inner",
                    events=[spread],
                    expected=say.that("bills are laid {words}", words=words),
                    observed=say.that("bills were not laid {words}", words=words)
                    if value is False
                    else "which side of the bills lay up was not seen",
                    uncounted=value is None,
                )
        if spread.overlap:
            yield judged(
                FLAT,
                False,
                key=f"overlap {spread.id}",
                at="inner",
                events=[spread],
                expected="each bill lies flat and apart",
                observed="bills overlapped",
            )


@session_check(EQUAL_CASH, RIGHT_HAND, FAN, PUSH, CLEAR_CASH, CLEAR_CHIPS, video=True)
def buy_in(session: Session) -> Iterator[Instance]:
    """Chips equal to the cash are taken, fanned, left and pushed."""
    for spread, members, went_on in stretches(session, CurrencySpread, until=NEXT):
        pushes = [e for e in members if isinstance(e, ChipsPushed) and e.reason not in PLAYER_REASONS]
        every = [e for e in members if isinstance(e, ChipsFromTray)]
        taken = before(every, pushes)
        fans = [e for e in members if isinstance(e, ChipsFanned) and e.owner == "buy_in"]
        if pushes:
            late = [f for f in fans if f.t_start >= pushes[0].t_end]
            yield judged(
                PUSH,
                not late,
                key=spread.id,
                at=pushes[0].at,
                events=[*fans, pushes[0]],
                expected="the chips are fanned, stacked again and pushed to the player",
                observed="they were pushed before they were fanned",
                also=[FAN, CLEAR_CHIPS],
            )
            left = any(isinstance(e, HandsClear) and e.t_end >= f.t_end for e in members for f in fans)
            yield _equal_cash(_together(session, spread), every, fans, pushes, left=left)
            in_time = [f for f in fans if f not in late]
            if in_time or not (fans or _lone_chip(taken)):
                yield step(FAN, spread, bool(in_time), "the chips are fanned", "they were not fanned")
            yield from _clear(spread, members, taken, in_time, pushes)
        elif taken and went_on:
            yield judged(
                PUSH,
                None if session.from_pixels else False,
                key=spread.id,
                at="inner",
                events=[spread, *taken],
                expected="the chips are pushed to the player",
                observed="they were not pushed to any player",
            )
        yield from _hands(spread, taken)


def _hands(spread: CurrencySpread, taken: Sequence[ChipsFromTray]) -> Iterator[Instance]:
    """Check that only the right hand stacks the chips."""
    for chips in taken:
        if chips.hand is None:
            yield untold(RIGHT_HAND, "which hand took the chips", chips, at="inner")
        else:
            yield step(
                RIGHT_HAND,
                spread,
                None if chips.hand == "unknown" else chips.hand == "right",
                "the chips are stacked with only the right hand",
                say.that("they were taken with {hand}", hand=chips.hand),
                chips,
            )


def _together(session: Session, last: CurrencySpread) -> list[CurrencySpread]:
    """Return the cash that lay spread with no chips taken from the tray since, the last of it at the end."""
    spreads: list[CurrencySpread] = []
    for event in session.events:
        if isinstance(event, CurrencySpread):
            spreads.append(event)
        elif isinstance(event, ChipsFromTray | ChipsPushed | CurrencyDropped | NEXT):
            spreads = []
        if event is last:
            break
    return spreads


def _lone_chip(taken: Sequence[ChipsFromTray]) -> bool:
    """Tell whether one chip was taken, of which a fan would show no more."""
    return sum(count for e in taken for count in (e.chips or {"": 2}).values()) == 1


def cash_pushed(spread: CurrencySpread) -> Amount:
    """Return what the bills make. A sum that says otherwise leaves the amount between both."""
    if not spread.bills:
        return seen(spread.cents)
    value = sum(int(bill) * count for bill, count in spread.bills.items())
    said = value if spread.cents is None else spread.cents
    return Amount(min(value, said), max(value, said))


def _equal_cash(
    spreads: Sequence[CurrencySpread],
    taken: Sequence[ChipsFromTray],
    fans: Sequence[ChipsFanned],
    pushes: Sequence[ChipsPushed],
    *,
    left: bool,
) -> Instance:
    """`left` tells whether the hands left the fanned chips: else nobody can count them.

    Of several `spreads` without chips between them either each awaits its own, or the last is what was spread anew.
    """
    spread = spreads[-1]
    ways = [_given([spread], before(taken, pushes), fans, pushes)]
    if len(spreads) > 1:
        ways.insert(0 if len(pushes) > 1 else 1, _given(spreads, taken, fans, pushes))
    right, cash, sums = next((way for wanted in (True, None) for way in ways if way[0] is wanted), ways[0])
    observed = say.that(
        "chips worth {sums} were given for {cash}", sums=say.listed(" / ", (s for s in sums)), cash=cash
    )
    found = step(
        EQUAL_CASH, spread, right, say.that("chips worth {cash} are given", cash=cash), observed, *taken, *pushes
    )
    unknown = right is None and (cash == UNKNOWN or not left)
    return msgspec.structs.replace(found, uncounted=unknown, incident=f"buy-in {spread.id}", rank=4)


def _given(
    spreads: Sequence[CurrencySpread],
    taken: Sequence[ChipsFromTray],
    fans: Sequence[ChipsFanned],
    pushes: Sequence[ChipsPushed],
) -> tuple[bool | None, Amount, list[Amount]]:
    """Tell whether chips worth the cash were given, for each its own; the cash, and what was taken, fanned and
    pushed.
    """
    cash, lots = [cash_pushed(spread) for spread in spreads], [seen(push.cents) for push in pushes]
    sums = [total(group) for group in ([seen(e.cents) for e in taken], [seen(e.cents) for e in fans], lots) if group]
    said = {amount.equals(total(cash)) for amount in sums}
    if len(lots) == len(cash) and all(one.exact for one in (*lots, *cash)):
        pairs = zip(*(sorted(each, key=lambda one: one.low) for each in (lots, cash)), strict=True)
        said.add(all(lot.equals(due) for lot, due in pairs))
    return False if False in said else (None if None in said else True), total(cash), sums


def _clear(
    spread: CurrencySpread,
    members: Sequence[AnyEvent],
    taken: Sequence[AnyEvent],
    fans: Sequence[AnyEvent],
    pushes: Sequence[ChipsPushed],
) -> Iterator[Instance]:
    clear = [e for e in members if isinstance(e, HandsClear)]
    first = min((e.t_start for e in (*taken, *fans)), default=pushes[0].t_start)
    yield step(
        CLEAR_CASH,
        spread,
        any(c.t_start <= first for c in clear),
        "the hands leave the spread cash",
        "the hands never left the cash before chips were taken",
    )
    if fans:
        yield step(
            CLEAR_CHIPS,
            spread,
            any(c.t_end >= fans[-1].t_end and c.t_start <= pushes[0].t_end for c in clear),
            "the hands leave the fanned chips",
            "the hands never left the fanned chips",
        )


@session_check(DROP, video=True)
def cash_dropped(session: Session) -> Iterator[Instance]:
    """Check that the cash is dropped once its chips are pushed. The cash of several buy-ins may go in the drop box
    together.
    """
    spreads: list[CurrencySpread] = []
    pushes: list[ChipsPushed] = []
    drops: list[CurrencyDropped] = []
    went_on = False
    for event in session.events:
        ended = isinstance(event, CardDealt | RoundStarted) or (bool(drops) and isinstance(event, CurrencySpread))
        if spreads and (ended or closes(event)):
            yield _drop(spreads, drops, pushes)
            spreads, drops = [], []
        if isinstance(event, CurrencySpread):
            spreads, pushes, went_on = [*spreads, event], [], False
        elif isinstance(event, ChipsPushed) and event.reason not in PLAYER_REASONS:
            pushes.append(event)
        elif isinstance(event, CurrencyDropped) and event.what == "currency":
            drops.append(event)
        went_on = went_on or isinstance(event, ChipsReceived | TipExchange)
    if spreads and (drops or went_on):
        yield _drop(spreads, drops, pushes)
    elif spreads:
        words = "the log ends before it was dropped"
        yield step(DROP, spreads[-1], None, _DROPPED, words, *spreads[:-1], *pushes)


def _drop(
    spreads: Sequence[CurrencySpread], drops: Sequence[CurrencyDropped], pushes: Sequence[ChipsPushed]
) -> Instance:
    right: bool | None = bool(drops)
    words: Said | str = "it was not dropped"
    if drops and pushes and drops[0].t_end <= pushes[0].t_start:
        right, words = False, "it was dropped before the chips were pushed"
    known = [d for d in drops if d.cents is not None]
    if right and known and len(known) == len(drops):
        dropped = total(seen(d.cents) for d in known)
        right = dropped.equals(total(cash_pushed(spread) for spread in spreads))
        words = say.that("{dropped} were dropped", dropped=dropped)
    elif right:
        right, words = None, "how much was dropped was not seen"
    found = step(DROP, spreads[-1], right, _DROPPED, words, *spreads[:-1], *drops)
    return msgspec.structs.replace(found, uncounted=right is None)
