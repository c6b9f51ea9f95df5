"""Second tracks of one card, joined to the first."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.table.zones import Xy, distance


def distinct(cards: Iterable[CardTrack], glimpsed: Iterable[CardTrack] = (), *, alone: bool = False) -> list[CardTrack]:
    """Return the tracks, those at one place and time joined to the one seen most often; which are cards, `existing`
    tells.

    Those only `glimpsed` are no second looks at these. `alone` where cards are all that is seen: two ranks, or a face
    and a card laid face down, are two cards then, unless they lie on one spot; and those glimpsed are of one look each.
    """
    kept: list[CardTrack] = []
    for card in sorted(cards, key=lambda card: -card.n):
        twin = next((i for i, other in enumerate(kept) if _same_card(card, other, alone=alone)), None)
        if twin is None:
            kept.append(card)
        else:
            kept[twin] = _joined(kept[twin], card)
    for card in glimpsed:
        if not any(_same_card(card, one, alone=alone) for one in kept):
            kept.append(structs.replace(card, laid=not alone))
    return sorted(kept, key=lambda card: card.t_rest)


def _same_card(a: CardTrack, b: CardTrack, *, alone: bool) -> bool:
    """Tell whether two card tracks lay at one place at one time; where a card has moved away from, another may come
    to lie.
    """
    two = a.face != b.face or bool(a.rank and b.rank and a.rank != b.rank)
    near = par.FALSE_POSITIVE_APART_MM if alone and two else par.TWIN_MM
    if alone and _seen_apart(a, b):
        return False
    return a.place == b.place and any(
        distance(xy, other) < near and t0 < until and since < t1
        for xy, t0, t1 in _held(a)
        for other, since, until in _held(b)
    )


def _seen_apart(a: CardTrack, b: CardTrack) -> bool:
    """Tell whether two card tracks were seen at one time at two places: two cards, which may lie in one pile later."""
    return any(
        distance(xy, other) > par.TWIN_MM and min(until, end) - max(t0, since) >= par.FALSE_POSITIVE_APART_S
        for xy, t0, until in a.dwells
        for other, since, end in b.dwells
    )


def _held(card: CardTrack) -> list[tuple[Xy, float, float]]:
    """Where a card lay, each place until it came to the next one or was gone."""
    ends = [*(t0 for _, t0, _ in card.dwells[1:]), card.end]
    return [(xy, t0, end) for (xy, t0, _), end in zip(card.dwells, ends, strict=True)]


def _joined(main: CardTrack, other: CardTrack) -> CardTrack:
    """Return the main track; it begins with the other where that came first with the same reading, and ends with it
    likewise.

    Where the main one lay meanwhile it lay: what the other tells of that time is a look that was off.
    """
    if other.turned is not None and main.turned is None:
        main, other = other, main
    shown = main.turned is not None and other.face == "up"
    if main.rank != other.rank or not (main.face == other.face or shown):
        return main
    gone = None if main.gone is None or other.gone is None else max(main.gone, other.gone)
    since, until = main.dwells[0][1], main.dwells[-1][2]
    outside = [dwell for dwell in other.dwells if dwell[1] < since or dwell[2] > until]
    dwells = tuple(sorted({*main.dwells, *outside}, key=lambda dwell: dwell[1]))
    return structs.replace(
        main, dwells=dwells, gone=gone, t_first=min(main.t_first, other.t_first), t_last=max(main.t_last, other.t_last)
    )
