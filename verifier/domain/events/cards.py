"""Cards as they are dealt, turned, burned, moved and taken up; shuffles, cuts, checks and touches."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import field

from verifier.domain.cards import CardText, RankProbabilities
from verifier.domain.events.base import BodyHand, Count, Event, Face, Ordinal, Position, Share
from verifier.domain.observations import Probability
from verifier.domain.places import PlaceText


class CardDealt(Event, frozen=True, kw_only=True):
    """A card came to a place; `several`: more lie there than one, found as one, and nobody knows how many."""

    card: CardText
    to: PlaceText
    face: Face
    seq: Count | None
    ranks: RankProbabilities | None = None
    from_hand: BodyHand | None = None
    placed_hand: BodyHand | None = None
    angle: float | None = None
    angle_p: Probability | None = None
    overlap: Share | None = None
    source_place: Literal["top", "elsewhere"] | None = None
    several: bool = False
    position: Position | None = None
    position_p: Probability | None = None


class CardRevealed(Event, frozen=True, kw_only=True):
    card: CardText
    at: PlaceText
    how: Literal["turned", "exposed_error", "showdown", "shoe_mouth", "by_player"] | None
    ranks: RankProbabilities | None = None


class CardReplaced(Event, frozen=True, kw_only=True):
    """A card that lies open became another one in its place; `by` is whose hand did it, where that was seen."""

    at: PlaceText
    card_after: CardText = field(name="card")
    card_before: CardText = field(name="was")
    by: Literal["player", "dealer", "other"] | None = None
    ranks_before: RankProbabilities | None = None
    ranks_after: RankProbabilities | None = None


class CardBurned(Event, frozen=True, kw_only=True):
    card: CardText
    face_shown: bool | None
    reason: str | None = None


class CardsMoved(Event, frozen=True, kw_only=True):
    kind: Literal["split", "bust_hold", "turn_down"]
    from_: PlaceText = field(name="from")
    to: PlaceText
    position: Position | None = None
    position_p: Probability | None = None


class CardsCollected(Event, frozen=True, kw_only=True):
    from_: PlaceText = field(name="from")
    order: Ordinal | None
    to: PlaceText | None


class CardsInspected(Event, frozen=True, kw_only=True):
    action: Literal["inspect", "spread", "review", "store"]
    decks: Count | None = None


class CardsPlayedBack(Event, frozen=True, kw_only=True):
    round_replayed: Count | None


class Shuffle(Event, frozen=True, kw_only=True):
    method: Literal["hand", "machine"] | None
    scope: Literal["all", "discards"] | None
    phases: Any = None


class Cut(Event, frozen=True, kw_only=True):
    by: Literal["player", "dealer", "pit_boss"] | str | None
    depth_cards: Count | None = None
    seat: Any = None


class IndicatorCard(Event, frozen=True, kw_only=True):
    action: Literal["inserted", "appeared"]
    cards_remaining: Count | None = None


class HoleCardCheck(Event, frozen=True, kw_only=True):
    how: Literal["reader", "peek"]
    card_slot: Any = None


class Touch(Event, frozen=True, kw_only=True):
    by: Literal["player", "dealer", "other"]
    object: Literal["card", "wager", "payoff"]
    at: PlaceText
    displaced: bool | None


CardEvent = (
    CardDealt
    | CardRevealed
    | CardReplaced
    | CardBurned
    | CardsMoved
    | CardsCollected
    | CardsInspected
    | CardsPlayedBack
    | Shuffle
    | Cut
    | IndicatorCard
    | HoleCardCheck
    | Touch
)
