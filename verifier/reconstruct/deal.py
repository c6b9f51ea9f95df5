"""Cards of a round: which hand each went to, splits, turned cards, and their collection in order."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

from verifier.domain.events import CardDealt, CardRevealed, CardsCollected, CardsMoved
from verifier.domain.layout import CARD_MM
from verifier.domain.places import space as space_text
from verifier.reconstruct.cardstory import CardStory
from verifier.reconstruct.hands import HandLog, agreed_side
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.touches import SPLIT_MM, slipped
from verifier.reconstruct.zones import Xy, distance

NEXT_CARD: Xy = (-33.0, 45.0)
NEXT_MM = 36.0
"""A card this near to where a hand's next card is expected belongs to it, though it lie in a neighbour's area."""
DRAW_SECONDS = 0.75
LEAVES_SECONDS = 0.15
"""A hand that draws is still at the shoe for so long after the other has come for the next card."""
SHOE_MM = 70.0
GATHER_SECONDS = 0.8
"""A hand's cards are gathered within this time of their first being hidden; later the hand may come by again."""
BLIND_SECONDS = 0.6
"""Longer than this between two looks: a gap in the recording."""
UNSURE_P = 0.45
"""Weak by docs/formats.md: it decides nothing alone."""
BENT = 1.25
"""A side that seems longer or shorter by more is not well seen."""
UNSURE_SHARE = 0.08
"""A share covered that may be more by so much is not told."""
RIGHT_ANGLE = 40.0
"""A card turned by more than this many degrees less than 90 lies across."""


@dataclass
class CardHand:
    """Cards of one hand in the order received; `number` is the space (0: dealer), `index` the split hand."""

    number: int
    index: int = 0
    cards: list[CardStory] = field(default_factory=list)
    split_at: float | None = None

    @property
    def place(self) -> str:
        return space_text(self.number, self.index) if self.number else "dealer"

    def next_spot(self, t: float) -> Xy:
        """Where its next card is expected."""
        return next_spot(self.cards[-1], t)


def next_spot(card: CardStory, t: float) -> Xy:
    """Where the card after one that lies there at `t` is expected."""
    x, y = card.at(t)
    return x + NEXT_CARD[0], y + NEXT_CARD[1]


@dataclass(frozen=True)
class Dealing:
    """A card that went to a hand: place as it was called at that time."""

    card: CardStory
    place: str
    hand: CardHand
    before: CardStory | None


@dataclass
class Layout:
    """All hands of a round, the dealings in order, and the splits."""

    hands: list[CardHand] = field(default_factory=list)
    dealings: list[Dealing] = field(default_factory=list)
    splits: list[tuple[float, float, str, str]] = field(default_factory=list)

    def of(self, place: str) -> CardHand | None:
        """The hand at a place."""
        return next((hand for hand in self.hands if hand.place == place), None)

    def space(self, number: int) -> list[CardHand]:
        """Hands of a space in order; number 0 is the dealer."""
        return [hand for hand in self.hands if hand.number == number]


def lay_out(cards: Iterable[CardStory], hands: HandLog) -> Layout:
    """Assigns cards to hands, following splits; what a player's hand moved is not split."""
    layout = Layout()
    steps = sorted(
        [(card.t_rest, 0, card) for card in cards] + [(t, 1, card) for card in cards for t in _moves(card)],
        key=lambda step: (step[0], step[1], step[2].number),
    )
    for t, moved, card in steps:
        if moved and not slipped(hands, card, t):
            _split(layout, card, t)
        elif not moved:
            _receive(layout, card)
    layout.dealings.sort(key=lambda dealing: dealing.card.t_rest)
    return layout


def _moves(card: CardStory) -> list[float]:
    stays = card.stays
    return [b[1] for a, b in itertools.pairwise(stays) if distance(a[0], b[0]) > SPLIT_MM]


def _number(card: CardStory) -> int:
    return int(card.place.partition(":")[2]) if card.place.startswith("space") else 0


