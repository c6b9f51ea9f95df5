"""How dealer and players perform a hand of poker, and the record of what truly happens in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from verifier.domain import events
from verifier.domain.cards import Card
from verifier.domain.events import Event
from verifier.simulate.actors import Hand
from verifier.simulate.bodies import CardBody, ChipBody, PropBody
from verifier.simulate.poker.games import Game
from verifier.simulate.poker_table import PokerPlan, board_spot, button_spot, card_spot, middle_of
from verifier.simulate.scene import Vec
from verifier.simulate.stage import Stage

DECK_AT: Final = (-70.0, 262.0)
"""Where the dealer's left hand holds the deck."""
BUTTON_HOME: Final = (250.0, 330.0)
"""Where the button lies before a seat has it."""
_RELEASE_MM: Final = 150.0
"""How far from the deck the right hand lets a card go that it pitches."""
_BETS_APART_MM: Final = 42.0
_POT_SLOTS: Final = 10
_SLOT_MM: Final = 44.0
_BURN_STEP_MM: Final = 34.0
_BUTTON_MM: Final = (50.0, 50.0)
_VALUES: Final = (10_000, 2_500, 500, 200, 100)
_OVER_CARD: Final = 30.0
"""Height (mm) of a hand that works at cards."""


def chips_for(cents: int) -> list[int]:
    """Return the fewest chips of an amount; what is less than the least chip is left out."""
    found = []
    for value in _VALUES:
        found += [value] * (cents // value)
        cents %= value
    return found


class PokerTable:
    """The table while hands are performed: what lies where, and when the next act begins (`now`, s)."""

    def __init__(self, stage: Stage, plan: PokerPlan, game: Game) -> None:
        self.stage, self.plan, self.game, self.now = stage, plan, game, 0.5
        self.holes: dict[int, list[CardBody]] = {}
        self.slots: dict[int, int] = {}
        """Which of its seat's places each hole card has, by its id."""
        self.left_bare: dict[int, set[int]] = {}
        """Places of cards that were thrown away: those that come for them land beside."""
        self.board: list[CardBody] = []
        self.burned: list[CardBody] = []
        self.mucked: list[CardBody] = []
        self.bets: dict[int, list[list[ChipBody]]] = {}
        self.pot: list[list[ChipBody]] = []
        self.button: PropBody | None = None
        self.button_seat: int | None = None
        self.deck: CardBody | None = None

    @property
    def left(self) -> Hand:
        return self.stage.dealer.left

    @property
    def right(self) -> Hand:
        return self.stage.dealer.right

    def note(self, kind: type[Event], t_start: float, t_end: float, /, **fields: Any) -> None:
        """Record what truly happens; cards come out of the dealer's hand, so that there is no shoe."""
        self.stage.note(kind, t_start, t_end, shoe=None, **fields)

    def pause(self, least: float, most: float) -> None:
        """Let a time pass."""
        self.now += self.stage.rng.uniform(least, most)

    def hand_of(self, seat: int) -> Hand:
        """Return the hand of a seat's player."""
        return self.stage.players[seat]

    # The deck

    def take_up_deck(self) -> None:
        """Take the deck in the left hand; its top shows a back."""
        self.left.go(max(self.left.free, self.now), (DECK_AT[0] - 8.0, DECK_AT[1] + 34.0), shape="grip", z=20.0)
        self.now = self.left.free
        if self.deck is None:
            self.deck = self.stage.card(Card("A", "s"), "down", (*DECK_AT, 22.0, 8.0), self.now)

    def shuffle(self, seconds: float) -> None:
        """Work two halves of the deck into each other, then cut: a part goes onto the cutting card."""
        stage, rng = self.stage, self.stage.rng
        if self.deck is not None:
            self.deck.vanish(self.now)
            self.deck = None
        begin = max(self.now, self.left.free, self.right.free) + 0.1
        halves = [stage.card(Card("A", "s"), "down", (sign * 55.0, 250.0, 0.0, 0.0), begin) for sign in (-1.0, 1.0)]
        end = begin + seconds
        for hand, half, sign in ((self.left, halves[0], -1.0), (self.right, halves[1], 1.0)):
            t = hand.go(begin, (sign * 75.0, 285.0), shape="grip", z=_OVER_CARD)
            while t < end - 0.4:
                for x in (36.0, 68.0):
                    start = hand.wait(t)
                    t = hand.go(start, (sign * (x + 20.0), 285.0), shape="grip", z=_OVER_CARD, least=0.35, lift=0.0)
                    half.slide(start, t, (sign * x, 250.0, 0.0, 0.0))
        for _ in range(3):
            x, y = rng.uniform(-60, 60), rng.uniform(215, 250)
            loose = stage.card(Card("A", "s"), "down", (x, y, 0.4, rng.uniform(-40, 40)), begin + rng.uniform(0.3, 0.9))
            loose.vanish(end - 0.3)
        self.now = max(self.left.free, self.right.free)
        for half in halves:
            half.vanish(self.now)
        self.note(events.Shuffle, begin, self.now, method="hand", scope="all")
        self._cut()

    def _cut(self) -> None:
        """Lay a part of the deck on the cutting card and the rest upon it."""
        begin = self.now
        card = self.stage.prop("cut_card", (60.0, 250.0, 0.0, 0.0), (66.0, 92.0), begin)
        lifted = self.right.go(begin, (-40.0, 285.0), shape="grip", z=_OVER_CARD)
        laid = self.right.go(lifted, (60.0, 285.0), shape="grip", z=_OVER_CARD, least=0.4)
        self.right.go(laid, (-40.0, 290.0), shape="grip", z=_OVER_CARD, least=0.3)
        done = self.right.go(self.right.free, (60.0, 285.0), shape="grip", z=_OVER_CARD, least=0.4)
        card.vanish(done)
        self.note(events.Cut, begin, done, by="dealer")
        self.now = done

    def move_button(self, seat: int) -> None:
        """Move the dealer button to a seat; at the beginning of a recording it lies there already."""
        at = button_spot(seat, len(self.plan.spaces))
        if self.button is None:
            self.button = self.stage.prop("dealer_button", (*at, 0.0, 0.0), _BUTTON_MM, 0.0)
            self.note(events.ButtonMoved, self.now, self.now + 0.1, to=f"seat:{seat}")
        elif seat != self.button_seat:
            took = self.right.go(max(self.right.free, self.now), self.button.xy, shape="pinch", z=_OVER_CARD)
            laid = self.right.go(self.right.wait(took + 0.1), at, shape="pinch", z=14.0, least=0.4)
            self.button.carry(self.right, took + 0.1, laid, (*at, 0.0, 0.0))
            came = {"from_": f"seat:{self.button_seat}"} if self.button_seat else {}
            self.note(events.ButtonMoved, took, laid, to=f"seat:{seat}", **came)
            self.right.go_rest(self.right.wait(laid + 0.1))
            self.now = laid + 0.3
        self.button_seat = seat

    def lay_button(self) -> None:
        """Put the button before the dealer, as long as no seat has it."""
        self.button = self.stage.prop("dealer_button", (*BUTTON_HOME, 0.0, 0.0), _BUTTON_MM, 0.0)

    # Cards

    def _top(self) -> tuple[Vec, float]:
        """Take the top card with the right hand; return where, and when it is held."""
        ready = self.right.go(max(self.right.free, self.now), (DECK_AT[0] + 30.0, DECK_AT[1] + 18.0), shape="pinch")
        return DECK_AT, self.right.wait(max(ready, self.now))

    def pitch(self, seat: int, text: str, *, up: bool = False) -> CardBody:
        """Deal a card to a seat: the right hand lets it go toward the player, and it slides to its place."""
        at, grab = self._top()
        held = self.holes.setdefault(seat, [])
        taken = {self.slots[body.ident] for body in held} | self.left_bare.get(seat, set())
        slot = next(number for number in range(len(self.game.slots)) if number not in taken)
        rows = any(row for _, row in self.game.slots)
        spot, angle = card_spot(self.plan, seat, *self.game.slots[slot], rows=rows)
        x, y = self.stage.near(spot, 4.0)
        way = max(1.0, ((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5)
        share = min(0.6, _RELEASE_MM / way)
        let_go = (at[0] + (x - at[0]) * share, at[1] + (y - at[1]) * share)
        body = self.stage.card(Card(text[0], text[1]), "down", (*at, 24.0, angle), grab)
        gone = self.right.go(grab, (let_go[0] + 14.0, let_go[1] + 24.0), shape="pinch", least=0.14, speed=1300.0)
        body.carry(self.right, grab, gone, (*let_go, 6.0, angle))
        lies = gone + max(0.16, way * (1 - share) / 1900.0)
        turned = angle + self.stage.rng.uniform(-5.0, 5.0)
        body.slide(gone, lies, (x, y, 0.4 + 0.3 * len(held), turned))
        if up:
            body.turn(gone, lies, "up")
        held.append(body)
        self.slots[body.ident] = slot
        self.note(
            events.CardDealt,
            grab,
            lies,
            card=text if up else "??",
            to=f"seat:{seat}",
            face="up" if up else "down",
            seq=self._seq(),
            source_place="top",
        )
        self.now = max(gone + 0.12, grab + 0.4 / self.stage.pace)
        return body

    def _seq(self) -> int:
        self.stage.seq += 1
        return self.stage.seq

    def _lay(
        self, text: str, face: Literal["up", "down"], pose: tuple[float, float, float, float]
    ) -> tuple[CardBody, float, float]:
        """Take the top card and lay it down by hand."""
        at, grab = self._top()
        body = self.stage.card(Card(text[0], text[1]), "down", (*at, 24.0, 0.0), grab)
        lies = self.right.go(grab, (pose[0] + 20.0, pose[1] + 34.0), shape="pinch", z=12.0, least=0.3)
        body.carry(self.right, grab, lies, pose)
        if face == "up":
            body.turn(grab + 0.2 * (lies - grab), grab + 0.8 * (lies - grab), "up")
        self.right.wait(lies + 0.06)
        self.now = lies + 0.1
        return body, grab, lies

    def burn(self, text: str) -> None:
        """Burn the top card."""
        x, y = middle_of(self.plan.burns)
        pose = (x - 40.0 + _BURN_STEP_MM * len(self.burned), y, 0.3 * len(self.burned), self.stage.rng.uniform(-4, 4))
        body, grab, lies = self._lay(text, "down", pose)
        self.burned.append(body)
        self.note(events.CardBurned, grab, lies, card="??", face_shown=False)
        self.pause(0.1, 0.3)

    def deal_board(self, cards: Sequence[str]) -> None:
        """Deal cards to the board, face up."""
        for text in cards:
            x, y = self.stage.near(board_spot(self.plan, len(self.board)), 2.0)
            body, grab, lies = self._lay(text, "up", (x, y, 0.4, self.stage.rng.uniform(-3, 3)))
            self.board.append(body)
            self.note(
                events.CardDealt, grab, lies, card=text, to="board", face="up", seq=self._seq(), source_place="top"
            )
        self.right.go_rest(self.right.free)
        self.pause(0.4, 0.9)

    def look_at_cards(self, seat: int) -> None:
        """Let a player look at the hole cards, under the hand."""
        hand, at = self.hand_of(seat), self.plan.spaces[seat].cards
        came = hand.go(max(hand.free, self.now), at, shape="relaxed", z=_OVER_CARD)
        hand.go_rest(hand.wait(came + self.stage.rng.uniform(0.4, 0.9)))

    def replace_exposed(self, seat: int, body: CardBody, text: str) -> None:
        """Take an exposed card out of a hand, to the burned cards."""
        took = self.right.go(max(self.right.free, self.now), body.xy, shape="pinch", z=_OVER_CARD)
        x, y = middle_of(self.plan.burns)
        pose = (x - 40.0 + _BURN_STEP_MM * len(self.burned), y, 0.3 * len(self.burned), 3.0)
        laid = self.right.go(self.right.wait(took + 0.1), (pose[0] + 20.0, pose[1] + 34.0), shape="pinch", z=12.0)
        body.carry(self.right, took + 0.1, laid, pose)
        self.holes[seat].remove(body)
        self.burned.append(body)
        self.note(events.CardBurned, took, laid, card=text, face_shown=True, reason="exposed card")
        self.now = laid + 0.2

    def turn_down(self, seat: int, body: CardBody) -> None:
        """Turn an exposed card over and leave it in the hand."""
        took = self.right.go(max(self.right.free, self.now), body.xy, shape="pinch", z=_OVER_CARD)
        done = self.right.wait(took + 0.45)
        body.turn(took, done, "down")
        self.right.go_rest(done)
        self.now = done + 0.2

    def give_up(self, seat: int, action: Literal["fold", "muck"]) -> None:
        """Let a player push the cards forward, face down; the dealer takes them to the muck."""
        took, pushed = self._push_forward(seat, self.holes[seat])
        self.note(events.PlayerAction, took, pushed, at=f"seat:{seat}", action=action)
        self.now = pushed + 0.1
        self.to_muck(seat)

    def _push_forward(self, seat: int, bodies: Sequence[CardBody]) -> tuple[float, float]:
        """Let a player push cards forward, face down; return from when to when."""
        hand, spots = self.hand_of(seat), self.plan.spaces[seat]
        came = hand.go(max(hand.free, self.now), spots.cards, shape="flat", z=_OVER_CARD)
        took = hand.wait(came + 0.08)
        toss = (spots.wager[0] - spots.outward[0] * 20.0, spots.wager[1] - spots.outward[1] * 20.0)
        pushed = hand.go(took, (toss[0] + spots.outward[0] * 40, toss[1] + spots.outward[1] * 40), z=14.0, least=0.4)
        for level, body in enumerate(bodies):
            pose = (toss[0] + 12.0 * level, toss[1], 0.4 + 0.3 * level, body.pose[3])
            body.slide(took, pushed, pose)
            if body.sprite_at(took).face == "up":
                body.turn(took, pushed, "down")
        hand.go_rest(hand.wait(pushed + 0.05))
        return took, pushed

    def throw(self, seat: int, cards: Sequence[str]) -> None:
        """Let a player throw cards away, face down, for others; the dealer takes them to the muck."""
        thrown = [body for body in self.holes[seat] if str(body.card) in cards]
        _, pushed = self._push_forward(seat, thrown)
        self.now = pushed + 0.1
        self.holes[seat] = [body for body in self.holes[seat] if body not in thrown]
        self.left_bare[seat] = {self.slots[body.ident] for body in thrown}
        took, laid = self._muck(thrown)
        for number in range(len(thrown)):
            self.note(events.CardsCollected, took, laid, from_=f"seat:{seat}", order=number + 1, to="muck")

    def to_muck(self, seat: int, *, noted: bool = False) -> None:
        """Let the dealer take a seat's cards to the muck."""
        took, laid = self._muck(self.holes.pop(seat))
        if noted:
            self.note(events.CardsCollected, took, laid, from_=f"seat:{seat}", order=None, to="muck")

    def _muck(self, bodies: Sequence[CardBody]) -> tuple[float, float]:
        """Let the dealer take cards to the muck; return from when to when."""
        at = bodies[0].xy
        took = self.right.wait(
            self.right.go(max(self.right.free, self.now), (at[0] + 8, at[1] + 20), shape="flat", z=14.0) + 0.1
        )
        x, y = self.stage.near(middle_of(self.plan.muck), 38.0)
        laid = self.right.go(took, (x + 8, y + 20), shape="flat", z=16.0)
        for level, body in enumerate(bodies):
            if body.sprite_at(took).face == "up":
                body.turn(took, laid, "down")
            body.carry(
                self.right, took, laid, (x + 6.0 * level, y + 4.0 * level, 0.4 * (len(self.mucked) + level), 20.0)
            )
        self.mucked += bodies
        self.right.go_rest(self.right.wait(laid + 0.05))
        self.now = laid + 0.15
        return took, laid

    def show(self, seat: int) -> None:
        """Let a player turn the cards up that lie down."""
        hand, spots = self.hand_of(seat), self.plan.spaces[seat]
        came = hand.go(max(hand.free, self.now), spots.cards, shape="relaxed", z=_OVER_CARD)
        begin, end = came + 0.1, came + 0.55
        down = [body for body in self.holes[seat] if body.sprite_at(begin).face == "down"]
        for body in down:
            body.turn(begin, end, "up")
        hand.go_rest(hand.wait(end + 0.1))
        for body in down:
            self.note(events.CardRevealed, begin, end, card=str(body.card), at=f"seat:{seat}", how="showdown")
        self.now = end + self.stage.rng.uniform(0.8, 1.4)

    # Chips

    def bet(self, seat: int, cents: int, kind: str, **fields: Any) -> None:
        """Let a player push chips forward: an ante, a blind, or what an act of betting puts in."""
        stage, hand, spots = self.stage, self.hand_of(seat), self.plan.spaces[seat]
        stacks = self.bets.setdefault(seat, [])
        along = (-spots.outward[1], spots.outward[0])
        aside = _BETS_APART_MM * (len(stacks) % 3 - 1)
        at = stage.near((spots.wager[0] + along[0] * aside, spots.wager[1] + along[1] * aside), 3.0)
        came = max(hand.free, self.now)
        hand.wait(came)
        stack = stage.stack(chips_for(cents), hand.tool, came)
        put = hand.go(came, (at[0] + spots.outward[0] * 26, at[1] + spots.outward[1] * 26), shape="grip", z=_OVER_CARD)
        for chip in stack:
            chip.carry(hand, came, put, (*at, chip.pose[2], chip.pose[3]))
        stacks.append(stack)
        hand.go_rest(hand.wait(put + 0.1))
        if kind in ("ante", "blind"):
            self.note(events.WagerPlaced, came, put, kind=kind, at=f"seat:{seat}", cents=cents, **fields)
        else:
            self.note(events.PlayerAction, came, put, at=f"seat:{seat}", action=kind, cents=cents, **fields)
        self.now = put + stage.rng.uniform(0.2, 0.6)

    def check(self, seat: int, street: int) -> None:
        """Let a player tap the table."""
        hand, spots = self.hand_of(seat), self.plan.spaces[seat]
        at = (spots.cards[0] + spots.outward[0] * 20, spots.cards[1] + spots.outward[1] * 20)
        came = hand.go(max(hand.free, self.now), at, shape="point", z=20.0)
        done = hand.wait(came + 0.4)
        hand.go_rest(done)
        self.note(events.PlayerAction, came, done, at=f"seat:{seat}", action="check", street=street)
        self.now = done + self.stage.rng.uniform(0.1, 0.5)

    def sweep(self) -> None:
        """Sweep all bets into the pot."""
        for seat in sorted(self.bets):
            stacks, at = self.bets.pop(seat), self.plan.spaces[seat].wager
            took = self.right.go(max(self.right.free, self.now), (at[0] + 10, at[1] + 10), shape="flat", z=18.0)
            took = self.right.wait(took + 0.08)
            slots = [self._slot(len(self.pot) + index) for index in range(len(stacks))]
            laid = self.right.go(took, (slots[0][0] + 10, slots[0][1] + 20), shape="flat", z=22.0)
            for stack, (x, y, z) in zip(stacks, slots, strict=True):
                for chip in stack:
                    chip.slide(took, laid, (x, y, z + chip.pose[2], chip.pose[3]))
            self.pot += stacks
            self.now = laid + 0.05
        self.right.go_rest(self.right.free)

    def _slot(self, index: int) -> tuple[float, float, float]:
        x, y = middle_of(self.plan.pot)
        column, row = index % _POT_SLOTS % 5, index % _POT_SLOTS // 5
        x, y = self.stage.near((x + _SLOT_MM * (column - 2), y - 20.0 + _SLOT_MM * row), 2.0)
        return x, y, 20.0 * (index // _POT_SLOTS)

    def push_pot(self, seat: int, cents: int, share: float = 1.0, pot: int = 0) -> None:
        """Push the pot (0 is the main pot), or a share of it, to a player, who takes it."""
        spots = self.plan.spaces[seat]
        count = len(self.pot) if share >= 1.0 else max(1, round(len(self.pot) * share))
        stacks, self.pot = self.pot[:count], self.pot[count:]
        x, y = middle_of(self.plan.pot)
        begin = max(self.left.free, self.right.free, self.now)
        near = max(
            self.left.go(begin, (x - 70.0, y + 40.0), shape="flat", z=20.0),
            self.right.go(begin, (x + 70.0, y + 40.0), shape="flat", z=20.0),
        )
        self.left.wait(near)
        to = spots.wager
        beside = 60.0 if to[0] >= 0 else -60.0
        there = self.right.go(
            self.right.wait(near), (to[0] * 0.8, to[1] * 0.8 + 40.0), shape="flat", z=20.0, speed=550.0
        )
        self.left.go(near, (to[0] * 0.5 - beside, to[1] * 0.5 + 60.0), shape="flat", z=20.0, by=there)
        along = (-spots.outward[1], spots.outward[0])
        for index, stack in enumerate(stacks):
            aside, deep = _SLOT_MM * (index % 5 - 2), 10.0 - _SLOT_MM * (index // 5 % 2)
            end = (
                to[0] + along[0] * aside + spots.outward[0] * deep,
                to[1] + along[1] * aside + spots.outward[1] * deep,
            )
            for chip in stack:
                chip.slide(near + 0.05, there, (*end, chip.pose[2], chip.pose[3]))
        self.left.go_rest(self.left.free)
        self.right.go_rest(self.right.wait(there + 0.05))
        self.note(events.PotAwarded, near, there, at=f"seat:{seat}", cents=cents, pot=pot, portion="high")
        self.now = there + self.stage.rng.uniform(0.9, 1.5)
        self._take(seat, [chip for stack in stacks for chip in stack])

    def _take(self, seat: int, chips: Sequence[ChipBody]) -> None:
        hand, spots = self.hand_of(seat), self.plan.spaces[seat]
        came = hand.go(max(hand.free, self.now), spots.wager, shape="flat", z=20.0)
        took = hand.wait(came + 0.2)
        hand.go_rest(took)
        for chip in chips:
            chip.hold(hand, took, hand.free, (0.0, 0.0, 0.0, 0.0))
            chip.vanish(hand.free)
        self.now = took + 0.2

    def take_back(self, seat: int, *, noted: bool = False) -> None:
        """Let a player take back a bet that nobody called, or (`noted`) one of a hand that is called off."""
        chips = [chip for stack in self.bets.pop(seat, []) for chip in stack]
        if chips:
            begin = self.now
            self._take(seat, chips)
            if noted:
                self._returned(seat, begin, chips)

    def give_back(self, seats: Sequence[int]) -> None:
        """Push a stack of the pot back to each seat: the antes of a hand that is called off."""
        for seat, stack in zip(seats, list(self.pot), strict=False):
            begin, at = max(self.right.free, self.now), self.plan.spaces[seat].wager
            near = self.right.wait(self.right.go(begin, stack[0].xy, shape="flat", z=20.0) + 0.08)
            there = self.right.go(near, at, shape="flat", z=20.0)
            for chip in stack:
                chip.slide(near, there, (*at, chip.pose[2], chip.pose[3]))
            self.now = there + 0.1
            self._take(seat, stack)
            self._returned(seat, near, stack)
            self.pot.remove(stack)
        self.right.go_rest(self.right.free)

    def _returned(self, seat: int, begin: float, chips: Sequence[ChipBody]) -> None:
        fields = {"at": f"seat:{seat}", "cents": sum(chip.cents for chip in chips), "reason": "error"}
        self.note(events.ChipsReturned, begin, self.now, kind="bet", **fields)

    # The end of a hand

    def collect_all(self) -> None:
        """Gather all cards to the deck."""
        groups = [*self.holes.values(), self.board, self.burned, self.mucked]
        for bodies in groups:
            if not bodies:
                continue
            at = bodies[0].xy
            took = self.right.go(max(self.right.free, self.now), (at[0] + 8, at[1] + 20), shape="flat", z=16.0)
            took = self.right.wait(took + 0.12)
            home = self.right.go(took, (DECK_AT[0] + 40, DECK_AT[1] + 20), shape="flat", z=20.0, speed=1100.0)
            for body in bodies:
                body.hold(self.right, took, home, (0.0, -20.0, -10.0, 0.0))
                body.vanish(home)
            self.now = home + 0.05
        self.holes, self.board, self.burned, self.mucked, self.left_bare = {}, [], [], [], {}
        self.right.go_rest(self.right.free)
        self.now += 0.3
