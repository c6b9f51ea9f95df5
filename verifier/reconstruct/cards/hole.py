"""The dealer's hole card where its back was seen badly or not at all: a card turned in place had lain there.

A back on a busy felt is the hardest thing to detect. But cards do not come by themselves: a dealer's second card that
shows its face without a hand having been at the shoe was dealt before, face down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, permutations
from statistics import median

import msgspec

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack, unseen_between
from verifier.reconstruct.table.zones import TableMap, Xy, distance


def with_hole_card(
    cards: Sequence[CardTrack],
    backs: Sequence[tuple[float, Xy]],
    hands: HandLog,
    table: TableMap,
    *,
    dealt_down: bool = True,
) -> list[CardTrack]:
    """Return the card tracks, where the dealer's second one begins with its back; `backs` are looks at backs (t, mm).

    `dealt_down` is False at a house whose dealers draw their second card after the players: there a back must be seen.
    Where a back was seen to be turned that was the hole card: another card beside it was drawn, at whichever side.
    """
    cards = _brought_back(cards, hands, table)
    dealer = [card for card in cards if card.place == "dealer"]
    up = _turned_first(dealer) or next((card for card in dealer if card.face == "up"), None)
    if up is None:
        return list(cards)
    for face in dealer:
        lain = [
            c
            for c in dealer
            if c.face == "down" and distance(c.xy, face.xy) <= par.HOLE_SPOT_MM and c.t_rest < face.t_rest
        ]
        if face is up or face.face != "up" or any(card.turned for card in lain):
            continue
        if not lain and any(card.face == "down" and card.turned for card in dealer):
            continue
        unseen = dealt_down and not hands.known and _lay_unseen(cards, up, face)
        if not unseen and not (_beside(up, face) and (lain or not _drawn(cards, hands, table, face.t_rest))):
            continue
        seen = [t for t, xy in backs if up.t_rest < t < face.t_rest and distance(xy, face.xy) <= par.HOLE_SPOT_MM]
        first = min([card.t_rest for card in lain], default=_dealt(cards, up, face, seen))
        if first is None or not (dealt_down or lain or seen):
            continue
        last = max([t for t in seen if t >= first], default=max(first, face.t_rest - 0.5))
        hole = _turned(face, first, last, max([card.p for card in lain], default=par.HOLE_UNSEEN_P))
        if not lain:
            hole = msgspec.structs.replace(hole, unseen=unseen_between([first, *seen, face.t_first]))
        kept = sorted([hole, *(c for c in cards if c is not face and c not in lain)], key=lambda card: card.t_rest)
        return _seen_late(kept, up, backs, hands, table)
    return _seen_late(cards, up, backs, hands, table)


def _turned_first(dealer: Sequence[CardTrack]) -> CardTrack | None:
    """Return the dealer's first card where it was dealt down and turned: the faceup card of a house that deals both
    down.
    """
    first = min(dealer, key=lambda card: card.t_rest, default=None)
    return first if first is not None and first.face == "down" and first.turned is not None else None


def _brought_back(cards: Sequence[CardTrack], hands: HandLog, table: TableMap) -> list[CardTrack]:
    """Return the card tracks; a dealer's back that was taken up and a back laid at its place that no hand drew are one.

    So a hole card comes back from the reader.
    """
    backs = [card for card in cards if card.place == "dealer" and card.face == "down"]
    for before, after in permutations(backs, 2):
        away = before.gone is not None and before.gone <= after.t_first and before.turned is None
        back = distance(before.at(math.inf), after.xy) <= par.HOLE_SPOT_MM
        if away and back and not _drawn(cards, hands, table, after.t_rest):
            whole = msgspec.structs.replace(
                after,
                number=before.number,
                dwells=(*before.dwells, *after.dwells),
                t_first=before.t_first,
                p=max(before.p, after.p),
                n=before.n + after.n,
                steady=max(before.steady, after.steady),
                unseen=(*before.unseen, (before.t_last, after.t_first), *after.unseen),
            )
            return [whole if card is before else card for card in cards if card is not after]
    return list(cards)


def _lay_unseen(cards: Sequence[CardTrack], up: CardTrack, face: CardTrack) -> bool:
    """Tell whether a dealer's second card came long after the deal, at its pace: told by cards alone, its back was not
    seen.

    A house that draws the second card after the players says so; else the card is taken for one that had lain there.
    """
    dealer = sorted(card.t_rest for card in cards if card.place == "dealer")
    dealt_by = _slot(cards, up) - par.DEALT_S
    dealt = sorted(card.t_rest for card in cards if card.place and card.t_rest <= dealt_by)
    pace = median(b - a for a, b in pairwise(dealt)) if len(dealt) > 1 else 0.0
    return dealer[1] == face.t_rest > dealt_by + max(par.HOLE_LATE_S, par.DEAL_PAUSE_STEPS * pace)


def _seen_late(
    cards: Sequence[CardTrack], up: CardTrack, backs: Sequence[tuple[float, Xy]], hands: HandLog, table: TableMap
) -> list[CardTrack]:
    """Return the card tracks; a back that was first seen to rest long after the deal had lain there, where no draw came
    before it or single looks had shown it.
    """
    slot = _slot(cards, up)
    result = []
    for card in cards:
        late = card.place == "dealer" and card.face == "down" and card.t_rest > slot + par.HOLE_LATE_S
        glimpsed = any(slot < t < card.t_first and distance(xy, card.xy) <= par.HOLE_SPOT_MM for t, xy in backs)
        if late and _beside(up, card) and (glimpsed or not _drawn(cards, hands, table, card.t_rest)):
            (xy, _, t1), *rest = card.dwells
            card = msgspec.structs.replace(
                card,
                dwells=((xy, slot, t1), *rest),
                t_first=slot,
                p=min(card.p, par.HOLE_UNSEEN_P),
                unseen=((slot, card.t_first), *card.unseen),
            )
        result.append(card)
    return sorted(result, key=lambda card: card.t_rest)


def _beside(up: CardTrack, face: CardTrack) -> bool:
    dx, dy = face.xy[0] - up.xy[0], face.xy[1] - up.xy[1]
    return par.HOLE_BESIDE_MM[0] <= abs(dx) <= par.HOLE_BESIDE_MM[1] and abs(dy) <= par.HOLE_SPOT_MM


def _drawn(cards: Sequence[CardTrack], hands: HandLog, table: TableMap, t: float) -> bool:
    """Tell whether a card that came to rest at `t` came from the shoe, or may have: no hands are known.

    A hand that was at the shoe before another card came to rest drew that one.
    """
    earlier = max((card.t_rest for card in cards if card.t_rest < t), default=0.0)
    near = list(hands.between(t - par.HOLE_DRAWN_S[0], t - par.HOLE_DRAWN_S[1], "dealer"))
    at_shoe = [hand.t for hand in near if table.near(hand.tip, "shoe", par.HOLE_SHOE_MM)]
    return not near or "shoe" not in table.zones or any(visit > earlier + par.HOLE_LEAVING_S for visit in at_shoe)


def _dealt(cards: Sequence[CardTrack], up: CardTrack, face: CardTrack, seen: Sequence[float]) -> float | None:
    """When the back was laid: its first detection, else after the last of the players' first two cards; None: no
    room.
    """
    slot = _slot(cards, up)
    first = min([slot, *(t for t in seen if t > slot - 2 * par.DEALT_S)])
    return first if first < face.t_rest - 0.5 else None


def _slot(cards: Sequence[CardTrack], up: CardTrack) -> float:
    """When a hole card is dealt: after the last of the players' first two cards."""
    counts: dict[str, int] = {}
    second = []
    for card in sorted(cards, key=lambda card: card.t_rest):
        counts[card.place] = counts.get(card.place, 0) + 1
        if card.place.startswith("space") and counts[card.place] == 2:
            second.append(card.t_rest)
    return max([up.t_rest, *second]) + par.DEALT_S


def _turned(face: CardTrack, first: float, last: float, p: float) -> CardTrack:
    (xy, _, t1), *rest = face.dwells
    return msgspec.structs.replace(
        face, face="down", turned=(last, face.t_rest), dwells=((xy, first, t1), *rest), t_first=first, p=p
    )
