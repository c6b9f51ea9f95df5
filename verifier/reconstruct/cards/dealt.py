"""Events of a round's cards: dealt, turned, split, and collected in order."""

from __future__ import annotations

from collections.abc import Sequence, Set

from verifier.domain.events import CardDealt, CardReplaced, CardRevealed, CardsCollected, CardsMoved
from verifier.domain.places import Place
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.overlap import overlap
from verifier.reconstruct.dealt_hands import Dealing, Layout
from verifier.reconstruct.hands.hands import agreed_side
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.cardmoves import boxed, crosswise
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.positions import UNSEEN, Found, at_right, side_by_side
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import Xy, distance


def dealt_events(scene: RoundScene, layout: Layout) -> Drafts:
    """`card_dealt`, `card_revealed`, `card_replaced` and `cards_moved` of a round."""
    drafts: Drafts = [_dealt(scene, layout, dealing) for dealing in layout.dealings]
    for dealing in layout.dealings:
        card = dealing.card
        if card.several:
            drafts.append(_one_more(card, dealing.place))
        if card.turned is not None:
            t0, t1 = _turned(scene, card.at(card.turned[1]), *card.turned)
            drafts.append(
                event(
                    CardRevealed,
                    t0,
                    t1,
                    card.p_rank,
                    card=card.text,
                    at=dealing.place,
                    how="turned",
                    ranks=card.ranks or None,
                )
            )
        drafts += replaced_events(dealing)
    for one in layout.splits:
        spot = scene.table.spaces.get(Place.parse(one.source).number)
        where = side_by_side(spot, *one.pair) if spot is not None else UNSEEN
        drafts.append(
            event(
                CardsMoved,
                one.t0,
                one.t1,
                par.SURELY_SEEN_P,
                kind="split",
                from_=one.source,
                to=one.target,
                **where.fields,
            )
        )
    return drafts


def replaced_events(dealing: Dealing) -> Drafts:
    """Return that another card came into a card's place; weak where something else may explain the other reading."""
    card, change = dealing.card, dealing.card.replaced
    if change is None:
        return []
    split = dealing.hand.split_at
    at = dealing.place if split is None or change.t1 < split else dealing.hand.place
    p = change.p * card.p
    return [
        event(
            CardReplaced,
            change.t0,
            change.t1,
            p if change.settled else min(p, par.WEAK_P),
            at=at,
            card_before=card.text,
            card_after=change.text,
            ranks_before=change.ranks_before or None,
            ranks_after=change.ranks or None,
        )
    ]


def _one_more(card: CardTrack, place: str) -> CardDealt:
    """Return a weak record of a further card where several cards lie that were found as one."""
    t0, t1 = card.t_rest - par.CARD_DRAW_S, card.t_rest
    return event(CardDealt, t0, t1, par.WEAK_P, card="??", to=place, face="up", seq=None, occluded=True)


def _turned(scene: RoundScene, xy: Xy, back: float, face: float) -> tuple[float, float]:
    """When a card was turned whose back was last seen at `back`: right before its face showed, or since a hand hid it.

    Backs are seen badly, faces well. Nobody knows when it was where nobody looked, only that it was after `back`.
    """
    at = [hand.t for hand in scene.hands.between(back, face, "dealer") if hand.over(xy, par.CARD_TURNING_MM)]
    visits = [run[0] for run in runs_of(at, par.HAND_MISSED_S) if face - run[1] <= par.HAND_MISSED_S]
    if scene.hands.blind(back, face) is not None:
        return back, face
    return max(back - par.THREE_LOOKS_S, min([face - par.CARD_TURN_S, *visits])), face


def _dealt(scene: RoundScene, layout: Layout, dealing: Dealing) -> CardDealt:
    card, first = dealing.card, dealing.hand.cards[0]
    seen_coming = scene.begun or card.t_rest > scene.start + par.DEALT_COMING_S
    up = card.face == "up"
    angle = None
    before = dealing.before if card.laid else None
    if before is not None and dealing.hand.number and not _either_way(card):
        angle = 90.0 if crosswise((first.angle, first.size), (card.angle, card.size)) else 0.0
    came = scene.hands.unwatched if card in dealing.hand.cards[:2] else scene.hands.unlooked
    gap = came(card.xy, card.t_first) if seen_coming else None
    t0, t1 = (card.t_rest - par.CARD_DRAW_S, card.t_rest) if gap is None else (max(gap[0], scene.since), gap[1])
    where = _drawn_to(dealing) if card.laid else UNSEEN
    left = scene.hands.left(card.xy, card.t_first) if gap is None and card in dealing.hand.cards[:2] else None
    return event(
        CardDealt,
        t0 if left is None else min(t0, left - par.CARD_DRAW_S),
        t1,
        card.p_rank if up else card.p,
        card=card.text if up else "??",
        to=dealing.place,
        face=card.face,
        seq=None,
        ranks=(card.ranks or None) if up else None,
        from_hand=None if gap else _drawn_with(scene, card, t0 - par.THREE_LOOKS_S, t1, _before(layout, card)),
        placed_hand=None if gap or not card.laid else _placed_with(scene, card, t1),
        angle=angle,
        angle_p=None if angle is None else round(first.angle_p * card.angle_p, 4),
        overlap=None if before is None else overlap(before, card, t1),
        position=where.position,
        position_p=where.p,
        occluded=not seen_coming,
        several=card.several,
    )


