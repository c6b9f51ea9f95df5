"""Rounds of the Washington proposals: a player deals and banks, covers every wager, and pays naturals from the left.

A recording ends with its shoe, or the deal passes to the player at the left for another one. Insurance and splits are
not performed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

import msgspec

from verifier.domain import events
from verifier.domain.errors import BadInput
from verifier.domain.house import House, TableLimits
from verifier.domain.rulebooks import Rulebook
from verifier.engine.outcomes import LOST, TIED, outcome
from verifier.engine.totals import Total, hand_total
from verifier.simulate.play import opening, shift
from verifier.simulate.play import washington_clauses as wa
from verifier.simulate.play.hands_in_play import HandInPlay, Shoe, change, decide
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.performer import play_round
from verifier.simulate.play.script import TwentyOneWriter
from verifier.simulate.play.steps import (
    AnyStep,
    ChangeWager,
    Cover,
    CoverBack,
    Deal,
    DealerStands,
    EndRound,
    Omitted,
    PayCover,
    Peek,
    PlaceWager,
    PlayersTakeBack,
    Reveal,
    RoundScript,
    TakeBoth,
    TakeCards,
    Tie,
    TouchCard,
    TurnDown,
)
from verifier.simulate.play.writer import NotStagedError

BANK_CENTS: Final = 200_000
"""More than a shoe's wagers can win, so that no wager is frozen."""
_DECKS: Final = {"wa-blackjack-a": 6, "wa-blackjack-b": 2}
_TRIES: Final = 4000
_ADDED_CENTS: Final = 500
_OVER_MOST_CENTS: Final = 10_000
"""One chip that is more than the most that may be wagered, so that it shows from above."""
_UNCOVERED_PAUSES: Final = 3
"""Pauses in which a wager stays uncovered, planted, before the next player wagers."""


def washington_house(rng: random.Random, rulebook: Rulebook, spaces: int) -> House:
    """House rules of a card room; the dealer/banker sits at the seat after the last space's."""
    return House(
        rulebook=rulebook,
        deck_count=_DECKS[rulebook],
        hit_soft_17=rng.random() < 0.3,
        insurance_allowed=False,
        table_limits=TableLimits(min=100, max=2500),
        wa_min_bank=10_000,
        wa_multi_hand=False,
        wa_bank_topup=True,
        wa_resplit=False,
        wa_double_allowed=True,
        seats=[f"seat:{number}" for number in range(1, spaces + 2)],
    )


