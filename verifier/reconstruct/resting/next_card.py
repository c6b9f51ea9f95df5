"""Where a hand's next card is laid, by how its cards lie."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.table.zones import Xy, distance


def next_spot(card: CardTrack, t: float, step: Xy = par.NEXT_CARD_MM) -> Xy:
    """Where the card after one that lies there at `t` is expected."""
    x, y = card.at(t)
    return x + step[0], y + step[1]


def steps_of(cards: Sequence[CardTrack]) -> dict[int, Xy]:
    """How the next card is laid at each space where it is done otherwise than in the table's usual way.

    A space's own first two cards tell, where both lie as one hand's cards do. Dealers lay all hands alike: where the
    spaces are at odds they err, or the table is seen askew.
    """
    found: dict[int, Xy] = {}
    for number in {number_of(card) for card in cards} - {0}:
        first, second, *_ = [*sorted((c for c in cards if number_of(c) == number), key=lambda c: c.t_rest), None, None]
        if first is None or second is None or second.t_rest - first.t_rest <= par.FOUND_AT_ONCE_S:
            continue
        (x0, y0), (x1, y1) = first.xy, second.xy
        step = (x1 - x0, y1 - y0)
        if (
            distance(step, par.NEXT_CARD_MM) > par.NEXT_CARD_USUAL_MM
            and distance(first.xy, second.xy) <= par.ARRIVAL_STEP_MM
        ):
            found[number] = step
    return found


def number_of(card: CardTrack) -> int:
    """Return the space that a card lay at first; 0 where there is none."""
    return int(card.place.partition(":")[2]) if card.place.startswith("space") else 0
