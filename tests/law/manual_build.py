"""Plays rounds by the casino dealer manual, from its text alone, as records of a log."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from law_build import Log
from touching import touching

from verifier.law.judge import judge

HOUSE: dict[str, Any] = {
    "burn_cards": 1, "surrender_allowed": True, "double_allowed": True, "split_allowed": True,
    "insurance_allowed": True, "blackjack_payoff": "3:2", "push_rule": "standard", "hit_soft_17": True,
    "multiple_action": False, "deck_count": 6,
}  # fmt: skip
RANKS = "A23456789TJQK"


def points(cards: Sequence[str]) -> tuple[int, bool]:
    """Best total and whether an ace counts eleven in it."""
    hard = sum(min(RANKS.index(c[0]) + 1, 10) for c in cards)
    soft = any(c[0] == "A" for c in cards) and hard + 10 <= 21
    return hard + 10 * soft, soft


def blackjack(cards: Sequence[str]) -> bool:
    return len(cards) == 2 and points(cards)[0] == 21


def numbered(log: Log) -> Log:
    """Numbers the cards of each shoe as they were dealt, whatever a test has moved, added or taken out."""
    count: dict[int | None, int] = {}
    for record in sorted(log.all("card_dealt"), key=lambda r: (r["t_end"], r["t_start"])):
        record["seq"] = count[record["shoe"]] = count.get(record["shoe"], 0) + 1
    return log


class Hand:
    def __init__(self, at: str, stake: int) -> None:
        self.at, self.stake, self.double = at, stake, 0
        self.cards: list[str] = []
        self.split = self.gone = self.given_up = False

    @property
    def bj(self) -> bool:
        return not self.split and blackjack(self.cards)


class Manual:
    """A table by the manual; `play` plays a round with given cards (in the order drawn) and decisions by place."""

    def __init__(self, *, full: bool = True, seed: int = 1, **house: Any) -> None:
        self.log = Log()
        self.log.house = {k: v for k, v in {**HOUSE, **house}.items() if v is not None}
        self.full, self.rng, self.number = full, random.Random(seed), 0
        self.deck: list[str] = []
        self.order = 0

    def opening(self) -> Manual:
        log = self.log
        log.add("dealer_shift", phase="start", how="sleeve")
        log.shoe = (log.shoe or 0) + 1
        log.seq = 0
        log.add("shuffle", 60.0, method="hand", scope="all")
        log.add("cut", by="player", depth_cards=100)
        log.add("indicator_card", action="inserted", cards_remaining=75)
        for _ in range(log.house.get("burn_cards") or 1):
            log.add("card_burned", card="??", face_shown=False)
        self.deck = [r + s for r in RANKS for s in "shdc"] * 6
        self.rng.shuffle(self.deck)
        return self

    def draw(self) -> str:
        return self.deck.pop(0)

    def deal(self, to: str, face: str = "up") -> str:
        card = self.draw()
        self.log.seq += 1
        own: dict[str, Any] = {"from_hand": "left", "placed_hand": "right"} if self.full else {}
        self.log.add("card_dealt", card=card if face == "up" else "??", to=to, face=face, seq=self.log.seq, **own)
        return card

    def play(
        self,
        cards: str = "",
        stakes: dict[int, int] | None = None,
        choices: dict[str, str] | None = None,
        insured: Sequence[int] = (),
    ) -> Manual:
        """One round. `choices`: place to the decisions of that hand (`hit stand double split surrender`)."""
        if not self.deck:
            self.opening()
        self.deck = cards.split() + self.deck
        self.number += 1
        log = self.log
        log.round = self.number
        self.order = 0
        self.plan = {at: words.split() for at, words in (choices or {}).items()}
        self.random = choices is None
        stakes = stakes or {2: 1000, 4: 500}
        for space, cents in sorted(stakes.items()):
            log.add("wager_placed", kind="original", at=f"space:{space}", cents=cents)
        log.add("round_started", 0.1)
        self.hands = [Hand(f"space:{s}", c) for s, c in sorted(stakes.items())]
        self.dealer: list[str] = []
        for face in ("down", "down"):
            for hand in self.hands:
                hand.cards.append(self.deal(hand.at))
            self.dealer.append(self.deal("dealer", face))
        log.add("card_revealed", card=self.dealer[0], at="dealer", how="turned")
        self.up = points(self.dealer[:1])[0]
        self.bj = blackjack(self.dealer)
        self.insure(insured)
        self.low = self.up < 10
        if self.low:
            for hand in [h for h in self.hands if h.bj]:
                self.pay(hand)
                self.collect_cards(hand)
        for hand in list(self.hands):
            self.turn(hand)
        self.finish()
        log.add("round_ended", 0.1)
        log.round = None
        return self

    def insure(self, insured: Sequence[int]) -> None:
        self.insurance: dict[str, int] = {}
        if self.up == 11 and self.log.house.get("insurance_allowed"):
            for hand in self.hands:
                if int(hand.at[6]) in insured or (self.random and self.rng.random() < 0.4):
                    self.insurance[hand.at] = hand.stake // 2
                    self.log.add("wager_placed", kind="insurance", at=hand.at, cents=hand.stake // 2)

    def choice(self, hand: Hand) -> str:
        if self.plan.get(hand.at):
            return self.plan[hand.at].pop(0)
        if not self.random:
            return "stand"
        house, total = self.log.house, points(hand.cards)[0]
        can = ["hit", "hit", "stand"] if total < 17 else ["stand"]
        if len(hand.cards) == 2 and not (hand.split and hand.cards[0][0] == "A"):
            can += ["double"] * bool(house.get("double_allowed"))
            a, b = (points([c])[0] for c in hand.cards)
            space = [h for h in self.hands if h.at[:7] == hand.at[:7]]
            may = len(space) < (2 if house.get("multiple_action") else 4) and not (hand.split and a == 11)
            can += ["split"] * 3 * bool(house.get("split_allowed") and a == b and may)
            can += ["surrender"] * bool(house.get("surrender_allowed") and not hand.split and total < 18)
        return self.rng.choice(can)

    def turn(self, hand: Hand) -> None:
        if hand.bj:
            return
        log = self.log
        while points(hand.cards)[0] < 21:
            word = self.choice(hand)
            if word == "surrender":
                hand.given_up = True
                if self.bj and self.up == 11:
                    return
                log.add("chips_collected", kind="original", at=hand.at, cents=hand.stake // 2, to="tray")
                log.add("chips_returned", kind="original", at=hand.at, cents=hand.stake // 2, reason="surrender")
                hand.gone = True
                self.collect_cards(hand)
                return
            log.add("hand_signal", at=hand.at, meaning=word)
            if word == "stand":
                return
            if word == "double":
                hand.double = hand.stake
                log.add("wager_placed", kind="double", at=hand.at, cents=hand.stake)
                hand.cards.append(self.deal(hand.at))
                break
            if word == "split":
                self.split(hand)
                return
            hand.cards.append(self.deal(hand.at))
        if points(hand.cards)[0] > 21:
            self.take(hand)
            self.collect_cards(hand)

    def split(self, hand: Hand) -> None:
        space = hand.at[:7]
        number = len([h for h in self.hands if h.at[:7] == space])
        new = Hand(f"{space}/{number}", hand.stake)
        self.log.add("wager_placed", kind="split", at=new.at, cents=hand.stake)
        self.log.add("cards_moved", **{"kind": "split", "from": hand.at, "to": new.at})
        new.cards, hand.cards = [hand.cards[1]], hand.cards[:1]
        hand.split = new.split = True
        last = max(i for i, h in enumerate(self.hands) if h.at[:7] == space)
        self.hands.insert(last + 1, new)
        aces = hand.cards[0][0] == "A"
        for part in (hand, new):
            part.cards.append(self.deal(part.at))
            if not aces:
                self.turn(part)

    def finish(self) -> None:
        log = self.log
        live = [h for h in self.hands if not h.gone and (not h.bj or not self.low)]
        if live or self.insurance:
            log.add("card_revealed", card=self.dealer[1], at="dealer", how="turned")
            for at, cents in self.insurance.items():
                if self.bj:
                    log.add("payoff_placed", kind="insurance", at=at, cents=2 * cents)
                else:
                    log.add("chips_collected", kind="insurance", at=at, cents=cents, to="tray")
            if not self.bj:
                for hand in [h for h in live if h.bj]:
                    self.pay(hand)
                    self.collect_cards(hand)
            soft_17 = log.house.get("hit_soft_17", True)
            if any(not h.gone and not h.bj for h in live):
                while points(self.dealer)[0] < 17 or (points(self.dealer) == (17, True) and soft_17):
                    self.dealer.append(self.deal("dealer"))
        for hand in reversed(self.hands):
            if not hand.gone:
                self.settle(hand)
        for hand in reversed(self.hands):
            self.collect_cards(hand)
        self.order += 1
        log.add("cards_collected", **{"from": "dealer", "order": self.order, "to": "discard"})

    def settle(self, hand: Hand) -> None:
        mine, theirs = points(hand.cards)[0], points(self.dealer)[0]
        simple = self.log.house.get("push_rule") == "simple21_vs_bj_push" and mine == 21
        if self.bj and hand.given_up:
            self.take(hand)
        elif self.bj:
            if not (hand.bj or simple):
                self.take(hand)
        elif theirs > 21 or mine > theirs:
            self.pay(hand)
        elif mine < theirs:
            self.take(hand)

    def pay(self, hand: Hand) -> None:
        odds = {"3:2": (3, 2), "6:5": (6, 5)}[self.log.house.get("blackjack_payoff", "3:2")]
        parts = {"split" if "/" in hand.at else "original": hand.stake, "double": hand.double}
        for kind, cents in parts.items():
            if cents:
                due = cents * odds[0] // odds[1] if hand.bj else cents
                self.log.add("payoff_placed", kind=kind, at=hand.at, cents=due)
        hand.gone = True

    def take(self, hand: Hand) -> None:
        parts = {"split" if "/" in hand.at else "original": hand.stake, "double": hand.double}
        for kind, cents in parts.items():
            if cents:
                self.log.add("chips_collected", kind=kind, at=hand.at, cents=cents, to="tray")
        hand.gone = True

    def collect_cards(self, hand: Hand) -> None:
        if hand.cards and not getattr(hand, "picked", False):
            hand.picked = True  # type: ignore[attr-defined]
            self.order += 1
            self.log.add("cards_collected", **{"from": hand.at, "order": self.order, "to": "discard"})

    def judge(self, **header: Any) -> Any:
        return numbered(self.log).judge(rulebook="house-manual", **header)

    def judge_touching(self, **header: Any) -> Any:
        """The report if each act begins as the one before it ends."""
        return judge(touching(numbered(self.log).build(rulebook="house-manual", **header)))
