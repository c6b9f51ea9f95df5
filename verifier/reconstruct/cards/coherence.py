"""Doubtful readings of cards weighed by what followed: the dealer's draws, and which way each hand's chips went.

Dealers and players act on the cards that lie there, so their acts tell of cards that the picture shows badly. They err
too: `DEALER_ERROR_P` is the chance that chips went otherwise than the cards demand, or were seen to. One that leaves no
alternative stays as it is whatever the dealer did, so that an error at cards well seen is never explained away. It is
doubted only where two people acted against it: the dealer, and a player who drew to what it makes 21 or more, or let
chips and cards go after a draw to what it makes no bust. A sign to stand on a natural is no act against it: a natural
may be paid in the order of the hands (99-01.3-08-11(11)), and a dealer who takes one for any 21 asks its player, too.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import product

from msgspec import Struct, structs

from verifier.engine.chances import UNREAD
from verifier.engine.outcomes import LOST, PAID, dealer_state, hand_state, outcome
from verifier.engine.totals import hand_total
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.settled_hands import Settlement, settlement_of
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.resting.card_tracks import CardTrack

Ranks = tuple[str, ...]
Way = tuple[Ranks, float]


def weighed(
    layout: Layout,
    settled: Sequence[Settled],
    turn: float,
    burned: Set[int],
    held: Set[int] = frozenset(),
    stood: Set[str] = frozenset(),
    *,
    ended: bool,
) -> Layout:
    """Return the layout with the ranks of doubtful cards weighed by what followed.

    `held` were laid aside, `burned` burned; `stood` has the places whose players signed to stand.
    """
    dealer = [card for hand in layout.space(0) for card in hand.cards if card.number not in burned]
    up = faceup(dealer)
    if up is None or len(dealer) < 2 or any(card.replaced for card in dealer):
        return layout
    hands = [
        (hand, found)
        for hand in layout.hands
        if hand.number
        and len(hand.cards) >= 2
        and not any(card.number in burned or card.replaced for card in hand.cards)
        for found in [settlement_of(layout, settled, hand, turn, held, stood, ended=ended)]
        if found is not None
    ]
    return _with_ranks(layout, _marginals(dealer, up, hands)) if hands else layout


def faceup(dealer: Sequence[CardTrack]) -> int | None:
    """Return which of the dealer's cards is the faceup card: the one of the first two that was dealt face up.

    Where both were dealt down it is the one that was turned first, not a card that the dealer drew. None if none is.
    """
    dealt = next((index for index, card in enumerate(dealer[:2]) if card.face == "up"), None)
    if dealt is not None:
        return dealt
    turned = [(card.turned[1], index) for index, card in enumerate(dealer[:2]) if card.turned]
    return min(turned)[1] if turned else None


def _options(card: CardTrack) -> dict[str, float]:
    """Return the ranks that a card may have; a back that was never turned may be anything."""
    whole = sum(card.ranks.values())
    return {rank: p / whole for rank, p in card.ranks.items()} if whole else dict(UNREAD)


def _ways(cards: Sequence[CardTrack]) -> list[Way] | None:
    """All readings of a hand with their chances; None where they are too many."""
    options = [_options(card) for card in cards]
    if math.prod(len(each) for each in options) > par.MOST_WAYS:
        return None
    return [
        (tuple(rank for rank, _ in way), math.prod(p for _, p in way))
        for way in product(*(each.items() for each in options))
    ]


def _marginals(
    dealer: Sequence[CardTrack], up: int, hands: Sequence[tuple[CardHand, Settlement]]
) -> dict[int, dict[str, float]]:
    """Return the new probabilities by card number."""
    alive = any(not found.early for _, found in hands)
    ways = _ways(dealer)
    if ways is None:
        return {}
    prior = [(ranks, p * _dealers_draws(ranks, alive)) for ranks, p in ways]
    tables = [table for hand, found in hands if (table := _table(hand, found, prior, up)) is not None]
    found: dict[int, dict[str, float]] = {}
    whole = [p * math.prod(table.fits[i] for table in tables) for i, (_, p) in enumerate(prior)]
    found |= _by_card(dealer, [(ranks, p) for (ranks, _), p in zip(prior, whole, strict=True)])
    for table in tables:
        others = [p / table.fits[i] for i, p in enumerate(whole)]
        found |= _by_card(table.cards, [(ranks, sum(map(_times, others, fits)) * p) for ranks, p, fits in table.ways])
    return found


def _times(a: float, b: float) -> float:
    return a * b


class _Table(Struct, frozen=True):
    """A hand's readings, each with its chance and how well it fits to each of the dealer's; `fits` sums them up."""

    cards: Sequence[CardTrack]
    ways: list[tuple[Ranks, float, list[float]]]
    fits: list[float]


def _table(hand: CardHand, found: Settlement, dealers: Sequence[Way], up: int) -> _Table | None:
    ways = _ways(hand.cards)
    if ways is None or len(ways) * len(dealers) > par.MOST_WAYS_BY_DEALERS * par.MOST_WAYS:
        return None
    rows = _rows(ways, hand, found, dealers, up)
    if all(drawn < p and max(fits) <= par.DEALER_ERROR_P for (_, p), (_, drawn, fits) in zip(ways, rows, strict=True)):
        rows = [
            (
                ranks,
                p,
                [max(par.DEALER_ERROR_P, fit) for fit in fits],
            )  # a dealer who takes one hand for another errs once
            for ranks, p, fits in _rows([*ways, *_misread(ways)], hand, found, dealers, up)
        ]
    return _Table(hand.cards, rows, [sum(p * fits[i] for _, p, fits in rows) for i in range(len(dealers))])


def _rows(
    ways: Sequence[Way], hand: CardHand, found: Settlement, dealers: Sequence[Way], up: int
) -> list[tuple[Ranks, float, list[float]]]:
    """Each reading with its chance by the player's acts, and how well it fits to each of the dealer's."""
    fit = _fitting(hand, found, up)
    return [
        (ranks, p * _players_acts(ranks, hand, found), [fit(ranks, dealer) for dealer, _ in dealers])
        for ranks, p in ways
    ]


def _misread(ways: Sequence[Way]) -> list[Way]:
    """Return the readings in which one card is none of those that it was read as."""
    return [
        ((*ranks[:i], other, *ranks[i + 1 :]), p * par.ANY_MISREAD_P * UNREAD[other])
        for ranks, p in ways
        for i in range(len(ranks))
        for other in UNREAD.keys() - {way[i] for way, _ in ways}
    ]


def _fitting(hand: CardHand, found: Settlement, up: int) -> Callable[[Ranks, Ranks], float]:
    """How probable a hand's settlement is by its cards and the dealer's; a plain bust loses its chips at once.

    Nobody signs to stand on a bust.
    """
    plain = not (found.facts.split or found.facts.doubled or found.facts.insured)

    def fit(own: Ranks, dealer: Ranks) -> float:
        state = hand_state(own, split=found.facts.split)
        result = outcome(state, dealer_state(dealer, dealer[up]), found.facts)
        sign = 1 if result in PAID else -1 if result in LOST and (result != "natural_loss" or not hand.index) else 0
        p = 1.0 - par.DEALER_ERROR_P if sign == found.sign else par.DEALER_ERROR_P
        aside = found.early or found.held
        p *= par.DEALER_ERROR_P if found.odds == par.ODDS_EVEN and result == "natural" and dealer[up] != "A" else 1.0
        p *= par.DEALER_ERROR_P if found.odds == par.ODDS_NATURAL and result != "natural" else 1.0
        p *= par.DEALER_ERROR_P if state.bust and found.stood else 1.0
        late = state.bust and plain and found.sign < 0 and not aside
        return p * (par.DEALER_ERROR_P if late or (aside and not state.bust) else 1.0)

    return fit


def _dealers_draws(ranks: Ranks, alive: bool) -> float:
    """How probable the dealer's draws are by the cards: to 17, a soft 17 as it may be, no further."""
    p = 1.0
    for count in range(2, len(ranks)):
        before = hand_total(ranks[:count])
        p *= (
            par.DEALER_ERROR_P
            if before.best >= par.DEALER_STANDS and not (before.soft and before.best == par.DEALER_STANDS)
            else 1.0
        )
    return p * (par.DEALER_ERROR_P if alive and hand_total(ranks).best < par.DEALER_STANDS else 1.0)


