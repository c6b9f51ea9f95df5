"""Splits and doubles (99-01.3-08-09(2)(c),(d), 11(3))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from verifier.domain.events import CardDealt, Event, WagerMoved, WagerPlaced
from verifier.engine.totals import is_pair
from verifier.law.amounts import Amount
from verifier.law.checks.decisions import BYPASS, decided_only_after
from verifier.law.hands import Hand, agree, any_of, hand_key, rank_text
from verifier.law.instances import Instance, judged
from verifier.law.money import possible_stakes, stake_of
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.side_by_side import order_unknown

ELIGIBLE = "ND-08-09.2.c-split-eligible"
FOUR = "ND-08-09.2.c-four-hands"
SPLIT_EQUAL = "ND-08-09.2.c-split-wager-equal"
RIGHT_FIRST = "ND-08-09.2.c-right-hand-first"
SEPARATE = "ND-08-11.3.a-split-separately"
ONE_CARD = "ND-08-09.2.c-one-card-min"
ACES = "ND-08-09.2.c-split-aces-one"
TIP_LEFT = "ND-08-11.3.a-tip-to-leftmost"
ACE_ANGLE = "ND-08-11.3.a-split-ace-card-angle"
DOUBLE = "ND-08-09.2.d-double-eligible"
AMOUNT = "ND-08-09.2.d-double-amount"
DOUBLE_ONE = "ND-08-09.2.d-one-card"
DOUBLE_ANGLE = "ND-08-11.3.b-double-card-angle"
TIP_DOUBLE = "ND-08-09.2.d-tip-double-permitted"
TIP_WITH = "ND-08-09.2.d-tip-double-requires-double"
RIGHT_ANGLE, TOLERANCE = 90.0, 25.0
MOST_HANDS = 4


@round_check(ELIGIBLE, FOUR)
def split_eligible(game: Round) -> Iterator[Instance]:
    """Only pairs and two ten-counts are split, up to four hands a space."""
    hands: Counter[int] = Counter()
    for event, _, new, pair in game.folded.splits:
        hands[new[0]] += 1
        right = False if len(pair) != 2 else agree(is_pair(a, b) for a in pair[0].ranks for b in pair[1].ranks)
        if not game.opened:
            right = True if right else None
        yield judged(
            ELIGIBLE, right, at=event.from_, key=event.id, events=[*(card.dealt for card in pair), event],
            expected="only a pair or two ten-count cards are split",
            observed=f"{event.from_} was split with " + "-".join(rank_text(card.ranks) for card in pair),
        )  # fmt: skip
        yield judged(
            FOUR, hands[new[0]] < MOST_HANDS, at=event.from_, key=event.id, events=[event],
            expected="a space is split to four hands at most",
            observed=f"space {new[0]} was split {hands[new[0]]} times",
        )  # fmt: skip
    for space in {hand.key[0] for hand in game.hands if hand.split}:
        wagers = [w for w in game.of(WagerPlaced) if w.kind == "split" and (hand_key(w.at) or (0, 0))[0] == space]
        if len(wagers) >= MOST_HANDS:
            yield judged(
                FOUR, False, at=f"space:{space}", events=wagers, expected="a space is split to four hands at most",
                observed=f"{len(wagers)} split wagers were placed at space {space}",
            )  # fmt: skip


@round_check(SPLIT_EQUAL, partial="undetermined")
def split_equal(game: Round) -> Iterator[Instance]:
    """A split wager equals the original wager."""
    for hand in game.hands:
        first = game.by_key.get((hand.key[0], 0))
        if "split" not in hand.stakes or first is None or "original" not in first.stakes:
            continue
        own, original = stake_of(game, hand, "split"), stake_of(game, first, "original")
        right = any_of(own.equals(base) for base in possible_stakes(game, first, "original"))
        yield judged(
            SPLIT_EQUAL, right, at=hand.place, events=hand.stakes["split"].placed,
            expected=f"the split wager equals the original {original}", observed=f"{hand.place} was wagered {own}",
            uncounted=right is None and not (own.exact and original.exact),
        )  # fmt: skip


@session_check(SPLIT_EQUAL)
def split_unwagered(session: Session) -> Iterator[Instance]:
    """A split hand has a wager; chips that a recording did not show, or that were settled, may have lain there."""
    for game in session.rounds:
        if not (game.bets_seen and game.closed) or game.card_missing or game.interrupted or game.jumped:
            continue
        for hand in game.hands:
            moves = [event for event, old, _, _ in game.folded.splits if old[0] == hand.key[0]]
            first = game.by_key.get((hand.key[0], 0)) if moves else None
            original = first.stakes.get("original") if first else None
            if not hand.key[1] or hand.stakes or original is None or not original.placed:
                continue
            settled = [e for e in game.events if getattr(e, "kind", None) == "split" and _at_space(e, hand)]
            hidden = session.from_pixels or settled or original.changed
            instance = judged(
                SPLIT_EQUAL, None if hidden else False, at=hand.place, key="none", events=[*original.placed, *moves],
                expected=f"the split wager equals the original {original.amount}",
                observed=f"no wager was seen on {hand.place}",
            )  # fmt: skip
            yield msgspec.structs.replace(instance, round=game.number)


def _at_space(event: Event, hand: Hand) -> bool:
    place = getattr(event, "at", None)
    key = hand_key(place) if place else None
    return key is not None and key[0] == hand.key[0]


@round_check(RIGHT_FIRST, SEPARATE, ONE_CARD, ACES)
def split_played(game: Round) -> Iterator[Instance]:
    """Each split hand is played to its end before the next gets its second card; aces get one card each."""
    for hand in game.hands:
        if not hand.split:
            continue
        later = game.by_key.get((hand.key[0], hand.key[1] + 1))
        if later is not None and not hand.ace_split and later.dealt:
            after = [c for c in hand.dealt if c.t_start >= later.dealt[0].t_end and not _own_first(game, hand, c)]
            signalled = decided_only_after(game, hand, later.dealt[0].t_end)
            wrong = None if order_unknown(game, hand.key[0]) else False
            yield judged(
                RIGHT_FIRST, wrong if after or signalled else True, at=hand.place,
                events=[later.dealt[0], *after, *signalled],
                expected=f"{hand.place} is played to its end before {later.place} gets its second card",
                observed=f"{hand.place} {'got a card' if after else 'decided'} after {later.place} had its second",
                also=[SEPARATE, *([BYPASS] if signalled else [])],
            )  # fmt: skip
        if game.closed and game.turn_t is not None:
            yield judged(
                ONE_CARD, len(hand.cards) >= 2, at=hand.place, events=[c.dealt for c in hand.cards],
                expected="every split hand takes at least one card", observed=f"{hand.place} took none",
            )  # fmt: skip
        if hand.ace_split:
            yield judged(
                ACES, len(hand.cards) <= 2 and not hand.doubled, at=hand.place, events=[c.dealt for c in hand.cards],
                expected="a split ace gets one card and no double",
                observed=f"the split ace of {hand.place} has {hand.text()}"
                + (" and was doubled" if hand.doubled else ""),
            )  # fmt: skip


def _own_first(game: Round, hand: Hand, card: CardDealt) -> bool:
    """A card that came before the hand was split."""
    moves = [event for event, old, new, _ in game.folded.splits if hand.key in (old, new)]
    return bool(moves) and card.t_end <= max(m.t_end for m in moves)


@round_check(TIP_LEFT, partial="keep")
def tip_to_leftmost(game: Round) -> Iterator[Instance]:
    """After a split the tip goes with the hand at the dealer's left."""
    for move in game.of(WagerMoved):
        to = hand_key(move.to)
        if move.kind == "tip" and to is not None:
            hand = game.by_key.get(to)
            if hand is not None and hand.split:
                yield judged(
                    TIP_LEFT, to[1] == 0, at=move.from_, key=move.id, events=[move],
                    expected=f"the tip of space {to[0]} goes to the split hand at the dealer's left",
                    observed=f"it was moved to split hand {to[1]}",
                )  # fmt: skip


