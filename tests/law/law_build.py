"""Builds lawful event logs for the law tests, and lets a test change one thing in them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from verifier.domain.events import EventLog
from verifier.domain.findings import Finding, FindingsReport
from verifier.domain.house import House
from verifier.domain.places import Place
from verifier.engine.actions import (
    Busted,
    CardDrawn,
    CardsCleared,
    Decision,
    HandSplit,
    PlayedRound,
    ReaderUsed,
    Revealed,
    Settled,
    StakeAdded,
)
from verifier.engine.deal import Shoe, Stake, play_round
from verifier.engine.strategy import Choice, Strategy, sensible
from verifier.law.judge import judge

HOUSE: dict[str, Any] = {
    "video_surveillance": "present", "dealing_method": "hole_card_no_peek", "hit_soft_17": False,
    "payoff_fan_hand": "left", "tips_fanned_after": False, "sweep_or_hand_by_hand": "sweep",
    "tip_betting": "permitted", "tip_double_down": "equal", "double_down_equal": "equal", "insurance_allowed": True,
    "even_money": True, "deck_count": 6, "shuffle_method": "hand", "inactivity_reshuffle": 15,
}  # fmt: skip
CHIPS = (2500, 500, 100, 50)
TIPS = ("tip", "tip_double")
HANDS = {"from_hand": "left", "placed_hand": "right"}
"""The hands that a card is dealt with (10(2))."""
Record = dict[str, Any]


class Log:
    """Records of a log as plain maps, written in order."""

    def __init__(self, **house: Any) -> None:
        self.house = {k: v for k, v in {**HOUSE, **house}.items() if v is not None}
        self.records: list[Record] = []
        self.now = 0.0
        self.round: int | None = None
        self.shoe: int | None = None
        self.dealer: str | None = "D1"
        self.seq = 0

    def add(self, event: str, seconds: float = 0.7, **own: Any) -> Record:
        self.now = round(self.now + 0.3, 3)
        record = {
            "id": f"e{len(self.records) + 1:05d}",
            "event": event,
            "t_start": self.now,
            "t_end": round(self.now + seconds, 3),
            "round": self.round,
            "shoe": self.shoe,
            "dealer": self.dealer,
            "p": 0.99,
            "source": "video",
            "occluded": False,
            **own,
        }
        self.now = record["t_end"]
        self.records.append(record)
        return record

    # Finding and changing records

    def all(self, event: str, **own: Any) -> list[Record]:
        return [r for r in self.records if r["event"] == event and all(r.get(k) == v for k, v in own.items())]

    def one(self, event: str, **own: Any) -> Record:
        found = self.all(event, **own)
        assert found, f"no {event} with {own}"
        return found[0]

    def drop(self, *records: Record) -> Log:
        gone = {id(r) for r in records}
        self.records = [r for r in self.records if id(r) not in gone]
        return self

    def change(self, record: Record, **own: Any) -> Log:
        record.update(own)
        return self

    def move_after(self, record: Record, other: Record) -> Log:
        """Gives a record a time just after another, pushing nothing."""
        length = record["t_end"] - record["t_start"]
        record["t_start"] = round(other["t_end"] + 0.01, 3)
        record["t_end"] = round(record["t_start"] + min(length, 0.2), 3)
        return self

    def insert_after(self, other: Record, event: str, **own: Any) -> Record:
        record = dict(other)
        keep = ("round", "shoe", "dealer", "p", "source", "occluded")
        record = {k: record[k] for k in keep}
        start = round(other["t_end"] + 0.01, 3)
        record |= {
            "id": f"x{len(self.records)}",
            "event": event,
            "t_start": start,
            "t_end": round(start + 0.1, 3),
            **(HANDS if event == "card_dealt" else {}),
            **own,
        }
        self.records.append(record)
        return record

    def build(self, **header: Any) -> EventLog:
        ordered = sorted(self.records, key=lambda r: (r["t_end"], r["t_start"], r["id"]))
        raw = {
            "header": {
                "format": "verifier-events",
                "version": 1,
                "rulebook": "nd-twenty-one",
                "house": self.house,
                "channels": ["video"],
                **header,
            },
            "events": ordered,
        }
        return msgspec.convert(raw, EventLog)

    def judge(self, **header: Any) -> FindingsReport:
        return judge(self.build(**header))


def chips(cents: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in CHIPS:
        if cents >= value:
            found[str(value)] = cents // value
            cents %= value
    return found


def sets(cents: int) -> list[int]:
    """Set sizes of a fan: by value, five at most."""
    sizes = []
    for count in chips(cents).values():
        sizes += [5] * (count // 5) + ([count % 5] if count % 5 else [])
    return sizes


def opening(log: Log, burn: bool = True) -> Log:
    """Dealer's start, shuffle, cut, indicator and burn."""
    log.add("dealer_shift", phase="start", how="sleeve")
    log.shoe = 1
    log.add("shuffle", 60.0, method="hand", scope="all")
    log.add("cut", 3.0, by="player", depth_cards=100)
    log.add("indicator_card", 1.0, action="inserted", cards_remaining=75)
    if burn:
        log.add("card_burned", card="??", face_shown=False)
    return log


