"""Writes the script of a round: cards, decisions, outcomes and settlement, lawful or with planted breaches."""

from __future__ import annotations

from verifier.simulate.play import breaches, clauses, decisions, ending, mistakes, odd, plants
from verifier.simulate.play.hands_in_play import HandInPlay
from verifier.simulate.play.steps import ChangeWager, Reveal, RoundScript, StartRound, TouchCard
from verifier.simulate.play.writer import NotStagedError, RoundWriter


class TwentyOneWriter(RoundWriter):
    """Writes one round of twenty-one."""

    def write(self) -> RoundScript:
        """Return the script. Raises NotStagedError when these cards cannot show the breach or are not performed."""
        decisions.place_wagers(self)
        self._first_cards()
        decisions.offer_insurance(self)
        ending.pay_early_naturals(self)
        if not ending.reader_finds_natural(self):
            self._between()
            decisions.play_hands(self)
        ending.finish(self)
        for clause in [clause for clause in self.waiting if clause in plants.PLANTS]:
            if plants.PLANTS[clause](self, clause):
                self.broken(clause)
        if self.waiting:
            raise NotStagedError
        return RoundScript(steps=self.steps, dealer_cards=self.dealer, outcomes=self.outcomes)

    def _first_cards(self) -> None:
        self.steps.append(StartRound())
        order: list[HandInPlay | None] = [*self.hands, None]
        first, marked, clause = breaches.first_pass(self, order)
        mistakes.card_to_vacant_space(self)
        odd.card_to_vacant_space(self)
        for number, hand in enumerate(first):
            down = hand is None and self.rules.both_down
            self.deal(hand, face_down=down, clause=clause if number == marked else None)
        for hand in order:
            if hand is not None:
                self.deal(hand)
            elif not self.no_hole:
                self.deal(None, face_down=True)
        if self.rules.both_down:
            self.steps.append(Reveal(card=self.dealer[0], index=0))

    def _between(self) -> None:
        """Breaches by players between the deal and the decisions."""
        if self.breaks(clauses.WAGER_CHANGED):
            hand = self.any_hand(insured=False)
            add = self.rng.choice((500, 500, 100, 2500))
            if sum(hand.stakes["original"]) + add > self.house.table_limits.max:
                raise NotStagedError
            hand.stakes["original"] = [*hand.stakes["original"], add]
            self.steps.append(ChangeWager(at=hand.place, add=add, clause=self.broken(clauses.WAGER_CHANGED)))
        if self.breaks(clauses.CHIP_REMOVED):
            hand = self.any_hand(insured=False)
            chips = sorted(hand.stakes["original"], reverse=True)
            if len(chips) < 2:
                raise NotStagedError
            hand.stakes["original"] = chips[:-1]
            self.steps.append(ChangeWager(at=hand.place, add=-chips[-1], clause=self.broken(clauses.CHIP_REMOVED)))
        if self.breaks(clauses.CARD_TOUCHED):
            hand = self.any_hand()
            self.steps.append(TouchCard(at=hand.place, clause=self.broken(clauses.CARD_TOUCHED)))
