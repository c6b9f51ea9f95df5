"""One poker hand as the checks see it: seats, button, blinds, cards, betting, showdown and awards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from verifier.domain.events import (
    AnyEvent,
    ButtonMoved,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    ChipsReturned,
    PlayerAction,
    PlayerPresence,
    PotAwarded,
    RoundEnded,
    WagerChanged,
    WagerPlaced,
)
from verifier.law.poker.betting import Betting, Street, clockwise, money_event, seat_number
from verifier.law.poker.cards import BETTING, HOLE_CARDS, Cards, button_draw, fold_cards, is_seat, variant_of
from verifier.law.poker.rounds import PokerRound
from verifier.law.poker.showing import leading

STUD = "seven_card_stud"


class PokerHand:
    """View of one hand; everything is derived from its events and, for what carries over, the hands before."""

    def __init__(self, game: PokerRound) -> None:
        self.game = game
        self.house = game.house
        self.drawn, self.draw_move = button_draw(game.events)
        gone = {event.id for event in self.drawn}
        self.events: tuple[AnyEvent, ...] = tuple(e for e in game.events if e.id not in gone) if gone else game.events
        self.variant = variant_of(self.house.poker_variant, self.events)

    # Who plays

    @cached_property
    def cards(self) -> Cards:
        return fold_cards(self.events, self.variant)

    @cached_property
    def first_card(self) -> CardDealt | None:
        return next((e for e in self.events if isinstance(e, CardDealt) and is_seat(e.to)), None)

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Seats that were dealt in, clockwise."""
        return tuple(sorted(self.cards.hands, key=seat_number))

    @cached_property
    def initial(self) -> tuple[CardDealt, ...]:
        """Cards to players before the first betting."""
        first = self.cards.dealings[0] if self.cards.dealings else None
        return tuple(first.cards) if first is not None and not first.board and first.street == 0 else ()

    @property
    def hole_cards(self) -> int | None:
        return HOLE_CARDS.get(self.variant) if self.variant else None

    # Blinds and the button

    @cached_property
    def blinds(self) -> dict[str, WagerPlaced]:
        """Blinds by their name (small, big, other); unnamed ones by their size."""
        posted = [e for e in self.events if isinstance(e, WagerPlaced) and e.kind == "blind" and self._before_acts(e)]
        found: dict[str, WagerPlaced] = {}
        for event in posted:
            if event.blind:
                found.setdefault(event.blind, event)
        unnamed = [e for e in posted if not e.blind]
        sizes = self.house.poker_blinds
        for index, event in enumerate(unnamed):
            if sizes and event.cents in (sizes.small, sizes.big) and sizes.small != sizes.big:
                found.setdefault("small" if event.cents == sizes.small else "big", event)
            elif len(unnamed) > 1:
                found.setdefault("small" if index == 0 else "big", event)
        return {} if self.variant == STUD else found

    def _before_acts(self, event: AnyEvent) -> bool:
        first = self.first_act
        return first is None or event.t_end <= first.t_end

    @cached_property
    def first_act(self) -> PlayerAction | None:
        return next((e for e in self.events if isinstance(e, PlayerAction) and e.action in BETTING), None)

    @cached_property
    def big_blind(self) -> int | None:
        """Cents of the big blind: as configured, else as posted."""
        if self.house.poker_blinds is not None:
            return self.house.poker_blinds.big
        posted = self.blinds.get("big")
        return posted.cents if posted else None

    @cached_property
    def moved(self) -> ButtonMoved | None:
        """The last move of the button before the hand's first card."""
        found = None
        for event in self.events:
            if event is self.first_card or isinstance(event, PlayerAction):
                break
            if isinstance(event, ButtonMoved):
                found = event
        return found

    @cached_property
    def button(self) -> str | None:
        """The button's seat: where it was moved, or as the blinds tell, or where it was before a misdeal."""
        if self.moved is not None:
            return self.moved.to
        small = self.blinds.get("small")
        if small is not None and small.at in self.seats:
            order = clockwise(self.seats, small.at)
            return small.at if len(self.seats) == 2 else order[-2]
        before = self.game.previous
        return hand_of(before).button if before is not None and hand_of(before).misdealt else None

    @cached_property
    def heads_up(self) -> bool:
        return len(self.seats) == 2

    # The course of the hand

    @cached_property
    def betting(self) -> Betting:
        return _Replay(self).run()

    @property
    def streets(self) -> list[Street]:
        return self.betting.streets

    @cached_property
    def awards(self) -> tuple[PotAwarded, ...]:
        return tuple(e for e in self.events if isinstance(e, PotAwarded))

    @cached_property
    def ending(self) -> str:
        """Why the hand ended, in lower case; empty where the log gives no reason."""
        found = [e.reason or "" for e in self.events if isinstance(e, RoundEnded)]
        return found[-1].lower().replace("_", " ") if found else ""

    @cached_property
    def misdealt(self) -> bool:
        return "misdeal" in self.ending or "redeal" in self.ending

    @cached_property
    def called_off(self) -> bool:
        """Whether the hand was ended without a winner: wagers went back to more than one player."""
        backs = {e.at for e in self.events if isinstance(e, ChipsReturned) and e.reason in ("void", "error")}
        return "defect" in self.ending or "deck" in self.ending or "void" in self.ending or len(backs) > 1

    @cached_property
    def filmed(self) -> bool:
        """Whether acts that no record shows were not done: false where the log was made from a written record."""
        return "video" in self.game.channels and not all(e.source == "record" for e in self.game.events)

    @cached_property
    def first_award(self) -> float:
        """When the first pot was awarded; infinite where none was."""
        return self.awards[0].t_start if self.awards else float("inf")

    def position(self, event: AnyEvent) -> int:
        """Place of an event in the order of the hand."""
        return self._positions[event.id]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {event.id: index for index, event in enumerate(self.events)}

    @cached_property
    def award_position(self) -> int:
        return self.position(self.awards[0]) if self.awards else len(self.events)

    # Showdown

    @cached_property
    def reveals(self) -> dict[str, list[CardRevealed]]:
        """Cards that players' hands showed at the end (not exposed by error), by seat in the order of the first."""
        found: dict[str, list[CardRevealed]] = {}
        for event in self.events:
            if isinstance(event, CardRevealed) and is_seat(event.at) and event.how in ("showdown", "turned", None):
                found.setdefault(event.at, []).append(event)
        return found

    @cached_property
    def folded(self) -> frozenset[str]:
        return frozenset(s for s in self.seats if s not in self.betting.live)

    @cached_property
    def live(self) -> tuple[str, ...]:
        """Seats whose hands were in to the end of the betting."""
        return tuple(s for s in self.seats if s in self.betting.live)

    @cached_property
    def gave_up(self) -> dict[str, PlayerAction]:
        """Live hands that were mucked or conceded before the award, with the act."""
        found: dict[str, PlayerAction] = {}
        for event in self.events[: self.award_position]:
            if isinstance(event, PlayerAction) and event.action in ("muck", "concede") and event.at in self.live:
                found.setdefault(event.at, event)
        return found

    def into_muck(self, seat: str) -> CardsCollected | None:
        """The first collection of a seat's cards after its last act of play and before the award."""
        for event in self.events[: self.award_position]:
            if (
                isinstance(event, CardsCollected)
                and event.from_ == seat
                and event in self.cards.collected.get(seat, ())
            ):
                return event
        return None

    @cached_property
    def contested(self) -> bool:
        """Whether more than one hand was in at the end of the betting."""
        return len(self.live) > 1

    @cached_property
    def any_all_in(self) -> bool:
        return bool(self.betting.all_in & set(self.live))

    def of_seat(self, *kinds: type[AnyEvent], seat: str) -> list[AnyEvent]:
        return [e for e in self.events if isinstance(e, kinds) and getattr(e, "at", None) == seat]

    @cached_property
    def burns(self) -> tuple[CardBurned, ...]:
        return tuple(e for e in self.events if isinstance(e, CardBurned))


