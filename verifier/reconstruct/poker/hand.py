"""One hand of hold'em: from what lay where to what happened, in the events that the law of poker reads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from verifier.domain.events import (
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    PlayerAction,
    PotAwarded,
    RoundEnded,
    RoundStarted,
    WagerPlaced,
)
from verifier.domain.house import House
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.poker.card_dwells import CardDwell, joined, one_card, without_doubles
from verifier.reconstruct.poker.chips import Award, Stake, awards_of, stakes_of
from verifier.reconstruct.poker.ordering import dealt_in_order, seat_number
from verifier.reconstruct.poker.shuffles import shuffles_in
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import BackSeen, Drafts, event
from verifier.reconstruct.table.zones import TableMap, distance

HOLE_CARDS = 2
"""Cards of a hold'em player."""


class PokerScene(Struct, frozen=True, kw_only=True):
    """A hand from its first card to its end, and the pause before it (since `since`).

    `begun` is False where its cards lay there when the recording began, `ended` where the recording stops in it.
    """

    table: TableMap
    hands: HandLog
    house: House
    card_dwells: tuple[CardDwell, ...]
    dwells: tuple[ChipDwell, ...]
    backs: tuple[BackSeen, ...]
    since: float
    start: float
    end: float
    begun: bool
    ended: bool


def decode_hand(scene: PokerScene) -> Drafts:
    """Return the events of a hand, and of the pause before it."""
    return _Hand(scene).events()


