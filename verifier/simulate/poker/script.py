"""Scripts of poker hands: played at random by PokerKit's engine, or taken from published hand histories (PHH)."""

from __future__ import annotations

import random
import warnings
from collections import deque
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.files import read_bytes
from verifier.simulate.poker.games import GAMES, Game

if TYPE_CHECKING:
    from pokerkit import HandHistory, State

Action = Literal["fold", "check", "bet", "call", "raise"]
DECK: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "shdc")
_LEAST_BET: Final = 200
"""Least bet of random hands, cents; stud's later bets are twice as much."""
_MOST_THROWN: Final = 3
"""Cards that a player exchanges at most."""
_STACK: Final = 200_000
"""So many cents that nobody is all-in."""
_SHOWS: Final = 0.75
"""Share of beaten hands that are shown all the same."""
_SHORT: Final = (900, 1_200, 1_500, 2_000)
"""Cents of a player who may be all-in soon."""
_SHOVES: Final = 0.5
"""Share of such a player's acts that put in all."""
LEAST_PLAYERS: Final = 3
_CENTS_A_DOLLAR: Final = 100
_EXACT: Final[Any] = Decimal
"""How amounts of a history are read; PokerKit computes with any number type."""


class Move(Struct, frozen=True):
    """An act of a player of index `player` (0 posts the small blind); `cents` are put in by it, the last ones where
    `all_in`.
    """

    player: int
    action: Action
    cents: int = 0
    all_in: bool = False


class Later(Struct, frozen=True, kw_only=True):
    """What is dealt between two rounds of betting: cards to the board, or to players, in the order of the deal.

    `thrown`: the cards that players exchange for them.
    """

    board: tuple[str, ...] = ()
    cards: tuple[tuple[int, str], ...] = ()
    thrown: tuple[tuple[int, tuple[str, ...]], ...] = ()


