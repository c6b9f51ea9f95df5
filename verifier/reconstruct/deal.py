"""Cards of a round: which hand each went to, splits, turned cards, and their collection in order."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from verifier.domain.events import CardDealt, CardRevealed, CardsCollected, CardsMoved
from verifier.domain.layout import CARD_MM
from verifier.domain.places import space as space_text
from verifier.reconstruct.cardmoves import crosswise
from verifier.reconstruct.cardstory import CardStory
from verifier.reconstruct.hands import HandLog, agreed_side
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.touches import APART_MM, SPLIT_MM, slipped
from verifier.reconstruct.zones import Xy, distance

NEXT_CARD: Xy = (-33.0, 45.0)
USUAL_MM, STEP_MM = 24.0, 75.0
"""A next card that lies otherwise by more than the first is laid in another way, if not farther than the second."""
NEXT_MM = 36.0
"""A card this near to where a hand's next card is expected belongs to it, though it lie in a neighbour's area."""
DRAW_SECONDS = 0.75
SPLIT_FIRST = 0.2
"""A pair is laid apart before its next card comes, though one look may show both."""
LEAVES_SECONDS = 0.15
"""A hand that draws is still at the shoe for so long after the other has come for the next card."""
SHOE_MM = 70.0
GATHER_SECONDS = 0.8
"""A hand's cards are gathered within this time of their first being hidden; later the hand may come by again."""
BLIND_SECONDS = 0.6
"""Longer than this between two looks: a gap in the recording."""
UNSURE_P = 0.45
"""Weak by docs/formats.md: it decides nothing alone."""
BENT, SLANTED, ALIKE_SHARE = 1.25, 1.7, 0.1
"""A side that seems longer or shorter by more is not well seen; where two cards' sides agree within the last, so much
comes of the camera's slant."""
STRAIGHT = 8.0
"""Degrees from straight within which a card is taken as laid straight."""
UNSURE_SHARE = 0.08
"""A share covered that may be more by so much is not told."""
SLANT = 0.12
"""Where two cards' shapes are both so much off a card's, the camera stands low: what one covers is not told."""


@dataclass
class CardHand:
    """Cards of one hand in the order received; `number` is the space (0: dealer), `index` the split hand."""

    number: int
    index: int = 0
    cards: list[CardStory] = field(default_factory=list)
    split_at: float | None = None
    step: Xy = NEXT_CARD
    """From one of its cards to the next."""

    @property
    def place(self) -> str:
        return space_text(self.number, self.index) if self.number else "dealer"

    def next_spot(self, t: float) -> Xy:
        """Where its next card is expected."""
        return next_spot(self.cards[-1], t, self.step)


def next_spot(card: CardStory, t: float, step: Xy = NEXT_CARD) -> Xy:
    """Where the card after one that lies there at `t` is expected."""
    x, y = card.at(t)
    return x + step[0], y + step[1]


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
    layout, cards = Layout(), list(cards)
    laid = _steps(cards)
    steps = sorted(
        [(card.t_rest, 0, card) for card in cards] + [(t, 1, card) for card in cards for t in _moves(card)],
        key=lambda step: (step[0] - SPLIT_FIRST * step[1], step[1], step[2].number),
    )
    for t, moved, card in steps:
        if moved and not slipped(hands, card, t):
            _split(layout, card, t)
        elif not moved:
            _receive(layout, card, laid, alone=not hands.known)
    layout.dealings.sort(key=lambda dealing: dealing.card.t_rest)
    return layout


def _steps(cards: Sequence[CardStory]) -> dict[int, Xy]:
    """How the next card is laid at each space where it is done otherwise than in the table's usual way.

    A space's own first two cards tell, where both lie as one hand's cards do. Dealers lay all hands alike: where the
    spaces are at odds they err, or the table is seen askew.
    """
    found: dict[int, Xy] = {}
    for number in {_number(card) for card in cards} - {0}:
        first, second, *_ = [*sorted((c for c in cards if _number(c) == number), key=lambda c: c.t_rest), None, None]
        if first is None or second is None:
            continue
        (x0, y0), (x1, y1) = first.xy, second.xy
        step = (x1 - x0, y1 - y0)
        if distance(step, NEXT_CARD) > USUAL_MM and distance(first.xy, second.xy) <= STEP_MM:
            found[number] = step
    return found


def _moves(card: CardStory) -> list[float]:
    stays = card.stays
    return [b[1] for a, b in itertools.pairwise(stays) if distance(a[0], b[0]) > SPLIT_MM]


def _number(card: CardStory) -> int:
    return int(card.place.partition(":")[2]) if card.place.startswith("space") else 0


def _receive(layout: Layout, card: CardStory, steps: Mapping[int, Xy], *, alone: bool) -> None:
    number = _number(card)
    long = [hand for hand in layout.hands if hand.number and len(hand.cards) >= 2 and _lies(hand, card.t_rest)]
    following = min(long, key=lambda h: distance(h.next_spot(card.t_rest), card.xy), default=None)
    if following is not None and distance(following.next_spot(card.t_rest), card.xy) <= NEXT_MM:
        number = following.number
    elif not card.place:
        return
    hands = [hand for hand in layout.space(number) if _lies(hand, card.t_rest)]
    if not hands:
        hand = CardHand(number, step=steps.get(number, NEXT_CARD))
        if layout.space(number):
            hand.index = max(other.index for other in layout.space(number)) + 1
        layout.hands.append(hand)
    else:
        hand = min(hands, key=lambda h: distance(h.next_spot(card.t_rest), card.xy))
    before = hand.cards[-1] if hand.cards else None
    if alone and _third_apart(layout, hand, card):
        layout.dealings.append(Dealing(card, hand.place, hand, before))
        _apart(layout, hand, card, card.t_rest - DRAW_SECONDS - 0.05, card.t_rest - DRAW_SECONDS - 0.05)
        return
    hand.cards.append(card)
    layout.dealings.append(Dealing(card, hand.place, hand, before))


