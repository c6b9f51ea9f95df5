"""How the cards and tips of splits and doubles lie (99-01.3-08-11(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, CardsMoved, WagerMoved
from verifier.law import say
from verifier.law.hands import Hand, hand_key
from verifier.law.instances import Instance, judged, untold
from verifier.law.nd_twenty_one.shared.positions import in_place, sure_place
from verifier.law.registry import round_check
from verifier.law.rounds import Round

DOUBLE_ANGLE = "ND-08-11.3.b-double-card-angle"
TIP_LEFT = "ND-08-11.3.a-tip-to-leftmost"
ACE_ANGLE = "ND-08-11.3.a-split-ace-card-angle"
SIDE_BY_SIDE = "ND-08-11.3.a-split-side-by-side"
RIGHT_ANGLE, TOLERANCE = 90.0, 25.0


@round_check(DOUBLE_ANGLE, video=True, partial="keep")
def double_card(game: Round) -> Iterator[Instance]:
    """Check that a doubled hand's card lies face up at a right angle."""
    for hand in game.hands:
        if not hand.doubled or len(hand.cards) < 3:
            continue
        placed = hand.stakes["double"].placed
        card = next((c for c in hand.cards[2:] if placed and c.t > placed[0].t_start), hand.cards[2]).dealt
        if card.face == "down":
            yield judged(
                DOUBLE_ANGLE,
                False,
                at=hand.place,
                key=card.id,
                events=[card],
                expected="a doubled hand's card lies face up at a right angle",
                observed=say.that("the card of {hand} was dealt face down", hand=say.place(hand.place)),
            )
        elif card.angle is None:
            yield untold(DOUBLE_ANGLE, "how the card of the double lay", card, at=hand.place, seldom=True)
        else:
            yield at_right_angle(DOUBLE_ANGLE, hand, card)


@round_check(SIDE_BY_SIDE, partial="keep", reads=("position of split cards",))
def split_side_by_side(game: Round) -> Iterator[Instance]:
    """Check that the dealer lays the cards of a split side by side."""
    for move in game.of(CardsMoved):
        if move.kind == "split":
            yield from in_place(
                SIDE_BY_SIDE,
                move,
                "side_by_side",
                at=move.from_,
                expected=say.that("the split cards of {move} are laid side by side", move=say.place(move.from_)),
                observed=say.that("the split cards of {move} were not laid side by side", move=say.place(move.from_)),
            )


@round_check(TIP_LEFT, partial="keep")
def tip_to_leftmost(game: Round) -> Iterator[Instance]:
    """After a split the tip goes with the hand at the dealer's left."""
    for move in game.of(WagerMoved):
        to = hand_key(move.to)
        if move.kind == "tip" and to is not None:
            hand = game.by_key.get(to)
            if hand is not None and hand.split:
                yield judged(
                    TIP_LEFT,
                    to[1] == 0,
                    at=move.from_,
                    key=move.id,
                    events=[move],
                    expected=say.that("the tip of space {to} goes to the split hand at the dealer's left", to=to[0]),
                    observed=say.that("it was moved to split hand {to}", to=to[1]),
                )


@round_check(ACE_ANGLE, partial="keep")
def ace_cardat_right_angle(game: Round) -> Iterator[Instance]:
    """Check that a split ace's card lies at a right angle."""
    for hand in game.hands:
        if not hand.ace_split or len(hand.cards) != 2:
            continue
        card = hand.cards[1].dealt
        if card.angle is None:
            yield untold(ACE_ANGLE, "how the card of the split ace lay", card, at=hand.place, seldom=True)
        else:
            yield at_right_angle(ACE_ANGLE, hand, card)


def at_right_angle(clause: str, hand: Hand, card: CardDealt) -> Instance:
    """Tell whether a card lies across the first one of its hand, within `TOLERANCE` degrees; its angle must be
    known. One that was not told surely is left open.
    """
    right = abs((abs(card.angle or 0.0) % 180) - RIGHT_ANGLE) <= TOLERANCE
    p = 1.0 if card.angle_p is None else card.angle_p
    return judged(
        clause,
        right if sure_place(right, p) else None,
        at=hand.place,
        key=card.id,
        events=[card],
        expected="the card lies at a right angle to the first",
        observed=say.that(
            "the card of {hand} lies at {angle} degrees",
            hand=say.place(hand.place),
            angle=say.number(round(card.angle or 0.0)),
        ),
        chance=1.0 - p if right else p,
    )