@round_check(ACE_ANGLE, partial="keep")
def ace_card_angle(game: Round) -> Iterator[Instance]:
    """A split ace's card lies at a right angle."""
    for hand in game.hands:
        if hand.ace_split and len(hand.cards) == 2 and hand.cards[1].dealt.angle is not None:
            yield _angle(ACE_ANGLE, hand, hand.cards[1].dealt)


@round_check(DOUBLE_ANGLE, video=True, partial="keep")
def double_card(game: Round) -> Iterator[Instance]:
    """A doubled hand's card lies face up at a right angle."""
    for hand in game.hands:
        if not hand.doubled or len(hand.cards) < 3:
            continue
        placed = hand.stakes["double"].placed
        card = next((c for c in hand.cards[2:] if placed and c.t > placed[0].t_start), hand.cards[2]).dealt
        if card.face == "down":
            yield judged(
                DOUBLE_ANGLE, False, at=hand.place, key=card.id, events=[card],
                expected="a doubled hand's card lies face up at a right angle",
                observed=f"the card of {hand.place} was dealt face down",
            )  # fmt: skip
        elif card.angle is not None:
            yield _angle(DOUBLE_ANGLE, hand, card)


def _angle(clause: str, hand: Hand, card: CardDealt) -> Instance:
    off = abs((abs(card.angle or 0.0) % 180) - RIGHT_ANGLE)
    return judged(
        clause, off <= TOLERANCE, at=hand.place, key=card.id, events=[card],
        expected="the card lies at a right angle to the first",
        observed=f"the card of {hand.place} lies at {card.angle:.0f} degrees",
    )  # fmt: skip


