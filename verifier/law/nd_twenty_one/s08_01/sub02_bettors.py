"""Who bets and how, and what is done with stacks (99-01.3-08-01(2), 09, 11(10), 11(13), 13)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import (
    ChipsCollected,
    ChipsFanned,
    ChipsReturned,
    HoleCardCheck,
    PlayerPresence,
    WagerMoved,
    WagerPlaced,
)
from verifier.law.checks.wagers import most_wagered
from verifier.law.entries import plain
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

OUTSIDER = "ND-08-01.2-no-outsider-wager"
CROSS = "ND-08-01.2-no-cross-wager"
SIDE_BET = "ND-08-13.2.f-no-side-bets"
INCREMENTS = "ND-08-09.1-one-dollar-increments"
STACK = "ND-08-09.3-stack-order"
UNSEEN = "ND-08-11.10-second-unseen"
CONSISTENT = "ND-08-11.13-option-consistent"
_NOT_PLAYERS = frozenset({"other", "outsider", "spectator", "bystander", "non_player"})
_ND_KINDS = frozenset({"original", "split", "double", "insurance", "tip", "tip_double"})


@session_check(OUTSIDER, CROSS)
def wagers_by_players(session: Session) -> Iterator[Instance]:
    """Nobody but a player wagers, and only on the own hand; spaces belong to players by their arrival."""
    owner: dict[int, str] = {}
    for event in session.events:
        if isinstance(event, PlayerPresence):
            for space in event.spaces or ():
                if event.phase == "arrive":
                    owner[space] = event.id
                else:
                    owner.pop(space, None)
        elif isinstance(event, WagerPlaced) and event.by:
            yield from _placed_by(event, owner)


def _placed_by(event: WagerPlaced, owner: dict[int, str]) -> Iterator[Instance]:
    by = plain(event.by or "")
    key = hand_key(event.at)
    yield judged(
        OUTSIDER,
        by not in _NOT_PLAYERS,
        key=event.id,
        at=event.at,
        events=[event],
        expected="only players wager",
        observed=f"a wager at {event.at} was placed by someone who does not play",
    )
    digits = by.removeprefix("space_")
    if key is None or digits == by or not digits.isdigit() or int(digits) == key[0]:
        return
    mine, theirs = owner.get(int(digits)), owner.get(key[0])
    right = None if mine is None or theirs is None else mine == theirs
    yield judged(
        CROSS,
        right,
        key=event.id,
        at=event.at,
        events=[event],
        expected="a player wagers on the own hand only",
        observed=f"the player of space {digits} wagered on space {key[0]}",
    )


@session_check(SIDE_BET)
def no_side_bets(session: Session) -> Iterator[Instance]:
    """There are no bets but original, tip, insurance, split and double, on the spaces."""
    for event in session.of(WagerPlaced):
        lawful = event.kind in _ND_KINDS and hand_key(event.at) is not None
        if not lawful or event is session.of(WagerPlaced)[0]:
            yield judged(
                SIDE_BET,
                lawful,
                key=event.id,
                at=event.at,
                events=[event],
                expected="there are no side bets",
                observed=f"a bet of another kind ({event.kind}) was placed at {event.at}",
            )


@round_check(INCREMENTS, partial="undetermined")
def lawful_wager_accepted(game: Round) -> Iterator[Instance]:
    """A wager in whole dollars within the posted limits is accepted."""
    limits = game.house.table_limits
    first = game.first_card
    for event in game.of(ChipsReturned):
        key = hand_key(event.at)
        hand = game.by_key.get(key) if key else None
        stake = hand.stakes.get("original") if hand else None
        if (
            event.kind != "original"
            or stake is None
            or not stake.placed
            or not stake.first.exact
            or event.cents is None
        ):
            continue
        amount = stake.first.low
        in_range = (
            limits.min <= amount <= most_wagered(game.house, game.figures) and amount % 100 == 0 and not stake.changed
        )
        undealt = event.reason == "void" and (first is None or event.t_end <= first.t_start)
        if in_range and (event.reason == "excess" or undealt) and event.t_start >= stake.placed[0].t_end:
            yield judged(
                INCREMENTS,
                False,
                at=event.at,
                key=event.id,
                events=[*stake.placed, event],
                expected=f"a wager of {amount / 100:.2f} is accepted",
                observed=f"{event.cents / 100:.2f} of it was given back",
            )


@round_check(STACK, partial="keep")
def lowest_on_top(game: Round) -> Iterator[Instance]:
    """In a stack of several values the lowest lies on top: the chip first seen is no dearer than any under it."""
    for hand in game.hands:
        for kind, stake in hand.stakes.items():
            tops = [w for w in stake.placed if w.lower_bound and w.chips and len(w.chips) == 1]
            if not tops or stake.changed or len(stake.placed) > 1:
                continue
            fans = [
                f for f in game.at(ChipsFanned, hand.key) if f.owner == "wager" and f.kind in (None, kind) and f.chips
            ]
            if not fans or any(hand_key(m.from_) == hand.key for m in game.of(WagerMoved)):
                continue
            top = int(next(iter(tops[0].chips or {})))
            lowest = min(int(value) for value in fans[-1].chips or {})
            yield judged(
                STACK,
                top <= lowest,
                at=hand.place,
                key=kind,
                events=[tops[0], fans[-1]],
                expected="the chip of least value lies on top of a stack",
                observed=f"a chip of {top / 100:.2f} lay on one of {lowest / 100:.2f}",
            )


@round_check(UNSEEN, needs={"dealing_method": "no_hole_card"})
def second_unseen(game: Round) -> Iterator[Instance]:
    """Without a hole card the dealer draws the second card without looking at it."""
    for check in game.of(HoleCardCheck):
        if check.how == "peek":
            yield judged(
                UNSEEN,
                False,
                at="dealer",
                key=check.id,
                events=[check],
                expected="the second card is drawn and placed without a look at its value",
                observed="the dealer looked at it first",
            )


@session_check(CONSISTENT)
def one_way_of_collecting(session: Session) -> Iterator[Instance]:
    """The option to collect hand by hand is applied throughout."""
    modes = [e for e in session.of(ChipsCollected) if e.mode and not e.weak]
    if not modes:
        return
    wanted = session.house.sweep_or_hand_by_hand
    odd = [e for e in modes if e.mode != wanted]
    told = "sweep_or_hand_by_hand" in session.header.house
    yield judged(
        CONSISTENT,
        True if not odd else (False if told and wanted == "hand_by_hand" else None),
        events=odd[:5],
        expected=f"losing wagers are collected by {wanted.replace('_', ' ')} at this site",
        observed=f"{len(odd)} of {len(modes)} collections were made in the other way",
    )