class HandScript(Struct, frozen=True, kw_only=True):
    """A hand by player index; player 0 is the first left of the button, the last one has the button.

    `holes`: the cards of the first deal. `antes` and `blinds` in cents.
    """

    holes: tuple[tuple[str, ...], ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    streets: tuple[tuple[Move, ...], ...]
    """Acts before the first of the later dealings, and after each, as far as it came."""
    later: tuple[Later, ...]
    shows: tuple[tuple[int, bool], ...]
    """Players at the showdown in their order, and whether each showed."""
    awards: tuple[tuple[int, int], ...]
    """Players and the cents that each won of all pots."""
    pots: tuple[tuple[int, int, int], ...] = ()
    """The same by pots, if side pots were made: number (0 is the main pot), player and cents."""
    shown_after: int | None = None
    """The street after which all hands were shown, before further cards; None where they are shown at the end."""

    @property
    def players(self) -> int:
        return len(self.holes)

    @property
    def board(self) -> tuple[str, ...]:
        return tuple(card for later in self.later for card in later.board)

    @property
    def cards(self) -> set[str]:
        """All cards that are dealt."""
        own = {card for hole in self.holes for card in hole}
        return own | set(self.board) | {card for later in self.later for _, card in later.cards}

    @property
    def put_in(self) -> int:
        """Cents that all put in."""
        return sum(self.paid)

    @property
    def paid(self) -> list[int]:
        """Cents that each player put in."""
        return paid_by(self.blinds, self.antes, [move for street in self.streets for move in street])


def random_hand(
    rng: random.Random,
    players: int,
    game: Game = GAMES["holdem"],
    *,
    showdown: bool = False,
    tie: bool = False,
    all_in: bool = False,
) -> HandScript:
    """Return a lawful hand of `players` (3 or more).

    `showdown`: at least two hands are shown; `tie`: two hands or more share the pot; `all_in`: somebody who is all-in
    shows a hand, else nobody is all-in.
    """
    if players < LEAST_PLAYERS:
        raise ValueError(f"{players} players: expected {LEAST_PLAYERS} or more")
    while True:
        script = script_of(_played(rng, players, game, tie=tie, all_in=all_in))
        last = {move.player for street in script.streets for move in street if move.all_in}
        if all_in and not last & {player for player, _ in script.shows}:
            continue
        if tie and len(script.awards) < 2:
            continue
        if not showdown or sum(shown for _, shown in script.shows) >= 2:
            return script


def _state(game: Game, players: int, stacks: Sequence[int]) -> State:
    """Return a hand of PokerKit before its first card."""
    from pokerkit import (
        Automation,
        FixedLimitSevenCardStud,
        NoLimitDeuceToSevenLowballSingleDraw,
        NoLimitTexasHoldem,
        PotLimitOmahaHoldem,
        StandardHighHand,
    )

    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
        Automation.RUNOUT_COUNT_SELECTION,
    )
    if game.variant == "seven_card_stud":
        bets = (game.ante, _LEAST_BET // 2, _LEAST_BET, 2 * _LEAST_BET)
        return FixedLimitSevenCardStud.create_state(automations, True, *bets, list(stacks), players)
    high_draw = type("HighDraw", (NoLimitDeuceToSevenLowballSingleDraw,), {"hand_types": (StandardHighHand,)})
    kinds: dict[str, Any] = {"holdem": NoLimitTexasHoldem, "omaha": PotLimitOmahaHoldem, "five_card_draw": high_draw}
    state: State = kinds[game.variant](automations, True, game.ante, game.blinds or 0, _LEAST_BET)(
        list(stacks), players
    )
    return state


def _played(rng: random.Random, players: int, game: Game, *, tie: bool, all_in: bool) -> State:
    short = rng.sample(range(players), rng.randint(1, 2)) if all_in else ()
    state = _state(game, players, [rng.choice(_SHORT) if player in short else _STACK for player in range(players)])
    deck = rng.sample(DECK, len(DECK))
    if tie:  # a straight on the board, which all share who do not beat it
        deck = [*(card for card in deck if card not in _BOARD_STRAIGHT), *_BOARD_STRAIGHT]
    while state.status:
        if state.can_deal_hole():
            state.deal_hole(deck.pop(0))
        elif state.can_burn_card():
            state.burn_card("??")
        elif state.can_deal_board():
            count = state.street.board_dealing_count if state.street else 1
            state.deal_board("".join(deck.pop() for _ in range(count)))
        elif state.can_stand_pat_or_discard():
            own = list(state.hole_cards[state.stand_patter_or_discarder_index or 0])
            state.stand_pat_or_discard(rng.sample(own, rng.randint(0, _MOST_THROWN)))
        elif state.can_post_bring_in():
            state.post_bring_in()
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards(True if all_in or rng.random() < _SHOWS else None)
        elif state.actor_index in short and state.can_complete_bet_or_raise_to() and rng.random() < _SHOVES:
            state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)
        else:
            _act(state, rng, keen=tie or all_in)
    return state


_BOARD_STRAIGHT: Final = ("9s", "Th", "Jd", "Qc", "Kh")


def _act(state: State, rng: random.Random, *, keen: bool) -> None:
    owed = state.checking_or_calling_amount or 0
    draw = rng.random()
    raised = sum(bet > 0 for bet in state.bets) and state.completion_betting_or_raising_count >= 2
    if owed and draw < (0.1 if keen else 0.38) and state.can_fold():
        state.fold()
    elif draw > (0.86 if not owed else 0.9) and not raised and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount or 0
        most = state.max_completion_betting_or_raising_to_amount or 0
        state.complete_bet_or_raise_to(min(least * rng.choice((1, 1, 2)), most))
    else:
        state.check_or_call()


def script_of(state: State, unit: int = 1) -> HandScript:
    """Return the script of a hand that PokerKit has played to its end; `unit` is how many cents an amount of 1 is."""
    writer = _Writer(state.player_count, unit, [_cents(stack, unit) for stack in state.starting_stacks])
    for done in state.operations:
        writer.on(done)
    return writer.script()


def paid_by(blinds: Sequence[int], antes: Sequence[int], moves: Sequence[Move]) -> list[int]:
    """Return the cents that each player put in."""
    paid = [blind + ante for blind, ante in zip(blinds, antes, strict=True)]
    for move in moves:
        paid[move.player] += move.cents
    return paid


