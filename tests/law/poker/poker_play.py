"""Plays random lawful poker with PokerKit and writes what a camera would have logged of it."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import msgspec
import pokerkit as pk

from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.law.judge import judge

Record = dict[str, Any]
NOTHING_LEFT_OUT: frozenset[str] = frozenset()


class OmahaLow(pk.HoleBoardCombinationHand):
    """Ace to five with two hole cards and three of the board."""

    lookup = pk.RegularLookup()
    low = True
    card_count = 5
    board_card_count = 3
    hole_card_count = 2


HANDS: dict[tuple[str, bool], Any] = {
    ("high", False): (pk.StandardHighHand,), ("low", False): (pk.RegularLowHand,),
    ("high_low", False): (pk.StandardHighHand, pk.RegularLowHand),
    ("high", True): (pk.OmahaHoldemHand,), ("low", True): (OmahaLow,),
    ("high_low", True): (pk.OmahaHoldemHand, OmahaLow),
}  # fmt: skip
AUTOMATIC = (
    pk.Automation.ANTE_POSTING, pk.Automation.BET_COLLECTION, pk.Automation.BLIND_OR_STRADDLE_POSTING,
    pk.Automation.CARD_BURNING, pk.Automation.HOLE_DEALING, pk.Automation.BOARD_DEALING,
    pk.Automation.RUNOUT_COUNT_SELECTION, pk.Automation.HOLE_CARDS_SHOWING_OR_MUCKING, pk.Automation.HAND_KILLING,
    pk.Automation.CHIPS_PUSHING, pk.Automation.CHIPS_PULLING,
)  # fmt: skip
ACTS = (pk.Folding, pk.CheckingOrCalling, pk.BringInPosting, pk.CompletionBettingOrRaisingTo)
HOLE = {"holdem": 2, "omaha": 4, "seven_card_stud": 3, "five_card_draw": 5}


def start(variant: str, game: str, stacks: list[int], ante: int, blinds: tuple[int, int] | None, bet: int) -> pk.State:
    """A hand ready for its first act."""
    blinds_given = blinds or (0, 0)
    kinds: dict[str, Any] = {
        "holdem": pk.NoLimitTexasHoldem,
        "omaha": pk.PotLimitOmahaHoldem,
        "seven_card_stud": pk.FixedLimitSevenCardStud,
        "five_card_draw": pk.NoLimitDeuceToSevenLowballSingleDraw,
    }
    base = kinds[variant]
    chosen = type("Chosen", (base,), {"hand_types": HANDS[(game, variant == "omaha")]})
    if variant == "seven_card_stud":
        table = chosen(AUTOMATIC, True, ante, bet // 2, bet, 2 * bet)
    else:
        table = chosen(AUTOMATIC, True, ante, blinds_given if blinds else 0, bet)
    return table(stacks, len(stacks))


def act_randomly(state: pk.State, rng: random.Random) -> None:
    """One lawful act of whoever is to act."""
    if state.can_stand_pat_or_discard():
        cards = list(state.hole_cards[state.stand_patter_or_discarder_index])
        state.stand_pat_or_discard(rng.sample(cards, rng.choice((0, 0, 1, 2, 3))))
        return
    if state.can_post_bring_in():
        if rng.random() < 0.8:
            state.post_bring_in()
        else:
            state.complete_bet_or_raise_to()
        return
    roll = rng.random()
    if roll < 0.3 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        to = least if rng.random() < 0.6 else (most if rng.random() < 0.4 else rng.randrange(least, most + 1))
        state.complete_bet_or_raise_to(to - (to % 50 if to not in (least, most) and to - to % 50 >= least else 0))
    elif state.checking_or_calling_amount and roll < 0.48 and state.can_fold():
        state.fold()
    else:
        state.check_or_call()


class Table:
    """Writes hands one after another into one log."""

    def __init__(
        self,
        variant: str = "holdem",
        game: str = "high",
        *,
        seats: int = 4,
        ante: int = 0,
        blinds: tuple[int, int] | None = (50, 100),
        bet: int = 100,
        seed: int = 1,
        stack: int = 20000,
        plain: bool = False,
        **house: Any,
    ) -> None:
        self.rng = random.Random(seed)
        self.variant, self.game, self.ante, self.bet, self.stack = variant, game, ante, bet, stack
        self.blinds = None if variant == "seven_card_stud" else blinds
        self.places = [f"seat:{i + 1}" for i in range(seats)]
        self.button = seats - 1
        self.house = {
            "poker_game": game,
            "poker_variant": variant,
            "poker_ante": ante or None,
            "poker_button_draw": "set_position",
            "poker_blinds": {"small": blinds[0], "big": blinds[1]} if self.blinds and blinds else None,
            "poker_burn_procedure": "before_additional_cards",
            "seats": self.places,
            **house,
        }
        self.plain = plain
        self.records: list[Record] = []
        self.now = 0.0
        self.round: int | None = None
        self.hands = 0
        self.seq = 0

    def add(self, event: str, **own: Any) -> Record:
        self.now = round(self.now + 0.4, 3)
        record = {
            "id": f"e{len(self.records) + 1:05d}",
            "event": event,
            "t_start": self.now,
            "t_end": round(self.now + 0.3, 3),
            "round": self.round,
            "p": 0.99,
            "source": "video",
        }
        if not self.plain:
            record |= {"shoe": None, "dealer": "D1", "occluded": False, "clock": None}
        self.now = record["t_end"]
        record |= {
            k: v for k, v in own.items() if not (self.plain and v is None and k in ("street", "all_in", "chips"))
        }
        self.records.append(record)
        return record

    def shuffle(self) -> None:
        self.round = None
        self.add("shuffle", method="hand", scope="all")
        self.add("cut", by="dealer", depth_cards=20)

    def hand(self, state: pk.State | None = None, stacks: list[int] | None = None) -> pk.State:
        """One random hand; the button moves on first."""
        self.hands += 1
        self.shuffle()
        self.seq = 0
        before, self.button = self.places[self.button % len(self.places)], (self.button + 1) % len(self.places)
        button = self.places[self.button]
        self.add("button_moved", to=button, **{"from": before})
        self.round = self.hands
        if not self.plain:
            self.add("round_started")
        stacks = stacks or [self.stack + 500 * self.rng.randrange(4) for _ in self.places]
        random.seed(self.rng.random())
        state = state or start(self.variant, self.game, stacks, self.ante, self.blinds, self.bet)
        while state.status:
            act_randomly(state, self.rng)
        _Writer(self, state).write()
        return state

    def build(self, **header: Any) -> EventLog:
        ordered = sorted(self.records, key=lambda r: (r["t_end"], r["t_start"], r["id"]))
        raw = {
            "header": {
                "format": "verifier-events",
                "version": 1,
                "rulebook": "nd-poker",
                "channels": ["video"],
                "house": {k: v for k, v in self.house.items() if v is not None},
                **header,
            },
            "events": ordered,
        }
        return msgspec.convert(raw, EventLog)

    def judge(self, **header: Any) -> FindingsReport:
        return judge(self.build(**header))

    # Finding and changing records

    def all(self, event: str, **own: Any) -> list[Record]:
        return [r for r in self.records if r["event"] == event and all(r.get(k) == v for k, v in own.items())]

    def drop(self, *records: Record) -> None:
        gone = {id(r) for r in records}
        self.records = [r for r in self.records if id(r) not in gone]

    def after(self, record: Record, event: str, **own: Any) -> Record:
        """Puts a record just behind another."""
        start = round(record["t_end"] + 0.01, 3)
        new = {
            "id": f"x{len(self.records)}",
            "event": event,
            "t_start": start,
            "t_end": round(start + 0.02, 3),
            "round": record["round"],
            "p": 0.99,
            "source": "video",
            **own,
        }
        self.records.append(new)
        return new


class _Writer:
    """Turns PokerKit's operations into records."""

    def __init__(self, table: Table, state: pk.State) -> None:
        self.table, self.state = table, state
        order = table.places[table.button + 1 :] + table.places[: table.button + 1]
        self.seat = order
        self.street = 0
        self.stake: dict[int, int] = defaultdict(int)
        self.stacks = list(state.starting_stacks)
        self.shown: dict[int, tuple[Any, ...]] = {}
        self.down: dict[int, list[str]] = defaultdict(list)
        self.up: dict[int, list[str]] = defaultdict(list)
        self.all_in = False
        self.alone = self.tabled = False
        self.pot = 0
        self.folded: set[int] = set()
        self.shows: list[int] = []
        self.mucks: list[int] = []

    def write(self) -> None:
        operations = list(self.state.operations)
        first_act = next(
            (i for i, op in enumerate(operations) if isinstance(op, ACTS)),
            len(operations),
        )
        need = HOLE[self.table.variant] * len(self.seat)
        dealt = 0
        initial: dict[int, list[tuple[str, bool]]] = defaultdict(list)
        for index, op in enumerate(operations):
            if isinstance(op, pk.HoleDealing) and dealt < need and index < max(first_act, need + 50):
                for card, up in zip(op.cards, op.statuses, strict=True):
                    initial[op.player_index].append((repr(card), up))
                    dealt += 1
                if dealt == need:
                    self._first_deal(initial)
                continue
            self._one(op)
        self._finish()

    def _first_deal(self, initial: dict[int, list[tuple[str, bool]]]) -> None:
        for turn in range(HOLE[self.table.variant]):
            for player in range(len(self.seat)):
                card, up = initial[player][turn]
                self._deal(player, card, up)

    def _deal(self, player: int, card: str, up: bool) -> None:
        table = self.table
        (self.up if up else self.down)[player].append(card)
        table.seq += 1
        table.add(
            "card_dealt",
            card=card if up else "??",
            to=self.seat[player],
            face="up" if up else "down",
            seq=table.seq,
            source_place=None if table.plain else "top",
        )

    def _one(self, op: Any) -> None:
        table = self.table
        if isinstance(op, pk.CardBurning | pk.BoardDealing | pk.HoleDealing) and self._betting_over():
            self._showdown()  # without delay: 09-04(24)
        if isinstance(op, pk.AntePosting):
            if op.amount:
                self._pay(op.player_index, op.amount)
                table.add("wager_placed", kind="ante", at=self.seat[op.player_index], cents=op.amount)
                table.add("chips_collected", kind="ante", at=self.seat[op.player_index], cents=op.amount, to="pot")
        elif isinstance(op, pk.BlindOrStraddlePosting):
            self._blind(op)
        elif isinstance(op, pk.CardBurning):
            table.add("card_burned", card="??", face_shown=False, reason=None)
            self._next_street()
        elif isinstance(op, pk.HoleDealing):
            for card, up in zip(op.cards, op.statuses, strict=True):
                self._deal(op.player_index, repr(card), up)
                if self.tabled and not up:
                    table.add("card_revealed", card=repr(card), at=self.seat[op.player_index], how="showdown")
        elif isinstance(op, pk.BoardDealing):
            for card in op.cards:
                table.seq += 1
                table.add("card_dealt", card=repr(card), to="board", face="up", seq=table.seq)
        elif isinstance(op, pk.StandingPatOrDiscarding):
            for index, card in enumerate(op.cards):
                self.down[op.player_index].remove(repr(card))
                table.add("cards_collected", order=index + 1, to="muck", **{"from": self.seat[op.player_index]})
        elif isinstance(op, pk.BetCollection):
            self._sweep()
        elif isinstance(op, pk.HoleCardsShowingOrMucking):
            (self.shows if op.hole_cards else self.mucks).append(op.player_index)
        elif isinstance(op, pk.ChipsPushing):
            self._showdown()
            self._push(op)
        else:
            self._act(op)

    def _betting_over(self) -> bool:
        """Whether an all-in leaves nobody to bet against, so that the hands are shown before the cards that follow."""
        live = [p for p in range(len(self.seat)) if p not in self.folded]
        able = [p for p in live if self.stacks[p] > 0]
        draw = self.table.variant == "five_card_draw"
        return self.all_in and len(live) > 1 and len(able) < 2 and not self.stake and not draw

    def _next_street(self) -> None:
        self.street += 1

    def _pay(self, player: int, cents: int) -> None:
        self.stacks[player] -= cents
        self.pot += cents

    def _blind(self, op: Any) -> None:
        sizes = self.table.blinds or (0, 0)
        heads_up = len(self.seat) == 2
        small = op.player_index == (1 if heads_up else 0)
        self._pay(op.player_index, op.amount)
        self.stake[op.player_index] += op.amount
        assert sizes
        self.table.add(
            "wager_placed",
            kind="blind",
            at=self.seat[op.player_index],
            cents=op.amount,
            blind="small" if small else "big",
        )

    def _act(self, op: Any) -> None:
        player = getattr(op, "player_index", None)
        if player is None:
            return
        level = max(self.stake.values(), default=0)
        cents: int | None = None
        if isinstance(op, pk.Folding):
            action = "fold"
            self.folded.add(player)
        elif isinstance(op, pk.CheckingOrCalling):
            action, cents = ("call", op.amount) if op.amount else ("check", None)
        elif isinstance(op, pk.BringInPosting):
            action, cents = "bet", op.amount
        elif isinstance(op, pk.CompletionBettingOrRaisingTo):
            action, cents = ("raise" if level else "bet"), op.amount - self.stake[player]
        else:
            return
        if cents:
            self._pay(player, cents)
            self.stake[player] += cents
        gone = bool(cents) and self.stacks[player] == 0
        self.all_in = self.all_in or gone
        self.table.add(
            "player_action",
            at=self.seat[player],
            action=action,
            cents=cents,
            street=self.street,
            all_in=gone if not self.table.plain or gone else None,
        )
        if action == "fold":
            self.table.add("cards_collected", order=None, to="muck", **{"from": self.seat[player]})

    def _sweep(self) -> None:
        stakes = sorted(self.stake.values(), reverse=True)
        if not stakes or not stakes[0]:
            self.stake.clear()
            return
        over = stakes[0] - (stakes[1] if len(stakes) > 1 else 0)
        for player in sorted(self.stake):
            cents = self.stake[player]
            if cents == stakes[0] and over:
                self.table.add("chips_returned", kind="bet", at=self.seat[player], cents=over, reason="excess")
                self.stacks[player] += over
                self.pot -= over
                cents -= over
            if cents:
                kind = "blind" if self.street == 0 and self.table.blinds else "bet"
                self.table.add("chips_collected", kind=kind, at=self.seat[player], cents=cents, to="pot")
        self.stake.clear()

    def _showdown(self) -> None:
        live = [p for p in range(len(self.seat)) if p not in self.folded]
        self.alone = len(live) == 1
        order = list(dict.fromkeys([*self.shows, *self.mucks])) if (self.shows or self.mucks) else []
        if self.all_in or len(live) < 2:
            order = self._lawful(live, order) if len(live) > 1 else []
            self.mucks = []
        elif order:
            order = self._lawful(live, order)
        self.shows = []
        for player in order:
            if player in self.mucks:
                self.table.add("player_action", at=self.seat[player], action="muck", cents=None, street=None)
                self.table.add("cards_collected", order=None, to="muck", **{"from": self.seat[player]})
                continue
            for card in self.down[player]:
                self.table.add("card_revealed", card=card, at=self.seat[player], how="showdown")
        self.mucks = []
        if order:
            self.folded |= set(range(len(self.seat)))
            self.tabled = True

    def _lawful(self, live: list[int], given: list[int]) -> list[int]:
        """The order of (23): the last aggressor first, clockwise; those all-in for the main pot only at the end."""
        acts = [
            r
            for r in self.table.records
            if r["event"] == "player_action"
            and r["round"] == self.table.round
            and r["action"] in ("check", "bet", "call", "raise", "fold")
        ]
        last = [a for a in acts if a["street"] == acts[-1]["street"]]
        bold = [a["at"] for a in last if a["action"] in ("bet", "raise")]
        first = self.seat.index(bold[-1] if bold else last[0]["at"])
        order = [p for p in [*range(first, len(self.seat)), *range(first)] if p in live]
        paid = {p: self.state.starting_stacks[p] - self.stacks[p] for p in live}
        aside = [p for p in order if self.stacks[p] == 0 and sum(paid[o] > paid[p] for o in live) > 1]
        return [p for p in order if p not in aside] + [p for p in order if p in aside]

    def _push(self, op: Any) -> None:
        game = self.table.game
        portion = {"high": "high", "low": "low"}.get(game) or ("high", "low")[op.hand_type_index or 0]
        for player, cents in enumerate(op.amounts):
            if cents:
                cents = self.pot if self.alone else cents  # PokerKit leaves out the winner's own last bet
                self.table.add("pot_awarded", at=self.seat[player], cents=cents, pot=op.pot_index, portion=portion)

    def _finish(self) -> None:
        awards = [r for r in self.table.records if r["event"] == "pot_awarded" and r["round"] == self.table.round]
        if self.table.game == "high_low":
            for pot in {a["pot"] for a in awards}:
                own = [a for a in awards if a["pot"] == pot]
                if len({a["at"] for a in own}) == 1:
                    own[0] |= {"cents": sum(a["cents"] for a in own), "portion": "both"}
                    self.table.drop(*own[1:])
        if not self.table.plain:
            self.table.add("round_ended", reason=None)


def table_of(seed: int, hands: int = 3, **fixed: Any) -> Table:
    """A random table with some hands."""
    rng = random.Random(seed)
    variant = fixed.pop("variant", None) or rng.choice(list(HOLE))
    game = fixed.pop("game", None) or rng.choice(("high", "low", "high_low"))
    blinds = None if rng.random() < 0.3 else rng.choice(((50, 100), (100, 200), (200, 500)))
    ante = rng.choice((0, 50, 100)) if blinds and variant != "seven_card_stud" else rng.choice((50, 100))
    bet = blinds[1] if blinds else rng.choice((100, 200))
    seats = rng.choice((2, 3, 4, 6)) if variant != "five_card_draw" else rng.choice((2, 3, 4))
    stack = rng.choice((800, 2000, 20000))
    options: dict[str, Any] = {"seats": seats, "ante": ante, "blinds": blinds, "bet": bet, "stack": stack}
    table = Table(variant, game, seed=seed, plain=rng.random() < 0.4, **{**options, **fixed})
    for _ in range(hands):
        table.hand()
    return table