def _lies(hand: CardHand, t: float) -> bool:
    return any(card.gone is None or card.gone > t for card in hand.cards)


def _split(layout: Layout, card: CardStory, t: float) -> None:
    hand = next((h for h in layout.hands if any(c is card for c in h.cards)), None)
    if hand is None or not hand.number or len(hand.cards) != 2 or len(layout.space(hand.number)) >= 4:
        return
    hand.cards.remove(card)
    _apart(layout, hand, card, max((t1 for _, t0, t1 in card.stays if t0 < t), default=t), t)


def _apart(layout: Layout, hand: CardHand, card: CardStory, start: float, t: float) -> None:
    """A card of a hand's begins a hand of its own."""
    source = hand.place
    new = CardHand(hand.number, cards=[card], split_at=t, step=hand.step)
    hand.split_at = t
    layout.hands.append(new)
    ordered = sorted(layout.space(hand.number), key=lambda h: h.cards[0].at(t)[0])
    for index, each in enumerate(ordered):
        each.index = index
    layout.splits.append((start, t, source, max(hand, new, key=lambda h: h.index).place))


def _third_apart(layout: Layout, hand: CardHand, card: CardStory) -> bool:
    """Whether a card of a pair's own rank is laid apart from it: the pair was split, one look showed the next card too.

    Which of two cards alike was moved and which dealt cannot be told, nor does it matter.
    """
    if not hand.number or len(hand.cards) != 2 or len(layout.space(hand.number)) >= 4:
        return False
    spots = [hand.next_spot(card.t_rest), *(other.at(card.t_rest) for other in hand.cards)]
    alike = card.rank is not None and all(other.rank == card.rank for other in hand.cards)
    return alike and min(distance(spot, card.xy) for spot in spots) > APART_MM


def overlap(first: CardStory, second: CardStory, t: float) -> float | None:
    """Share of `first` that `second` covers, both taken as parallel or at right angles.

    Their distance is measured in sides of the upper card, which shows whole: a tilted camera shortens both alike. None
    where so much of the lower one is out of sight that its middle is not known well enough, or the camera stands so low
    that it shears the cards.
    """
    if all(abs(card.size[1] / card.size[0] / (CARD_MM[1] / CARD_MM[0]) - 1.0) > SLANT for card in (first, second)):
        return None
    unsure = tuple(max(0.0, (second.size[i] - first.size[i]) / 2) for i in (0, 1))
    least, most = (_covered(first, second, t, (sign * unsure[0], sign * unsure[1])) for sign in (1.0, -1.0))
    return _covered(first, second, t, (0.0, 0.0)) if most - least <= UNSURE_SHARE else None


def _covered(first: CardStory, second: CardStory, t: float, apart: Xy) -> float:
    """The same with the middles `apart` by some millimetres more than they seem to be."""
    wide, high = CARD_MM
    across = crosswise((first.angle, first.size), (second.angle, second.size))
    other = (high, wide) if across else (wide, high)
    (ax, ay), (bx, by) = first.at(t), second.at(t)
    x, y = _along_sides((bx - ax, by - ay), first.angle)
    bent = _bent(first, second)
    dx = (abs(x) + apart[0]) / bent[across]
    dy = (abs(y) + apart[1]) / bent[not across]
    shared_x = min(min(wide, other[0]), (wide + other[0]) / 2 - dx)
    shared_y = min(min(high, other[1]), (high + other[1]) / 2 - dy)
    return round(max(0.0, shared_x) * max(0.0, shared_y) / (wide * high), 3)


def _along_sides(step: Xy, angle: float) -> Xy:
    """A step along a card's shorter and its longer side; a card laid nearly straight is taken as straight."""
    turned = angle if abs((angle + 45.0) % 90.0 - 45.0) > STRAIGHT else round(angle / 90.0) * 90.0
    sine, cosine = math.sin(math.radians(turned)), math.cos(math.radians(turned))
    return step[0] * cosine + step[1] * sine, step[1] * cosine - step[0] * sine


def _bent(first: CardStory, second: CardStory) -> Xy:
    """How much longer than they are the shorter and the longer side of the upper card seem.

    What both cards show alike is the camera's slant; what one shows alone, by more than `BENT`, is badly seen.
    """
    alike = all(abs(a / b - 1.0) < ALIKE_SHARE for a, b in zip(first.size, second.size, strict=True))
    most = SLANTED if alike else BENT
    short, long = (min(most, max(1.0 / most, seen / true)) for seen, true in zip(second.size, CARD_MM, strict=True))
    return short, long


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
        angle = 90.0 if crosswise((first.angle, first.size), (card.angle, card.size)) else 0.0
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