class _Replay:
    """Drives the betting by the events of a hand: when streets open and close, and who may act first."""

    def __init__(self, hand: PokerHand) -> None:
        self.hand = hand
        self.betting = Betting(hand.seats, hand.big_blind, _stacks(hand))
        self.doubles = _doubles(hand.events)
        self.street = -1
        self.dealt = {card.id: d.street for d in hand.cards.dealings for card in d.cards}
        self.bring_in: str | None = None

    def run(self) -> Betting:
        for event in self.hand.events:
            if isinstance(event, CardDealt):
                self._card(event)
            elif isinstance(event, PlayerAction):
                self._act(event)
            elif isinstance(event, WagerPlaced | WagerChanged | ChipsReturned):
                self._money(event)
            elif isinstance(event, PotAwarded) or (isinstance(event, CardRevealed) and event.how == "showdown"):
                self._end_street(event)
        return self.betting

    def _card(self, event: CardDealt) -> None:
        street = self.dealt.get(event.id)
        if street is not None and street > max(self.street, 0):
            if self.street < 0 and street == 1 and self.hand.first_act is None:
                return
            self._open(0) if self.street < 0 else None
            self.betting.close()
            self._open(street)

    def _open(self, number: int) -> None:
        self.street = number
        firsts, after = self._firsts(number)
        self.betting.open(number, firsts, after)

    def _firsts(self, number: int) -> tuple[tuple[str, ...], str | None]:
        hand, able = self.hand, [s for s in self.betting.live if s not in self.betting.all_in]
        button = hand.button
        if number == 0 and hand.blinds and hand.variant != STUD:
            last = [hand.blinds[k].at for k in ("big", "other") if k in hand.blinds] or [hand.blinds["small"].at]
            return tuple(clockwise(able, seat)[0] for seat in last if able), last[0]
        if hand.variant == STUD:
            return self._stud_firsts(number, able, button)
        if button is None:
            return (), None
        return clockwise(able, button)[:1], button

    def _stud_firsts(self, number: int, able: list[str], button: str | None) -> tuple[tuple[str, ...], str | None]:
        """Stud opens left of the dealer by the rule; by custom the low card brings in and the best board leads."""
        if self.bring_in is not None and number == 0:
            order = [s for s in clockwise(able, self.bring_in) if s != self.bring_in]
            return tuple(order[:1]) + clockwise(able, button)[:1], self.bring_in
        hand = self.hand
        best = leading(hand.cards, self.betting.live, number, low=hand.house.poker_game == "low")
        leads = tuple(s if s in able else next(iter(clockwise(able, s)), s) for s in best)
        return (*clockwise(able, button)[:1], *leads), button

    def _act(self, event: PlayerAction) -> None:
        if event.action == "show":
            return
        if event.action in ("muck", "concede"):
            if self.street >= 0 and event.at in self.betting.pending and not self.betting.street.closed:
                self._fold_by(event)
            return
        if event.at not in self.betting.live:
            return
        if self.street < 0:
            self._open(0)
        if self._pat(event):
            self.betting.close()
            self._open(self.street + 1)
        self.betting.act(event)
        self._stud_opening(event)

    def _pat(self, event: PlayerAction) -> bool:
        """Whether a draw in which nobody took a card has gone by: betting was over, and a new round begins."""
        if self.hand.variant != "five_card_draw" or self.betting.pending or event.action == "fold":
            return False
        return not any(act.short_by for act in self.betting.street.acts) and not self.betting.completes(event)

    def _fold_by(self, event: PlayerAction) -> None:
        owes = self.betting.owed(event.at)
        if owes or owes is None:
            self.betting.live.remove(event.at)
            self.betting.pending.remove(event.at)

    def _stud_opening(self, event: PlayerAction) -> None:
        street = self.betting.street
        if self.hand.variant == STUD and street.number == 0 and event.action == "bet" and self.bring_in is None:
            self.betting.opening_is_completed = True

    def _money(self, event: WagerPlaced | WagerChanged | ChipsReturned) -> None:
        opening = isinstance(event, WagerPlaced) and event.kind in ("blind", "bet") and event.id not in self.doubles
        if opening and self.hand.variant == STUD and self.street < 0 and isinstance(event, WagerPlaced):
            self.bring_in = event.at
            self.betting.post(event.at, event.cents, "blind")
            self._open(0)
            self.betting.pending = [s for s in self.betting.pending if s != event.at]
            self.betting.opening_is_completed = True
            return
        money_event(self.betting, event, self.doubles)

    def _end_street(self, event: AnyEvent) -> None:
        if self.street >= 0 and not self.betting.street.closed:
            if isinstance(event, CardRevealed) and self.betting.pending and len(self.betting.live) > 1:
                return
            self.betting.close()