class Writer:
    """Writes one played round as the records of a lawful performance."""

    def __init__(self, log: Log, played: PlayedRound) -> None:
        self.log, self.played = log, played
        self.held: int = 0
        self.tips: list[tuple[str, list[Any]]] = []
        self.order = 0
        self.after = bool(log.house.get("tips_fanned_after"))
        self.tips_to_pay = False
        self.doubled: set[str] = set()

    def write(self, number: int) -> None:
        log, played = self.log, self.played
        log.round = number
        for space, stake in sorted(played.stakes.items()):
            log.add(
                "wager_placed",
                kind="original",
                at=f"space:{space}",
                cents=stake.original_cents,
                chips=chips(stake.original_cents),
            )
            if stake.tip_cents:
                log.add(
                    "wager_placed", kind="tip", at=f"space:{space}", cents=stake.tip_cents, chips=chips(stake.tip_cents)
                )
        log.add("round_started", 0.1)
        settled = [i for i, a in enumerate(played.actions) if isinstance(a, Settled)]
        last = settled[-1] if settled else -1
        for index, action in enumerate(played.actions):
            if not isinstance(action, Settled):
                self.tray()
            getattr(self, f"on_{type(action).__name__}")(action)
            if index == last:
                self.pay_tips()
        self.tray()
        if played.tips_won:
            log.add("tip_deposited", cents=played.tips_won)
        log.add("round_ended", 0.1)
        log.round = None

    def on_CardDrawn(self, action: CardDrawn) -> None:  # noqa: N802
        self.log.seq += 1
        down = action.face == "down"
        own: Record = {"card": "??" if down else str(action.card), "to": action.to, "face": action.face}
        if action.why == "double":
            own["angle"] = 90
        self.log.add("card_dealt", seq=self.log.seq, from_hand="left", placed_hand="right", **own)

    def on_Decision(self, action: Decision) -> None:  # noqa: N802
        meaning = {"even_money": "insurance"}.get(action.kind, action.kind)
        if meaning != "decline":
            self.log.add("hand_signal", at=action.at, meaning=meaning)

    def on_StakeAdded(self, action: StakeAdded) -> None:  # noqa: N802
        self.log.add("wager_placed", kind=action.kind, at=action.at, cents=action.cents, chips=chips(action.cents))
        if action.kind == "double":
            self.doubled.add(action.at)
        if action.kind == "insurance":
            self.log.add("wager_moved", **{"kind": "insurance", "from": action.at, "to": action.at, "hand": "right"})

    def on_HandSplit(self, action: HandSplit) -> None:  # noqa: N802
        self.log.add("cards_moved", **{"kind": "split", "from": action.from_, "to": action.to})

    def on_ReaderUsed(self, action: ReaderUsed) -> None:  # noqa: N802
        self.log.add("hole_card_check", how="reader")

    def on_Busted(self, action: Busted) -> None:  # noqa: N802
        if action.timing == "held":
            aside = {"from": action.at, "to": action.at}
            self.log.add("cards_moved", kind="bust_hold", **aside)
            for kind in (
                "split" if "/" in action.at else "original",
                *(["double"] if action.at in self.doubled else []),
            ):
                self.log.add("wager_moved", kind=kind, hand="right", **aside)

    def on_Revealed(self, action: Revealed) -> None:  # noqa: N802
        self.log.add("card_revealed", card=str(action.card), at="dealer", how="turned")

    def on_CardsCleared(self, action: CardsCleared) -> None:  # noqa: N802
        self.order += 1
        self.log.add("cards_collected", **{"from": action.at, "order": self.order, "to": "discard"})

    def on_Settled(self, action: Settled) -> None:  # noqa: N802
        wins = [d for d in action.dues if d.delta > 0]
        hands = [d for d in wins if d.kind not in TIPS]
        if not action.dues or (action.outcome in ("push",) and not wins):
            self.tray()
            self.log.add("push_tapped", at=action.at)
        for due in action.dues:
            if due.delta < 0:
                self.held += due.stake
                self.log.add("chips_collected", kind=due.kind, at=action.at, cents=due.stake, to="hand", hand="right")
            elif due.returned:
                self.tray()
                self.log.add("chips_returned", kind=due.kind, at=action.at, cents=due.stake, reason="void")
        if hands:
            self.tray()
            self.pay(action.at, hands, [d for d in wins if d.kind in TIPS])
        elif wins:
            self.tips.append((action.at, [d for d in wins if d.kind in TIPS]))

    def tray(self) -> None:
        if self.held:
            self.log.add("chips_to_tray", cents=self.held)
            self.held = 0

    def pay(self, at: str, dues: list[Any], tips: list[Any]) -> None:
        log, place = self.log, str(Place.parse(at).space)
        hand = log.house["payoff_fan_hand"]
        for due in dues:
            if due.kind != "insurance":
                log.add(
                    "chips_fanned",
                    owner="wager",
                    at=at,
                    cents=due.stake,
                    kind=due.kind,
                    chips=chips(due.stake),
                    hand=hand,
                    direction="dealer",
                    set_sizes=sets(due.stake),
                )
        if tips and not self.after:
            self.fan_tips(at, tips)
        total = sum(d.delta for d in dues)
        log.add("chips_from_tray", cents=total, chips=chips(total), hand="right")
        for due in dues:
            log.add("payoff_placed", kind=due.kind, at=at, cents=due.delta, chips=chips(due.delta), hand="right")
        for due in dues:
            log.add(
                "chips_fanned",
                owner="payoff",
                at=at,
                cents=due.delta,
                kind=due.kind,
                chips=chips(due.delta),
                direction="side",
                set_sizes=sets(due.delta),
            )
        log.add("hands_clear", 1.2, region=at if "/" in at else place, duration=1.2)
        if tips:
            self.tips.append((at, tips))

    def fan_tips(self, at: str, tips: list[Any]) -> None:
        for due in tips:
            self.log.add("wager_moved", **{"kind": due.kind, "from": at, "to": "inner", "hand": "left"})
            self.log.add(
                "chips_fanned",
                owner="tip",
                at=at,
                cents=due.stake,
                kind=due.kind,
                chips=chips(due.stake),
                hand="left",
                direction="dealer",
            )

    def pay_tips(self) -> None:
        if not self.tips:
            return
        self.tray()
        log = self.log
        if self.after:
            for at, tips in self.tips:
                self.fan_tips(at, tips)
        for at, tips in self.tips:
            for due in tips:
                log.add("chips_from_tray", cents=due.delta, hand="right")
                log.add("payoff_placed", kind=due.kind, at=at, cents=due.delta, chips=chips(due.delta), hand="right")
                log.add("chips_fanned", owner="tip_payoff", at=at, cents=due.delta, kind=due.kind, direction="side")
        log.add("hands_clear", 1.2, region="inner", duration=1.2)
        self.tips = []