def _players_acts(ranks: Ranks, hand: CardHand, found: Settlement) -> float:
    """How probable a player's acts are: nobody draws on 21 or more, or yields what is no bust."""
    first = 2 if hand.split_at is None else 1
    if found.yielded and hand_total(ranks).best <= par.MOST_TOTAL:
        return par.DEALER_ERROR_P
    return math.prod(
        par.DEALER_ERROR_P if hand_total(ranks[:n]).best >= par.MOST_TOTAL else 1.0 for n in range(first, len(ranks))
    )


def _by_card(cards: Sequence[CardTrack], ways: Sequence[Way]) -> Mapping[int, dict[str, float]]:
    whole = sum(p for _, p in ways)
    sums: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for ranks, p in ways:
        for card, rank in zip(cards, ranks, strict=True):
            sums[card.number][rank] += p / whole if whole else 0.0
    return {number: dict(ranks) for number, ranks in sums.items()}


def _with_ranks(layout: Layout, chances: Mapping[int, Mapping[str, float]]) -> Layout:
    """Return the layout with new readings where a face had been seen and left alternatives."""
    new = {d.card.number: _reread(d.card, chances.get(d.card.number, {})) for d in layout.dealings}
    hands = {
        id(hand): replace(hand, cards=[new.get(card.number, card) for card in hand.cards]) for hand in layout.hands
    }
    return Layout(
        hands=[hands[id(hand)] for hand in layout.hands],
        dealings=[
            replace(
                d,
                card=new[d.card.number],
                hand=hands[id(d.hand)],
                before=d.before and new.get(d.before.number, d.before),
            )
            for d in layout.dealings
        ],
        splits=layout.splits,
    )


def _reread(card: CardTrack, chances: Mapping[str, float]) -> CardTrack:
    if len(chances) < 2 or (card.face == "down" and card.turned is None):
        return card
    read = sum(card.ranks.values()) or 1.0
    ranks = {rank: round(p * read, 4) for rank, p in chances.items() if p >= par.LEAST_KEPT_P}
    return structs.replace(card, ranks=ranks)
