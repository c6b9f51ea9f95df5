"""Wagers before the deal: order, limits, covering, who is dealt a hand, touching (subsections 4, 5 and 10/11)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import ChipsReturned, Touch, WagerChanged, WagerCovered, WagerPlaced
from verifier.domain.facts import Remark
from verifier.law import say
from verifier.law.amounts import Amount, seen, total
from verifier.law.hands import SETTLED_BACK, Hand, hand_key, space_of
from verifier.law.instances import Instance, judged
from verifier.law.money import counted_as_taken, moved, stake_of
from verifier.law.registry import WASHINGTON, reserve, round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.washington.clauses import (
    MATCH,
    MAX_25,
    MULTI_HAND,
    NO_TOUCH,
    ONLY_COVERED,
    WAGER_ORDER,
)
from verifier.law.washington.ledger import in_round, ledger, stacked, told
from verifier.law.washington.seats import dealer_of, occupied

HIGHEST = 2500
"""Cents: no house rule may allow more."""


def covers_unread(session: Session) -> Remark | None:
    """Return a reason to leave violations open where the log holds no covers: a reading of pixels has taken them for
    something else.
    """
    return None if told(session, WagerCovered) else "covers_unread"


reserve(WASHINGTON, covers_unread)


def first_wagers(game: Round) -> list[WagerPlaced]:
    """Return the first original wager of each space, in the order in which they were placed."""
    found: dict[int, WagerPlaced] = {}
    for wager in game.of(WagerPlaced):
        key = hand_key(wager.at)
        if wager.kind == "original" and key is not None:
            found.setdefault(key[0], wager)
    return list(found.values())


def _space(wager: WagerPlaced) -> int:
    return space_of(wager.at) or 0


@round_check(WAGER_ORDER, rulebooks=WASHINGTON)
def wagered_from_the_left(game: Round) -> Iterator[Instance]:
    """Check that the player at the dealer/banker's left wagers first, then each player in turn."""
    wagers = first_wagers(game)
    wrong = next(((a, b) for a, b in itertools.pairwise(wagers) if _space(b) < _space(a)), None)
    if len(wagers) > 1:
        yield judged(
            WAGER_ORDER,
            wrong is None,
            at=wrong[1].at if wrong else None,
            events=wrong or (),
            expected="players wager in turn from the dealer/banker's left",
            observed=say.that(
                "{wrong} wagered after {wrong_2}", wrong=say.place(wrong[1].at), wrong_2=say.place(wrong[0].at)
            )
            if wrong
            else "",
        )


@round_check(MAX_25, rulebooks=WASHINGTON)
def wager_limits(game: Round) -> Iterator[Instance]:
    """Original wagers stay within the house's limits, never above 25 dollars."""
    low, high = game.house.table_limits.min, min(HIGHEST, game.house.table_limits.max)
    for hand in game.hands:
        stake = hand.stakes.get("original")
        if stake is None or not stake.placed or not hand.cards:
            continue
        amount = stake.first if hand.split else stake_of(game, hand, "original")
        outside = amount.low > high or (stake.first.high is not None and stake.first.high < low)
        hidden = (
            not outside and amount.high is None and not counted_as_taken(game, hand, high)
        )  # chips hidden under those seen would be too much
        yield judged(
            MAX_25,
            None if hidden else not outside,
            at=hand.place,
            events=[*stake.placed, *stake.changed],
            expected=say.that("a wager is from {low} to {high}", low=Amount(low, low), high=Amount(high, high)),
            observed=say.that("{hand} played for {amount}", hand=say.place(hand.place), amount=amount),
            uncounted=hidden,
        )


@session_check(MATCH, ONLY_COVERED, rulebooks=WASHINGTON, reads=("wager_covered",))
def wagers_covered(session: Session) -> Iterator[Instance]:
    """Check that the dealer/banker covers each wager at once with a like amount, and that only covered wagers are dealt
    a hand.
    """
    if not told(session, WagerCovered):
        return
    for game in session.rounds:
        if not game.bets_seen and not game.of(WagerCovered):
            continue
        for hand in game.hands:
            stake = hand.stakes.get("original")
            if hand.key[1] == 0 and stake is not None and stake.placed:
                yield from (in_round(i, game) for i in _covering(session, game, hand))


def _covering(session: Session, game: Round, hand: Hand) -> Iterator[Instance]:
    placed = hand.stakes["original"].placed
    first_card = game.first_card.t_start if game.first_card else float("inf")
    covers = [e for e in game.at(WagerCovered, hand.key) if e.t_start <= first_card]
    if hand.cards and game.opened:
        yield judged(
            ONLY_COVERED,
            bool(covers),
            at=hand.place,
            events=[*placed, *(c.dealt for c in hand.cards[:1])],
            expected="only players with a covered wager are dealt a hand",
            observed=say.that("{hand} was dealt a hand and its wager was not covered", hand=say.place(hand.place)),
            also=[MATCH],
            incident=f"cover {hand.place}",
        )
    yield from _matched(session, game, hand, covers)
    following = [w for w in first_wagers(game) if w.t_start >= placed[0].t_end and hand_key(w.at) != hand.key]
    if covers and following:
        yield judged(
            MATCH,
            covers[0].t_start < following[0].t_end,
            at=hand.place,
            key="at once",
            events=[*placed, following[0], covers[0]],
            expected=say.that(
                "the wager of {hand} is matched before the next player wagers", hand=say.place(hand.place)
            ),
            observed=say.that("it was matched after {following} had wagered", following=say.place(following[0].at)),
        )


