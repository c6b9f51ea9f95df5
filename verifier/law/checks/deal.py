"""Dealing the first two cards, by method (99-01.3-08-10), and its lawful recoveries (12(2)-(4))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import CardDealt, HandSignal, HoleCardCheck
from verifier.law.checks.wording import hand_words
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

ORDER = {
    "hole_card_no_peek": "ND-08-10.1.a-order",
    "no_hole_card": "ND-08-10.1.b-order",
    "hole_card_reader": "ND-08-10.1.c-order",
}
START = "ND-08-10.2-start-left"
METHOD = "ND-08-10.1-one-method"
FACE_UP = "ND-08-10.1-players-faceup"
UNWAGERED = "ND-08-12.3-inactive-space-card"
LEFT_HAND = "ND-08-10.2-left-hand-draw"
RIGHT_HAND = "ND-08-10.2-right-hand-place"
OVERLAP = "ND-08-10.2-card-overlap"
MISSED_DEALER = "ND-08-12.4-missed-dealer-card"
MOST_OVERLAP = 0.27
"""A quarter, and a little for measuring (site policy)."""
_D = 0


def wagered_spaces(game: Round) -> list[int]:
    """Spaces with an original wager, in the dealer's order from the left."""
    return sorted({hand.key[0] for hand in game.hands if "original" in hand.stakes})


def _destinations(game: Round, spaces: Sequence[int]) -> list[tuple[int, CardDealt]]:
    """Initial cards in order: the space (or 0 for the dealer) that each went to, as far as the deal reaches."""
    found: list[tuple[int, CardDealt]] = []
    count: dict[int, int] = {}
    for card in game.of(CardDealt):
        key = hand_key(card.to) if card.to != "dealer" else (_D, 0)
        if key is None or key[1] or (key[0] != _D and key[0] not in spaces):
            continue
        count[key[0]] = count.get(key[0], 0) + 1
        if count[key[0]] > 2:
            if key[0] != _D and count.get(_D, 0) >= (1 if game.no_hole else 2):
                break
            continue
        found.append((key[0], card))
    return found


def lawful_deals(spaces: Sequence[int], *, hole: bool) -> Iterator[list[int]]:
    """Destinations of a lawful deal: the rule's order, then the recoveries of 12(2) and 12(4)."""
    row = list(spaces)
    last = [_D] if hole else []
    yield [*row, _D, *row, *last]
    yield [*row, *row, _D, *last]
    for missed in row:
        rest = [space for space in row if space != missed]
        yield [*rest, _D, *rest, *last]
        yield [*rest, _D, *row, *last]
        yield [*row, _D, *rest, *last]
        for late in ([missed, *last], [*last, missed]):
            yield [*row, _D, *rest, *late]
            yield [*rest, _D, *row, *late]


@round_check(*ORDER.values(), START, METHOD, MISSED_DEALER)
def dealing_order(game: Round) -> Iterator[Instance]:
    """Spaces from the left, dealer, spaces from the left, dealer: by the site's method."""
    spaces = wagered_spaces(game)
    dealt = _destinations(game, spaces)
    if not spaces or not dealt:
        return
    sequence = [to for to, _ in dealt]
    method = game.house.dealing_method
    right: bool | None = _lawful(game, sequence, spaces)
    if right is False and not game.bets_seen:
        right = None
    if not game.closed and right is False and _could_become(sequence, spaces, method):
        return
    root = ORDER[method or "hole_card_no_peek"]
    wrong_start = sequence[0] not in (_D, min(spaces)) and sequence[0] != _D
    yield judged(
        root, right, at=_place(sequence[0]) if wrong_start else None, events=[card for _, card in dealt],
        expected="cards go to " + _words(next(lawful_deals(spaces, hole=method != "no_hole_card"))),
        observed="cards went to " + _words(sequence), also=[START] if wrong_start else [], incident="deal order",
    )  # fmt: skip
    if right:
        yield judged(START, True)
        if sequence != list(next(lawful_deals(spaces, hole=method != "no_hole_card"))):
            yield judged(MISSED_DEALER, True, at="dealer")


