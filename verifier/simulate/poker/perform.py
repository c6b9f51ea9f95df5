"""A performance of poker: hands at a simulated table, with everything that truly happens in them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from verifier.domain import events
from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog, EventsHeader
from verifier.domain.house import Blinds, House
from verifier.simulate.perform import Performance
from verifier.simulate.poker.faults import FAULTS, Fault, script_for
from verifier.simulate.poker.games import GAMES, Game, Variant
from verifier.simulate.poker.performer import PokerTable
from verifier.simulate.poker.script import DECK, HandScript, Later, Move
from verifier.simulate.poker_table import PokerPlan, plan_poker
from verifier.simulate.stage import Stage

_TAIL_SECONDS: Final = 3.0
_SHUFFLE_SECONDS: Final = (4.0, 6.5)
_DRAWS: Final = 0.3
"""Share of recordings that begin with the draw for the button."""
_EXPOSED: Final = 0.06
"""Share of lawful hands in which a hole card is exposed and rightly replaced."""
_MISDEALT: Final = 0.04
"""Share of lawful hands in which a wrong deal is noticed at once."""
_SUBSTANTIAL: Final = 3
"""So many players have acted before a misdeal that is called too late."""
_RANKS: Final = "23456789TJQKA"
_SUITS: Final = "cdhs"
"""In order of height (09-04(8))."""
RULEBOOK: Final = "nd-poker"


def perform_hands(
    seed: int,
    hands: int = 4,
    faults: Sequence[str] = (),
    players: int = 6,
    scripts: Sequence[HandScript] = (),
    minutes: float | None = None,
    draw: bool | None = None,
    game: Variant = "holdem",
    all_in: float = 0.0,
) -> Performance:
    """Play hands of a game from a seed (or for about `minutes`); each of `faults` is planted in a hand of its own.

    `all_in`: in this share of hold'em's and omaha's hands somebody is all-in.

    `draw`: the first button is drawn for by high card; None leaves it to the seed.

    A fault is named as in `FAULTS`, or by the clause that it breaks: then the seed tells which of those that break it.

    One seat of the table stays empty, and one player more sits there than `players` where somebody is skipped.
    `scripts` are played in turn instead of random hands, as far as they reach. Raises BadInput for unknown faults.
    """
    drawn, faults = _with_draw([_fault(name, seed, game) for name in faults])
    rng = random.Random(seed)
    played = GAMES[game]
    if players > played.most:
        raise BadInput("--spaces", f"{players} players are too many for {game}", f"name {played.most} or fewer")
    plan = plan_poker(players + 1)
    stage = Stage(plan, rng, _begin(rng), spaces=tuple(plan.spaces))
    empty = rng.choice(list(plan.spaces))
    seats = [number for number in plan.spaces if number != empty]
    table = PokerTable(stage, plan, played)
    session = _Session(table, seats, empty, seed)
    count, planted = _planted(faults, hands if minutes is None else 1, rng)
    chance = random.Random(f"draw of {seed}")
    draws = _draw(session, chance, drawn, draw)

    def at_random(dealt: int, fault: Fault | None) -> HandScript:
        last = fault is None and bool(played.board) and chance.random() < all_in
        return script_for(rng, dealt, fault, played, all_in=last)

    _play_all(session, (count, (minutes or 0.0) * 60.0), planted, scripts, at_random)
    stage.all_rest(table.now)
    return _performed(seed, plan, stage, table.now, _house(seats, played, draws=draws), rng)


def _draw(session: _Session, chance: random.Random, drawn: str | None, draw: bool | None) -> bool:
    """Draw for the first button where that is asked for, or `drawn` is planted in it; return whether it was done."""
    draws = drawn is not None or (draw is None and chance.random() < _DRAWS) or bool(draw)
    if draws:
        session.draw_for_button(chance, drawn)
    return draws


def _play_all(
    session: _Session,
    going_on: tuple[int, float],
    planted: Mapping[int, str],
    scripts: Sequence[HandScript],
    at_random: Callable[[int, Fault | None], HandScript],
) -> None:
    """Play at least so many hands and so many seconds: the planted faults, then `scripts`, then hands at random."""
    count, seconds = going_on
    seated = len(session.seats)
    number = 0
    while number < count or session.table.now < seconds:
        broken = planted.get(number)
        fault = FAULTS[broken] if broken else None
        fixed = scripts[number] if number < len(scripts) and fault is None else None
        if fixed is None or fixed.players != seated:
            fixed = at_random(seated - (broken == "skipped"), fault)
        number += 1
        session.play(number, fixed, broken)


def _planted(faults: list[str], hands: int, rng: random.Random) -> tuple[int, dict[int, str]]:
    """Return how many hands are played at least, and by the number of a hand, from 0, the fault planted in it."""
    first = int(any(FAULTS[name].later for name in faults))
    count = max(hands, len(faults) + first)
    numbers = sorted(rng.sample(range(first, count), len(faults)))
    return count, dict(zip(numbers, faults, strict=True))


def _with_draw(faults: list[str]) -> tuple[str | None, list[str]]:
    """Return the breach that is planted in the draw for the button, if any, and the others. Raises BadInput for two."""
    drawn = [name for name in faults if FAULTS[name].draw]
    if len(drawn) > 1:
        raise BadInput("--deviate", "the button is drawn for once", "plant these breaches in two recordings")
    return next(iter(drawn), None), [name for name in faults if name not in drawn]


def _performed(seed: int, plan: PokerPlan, stage: Stage, end: float, house: House, rng: random.Random) -> Performance:
    site, table = f"{rng.randint(1, 899):04d}", str(rng.randint(1, 9))
    header = EventsHeader(
        format="verifier-events",
        version=1,
        rulebook=RULEBOOK,
        site=site,
        table=table,
        date=stage.begins.date().isoformat(),
        channels=("video",),
        house={name: value for name, value in msgspec.to_builtins(house).items() if name != "rulebook"},
    )
    log = EventLog(header, stage.events())
    duration = round(end + _TAIL_SECONDS, 3)
    return Performance(seed, plan, house, duration, log, tuple(stage.deviations), site, table, stage)


def _fault(name: str, seed: int, game: Variant) -> str:
    """Return the name of the breach that is meant by its name or by the clause that it breaks."""
    possible = {one: fault for one, fault in FAULTS.items() if game in fault.games}
    meant = [one for one, fault in possible.items() if name in (one, fault.clause)]
    if not meant:
        known = sorted({fault.clause for fault in possible.values()})
        raise BadInput("--deviate", f"{name} is no breach of poker ({game})", f"name one of {', '.join(known)}")
    return meant[random.Random(f"{name} of {seed}").randrange(len(meant))]


def _house(seats: Sequence[int], game: Game, *, draws: bool) -> House:
    return House(
        rulebook=RULEBOOK,
        video_surveillance="present",
        poker_game="high",
        poker_variant=game.variant,
        poker_ante=game.ante or None,
        poker_blinds=Blinds(small=game.blinds[0], big=game.blinds[1]) if game.blinds else None,
        poker_button_draw="high_card" if draws else "set_position",
        poker_burn_procedure="before_additional_cards",
        seats=[f"seat:{number}" for number in seats],
    )


def _height(card: str) -> tuple[int, int]:
    """Return how high a card is in the draw for the button: by rank, then by suit."""
    return _RANKS.index(card[0]), _SUITS.index(card[1])


def _drawn_cards(rng: random.Random, count: int, *, tie: bool) -> list[str]:
    """Return a card for each of `count` players; `tie`: two have the highest rank."""
    while True:
        cards = rng.sample(DECK, count)
        ranks = sorted((card[0] for card in cards), key=_RANKS.index)
        if (ranks[-1] == ranks[-2]) is tie and (not tie or ranks[-2] != ranks[-3]):
            return cards


def _begin(rng: random.Random) -> datetime:
    return datetime(2026, 10, 1) + timedelta(days=rng.randrange(60), hours=18, seconds=rng.randrange(5 * 3600))


class _Session:
    """Hands one after the other; the button moves one seat to the left after each."""

    def __init__(self, table: PokerTable, seats: list[int], empty: int, seed: int) -> None:
        self.table, self.seats, self.empty = table, seats, empty
        self.rng = table.stage.rng
        self.chance = random.Random(f"misdeals of {seed}")
        self.misdeal = False
        self.button = self.rng.choice(seats)

    def draw_for_button(self, rng: random.Random, fault: str | None) -> None:
        """Deal a card to each player; the highest gets the button, of equal ranks the higher suit."""
        table, stage = self.table, self.table.stage
        stage.round, began = 1, table.now
        table.lay_button()
        table.shuffle(rng.uniform(*_SHUFFLE_SECONDS))
        table.take_up_deck()
        seats, cards = list(self.seats), _drawn_cards(rng, len(self.seats), tie=fault == "draw_lower_suit")
        ranked = sorted(zip(cards, seats, strict=True), key=lambda pair: _height(pair[0]), reverse=True)
        given = {"draw_not_highest": ranked[2][1], "draw_lower_suit": ranked[1][1]}.get(fault or "", ranked[0][1])
        for card, seat in zip(cards, seats, strict=True):
            if fault != "draw_seat_skipped" or seat != ranked[-1][1]:
                table.pitch(seat, card, up=True)
        table.right.go_rest(table.right.free)
        table.pause(1.5, 2.0)
        table.move_button(given)
        table.pause(2.5, 3.0)
        table.collect_all()
        self.button = given
        if fault is not None:
            stage.deviate(FAULTS[fault].clause, None, began, table.now)
        table.pause(0.4, 0.8)

    def play(self, number: int, script: HandScript, fault: str | None) -> None:
        """Play one hand."""
        table, stage = self.table, self.table.stage
        stage.round = number
        self.script, self.fault = script, fault
        lawful = fault is None and self.chance.random() < _MISDEALT
        self.misdeal = lawful or fault == "misdeal_too_late"
        began = table.now
        self.dealt = self._dealt_in()
        self._before()
        self._deal()
        for seat in self.dealt:
            if self.rng.random() < 0.8:
                table.look_at_cards(seat)
        table.pause(0.8, 1.6)
        if self.misdeal:
            self._called_off()
        else:
            self._played_out()
        if fault is not None:
            stage.deviate(FAULTS[fault].clause, None, began, table.now)
        table.pause(0.8, 1.5)

    def _played_out(self) -> None:
        """Play all rounds of betting with what is dealt between them, and award the pot."""
        table, early = self.table, self.fault == "awarded_early"
        for street, moves in enumerate(self.script.streets):
            if street and self.script.shown_after == street - 1:
                self._show(self._run_out_shows()[0])
            if street:
                self._later(street)
            for move in self._in_order(moves, street):
                self._move(move, street)
            table.sweep() if self._live_after(street) > 1 else None
            if early and street == 1:
                break
        self._end(early=early)
        table.collect_all()
        table.note(events.RoundEnded, table.now, table.now + 0.05, reason=None)
        self.button = self._next(self.button)

    def _in_order(self, moves: Sequence[Move], street: int) -> list[Move]:
        """Return the acts of a round; planted in the first one are one out of turn, and one that is left out."""
        found = list(moves)
        if street == 0 and self.fault == "opened_out_of_turn":
            found[:2] = found[1::-1]
        if street == 0 and self.fault == "stays_unpaid":
            found.pop(1)
        return found

    def _called_off(self) -> None:
        """Call a misdeal: all cards and chips go back, and the button stays. Planted, players have acted before."""
        table = self.table
        acted: set[int] = set()
        for move in self.script.streets[0] if self.fault else ():
            self._move(move, 0)
            acted |= {move.player} if move.action != "check" else set()
            if len(acted) == _SUBSTANTIAL:
                break
        table.pause(1.0, 2.0)
        for seat in list(table.bets):
            table.take_back(seat, noted=True)
        table.give_back([self.dealt[player] for player, cents in enumerate(self.script.antes) if cents])
        table.collect_all()
        table.note(events.RoundEnded, table.now, table.now + 0.05, reason="misdeal")

    def _next(self, seat: int) -> int:
        later = [other for other in self.seats if other > seat]
        return later[0] if later else self.seats[0]

    def _dealt_in(self) -> list[int]:
        """Return the seats by the script's players: clockwise from the left of the button."""
        order = [seat for seat in self.seats if seat > self.button] + [s for s in self.seats if s <= self.button]
        if len(order) > self.script.players:  # somebody is skipped, but not who has the button or posts a blind
            order.remove(self.rng.choice(order[2:-1]))
        return order

    def _before(self) -> None:
        table = self.table
        if self.fault != "no_shuffle":
            table.shuffle(self.rng.uniform(*_SHUFFLE_SECONDS))
        table.move_button(self.button)
        self._antes()
        for player, name in ((0, "small"), (1, "big")):
            if self.script.blinds[player]:
                table.bet(self.dealt[player], self.script.blinds[player], "blind", blind=name)
        table.take_up_deck()
        table.pause(0.2, 0.5)
        self.spare = [card for card in DECK if card not in self.script.cards]
        self.rng.shuffle(self.spare)

    def _antes(self) -> None:
        """Let each player put in the ante, and sweep them; planted, one is left out or comes late."""
        table = self.table
        left_out = self.rng.randrange(len(self.dealt)) if self.fault in ("ante_missing", "ante_late") else -1
        for player, cents in enumerate(self.script.antes):
            if cents and player != left_out:
                table.bet(self.dealt[player], cents, "ante")
        self.late_ante = left_out if self.fault == "ante_late" else None
        if any(self.script.antes):
            table.pause(0.6, 1.2)
            table.sweep()

    # The deal

    def _sequence(self) -> list[tuple[int, str, bool]]:
        """Return seats and cards in the order in which they are dealt, and whether each is dealt face up."""
        faces = self.table.game.first
        rounds = [
            [(seat, self.script.holes[i][turn], face == "u") for i, seat in enumerate(self.dealt)]
            for turn, face in enumerate(faces)
        ]
        if self.fault == "wrong_start":
            rounds = [own[2:] + own[:2] for own in rounds]
        if self.fault == "out_of_order":
            rounds[1] = [*rounds[1][2:], *rounds[1][:2]]
        if self.fault == "empty_seat":
            order = [s for s in self.table.plan.spaces if s > self.button] + [
                s for s in self.table.plan.spaces if s <= self.button
            ]
            at = [seat for seat in order if seat in (*self.dealt, self.empty)].index(self.empty)
            for own, face in zip(rounds, faces, strict=True):
                own.insert(at, (self.empty, self.spare.pop(), face == "u"))
        sequence = [one for own in rounds for one in own]
        if self.fault == "third_card" or self.misdeal:
            sequence.append((self.rng.choice(self.dealt), self.spare.pop(), False))
        return sequence

    def _deal(self) -> None:
        table, sequence = self.table, self._sequence()
        begin = table.now
        table.note(events.RoundStarted, begin, begin + 0.02)
        lawful = self.fault is None and not self.misdeal and self.rng.random() < _EXPOSED
        exposed = self.fault if self.fault in ("exposed_stays", "exposed_at_once") else "lawful" if lawful else None
        down = [index for index, (_, _, up) in enumerate(sequence[:-2]) if not up]
        if exposed == "exposed_at_once":  # who is dealt last in a round gets the next card at once, and rightly
            down = [index for index in down if (index + 1) % len(self.dealt)]
        at = self.rng.choice(down) if exposed else -1
        waiting = None
        for index, (seat, text, up) in enumerate(sequence):
            if self.fault == "ante_raised" and index == len(sequence) // 2:
                table.bet(self.rng.choice(self.dealt), self.table.game.ante, "ante")
            if index != at:
                table.pitch(seat, text, up=up)
                continue
            shown = self.spare.pop()
            body = table.pitch(seat, shown if exposed != "exposed_stays" else text, up=True)
            if exposed == "exposed_at_once":
                table.pause(0.5, 0.6)
                table.replace_exposed(seat, body, shown)
                table.pitch(seat, text)
            elif exposed == "lawful":
                waiting = (seat, body, shown, text)
            else:
                table.pause(0.6, 0.8)
                table.turn_down(seat, body)
        if waiting is not None:
            seat, body, shown, text = waiting
            table.pause(0.5, 0.7)
            table.replace_exposed(seat, body, shown)
            table.pitch(seat, text)
        table.right.go_rest(table.right.free)
        table.pause(0.4, 0.7)
        if self.late_ante is not None:
            table.bet(self.dealt[self.late_ante], self.script.antes[self.late_ante], "ante")
        if self.fault in ("ante_late", "ante_raised"):
            table.sweep()

    # Later dealings and the betting

    def _later(self, street: int) -> None:
        """Burn a card, and deal what comes before a further betting round."""
        table, later = self.table, self.script.later[street - 1]
        second = min(len(self.script.later), 2)
        if self.fault == "shuffled_amid" and street == second:
            table.shuffle(self.rng.uniform(3.5, 4.5))
            table.take_up_deck()
        for player, cards in later.thrown:
            table.pause(0.3, 0.9)
            table.throw(self.dealt[player], cards)
        if self.fault == "turn_with_flop" and street == 1:
            later = Later(board=self.script.board[:4])
        if self.fault == "turn_with_flop" and street == 2:
            return
        if not later.board and not later.cards:
            return
        if not (self.fault == "no_burn" and street == second):
            table.burn(self.spare.pop())
        if self.fault == "two_burned" and street == second:
            table.burn(self.spare.pop())
        if later.board:
            table.deal_board(later.board)
        for player, card in later.cards:
            table.pitch(self.dealt[player], card, up=table.game.later[street - 1 : street] == "u")
        if later.cards:
            table.right.go_rest(table.right.free)
            table.pause(0.5, 1.0)

    def _move(self, move: Move, street: int) -> None:
        table, seat = self.table, self.dealt[move.player]
        table.pause(0.2, 1.2)
        if move.action == "fold":
            table.give_up(seat, "fold")
        elif move.action == "check":
            table.check(seat, street)
        else:
            last = {"all_in": True} if move.all_in else {}
            table.bet(seat, move.cents, move.action, street=street, **last)

    def _live_after(self, street: int) -> int:
        folded = {m.player for moves in self.script.streets[: street + 1] for m in moves if m.action == "fold"}
        return self.script.players - len(folded)

    # The end

    def _end(self, *, early: bool) -> None:
        table, script = self.table, self.script
        if early:
            live = [player for player in range(script.players) if self.dealt[player] in table.holes]
            moves = sum(move.cents for street in script.streets[:2] for move in street)
            self._push([(live[0], sum(script.blinds) + sum(script.antes) + moves)])
            return
        shows = list(script.shows) if script.shown_after is None else self._run_out_shows()[1]
        if self.fault == "shown_out_of_turn":
            shown = [player for player, does in shows if does]
            shows = [(player, True) for player in (shown[0], shown[2], shown[1], *shown[3:])]
            shows += [(player, False) for player, does in script.shows if not does]
        self._show(shows)
        self._push(self._awards([player for player, does in script.shows if does]), script.pots)

    def _run_out_shows(self) -> tuple[list[tuple[int, bool]], list[tuple[int, bool]]]:
        """Return who shows before the last cards, as all betting is over, and who, planted, only after them."""
        shows = list(self.script.shows)
        return (shows[:-1], shows[-1:]) if self.fault == "all_in_unshown" else (shows, [])

    def _show(self, shows: Sequence[tuple[int, bool]]) -> None:
        for player, does in shows:
            self.table.pause(0.3, 0.8)
            self.table.show(self.dealt[player]) if does else self.table.give_up(self.dealt[player], "muck")

    def _awards(self, shown: Sequence[int]) -> list[tuple[int, int]]:
        awards, pot = list(self.script.awards), sum(cents for _, cents in self.script.awards)
        winners = {player for player, _ in awards}
        losers = [player for player in shown if player not in winners]
        if self.fault == "wrong_winner":
            return [(losers[0], pot)]
        if self.fault == "winner_killed":
            for player in winners:
                self.table.to_muck(self.dealt[player], noted=True)
            return [(losers[0], pot)]
        if self.fault == "tie_not_shared":
            return [(awards[0][0], pot)]
        if self.fault == "folded_wins":
            folded = [m.player for moves in self.script.streets for m in moves if m.action == "fold"]
            return [(folded[-1], pot)]
        return awards

    def _push(self, awards: Sequence[tuple[int, int]], pots: Sequence[tuple[int, int, int]] = ()) -> None:
        """Push the pot; of several `pots`, if they were won as they should be, the side pots first."""
        table = self.table
        by_pot = [(player, cents, pot) for pot, player, cents in sorted(pots, reverse=True)]
        if not pots or sorted(awards) != sorted(self.script.awards):
            by_pot = [(player, cents, 0) for player, cents in awards]
        whole = sum(cents for _, cents in awards)
        put_in = self.script.put_in
        if whole < put_in and (
            len(table.holes) == 1 or any(m.all_in for street in self.script.streets for m in street)
        ):
            paid = self.script.paid
            seat = next(iter(table.holes)) if len(table.holes) == 1 else self.dealt[paid.index(max(paid))]
            table.note(
                events.ChipsReturned,
                table.now,
                table.now + 0.02,
                kind="bet",
                at=f"seat:{seat}",
                cents=put_in - whole,
                reason="excess",
            )
        table.pause(0.4, 0.8)
        left = whole
        for player, cents, pot in by_pot:
            seat = self.dealt[player]
            table.push_pot(seat, cents, share=cents / left if left else 1.0, pot=pot)
            left -= cents
        for seat in list(table.bets):
            table.take_back(seat)