class WashingtonWriter(TwentyOneWriter):
    """Writes one round, lawful or with breaches of clauses that `washington_clauses` names."""

    def write(self) -> RoundScript:
        """Return the script. Raises NotStagedError when these cards cannot show the breach or are not performed."""
        self._wagers()
        self._first_cards()
        self._touched()
        looks = self._look()
        if looks and self.state().natural:
            self.steps.append(Reveal(card=self.dealer[1]))
        else:
            self._play(known=looks or self.up_low)
        self._settle()
        places = [hand.place for hand in reversed(self.hands) if not hand.held]
        self.steps += [TakeCards(places=[*places, "dealer"]), EndRound(), PlayersTakeBack()]
        if self.waiting:
            raise NotStagedError
        return RoundScript(steps=self.steps, dealer_cards=self.dealer, outcomes=self.outcomes)

    def _wagers(self) -> None:
        """Players wager from the left, and the dealer/banker covers each wager at once."""
        most = self.rng.choice(self.hands) if self.breaks(wa.OVER_MOST) else None
        if most is not None:
            most.stakes["original"] = [_OVER_MOST_CENTS]
        pairs: list[list[AnyStep]] = []
        for hand in self.hands:
            chips = hand.stakes["original"]
            pairs.append([PlaceWager(at=hand.place, kind="original", chips=chips), Cover(at=hand.place, chips=chips)])
        if most is not None:
            own = pairs[self.hands.index(most)]
            own[0] = msgspec.structs.replace(own[0], clause=self.broken(wa.OVER_MOST))
        number = self.rng.randrange(len(pairs) - 1) if len(pairs) > 1 else 0
        if self.breaks(wa.WAGER_ORDER) and len(pairs) > 1:
            (wager, _), after = pairs[number], pairs[number + 1]
            pairs[number : number + 2] = [after, pairs[number]]
            pairs[number + 1][0] = msgspec.structs.replace(wager, clause=self.broken(wa.WAGER_ORDER))
        elif self.breaks(wa.MATCH) and len(pairs) > 1:
            late = msgspec.structs.replace(pairs[number].pop(), clause=self.broken(wa.MATCH))
            pairs[number] += [Omitted(at=None)] * _UNCOVERED_PAUSES
            pairs[number + 1].insert(1, late)
        elif self.breaks(wa.UNCOVERED):
            self.bare = self.hands[number].place
            pairs[number][1] = Omitted(at=self.bare, clause=self.broken(wa.UNCOVERED))
        self.steps += [step for pair in pairs for step in pair]

    bare = ""
    """A place whose wager is not covered."""

    def _touched(self) -> None:
        """Let players touch, planted, what they ought not to, between the deal and the decisions."""
        hand = self.rng.choice(self.hands)
        if self.breaks(wa.CARD_LIFTED):
            self.steps.append(TouchCard(at=hand.place, clause=self.broken(wa.CARD_LIFTED)))
        if self.breaks(wa.WAGER_CHANGED):
            if sum(hand.stakes["original"]) + _ADDED_CENTS > self.house.table_limits.max:
                raise NotStagedError
            self.must_lose.add(hand.place)
            self.steps.append(ChangeWager(at=hand.place, add=_ADDED_CENTS, clause=self.broken(wa.WAGER_CHANGED)))

    @cached_property
    def must_lose(self) -> set[str]:
        """Places that a breach needs to lose, so that nothing else is wrong there."""
        return {self.bare} - {""}

    def _look(self) -> bool:
        """Let the dealer/banker look at the down card: by proposal B always with an ace or ten-count up."""
        if self.up_low:
            return False
        if self.breaks(wa.NO_LOOK) and not self.state().natural:
            self.steps.append(Omitted(at="dealer", clause=self.broken(wa.NO_LOOK)))
            return False
        if self.house.rulebook == "wa-blackjack-b" or self.rng.random() < 0.5:
            self.steps.append(Peek())
            return True
        return False

    def _play(self, *, known: bool) -> None:
        """Naturals where the dealer surely has none, the players from the left, and the dealer's own hand."""
        naturals = [hand for hand in self.hands if hand.natural] if known else []
        clause = None
        if self.breaks(wa.NATURALS_RIGHT) and len(naturals) > 1:
            naturals, clause = naturals[::-1], self.broken(wa.NATURALS_RIGHT)
        for number, hand in enumerate(naturals):
            self._pay(hand, clause if number == 1 else None)
        for hand in self._turns():
            self._turn(hand)
        over = all(hand.done for hand in self.hands)
        if over and (self.up_low or not any(hand.natural for hand in self.hands)):
            return
        self.steps.append(Reveal(card=self.dealer[1]))  # shows, too, that a natural that was paid was no tie
        if over:
            return
        if any(not hand.done and not hand.natural for hand in self.hands):
            self._draw()
        self.steps.append(DealerStands())

    def _draw(self) -> None:
        """Draw to seventeen, or, planted, stop before."""
        while self.rules.must_draw(self.dealer_total, len(self.dealer)):
            if self.breaks(wa.STANDS_LOW) and 12 <= self.dealer_total.best <= 16:
                self.steps.append(Omitted(at="dealer", clause=self.broken(wa.STANDS_LOW)))
                return
            self.deal(None)

    @property
    def dealer_total(self) -> Total:
        """What the dealer/banker's cards count."""
        return hand_total([card.rank or "?" for card in self.dealer])

    def _turns(self) -> Iterator[HandInPlay]:
        """Yield the hands that decide, from the left; planted, a hand that draws after the one at its left did."""
        playing = [hand for hand in self.hands if not hand.natural]
        for hand, after in zip(playing, [*playing, None][1:], strict=True):
            if hand in self.early:
                continue
            if after is not None and self.breaks(wa.PLAY_RIGHT):
                before = len(after.cards)
                self.early.append(after)
                marked = len(self.steps)
                yield after
                own = len(hand.cards)
                yield hand
                if len(after.cards) == before or len(hand.cards) == own:
                    raise NotStagedError
                first = next(i for i in range(marked, len(self.steps)) if isinstance(self.steps[i], Deal))
                self.steps[first] = msgspec.structs.replace(self.steps[first], clause=self.broken(wa.PLAY_RIGHT))
            else:
                yield hand

    @cached_property
    def early(self) -> list[HandInPlay]:
        """Hands that decided before their turn."""
        return []

    def _turn(self, hand: HandInPlay) -> None:
        while not hand.doubled:
            choice = decide(hand, self.up, self.rng, self.temper(hand.order[0]), split=False)
            if choice == "stand":
                return
            if choice == "double":
                self._double(hand)
            self.deal(hand)
            if hand.doubled and not hand.total.bust and self.breaks(wa.DOUBLE_DRAWS):
                self.deal(hand, clause=self.broken(wa.DOUBLE_DRAWS))
            if hand.total.bust:
                self._bust(hand)
                return

    def _double(self, hand: HandInPlay) -> None:
        if hand.place in self.must_lose:
            raise NotStagedError
        hand.doubled = True
        chips = hand.stakes["original"]
        self.place(hand, PlaceWager(at=hand.place, kind="double", chips=[*chips]))
        if self.breaks(wa.DOUBLE_BARE):
            self.must_lose.add(hand.place)
            self.steps.append(Omitted(at=hand.place, clause=self.broken(wa.DOUBLE_BARE)))
        else:
            self.steps.append(Cover(at=hand.place, chips=[*chips]))

    def _bust(self, hand: HandInPlay) -> None:
        hand.done = hand.held = True
        self.outcomes[hand.place] = "bust"
        taken: list[AnyStep] = [TakeBoth(at=hand.place), TakeCards(places=[hand.place])]
        down = TurnDown(at=hand.place)
        if self.breaks(wa.NOT_TURNED_DOWN):
            self.steps.append(Omitted(at=hand.place, clause=self.broken(wa.NOT_TURNED_DOWN)))
            self.steps += taken
        else:
            self.steps += [down, *taken]

    def _pay(self, hand: HandInPlay, clause: str | None = None) -> None:
        if hand.place in self.must_lose:
            raise NotStagedError
        extra = change(sum(hand.stakes["original"]) // 2) if hand.natural else []
        if extra and clause is None and self.breaks(wa.NATURAL_EVEN) and self._goes_on(hand):
            extra, clause = [], self.broken(wa.NATURAL_EVEN)
        self.steps.append(PayCover(at=hand.place, extra=extra, clause=clause))
        hand.done = True
        self.outcomes[hand.place] = "natural" if hand.natural else "win"

    def _goes_on(self, paid: HandInPlay) -> bool:
        """Tell whether others still decide, so that a natural that was paid less was not paid at the hand's end."""
        return any(not hand.done and not hand.natural for hand in self.hands if hand is not paid)

    def _settle(self) -> None:
        for hand in [hand for hand in self.hands if not hand.done]:
            result = outcome(hand.state, self.state(), hand.facts, self.rules)
            if hand.place in self.must_lose and result not in LOST:
                raise NotStagedError
            self.outcomes[hand.place] = result
            clause = self._wrongly(hand, result)
            if clause:
                self._settle_wrongly(hand, result, clause)
            elif result in LOST:
                self.steps.append(TakeBoth(at=hand.place))
            elif result in TIED:
                self.steps += [Tie(at=hand.place), CoverBack(at=hand.place)]
            else:
                self._pay(hand)

    def _wrongly(self, hand: HandInPlay, result: str) -> str | None:
        """Return the clause that is broken as a hand is settled against its cards; None where it is settled rightly."""
        if hand.place in self.must_lose or hand.natural:
            return None
        dealer = self.state()
        fits = {
            wa.TIE_TAKEN: result in TIED,
            wa.DEALER_NATURAL: dealer.natural and result in LOST,
            wa.DEALER_BUST: dealer.bust and result not in LOST and result not in TIED,
            wa.WRONG_WINNER: not dealer.natural and not dealer.bust and result not in TIED,
        }
        clause = next((clause for clause, right in fits.items() if right and self.breaks(clause)), None)
        return None if clause is None else self.broken(clause)

    def _settle_wrongly(self, hand: HandInPlay, result: str, clause: str) -> None:
        """Pay a loser, take a winner or a tie; let be what a natural beats, and who wins by a bust."""
        if clause in (wa.DEALER_NATURAL, wa.DEALER_BUST):
            self.steps.append(CoverBack(at=hand.place, clause=clause))
        elif result in LOST:
            self.steps.append(PayCover(at=hand.place, clause=clause))
        else:
            self.steps.append(TakeBoth(at=hand.place, clause=clause))


class WashingtonSession:
    """Players' shoes: the bank is announced, the cards shuffled and cut, and hands dealt till the blank card.

    Then the deal passes to the player at the left, who comes to the dealer's place.
    """

    def __init__(self, table: OnLayout, rng: random.Random, rounds: int, wanted: Sequence[str] = ()) -> None:
        self.table, self.rng, self.rounds, self.wanted = table, rng, rounds, [*wanted]
        self.seats = table.house.seats or ["seat:1"]
        self.slots: list[list[str]] = [[] for _ in range(max(rounds, 1))]
        order = rng.sample(range(len(self.slots)), len(self.slots))
        planted = [clause for clause in wanted if clause not in wa.SESSION]
        for number, clause in enumerate(planted):
            self.slots[order[number % len(order)]].append(clause)
        self.shoe = Shoe(rng, table.house.deck_count or 2)
        self.done = 0
        table.stage.dealer_name = self.seats[-1]

    def run(self, shoes: int = 1) -> None:
        """Perform everything in the order of time: the rounds of one shoe, or of `shoes` with as many rounds each."""
        table, stage = self.table, self.table.stage
        table.pause(0.6, 1.2)
        stage.note(events.DealerShift, table.now, table.now + 0.3, phase="start")
        for number in range(shoes):
            if number:
                self._next_shoe()
            self._bank_and_shuffle()
            for _ in range(self.rounds if number == shoes - 1 else max(1, self.rounds // shoes)):
                if table.indicator_out is not None or self.done >= self.rounds:
                    break
                self._round()
        if any(self.slots[self.done :]):
            raise BadInput("--deviate", "the shoe ended before everything was planted", "take fewer rounds")

    def _round(self) -> None:
        script = self._script(self.slots[self.done])
        self.done += 1
        play_round(self.table, script, self.done, 1)
        self.table.pause(0.3, 1.0)

    def _bank_and_shuffle(self) -> None:
        table, stage = self.table, self.table.stage
        stage.note(events.BankChanged, table.now + 0.3, table.now + 0.9, action="announced", cents=BANK_CENTS)
        table.now += 1.0
        behind = self.shoe.remaining // 4
        opening.shuffle(table, self.shoe, behind=(behind - 4, behind + 4))
        table.to_indicator, table.left_in_shoe = self.shoe.remaining - behind, behind

    def _next_shoe(self) -> None:
        """Pass the bank and the deal to the left, or let the same player, planted, deal another shoe."""
        table, stage = self.table, self.table.stage
        table.now = max(table.now, table.left.free, table.right.free) + 0.5
        if table.indicator_out is not None:
            opening.put_away_indicator(table)
        begin = table.now
        stage.shoe += 1
        stage.seq = 0
        self.shoe.become(Shoe(self.rng, table.house.deck_count or 2))
        if wa.TWO_SHOES in self.wanted:
            stage.deviate(wa.TWO_SHOES, None, begin, begin + 1.0)
            return
        after = self.seats[(self.seats.index(stage.dealer_name) + 1) % len(self.seats)]
        stage.note(events.BankChanged, begin, begin + 0.2, action="passed", cents=None, to=after)
        shift.change_places(table, after)

    def _script(self, planted: Sequence[str]) -> RoundScript:
        plan, house = self.table.stage.plan, self.table.house
        for _ in range(_TRIES):
            trial = self.shoe.copy()
            trial.reorder(self.rng)
            writer = WashingtonWriter(trial, self.rng, house, plan, tuple(plan.spaces), [*planted])
            try:
                script = writer.write()
            except NotStagedError:
                continue
            self.shoe.become(trial)
            return script
        what = " and ".join(planted) or "a lawful round"
        raise BadInput("--deviate", f"{what} cannot be staged with these cards", "take another seed or more spaces")
