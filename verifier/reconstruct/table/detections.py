"""One observation in table millimetres: the frozen values that the trackers of this room work on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct, UnsetType

from verifier.domain.layout import CARD_MM
from verifier.domain.money import CENTS_BY_COLOUR
from verifier.domain.observations import BillSeen, CardSeen, ChipSeen, HandSeen, Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.fingers import centre, fingertip, shows_two
from verifier.reconstruct.table.zones import TableMap, Xy, bounds, centre_of, distance

Box = tuple[float, float, float, float]
SIDES = ("left", "right")
FACINGS = ("back", "palm", "edge")
FINGERS = ("0", "1", "2", "3", "4", "5")
COLOURS = ("mustard", "white", "pink", "red", "green", "black", "other")


class CardDetection(Struct, frozen=True):
    """A card: centre, direction of its long side (degrees clockwise from up, 0..180), ranks (empty: unread)."""

    xy: Xy
    angle: float
    face: str
    ranks: dict[str, float]
    suit: str | None
    p: float
    visible: float
    size: tuple[float, float] = CARD_MM
    """Its shorter and longer side as the map has them: how it bends the table there."""
    skew: float = 0.0
    """Degrees by which its sides are off a right angle, as the map has them: a slanting camera shears the table."""
    apart: float = 0.0
    """How far the boxes that pass for it lie apart, in its shorter sides (docs/formats.md)."""
    unreadable: float = 0.0
    """Mean probability of the looks at its face so far that it cannot be read."""
    more: float = 0.0
    """Probability that more cards lie there, over or under it, than were found."""


class ChipDetection(Struct, frozen=True):
    """The visible face of a chip; `cents` is None where its colour has no value, `radius` is in the layout's mm."""

    xy: Xy
    cents: int | None
    p: float
    radius: float
    face: int | None = None
    """Another number at one spot is surely another face; None where that is not known."""
    cents_p: float = 1.0
    """Probability of `cents`, by the chip's colours."""


class BillDetection(Struct, frozen=True):
    """A bank note: centre, long side (degrees clockwise from up, 0..180), shorter and longer side in mm, corners."""

    xy: Xy
    angle: float
    size: tuple[float, float]
    corners: tuple[Xy, ...]
    p: float
    face: str | None
    values: dict[str, float]
    """Probabilities of its values in cents; empty where it was not read."""


class HandDetection(Struct, frozen=True):
    """A hand at time `t`: box, centre, `tip` (about where its fingertips are) and `elbow` in mm.

    `sway` is the point whose movement is a gesture: the middle of its keypoints, else of its box. `touch` is the tip
    of its stretched fingers and `two` whether it holds up just two; both are None where keypoints do not tell.
    """

    t: float
    owner: str
    side: str
    facing: str
    fingers: int | None
    p: float
    box: Box
    xy: Xy
    tip: Xy
    elbow: Xy
    sway: Xy
    touch: Xy | None = None
    two: bool | None = None
    facings: dict[str, float] = {}
    """Probabilities of the side that the camera sees; empty where it is unknown."""
    open_p: float | None = None
    """Probability that the fingers of a flat hand are stretched; None where nobody counted them."""

    def over(self, xy: Xy, margin: float) -> bool:
        """Tell whether `xy` lies within the box grown by `margin` mm."""
        x0, y0, x1, y1 = self.box
        return x0 - margin <= xy[0] <= x1 + margin and y0 - margin <= xy[1] <= y1 + margin


class ButtonDetection(Struct, frozen=True):
    """A disc that may be the dealer button, and how likely it is."""

    xy: Xy
    p: float


class FrameDetections(Struct, frozen=True):
    """All that one frame shows."""

    t: float
    clock: str | None
    cards: tuple[CardDetection, ...]
    chips: tuple[ChipDetection, ...]
    hands: tuple[HandDetection, ...]
    cut_cards: tuple[Xy, ...] | None = None
    """Where cut cards lie; None where nobody looked for them."""
    bills: tuple[BillDetection, ...] | None = None
    """The same of bank notes."""
    buttons: tuple[ButtonDetection, ...] | None = None
    """The same of the dealer button."""


class Body(Struct, frozen=True):
    """Where people stand, to know where forearms come from: the dealer's middle and the y of the dealer's elbows."""

    dealer: Xy
    low: float

    @classmethod
    def of(cls, table: TableMap) -> Body:
        """Return the bodies: the dealer's elbows are about 200 mm below the lowest zone."""
        low = max(bounds(polygon)[3] for name, polygon in table.zones.items() if name not in _NOT_FELT)
        return cls(centre_of(table.zones["inner"]), low + par.DEALER_LOW_MM)

    def elbow(self, owner: str, side: str, xy: Xy) -> Xy:
        """Return the elbow of a hand at `xy`: a player's comes from outside, a dealer's from below."""
        if owner == "player":
            reach = par.HAND_LENGTH_MM / (distance(xy, self.dealer) or 1.0)
            return xy[0] + (xy[0] - self.dealer[0]) * reach, xy[1] + (xy[1] - self.dealer[1]) * reach
        left = side == "left" or (side == "unknown" and xy[0] < self.dealer[0])
        return self.dealer[0] + (-par.SHOULDER_MM if left else par.SHOULDER_MM) + par.SHOULDER_SHARE * (
            xy[0] - self.dealer[0]
        ), self.low