def _lawful(game: Round, sequence: Sequence[int], spaces: Sequence[int]) -> bool:
    methods = [game.house.dealing_method] if game.house.dealing_method else ["hole_card_no_peek", "no_hole_card"]
    for method in methods:
        hole = method != "no_hole_card"
        for deal in lawful_deals(spaces, hole=hole):
            if sequence == deal or (hole and _late_second(sequence, deal)):
                return True
            if not hole and sequence in (deal, [*deal, _D]):
                return True
    return False


def _late_second(sequence: Sequence[int], deal: Sequence[int]) -> bool:
    """The dealer's missed second card is dealt later in the round, or never because no hand needed it (12(4))."""
    return list(sequence) == list(deal[:-1]) and deal[-1] == _D


def _could_become(sequence: Sequence[int], spaces: Sequence[int], method: str | None) -> bool:
    holes = [method != "no_hole_card"] if method else [True, False]
    return any(deal[: len(sequence)] == list(sequence) for hole in holes for deal in lawful_deals(spaces, hole=hole))


def _place(space: int) -> str:
    return f"space:{space}"


def _words(sequence: Sequence[int]) -> str:
    return ", ".join("dealer" if space == _D else f"space {space}" for space in sequence)


@round_check(*ORDER.values(), METHOD)
def dealer_faces(game: Round) -> Iterator[Instance]:
    """One of the dealer's two cards face up and one face down; only one card where there is no hole card."""
    method, cards = game.house.dealing_method, game.dealer_dealt
    if method is None or not cards:
        return
    if method == "no_hole_card":
        yield judged(
            ORDER[method], cards[0].face == "up", at="dealer", key="faces", events=cards[:1],
            expected="the dealer's card is dealt face up", observed="the dealer's card was dealt face down",
        )  # fmt: skip
        return
    if len(cards) < 2 or game.dealer.burned:
        return
    faces = [card.face for card in cards[:2]]
    if _no_hole_pattern(game):
        return  # the pattern of a table without a hole card, which `another_method` judges
    yield judged(
        ORDER[method], sorted(faces) == ["down", "up"], at="dealer", key="faces", events=cards[:2],
        expected="one of the dealer's two cards is dealt face up and the other face down",
        observed=f"both of the dealer's cards were dealt face {faces[0]}", also=[METHOD], incident="deal faces",
    )  # fmt: skip


@session_check(METHOD)
def another_method(session: Session) -> Iterator[Instance]:
    """At a site with a hole card the dealer's second card is not dealt face up after the players' decisions.

    In a log that a detector made, one such round may be a hole card that was not seen to be dealt.
    """
    if session.house.dealing_method not in ("hole_card_no_peek", "hole_card_reader"):
        return
    found = [game for game in session.rounds if game.opened and not game.card_missing and _no_hole_pattern(game)]
    certain = not session.from_pixels or len(found) > 1
    for game in found:
        instance = judged(
            METHOD, False if certain else None, at="dealer", key="faces", events=game.dealer_dealt[:2],
            expected="the dealer's second card is dealt face down before the players decide",
            observed="the dealer's second card was dealt face up after the players' decisions",
        )  # fmt: skip
        yield msgspec.structs.replace(instance, round=game.number)


def _no_hole_pattern(game: Round) -> bool:
    cards = game.dealer_dealt
    if len(cards) < 2 or game.dealer.burned or [card.face for card in cards[:2]] != ["up", "up"]:
        return False
    if game.deal_end is None or game.last_player_card_t is None or cards[1].t_start < game.last_player_card_t:
        return False
    return cards[1].t_start > game.deal_end + 0.01 and _played_between(game, cards[1])


def _played_between(game: Round, second: CardDealt) -> bool:
    return any(s.t_end <= second.t_end for s in game.of(HandSignal) if s.t_start >= (game.deal_end or 0))


