"""Rounds of a log as typed views: the round's events by kind, its hands, the dealer, and the moments between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar, cast

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    CardsPlayedBack,
    ChipsCollected,
    ChipsReturned,
    Event,
    HoleCardCheck,
    PayoffPlaced,
)
from verifier.domain.house import House
from verifier.engine.rules import TWENTY_ONE, Rules
from verifier.law.by_type import EventsByType
from verifier.law.figures import NEWEST, Figures
from verifier.law.fold import Folded, fold
from verifier.law.hands import Dealer, Hand, HandKey, hand_key
from verifier.law.lazy import lazy

E = TypeVar("E", bound=Event)
MOST_MISSED = 3
"""More holes than this in the numbers of a round's cards mean another way of numbering (policy of this project)."""


@dataclass(frozen=True, eq=False)
class Round(EventsByType):
    """One round.

    `opened`: its first card is in the log; `bets_seen`: so is what came before it; `closed`: nothing of it can follow;
    `carried`: spaces where a wager may lie from the round before; `interrupted`: the recording stopped in it; `jumped`:
    cards were dealt before or after it that have no record.
    """

    number: int | None
    events: tuple[AnyEvent, ...]
    house: House
    opened: bool
    bets_seen: bool
    closed: bool
    carried: frozenset[int] = frozenset()
    rules: Rules = TWENTY_ONE
    interrupted: bool = False
    jumped: bool = False
    figures: Figures = NEWEST

    @lazy
    def _at(self) -> dict[tuple[type[Event], HandKey], list[AnyEvent]]:
        found: dict[tuple[type[Event], HandKey], list[AnyEvent]] = {}
        for event in self.events:
            place = getattr(event, "at", None)
            key = hand_key(place) if isinstance(place, str) else None
            if key is not None:
                found.setdefault((type(event), key), []).append(event)
        return found

    def at(self, kind: type[E], key: HandKey) -> Sequence[E]:
        """Return the round's events of a type whose `at` is that hand, in order."""
        return cast("Sequence[E]", self._at.get((kind, key), ()))

    @lazy
    def folded(self) -> Folded:
        return fold(self.events, self.carried, self.rules)

    @property
    def hands(self) -> tuple[Hand, ...]:
        return self.folded.hands

    @property
    def dealer(self) -> Dealer:
        return self.folded.dealer

    @lazy
    def memo(self) -> dict[tuple[object, ...], object]:
        """Results that several checks need, kept by the functions that compute them."""
        return {}

    @lazy
    def by_key(self) -> dict[HandKey, Hand]:
        return {hand.key: hand for hand in self.hands}

    def hand_at(self, place: str) -> Hand | None:
        """Return the hand of a place; None where the place is no hand of this round."""
        key = hand_key(place)
        return None if key is None else self.by_key.get(key)

    @lazy
    def playing(self) -> tuple[Hand, ...]:
        """Hands with a wager and at least two cards."""
        return tuple(hand for hand in self.hands if hand.has_wager and len(hand.cards) >= 2)

    @lazy
    def first_card(self) -> CardDealt | None:
        cards = self.of(CardDealt)
        return cards[0] if cards else None

    @lazy
    def deal_end(self) -> float | None:
        """When the last of the players' initial two cards lay on the table; None while it does not."""
        ends = [cards[1].t_end for key, cards in self._initial.items() if key[1] == 0 and len(cards) > 1]
        return max(ends, default=None)

    @lazy
    def dropped(self) -> frozenset[str]:
        """Ids of dealt cards that were burned as they had dropped off the table (12(6))."""
        return frozenset(card.dealt.id for _, card, burn in self.folded.burned if "drop" in (burn.reason or "").lower())

    @lazy
    def _initial(self) -> dict[HandKey, list[CardDealt]]:
        found: dict[HandKey, list[CardDealt]] = {}
        for card in self.of(CardDealt):
            key = hand_key(card.to)
            if key is not None and key[1] == 0 and card.id not in self.dropped:
                found.setdefault(key, []).append(card)
        return found

    @lazy
    def dealer_dealt(self) -> tuple[CardDealt, ...]:
        """Return the dealer's cards as dealt, without those that were burned out of the hand again."""
        burned = {card.dealt.id for card, _ in self.dealer.burned}
        return tuple(card for card in self.of(CardDealt) if card.to == "dealer" and card.id not in burned)

    @lazy
    def turned(self) -> CardRevealed | None:
        """Return the record in which the dealer's hole card is turned last (not an exposure by error)."""
        return self.turns[-1] if self.turns else None

    @lazy
    def turns(self) -> list[CardRevealed]:
        """Return the records in which the dealer's hole card is turned (no exposures by error)."""
        found = [e for e in self.of(CardRevealed) if e.at == "dealer" and e.how not in ("exposed_error", "shoe_mouth")]
        if self.rules.both_down and not (self.dealer_dealt and self.dealer_dealt[0].face == "up"):
            found = found[1:]
        return found

    @lazy
    def no_hole(self) -> bool:
        """Tell whether this round has the dealer draw the second card after the players' decisions."""
        if self.rules.both_down:
            return False
        if self.house.dealing_method is not None:
            return self.house.dealing_method == "no_hole_card"
        return bool(self.dealer_dealt) and all(card.face == "up" for card in self.dealer_dealt)

    @lazy
    def turn_t(self) -> float | None:
        """When the dealer's own play begins: the hole card is turned, or a card beyond the initial ones is drawn."""
        times = [self.turned.t_start] if self.turned else []
        own = self.dealer_dealt[1 if self.no_hole else 2 :]
        times += [card.t_start for card in own if card.face == "up"]
        return min(times, default=None)

    @lazy
    def known_t(self) -> float | None:
        """When the dealer's second card is known at the table: turned, drawn face up, or checked by the reader."""
        times = [self.turned.t_start] if self.turned else []
        if self.no_hole and len(self.dealer_dealt) > 1:
            times.append(self.dealer_dealt[1].t_start)
        times += [check.t_end for check in self.of(HoleCardCheck) if check.how == "reader"]
        return min(times, default=None)

    @lazy
    def dealer_done_t(self) -> float | None:
        """When the dealer's hand took its final form; None when the dealer did not play."""
        if self.turn_t is None:
            return None
        times = [self.turned.t_end] if self.turned else []
        times += [card.t_end for card in self.dealer_dealt]
        times += [burn.t_end for _, burn in self.dealer.burned]
        return max(times)

    @lazy
    def last_player_card_t(self) -> float | None:
        times = [card.t_end for card in self.of(CardDealt) if hand_key(card.to) is not None]
        return max(times, default=None)

    @lazy
    def collected(self) -> dict[str, CardsCollected]:
        """First pick-up of each place's cards; plain `space:3` for hand 0."""
        found: dict[str, CardsCollected] = {}
        for event in self.of(CardsCollected):
            key = hand_key(event.from_)
            found.setdefault(self.by_key[key].place if key in self.by_key else event.from_, event)
        return found

    @lazy
    def mended_t(self) -> float:
        """When a settlement began to be put right (s): with the first chips that moved at a hand after the dealer's
        cards were picked up, at the latest when the cards were played back (12(12)); infinity without a playback."""
        replay = min((e.t_start for e in self.of(CardsPlayedBack)), default=inf)
        picked_up = self.collected.get("dealer")
        if picked_up is None or picked_up.t_end >= replay or replay == inf:
            return replay
        moves = [*self.of(ChipsReturned), *self.of(PayoffPlaced), *self.of(ChipsCollected)]
        return min([replay, *(e.t_start for e in moves if e.t_start >= picked_up.t_end)])

    @lazy
    def card_missing(self) -> bool:
        """Tell whether the cards' own numbering tells of one dealt in this round that has no record."""
        cards = self.of(CardDealt)
        numbers = [card.seq for card in cards if card.seq is not None]
        if not numbers or len(set(numbers)) < len(numbers) or len({card.shoe for card in cards}) != 1:
            return False
        without = len(cards) - len(numbers)
        holes = max(numbers) - min(numbers) + 1 - len(cards)
        return len(self.of(CardBurned)) < holes <= MOST_MISSED - without

    @property
    def lacks_records(self) -> bool:
        """Tell whether cards of this round or beside it have no record, or the recording stopped in it."""
        return self.card_missing or self.jumped or self.interrupted

    @lazy
    def reader(self) -> bool:
        """Tell whether the hole card goes in a reader: the site's method, or where none is configured, what was
        seen.
        """
        if self.house.dealing_method is None:
            return any(check.how == "reader" for check in self.of(HoleCardCheck))
        return self.house.dealing_method == "hole_card_reader"

    @property
    def shoe_burns(self) -> tuple[CardBurned, ...]:
        return self.folded.shoe_burns
