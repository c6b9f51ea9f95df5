"""How the split hands of a space lie, from the dealer's left to the right (99-01.3-08-09(2)(c), 11(3)(a))."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.law.hands import HandKey
from verifier.law.rounds import Round


def order_unknown(game: Round, space: int) -> bool:
    """Tell whether a further split of another than the last hand took the next free number: where it lies is not
    told.
    """
    last = 0
    for _, old, new, _ in game.folded.splits:
        if old[0] == space:
            if old[1] < last < new[1]:
                return True
            last += 1
    return False


def right_to_left(game: Round, keys: Sequence[HandKey]) -> bool | None:
    """Tell whether hands are named from the dealer's right to the left.

    None where they are so only as they lie if each further split's new hand lies at the right of the one it was split
    off, whatever its number.
    """
    if list(keys) == sorted(keys, reverse=True):
        return True
    lying = [as_split_off(game, key) for key in keys]
    return None if lying == sorted(lying, reverse=True) else False


def as_split_off(game: Round, key: HandKey) -> HandKey:
    """Space and place of a hand from the dealer's left, a new hand lying at the right of the one it was split off.

    The same as the hand's key but where `order_unknown`.
    """
    if not order_unknown(game, key[0]):
        return key
    row = [0]
    for _, old, new, _ in game.folded.splits:
        if old[0] == key[0] and old[1] in row and new[1] not in row:
            row.insert(row.index(old[1]) + 1, new[1])
    return key[0], row.index(key[1]) if key[1] in row else key[1]
