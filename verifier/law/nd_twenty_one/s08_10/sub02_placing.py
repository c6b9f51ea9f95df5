"""Where and with which hand the cards are laid (99-01.3-08-10(2), 12(3))."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import CardDealt
from verifier.law import say
from verifier.law.hands import hand_key, space_of
from verifier.law.instances import Instance, judged, untold
from verifier.law.nd_twenty_one.s08_10.sub01_deal import wagered_spaces
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.wording import hand_words

FACE_UP = "ND-08-10.1-players-faceup"
UNWAGERED = "ND-08-12.3-inactive-space-card"
LEFT_HAND = "ND-08-10.2-left-hand-draw"
RIGHT_HAND = "ND-08-10.2-right-hand-place"
OVERLAP = "ND-08-10.2-card-overlap"
_NUMBER = re.compile(r"D\d+")
MOST_OVERLAP = 0.27
"""A quarter, and a little for the dealer's haste (site policy)."""
OFF = 0.06
"""By so much a share seen from above may be off: of 1,734 in watched recordings one was, by 0.11, and half a percent by
more than 0.044 (2026-11-22)."""


@round_check(FACE_UP, UNWAGERED)
def to_wagered_spaces(game: Round) -> Iterator[Instance]:
    """Players' cards lie face up, and only on spaces with a wager; a card elsewhere is burned.

    Where no wager at all is on record the log tells of cards alone, as annotations do.
    """
    burned = {held.dealt.id for _, held, _ in game.folded.burned}
    spaces = set(wagered_spaces(game))
    seen_spaces: set[int] = set()
    for card in game.of(CardDealt):
        key = hand_key(card.to)
        if key is None:
            continue
        if card.face == "down" and not _tucked(game, card):
            yield _face_down(card)
        if key[0] in spaces:
            continue
        if card.id in burned:
            yield judged(UNWAGERED, True, at=card.to, key=card.id)
        elif key[0] not in seen_spaces and game.closed and game.bets_seen and spaces:
            seen_spaces.add(key[0])
            yield judged(
                UNWAGERED,
                None if _money_at(game, key[0]) else False,
                at=card.to,
                events=[card],
                expected=say.that("no card goes to space {key}, which has no wager", key=key[0]).then(
                    "one that does is burned"
                ),
                observed=say.that("a card went to space {key} without a wager and stayed in play", key=key[0]),
                also=[FACE_UP],
            )
    yield judged(FACE_UP, True)


def _face_down(card: CardDealt) -> Instance:
    return judged(
        FACE_UP,
        False,
        at=card.to,
        key=card.id,
        events=[card],
        expected="players' cards are dealt face up",
        observed=say.that("a card of {card} was dealt face down", card=say.place(card.to)),
        incident=f"face {card.id}",
    )


def _tucked(game: Round, card: CardDealt) -> bool:
    """Tell whether a card is a doubled hand's last card. Whether it may lie face down is 11(3)(b)'s matter."""
    key = hand_key(card.to)
    hand = game.by_key.get(key) if key else None
    return hand is not None and hand.doubled and card is hand.dealt[-1]


def _money_at(game: Round, space: int) -> bool:
    places = (getattr(e, "at", None) for e in game.events if not isinstance(e, CardDealt))
    return any(isinstance(p, str) and space_of(p) == space for p in places)


@round_check(LEFT_HAND, RIGHT_HAND, OVERLAP, partial="keep")
def hands_used(game: Round) -> Iterator[Instance]:
    """Cards leave the shoe with the left hand and are placed with the right, over a quarter of the last at most."""
    left_allowed = {1, 2, *wagered_spaces(game)[:2]}
    asked: set[str] = set()
    for card in game.of(CardDealt):
        excused = _excused(game.house.disabled_dealer, card.dealer)
        if excused is not True:
            found = _dealt_with(game, card, left_allowed)
            yield from found if excused is False else (i for i in map(_left_open, found) if _first(i, asked))


def _excused(disabled: Sequence[str], dealer: str | None) -> bool | None:
    """Tell whether a dealer need not deal with these hands; None where nobody knows who deals.

    A number (`D1`), by which a recording counts its dealers, is no name of one whom the site names.
    """
    if dealer in disabled:
        return True
    numbered = dealer is None or (_NUMBER.fullmatch(dealer) and not any(map(_NUMBER.fullmatch, disabled)))
    return None if disabled and numbered else False


def _left_open(instance: Instance) -> Instance:
    return msgspec.structs.replace(instance, verdict="undetermined") if instance.verdict == "violation" else instance


def _first(instance: Instance, asked: set[str]) -> bool:
    """Tell whether an instance is the first open question of its clause, or none: who deals is one question a round."""
    again = instance.verdict == "undetermined" and instance.clause in asked
    asked |= {instance.clause} if instance.verdict == "undetermined" else set()
    return not again


def _dealt_with(game: Round, card: CardDealt, left_allowed: set[int]) -> Iterator[Instance]:
    key = hand_key(card.to)
    yield from _drawn_with(card)
    turned_up = key is not None or (card.to == "dealer" and card.face == "up")
    placed = turned_up and (key is None or key[0] not in left_allowed)
    if placed and card.placed_hand is None:
        yield untold(RIGHT_HAND, "which hand placed the card", card, at=card.to)
    elif placed and card.placed_hand is not None:
        yield judged(
            RIGHT_HAND,
            None if card.placed_hand == "unknown" else card.placed_hand == "right",
            at=card.to,
            key=card.id,
            events=[card],
            expected="the card is placed with the right hand",
            observed=say.that(
                "the card for {card} was placed with {placed_hand}",
                card=say.place(card.to),
                placed_hand=hand_words(card.placed_hand),
            ),
        )
    over = key is not None and (key[1] > 0 or card is not game.by_key[key].dealt[0])
    if over and (card.angle is None or abs(card.angle) < 45):
        if card.overlap is None:
            yield untold(OVERLAP, "how much of the card before it a card covers", card, at=card.to, seldom=True)
        else:
            yield _covers(card, card.overlap)


def _drawn_with(card: CardDealt) -> Iterator[Instance]:
    """Check that a card leaves the shoe in the left hand, if it is told in which."""
    if card.from_hand is None:
        yield untold(LEFT_HAND, "which hand drew the card", card, at=card.to)
    else:
        yield judged(
            LEFT_HAND,
            None if card.from_hand == "unknown" else card.from_hand == "left",
            at=card.to,
            key=card.id,
            events=[card],
            expected="the card leaves the shoe in the left hand",
            observed=say.that(
                "the card for {card} was drawn with {from_hand}",
                card=say.place(card.to),
                from_hand=hand_words(card.from_hand),
            ),
        )


def _covers(card: CardDealt, share: float) -> Instance:
    """Tell whether a card covers more of the one before than it may."""
    covered = judged(
        OVERLAP,
        share <= MOST_OVERLAP,
        at=card.to,
        key=card.id,
        events=[card],
        expected="the card covers at most the lower left quarter of the one before",
        observed=say.that(
            "the card at {card} covers {overlap} of the one before",
            card=say.place(card.to),
            overlap=say.share(share),
        ),
    )
    return msgspec.structs.replace(covered, narrow=share <= MOST_OVERLAP + OFF)