def _receive(layout: Layout, card: CardStory) -> None:
    number = _number(card)
    long = [hand for hand in layout.hands if hand.number and len(hand.cards) >= 2 and _lies(hand, card.t_rest)]
    following = min(long, key=lambda h: distance(h.next_spot(card.t_rest), card.xy), default=None)
    if following is not None and distance(following.next_spot(card.t_rest), card.xy) <= NEXT_MM:
        number = following.number
    elif not card.place:
        return
    hands = [hand for hand in layout.space(number) if _lies(hand, card.t_rest)]
    if not hands:
        hand = CardHand(number)
        if layout.space(number):
            hand.index = max(other.index for other in layout.space(number)) + 1
        layout.hands.append(hand)
    else:
        hand = min(hands, key=lambda h: distance(h.next_spot(card.t_rest), card.xy))
    before = hand.cards[-1] if hand.cards else None
    hand.cards.append(card)
    layout.dealings.append(Dealing(card, hand.place, hand, before))


def _lies(hand: CardHand, t: float) -> bool:
    return any(card.gone is None or card.gone > t for card in hand.cards)


def _split(layout: Layout, card: CardStory, t: float) -> None:
    hand = next((h for h in layout.hands if any(c is card for c in h.cards)), None)
    if hand is None or not hand.number or len(hand.cards) != 2 or len(layout.space(hand.number)) >= 4:
        return
    source = hand.place
    hand.cards.remove(card)
    new = CardHand(hand.number, cards=[card], split_at=t)
    hand.split_at = t
    layout.hands.append(new)
    ordered = sorted(layout.space(hand.number), key=lambda h: h.cards[0].at(t)[0])
    for index, each in enumerate(ordered):
        each.index = index
    start = max((t1 for _, t0, t1 in card.stays if t0 < t), default=t)
    layout.splits.append((start, t, source, max(hand, new, key=lambda h: h.index).place))


def overlap(first: CardStory, second: CardStory, t: float) -> float | None:
    """Share of `first` that `second` covers, both taken as parallel or at right angles.

    Their distance is measured in sides of the upper card, which shows whole: a tilted camera shortens both alike. None
    where so much of the lower one is out of sight that its middle is not known well enough.
    """
    long, short = ((second.size[i] - first.size[i]) / 2 for i in (1, 0))
    side_on = abs(first.angle - 90.0) < RIGHT_ANGLE
    unsure = (max(0.0, long), max(0.0, short)) if side_on else (max(0.0, short), max(0.0, long))
    least, most = (_covered(first, second, t, (sign * unsure[0], sign * unsure[1])) for sign in (1.0, -1.0))
    return _covered(first, second, t, (0.0, 0.0)) if most - least <= UNSURE_SHARE else None


def _covered(first: CardStory, second: CardStory, t: float, apart: Xy) -> float:
    """The same with the middles `apart` by some millimetres more than they seem to be."""
    wide, high = CARD_MM
    across = abs((second.angle - first.angle + 90.0) % 180.0 - 90.0) > RIGHT_ANGLE
    other = (high, wide) if across else (wide, high)
    a, b = first.at(t), second.at(t)
    side_on = abs(second.angle - 90.0) < RIGHT_ANGLE
    bent = [min(BENT, max(1.0 / BENT, seen / true)) for seen, true in zip(second.size, CARD_MM, strict=True)]
    dx = (abs(a[0] - b[0]) + apart[0]) / bent[side_on]
    dy = (abs(a[1] - b[1]) + apart[1]) / bent[not side_on]
    shared_x = min(min(wide, other[0]), (wide + other[0]) / 2 - dx)
    shared_y = min(min(high, other[1]), (high + other[1]) / 2 - dy)
    return round(max(0.0, shared_x) * max(0.0, shared_y) / (wide * high), 3)


def dealt_events(scene: RoundScene, layout: Layout) -> Drafts:
    """`card_dealt`, `card_revealed` and `cards_moved` of a round."""
    drafts: Drafts = [_dealt(scene, dealing) for dealing in layout.dealings]
    for dealing in layout.dealings:
        card = dealing.card
        if card.turned is not None:
            t0, t1 = card.turned
            drafts.append(
                event(CardRevealed, t0 - 0.3, t1, card.p_rank, card=card.text, at=dealing.place, how="turned",
                      ranks=card.ranks or None)
            )  # fmt: skip
    for t0, t1, source, target in layout.splits:
        drafts.append(event(CardsMoved, t0, t1, 0.95, kind="split", from_=source, to=target))
    return drafts


