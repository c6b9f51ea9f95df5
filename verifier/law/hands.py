"""Typed views of a round's hands, stakes and the dealer's cards, as the checks read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from verifier.domain.events import CardBurned, CardDealt, CardRevealed, ChipsReturned, WagerChanged, WagerPlaced
from verifier.domain.places import Place, space
from verifier.engine.chances import Chances, rank_chances
from verifier.engine.outcomes import DealerState, HandState, dealer_states, hand_states
from verifier.engine.totals import LIMIT, TEN_COUNTS, RankSet, Total, possible_totals
from verifier.law import say
from verifier.law.amounts import Amount, seen, total
from verifier.law.lazy import lazy
from verifier.law.say import Said

HandKey = tuple[int, int]
"""Betting space 1..7 and split hand 0..3."""
STAKES = ("original", "split", "double")
"""Kinds of stake that are won or lost with the hand, tips and insurance left out."""
SETTLED_BACK = ("void", "surrender")
"""Reasons of chips that went back as their hand was settled: until then they were at stake."""


@lru_cache(maxsize=256)
def hand_key(place: str) -> HandKey | None:
    """Space and hand of a place such as `space:3/1`; None for any other place."""
    parsed = Place.parse(place)
    return (parsed.number, parsed.hand) if parsed.is_space else None


def space_of(place: str) -> int | None:
    """Return the betting space of a place such as `space:3/1`; None for any other place."""
    key = hand_key(place)
    return None if key is None else key[0]


@dataclass(frozen=True, eq=False)
class HeldCard:
    """A card in a hand: how it came, and the ranks that it may have."""

    dealt: CardDealt
    ranks: RankSet
    text: str
    revealed: CardRevealed | None = None

    @property
    def t(self) -> float:
        return self.dealt.t_end

    @property
    def hidden(self) -> bool:
        """Whether it lies face down and was not turned."""
        return self.revealed is None and self.dealt.face == "down"

    @property
    def chances(self) -> Chances:
        """How probable each of its ranks is by its reading."""
        rank = None if self.text[0] == "?" else self.text[0]
        return rank_chances(rank, (self.revealed or self.dealt).ranks)


@dataclass(frozen=True, eq=False)
class Stake:
    """The records of one stake."""

    placed: tuple[WagerPlaced, ...] = ()
    changed: tuple[WagerChanged, ...] = ()
    returned: tuple[ChipsReturned, ...] = ()

    @lazy
    def first(self) -> Amount:
        """Its amount as it was placed."""
        low, high = 0, 0
        open_ended = not self.placed
        for event in self.placed:
            part = seen(event.cents, event.lower_bound)
            low += part.low
            open_ended = open_ended or part.high is None
            high += part.high or 0
        return Amount(low, None if open_ended else high)

    @property
    def given_back(self) -> bool:
        """Whether all of it went back to the player, as a wager that may not be played."""
        return any(event.reason not in SETTLED_BACK for event in self.returned) and self.amount.high == 0

    def at_first_card(self, t: float) -> Amount:
        """Its amount when the first card lay, at `t` seconds; what was changed later is left out."""
        changed = [event for event in self.changed if event.t_end <= t]
        return seen(changed[-1].cents_after) if changed else self.first

    def returned_since(self, t: float) -> Amount:
        """Return how much of the stake went back, other than as it was settled, from a moment on."""
        return total(seen(e.cents) for e in self.returned if e.reason not in SETTLED_BACK and e.t_start >= t)

    @property
    def improper(self) -> bool:
        """Whether its amount is one that no original wager may have (08-09(1)): under a dollar, or no whole dollars."""
        return self.first.exact and (self.first.low < 100 or self.first.low % 100 != 0)

    @lazy
    def amount(self) -> Amount:
        """Its amount after changes and returned excess; a change that tells of returned chips is the same act."""
        back = [event for event in self.returned if event.reason not in SETTLED_BACK]
        if not self.changed:
            return self.first.less(total(seen(event.cents) for event in back))
        last = self.changed[-1]
        later = total(seen(event.cents) for event in back if event.t_end > last.t_end)
        left = seen(last.cents_after).less(later)
        if last.cents_after is None or not later.low or not later.exact:
            return left
        if last.cents_before is None:  # nobody saw whether the chips that went back were those of the change
            return Amount(left.low, last.cents_after)
        return seen(last.cents_after) if later.low == last.cents_before - last.cents_after else left


@dataclass(frozen=True, eq=False)
class Hand:
    """A player's hand; cards that were burned out of it are left out of `cards` but not of `dealt`."""

    key: HandKey
    cards: tuple[HeldCard, ...]
    dealt: tuple[CardDealt, ...]
    stakes: dict[str, Stake]
    tips: dict[str, Stake]
    split: bool
    ace_split: bool
    split_naturals: bool = False

    @lazy
    def place(self) -> str:
        return space(*self.key)

    @lazy
    def totals(self) -> frozenset[Total]:
        return possible_totals([card.ranks for card in self.cards])

    @lazy
    def states(self) -> frozenset[HandState]:
        return hand_states([card.ranks for card in self.cards], split=self.split and not self.split_naturals)

    @lazy
    def bust(self) -> bool | None:
        """Tell whether it is over 21; None when that depends on a card that was not read."""
        return _agree(total.best > LIMIT for total in self.totals)

    @lazy
    def natural(self) -> bool | None:
        """Tell whether its two original cards are a natural (never after a split)."""
        return _agree(state.natural for state in self.states)

    @property
    def doubled(self) -> bool:
        return "double" in self.stakes

    def corrected_by(self, event: ChipsReturned) -> bool:
        """Tell whether chips that went back put a wrong settlement right; an improper wager goes back by law
        (12(11)).
        """
        gave_back = any(event in stake.returned for stake in (*self.stakes.values(), *self.tips.values()))
        return event.reason == "error" and not gave_back

    @lazy
    def has_wager(self) -> bool:
        return any(not stake.given_back for stake in self.stakes.values())

    def text(self) -> Said:
        """Its cards and total, for example `10-7 = 17`."""
        return self._text

    @lazy
    def _text(self) -> Said:
        return cards_text(self.cards, self.totals)