@round_check(METHOD, partial="keep")
def method_used(game: Round) -> Iterator[Instance]:
    """The reader is used only where it is the site's method; no second dealer card before decisions without a hole
    card (that instance is judged with 10(1)(b))."""
    method = game.house.dealing_method
    if method is None:
        return
    readers = [c for c in game.of(HoleCardCheck) if c.how == "reader"]
    if readers or method == "hole_card_reader":
        yield judged(
            METHOD, method == "hole_card_reader", at="dealer", events=readers,
            expected=f"the site's method is {method.replace('_', ' ')}", observed="a card reader was used",
        )  # fmt: skip


@round_check(FACE_UP, UNWAGERED)
def to_wagered_spaces(game: Round) -> Iterator[Instance]:
    """Players' cards lie face up, and only on spaces with a wager; a card elsewhere is burned."""
    burned = {held.dealt.id for _, held, _ in game.folded.burned}
    spaces = set(wagered_spaces(game))
    seen_spaces: set[int] = set()
    for card in game.of(CardDealt):
        key = hand_key(card.to)
        if key is None:
            continue
        if card.face == "down" and not _tucked(game, card):
            yield judged(
                FACE_UP, False, at=card.to, key=card.id, events=[card], expected="players' cards are dealt face up",
                observed=f"a card of {card.to} was dealt face down",
            )  # fmt: skip
        if key[0] in spaces:
            continue
        if card.id in burned:
            yield judged(UNWAGERED, True, at=card.to, key=card.id)
        elif key[0] not in seen_spaces and game.closed and game.bets_seen:
            seen_spaces.add(key[0])
            yield judged(
                UNWAGERED, None if _money_at(game, key[0]) else False, at=card.to,
                events=[card], expected=f"no card goes to space {key[0]}, which has no wager; one that does is burned",
                observed=f"a card went to space {key[0]} without a wager and stayed in play", also=[FACE_UP],
            )  # fmt: skip
    yield judged(FACE_UP, True)


def _tucked(game: Round, card: CardDealt) -> bool:
    """A doubled hand's card; whether it may lie face down is 11(3)(b)'s matter."""
    key = hand_key(card.to)
    hand = game.by_key.get(key) if key else None
    return hand is not None and hand.doubled and card is hand.dealt[-1]


def _money_at(game: Round, space: int) -> bool:
    places = (getattr(e, "at", None) for e in game.events if not isinstance(e, CardDealt))
    return any(isinstance(p, str) and (hand_key(p) or (0, 0))[0] == space for p in places)


@round_check(LEFT_HAND, RIGHT_HAND, OVERLAP, partial="keep")
def hands_used(game: Round) -> Iterator[Instance]:
    """Cards leave the shoe with the left hand and are placed with the right, over a quarter of the last at most."""
    left_allowed = {1, 2, *wagered_spaces(game)[:2]}
    for card in game.of(CardDealt):
        if card.dealer is not None and card.dealer in game.house.disabled_dealer:
            continue
        if game.house.disabled_dealer and card.dealer is None:
            continue
        key = hand_key(card.to)
        if card.from_hand is not None:
            yield judged(
                LEFT_HAND, None if card.from_hand == "unknown" else card.from_hand == "left", at=card.to, key=card.id,
                events=[card], expected="the card leaves the shoe in the left hand",
                observed=f"the card for {card.to} was drawn with {hand_words(card.from_hand)}",
            )  # fmt: skip
        turned_up = key is not None or (card.to == "dealer" and card.face == "up")
        if card.placed_hand is not None and turned_up and (key is None or key[0] not in left_allowed):
            yield judged(
                RIGHT_HAND, None if card.placed_hand == "unknown" else card.placed_hand == "right", at=card.to,
                key=card.id, events=[card], expected="the card is placed with the right hand",
                observed=f"the card for {card.to} was placed with {hand_words(card.placed_hand)}",
            )  # fmt: skip
        if card.overlap is not None and key is not None and (card.angle is None or abs(card.angle) < 45):
            yield judged(
                OVERLAP, card.overlap <= MOST_OVERLAP, at=card.to, key=card.id, events=[card],
                expected="the card covers at most the lower left quarter of the one before",
                observed=f"the card at {card.to} covers {card.overlap:.0%} of the one before",
            )  # fmt: skip