class _Writer:
    """Turns PokerKit's operations into a script."""

    def __init__(self, count: int, unit: int, stacks: Sequence[int]) -> None:
        self.count, self.unit = count, unit
        self.left = list(stacks)
        self.pots: list[tuple[int, int, int]] = []
        self.showing: int | None = None
        self.shown_after: int | None = None
        self.holes: dict[int, list[str]] = {player: [] for player in range(count)}
        self.blinds, self.antes, self.awards, self.stakes = ([0] * count for _ in range(4))
        self.streets: list[list[Move]] = [[]]
        self.boards: list[list[str]] = []
        self.cards: list[list[tuple[int, str]]] = []
        self.thrown: list[list[tuple[int, tuple[str, ...]]]] = []
        self.shows: list[tuple[int, bool]] = []

    def on(self, done: object) -> None:
        """Take an operation."""
        from pokerkit import (
            AntePosting,
            BlindOrStraddlePosting,
            BoardDealing,
            ChipsPushing,
            HoleCardsShowingOrMucking,
            HoleDealing,
            StandingPatOrDiscarding,
        )

        if isinstance(done, HoleDealing | BoardDealing | StandingPatOrDiscarding):
            self._dealt(done)
        elif isinstance(done, BlindOrStraddlePosting):
            self.blinds[done.player_index] = self.stakes[done.player_index] = self._cents(done.amount)
            self.left[done.player_index] -= self._cents(done.amount)
        elif isinstance(done, AntePosting):
            self.antes[done.player_index] = self._cents(done.amount)
            self.left[done.player_index] -= self._cents(done.amount)
        elif isinstance(done, HoleCardsShowingOrMucking):
            self.shows.append((done.player_index, bool(done.hole_cards)))
            self.showing = len(self.streets) - 1
        elif isinstance(done, ChipsPushing):
            self.pots += [
                (done.pot_index, player, self._cents(cents)) for player, cents in enumerate(done.amounts) if cents
            ]
            self.awards = [won + self._cents(amount) for won, amount in zip(self.awards, done.amounts, strict=True)]
        else:
            self._acted(done)

    def _dealt(self, done: Any) -> None:
        from pokerkit import BoardDealing, HoleDealing

        run_out = isinstance(done, BoardDealing) and bool(self.boards and self.boards[-1])
        if run_out and self.showing is not None:
            self.shown_after = self.showing
        if self.streets[-1] or run_out:
            self.streets.append([])
            self.stakes = [0] * self.count
            for later in (self.boards, self.cards, self.thrown):
                later.append([])
        cards = [repr(card) for card in done.cards]
        if isinstance(done, BoardDealing):
            self.boards[-1] += cards
        elif isinstance(done, HoleDealing):
            if self.cards:
                self.cards[-1] += [(done.player_index, card) for card in cards]
            else:
                self.holes[done.player_index] += cards
        elif cards:
            self.thrown[-1].append((done.player_index, tuple(cards)))

    def _acted(self, done: object) -> None:
        from pokerkit import BringInPosting, CheckingOrCalling, CompletionBettingOrRaisingTo, Folding

        stakes = self.stakes
        if isinstance(done, Folding):
            self.streets[-1].append(Move(done.player_index, "fold"))
        elif isinstance(done, CheckingOrCalling):
            cents = self._cents(done.amount)
            stakes[done.player_index] += cents
            self._put(Move(done.player_index, "call" if cents else "check", cents))
        elif isinstance(done, BringInPosting):
            stakes[done.player_index] = self._cents(done.amount)
            self._put(Move(done.player_index, "bet", stakes[done.player_index]))
        elif isinstance(done, CompletionBettingOrRaisingTo):
            to = self._cents(done.amount)
            cents = to - stakes[done.player_index]
            stakes[done.player_index] = to
            first = max(stakes) == to and sum(stakes) == to
            self._put(Move(done.player_index, "bet" if first else "raise", cents))

    def _put(self, move: Move) -> None:
        """Add an act that puts chips in; it is all-in with the last ones."""
        self.left[move.player] -= move.cents
        all_in = bool(move.cents) and self.left[move.player] <= 0
        self.streets[-1].append(msgspec.structs.replace(move, all_in=all_in))

    def _in_order(self) -> list[tuple[int, bool]]:
        """Return who shows, in turn from who bet last in the last round, else acted first; where somebody is all-in,
        those last who play for the main pot only while others have a side pot.
        """
        acts = [move for street in self.streets for move in street]
        short = {move.player for move in acts if move.all_in}
        if not short or not self.shows:
            return self.shows
        paid = paid_by(self.blinds, self.antes, acts)
        live = [player for player, _ in self.shows]
        aside = {one for one in short if sum(paid[other] > paid[one] for other in live) > 1}
        last = next(street for street in reversed(self.streets) if street)
        first = next((move.player for move in reversed(last) if move.action in ("bet", "raise")), last[0].player)
        return sorted(self.shows, key=lambda one: (one[0] in aside, (one[0] - first) % self.count))

    def _cents(self, amount: Decimal | float) -> int:
        return _cents(amount, self.unit)

    def script(self) -> HandScript:
        """Return the script of all that was done."""
        later = zip(self.boards, self.cards, self.thrown, strict=True)
        return HandScript(
            holes=tuple(tuple(own) for own in self.holes.values()),
            blinds=tuple(self.blinds),
            antes=tuple(self.antes),
            streets=tuple(tuple(street) for street in self.streets),
            later=tuple(Later(board=tuple(b), cards=tuple(c), thrown=tuple(t)) for b, c, t in later),
            shows=tuple(self._in_order()),
            awards=tuple((player, cents) for player, cents in enumerate(self.awards) if cents),
            pots=tuple(self.pots) if len({pot for pot, _, _ in self.pots}) > 1 else (),
            shown_after=self.shown_after,
        )