def _stacks(hand: PokerHand) -> dict[str, int]:
    """Stacks before the hand, where the log gives them at its start and this is its first hand."""
    if hand.game.previous is None and hand.house.stacks:
        return dict(hand.house.stacks)
    return {}


def _doubles(events: Sequence[AnyEvent]) -> frozenset[str]:
    """Bets that are logged both as chips placed and as a player's act.

    Chips of the same amount just before the act are its own; after it they are where the log does so for every act,
    and else complete it.
    """
    bets = sum(isinstance(e, WagerPlaced) and e.kind == "bet" for e in events)
    always = bets >= sum(isinstance(e, PlayerAction) and e.action in ("bet", "call", "raise") for e in events)
    acts: dict[tuple[str, int | None], int] = {}
    found: set[str] = set()
    waiting: dict[tuple[str, int | None], list[str]] = {}
    for event in events:
        if isinstance(event, CardDealt):
            acts, waiting = {}, {}
        elif isinstance(event, WagerPlaced) and event.kind == "bet":
            key = (event.at, event.cents)
            if always and acts.get(key):
                acts[key] -= 1
                found.add(event.id)
            else:
                waiting.setdefault(key, []).append(event.id)
        elif isinstance(event, PlayerAction) and event.action in ("bet", "call", "raise"):
            key = (event.at, event.cents)
            if waiting.get(key):
                found.add(waiting[key].pop())
            else:
                acts[key] = acts.get(key, 0) + 1
    return frozenset(found)


