"""Replays the card and stake events of a round into hands: splits, burns, reveals and added stakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from msgspec import structs

from verifier.domain.cards import UNKNOWN, Card
from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    CardReplaced,
    CardRevealed,
    CardsMoved,
    ChipsCollected,
    ChipsReturned,
    PayoffPlaced,
    PushTapped,
    Shuffle,
    WagerChanged,
    WagerPlaced,
)
from verifier.domain.places import MAX_HANDS_READ
from verifier.engine.chances import rank_chances
from verifier.engine.rules import TWENTY_ONE, Rules
from verifier.law.entries import plain
from verifier.law.hands import STAKES, Dealer, Hand, HandKey, HeldCard, Stake, hand_key
from verifier.law.readings import ranks_of, same_card

_DEALER = "dealer"
UNSEEN_ERRORS = ("error", "drawn_in_error", "unexposed_error", "unexposed")
"""Reasons of a burn by which, its face not shown, a card was drawn from the shoe in error (12(7))."""
Slot = HandKey | str


@dataclass
class _Folding:
    """Mutable state while the events of one round are replayed."""

    cards: dict[Slot, list[HeldCard]] = field(default_factory=dict)
    dealt: dict[Slot, list[CardDealt]] = field(default_factory=dict)
    stakes: dict[HandKey, dict[str, Stake]] = field(default_factory=dict)
    split_spaces: set[int] = field(default_factory=set)
    ace_hands: set[HandKey] = field(default_factory=set)
    burned: list[tuple[Slot, HeldCard, CardBurned]] = field(default_factory=list)
    shoe_burns: list[CardBurned] = field(default_factory=list)
    splits: list[tuple[CardsMoved, HandKey, HandKey, tuple[HeldCard, ...]]] = field(default_factory=list)
    reshuffled: bool = False
    both_down: bool = False
    open_in_shoe: bool = False
    settled: set[HandKey] = field(default_factory=set)

    def on(self, event: AnyEvent) -> None:
        if isinstance(event, CardDealt):
            self._deal(event)
        elif isinstance(event, CardRevealed):
            self._reveal(event)
        elif isinstance(event, CardReplaced):
            self._replace(event)
        elif isinstance(event, CardBurned):
            self._burn(event)
        elif isinstance(event, CardsMoved):
            self._move(event)
        elif isinstance(event, WagerPlaced):
            self._place(event)
        elif isinstance(event, WagerChanged):
            self._change(event)
        elif isinstance(event, ChipsReturned):
            self._give_back(event)
        elif isinstance(event, Shuffle):
            self.reshuffled = True
        elif isinstance(event, PayoffPlaced | ChipsCollected | PushTapped):
            self._settle(event)

    def _settle(self, event: PayoffPlaced | ChipsCollected | PushTapped) -> None:
        key = hand_key(event.at)
        if key is not None and (isinstance(event, PushTapped) or event.kind == "original"):
            self.settled.add(key)

    def _deal(self, event: CardDealt) -> None:
        self.open_in_shoe = False
        slot: Slot | None = _DEALER if event.to == _DEALER else hand_key(event.to)
        if slot is None:
            return
        if not isinstance(slot, str) and slot[1] and slot not in self.cards:
            self._split_unseen(slot)
        if slot == _DEALER and event.face == "down" and not self.both_down:
            self._replace_dropped()
        held = HeldCard(event, ranks_of(event.card, event.ranks), event.card)
        self.cards.setdefault(slot, []).append(held)
        self.dealt.setdefault(slot, []).append(event)

    def _replace_dropped(self) -> None:
        """Count the dealer's hole card as dropped and burned where a further one follows the burn of a dropped card
        (12(6)).
        """
        hole = [(i, card) for i, card in enumerate(self.cards.get(_DEALER, ())) if card.hidden]
        burn = self.shoe_burns[-1] if self.shoe_burns else None
        if hole and burn is not None and "drop" in (burn.reason or "") and burn.t_end >= hole[-1][1].t:
            self.burned.append((_DEALER, self.cards[_DEALER].pop(hole[-1][0]), self.shoe_burns.pop()))

    def _split_unseen(self, new: HandKey) -> None:
        """Note a split that was not logged when a card goes to its new hand: the space's second card lies there."""
        first = self.cards.get((new[0], 0), [])
        if len(first) == 2:
            self.cards[new] = [first.pop()]
        self._mark_split((new[0], 0), new)

    def _mark_split(self, old: HandKey, new: HandKey) -> None:
        self.split_spaces.add(new[0])
        self.stakes.setdefault(new, {})
        if any(card.ranks == {"A"} for card in self.cards.get(old, [])):
            self.ace_hands |= {old, new}

    def _reveal(self, event: CardRevealed) -> None:
        self.open_in_shoe = self.open_in_shoe or event.at == "shoe"
        slot: Slot | None = _DEALER if event.at == _DEALER else hand_key(event.at)
        held = self.cards.get(slot, []) if slot is not None else []
        unread = [i for i, card in enumerate(held) if card.hidden]
        unread = unread or [i for i, card in enumerate(held) if card.text.startswith("?")]
        if unread:
            index = unread[0]
            held[index] = replace(held[index], ranks=ranks_of(event.card, event.ranks), text=event.card, revealed=event)

    def _replace(self, event: CardReplaced) -> None:
        """Let a card that became another count as either one: a person must say which of them the hand is due."""
        slot: Slot | None = _DEALER if event.at == _DEALER else hand_key(event.at)
        held = self.cards.get(slot, []) if slot is not None else []
        before = Card.parse(event.card_before)
        like = [i for i, card in enumerate(held) if not card.hidden and same_card(card.text, before)]
        if like:
            held[like[-1]] = _either(held[like[-1]], event)

    def _burn(self, event: CardBurned) -> None:
        from_shoe = self.open_in_shoe and event.card[0] == "?"  # a card that lies face up in the shoe is burned next
        found = None if from_shoe else self._burned_slot(event)
        self.open_in_shoe = False
        if found is None:
            self.shoe_burns.append(event)
            return
        slot, index = found
        self.burned.append((slot, self.cards[slot].pop(index), event))

    def _burned_slot(self, event: CardBurned) -> tuple[Slot, int] | None:
        """Return where on the table the burned card lay, latest first; None when it came from the shoe."""
        table = [
            (card, slot, index)
            for slot, cards in self.cards.items()
            for index, card in enumerate(cards)
            if card.t <= event.t_end
        ]
        table.sort(key=lambda entry: entry[0].t, reverse=True)
        burned = Card.parse(event.card)
        if burned.rank is not None:
            matching = [(slot, index) for card, slot, index in table if same_card(card.text, burned)]
            alone = [entry for entry in matching if len(self.cards[entry[0]]) == 1]
            latest = bool(matching) and matching[0] == (table[0][1], table[0][2])
            return (matching if latest else [*alone, *matching])[0] if matching else None
        exposed = [(s, i) for card, s, i in table if card.revealed and card.revealed.how == "exposed_error"]
        if exposed:
            return exposed[0]
        if (event.face_shown is False and not event.reason) or self.reshuffled:
            return None
        if event.face_shown is False and plain(event.reason or "") in UNSEEN_ERRORS:
            table = [entry for entry in table[:1] if entry[0].hidden]
        if "inactive" in (event.reason or ""):
            table = [entry for entry in table if entry[1] != _DEALER and not self._wagered(entry[1])]
        if event.reason and "overdraw" in event.reason:
            table = [entry for entry in table if entry[1] == _DEALER]
        return (table[0][1], table[0][2]) if table else None

    def _wagered(self, slot: Slot) -> bool:
        """Tell whether an original wager lies at a hand."""
        return not isinstance(slot, str) and "original" in self.stakes.get(slot, {})

    def _move(self, event: CardsMoved) -> None:
        old, new = hand_key(event.from_), hand_key(event.to)
        if event.kind != "split" or old is None or new is None or old == new:
            return
        pair = tuple(self.cards.get(old, []))
        if new in self.cards:
            self._shift_right(new)
        moved = [self.cards[old].pop()] if pair else []
        self.split_spaces.add(new[0])
        if {"A"} in [card.ranks for card in pair] and all("A" in card.ranks for card in pair):
            self.ace_hands |= {old, new}
        self.cards[new] = moved
        self.stakes.setdefault(new, {})
        self.splits.append((event, old, new, pair))

    def _shift_right(self, new: HandKey) -> None:
        """Move later hands on by one number: a further split's new hand takes the number at its right."""
        for index in range(MAX_HANDS_READ - 1, new[1], -1):
            old, to = (new[0], index - 1), (new[0], index)
            for book in cast("tuple[dict[Slot, object], ...]", (self.cards, self.dealt, self.stakes)):
                if old in book:
                    book[to] = book.pop(old)
            if old in self.ace_hands:
                self.ace_hands = (self.ace_hands - {old}) | {to}

    def _stake(self, place: str, kind: str) -> tuple[HandKey, Stake] | None:
        key = hand_key(place)
        if key is None:
            return None
        if kind in ("insurance", "tip"):
            key = (key[0], 0)
        return key, self.stakes.setdefault(key, {}).get(kind, Stake())

    def _place(self, event: WagerPlaced) -> None:
        key = hand_key(event.at)
        if key is None:
            return
        if event.kind == "split" and key[1] == 0:
            key = (key[0], 1 + sum(1 for k, book in self.stakes.items() if k[0] == key[0] and "split" in book))
        if event.kind in ("insurance", "tip"):
            key = (key[0], 0)
        book = self.stakes.setdefault(key, {})
        stake = book.get(event.kind, Stake())
        book[event.kind] = replace(stake, placed=(*stake.placed, event))

    def _change(self, event: WagerChanged) -> None:
        found = self._stake(event.at, event.kind)
        if found:
            key, stake = found
            self.stakes[key][event.kind] = replace(stake, changed=(*stake.changed, event))

    def _give_back(self, event: ChipsReturned) -> None:
        found = self._stake(event.at, event.kind)
        if found is None or not found[1].placed:
            return
        key, stake = found
        wager = event.kind == "original" and (stake.improper or key not in self.settled)
        if event.reason != "error" or wager:
            self.stakes[key][event.kind] = replace(stake, returned=(*stake.returned, event))