def scripts_from_phh(path: Path) -> list[HandScript]:
    """Return the hold'em hands of a PHH file or collection (.phhs) that can be performed, amounts as cents.

    Raises BadInput for a file that is no hand history, and where no hand of it can be performed.
    """
    from pokerkit import HandHistory

    try:
        text = read_bytes(path).decode("utf-8")
        with warnings.catch_warnings(action="ignore"):
            found = (
                list(HandHistory.loads_all(text, parse_value=_EXACT))
                if path.suffix == ".phhs"
                else [HandHistory.loads(text, parse_value=_EXACT)]
            )
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError) as error:
        cause = " ".join(str(error).split())[:200]
        raise BadInput(str(path), f"is no poker hand history: {cause}", "give a PHH file (.phh or .phhs)") from None
    scripts = [script for history in found if (script := _performed(history)) is not None]
    if not scripts:
        cause = "no hand of it can be performed: hold'em in whole dollars, three known hands or more, nobody all-in"
        raise BadInput(str(path), cause, "give other hands")
    return scripts


def _cents(amount: Decimal | float, unit: int) -> int:
    return round(Decimal(amount) * unit)


def _performed(history: HandHistory) -> HandScript | None:
    """Return the script of a history; None where it is of another game, or not all that it needs is known."""
    if history.variant not in ("FT", "NT") or len(history.starting_stacks) < LEAST_PLAYERS:
        return None
    if any(history.antes):
        return None
    history.parse_value = _EXACT
    state = next(iter(deque(history, maxlen=1)), None)
    if state is None or state.status:
        return None
    script = script_of(state, _CENTS_A_DOLLAR)
    known = "?" not in "".join(card for hole in script.holes for card in hole)
    whole = all(cents % _CENTS_A_DOLLAR == 0 for cents in _put_in(script))
    return script if known and whole and not _all_in(script, history.starting_stacks) else None


def _put_in(script: HandScript) -> list[int]:
    return [*script.blinds, *(move.cents for street in script.streets for move in street)]


def _all_in(script: HandScript, stacks: Sequence[int]) -> bool:
    """Tell whether somebody puts in the last chip: side pots are not performed."""
    paid = list(script.blinds)
    for move in (move for street in script.streets for move in street):
        paid[move.player] += move.cents
    return any(put >= _cents(stack, _CENTS_A_DOLLAR) for put, stack in zip(paid, stacks, strict=True))
