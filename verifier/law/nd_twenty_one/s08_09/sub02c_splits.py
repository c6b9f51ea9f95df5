"""Splits (99-01.3-08-09(2)(c), 11(3)(a))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from verifier.domain.events import CardDealt, CardsMoved, Event, WagerPlaced
from verifier.domain.places import MAX_HANDS
from verifier.engine.totals import is_pair
from verifier.law import say
from verifier.law.hands import Hand, agree, any_of, hand_key, rank_text, space_of
from verifier.law.instances import Instance, judged
from verifier.law.money import possible_stakes, stake_of
from verifier.law.nd_twenty_one.s08_09.sub02d_doubles import doubled_ace
from verifier.law.nd_twenty_one.s08_11.sub04_signals import BYPASS, decided_only_after
from verifier.law.nd_twenty_one.shared.positions import in_place
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.settled import STILL_RIGHT
from verifier.law.side_by_side import order_unknown

ELIGIBLE = "ND-08-09.2.c-split-eligible"
FOUR = "ND-08-09.2.c-four-hands"
SPLIT_EQUAL = "ND-08-09.2.c-split-wager-equal"
RIGHT_FIRST = "ND-08-09.2.c-right-hand-first"
SEPARATE = "ND-08-11.3.a-split-separately"
ONE_CARD = "ND-08-09.2.c-one-card-min"
ACES = "ND-08-09.2.c-split-aces-one"
BESIDE = "ND-08-09.2.c-split-wager-horizontal"


@round_check(ELIGIBLE, FOUR)
def split_eligible(game: Round) -> Iterator[Instance]:
    """Only pairs and two ten-counts are split, up to four hands a space."""
    hands: Counter[int] = Counter()
    for event, _, new, pair in game.folded.splits:
        hands[new[0]] += 1
        right: bool | None = None if not pair else False
        if len(pair) == 2:
            right = agree(is_pair(a, b) for a in pair[0].ranks for b in pair[1].ranks)
        if not game.opened:
            right = True if right else None
        yield judged(
            ELIGIBLE,
            right,
            at=event.from_,
            key=event.id,
            events=[*(card.dealt for card in pair), event],
            expected="only a pair or two ten-count cards are split",
            observed=say.that("{event} was split with ", event=say.place(event.from_))
            + say.cards(rank_text(card.ranks) for card in pair),
        )
        yield judged(
            FOUR,
            hands[new[0]] < MAX_HANDS,
            at=event.from_,
            key=event.id,
            events=[event],
            expected="a space is split to four hands at most",
            observed=say.that("space {new} was split {hands} times", new=new[0], hands=hands[new[0]]),
            incident=f"hands of space {new[0]}",
        )
    yield from _too_many_hands(game)


def _too_many_hands(game: Round) -> Iterator[Instance]:
    """Spaces where a card or a wager went to a fifth hand, however the hand came to be."""
    for space in {hand.key[0] for hand in game.hands if hand.split}:
        acts: list[CardsMoved | CardDealt | WagerPlaced] = [
            *game.of(CardsMoved),
            *game.of(CardDealt),
            *game.of(WagerPlaced),
        ]
        fifth = [event for event in acts if _beyond_four(event, space)]
        wagers = [w for w in game.of(WagerPlaced) if w.kind == "split" and space_of(w.at) == space]
        if fifth or len(wagers) >= MAX_HANDS:
            yield judged(
                FOUR,
                False,
                at=f"space:{space}",
                events=fifth or wagers,
                incident=f"hands of space {space}",
                rank=6,
                expected="a space is split to four hands at most",
                observed=say.that("space {space} had a fifth hand", space=space)
                if fifth
                else say.that("{wagers} split wagers were placed at space {space}", wagers=len(wagers), space=space),
            )


def _beyond_four(event: CardsMoved | CardDealt | WagerPlaced, space: int) -> bool:
    """Tell whether a record puts a card or a wager at a hand of the space beyond the four that it may have."""
    key = hand_key(event.at if isinstance(event, WagerPlaced) else event.to)
    return key is not None and key[0] == space and key[1] >= MAX_HANDS


@round_check(SPLIT_EQUAL, partial="undetermined")
def split_equal(game: Round) -> Iterator[Instance]:
    """Check that a split wager equals the original wager."""
    for hand in game.hands:
        first = game.by_key.get((hand.key[0], 0))
        if "split" not in hand.stakes or first is None or "original" not in first.stakes:
            continue
        own, original = stake_of(game, hand, "split"), stake_of(game, first, "original")
        right = any_of(own.equals(base) for base in possible_stakes(game, first, "original"))
        yield judged(
            SPLIT_EQUAL,
            right,
            at=hand.place,
            events=hand.stakes["split"].placed,
            expected=say.that("the split wager equals the original {original}", original=original),
            observed=say.that("{hand} was wagered {own}", hand=say.place(hand.place), own=own),
            uncounted=right is None and not (own.exact and original.exact),
        )


@round_check(BESIDE, partial="keep", reads=("position of split wager",))
def split_wager_beside(game: Round) -> Iterator[Instance]:
    """Check that a split wager lies beside the original one, not before or behind it."""
    for wager in game.of(WagerPlaced):
        if wager.kind == "split":
            yield from in_place(
                BESIDE,
                wager,
                "horizontal",
                at=wager.at,
                expected=say.that(
                    "the split wager of {wager} lies horizontal to the original wager", wager=say.place(wager.at)
                ),
                observed=say.that(
                    "the split wager of {wager} lies before or behind the original wager", wager=say.place(wager.at)
                ),
            )


@session_check(SPLIT_EQUAL)
def split_unwagered(session: Session) -> Iterator[Instance]:
    """Check that a split hand has a wager. Chips that a recording did not show, or that were settled, may have lain
    there.
    """
    for game in session.rounds:
        if not (game.bets_seen and game.closed):
            continue
        for hand in game.hands:
            moves = [event for event, old, _, _ in game.folded.splits if old[0] == hand.key[0]]
            first = game.by_key.get((hand.key[0], 0)) if moves else None
            original = first.stakes.get("original") if first else None
            if not 0 < hand.key[1] < MAX_HANDS or hand.stakes or original is None or not original.placed:
                continue
            settled = [e for e in game.events if getattr(e, "kind", None) == "split" and _at_space(e, hand)]
            hidden = session.from_pixels or game.lacks_records or settled or original.changed
            instance = judged(
                SPLIT_EQUAL,
                None if hidden else False,
                at=hand.place,
                key="none",
                events=[*original.placed, *moves],
                expected=say.that("the split wager equals the original {original}", original=original.amount),
                observed=say.that("no wager was seen on {hand}", hand=say.place(hand.place)),
            )
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
            yield _played_out(game, hand, later)
        if game.closed and game.turn_t is not None and hand.key[1] < MAX_HANDS:
            yield judged(
                ONE_CARD,
                len(hand.cards) >= 2,
                at=hand.place,
                events=[c.dealt for c in hand.cards],
                expected="every split hand takes at least one card",
                observed=say.that("{hand} took none", hand=say.place(hand.place)),
            )
        if hand.ace_split:
            yield judged(
                ACES,
                len(hand.cards) <= 2 and not hand.doubled,
                at=hand.place,
                events=[c.dealt for c in hand.cards],
                expected="a split ace gets one card and no double",
                observed=say.that(
                    "the split ace of {hand} has {hand_2}", hand=say.place(hand.place), hand_2=hand.text()
                )
                + (" and was doubled" if hand.doubled else ""),
                incident=doubled_ace(hand),
                rank=6,
            )
        elif len(hand.cards) > 2 and _perhaps_aces(game, hand):
            yield judged(
                ACES,
                None,
                at=hand.place,
                events=[c.dealt for c in hand.cards],
                expected="a split ace gets one card and no double",
                observed=say.that(
                    "{hand}, whose cards may be split aces, has {hand_2}",
                    hand=say.place(hand.place),
                    hand_2=hand.text(),
                ),
            )


def _perhaps_aces(game: Round, hand: Hand) -> bool:
    """Tell whether a hand was split off cards of which the readings leave it possible that both were aces."""
    pairs = [pair for _, old, new, pair in game.folded.splits if hand.key in (old, new)]
    return any(len(pair) > 1 and all((c.dealt.ranks or {}).get("A", 0.0) > STILL_RIGHT for c in pair) for pair in pairs)


def _played_out(game: Round, hand: Hand, later: Hand) -> Instance:
    """Tell whether a split hand was played to its end before the next one got its second card."""
    after = [c for c in hand.dealt if c.t_start >= later.dealt[0].t_end and not _own_first(game, hand, c)]
    signalled = decided_only_after(game, hand, later.dealt[0].t_end)
    wrong = None if order_unknown(game, hand.key[0]) else False
    return judged(
        RIGHT_FIRST,
        wrong if after or signalled else True,
        at=hand.place,
        events=[later.dealt[0], *after, *signalled],
        expected=say.that(
            "{hand} is played to its end before {later} gets its second card",
            hand=say.place(hand.place),
            later=say.place(later.place),
        ),
        observed=say.that(
            "{hand} {which} after {later} had its second",
            hand=say.place(hand.place),
            which="got a card" if after else "decided",
            later=say.place(later.place),
        ),
        also=[SEPARATE, *([BYPASS] if signalled else [])],
    )


def _own_first(game: Round, hand: Hand, card: CardDealt) -> bool:
    """Tell whether a card came before the hand was split."""
    moves = [event for event, old, new, _ in game.folded.splits if hand.key in (old, new)]
    return bool(moves) and card.t_end <= max(m.t_end for m in moves)