def _drawn_to(dealing: Dealing) -> Found:
    """Where the dealer's card lies after the first two; of the others the law names no place."""
    if dealing.hand.number:
        return UNSEEN
    numbers = [card.number for card in dealing.hand.cards]
    earlier = dealing.hand.cards[: numbers.index(dealing.card.number)] if dealing.card.number in numbers else []
    if len(earlier) < 2:
        return UNSEEN
    return at_right([card.at(dealing.card.t_rest) for card in earlier], dealing.card.at(dealing.card.t_rest))


def _either_way(card: CardTrack) -> bool:
    """Tell whether a card may lie upright or across in the box that it is given by: one as wide as high."""
    return boxed(card.angle, card.size) and card.size[1] < par.SQUARE_SHAPE * card.size[0]


def _placed_with(scene: RoundScene, card: CardTrack, t: float) -> str | None:
    return scene.hands.side_at([card.xy], t - par.PLACES_S[0], t + par.PLACES_S[1], par.PLACES_MM)


def _before(layout: Layout, card: CardTrack) -> CardTrack | None:
    """Return the card that had come to rest before this one."""
    earlier = (d.card for d in layout.dealings if d.card.t_rest < card.t_rest)
    return max(earlier, key=lambda other: other.t_rest, default=None)


def _drawn_with(scene: RoundScene, card: CardTrack, t0: float, t1: float, before: CardTrack | None) -> str | None:
    """Return the hand at the shoe before a card came; a side that another hand has at the same time tells nothing.

    Where one had left the shoe before the other came to it, the one before drew the card, the other is at the next. So
    is one that came too late to bring this card to its place by `t1`: then it was the hand that had come there too late
    for the card before, if the other was seen elsewhere meanwhile, or the one that was there all along.
    """
    hands = list(scene.hands.between(min(t0, t1 - par.DEALT_DRAWN_S), t1, "dealer"))
    doubles = {(a.t, a.side) for a in hands for b in hands if a is not b and (a.t, a.side) == (b.t, b.side)}
    near = [hand for hand in hands if scene.table.near(hand.tip, "shoe", par.DEALT_SHOE_MM)]
    at_shoe = [hand for hand in near if (hand.t, hand.side) not in doubles]
    in_time = [hand for hand in at_shoe if not _too_late(at_shoe, hand, card.xy, t1)]
    visits = {(hand.side, _came(at_shoe, hand)) for hand in in_time if hand.t >= t0}
    drawing = [hand for hand in in_time if (hand.side, _came(at_shoe, hand)) in visits]
    if not drawing:
        elsewhere = {hand.t for hand in hands if hand not in near}
        late = [h for h in in_time if before is None or _too_late(at_shoe, h, before.xy, before.t_rest)]
        own = [hand for hand in late if hand.t in elsewhere and _came(at_shoe, hand) == _came(at_shoe, late[-1])]
        drawing = own if late else in_time
    return agreed_side([hand.side for hand in drawing])


def _too_late(hands: Sequence[HandDetection], hand: HandDetection, xy: Xy, t: float) -> bool:
    """Tell whether a hand had come to the shoe too late to bring a card to `xy` by `t`."""
    return _came(hands, hand) > t - distance(hand.tip, xy) / par.FASTEST_MM_S


def _came(hands: Sequence[HandDetection], hand: HandDetection) -> float:
    """When a hand came to where it is at one of these detections."""
    runs = runs_of([other.t for other in hands if other.side == hand.side and other.t <= hand.t], par.DEALT_AWAY_S)
    return runs[-1][0]


def collected_events(scene: RoundScene, layout: Layout, burned: Set[int] = frozenset()) -> Drafts:
    """`cards_collected` of each hand, in the order in which a hand of the dealer came to them, without burned cards.

    A card of a bust held aside that was lost from sight lies in the pile of the others. A weak track does
    not tell when its hand was taken.
    """
    aside = {number for held in scene.held for number in held.cards}
    gone = []
    for hand in layout.hands:
        cards = [card for card in hand.cards if card.number not in burned]
        ends = [card.gone for card in cards if card.gone is not None]
        if cards and len(ends) == len(cards):
            there = [card for card in cards if card.p > par.WEAK_P] or cards
            seen = [card for card in cards if card.number in aside] or there
            gone.append((*_gathered(scene, seen, max(ends)), hand))
    gone.sort(key=lambda entry: entry[1])
    return [
        event(CardsCollected, t0, t1, p, from_=hand.place, order=order, to="discard")
        for order, (t0, t1, p, hand) in enumerate(gone, start=1)
    ]


def _gathered(scene: RoundScene, cards: Sequence[CardTrack], bare: float) -> tuple[float, float, float]:
    """When the dealer's hand took a hand's cards, and how sure that is: nearest to them after the last detection of
    one.

    A card may be lost from sight before it is taken: then the hand comes only when the others are. What was taken while
    nobody looked was so before the next look; where no hand is seen to come the moment is weak.
    """
    for seen in sorted({card.t_last for card in cards}):
        looks = scene.hands.times_between(seen + par.INSTANT_S, bare)
        if looks and looks[0] - seen >= par.RECORDING_GAP_S:
            return seen, looks[0], par.SURELY_SEEN_P
        xy = cards[0].at(seen)
        until = min(bare, seen + par.HAND_GATHER_S)
        near = [
            (distance(detection.tip, xy), detection.t)
            for detection in scene.hands.between(seen - par.GATHER_LOOK_S, until, "dealer")
        ]
        if near and min(near)[0] < par.GATHER_MM:
            return min(seen, min(near)[1]), min(near)[1], par.SURELY_SEEN_P
    seen = max(card.t_last for card in cards)
    return min(seen, bare), bare, par.SURELY_SEEN_P if bare - seen <= par.HAND_GATHER_S else par.WEAK_P