@round_check(DOUBLE, DOUBLE_ONE)
def double_eligible(game: Round) -> Iterator[Instance]:
    """Only two cards are doubled, no split ace, and exactly one card follows."""
    for hand in game.hands:
        if not hand.doubled or not hand.stakes["double"].placed:
            continue
        placed = hand.stakes["double"].placed[0]
        before = [c for c in hand.cards if c.t <= placed.t_start + 0.01]
        if len(before) < 2 and len(hand.cards) >= 2 and hand.cards[1].t <= placed.t_end:
            before = list(hand.cards[:2])
        yield judged(
            DOUBLE, len(before) == 2 and not hand.ace_split, at=hand.place,
            events=[*(c.dealt for c in hand.cards), placed],
            expected="only the first two cards are doubled, and no split ace",
            observed=f"{hand.place} doubled with {len(before)} cards" + (" on a split ace" if hand.ace_split else ""),
        )  # fmt: skip
        after = len(hand.cards) - len(before)
        if len(before) == 2 and (
            after > 1 or (game.closed and game.turn_t is not None and game.dealer.natural is False)
        ):
            yield judged(
                DOUBLE_ONE, after == 1, at=hand.place, events=[placed, *(c.dealt for c in hand.cards)],
                expected="exactly one card follows a double",
                observed=f"{hand.place} got {after} cards after its double",
            )  # fmt: skip


@round_check(AMOUNT, partial="undetermined")
def double_amount(game: Round) -> Iterator[Instance]:
    """A double equals the wager, or is equal to or less than it by the site's option; never more."""
    for hand in game.hands:
        kind = "original" if hand.key[1] == 0 else "split"
        if not hand.doubled or kind not in hand.stakes:
            continue
        own, base = stake_of(game, hand, "double"), stake_of(game, hand, kind)
        right = any_of(_within(own, b, game.rules.double_amount) for b in possible_stakes(game, hand, kind))
        yield judged(
            AMOUNT, right, at=hand.place, uncounted=right is None and not (own.exact and base.exact),
            events=hand.stakes["double"].placed,
            expected=f"the double of {hand.place} "
            + ("is equal to or less than" if game.rules.double_amount == "equal_or_less" else "equals")
            + f" {base}",
            observed=f"{hand.place} doubled with {own}",
        )  # fmt: skip


def _within(own: Amount, base: Amount, option: str | None) -> bool | None:
    if base.high is not None and own.low > base.high:
        return False
    if own.equals(base):
        return True
    if option is None or not (own.exact and base.exact):
        return None
    return option == "equal_or_less" and own.low > 0


@round_check(TIP_DOUBLE, TIP_WITH, needs={"tip_double_down": None}, partial="undetermined")
def tip_double(game: Round) -> Iterator[Instance]:
    """A tip is doubled only where permitted, with the hand, and within the option."""
    option = game.house.tip_double_down
    for wager in game.of(WagerPlaced):
        if wager.kind != "tip_double":
            continue
        key = hand_key(wager.at)
        hand = game.by_key.get(key) if key else None
        right: bool | None = False
        counted = True
        if option in ("equal", "equal_or_less") and hand is not None and ("tip" in hand.tips or not game.bets_seen):
            own, tip = stake_of(game, hand, "tip_double"), stake_of(game, hand, "tip")
            right, counted = _within(own, tip, option), own.exact and tip.exact
        yield judged(
            TIP_DOUBLE, right, at=wager.at, key=wager.id, events=[wager], uncounted=right is None and not counted,
            expected="a tip is doubled only as the site permits", observed=f"{wager.at} doubled its tip",
        )  # fmt: skip
        yield judged(
            TIP_WITH, hand is not None and hand.doubled, at=wager.at, key=wager.id, events=[wager],
            expected="a tip is doubled only with the hand", observed=f"{wager.at} doubled its tip but not its wager",
        )  # fmt: skip