def hand_of(game: PokerRound) -> PokerHand:
    """The view of a hand, made once."""
    memo = game.memo
    found = memo.get(("poker",))
    if not isinstance(found, PokerHand):
        found = memo[("poker",)] = PokerHand(game)
    return found


def present_before(hand: PokerHand) -> frozenset[str] | None:
    """Seats that were occupied when the hand began: the site's list, less those who left, plus those who came. None
    where the log does not tell."""
    known = ("poker seats after",)
    chain: list[PokerRound] = []
    game: PokerRound | None = hand.game.previous
    while game is not None and known not in game.memo:
        chain.append(game)
        game = game.previous
    seats = game.memo[known] if game is not None else (frozenset(hand.house.seats) if hand.house.seats else None)
    assert seats is None or isinstance(seats, frozenset)
    for past in reversed(chain):
        seats = past.memo[known] = _seats_after(seats, hand_of(past), whole=True)
    return _seats_after(seats, hand, whole=False)


def _seats_after(seats: frozenset[str] | None, view: PokerHand, *, whole: bool) -> frozenset[str] | None:
    """Occupied seats after a hand, or at its first card."""
    if seats is None:
        return None
    for event in view.events:
        if not whole and event is view.first_card:
            break
        if isinstance(event, PlayerPresence):
            places = set(event.at or ()) | {f"seat:{n}" for n in event.spaces or ()}
            seats = seats | places if event.phase == "arrive" else seats - places
    return seats


LOOK_BACK = 20
"""Hands for which it is remembered that a player had lost the last chip (project policy)."""


def out_of_chips(hand: PokerHand) -> frozenset[str]:
    """Seats not dealt in since they lost their last chip; whether they are still there is not known."""
    gone: set[str] = set()
    since: set[str] = set()
    game = hand.game.previous
    for _ in range(LOOK_BACK):
        if game is None:
            break
        view = hand_of(game)
        won = {award.at for award in view.awards}
        gone |= {s for s in view.betting.all_in if s not in won and s not in since and _lost_all(view, s)}
        since |= set(view.seats)
        game = game.previous
    return frozenset(gone)


def _lost_all(view: PokerHand, seat: str) -> bool:
    """Whether nothing of an all-in player's chips came back."""
    return bool(view.awards) and not any(isinstance(e, ChipsReturned) and e.at == seat for e in view.events)