def play(
    seed: int,
    rounds: int = 3,
    *,
    stakes: Mapping[int, Stake] | None = None,
    wanted: Callable[[PlayedRound], bool] | None = None,
    strategy: Strategy = sensible,
    **house: Any,
) -> Log:
    """A lawful log of some rounds; with `wanted`, the last round is the first that fulfils it."""
    log = opening(Log(**house))
    options = msgspec.convert(log.house, House)
    rng = random.Random(seed)
    shoe = Shoe(rng, options.deck_count or 6)
    for number in range(1, rounds + 1):
        if number == rounds and wanted is not None:
            Writer(log, _search(rng, options, stakes, wanted, strategy)).write(number)
        else:
            Writer(log, play_round(shoe, stakes or some_stakes(rng), options, rng, strategy)).write(number)
    return log


def _search(
    rng: random.Random,
    options: House,
    stakes: Mapping[int, Stake] | None,
    wanted: Callable[[PlayedRound], bool],
    strategy: Strategy,
) -> PlayedRound:
    for _ in range(20000):
        played = play_round(Shoe(rng, options.deck_count or 6), stakes or some_stakes(rng), options, rng, strategy)
        if wanted(played):
            return played
    raise AssertionError("no such round found")


def hand_out(cards: str, stakes: Mapping[int, Any], decisions: str = "", burn: bool = True, **house: Any) -> Log:
    """A lawful log of one round with given cards (`Th 9c ...` in the order drawn) and decisions (`hit stand ...`).

    `stakes` maps a space to its wager in cents, or to a pair of wager and tip. After them: `stand`/`decline`.
    """
    log = opening(Log(**house), burn=burn)
    play_on(log, cards, stakes, decisions)
    return log


