"""What went out of sight and shows again where it lay, nobody having taken it or laid it: it lay on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.existence import by_itself
from verifier.reconstruct.table.zones import distance


def cards_lain_on(cards: Sequence[CardTrack], hands: HandLog) -> list[CardTrack]:
    """Return the cards without second tracks of those that show again while no hand is there: a look or two missed
    them.

    A hand may have been there as they were lost from sight: it took none, for none came back to lay one.
    """
    left = sorted(cards, key=lambda card: card.t_first)
    for card in list(left) if hands.known else []:
        before = next((other for other in left if _lay_there(other, card)), None)
        if before is not None and by_itself(card, hands, par.HAND_LOST_S, players=False):
            left.remove(card)
            left[left.index(before)] = _one(before, card)
    return sorted(left, key=lambda card: card.t_rest)


def cards_under_chips(cards: Sequence[CardTrack], chips: Sequence[ChipDwell]) -> list[CardTrack]:
    """Return the cards without second tracks of those on which chips lay from when they were lost until they show
    again.
    """
    left = sorted(cards, key=lambda card: card.t_first)
    for card in list(left):
        before = next((other for other in left if other.t_last < card.t_first and _same_spot(other, card)), None)
        if before is not None and any(_covers(dwell, before, card) for dwell in chips):
            left.remove(card)
            left[left.index(before)] = _one(before, card)
    return sorted(left, key=lambda card: card.t_rest)


def _covers(chip: ChipDwell, before: CardTrack, card: CardTrack) -> bool:
    """Tell whether a chip was laid upon a card about when it was last seen, and lay there nearly until it shows
    again.
    """
    laid = before.t_last - par.LAIN_ON_LAID_S <= chip.t0 <= before.t_last + par.LAIN_ON_LAID_S
    return (
        laid
        and chip.t1 >= card.t_first - par.LAIN_ON_LIFTED_S
        and distance(chip.xy, card.dwells[0][0]) <= par.LAIN_ON_UPON_MM
    )


def _one(before: CardTrack, card: CardTrack) -> CardTrack:
    unseen = (*before.unseen, (before.t_last, card.t_first), *card.unseen)
    return replace(
        before,
        gone=card.gone,
        t_last=card.t_last,
        n=before.n + card.n,
        p=max(before.p, card.p),
        dwells=(*before.dwells, *card.dwells),
        unseen=unseen,
    )


def _same_spot(before: CardTrack, card: CardTrack) -> bool:
    """Tell whether a card of the same rank and suit lay last where a card comes into sight."""
    alike = (before.face, before.rank, before.suit) == (card.face, card.rank, card.suit) and card.rank is not None
    return alike and distance(before.dwells[-1][0], card.dwells[0][0]) <= par.TWIN_MM


def _lay_there(before: CardTrack, card: CardTrack) -> bool:
    """Tell whether a card of the same rank and suit lay at a card's place until shortly before it came into sight."""
    alike = (before.face, before.rank, before.suit) == (card.face, card.rank, card.suit) and card.rank is not None
    since = card.t_first - before.t_last
    return alike and 0.0 < since <= par.LAIN_ON_LONGEST_S and distance(before.xy, card.dwells[0][0]) <= par.TWIN_MM


def chips_lain_on(hands: HandLog, dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return one dwell for each chip that lay on, hidden for a while, though hands came near meanwhile."""
    left = sorted(dwells, key=lambda dwell: dwell.t0)
    index = 0
    while index < len(left):
        dwell = left[index]
        again = next((other for other in left if _shows_again(dwell, other)), None)
        if again is None or not _left_by_itself(hands, dwell):
            index += 1
            continue
        left.remove(again)
        unseen = (*dwell.unseen, (dwell.seen_to, again.t0), *again.unseen)
        seen = dwell.n + again.n
        left[index] = replace(
            dwell,
            t1=again.t1,
            seen_to=again.seen_to,
            n=seen,
            unseen=unseen,
            p=max(dwell.p, again.p),
            mean=(dwell.mean * dwell.n + again.mean * again.n) / seen,
            faces=dwell.faces + again.faces,
        )
    return left


def _left_by_itself(hands: HandLog, dwell: ChipDwell) -> bool:
    """Tell whether a chip went out of sight in looks that follow closely with no hand at it: something hid it."""
    since, until = dwell.seen_to - par.LAIN_ON_BEFORE_S, dwell.seen_to + par.LAIN_ON_AFTER_S
    at = any(hand.over(dwell.xy, par.LAIN_ON_AT_MM) for hand in hands.between(since, until))
    return not at and hands.blind(since, until) is None and hands.frames(dwell.seen_to, until) > 1


def _shows_again(dwell: ChipDwell, other: ChipDwell) -> bool:
    same = other.cents == dwell.cents is not None and distance(other.xy, dwell.xy) <= par.UNTOUCHED_MM
    return other is not dwell and same and dwell.seen_to < other.t0 <= dwell.seen_to + par.LAIN_ON_LONGEST_S