def _dealt(scene: RoundScene, dealing: Dealing) -> CardDealt:
    card, first = dealing.card, dealing.hand.cards[0]
    seen_coming = scene.begun or card.t_rest > scene.start + 0.6
    up = card.face == "up"
    angle = None
    if dealing.before is not None and dealing.hand.number:
        turn = abs((card.angle - first.angle + 90.0) % 180.0 - 90.0)
        angle = 90.0 if turn > RIGHT_ANGLE else 0.0
    t0, t1 = card.t_rest - DRAW_SECONDS, card.t_rest
    return event(
        CardDealt, t0, t1, card.p_rank if up else card.p,
        card=card.text if up else "??", to=dealing.place, face=card.face, seq=None,
        ranks=(card.ranks or None) if up else None,
        from_hand=_drawn_with(scene, t0 - 0.3, t1), placed_hand=scene.hands.side_at([card.xy], t1 - 0.2, t1 + 0.2),
        angle=angle, overlap=overlap(dealing.before, card, t1) if dealing.before is not None else None,
        occluded=not seen_coming,
    )  # fmt: skip


def _drawn_with(scene: RoundScene, t0: float, t1: float) -> str | None:
    """The hand at the shoe before a card came; a side that another hand has at the same time tells nothing.

    Where one had left the shoe before the other came to it, the one before drew the card, the other is at the next.
    """
    hands = list(scene.hands.between(t0, t1, "dealer"))
    doubles = {(a.t, a.side) for a in hands for b in hands if a is not b and (a.t, a.side) == (b.t, b.side)}
    drawing = [
        hand for hand in hands if scene.table.near(hand.tip, "shoe", SHOE_MM) and (hand.t, hand.side) not in doubles
    ]
    left, right = ([hand.t for hand in drawing if hand.side == side] for side in ("left", "right"))
    if left and right and right[-1] <= left[0] + LEAVES_SECONDS:
        return agreed_side(["right"] * sum(t < left[0] for t in right))
    return agreed_side([hand.side for hand in drawing])


def collected_events(scene: RoundScene, layout: Layout, burned: Set[int] = frozenset()) -> Drafts:
    """`cards_collected` of each hand, in the order in which a hand of the dealer came to them, without burned cards."""
    gone = []
    for hand in layout.hands:
        cards = [card for card in hand.cards if card.number not in burned]
        ends = [card.gone for card in cards if card.gone is not None]
        if cards and len(ends) == len(cards):
            gone.append((*_gathered(scene, cards, max(ends)), hand))
    gone.sort(key=lambda entry: entry[1])
    return [
        event(CardsCollected, t0, t1, p, from_=hand.place, order=order, to="discard")
        for order, (t0, t1, p, hand) in enumerate(gone, start=1)
    ]


def _gathered(scene: RoundScene, cards: Sequence[CardStory], bare: float) -> tuple[float, float, float]:
    """When the dealer's hand took a hand's cards, and how sure that is: nearest to them after the last sight of one.

    A card may be lost from sight before it is taken: then the hand comes only when the others are. What was taken while
    nobody looked was so before the next look; where no hand is seen to come the moment is weak.
    """
    for seen in sorted({card.t_last for card in cards}):
        xy = cards[0].at(seen)
        until = min(bare, seen + GATHER_SECONDS)
        near = [(distance(sight.tip, xy), sight.t) for sight in scene.hands.between(seen - 0.15, until, "dealer")]
        if near and min(near)[0] < 110.0:
            return min(seen, min(near)[1]), min(near)[1], 0.95
    seen = max(card.t_last for card in cards)
    looks = scene.hands.times_between(seen + 0.01, bare)
    if looks and looks[0] - seen >= BLIND_SECONDS:
        return seen, looks[0], 0.95
    return min(seen, bare), bare, 0.95 if bare - seen <= GATHER_SECONDS else UNSURE_P