def _matched(session: Session, game: Round, hand: Hand, covers: list[WagerCovered]) -> Iterator[Instance]:
    """Check that a cover is the wager's amount, or all that is left of the bank. What went back of a wager was no part
    of it where it was above the limit.
    """
    placed = hand.stakes["original"].placed
    matched = total(seen(e.cents, e.lower_bound) for e in covers)
    back = [e for e in game.at(ChipsReturned, hand.key) if e.kind == "original"]
    bank = ledger(session).at(covers[0] if covers else back[0] if back else game.first_card)
    excess = total(seen(e.cents) for e in back if e.reason not in SETTLED_BACK)
    wager = hand.stakes["original"].first
    if not wager.exact or wager.low > min(HIGHEST, game.house.table_limits.max):
        wager = wager.less(excess)
    right = matched.equals(wager)
    if right is False and matched.high is not None and wager.high is not None and matched.high < wager.low:
        spent = None if bank.high is None or not bank.exact else bank.low <= matched.low
        right = True if spent else spent
        if right is False and not covers and back and not hand.cards and bank.low < wager.low:
            right = None  # whether a bank too small for a wager covers part of it is not told
    if right is None and covers and stacked(matched, wager):
        return
    if covers or (hand.cards and game.opened) or back:
        yield judged(
            MATCH,
            right,
            at=hand.place,
            events=[*placed, *covers],
            expected=say.that(
                "the wager of {wager} at {hand} is matched with a like amount", wager=wager, hand=say.place(hand.place)
            ),
            observed=say.that("it was matched with {matched}", matched=matched),
            incident=f"cover {hand.place}",
        )


@session_check(MULTI_HAND, rulebooks=WASHINGTON)
def one_hand_a_player(session: Session) -> Iterator[Instance]:
    """Several hands for one player only by house rule."""
    for game in session.rounds:
        wagers = first_wagers(game)
        named = [w.by for w in wagers if w.by and w.by.startswith("seat:")]
        seats = occupied(session, game.events[0].t_start)
        others = None if seats is None else [seat for seat in seats if seat != dealer_of(game)]
        several = len(named) > len(set(named)) or (others is not None and len(wagers) > len(others))
        if several and game.first_card is not None:
            yield in_round(
                judged(
                    MULTI_HAND,
                    session.house.wa_multi_hand,
                    events=wagers,
                    expected="one hand for each player, as no house rule allows more",
                    observed=say.that("{wagers} hands were wagered on by fewer players", wagers=len(wagers)),
                ),
                game,
            )
        elif wagers:
            yield in_round(judged(MULTI_HAND, True), game)


@round_check(NO_TOUCH, rulebooks=WASHINGTON, partial="keep")
def wagers_untouched(game: Round) -> Iterator[Instance]:
    """Nobody touches a covered wager until the winner is determined."""
    acts: list[Touch | WagerChanged] = [*game.of(Touch), *game.of(WagerChanged)]
    for event in acts:
        key = hand_key(event.at)
        hand = game.by_key.get(key) if key else None
        if hand is None or (isinstance(event, Touch) and event.object != "wager"):
            continue
        covers = game.at(WagerCovered, (hand.key[0], 0))
        begun = covers[0].t_end if covers else game.first_card.t_end if game.first_card else float("inf")
        if event.t_start < begun or event.t_end > _determined(game, hand):
            continue
        if isinstance(event, WagerChanged) and (hand.split or event.cents_before == event.cents_after):
            continue
        who = event.by or "somebody"
        yield judged(
            NO_TOUCH,
            False,
            at=event.at,
            key=event.id,
            events=[*covers[:1], event],
            expected="nobody touches a covered wager until the winner is determined",
            observed=say.that(
                "{who} {which} the wager of {event} at {t_start} s",
                who=who,
                which="touched" if isinstance(event, Touch) else "changed",
                event=say.place(event.at),
                t_start=say.moment(event.t_start),
            ),
        )
    yield judged(NO_TOUCH, True)


def _determined(game: Round, hand: Hand) -> float:
    """When the hand's winner was determined: its chips moved, or the dealer was done."""
    times = [e.t_start for e in moved(game, hand).events]
    if game.dealer_done_t is not None:
        times.append(game.dealer_done_t)
    return min(times, default=float("inf"))
