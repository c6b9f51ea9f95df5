"""What happened to the stakes of a hand: paid, taken and given back, against what was owed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from verifier.domain.events import AnyEvent, ChipsCollected, ChipsFanned, ChipsReturned, PayoffPlaced
from verifier.engine.chances import UNREAD, dealer_chances, hand_chances, outcome_chances
from verifier.engine.outcomes import (
    LOST,
    PAID,
    DealerState,
    HandFacts,
    Outcome,
    dealer_states,
    possible_outcomes,
)
from verifier.engine.totals import ANY_RANK
from verifier.law import say
from verifier.law.amounts import UNKNOWN, Amount, seen, total
from verifier.law.hands import STAKES, Hand
from verifier.law.lazy import lazy
from verifier.law.rounds import Round
from verifier.law.say import Said
from verifier.law.standing import overdrawn, states_before


@dataclass(frozen=True, eq=False)
class Moved:
    """Chips moved for stakes of some kinds at one place; `back`: what was given back for no mistake."""

    payoffs: tuple[PayoffPlaced, ...]
    collections: tuple[ChipsCollected, ...]
    corrections: tuple[ChipsReturned, ...]
    back: tuple[ChipsReturned, ...] = ()
    fans: tuple[ChipsFanned, ...] = ()
    """What showed a payoff of which nobody saw how much was laid."""

    @lazy
    def paid(self) -> Amount:
        shown = {fan.kind: fan.cents for fan in self.fans}
        return total(seen(shown.get(e.kind)) if e.cents is None else seen(e.cents, e.lower_bound) for e in self.payoffs)

    @lazy
    def taken(self) -> Amount:
        amount = total(seen(e.cents) for e in self.collections)
        return amount.less(total(seen(e.cents) for e in self.corrections)) if self.corrections else amount

    @lazy
    def sign(self) -> int | None:
        """Plus when the player gained, minus when the stake was taken, 0 when nothing moved; None when not known."""
        if not self.collections:
            return 1 if self.payoffs else 0
        taken = self.taken
        if not self.payoffs:
            if taken.high == 0:
                return 0
            return -1 if taken.low > 0 or not self.corrections else None
        paid = self.paid
        if paid.exact and taken.exact:
            return (paid.low > taken.low) - (paid.low < taken.low)
        return None

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        return (*self.payoffs, *self.fans, *self.collections, *self.corrections)

    def text(self) -> Said:
        """Such as `was paid 5.00`, `lost 10.00`, `was neither paid nor collected`."""
        words: list[Said | str] = [say.that("was paid {paid}", paid=self.paid)] if self.payoffs else []
        if self.collections:
            whole = "got its stake back" if self.corrections else "lost its stake"
            words.append(say.that("lost {taken}", taken=self.taken) if self.taken.low else whole)
        if self.back:
            words.append(say.that("had {back} given back", back=total(seen(e.cents) for e in self.back)))
        return say.listed(" and ", words) or say.that("was neither paid nor collected")


def moved(game: Round, hand: Hand, kinds: Iterable[str] = STAKES) -> Moved:
    """Chips moved at a hand for stakes of the given kinds."""
    wanted = tuple(kinds)
    kept = game.memo.get(("moved", hand.key, wanted))
    if isinstance(kept, Moved):
        return kept
    returned = [e for e in game.at(ChipsReturned, hand.key) if e.kind in wanted]
    payoffs = tuple(e for e in game.at(PayoffPlaced, hand.key) if e.kind in wanted)
    result = Moved(
        payoffs,
        tuple(e for e in game.at(ChipsCollected, hand.key) if e.kind in wanted),
        tuple(e for e in returned if hand.corrected_by(e)),
        tuple(e for e in returned if not hand.corrected_by(e)),
        _fans_of_unseen(game, hand, payoffs),
    )
    game.memo["moved", hand.key, wanted] = result
    return result


def _fans_of_unseen(game: Round, hand: Hand, payoffs: Sequence[PayoffPlaced]) -> tuple[ChipsFanned, ...]:
    """Return the fan of each payoff whose amount was not seen, where it is the only payoff of its kind and was fanned
    once.
    """
    found = []
    for laid in (e for e in payoffs if e.cents is None):
        fans = [
            fan
            for fan in game.at(ChipsFanned, hand.key)
            if fan.owner == "payoff" and fan.kind == laid.kind and fan.t_end >= laid.t_end
        ]
        if len(fans) == 1 and fans[0].cents is not None and sum(e.kind == laid.kind for e in payoffs) == 1:
            found.append(fans[0])
    return tuple(found)


def until(actual: Moved, t: float) -> Moved:
    """Return what of it had been moved by a given time."""
    return Moved(
        tuple(e for e in actual.payoffs if e.t_end <= t),
        tuple(e for e in actual.collections if e.t_end <= t),
        tuple(e for e in actual.corrections if e.t_end <= t),
        tuple(e for e in actual.back if e.t_end <= t),
        tuple(e for e in actual.fans if e.t_end <= t),
    )


def fanned(game: Round, hand: Hand, kind: str) -> Amount | None:
    """Return what the fan of a stake showed; None where it was not fanned or not read."""
    owner = "tip" if kind in ("tip", "tip_double") else "wager"
    fans = [e for e in game.at(ChipsFanned, hand.key) if e.owner == owner and e.cents is not None]
    own = [e for e in fans if e.kind == kind]
    alone = len(hand.stakes) == 1 and "insurance" not in hand.tips if owner == "wager" else len(hand.tips) == 1
    own = own or [e for e in fans if e.kind is None and alone]
    stake = hand.stakes.get(kind) or hand.tips.get(kind)
    since = stake.returned_since(own[-1].t_start) if own and stake else Amount(0, 0)
    return seen(own[-1].cents).less(since) if own else None


def stake_of(game: Round, hand: Hand, kind: str) -> Amount:
    """Return a stake as it stands at settlement. A stack that could hide chips is worth what its fan showed."""
    stake = hand.stakes.get(kind) or hand.tips.get(kind)
    if stake is None:
        return UNKNOWN if _unseen(game, hand, kind) else Amount(0, 0)
    return stake.amount if stake.amount.exact else fanned(game, hand, kind) or stake.amount


def _unseen(game: Round, hand: Hand, kind: str) -> bool:
    """Tell whether a stake without a record may have been placed before the log begins, or must have been."""
    if kind in ("original", "split"):
        return (kind == "original") == (hand.key[1] == 0)
    return kind == "tip" and not game.bets_seen


def possible_stakes(game: Round, hand: Hand, kind: str) -> tuple[Amount, ...]:
    """Amounts on which a stake may rightly be settled when it was changed, or exceeds the limit, against the rules.

    The change itself, or the excess not returned, is another clause's finding.
    """
    stake = hand.stakes.get(kind) or hand.tips.get(kind)
    if stake is None:
        return (UNKNOWN,) if _unseen(game, hand, kind) else ()
    found = [stake_of(game, hand, kind)]
    if stake.changed or (stake.amount.exact and fanned(game, hand, kind) not in (None, stake.amount)):
        found += [stake.first, fanned(game, hand, kind) or stake.amount]
    limit, step = min(game.figures.wager_most_cents, game.house.table_limits.max), game.figures.wager_step_cents
    if kind == "original" and found[0].low > limit:
        found.append(Amount(limit, limit))
    if kind == "original" and found[0].exact and found[0].low % step:
        found.append(Amount(found[0].low // step * step, found[0].low // step * step))
    return tuple(dict.fromkeys(found))


def facts(game: Round, hand: Hand) -> HandFacts:
    """How a hand was wagered."""
    first = game.by_key.get((hand.key[0], 0))
    insured = first is not None and "insurance" in first.tips
    return HandFacts(split=hand.split, doubled=hand.doubled, insured=insured, even_money=even_money(game, hand))


def even_money(game: Round, hand: Hand) -> bool:
    """Tell whether a natural took even money: one to one against an ace before the dealer's other card was known."""
    if hand.natural is False or hand.split or hand.doubled or game.dealer.up_ace is False or not game.house.even_money:
        return False
    return game.house.insurance_allowed is not False and paid_early_at_par(game, hand)


