"""How likely it is that a card which shows where one like it lay is that one: one likelihood, of added log odds.

A card of the same rank that comes to lie at the very place of another is rare. That the first was only out of sight is
the likelier, the less room there was for a hand to take it and lay the next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import structs

from verifier.domain.cards import COLOURS_OF_SUITS
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.existence import by_itself
from verifier.reconstruct.table.zones import distance


def shown_again(
    cards: Sequence[CardTrack], hands: HandLog | None = None, chips: Sequence[ChipDwell] = ()
) -> list[CardTrack]:
    """Return one track for each card that was out of sight for a while and shows again where it had lain.

    `hands` and `chips` (mm) tell what else was there, where they are known.
    """
    left = sorted(cards, key=lambda card: card.t_first)
    for card in list(left):
        others = (other for other in left if other is not card)
        before = next((other for other in others if odds(other, card, cards, hands, chips) >= 0.0), None)
        if before is not None:
            left.remove(card)
            left[left.index(before)] = _one(before, card)
    return sorted(left, key=lambda card: card.t_rest)


def odds(
    before: CardTrack,
    card: CardTrack,
    cards: Sequence[CardTrack],
    hands: HandLog | None = None,
    chips: Sequence[ChipDwell] = (),
) -> float:
    """Return the log odds that a card is `before`, which was lost from sight at its place, not another one like it.

    `cards` are all that lay on the table.
    """
    if not (_alike(before, card) and before.t_last <= card.t_first and _in_its_place(before, card)):
        return -math.inf
    told = {
        "there": True,
        "other suit": before.suit != card.suit,
        "at once": card.t_first - before.t_last <= par.AGAIN_AT_ONCE_S,
        "its hand lay on": any(_lay_on(other, before, card) for other in cards),
        "under chips": any(_covered(chip, before, card) for chip in chips),
        "nobody came": hands is not None and hands.known and by_itself(card, hands, par.HAND_LOST_S, players=False),
    }
    return sum(par.AGAIN_ODDS[name] for name, true in told.items() if true)


def _alike(before: CardTrack, card: CardTrack) -> bool:
    """Tell whether a card shows the side and rank that another showed last, and its suit, or the other of its colour.

    The other suit is a misreading, which `AGAIN_ODDS` weighs.
    """
    side = "up" if before.turned is not None else before.face
    suits = before.suit == card.suit or {before.suit, card.suit} in COLOURS_OF_SUITS
    return side == card.face and before.rank == card.rank is not None and before.place == card.place and suits


def _in_its_place(before: CardTrack, card: CardTrack) -> bool:
    """Tell whether a card lies at one of the last two places of another: half hidden, one seems to creep away."""
    return any(distance(xy, card.xy) <= par.TWIN_MM for xy, _, _ in before.dwells[-2:])


def _lay_on(other: CardTrack, before: CardTrack, card: CardTrack) -> bool:
    """Tell whether a card of their hand lay there all the while: a hand's cards are taken up together."""
    mine = other is not before and other is not card and other.place == before.place
    return mine and other.t_rest < before.t_last and other.end > card.t_rest


def _covered(chip: ChipDwell, before: CardTrack, card: CardTrack) -> bool:
    """Tell whether a chip lay upon a card for most of the time for which it was out of sight."""
    lay = min(chip.t1, card.t_first) - max(chip.t0, before.t_last)
    return 2 * lay > card.t_first - before.t_last and distance(chip.xy, card.xy) <= par.LAIN_ON_UPON_MM


def _one(before: CardTrack, card: CardTrack) -> CardTrack:
    """Return one track of both, with the reading of the one seen more often, or of the card that was turned."""
    main = before if before.turned is not None or before.n >= card.n else card
    return structs.replace(
        main,
        number=before.number,
        gone=card.gone,
        t_first=before.t_first,
        t_last=card.t_last,
        n=before.n + card.n,
        p=max(before.p, card.p),
        steady=max(before.steady, card.steady),
        dwells=(*before.dwells, *card.dwells),
        unseen=(*before.unseen, (before.t_last, card.t_first), *card.unseen),
    )