_NOT_FELT = ("clock", "table_number", "site_id")


def detections_of(
    observation: Observation, table: TableMap, body: Body, values: Mapping[str, int] = CENTS_BY_COLOUR
) -> FrameDetections:
    """Convert an observation, without cards that tell no side or are told twice; `values` are those of the site's
    chips.
    """
    shown = _once([(seen, _card(seen, table)) for seen in observation.cards])
    return FrameDetections(
        t=observation.t,
        clock=observation.clock,
        cards=_without_false_positives([card for _, card in shown], _named([seen for seen, _ in shown])),
        chips=_without_print([_chip(chip, table, values) for chip in observation.chips], [card for _, card in shown]),
        hands=tuple(_hand(hand, observation.t, table, body) for hand in _without_third(observation.hands)),
        cut_cards=_cut_cards(observation, table),
        bills=None if isinstance(observation.bills, UnsetType) else tuple(_bill(b, table) for b in observation.bills),
        buttons=None
        if isinstance(observation.buttons, UnsetType)
        else tuple(ButtonDetection(table.mm(one.center), one.p) for one in observation.buttons),
    )


def _once(cards: list[tuple[CardSeen, CardDetection]]) -> list[tuple[CardSeen, CardDetection]]:
    """Cards with a side, each once: of one that is told twice in its place the likelier record."""
    kept: list[tuple[CardSeen, CardDetection]] = []
    for pair in sorted(cards, key=lambda pair: -pair[1].p):
        if min(pair[1].size) > 0.0 and not any(_told(pair[1], other) for _, other in kept):
            kept.append(pair)
    return [pair for pair in cards if any(pair is other for other in kept)]


def _told(card: CardDetection, other: CardDetection) -> bool:
    """Tell whether a card lies where another one of its face and rank does, which would hide it."""
    alike = _likeliest(card) in (None, _likeliest(other))
    return alike and card.face == other.face and distance(card.xy, other.xy) <= par.TWICE_MM


def _likeliest(card: CardDetection) -> str | None:
    return max(card.ranks, key=lambda rank: card.ranks[rank], default=None)


def _cut_cards(observation: Observation, table: TableMap) -> tuple[Xy, ...] | None:
    if isinstance(observation.cut_cards, UnsetType):
        return None
    return tuple(centre_of([table.mm(corner) for corner in card.quad]) for card in observation.cut_cards)


def _named(cards: list[CardSeen]) -> list[bool]:
    """Which cards have a rank stated without a posterior: a detector that gives none means what it says."""
    return [card.rank is not None and not card.ranks for card in cards]


def _without_false_positives(cards: list[CardDetection], named: list[bool]) -> tuple[CardDetection, ...]:
    """Without faces that cannot be read upon one that can: two cards that overlap pass for a third across them."""
    sure = [card.xy for card in cards if _best(card) >= par.READ_P and card.p >= par.SURE_CARD_LOOK_P]
    return tuple(
        card
        for card, alone in zip(cards, named, strict=True)
        if alone
        or card.face != "up"
        or _best(card) >= (par.UNREAD_P if card.p >= par.SURE_CARD_LOOK_P else par.SURE_READ_P)
        or not any(0.0 < distance(card.xy, xy) < par.DETECTION_UPON_MM for xy in sure)
    )


def _without_third(hands: list[HandSeen]) -> list[HandSeen]:
    """Without a doubtful hand of the dealer's where both are surely seen: a sleeve may pass for one."""
    sure = {hand.side for hand in hands if hand.owner == "dealer" and hand.p >= par.SURE_HAND_P}
    both = {"left", "right"} <= sure
    return [hand for hand in hands if not both or hand.owner != "dealer" or hand.p >= par.SURE_HAND_P]


def _best(card: CardDetection) -> float:
    return max(card.ranks.values(), default=0.0)


def _card(card: CardSeen, table: TableMap) -> CardDetection:
    corners = [table.mm(corner) for corner in card.quad]
    ranks: dict[str, float] = dict(card.ranks or {})
    if not ranks and card.rank:
        ranks[card.rank] = par.SURE_OF_RANK_P
    if card.face == "down":
        ranks = {}
    visible = 1.0 if card.visible is None else card.visible
    angle, skew = _directions(corners)
    return CardDetection(
        centre_of(corners),
        angle,
        card.face,
        ranks,
        card.suit,
        card.p,
        visible,
        _size(corners),
        skew,
        card.apart or 0.0,
        card.unreadable or 0.0,
        card.more or 0.0,
    )


def _size(corners: list[Xy]) -> tuple[float, float]:
    """Mean shorter and longer side."""
    a, b, c, d = corners
    one, other = (distance(a, b) + distance(c, d)) / 2, (distance(b, c) + distance(d, a)) / 2
    return min(one, other), max(one, other)


