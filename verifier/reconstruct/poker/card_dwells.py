"""Where each card of a poker table lay, from when to when, and what its face read."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct, structs

from verifier.domain.events import CardDealt
from verifier.domain.events.base import Face
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import more_of, presence
from verifier.reconstruct.resting.cardface import posterior, suit_of
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.scene import event
from verifier.reconstruct.table.detections import CardDetection
from verifier.reconstruct.table.zones import TableMap, Xy, distance

Looks = Sequence[tuple[float, CardDetection]]
_when = itemgetter(0)


class CardDwell(Struct, frozen=True, kw_only=True):
    """A card that lay at one place (`seat:3`, `board`, `burns`, `muck`).

    `rest` is when it was first seen there and `early` when it may have come at the soonest; `until` is the last look
    that shows it there, `gone` when its place was seen bare (infinite while it lies). `up` is when its face began to
    show for good, `faced` whether it showed its face as it came. `text` is the card, `??` where no face was read;
    `ranks` is how probable each rank is, where none is told.
    `came` is what the face read before a back showed there, from `back` on: the same card, turned over, or another one.
    `taken`: it was taken to the burned cards. `several`: it may be more cards than one, so that it has no reading.
    """

    place: str
    xy: Xy
    rest: float
    early: float
    until: float
    gone: float
    up: float | None
    faced: bool
    text: str
    rank_p: float
    p: float
    came: str = "??"
    back: float | None = None
    taken: bool = False
    several: bool = False
    ranks: Mapping[str, float] = {}

    @property
    def ended(self) -> bool:
        return math.isfinite(self.gone)


def unseen_at(place: str, until: float) -> CardDwell:
    """Return a card that no look shows: it came until then, if there is one."""
    return CardDwell(
        place=place,
        xy=(math.nan, math.nan),
        rest=until,
        early=-math.inf,
        until=until,
        gone=math.inf,
        up=None,
        faced=False,
        text="??",
        rank_p=0.0,
        p=par.POKER_UNSEEN_CARD_P,
    )


def unseen_card(place: str, begin: float, end: float, face: Face = "down") -> CardDealt:
    """Return a weak record of a card that no look shows: it may lie under another."""
    return event(CardDealt, begin, end, par.POKER_UNSEEN_CARD_P, card="??", to=place, face=face, seq=None)


def card_dwells_of(
    tracks: Iterable[Track[CardDetection]], table: TableMap, hands: HandLog, glimpses: Sequence[tuple[float, Xy]] = ()
) -> list[CardDwell]:
    """Return the dwells of all cards at places of play, in order of coming; what is no card is left out.

    What showed at a card's spot a moment before it was seen to lie there (`glimpses`: times and places) may have been
    that card, lost from sight.
    """
    found = [card_dwell for track in tracks if track.settled for card_dwell in _card_dwells(track, table, hands)]
    glimpsed = sorted((with_glimpse(one, glimpses, hands) for one in found), key=lambda card_dwell: card_dwell.rest)
    return after_others(glimpsed)


def after_others(card_dwells: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the dwells (in order of coming): where another lay on a spot, a card did not come before that one's last
    look. What was glimpsed there until then was that one.
    """
    found: list[CardDwell] = []
    for one in card_dwells:
        before = (other.until for other in found if _on_one_spot(other, one) and other.until <= one.rest)
        found.append(structs.replace(one, early=max([one.early, *before])))
    return found


def _on_one_spot(one: CardDwell, other: CardDwell) -> bool:
    return one.place == other.place and distance(one.xy, other.xy) <= par.POKER_SAME_CARD_MM


def with_glimpse(card_dwell: CardDwell, glimpses: Iterable[tuple[float, Xy]], hands: HandLog) -> CardDwell:
    """Return a dwell that may have begun before something was first glimpsed at its spot (time, place).

    The glimpses follow each other, and the dwell, without a long pause. The fewer they are, the longer none may have
    shown before them.
    """
    rest = since = card_dwell.rest
    count = 0
    spot = (t for t, xy in glimpses if t < rest and distance(xy, card_dwell.xy) <= par.POKER_SAME_CARD_MM)
    for t in sorted(spot, reverse=True):
        if since - t > par.POKER_GLIMPSE_S:
            break
        since, count = t, count + 1
    if not count:
        return card_dwell
    frames = max(count, hands.frames(since, rest) - 1)
    early = hands.searched(card_dwell.xy, since, _misses(count / frames, frames))
    return structs.replace(card_dwell, early=min(card_dwell.early, early))


