"""Plays rounds of the Washington proposals, from their text alone, as records of a log."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from law_build import Log
from manual_build import RANKS, Hand, numbered, points
from touching import touching

from verifier.law.judge import judge

HOUSE: dict[str, Any] = {
    "deck_count": 2, "hit_soft_17": False, "table_limits": {"min": 100, "max": 2500}, "insurance_allowed": True,
    "wa_min_bank": 10000, "wa_multi_hand": False, "wa_bank_topup": True, "wa_resplit": True,
    "wa_double_allowed": True, "seats": ["seat:1", "seat:2", "seat:4", "seat:5", "seat:6"],
}  # fmt: skip


class Washington:
    """A table by a proposal (`version` a or b); `play` plays a round with given cards and decisions by place."""

    def __init__(
        self, version: str = "a", *, bank: int = 20000, seed: int = 1, full: bool = True, **house: Any
    ) -> None:
        self.version, self.bank, self.full = version, bank, full
        self.log = Log()
        self.log.house = {k: v for k, v in {**HOUSE, **house}.items() if v is not None}
        self.rng, self.number = random.Random(seed), 0
        self.log.dealer = self.log.house["seats"][1]
        self.deck: list[str] = []

    def clockwise(self) -> list[str]:
        seats: list[str] = self.log.house["seats"]
        place = seats.index(str(self.log.dealer))
        return [*seats[place + 1 :], *seats[:place]]

    def opening(self, first: bool = True) -> Washington:
        log = self.log
        if first and self.full:
            log.add("table_state", state="open")
            for seat in log.house["seats"]:
                log.add("cut", by=seat)
        if not first:
            log.add("bank_changed", action="passed", cents=None, to=self.next)
            log.add("dealer_shift", phase="end")
            log.dealer = self.next
        log.add("dealer_shift", phase="start")
        log.add("bank_changed", action="announced", cents=self.bank)
        log.shoe, log.seq = (log.shoe or 0) + 1, 0
        log.add("shuffle", 60.0, method="hand", scope="all")
        log.add("cut", by=self.clockwise()[-1])
        decks = log.house.get("deck_count") or 2
        log.add("indicator_card", action="inserted", cards_remaining=13 * decks)
        self.deck = [r + s for r in RANKS for s in "shdc"] * decks
        self.rng.shuffle(self.deck)
        self.blank = 13 * decks
        self.out = False
        return self

    def pass_on(self, bank: int = 20000, skip: Sequence[str] = ()) -> Washington:
        """The deal passes to the left neighbour, but for those who decline it."""
        for seat in skip:
            self.log.add("player_presence", phase="pass_deal", at=[seat])
        self.next = next(seat for seat in self.clockwise() if seat not in skip)
        self.bank = bank
        return self.opening(first=False)

    def deal(self, to: str, face: str = "up") -> str:
        card = self.deck.pop(0)
        if not self.deck:
            self.log.add("shuffle", 30.0, method="hand", scope="discards")
            self.deck = [r + s for r in RANKS for s in "shdc"]
            self.rng.shuffle(self.deck)
        self.log.seq += 1
        self.log.add("card_dealt", card=card if face == "up" else "??", to=to, face=face, seq=self.log.seq)
        if len(self.deck) <= self.blank and not self.out:
            self.log.add("indicator_card", action="appeared", cards_remaining=len(self.deck))
            self.out = True
        return card

    def cover(self, hand: Hand, cents: int) -> int:
        cents = min(cents, self.bank)
        if cents:
            self.log.add("wager_covered", at=hand.at, cents=cents)
            self.bank -= cents
            self.covers[hand.at] = self.covers.get(hand.at, 0) + cents
        return cents

    def play(
        self,
        cards: str = "",
        stakes: dict[int, int] | None = None,
        choices: dict[str, str] | None = None,
        insured: Sequence[int] = (),
        peek: bool | None = None,
    ) -> Washington:
        """One round. `choices`: place to the decisions of that hand (`hit stand double split`)."""
        if not self.deck:
            self.opening()
        self.deck = cards.split() + self.deck
        self.number += 1
        log = self.log
        log.round = self.number
        self.plan = {at: words.split() for at, words in (choices or {}).items()}
        self.random, self.covers = choices is None, {}
        self.hands: list[Hand] = []
        for space, cents in sorted((stakes or {1: 1000, 3: 500}).items()):
            hand = Hand(f"space:{space}", cents)
            log.add("wager_placed", kind="original", at=hand.at, cents=cents)
            if self.bank == 0:
                log.add("chips_returned", kind="original", at=hand.at, cents=cents, reason="void")
                continue
            covered = self.cover(hand, cents)
            if covered < cents:
                log.add("chips_returned", kind="original", at=hand.at, cents=cents - covered, reason="excess")
                hand.stake = covered
            self.hands.append(hand)
        log.add("round_started", 0.1)
        self.dealer: list[str] = []
        for face in ("up", "down"):
            for hand in self.hands:
                hand.cards.append(self.deal(hand.at))
            self.dealer.append(self.deal("dealer", face))
        self.up, self.natural = points(self.dealer[:1])[0], points(self.dealer)[0] == 21
        self.insure(insured)
        looks = self.up >= 10 and (self.version == "b" or (self.rng.random() < 0.5 if peek is None else peek))
        if looks:
            log.add("hole_card_check", how="peek")
        self.frozen: list[Hand] = []
        if looks and self.natural:
            self.reveal()
        else:
            if looks or self.up < 10:
                self.pay_naturals()
            for hand in list(self.hands):
                self.turn(hand)
            self.dealers_turn()
        self.settle()
        log.add("round_ended", 0.1)
        log.round = None
        return self

    def insure(self, insured: Sequence[int]) -> None:
        self.insurance: dict[str, int] = {}
        if self.up == 11 and self.log.house.get("insurance_allowed"):
            for hand in self.hands:
                if self.bank < hand.stake + 2 * sum(self.insurance.values()):
                    continue
                if int(hand.at[6]) in insured or (self.random and self.rng.random() < 0.4 and hand.stake % 100 == 0):
                    self.insurance[hand.at] = hand.stake // 2
                    self.log.add("wager_placed", kind="insurance", at=hand.at, cents=hand.stake // 2)

    def natural_of(self, hand: Hand) -> bool:
        return len(hand.cards) == 2 and points(hand.cards)[0] == 21

    def pay_naturals(self) -> None:
        for hand in [h for h in self.hands if self.natural_of(h) and not h.gone and not h.double]:
            self.pay_natural(hand)

    def pay_natural(self, hand: Hand) -> None:
        extra = hand.stake * 3 // 2 - self.covers.get(hand.at, 0)
        if extra > self.bank:
            if hand not in self.frozen:
                self.frozen.append(hand)
            return
        self.pay(hand, hand.stake * 3 // 2)

    def pay(self, hand: Hand, cents: int) -> None:
        kind = "split" if "/" in hand.at else "original"
        self.log.add("payoff_placed", kind=kind, at=hand.at, cents=cents)
        self.bank -= cents - self.covers.pop(hand.at, 0)
        hand.gone = True

    def choice(self, hand: Hand) -> str:
        if self.plan.get(hand.at):
            return self.plan[hand.at].pop(0)
        if not self.random:
            return "stand"
        house, total = self.log.house, points(hand.cards)[0]
        can = ["hit", "hit", "stand"] if total < 17 else ["stand"]
        if len(hand.cards) == 2 and total < 21 and self.bank >= hand.stake:
            can += ["double"] * bool(house.get("wa_double_allowed"))
            space = [h for h in self.hands if h.at[:7] == hand.at[:7]]
            may = len(space) < (4 if house.get("wa_resplit") else 2)
            can += ["split"] * 3 * (hand.cards[0][0] == hand.cards[1][0] and may)
        return self.rng.choice(can)

    def turn(self, hand: Hand) -> None:
        if self.natural_of(hand) and not hand.double:
            return
        while points(hand.cards)[0] < 21:
            word = self.choice(hand)
            if word == "stand":
                return
            if word == "double":
                hand.double = min(hand.stake, self.bank)
                self.log.add("wager_placed", kind="double", at=hand.at, cents=hand.double)
                self.cover(hand, hand.double)
                hand.cards.append(self.deal(hand.at))
                break
            if word == "split":
                self.split(hand)
                return
            hand.cards.append(self.deal(hand.at))
        if points(hand.cards)[0] > 21:
            self.log.add("cards_moved", **{"kind": "turn_down", "from": hand.at, "to": hand.at})
            self.take(hand)

    def split(self, hand: Hand) -> None:
        space = hand.at[:7]
        parts = [h for h in self.hands if h.at[:7] == space]
        new = Hand(f"{space}/{len(parts)}", hand.stake)
        if self.bank < hand.stake:
            whole = hand.stake + self.bank
            half = whole // 200 * 100
            self.log.add("wager_changed", kind="original", at=hand.at, cents_before=hand.stake, cents_after=half)
            hand.stake, new.stake = half, whole - half
        self.log.add("wager_placed", kind="split", at=new.at, cents=new.stake)
        self.cover(new, new.stake)
        self.log.add("cards_moved", **{"kind": "split", "from": hand.at, "to": new.at})
        new.cards, hand.cards = [hand.cards[1]], hand.cards[:1]
        hand.split = new.split = True
        self.hands.insert(self.hands.index(parts[-1]) + 1, new)
        for part in (hand, new):
            part.cards.append(self.deal(part.at))
            self.turn(part)

    def take(self, hand: Hand) -> None:
        for kind, cents in {"split" if "/" in hand.at else "original": hand.stake, "double": hand.double}.items():
            if cents:
                self.log.add("chips_collected", kind=kind, at=hand.at, cents=cents, to="tray")
                self.bank += cents
        self.bank += self.covers.pop(hand.at, 0)
        hand.gone = True

    def reveal(self) -> None:
        self.log.add("card_revealed", card=self.dealer[1], at="dealer", how="turned")

    def dealers_turn(self) -> None:
        if all(h.gone for h in self.hands if h not in self.frozen) and not self.insurance:
            return
        self.reveal()
        if self.natural:
            return
        soft_17 = self.log.house.get("hit_soft_17")
        if not any(not h.gone and h not in self.frozen and not self.natural_of(h) for h in self.hands):
            return
        while points(self.dealer)[0] < 17 or (soft_17 and points(self.dealer) == (17, True) and len(self.dealer) == 2):
            self.dealer.append(self.deal("dealer"))

    def settle(self) -> None:
        log, theirs = self.log, points(self.dealer)[0]
        for at, cents in self.insurance.items():
            if self.natural:
                log.add("payoff_placed", kind="insurance", at=at, cents=2 * cents)
                self.bank -= 2 * cents
            else:
                log.add("chips_collected", kind="insurance", at=at, cents=cents, to="tray")
                self.bank += cents
        open_hands = [h for h in self.hands if not h.gone and h not in self.frozen]
        for hand in open_hands:
            mine = points(hand.cards)[0]
            saved = self.natural_of(hand) and (self.version == "b" or hand.at not in self.insurance)
            if self.natural:
                if saved:
                    self.bank += self.covers.pop(hand.at, 0)
                else:
                    self.take(hand)
            elif mine < theirs <= 21:
                self.take(hand)
        if self.natural:
            self.short = []
            return
        self.make_up()
        for hand in open_hands:
            mine = points(hand.cards)[0]
            if hand.gone:
                continue
            if self.natural_of(hand) and not hand.double:
                self.pay_natural(hand)
            elif theirs > 21 or mine > theirs:
                kind = "split" if "/" in hand.at else "original"
                covers = self.covers.pop(hand.at, 0)
                for name, cents in {kind: hand.stake, "double": hand.double}.items():
                    if cents:
                        log.add("payoff_placed", kind=name, at=hand.at, cents=cents)
                        covers -= cents
                self.bank += covers
                hand.gone = True
            else:
                log.add("push_tapped", at=hand.at)
                self.bank += self.covers.pop(hand.at, 0)
        self.make_up()
        self.short = [h for h in self.frozen if not h.gone]
        for hand in self.short:
            self.pay(hand, self.covers[hand.at])

    def make_up(self) -> None:
        """Frozen wagers are made up in order to the left."""
        for hand in [h for h in self.frozen if not h.gone]:
            missing = hand.stake * 3 // 2 - self.covers[hand.at]
            if self.bank < missing:
                return
            self.cover(hand, missing)
            self.pay(hand, self.covers[hand.at])

    def judge(self, **header: Any) -> Any:
        return numbered(self.log).judge(rulebook=f"wa-blackjack-{self.version}", **header)

    def judge_touching(self, **header: Any) -> Any:
        """The report if each act begins as the one before it ends."""
        return judge(touching(numbered(self.log).build(rulebook=f"wa-blackjack-{self.version}", **header)))