def _directions(corners: list[Xy]) -> tuple[float, float]:
    """Direction of the longer pair of sides, degrees clockwise from up, 0..180, and the shorter's from across it."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    pairs = ((bx - ax + cx - dx, by - ay + cy - dy), (cx - bx + dx - ax, cy - by + dy - ay))
    sides = sorted(pairs, key=lambda side: math.hypot(*side))
    short, long = (math.degrees(math.atan2(x, -y)) % 180.0 for x, y in sides)
    return long, (short - long) % 180.0 - 90.0


def _bill(bill: BillSeen, table: TableMap) -> BillDetection:
    corners = [table.mm(corner) for corner in bill.quad]
    values = bill.values or ({} if bill.cents is None else {str(bill.cents): par.SURE_OF_RANK_P})
    return BillDetection(
        centre_of(corners), _directions(corners)[0], _size(corners), tuple(corners), bill.p, bill.face, dict(values)
    )


def _chip(chip: ChipSeen, table: TableMap, values: Mapping[str, int]) -> ChipDetection:
    cents = chip.cents if chip.cents is not None else values.get(chip.colour)
    alike: set[str] = {chip.colour, *(colour for colour, value in values.items() if value == cents)}
    told = None if chip.colours is None else _whole(chip.colours, COLOURS)
    p = 1.0 if told is None else sum(told.get(colour, 0.0) for colour in alike)
    return ChipDetection(table.mm(chip.center), cents, chip.p, chip.radius / table.scale, chip.face, p)


def _without_print(chips: Sequence[ChipDetection], cards: Sequence[CardDetection]) -> tuple[ChipDetection, ...]:
    """Return the chips that have a chip's size, without the round signs that are printed on the backs of cards."""
    backs = [card.xy for card in cards if card.face == "down" and card.p >= par.SURE_CARD_LOOK_P]
    return tuple(
        chip
        for chip in chips
        if par.LEAST_CHIP_RADII <= chip.radius / par.CHIP_RADIUS_MM <= par.MOST_CHIP_RADII
        and not any(distance(chip.xy, xy) <= par.SIGN_MM for xy in backs)
    )


def _hand(hand: HandSeen, t: float, table: TableMap, body: Body) -> HandDetection:
    x0, y0, x1, y1 = hand.box
    box = bounds((table.mm((x0, y0)), table.mm((x1, y1))))
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    side = _told_side(hand)
    elbow = body.elbow(hand.owner, side, middle)
    points = [(*table.mm((x, y)), p) for x, y, p in hand.keypoints or ()]
    touch, two = (fingertip(points), shows_two(points)) if points else (None, None)
    return HandDetection(
        t,
        hand.owner,
        side,
        hand.facing,
        hand.fingers,
        hand.p,
        box,
        middle,
        touch or far_end(box, middle, elbow),
        elbow,
        centre(points) or middle,
        touch,
        two,
        _facings(hand),
        _open_p(hand),
    )


def _told_side(hand: HandSeen) -> str:
    """Return which hand it is; unknown where that is in doubt."""
    told = hand.sides is None or _whole(hand.sides, SIDES).get(hand.side, 0.0) >= par.SIDE_TOLD_P
    return hand.side if told else "unknown"


def _facings(hand: HandSeen) -> dict[str, float]:
    """Return the probabilities of a hand's facing; a detector that gives none means what it says."""
    if hand.facings is not None:
        return _whole(hand.facings, FACINGS, hand.facing)
    return {} if hand.facing == "unknown" else {hand.facing: 1.0}


def _open_p(hand: HandSeen) -> float | None:
    """Return the probability that so many fingers are stretched that the hand is flat; None where nobody counted."""
    if hand.finger_counts is not None:
        told = _whole(hand.finger_counts, FINGERS, "unknown" if hand.fingers is None else str(hand.fingers))
        return sum(p for count, p in told.items() if int(count) >= par.OPEN_FINGERS) if told else None
    return None if hand.fingers is None else float(hand.fingers >= par.OPEN_FINGERS)


def _whole(told: Mapping[str, float], labels: Sequence[str], answer: str = "unknown") -> dict[str, float]:
    """Return probabilities that sum to 1; what is missing may be any label that is left out, or any at all
    where none is.

    None are returned where they tell nothing, or another answer than the one that they come with.
    """
    total = sum(told.values())
    if total <= 0.0 or (answer != "unknown" and told.get(answer, 0.0) < max(told.values())):
        return {}
    open_ = [label for label in labels if label not in told] or labels
    missing = max(0.0, 1.0 - total) / len(open_)
    return {label: told.get(label, 0.0) / max(1.0, total) + missing * (label in open_) for label in labels}


def far_end(box: Box, middle: Xy, elbow: Xy) -> Xy:
    """Return the point near a hand box's rim that lies opposite to the elbow: about where the fingertips are."""
    dx, dy = middle[0] - elbow[0], middle[1] - elbow[1]
    halves = (((box[2] - box[0]) / 2, dx), ((box[3] - box[1]) / 2, dy))
    steps = [half / abs(d) for half, d in halves if abs(d) > par.ROUNDING]
    step = par.HAND_TIP_SHARE * min(steps, default=0.0)
    return middle[0] + dx * step, middle[1] + dy * step