def paid_early_at_par(game: Round, hand: Hand) -> bool:
    """Tell whether the original wager was paid one to one before the dealer's second card was known."""
    payoffs = [e for e in game.at(PayoffPlaced, hand.key) if e.kind == "original"]
    if not payoffs or (game.known_t is not None and payoffs[0].t_end > game.known_t):
        return False
    return seen(payoffs[0].cents).equals(stake_of(game, hand, "original")) is not False


def outcomes(game: Round, hand: Hand) -> frozenset[Outcome]:
    """Every outcome of a hand over the possible readings of its and the dealer's cards; empty when none can be told."""
    kept = game.memo.get(("outcomes", hand.key))
    if isinstance(kept, frozenset):
        return kept
    result = _outcomes(game, hand)
    game.memo["outcomes", hand.key] = result
    return result


def _outcomes(game: Round, hand: Hand) -> frozenset[Outcome]:
    wagered = facts(game, hand)
    dealer = game.dealer
    if dealer.up is None or dealer.up_index is None:
        return frozenset({"bust"}) if hand.bust and not wagered.extra else frozenset()
    return possible_outcomes(hand.states, settled_against(game), wagered, game.rules)


def settled_against(game: Round) -> frozenset[DealerState]:
    """Return the dealer's states that decide the money.

    A card that was drawn too much and kept is one mistake: where all chips went by the hand without it, as they should
    (12(10)), that hand decides, else the hand as it was kept.
    """
    if ("states",) not in game.memo:
        before = states_before(game)
        fits = bool(before) and all(_fits(game, hand, before) for hand in game.playing)
        game.memo["states",] = before if fits else _kept_states(game)
    return cast("frozenset[DealerState]", game.memo["states",])