def _card_dwells(track: Track[CardDetection], table: TableMap, hands: HandLog) -> Iterable[CardDwell]:
    trail = list(track.trail)
    end = math.inf if track.gone is None else track.gone
    spans: list[tuple[str, Xy, float, float]] = []
    for dwell, until in zip(track.dwells, [*(later.t0 for later in track.dwells[1:]), end], strict=True):
        place = table.card_place(dwell.xy)
        if spans and spans[-1][0] == place:
            spans[-1] = (*spans[-1][:3], until)
        elif place is not None:
            spans.append((place, dwell.xy, dwell.t0, until))
    for place, xy, start, until in spans:
        looks = trail[bisect_left(trail, start, key=_when) : bisect_right(trail, until, key=_when)]
        if not looks or place == "dealer":
            continue
        bare = hands.bare(xy, looks[0][0], looks[-1][0])
        *parts, last = _parted(looks, bare)
        ends = [later[0][0] for later in (*parts, last)][1:]
        cards = [*((part[-1][1].xy, part, gone) for part, gone in zip(parts, ends, strict=True)), (xy, last, until)]
        found = (_card_dwell(place, at, part, gone, bare, hands) for at, part, gone in cards)
        yield from (one for one in found if one is not None)


def _card_dwell(
    place: str, xy: Xy, looks: Looks, gone: float, bare: Sequence[float], hands: HandLog
) -> CardDwell | None:
    """Return what these looks show; `bare` is when no hand was near."""
    rest, until = looks[0][0], looks[-1][0]
    first = [t for t, _ in looks if t <= rest + par.POKER_PRINT_S]
    frames = max(1, hands.frames(rest, min(until, rest + par.POKER_PRINT_S)))
    share = min(1.0, len(first) / frames)
    ups = [detection for _, detection in looks if detection.face == "up"]
    up = _shown_since(looks)
    faced = bool(ups) and [d.face for _, d in looks[: par.POKER_CARD_LOOKS]].count("up") * 2 > par.POKER_CARD_LOOKS
    least = par.POKER_BURN_S if place == "burns" else par.POKER_CARD_S
    face = faced or up is not None
    lasted = par.POKER_FACE_S if face else least
    if len(looks) < par.POKER_CARD_LOOKS or until - rest < lasted or (not face and share < par.POKER_PRINT_SHARE):
        return None
    sure = True if face else _surely_seen(looks, bare)
    if sure is None:
        return None
    shown = [detection for t, detection in looks if detection.face == "up" and (up is None or t >= up)]
    several = more_of(shown or ups) >= par.SEVERAL_MORE_P
    read = _read(shown or ups) if face and not several else _Reading()
    back = _turned_down(looks) if faced else None
    mean = sum(detection.p for _, detection in looks) / len(looks)
    return CardDwell(
        place=place,
        xy=xy,
        rest=rest,
        early=hands.searched(xy, rest, _misses(share, frames)),
        until=until,
        gone=gone,
        up=rest if faced and up is None else up,
        faced=faced,
        text=read.text,
        rank_p=read.rank_p,
        ranks=read.ranks,
        p=presence(mean, len(looks)) if sure else par.POKER_UNSEEN_CARD_P,
        came=_read([d for t, d in looks if d.face == "up" and t < back]).text if back is not None else "??",
        back=back,
        several=several,
    )


def _surely_seen(looks: Looks, bare: Sequence[float]) -> bool | None:
    """Tell whether enough looks show a back while no hand is near; None where it is a hand that passes for one: no look
    shows it while its place is bare.
    """
    shows = len({t for t, _ in looks} & set(bare))
    if not shows and _missed(looks[0][0], looks[-1][0], bare) >= par.POKER_CARD_LOOKS:
        return None
    return shows >= par.POKER_CARD_LOOKS


class _Reading(NamedTuple):
    """What a face shows: the card, how probable its rank is, and where that is not told, how probable each one is."""

    text: str = "??"
    rank_p: float = 0.0
    ranks: Mapping[str, float] = {}