class _Hand:
    def __init__(self, scene: PokerScene) -> None:
        self.scene = scene
        self.board = of_board(scene.card_dwells)
        seats = [card_dwell for card_dwell in scene.card_dwells if card_dwell.place.startswith("seat")]
        places = dict.fromkeys(card_dwell.place for card_dwell in seats)
        self.seats = {place: joined([s for s in seats if s.place == place], moving=True) for place in places}
        self.holes = {place: cards for place, own in self.seats.items() if (cards := self._hole_cards(own))}
        self.burns = of_burns(scene.card_dwells)
        every = [*self.board, *(card for cards in self.holes.values() for card in cards)]
        told = without_doubles(every)
        self.texts = {id(card): told[index] for index, card in enumerate(every)}

    def events(self) -> Drafts:
        """Return all events; the numbering puts them in order."""
        drafts: Drafts = [*self._shuffles(), *self._frame(), *self._dealt(), *self._boarded(), *self._burned()]
        return [*drafts, *self._shown(), *self._given_up(), *self._staked(), *self._awarded()]

    # The deal

    @cached_property
    def dealt_until(self) -> float:
        """When the first deal was over."""
        limit = self.board[0].rest if self.board else math.inf
        rests = sorted(card_dwell.rest for own in self.seats.values() for card_dwell in own if card_dwell.rest < limit)
        until = rests[0] if rests else self.scene.start
        for rest in rests:
            if rest - until > par.POKER_DEAL_GAP_S:
                break
            until = rest
        return until

    def _hole_cards(self, own: Sequence[CardDwell]) -> list[CardDwell]:
        """Return the cards that a seat was dealt: those of the deal, and of one that is hardly seen its first sight."""
        first = [card_dwell for card_dwell in own if card_dwell.rest <= self.dealt_until + par.INSTANT_S]
        late = [card_dwell for card_dwell in own if card_dwell.rest > self.dealt_until + par.INSTANT_S]
        exposed = [card_dwell for card_dwell in first if self._exposed(card_dwell)]
        kept = as_many([card_dwell for card_dwell in first if not self._exposed(card_dwell)])
        missing = max(0, HOLE_CARDS - len(kept))
        kept = self._seen_again(kept, late[missing:])
        first = sorted([*exposed, *kept], key=lambda card_dwell: card_dwell.rest)
        return [*first, *late[:missing]] if first else []

    def _seen_again(self, kept: list[CardDwell], late: Sequence[CardDwell]) -> list[CardDwell]:
        """Return a seat's cards with what shows there later: it is one of them, unless a card came to the muck then."""
        mucked = [card_dwell.rest for card_dwell in self.scene.card_dwells if card_dwell.place == "muck"]
        for again in late:
            before = [
                index
                for index, card in enumerate(kept)
                if card.until <= again.rest and not any(abs(rest - card.until) <= par.POKER_TAKEN_S for rest in mucked)
            ]
            if before:
                nearest = min(before, key=lambda index: distance(kept[index].xy, again.xy))
                kept[nearest] = one_card(kept[nearest], again)
        return kept

    def _exposed(self, card_dwell: CardDwell) -> bool:
        """Tell whether a card of the deal showed its face as it came, and was taken out of the hand again."""
        return card_dwell.faced and card_dwell.ended and card_dwell.gone <= self.dealt_until + par.POKER_DEAL_GAP_S

    def _dealt(self) -> Iterator[CardDealt]:
        late = self.dealt_until + par.INSTANT_S
        cards = [card for own in self.holes.values() for card in own]
        seen = [card for card in cards if card.rest <= late]
        found_later = [card for card in cards if card.rest > late]
        for t, card in dealt_in_order(seen):
            yield self._deal_of(card, t)
        for card in found_later:  # it lay there, hardly seen: when it came is not known
            yield self._deal_of(card, self.dealt_until, p=par.POKER_UNSEEN_CARD_P)
        for place, own in self.holes.items():
            if sum(not self._exposed(card) for card in own) == 1 and len(self.holes) > 1:
                taken = [card.gone + par.TWO_LOOKS_S for card in own if self._exposed(card)]
                until = max([self.dealt_until, *taken])
                yield event(
                    CardDealt,
                    self.scene.start,
                    until,
                    par.POKER_UNSEEN_CARD_P,
                    card="??",
                    to=place,
                    face="down",
                    seq=None,
                )

    def _deal_of(self, card: CardDwell, t: float, p: float | None = None) -> CardDealt:
        return event(
            CardDealt,
            t - par.MARK_S,
            t,
            card.p if p is None else p,
            card=self.texts[id(card)] if card.faced else "??",
            to=card.place,
            face="up" if card.faced else "down",
            seq=None,
            occluded=not self.scene.begun,
        )

    # The board and the burned cards

    @cached_property
    def dealings(self) -> list[float]:
        """When each dealing of the board began: the flop, the turn, the river."""
        first = self.board[:1] if len(self.board) >= par.POKER_FLOP else []
        return [card.rest for card in (*first, *self.board[par.POKER_FLOP : par.POKER_BOARD])]

    def _boarded(self) -> Iterator[CardDealt]:
        for index, card in enumerate(self.board):
            at = self.board[0].rest + index * par.POKER_ORDER_STEP_S
            flop = 0 < index < par.POKER_FLOP and card.early <= at
            t = at if flop else card.rest
            yield event(
                CardDealt,
                t - par.MARK_S,
                t,
                card.p,
                card=self.texts[id(card)],
                to="board",
                face="up",
                seq=None,
                occluded=not self.scene.begun,
            )

    def _burned(self) -> Iterator[CardBurned]:
        exposed = [card for own in self.holes.values() for card in own if self._exposed(card)]
        laid = list(self.burns)
        for card in exposed:
            moved = min(laid, key=lambda burn: abs(burn.rest - card.gone), default=None)
            if moved is not None and abs(moved.rest - card.gone) <= par.POKER_TAKEN_S:
                laid.remove(moved)
            yield event(
                CardBurned,
                card.until,
                card.until + par.MARK_S,
                card.p,
                card=self.texts[id(card)],
                face_shown=True,
                reason="exposed card",
            )
        waiting = list(self.dealings)
        for burn in laid:
            t = burn.rest
            due = next((begin for begin in waiting if begin > burn.early), None)
            if due is not None and t >= due - par.POKER_BURN_BEFORE_S:
                t = due - par.POKER_BURN_BEFORE_S
            if due is not None and t < due:
                waiting.remove(due)
            yield event(CardBurned, t - par.MARK_S, t, burn.p, card="??", face_shown=False)
        for due in waiting:
            if self._laid_on(due):
                t = due - par.POKER_BURN_BEFORE_S
                yield event(CardBurned, t - par.MARK_S, t, par.POKER_UNSEEN_CARD_P, card="??", face_shown=False)

    def _laid_on(self, due: float) -> bool:
        """Tell whether a card may have been burned onto those that lie there before a dealing: it may not show.

        The dealer's hand was at the burned cards shortly before, and after the board's card before it.
        """
        scene = self.scene
        if not any(burn.rest < due for burn in self.burns):
            return False
        before = max([due - par.POKER_TAKEN_S, *(card.rest for card in self.board if card.rest < due)])
        hands = scene.hands.between(before, due, "dealer")
        return any(scene.table.within(hand.tip, "burns") for hand in hands)

    # The end

    @cached_property
    def awards(self) -> list[Award]:
        after = max([self.dealt_until, *(card.rest for card in self.board)])
        return awards_of(self.scene.dwells, self.scene.table, after)

    @property
    def over(self) -> float:
        """When the hand was decided: the first award, else its end."""
        return self.awards[0].begin if self.awards else self.scene.end

    def _shown(self) -> Iterator[CardRevealed]:
        for own in self.holes.values():
            for card in own:
                if self._reveals(card):
                    up = card.up or card.rest
                    yield event(
                        CardRevealed,
                        up - par.MARK_S,
                        up,
                        min(card.p, card.rank_p) if card.rank_p else card.p,
                        card=self.texts[id(card)],
                        at=card.place,
                        how="showdown",
                    )

    def _reveals(self, card: CardDwell) -> bool:
        return card.up is not None and not card.faced

    def _given_up(self) -> Iterator[PlayerAction | CardsCollected]:
        """Yield hands that left their seats before the hand was decided: folded, mucked, or taken by the dealer."""
        shows = [card.up for own in self.holes.values() for card in own if self._reveals(card) and card.up is not None]
        mucked = [card_dwell.rest for card_dwell in self.scene.card_dwells if card_dwell.place == "muck"]
        for place, own in self.holes.items():
            cards = [card for card in own if not self._exposed(card)]
            if not cards or not all(card.ended for card in cards):
                continue
            until, gone = max(card.until for card in cards), max(card.gone for card in cards)
            if until >= self.over:
                continue
            hidden = gone > self.over and gone - until > par.POKER_GONE_UNSEEN_S
            seen = any(abs(rest - until) <= par.POKER_TAKEN_S for rest in mucked)
            p = par.SURELY_SEEN_P if seen else par.WELL_SEEN_P
            t = until + par.MARK_S
            if any(self._reveals(card) for card in cards):
                yield event(CardsCollected, until, t, p, from_=place, order=None, to="muck", occluded=hidden)
            else:
                late = len(self.board) >= par.POKER_BOARD and any(show <= until for show in shows)
                yield event(PlayerAction, until, t, p, at=place, action="muck" if late else "fold", occluded=hidden)

    def _awarded(self) -> Iterator[PotAwarded]:
        for award in self.awards:
            yield event(
                PotAwarded, award.begin, award.t, award.p, at=f"seat:{award.seat}", cents=None, pot=0, portion="high"
            )

    # Chips, shuffles, beginning and end

    def _staked(self) -> Iterator[WagerPlaced]:
        scene = self.scene
        stakes = stakes_of(scene.dwells, scene.table, scene.since, self.over)
        blinds = self._blinds([stake for stake in stakes if stake.t <= self.dealt_until])
        for stake in stakes:
            blind = blinds.get(stake)
            yield event(
                WagerPlaced,
                stake.t - par.MARK_S,
                stake.t,
                stake.p,
                kind="blind" if blind else "bet",
                at=f"seat:{stake.seat}",
                cents=stake.cents,
                lower_bound=True,
                by="player",
                blind=blind,
            )

    def _blinds(self, early: Sequence[Stake]) -> dict[Stake, str]:
        """Return which of the stakes before the cards are blinds: two, of seats that follow each other in the deal."""
        seats = sorted(seat_number(place) for place in self.holes)
        if self.scene.house.poker_blinds is None or len(early) != 2 or len(seats) <= 2:
            return {}
        one, other = early
        after = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
        for small, big in ((one, other), (other, one)):
            if after.get(small.seat) == big.seat:
                return {small: "small", big: "big"}
        return {}

    def _shuffles(self) -> Drafts:
        scene = self.scene
        first = min((card.early for own in self.holes.values() for card in own), default=scene.start)
        before = shuffles_in(scene.backs, scene.hands, scene.table, scene.since, first - par.POKER_DEALT_EARLY_S)
        busy = [card_dwell.rest for card_dwell in scene.card_dwells] + [
            card_dwell.until for card_dwell in scene.card_dwells
        ]
        amid = shuffles_in(scene.backs, scene.hands, scene.table, self.dealt_until, self.over, busy)
        return [*before, *amid]

    def _frame(self) -> Iterator[RoundStarted | RoundEnded]:
        scene = self.scene
        if scene.begun:
            begin = min((card.early for own in self.holes.values() for card in own), default=scene.start)
            yield event(RoundStarted, begin - par.TWO_LOOKS_S, begin - par.SLACK_S, par.BEST_P)
        if scene.ended:
            in_play = [own for own in self.holes.values() if max(card.until for card in own) >= self.over - par.SLACK_S]
            redealt = not self.board and not self.awards and len(in_play) > 1
            reason = "misdeal" if redealt else None
            yield event(RoundEnded, scene.end, scene.end + par.MARK_S, par.BEST_P, reason=reason)


