"""The dealer's cards that were dealt face down and whose backs were seen badly or not at all.

A back on a busy felt is the hardest thing to detect. But cards do not come by themselves: a card of the dealer's that
shows its face without a hand having been at the shoe was dealt before, face down, and a back that shows so lay there.
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
    both_down: bool = False,
) -> list[CardTrack]:
    """Return the card tracks, where what the dealer was dealt face down begins with its back.

    `backs` are looks at backs (t, mm). `dealt_down` is False at a house whose dealers draw their second card after the
    players: there a back must be seen. `both_down` is True at one that deals both of them face down.
    """
    cards = _brought_back(cards, hands, table)
    for _ in range(2 if both_down else 1):
        cards = _with_back(cards, backs, hands, table, dealt_down=dealt_down, both_down=both_down)
    return _seen_late(cards, backs, hands, table, both_down=both_down)


def _with_back(
    cards: Sequence[CardTrack],
    backs: Sequence[tuple[float, Xy]],
    hands: HandLog,
    table: TableMap,
    *,
    dealt_down: bool,
    both_down: bool,
) -> list[CardTrack]:
    """Return the card tracks; the first face that had lain there face down begins with its back.

    Where all the backs that are dealt were seen another card beside them was drawn, at whichever side.
    """
    dealer = [card for card in cards if card.place == "dealer"]
    up = None if both_down else next((card for card in dealer if card.face == "up"), None)
    if up is None and not both_down:
        return list(cards)
    down = sum(card.face == "down" for card in dealer) == 2 if both_down else any(card.turned for card in dealer)
    for face in dealer:
        if face is up or face.face != "up":
            continue
        lain = [card for card in dealer if card.face == "down" and card.t_rest < face.t_rest and _at(card.xy, face)]
        if any(card.turned for card in lain) or (down and not lain):
            continue
        unseen = up is not None and dealt_down and not hands.known and _lay_unseen(cards, up, face)
        beside = up is None or _beside(up, face)
        if not unseen and not (beside and (lain or not _drawn(cards, hands, table, face.t_rest))):
            continue
        slot = _slot(cards, _turn_of(face, cards) if both_down else 2)
        seen = [t for t, xy in backs if (up is None or up.t_rest < t) and t < face.t_rest and _at(xy, face)]
        first = min([card.t_rest for card in lain], default=_dealt(slot, face, seen))
        if first is None or not (dealt_down or lain or seen):
            continue
        last = max([t for t in seen if t >= first], default=max(first, face.t_rest - 0.5))
        hole = _turned(face, first, last, max([card.p for card in lain], default=par.HOLE_UNSEEN_P))
        if not lain:
            hole = msgspec.structs.replace(hole, unseen=unseen_between([first, *seen, face.t_first]))
        return sorted([hole, *(c for c in cards if c is not face and c not in lain)], key=lambda card: card.t_rest)
    return list(cards)


def _at(xy: Xy, face: CardTrack) -> bool:
    return distance(xy, face.xy) <= par.HOLE_SPOT_MM


def _turn_of(face: CardTrack, cards: Sequence[CardTrack]) -> int:
    """Return whether a dealer's card is the first or the second: the first, unless another lay as hands got their
    second cards.
    """
    players_second = _slot([card for card in cards if card.place != "dealer"], 2) - par.DEALT_S
    others = (card for card in cards if card.place == "dealer" and card is not face)
    return 2 if any(card.t_rest <= players_second for card in others) else 1


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
    dealt_by = _slot(cards, 2) - par.DEALT_S
    return dealer[1] == face.t_rest > dealt_by + max(par.HOLE_LATE_S, par.DEAL_PAUSE_STEPS * _pace(cards))


def _seen_late(
    cards: Sequence[CardTrack], backs: Sequence[tuple[float, Xy]], hands: HandLog, table: TableMap, *, both_down: bool
) -> list[CardTrack]:
    """Return the card tracks; a dealer's back that was not dealt when it was first seen had lain there since its turn.

    It was not where it shows long after the deal, without a draw or where single looks had shown it before, or between
    two cards that followed each other at the deal's pace.
    """
    result, over = list(cards), _slot(cards, 2)
    for card in (card for card in cards if card.place == "dealer"):
        slot = _slot(cards, _turn_of(card, cards) if both_down else 2)
        glimpsed = any(over < t < card.t_first and _at(xy, card) for t, xy in backs)
        drawn = not glimpsed and _drawn(cards, hands, table, card.t_rest)
        late = card.t_rest > over + par.HOLE_LATE_S and not drawn
        if card.face == "down" and (late or _amid_the_deal(card, cards, slot)):
            (xy, _, t1), *rest = card.dwells
            result[result.index(card)] = msgspec.structs.replace(
                card,
                dwells=((xy, slot, t1), *rest),
                t_first=slot,
                p=min(card.p, par.HOLE_UNSEEN_P),
                unseen=((slot, card.t_first), *card.unseen),
            )
    return sorted(result, key=lambda card: card.t_rest)


def _amid_the_deal(card: CardTrack, cards: Sequence[CardTrack], slot: float) -> bool:
    """Tell whether a card shows, after its turn, between two that left no time to deal it between them."""
    others = [other for other in cards if other is not card]
    before = max((other.t_rest for other in others if other.t_rest <= card.t_rest), default=-math.inf)
    after = min((other.t_rest for other in others if other.t_rest > card.t_rest), default=math.inf)
    players = [other for other in others if other.place != "dealer"]
    return slot < before and after - before < par.DEAL_PAUSE_STEPS * _pace(players)


def _pace(cards: Sequence[CardTrack]) -> float:
    """Return the median time between two cards of the deal; 0 where there are none."""
    dealt = sorted(card.t_rest for card in cards if card.place and card.t_rest <= _slot(cards, 2) - par.DEALT_S)
    return median(b - a for a, b in pairwise(dealt)) if len(dealt) > 1 else 0.0


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


def _dealt(slot: float, face: CardTrack, seen: Sequence[float]) -> float | None:
    """When the back was laid: its first detection, else at its turn, `slot`; None: no room."""
    first = min([slot, *(t for t in seen if t > slot - 2 * par.DEALT_S)])
    return first if first < face.t_rest - 0.5 else None


def _slot(cards: Sequence[CardTrack], turn: int) -> float:
    """When the dealer's first or second card is dealt: after the last of the players' first, or second; infinite
    where they have none."""
    counts: dict[str, int] = {}
    last = []
    for card in sorted(cards, key=lambda card: card.t_rest):
        counts[card.place] = counts.get(card.place, 0) + 1
        players = card.place.startswith("space") and counts[card.place] == turn
        if players or (card.place == "dealer" and counts[card.place] < turn):
            last.append(card.t_rest)
    return max(last, default=math.inf) + par.DEALT_S


def _turned(face: CardTrack, first: float, last: float, p: float) -> CardTrack:
    (xy, _, t1), *rest = face.dwells
    return msgspec.structs.replace(
        face, face="down", turned=(last, face.t_rest), dwells=((xy, first, t1), *rest), t_first=first, p=p
    )