def _read(ups: Sequence[CardDetection]) -> _Reading:
    """Return what faces show."""
    ranks = posterior(ups)
    rank = max(ranks, key=ranks.__getitem__, default=None)
    rank_p = ranks[rank] if rank is not None else 0.0
    suit = (suit_of(ups) if ranks else None) or "?"
    if rank is not None and rank_p >= par.POKER_READ_P:
        return _Reading(rank + suit, rank_p)
    return _Reading("?" + suit, rank_p, {one: p for one, p in ranks.items() if p >= 1.0 - par.POKER_READ_P})


def _turned_down(looks: Looks) -> float | None:
    """Return since when a card that showed its face shows its back."""
    face = False
    for t, detection in looks:
        face = face or detection.face == "up"
        if face and detection.face == "down" and detection.p >= par.BACK_AGAIN_P:
            return t
    return None


def taken_away(card_dwells: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the dwells, with each card that was taken to the burned cards parted from the one that came in its place.

    A face that showed at a seat and then lies at the burned cards is one card; a back that shows at the seat after that
    is another.
    """
    burned = [one for one in card_dwells if one.place == "burns" and (one.faced or one.up is not None)]
    found: list[CardDwell] = []
    for one in card_dwells:
        taken = next((burn for burn in burned if one.place.startswith("seat") and _is_taken(one, burn)), None)
        if taken is None or one.back is None:
            found.append(one)
            continue
        left = max(one.rest, taken.early - par.TWO_LOOKS_S)
        found.append(
            structs.replace(one, until=left, gone=taken.rest, up=None, text=one.came, ranks={}, back=None, taken=True)
        )
        up = one.up if one.up is not None and one.up > one.back else None
        early = max(taken.rest, one.back - par.POKER_GLIMPSE_S)
        again = structs.replace(one, rest=one.back, early=early, faced=False, up=up, came="??", back=None)
        found.append(again if up is not None else structs.replace(again, text="??", rank_p=0.0, ranks={}))
    return sorted(found, key=lambda card_dwell: card_dwell.rest)


def _is_taken(card: CardDwell, burn: CardDwell) -> bool:
    """Tell whether a card that lay face up at a seat is the one that came to the burned cards."""
    between = card.back is not None and card.rest < burn.rest < card.back + par.POKER_TAKEN_S
    return between and (card.came[0] == burn.text[0] or "?" in (card.came[0], burn.text[0]))


def _misses(share: float, frames: int) -> int:
    """Return how many looks in a row may miss a card that a share of so many frames shows: more are less likely than
    `LOST_CHANCE_P`.
    """
    missed = (1.0 - share) * frames + 1.0
    return int(math.log(par.LOST_CHANCE_P) / math.log(missed / (frames + 2.0)))


def _parted(looks: Looks, bare: Sequence[float]) -> list[Looks]:
    """Return the looks at a spot in the parts that show a card each: what shows only while a hand is near is the hand.

    Between two of them nothing showed in more looks (`bare`: when no hand was near) than miss a card that is seen as
    often as this one.
    """
    seen = set(bare)
    shown = [t for t, _ in looks if t in seen]
    if not shown:
        return [looks]
    frames = bisect_right(bare, shown[-1]) - bisect_left(bare, shown[0])
    most = _misses(min(1.0, len(set(shown)) / frames), frames)
    starts = [i for i in range(1, len(looks)) if _missed(looks[i - 1][0], looks[i][0], bare) > most]
    parts = [looks[start:end] for start, end in pairwise([0, *starts, len(looks)])]
    return [part for part in parts if any(t in seen for t, _ in part)]


def _missed(t0: float, t1: float, times: Sequence[float]) -> int:
    """Return how many of the times lie between two others."""
    return max(0, bisect_left(times, t1) - bisect_right(times, t0))


def _shown_since(looks: Looks) -> float | None:
    """Since when a card shows its face for good; None where it shows its back in the end."""
    since = None
    for t, detection in looks:
        if detection.face == "up":
            since = t if since is None else since
        elif detection.p >= par.BACK_AGAIN_P:
            since = None
    return since if since is not None and looks[-1][0] - since >= par.POKER_UP_S else None


def joined(card_dwells: Sequence[CardDwell], *, moving: bool = False, went: Sequence[float] = ()) -> list[CardDwell]:
    """Return the cards of one place: dwells that follow each other on one spot are of one card.

    `moving`: so are those that begin as another ends, elsewhere at the same seat, unless that one shows again where it
    lay: the player pushed the cards. Where no card came to the muck or the burned cards (`went`: when cards did) as
    one was lost from sight, it was not taken: what shows there later is that one.
    """
    cards: list[CardDwell] = []
    for card_dwell in card_dwells:
        before = [
            index
            for index, card in enumerate(cards)
            if _follows(card, card_dwell, moving=moving and not _shows_again(card, card_dwell, card_dwells))
            or (moving and _was_hidden(card, card_dwell, went))
        ]
        if before:
            index = min(before, key=lambda i: distance(cards[i].xy, card_dwell.xy))
            cards[index] = one_card(cards[index], card_dwell)
        else:
            cards.append(card_dwell)
    return cards


def _shows_again(card: CardDwell, moved: CardDwell, card_dwells: Sequence[CardDwell]) -> bool:
    """Tell whether a card shows where one lay, after that one is held to have been moved."""
    return any(
        _on_one_spot(card, later) and not _on_one_spot(moved, later) for later in card_dwells if later.rest > moved.rest
    )


def _was_hidden(card: CardDwell, later: CardDwell, went: Sequence[float]) -> bool:
    """Tell whether a card was not taken, only lost from sight, before what shows on its spot later."""
    taken = card.taken or any(abs(t - card.until) <= par.POKER_TAKEN_S for t in went)
    return not taken and card.until <= later.rest and _on_one_spot(card, later) and not _is_another(card, later)


def _follows(card: CardDwell, card_dwell: CardDwell, *, moving: bool) -> bool:
    near = distance(card.xy, card_dwell.xy) <= par.POKER_SAME_CARD_MM
    most = par.POKER_CARD_S if near else 0.0  # for so long one card may show in two tracks
    both = min(card.until, card_dwell.until) - card_dwell.rest
    if card.taken or both > most or _is_another(card, card_dwell):
        return False
    soon = card_dwell.rest - card.until <= par.POKER_MOVED_S
    turned = card_dwell.faced and not card.faced  # a face that comes where a back went is another card
    remains = near and (soon or not card.ended or card_dwell.rest <= card.gone + par.POKER_MOVED_S)
    return remains or (moving and soon and not turned)


def _is_another(card: CardDwell, later: CardDwell) -> bool:
    """Tell whether a card came in the place of one that lay face up: it shows its back, and no face or another one."""
    return card.faced and "?" not in card.text and not later.faced and (later.up is None or _differ(card, later))


def _differ(card: CardDwell, later: CardDwell) -> bool:
    """Tell whether two faces read differently, in what was read of both."""
    return any("?" not in pair and pair[0] != pair[1] for pair in zip(card.text, later.text, strict=True))


def one_card(card: CardDwell, later: CardDwell) -> CardDwell:
    """Return two dwells of one card as one."""
    last = max((card, later), key=lambda card_dwell: card_dwell.until)
    known = max((card, later), key=lambda card_dwell: card_dwell.rank_p)
    several = card.several or later.several
    up = later.up if later.up is not None else (card.up if later.text != "??" else None)
    return structs.replace(
        card,
        xy=last.xy,
        until=last.until,
        gone=last.gone,
        up=card.up if card.up is not None and up is not None else up,
        text="??" if several else known.text,
        rank_p=0.0 if several else known.rank_p,
        ranks={} if several else known.ranks,
        p=max(card.p, later.p),
        several=several,
    )


def without_doubles(cards: Sequence[CardDwell]) -> dict[int, str]:
    """Return what is told of each card, by its index: of two that read alike the less sure one's rank is not told.

    One deck holds a card once; that a reader errs is far likelier than that a deck has two.
    """
    told: dict[int, str] = {}
    taken: set[str] = set()
    for index in sorted(range(len(cards)), key=lambda i: -cards[i].rank_p):
        text = cards[index].text
        told[index] = "?" + text[1] if "?" not in text and text in taken else text
        taken.add(text)
    return told