def as_many(card_dwells: Sequence[CardDwell]) -> list[CardDwell]:
    """Return a seat's cards, as many as were seen at one time, or as many as it is dealt.

    A hand that covers cards leaves them boxed otherwise: what shows then are those that lay there before.
    """
    most = max((sum(other.rest <= one.rest <= other.until for other in card_dwells) for one in card_dwells), default=0)
    cards = list(card_dwells[: max(HOLE_CARDS, most)])
    for again in card_dwells[len(cards) :]:
        before = [index for index, card in enumerate(cards) if card.until <= again.rest]
        if before:
            nearest = min(before, key=lambda index: distance(cards[index].xy, again.xy))
            cards[nearest] = one_card(cards[nearest], again)
    return cards


def of_burns(card_dwells: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the burned cards. They lie until all are collected: what shows where one was seen before is that one.

    Their boxes overlap, so that a hand that passes over them leaves them boxed otherwise.
    """
    first: list[CardDwell] = []
    for card_dwell in card_dwells:
        if card_dwell.place == "burns" and not any(
            distance(other.xy, card_dwell.xy) <= par.POKER_SAME_CARD_MM and other.rest < card_dwell.rest
            for other in first
        ):
            first.append(card_dwell)
    return joined(first)


def of_board(card_dwells: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the board: faces that lie there; print on the felt passes for backs.

    A card that shows there only just before it is taken away is one of those that are gathered.
    """
    laid = joined([one for one in card_dwells if one.place == "board" and one.up is not None])
    return [one for one in laid if not one.ended or one.until - one.rest >= par.POKER_BOARD_S]
