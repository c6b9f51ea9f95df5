"""Dealing the first two cards, by method (99-01.3-08-10), and its lawful recoveries (12(2)-(4))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import CardDealt, HandSignal, HoleCardCheck
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.orders import possible_orders
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.say import Said
from verifier.law.session import Session

ORDER = {
    "hole_card_no_peek": "ND-08-10.1.a-order",
    "no_hole_card": "ND-08-10.1.b-order",
    "hole_card_reader": "ND-08-10.1.c-order",
}
START = "ND-08-10.2-start-left"
METHOD = "ND-08-10.1-one-method"
MISSED_DEALER = "ND-08-12.4-missed-dealer-card"
_D = 0


def wagered_spaces(game: Round) -> list[int]:
    """Spaces with an original wager, in the dealer's order from the left."""
    return sorted({hand.key[0] for hand in game.hands if "original" in hand.stakes})


def _destinations(
    game: Round, spaces: Sequence[int], left_out: frozenset[str] = frozenset()
) -> list[tuple[int, CardDealt]]:
    """Return the initial cards in order, each with the space (or 0 for the dealer) that it went to, as far as the deal
    reaches.

    Of those that dropped off the table only what replaced them counts (12(6)); so of the cards `left_out` (ids).
    """
    found: list[tuple[int, CardDealt]] = []
    count: dict[int, int] = {}
    for card in game.of(CardDealt):
        key = hand_key(card.to) if card.to != "dealer" else (_D, 0)
        if card.id in game.dropped or card.id in left_out:
            continue
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
    if right is False and (not game.bets_seen or any(_lawful(game, way, spaces) for way in possible_orders(dealt))):
        right = None
    unsaid = frozenset(held.dealt.id for _, held, burn in game.folded.burned if not burn.reason)
    if right is False and unsaid and _lawful(game, [to for to, _ in _destinations(game, spaces, unsaid)], spaces):
        right = None  # why these cards were burned is not told: they may have dropped off the table
    if not game.closed and right is False and _could_become(sequence, spaces, method):
        return
    root = ORDER[method or "hole_card_no_peek"]
    wrong_start = sequence[0] not in (_D, min(spaces)) and sequence[0] != _D
    yield judged(
        root,
        right,
        at=_place(sequence[0]) if wrong_start else None,
        events=[_where(card) for _, card in dealt],
        expected="cards go to " + _words(next(lawful_deals(spaces, hole=method != "no_hole_card"))),
        observed="cards went to " + _words(sequence),
        also=[START] if wrong_start else [],
        incident="deal order",
    )
    if right:
        yield judged(START, True)
        if sequence != list(next(lawful_deals(spaces, hole=method != "no_hole_card"))):
            yield judged(MISSED_DEALER, True, at="dealer")


def _where(card: CardDealt) -> CardDealt:
    """Return a card's record as it tells where the card went, not what it shows: its probability leaves out that of the
    reading.
    """
    read = max((card.ranks or {}).values(), default=1.0)
    return msgspec.structs.replace(card, p=min(1.0, card.p / read)) if read else card


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
    """Tell whether the dealer's second card alone was missed: it is dealt later in the round, or never because no hand
    needed it (12(4)).
    """
    return list(sequence) == list(deal[:-1]) and deal[-1] == _D


def _could_become(sequence: Sequence[int], spaces: Sequence[int], method: str | None) -> bool:
    holes = [method != "no_hole_card"] if method else [True, False]
    return any(deal[: len(sequence)] == list(sequence) for hole in holes for deal in lawful_deals(spaces, hole=hole))


def _place(space: int) -> str:
    return f"space:{space}"


def _words(sequence: Sequence[int]) -> Said:
    return say.listed(", ", ("dealer" if space == _D else say.that("space {space}", space=space) for space in sequence))


@round_check(*ORDER.values(), METHOD)
def dealer_faces(game: Round) -> Iterator[Instance]:
    """One of the dealer's two cards face up and one face down; only one card where there is no hole card."""
    method, cards = game.house.dealing_method, game.dealer_dealt
    if method is None or not cards:
        return
    if method == "no_hole_card":
        yield judged(
            ORDER[method],
            cards[0].face == "up",
            at="dealer",
            key="faces",
            events=cards[:1],
            expected="the dealer's card is dealt face up",
            observed="the dealer's card was dealt face down",
        )
        return
    if len(cards) < 2 or game.dealer.burned:
        return
    faces = [card.face for card in cards[:2]]
    if _no_hole_pattern(game):
        return  # the pattern of a table without a hole card, which `another_method` judges
    yield judged(
        ORDER[method],
        sorted(faces) == ["down", "up"],
        at="dealer",
        key="faces",
        events=cards[:2],
        expected="one of the dealer's two cards is dealt face up and the other face down",
        observed=say.that("both of the dealer's cards were dealt face {faces}", faces=faces[0]),
        also=[METHOD],
        incident="deal faces",
    )


@session_check(METHOD)
def another_method(session: Session) -> Iterator[Instance]:
    """At a site with a hole card the dealer's second card is not dealt face up after the players' decisions.

    In a log that a detector made, one such round may be a hole card that was not seen to be dealt.
    """
    method = session.house.dealing_method
    whole = [game for game in session.rounds if game.opened and not game.card_missing]
    found = [game for game in whole if _no_hole_pattern(game)]
    if method == "no_hole_card" or (method is None and not any(_hole_pattern(game) for game in whole)):
        return  # without a configured method, rounds of two patterns tell of two
    read = method is None and any(game.of(HoleCardCheck) for game in whole)  # a reader may have failed since
    certain = not read and (not session.from_pixels or len(found) > 1)
    for game in found:
        instance = judged(
            METHOD,
            False if certain else None,
            at="dealer",
            key="faces",
            events=game.dealer_dealt[:2],
            expected="the dealer's second card is dealt face down before the players decide",
            observed="the dealer's second card was dealt face up after the players' decisions",
        )
        yield msgspec.structs.replace(instance, round=game.number)


def _hole_pattern(game: Round) -> bool:
    cards = game.dealer_dealt[:2]
    decided = [s.t_end for s in game.of(HandSignal)]
    early = bool(decided) and len(cards) > 1 and cards[1].t_start < min(decided)
    return early and sorted(card.face for card in cards) == ["down", "up"]


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
    """Check that the reader is used only where it is the site's method. A second dealer card before decisions without a
    hole card is judged with 10(1)(b).
    """
    method = game.house.dealing_method
    if method is None:
        return
    readers = [c for c in game.of(HoleCardCheck) if c.how == "reader"]
    if readers or method == "hole_card_reader":
        yield judged(
            METHOD,
            method == "hole_card_reader",
            at="dealer",
            events=readers,
            expected=say.that("the site's method is {method}", method=method.replace("_", " ")),
            observed="a card reader was used",
        )
