"""Scripts of hold'em hands: played at random by PokerKit's engine, or taken from published hand histories (PHH)."""

from __future__ import annotations

import random
import warnings
from collections import deque
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.files import read_bytes

if TYPE_CHECKING:
    from pokerkit import HandHistory, State

Action = Literal["fold", "check", "bet", "call", "raise"]
DECK: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "shdc")
BLINDS: Final = (100, 200)
"""Small and big blind of random hands, cents."""
_STACK: Final = 200_000
"""So many cents that nobody is all-in."""
_SHOWS: Final = 0.75
"""Share of beaten hands that are shown all the same."""
LEAST_PLAYERS: Final = 3
_CENTS_A_DOLLAR: Final = 100
_EXACT: Final[Any] = Decimal
"""How amounts of a history are read; PokerKit computes with any number type."""


class Move(Struct, frozen=True):
    """An act of a player of index `player` (0 posts the small blind); `cents` are put in by it."""

    player: int
    action: Action
    cents: int = 0


class HandScript(Struct, frozen=True, kw_only=True):
    """A hand by player index; player 0 is the first left of the button, the last one has the button."""

    holes: tuple[tuple[str, str], ...]
    blinds: tuple[int, ...]
    streets: tuple[tuple[Move, ...], ...]
    """Acts before the flop, and after flop, turn and river as far as it came."""
    board: tuple[str, ...]
    shows: tuple[tuple[int, bool], ...]
    """Players at the showdown in their order, and whether each showed."""
    awards: tuple[tuple[int, int], ...]
    """Players and the cents that each won of the pot."""

    @property
    def players(self) -> int:
        return len(self.holes)


def random_hand(rng: random.Random, players: int, *, showdown: bool = False, tie: bool = False) -> HandScript:
    """Return a lawful hand of `players` (3 or more) without anybody all-in.

    `showdown`: at least two hands are shown; `tie`: two hands or more share the pot.
    """
    if players < LEAST_PLAYERS:
        raise ValueError(f"{players} players: expected {LEAST_PLAYERS} or more")
    while True:
        script = script_of(_played(rng, players, tie=tie))
        if tie and len(script.awards) < 2:
            continue
        if not showdown or sum(shown for _, shown in script.shows) >= 2:
            return script


def _played(rng: random.Random, players: int, *, tie: bool) -> State:
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )
    state = NoLimitTexasHoldem.create_state(automations, True, 0, BLINDS, BLINDS[1], _STACK, players)
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
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards(True if rng.random() < _SHOWS else None)
        else:
            _act(state, rng, keen=tie)
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
        state.complete_bet_or_raise_to(least * rng.choice((1, 1, 2)))
    else:
        state.check_or_call()


def script_of(state: State, unit: int = 1) -> HandScript:
    """Return the script of a hand that PokerKit has played to its end; `unit` is how many cents an amount of 1 is."""
    from pokerkit import (
        BlindOrStraddlePosting,
        BoardDealing,
        CheckingOrCalling,
        ChipsPushing,
        CompletionBettingOrRaisingTo,
        Folding,
        HoleCardsShowingOrMucking,
        HoleDealing,
    )

    count = state.player_count
    holes: dict[int, list[str]] = {player: [] for player in range(count)}
    blinds, awards = [0] * count, [0] * count
    stakes = [0] * count
    streets: list[list[Move]] = [[]]
    board: list[str] = []
    shows: list[tuple[int, bool]] = []
    for done in state.operations:
        if isinstance(done, HoleDealing):
            holes[done.player_index] += [repr(card) for card in done.cards]
        elif isinstance(done, BlindOrStraddlePosting):
            blinds[done.player_index] = stakes[done.player_index] = _cents(done.amount, unit)
        elif isinstance(done, BoardDealing):
            board += [repr(card) for card in done.cards]
            streets.append([])
            stakes = [0] * count
        elif isinstance(done, Folding):
            streets[-1].append(Move(done.player_index, "fold"))
        elif isinstance(done, CheckingOrCalling):
            cents = _cents(done.amount, unit)
            stakes[done.player_index] += cents
            streets[-1].append(Move(done.player_index, "call" if cents else "check", cents))
        elif isinstance(done, CompletionBettingOrRaisingTo):
            cents = _cents(done.amount, unit) - stakes[done.player_index]
            stakes[done.player_index] = _cents(done.amount, unit)
            first = max(stakes) == _cents(done.amount, unit) and sum(stakes) == _cents(done.amount, unit)
            streets[-1].append(Move(done.player_index, "bet" if first else "raise", cents))
        elif isinstance(done, HoleCardsShowingOrMucking):
            shows.append((done.player_index, bool(done.hole_cards)))
        elif isinstance(done, ChipsPushing):
            awards = [won + _cents(amount, unit) for won, amount in zip(awards, done.amounts, strict=True)]
    return HandScript(
        holes=tuple((own[0], own[1]) for own in holes.values()),
        blinds=tuple(blinds),
        streets=tuple(tuple(street) for street in streets),
        board=tuple(board),
        shows=tuple(shows),
        awards=tuple((player, cents) for player, cents in enumerate(awards) if cents),
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


def total(moves: Sequence[Move], blinds: Sequence[int]) -> int:
    """Cents that blinds and acts put in."""
    return sum(blinds) + sum(move.cents for move in moves)
