"""A wager of a tie that stays where it lies, and to which the player adds for the next round (99-01.3-08-11(12))."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from verifier.domain.events import AnyEvent, ChipsCollected, ChipsFanned, PayoffPlaced, PushTapped, WagerPlaced
from verifier.law.hands import hand_key
from verifier.law.rounds import Round


def riding(game: Round) -> dict[int, int]:
    """Cents of the original wagers that lay untouched on their spaces when a round with ties was over."""
    found: dict[int, int] = {}
    tied = {hand_key(e.at) for e in game.of(PushTapped)}
    for hand in game.hands if tied else ():
        stake = hand.stakes.get("original")
        if stake is None or hand.split or hand.key not in tied or not stake.amount.exact:
            continue
        paid = any(e.kind == "original" for e in game.at(PayoffPlaced, hand.key))
        taken = any(e.kind == "original" for e in game.at(ChipsCollected, hand.key))
        if not (paid or taken or stake.returned):
            found[hand.key[0]] = stake.amount.low
    return found


def with_riding(members: Sequence[AnyEvent], rides: dict[int, int]) -> Sequence[AnyEvent]:
    """Return a round's records. A wager that was added to one of the round before counts with it, where its fan or its
    collection showed the sum of both. Else the player had taken the other back.
    """
    for space, lay in rides.items():
        placed = [
            e for e in members if isinstance(e, WagerPlaced) and e.kind == "original" and hand_key(e.at) == (space, 0)
        ]
        if len(placed) != 1 or placed[0].cents is None or placed[0].lower_bound:
            continue
        whole = placed[0].cents + lay
        if any(_counted(e, space) == whole for e in members):
            added = msgspec.structs.replace(placed[0], cents=whole, chips=None)
            members = [added if e is placed[0] else e for e in members]
    return members


def _counted(event: AnyEvent, space: int) -> int | None:
    """Return what a record tells that the original wager of a space was worth at its settlement."""
    if not isinstance(event, ChipsFanned | ChipsCollected) or hand_key(event.at) != (space, 0):
        return None
    if isinstance(event, ChipsFanned) and event.owner != "wager":
        return None
    return event.cents if event.kind in (None, "original") else None