def _kept_states(game: Round) -> frozenset[DealerState]:
    dealer = game.dealer
    assert dealer.up is not None
    return dealer.states or dealer_states([dealer.up.ranks, ANY_RANK], 0)


def _fits(game: Round, hand: Hand, states: frozenset[DealerState]) -> bool:
    possible = possible_outcomes(hand.states, states, facts(game, hand), game.rules)
    return moved(game, hand).sign in {expected_sign(hand, outcome) for outcome in possible}


LEAST_SURE = 0.9
"""A violation that the readings of the cards make less probable than this is left open (policy of this project)."""


def odds(game: Round, hand: Hand) -> dict[Outcome, float]:
    """Chance of each outcome of a hand by the readings of its and the dealer's cards; empty where none can be told."""
    dealer = game.dealer
    if dealer.up is None or dealer.up_index is None or not hand.cards:
        return {}
    own = hand_chances([card.chances for card in hand.cards], split=hand.split)
    before = overdrawn(game) if settled_against(game) == states_before(game) else None
    cards = [card.chances for card in before or dealer.cards]
    kept = dealer_chances(cards if len(cards) > 1 else [*cards, UNREAD], dealer.up_index)
    return outcome_chances(own, kept, facts(game, hand), game.rules)


def expected_sign(hand: Hand, outcome: Outcome) -> int:
    """Which way the chips of a hand should go: 1 paid, -1 collected, 0 neither."""
    if outcome in PAID:
        return 1
    if outcome == "natural_loss":
        return -1 if hand.key[1] == 0 else 0
    return -1 if outcome in LOST else 0


def right_way(game: Round, hand: Hand) -> bool:
    """Tell whether a hand's chips may have gone the way that its cards demand; a wrong way is the money checks'
    finding.
    """
    possible = outcomes(game, hand)
    return not possible or moved(game, hand).sign in {None, *(expected_sign(hand, o) for o in possible)}


def owed(game: Round, hand: Hand, outcome: Outcome) -> tuple[Amount, ...]:
    """Amounts that settle a hand rightly under an outcome, whichever way they go."""
    if outcome in ("push", "natural_push"):
        return (Amount(0, 0),)
    first = "original" if hand.key[1] == 0 else "split"
    if outcome == "natural":
        odds_paid = game.rules.natural_odds
        stakes = possible_stakes(game, hand, first)
        return tuple(a.times(*odds_paid) for a in stakes) if odds_paid else (UNKNOWN,)
    if outcome in ("natural_loss", "even_money"):
        return possible_stakes(game, hand, "original") or (Amount(0, 0),)
    doubles = possible_stakes(game, hand, "double") or (Amount(0, 0),)
    return tuple(base + double for base in possible_stakes(game, hand, first) for double in doubles)


def counted_as_taken(game: Round, hand: Hand, top: int) -> bool:
    """Tell whether a stack that was never spread was counted as it was collected, and was no more than the most."""
    taken = [e.cents for e in game.at(ChipsCollected, hand.key) if e.kind == "original"]
    return bool(taken) and None not in taken and sum(cents or 0 for cents in taken) <= top