def _either(held: HeldCard, event: CardReplaced) -> HeldCard:
    """Return a card that counts as the one before or the one after, each as likely."""
    chances: dict[str, float] = defaultdict(float)
    for card, ranks in ((event.card_before, event.ranks_before), (event.card_after, event.ranks_after)):
        rank = None if card[0] == UNKNOWN else card[0]
        for name, p in rank_chances(rank, ranks).items():
            chances[name] += p / 2
    shown = held.revealed or held.dealt
    mixed = structs.replace(shown, card=UNKNOWN + UNKNOWN, ranks=dict(chances))
    either = ranks_of(mixed.card, mixed.ranks)
    if isinstance(mixed, CardRevealed):
        return replace(held, ranks=either, text=mixed.card, revealed=mixed)
    return replace(held, ranks=either, text=mixed.card, dealt=mixed)


@dataclass(frozen=True, eq=False)
class Folded:
    """What a round's card and stake events amount to."""

    hands: tuple[Hand, ...]
    dealer: Dealer
    burned: tuple[tuple[Slot, HeldCard, CardBurned], ...]
    shoe_burns: tuple[CardBurned, ...]
    splits: tuple[tuple[CardsMoved, HandKey, HandKey, tuple[HeldCard, ...]], ...]


def fold(events: Sequence[AnyEvent], carried: frozenset[int] = frozenset(), rules: Rules = TWENTY_ONE) -> Folded:
    """Replays events (in the order of the log) of one round.

    On `carried` spaces a wager may still lie from the round before: a tie, or winnings left in place.
    """
    state = _Folding(both_down=rules.both_down)
    for event in events:
        state.on(event)
    for space in carried:
        if state.cards.get((space, 0)) and "original" not in state.stakes.get((space, 0), {}):
            state.stakes.setdefault((space, 0), {})["original"] = Stake()
    keys = {slot for slot in state.cards if not isinstance(slot, str)} | {
        key for key, book in state.stakes.items() if book
    }
    hands = tuple(_hand(state, key, rules) for key in sorted(keys))
    burned = tuple((card, event) for slot, card, event in state.burned if slot == _DEALER)
    dealer_cards = tuple(state.cards.get(_DEALER, ()))
    dealer = Dealer(dealer_cards, burned, 0 if rules.both_down and dealer_cards else _up_index(dealer_cards))
    return Folded(hands, dealer, tuple(state.burned), tuple(state.shoe_burns), tuple(state.splits))


def _hand(state: _Folding, key: HandKey, rules: Rules) -> Hand:
    book = state.stakes.get(key, {})
    return Hand(
        key,
        tuple(state.cards.get(key, ())),
        tuple(state.dealt.get(key, ())),
        {kind: book[kind] for kind in STAKES if kind in book},
        {kind: book[kind] for kind in ("tip", "tip_double", "insurance") if kind in book},
        key[0] in state.split_spaces,
        key in state.ace_hands,
        rules.split_naturals,
    )


def _up_index(cards: Sequence[HeldCard]) -> int | None:
    """Place of the faceup card among the dealer's first two."""
    for index, card in enumerate(cards[:2]):
        if card.dealt.face == "up":
            return index
    return None
