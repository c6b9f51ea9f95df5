"""Checks of antes and of the size of bets (09-04(9), (10), (16), (17))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import Announcement, ChipsCollected, PlayerAction, WagerChanged, WagerPlaced
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.acts import AGGRESSIVE, Act
from verifier.law.poker.beginning import antes_seen
from verifier.law.poker.cards import BETTING
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.presence import perhaps_all_in
from verifier.law.say import Said

ANTE, ANTE_FIXED, MATCH = full("9-ante"), full("9-ante-fixed"), full("10-match-or-raise")
SHORT, MADE = full("16-short-call"), full("16-bet-made")
SINGLE, HALF = full("17-single-chip-call"), full("17-multi-chip-half-raise")


@hand_check("9-ante", needs={"poker_ante": None})
def antes(hand: PokerHand) -> Iterator[Instance]:
    """Each player dealt in has placed the ante before the first card, and the dealer sweeps it to the pot."""
    wanted = hand.house.poker_ante
    if not wanted or hand.first_card is None or hand.misdealt:
        return
    placed = {e.at: e for e in reversed(hand.events) if isinstance(e, WagerPlaced) and e.kind == "ante"}
    if hand.by_chips and not placed:
        return  # that nobody put in an ante is rather that none was seen
    for seat in hand.seats:
        yield _ante(hand, seat, placed.get(seat), wanted)
    swept = {e.at for e in hand.events if isinstance(e, ChipsCollected) and e.kind == "ante"}
    unswept = [seat for seat in placed if seat in hand.seats and seat not in swept]
    if swept and unswept and hand.awards:
        yield judged(
            ANTE,
            False,
            at=unswept[0],
            key="sweep",
            events=[placed[s] for s in unswept],
            expected="the dealer sweeps the antes to the pot",
            observed=say.that("not of {unswept}", unswept=say.listed(", ", map(say.place, unswept))),
        )


def _ante(hand: PokerHand, seat: str, ante: WagerPlaced | None, wanted: int) -> Instance:
    first = hand.first_card
    assert first is not None
    cents = None if ante is None else _told(ante, wanted)
    changes = [e for e in hand.events if isinstance(e, WagerChanged) and e.kind == "ante" and e.at == seat]
    for change in changes:
        if hand.position(change) < hand.position(first):
            cents = change.cents_after
    right: bool | None = False if antes_seen(hand) else None
    observed: Said | str = (
        "no ante was placed" if antes_seen(hand) else "none is in the log, which begins with the wagers"
    )
    if ante is not None:
        late = hand.position(ante) > hand.position(first)
        short = seat in hand.betting.all_in and cents is not None and cents < wanted
        right = False if late else (None if cents is None else cents == wanted or short)
        passed_by = any(street.closed for street in hand.streets) and seat in perhaps_all_in(hand)
        if right is False and not late and (cents or 0) < wanted and passed_by:
            right = None
        observed = (
            "it was placed after the first card" if late else say.that("{cents} were placed", cents=say.cents(cents))
        )
    return judged(
        ANTE,
        right,
        at=seat,
        events=[ante, first],
        observed=observed,
        expected=say.that(
            "an ante of {wanted} lies before {seat} before the first card",
            wanted=say.cents(wanted),
            seat=say.place(seat),
        ),
    )


def _told(ante: WagerPlaced, wanted: int) -> int | None:
    """Return what an ante is known to be; more may lie under a lower bound that is short of the ante."""
    return ante.cents if not ante.lower_bound or ante.cents == wanted else None


@hand_check("9-ante-fixed")
def ante_fixed(hand: PokerHand) -> Iterator[Instance]:
    """Once the first card is dealt no ante is altered."""
    first = hand.first_card
    placed = {e.at for e in hand.events if isinstance(e, WagerPlaced) and e.kind == "ante"}
    if first is None or not placed:
        return
    changes: list[WagerChanged | WagerPlaced] = []
    for event in hand.events[hand.position(first) :]:
        before = {e.at for e in hand.events[: hand.position(first)] if isinstance(e, WagerPlaced) and e.kind == "ante"}
        if (isinstance(event, WagerChanged) and event.kind == "ante") or (
            isinstance(event, WagerPlaced) and event.kind == "ante" and event.at in before
        ):
            changes.append(event)
    for change in changes:
        same: bool | None = False
        if isinstance(change, WagerChanged):
            known = change.cents_before is not None and change.cents_after is not None
            same = (change.cents_before == change.cents_after) if known else None
        yield judged(
            ANTE_FIXED,
            same,
            at=change.at,
            key=change.id,
            events=[first, change],
            expected="the ante is not altered once the first card is dealt",
            observed=say.that("{change}'s ante was altered", change=say.place(change.at)),
        )
    if not changes:
        yield judged(ANTE_FIXED, True)


@hand_check("10-match-or-raise", "16-short-call")
def matched(hand: PokerHand) -> Iterator[Instance]:
    """To stay in, a player matches or raises; a short call is completed or folded."""
    for street in hand.streets:
        for act in street.acts:
            if act.action == "fold":
                continue
            if act.action == "check":
                yield judged(
                    MATCH,
                    None if act.owed is None else not act.owed,
                    at=act.seat,
                    key=act.event.id,
                    events=[act.event],
                    expected=say.that("{act} matches, raises or folds", act=say.place(act.seat)),
                    observed=say.that("checked with {owed} to call", owed=say.cents(act.owed)),
                    incident=f"match {act.seat} {act.street}",
                )
            elif act.action == "call" or (act.owed and act.put_in is not None and act.put_in < act.owed):
                yield from _called(hand, act, street.closed)
            else:
                yield judged(
                    MATCH,
                    True if act.put_in is not None else None,
                    at=act.seat,
                    key=act.event.id,
                    events=[act.event],
                    expected="the bet is seen",
                    observed="the amount was not seen",
                )


def _called(hand: PokerHand, act: Act, closed: bool) -> Iterator[Instance]:
    unknown = act.owed is None or act.put_in is None
    if unknown and not act.all_in:
        yield judged(
            MATCH,
            None,
            at=act.seat,
            key=act.event.id,
            events=[act.event],
            expected="the call matches the bet",
            observed="the amounts were not all seen",
        )
        return
    if act.top_ups and not act.short_by:
        yield judged(SHORT, True, at=act.seat)
    if not act.short_by:
        yield judged(MATCH, True, at=act.seat, key=act.event.id)
        return
    if act.settled:
        yield judged(SHORT, True, at=act.seat)
        return
    ended = closed or len(hand.live) == 1
    yield judged(
        SHORT,
        False if ended else None,
        at=act.seat,
        key=act.event.id,
        events=[act.event],
        expected=say.that("{owed} to call", owed=say.cents(act.owed)).detail(
            "the call is completed or the hand folded"
        ),
        observed=say.that(
            "{act} put in {put_in} and did not complete it", act=say.place(act.seat), put_in=say.cents(act.put_in)
        ),
        also=[MATCH],
        incident=f"match {act.seat} {act.street}",
        rank=2,
    )


@hand_check("17-single-chip-call")
def single_chip(hand: PokerHand) -> Iterator[Instance]:
    """Check that a single chip larger than the bet is a call unless a raise was announced."""
    hears = "audio" in hand.game.channels
    for street in hand.streets:
        for act in street.acts:
            chips = act.event.chips
            if not chips or sum(chips.values()) != 1 or not act.owed or act.put_in is None or act.put_in <= act.owed:
                continue
            if act.action not in ("raise", "bet"):
                yield judged(SINGLE, True, at=act.seat)
                continue
            spoken = _announced(hand, act.event, ("raise", "all in", "all-in"))
            changed = bool(act.given_back)
            right = True if spoken is not None or changed else (False if hears else None)
            yield judged(
                SINGLE,
                right,
                at=act.seat,
                key=act.event.id,
                events=[act.event],
                expected="a single chip larger than the bet is a call unless a raise is announced",
                observed=say.that(
                    "one chip of {put_in} was taken as a raise over {owed}",
                    put_in=say.cents(act.put_in),
                    owed=say.cents(act.owed),
                )
                + ("" if hears else "; what was said is not recorded"),
            )


def _announced(hand: PokerHand, act: PlayerAction, words: tuple[str, ...]) -> Announcement | None:
    """Return an announcement of one of these words between the act before this one and the end of this one."""
    found = None
    here = hand.position(act)
    for event in (*hand.events[:here], *hand.events[here + 1 : here + 2]):
        if isinstance(event, PlayerAction) and event.action in BETTING and hand.position(event) < here:
            found = None
        if isinstance(event, Announcement):
            said = f"{event.topic} {event.text or ''}".lower()
            if any(word in said for word in words):
                found = event
    return found


@hand_check("17-multi-chip-half-raise")
def half_raise(hand: PokerHand) -> Iterator[Instance]:
    """Check that a wager of several chips that is half of a legal raise or more is completed to the least raise."""
    for street in hand.streets:
        for act in street.acts:
            if act.action not in ("call", *AGGRESSIVE) or not act.level or act.least is None or act.put_in is None:
                continue
            if act.owed is None or (act.event.chips and sum(act.event.chips.values()) == 1):
                continue
            over = act.put_in - act.owed
            if over <= 0 or act.all_in:
                continue
            yield from _raise(act, over, act.least)


def _raise(act: Act, over: int, least: int) -> Iterator[Instance]:
    total = over + act.top_ups - act.given_back
    called_back = act.given_back >= over
    if over >= least:
        yield judged(HALF, True, at=act.seat, key=act.event.id)
        return
    half = 2 * over >= least
    right: bool | None = total >= least or (not half and (act.action == "call" or called_back))
    if half and act.action == "call" and not act.event.chips and not right:
        right = True if called_back else None
    why = ""
    if right is False and act.on_short:
        right, why = None, " over an all-in for less than a legal bet, of which the rule does not tell the least raise"
    elif right is False and not half:
        right, why = None, ", less than half of a raise, of which the rule does not tell whether it counts"
    yield judged(
        HALF,
        right,
        at=act.seat,
        key=act.event.id,
        events=[act.event],
        expected=say.that("a raise is {least} or more", least=say.cents(least)).then(
            "half of it or more is completed, less is a call"
        ),
        observed=say.that("{act} raised by {total}{why}", act=say.place(act.seat), total=say.cents(total), why=why),
    )


@hand_check("16-bet-made", reads=("wager_changed",))
def bet_made(hand: PokerHand) -> Iterator[Instance]:
    """Check that a bet that was pushed forward is made: the player does not take it back."""
    for event in hand.events:
        if not isinstance(event, WagerChanged) or event.kind != "bet" or event.by == "dealer":
            continue
        before, after = event.cents_before, event.cents_after
        right = None if before is None or after is None else after >= before
        yield judged(
            MADE,
            right,
            at=event.at,
            key=event.id,
            events=[event],
            expected="a bet that was made stays",
            observed=say.that(
                "{event} changed a bet of {before} to {after}",
                event=say.place(event.at),
                before=say.cents(before),
                after=say.cents(after),
            ),
        )