@dataclass(frozen=True, eq=False)
class Dealer:
    """The dealer's kept cards, first the initial two; `burned` are cards taken out of the hand again."""

    cards: tuple[HeldCard, ...]
    burned: tuple[tuple[HeldCard, CardBurned], ...]
    up_index: int | None

    @property
    def up(self) -> HeldCard | None:
        """The card that lies face up from the deal; None where there is none."""
        return None if self.up_index is None else self.cards[self.up_index]

    @lazy
    def totals(self) -> frozenset[Total]:
        return possible_totals([card.ranks for card in self.cards])

    @lazy
    def states(self) -> frozenset[DealerState]:
        if self.up_index is None or len(self.cards) < 2:
            return frozenset()
        return dealer_states([card.ranks for card in self.cards], self.up_index)

    @lazy
    def natural(self) -> bool | None:
        """Tell whether the first two kept cards are a natural; None when it depends on an unread card."""
        return _agree(state.natural for state in self.states) if self.states else None

    @lazy
    def up_high(self) -> bool | None:
        """Tell whether the faceup card is an ace or a ten-count."""
        return None if self.up is None else _agree(rank == "A" or rank in TEN_COUNTS for rank in self.up.ranks)

    @lazy
    def up_ace(self) -> bool | None:
        return None if self.up is None else _agree(rank == "A" for rank in self.up.ranks)

    def text(self) -> Said:
        """Return the kept cards and total, for example `dealer 10-6-5 = 21`."""
        return self._text

    @lazy
    def _text(self) -> Said:
        return cards_text(self.cards, self.totals, of_dealer=True)


def cards_text(cards: Iterable[HeldCard], totals: frozenset[Total], *, of_dealer: bool = False) -> Said:
    """Cards and total: `10-6-5 = 21`, `A-? = 12 to 21`."""
    names = [rank_text(card.ranks) for card in cards]
    best = sorted({total.best for total in totals}) if names else []
    return say.cards(names, best[0] if best else None, best[-1] if best else None, of_dealer=of_dealer)


def rank_text(ranks: RankSet) -> str:
    """`10` for a ten, `K` for a king, `?` for a card that was not read."""
    if len(ranks) != 1:
        return "?"
    (rank,) = ranks
    return "10" if rank == "T" else rank


def _agree(values: Iterable[bool | None]) -> bool | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None


agree = _agree
"""True or False when all values are, None when they differ or there are none."""


def any_of(values: Iterable[bool | None]) -> bool | None:
    """Tell whether one of several is True; None where none is but one may be."""
    found = set(values)
    return True if True in found else (None if None in found else False)