@cache
def _plain() -> FindingsReport:
    return hand_out("Th 7d 9s Tc", {2: 1000}).judge()


def plain(report: FindingsReport) -> FindingsReport | None:
    """The report of a plain lawful round of twenty-one; None of another game, and where no cards were dealt."""
    own = {one.clause: one.verdict for one in report.clauses}
    return _plain() if own.get("ND-08-10.1.a-order", "not_applicable") != "not_applicable" else None


def play_on(log: Log, cards: str, stakes: Mapping[int, Any], decisions: str = "") -> None:
    """A further round of the log."""
    options = msgspec.convert(log.house, House)
    wanted = decisions.split()

    def strategy(choice: Choice, _: random.Random) -> Any:
        if wanted and wanted[0] in choice.options:
            return wanted.pop(0)
        return "decline" if "decline" in choice.options else "stand"

    rng = random.Random(1)
    placed = {s: Stake(*v) if isinstance(v, tuple) else Stake(v) for s, v in stakes.items()}
    played = play_round(Shoe.stacked(cards.split(), rng, options.deck_count or 6), placed, options, rng, strategy)
    number = 1 + max((r["round"] or 0 for r in log.records), default=0)
    Writer(log, played).write(number)


def some_stakes(rng: random.Random) -> dict[int, Stake]:
    spaces = rng.sample(range(1, 8), rng.randint(1, 6))
    return {s: Stake(rng.choice((100, 300, 500, 1000, 1200, 2500)), rng.choice((0, 0, 50, 200))) for s in spaces}


# Reading a report


def findings(report: FindingsReport, verdict: str = "violation") -> list[Finding]:
    return [f for f in report.findings if f.verdict == verdict]


def named(report: FindingsReport, verdict: str = "violation") -> set[str]:
    """Clauses named by findings of a verdict, roots and companions."""
    return {c for f in findings(report, verdict) for c in (f.clause, *f.also)}


def row(report: FindingsReport, clause: str) -> str:
    return next(r.verdict for r in report.clauses if r.clause == clause)


def words(report: FindingsReport) -> Iterable[str]:
    return (f"{f.verdict} {f.clause} {f.at}: {f.expected} | {f.observed}" for f in report.findings)
