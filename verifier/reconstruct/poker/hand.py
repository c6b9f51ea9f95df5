"""One hand of poker: from what lay where to what happened, in the events that the law of poker reads."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct, structs

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
from verifier.domain.poker import STUD
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.poker.card_dwells import (
    CardDwell,
    joined,
    one_card,
    taken_away,
    unseen_at,
    unseen_card,
    without_doubles,
)
from verifier.reconstruct.poker.chips import Award, Stake, awards_of, stakes_of
from verifier.reconstruct.poker.dealings import (
    USUAL,
    Given,
    SeatCards,
    dealings_of,
    deals_later,
    first_count,
    further_of,
    given_in,
)
from verifier.reconstruct.poker.ordering import InTurn, dealt_in_order, seat_number
from verifier.reconstruct.poker.shuffles import shuffles_in
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import BackSeen, Drafts, event
from verifier.reconstruct.table.zones import TableMap, distance


class PokerScene(Struct, frozen=True, kw_only=True):
    """A hand from its first card to its end, and the pause before it (since `since`).

    `begun` is False where its cards lay there when the recording began, `ended` where the recording stops in it.
    `button` is the seat that has the button, None where that is not known.
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
    button: int | None = None


def decode_hand(scene: PokerScene) -> Drafts:
    """Return the events of a hand, and of the pause before it."""
    return _Hand(scene).events()


class _Hand:
    def __init__(self, scene: PokerScene) -> None:
        self.scene = scene
        self.variant = scene.house.poker_variant or USUAL
        self.count = first_count(self.variant)
        self.board = of_board(scene.card_dwells)
        self.burns = of_burns(scene.card_dwells)
        seats = [card_dwell for card_dwell in taken_away(scene.card_dwells) if card_dwell.place.startswith("seat")]
        places = dict.fromkeys(card_dwell.place for card_dwell in seats)
        went = [card_dwell.rest for card_dwell in scene.card_dwells if card_dwell.place in ("muck", "burns")]
        self.seats = {place: joined([s for s in seats if s.place == place], moving=True, went=went) for place in places}
        self.own = {place: cards for place, own in self.seats.items() if (cards := self._cards_of(own)) is not None}
        self.holes = {place: cards.kept for place, cards in self.own.items()}
        first = (card for cards in self.own.values() for card in (*cards.first, *cards.further))
        every = [*self.board, *first]
        told = without_doubles(every)
        self.texts = {id(card): told[index] for index, card in enumerate(every)}

    def events(self) -> Drafts:
        """Return all events; the numbering puts them in order."""
        drafts: Drafts = [*self._shuffles(), *self._frame(), *self._dealt(), *self._boarded(), *self._burned()]
        drafts += [*self._thrown(), *self._further()]
        return [*drafts, *self._shown(), *self._given_up(), *self._staked(), *self._awarded()]

    # The deal

    @cached_property
    def dealt_until(self) -> float:
        """When the first deal was over."""
        limit = self.board[0].rest if self.board else math.inf
        if deals_later(self.variant):
            limit = min([limit, *self._plain_burns])
        rests = sorted(card_dwell.rest for own in self.seats.values() for card_dwell in own if card_dwell.rest < limit)
        until = rests[0] if rests else self.scene.start
        for rest in rests:
            if rest - until > par.POKER_DEAL_GAP_S:
                break
            until = rest
        return until

    @cached_property
    def _plain_burns(self) -> list[float]:
        """When cards were burned, but for exposed ones, which lie face up."""
        return [burn.rest for burn in self.burns if burn.up is None and not burn.faced]

    def _cards_of(self, own: Sequence[CardDwell]) -> SeatCards | None:
        """Return a seat's cards: those of the first deal, and of one that is hardly seen its first sight."""
        limit = self.dealt_until + par.INSTANT_S
        dealt = [card_dwell for card_dwell in own if card_dwell.rest <= limit]
        late = [card_dwell for card_dwell in own if card_dwell.rest > limit]
        exposed = [card_dwell for card_dwell in dealt if self._exposed(card_dwell)]
        kept = as_many([card_dwell for card_dwell in dealt if not self._exposed(card_dwell)], self.count)
        if not exposed and not kept:
            return None
        mucked = [card_dwell.rest for card_dwell in self.scene.card_dwells if card_dwell.place == "muck"]
        if deals_later(self.variant):
            cards = further_of(self.variant, kept, late, mucked)
            first = sorted([*exposed, *cards.first], key=lambda card_dwell: card_dwell.rest)
            return SeatCards(first=tuple(first), further=cards.further, thrown=cards.thrown)
        missing = max(0, self.count - len(kept))
        kept = self._seen_again(kept, late[missing:])
        first = sorted([*exposed, *kept], key=lambda card_dwell: card_dwell.rest)
        return SeatCards(first=(*first, *late[:missing]))

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
        soon = card_dwell.ended and card_dwell.gone <= self.dealt_until + par.POKER_DEAL_GAP_S
        return card_dwell.taken or (
            card_dwell.faced and soon and any(o.until > card_dwell.gone for o in self.seats[card_dwell.place])
        )

    def _faced(self, card: CardDwell) -> bool:
        """Tell whether a card was dealt face up; in stud a card that shows its face at once was."""
        at_once = card.up is not None and card.up - card.rest <= par.POKER_FACED_S
        return card.faced or (self.variant == STUD and at_once)

    def _dealt(self) -> Iterator[CardDealt]:
        late = self.dealt_until + par.INSTANT_S
        cards = [card for own in self.own.values() for card in own.first]
        found_later = [card for card in cards if card.rest > late]
        for t, card, sure in self.first_deal:
            yield from self._deal_of(card, t, p=None if sure else par.POKER_UNSEEN_CARD_P)
        for card in found_later:  # it lay there, hardly seen: when it came is not known
            yield from self._deal_of(card, self.dealt_until, p=par.POKER_UNSEEN_CARD_P)

    @cached_property
    def first_deal(self) -> list[InTurn]:
        """The cards of the first deal in the order in which they came."""
        late = self.dealt_until + par.INSTANT_S
        button = self.scene.button
        order = (
            [] if button is None else sorted(self.own, key=lambda one: (seat_number(one) <= button, seat_number(one)))
        )
        cards = [card for own in self.own.values() for card in own.first if card.rest <= late]
        return dealt_in_order([*cards, *self._never_seen()], order)

    def _never_seen(self) -> Iterator[CardDwell]:
        """Yield the cards of the first deal that no look shows: each may lie under another one of its seat."""
        for place, own in self.own.items():
            missing = self.count - sum(not self._exposed(card) for card in own.first)
            if len(self.own) > 1 and missing < self.count:
                taken = [card.gone + par.TWO_LOOKS_S for card in own.first if self._exposed(card)]
                yield from (unseen_at(place, max([self.dealt_until, *taken])) for _ in range(missing))

    def _deal_of(self, card: CardDwell, t: float, p: float | None = None) -> Iterator[CardDealt]:
        """Yield a card that came to a seat at a time, and a weak record of a further one where there may be several."""
        faced = self._faced(card)
        yield event(
            CardDealt,
            t - par.MARK_S,
            t,
            card.p if p is None else p,
            card=self.texts[id(card)] if faced else "??",
            to=card.place,
            face="up" if faced else "down",
            seq=None,
            ranks=(card.ranks or None) if faced else None,
            several=card.several,
            occluded=not self.scene.begun,
        )
        if card.several:
            yield unseen_card(card.place, t - par.MARK_S, t, face="up" if faced else "down")

    # Later cards of the players

    @cached_property
    def later_deals(self) -> list[list[Given]]:
        """The cards that came to players after the first deal, dealing by dealing."""
        order = list(dict.fromkeys(card.place for _, card, _ in self.first_deal))
        groups = dealings_of((card for own in self.own.values() for card in own.further), self._plain_burns)
        return [given_in(group, self._due(group), order, together=self.variant != STUD) for group in groups]

    def _due(self, group: Sequence[CardDwell]) -> dict[str, int]:
        """Return how many cards each seat should get in a dealing: one in stud, as many as it threw away in a draw."""
        last = max(card.rest for card in group)
        if self.variant != STUD:
            return {place: len(own.thrown) for place, own in self.own.items() if own.thrown}
        plays = {place for place, own in self.holes.items() if max(card.until for card in own) > last + par.INSTANT_S}
        return dict.fromkeys(plays, 1)

    def _further(self) -> Iterator[CardDealt]:
        for given in (one for dealing in self.later_deals for one in dealing):
            if given.card is None:
                yield unseen_card(given.seat, given.t - par.MARK_S, given.t)
            else:
                yield from self._deal_of(given.card, given.t)

    def _thrown(self) -> Iterator[CardsCollected]:
        for place, own in self.own.items():
            for number, card in enumerate(own.thrown):
                end = card.until + par.MARK_S
                yield event(
                    CardsCollected, card.until, end, par.SURELY_SEEN_P, from_=place, order=number + 1, to="muck"
                )

    # The board and the burned cards

    @cached_property
    def dealings(self) -> list[float]:
        """When each further dealing began: in hold'em the flop, the turn, the river."""
        first = self.board[:1] if len(self.board) >= par.POKER_FLOP else []
        board = [card.rest for card in (*first, *self.board[par.POKER_FLOP : par.POKER_BOARD])]
        return [*board, *(min(given.t for given in dealing) for dealing in self.later_deals)]

    @property
    def further_cards(self) -> list[CardDwell]:
        """Cards dealt after the first deal: of the board, and of the players."""
        return [*self.board, *(card for own in self.own.values() for card in own.further)]

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
                ranks=card.ranks or None,
                several=card.several,
                occluded=not self.scene.begun,
            )
            if card.several:
                yield unseen_card("board", t - par.MARK_S, t, face="up")

    def _burned(self) -> Iterator[CardBurned]:
        exposed = [card for own in self.own.values() for card in own.first if self._exposed(card)]
        laid = [burn for burn in self.burns if burn.up is None and not burn.faced]
        faced = [burn for burn in self.burns if not any(burn is other for other in laid)]
        for card in exposed:
            moved = min((*faced, *laid), key=lambda burn: abs(burn.rest - card.gone), default=None)
            if moved is not None and abs(moved.rest - card.gone) <= par.POKER_TAKEN_S:
                laid = [burn for burn in laid if burn is not moved]
                faced = [burn for burn in faced if burn is not moved]
            yield self._exposed_burn(self.texts[id(card)], card.until, card.p)
        for burn in faced:  # from which seat it came was not seen
            yield self._exposed_burn(burn.text, burn.rest, burn.p)
        for burn in self.burns:
            if burn.several:
                yield self._exposed_burn("??", burn.rest, par.POKER_UNSEEN_CARD_P)
        for t, p in self._burn_times(laid):
            yield event(CardBurned, t - par.MARK_S, t, p, card="??", face_shown=False)

    def _exposed_burn(self, text: str, t: float, p: float) -> CardBurned:
        return event(CardBurned, t, t + par.MARK_S, p, card=text, face_shown=True, reason="exposed card")

    def _burn_times(self, laid: Sequence[CardDwell]) -> Iterator[tuple[float, float]]:
        """Yield when cards were burned, with the probability of each.

        One that may have come before a dealing or after it is told where it is due: before it, unless another one was
        seen there. Where none was seen before a dealing and the dealer's hand was there, one may lie there unseen, or
        be the one that shows later.
        """
        waiting = list(laid)
        for due in self.dealings:
            own = [burn for burn in waiting if burn.rest < due] or [burn for burn in waiting if burn.early < due][:1]
            if own:
                waiting = [burn for burn in waiting if not any(burn is other for other in own)]
                for burn in own:
                    yield min(burn.rest, due - par.POKER_BURN_BEFORE_S), burn.p
            elif self._laid_on(due):
                following = next((later for later in self.dealings if later > due), math.inf)
                extra = [burn for burn in waiting if burn.early < following]
                if len(extra) > 1 or (extra and following == math.inf):
                    waiting = [burn for burn in waiting if burn is not extra[0]]
                yield due - par.POKER_BURN_BEFORE_S, par.POKER_UNSEEN_CARD_P
        for burn in waiting:
            yield burn.rest, burn.p

    def _laid_on(self, due: float) -> bool:
        """Tell whether a card may have been burned before a dealing that does not show: overlooked, or on another.

        The dealer's hand was at the burned cards shortly before, and after the card that was dealt before it.
        """
        scene = self.scene
        before = max([due - par.POKER_TAKEN_S, *(card.rest for card in self.further_cards if card.rest < due)])
        hands = scene.hands.between(before, due, "dealer")
        return any(scene.table.within(hand.tip, "burns") for hand in hands)

    # The end

    @cached_property
    def _pushed(self) -> list[Award]:
        """Chips that left the pot for a seat."""
        after = max([self.dealt_until, *(card.rest for card in self.further_cards)])
        return awards_of(self.scene.dwells, self.scene.table, after)

    @cached_property
    def awards(self) -> list[Award]:
        return [] if self._called_off else self._pushed

    @cached_property
    def _called_off(self) -> bool:
        """Whether chips left the pot while several hands lay there, none shown, before any further card: they went
        back.
        """
        first = min((one.begin for one in self._pushed), default=math.inf)
        lie = [place for place, own in self.holes.items() if max(card.until for card in own) > first]
        return bool(self._pushed) and len(self._of_players(lie)) > 1 and not self.dealings and not self.tabled

    def _of_players(self, places: Iterable[str]) -> list[str]:
        """Return which of the places are of players: all, where the house does not list its seats."""
        seats = self.scene.house.seats
        return [place for place in places if not seats or place in seats]

    @cached_property
    def tabled(self) -> bool:
        """Whether a hand was turned up."""
        return any(self._reveals(card) for own in self.holes.values() for card in own)

    @property
    def over(self) -> float:
        """When the hand was decided: the first award, else its end."""
        return self.awards[0].begin if self.awards else self.scene.end

    @cached_property
    def gathered(self) -> set[str]:
        """Seats whose cards the dealer took one after the other at the end of a hand that nobody won."""
        if self.awards or not self.scene.ended:
            return set()
        mucked = [card_dwell.rest for card_dwell in self.scene.card_dwells if card_dwell.place == "muck"]
        lasts = sorted(((max(card.until for card in own), place) for place, own in self.holes.items()), reverse=True)
        found: set[str] = set()
        before = lasts[0][0] if lasts else 0.0
        for until, place in lasts:
            if before - until > par.POKER_GATHER_S or any(0.0 <= r - until <= par.POKER_TAKEN_S for r in mucked):
                break
            found.add(place)
            before = until
        return found

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
                        ranks=card.ranks or None,
                    )

    def _reveals(self, card: CardDwell) -> bool:
        return card.up is not None and not self._faced(card)

    def _given_up(self) -> Iterator[PlayerAction | CardsCollected]:
        """Yield hands that left their seats before the hand was decided: folded, mucked, or taken by the dealer."""
        shows = [card.up for own in self.holes.values() for card in own if self._reveals(card) and card.up is not None]
        mucked = [card_dwell.rest for card_dwell in self.scene.card_dwells if card_dwell.place == "muck"]
        for place, own in self.holes.items():
            cards = [card for card in own if not self._exposed(card)]
            if not cards or not all(card.ended for card in cards):
                continue
            until, gone = max(card.until for card in cards), max(card.gone for card in cards)
            if until >= self.over or place in self.gathered:
                continue
            hidden = gone > self.over and gone - until > par.POKER_GONE_UNSEEN_S
            seen = any(abs(rest - until) <= par.POKER_TAKEN_S for rest in mucked)
            p = par.SURELY_SEEN_P if seen else par.WELL_SEEN_P
            t = until + par.MARK_S
            if any(self._reveals(card) for card in cards):
                yield event(CardsCollected, until, t, p, from_=place, order=None, to="muck", occluded=hidden)
            else:
                played = len(self.board) >= par.POKER_BOARD or deals_later(self.variant)
                late = played and any(show <= until for show in shows)
                yield event(PlayerAction, until, t, p, at=place, action="muck" if late else "fold", occluded=hidden)

    def _awarded(self) -> Iterator[PotAwarded]:
        for award in self.awards:
            yield event(
                PotAwarded, award.begin, award.t, award.p, at=f"seat:{award.seat}", cents=None, pot=0, portion="high"
            )

    # Chips, shuffles, beginning and end

    def _staked(self) -> Iterator[WagerPlaced]:
        scene = self.scene
        until = min([self.over, *(one.begin for one in self._pushed)])
        stakes = stakes_of(scene.dwells, scene.table, scene.since, until)
        antes = self._antes(stakes)
        blinds = self._blinds([stake for stake in stakes if stake.t <= self.dealt_until and stake not in antes])
        for stake in stakes:
            blind = blinds.get(stake)
            yield self._wager(stake, "ante" if stake in antes else "blind" if blind else "bet", blind)
        if scene.house.poker_ante:
            yield from self._unseen(scene.since, self.dealt_from, "ante", {stake.seat for stake in antes})
        if blinds and self.dealings:  # with blinds, who is in when further cards come has put chips forward
            until = self.dealings[0]
            put = {stake.seat for stake in stakes if self.dealt_until < stake.t <= until}
            gone = {seat_number(place) for place, own in self.holes.items() if max(c.until for c in own) < until}
            posted = {stake.seat for stake in blinds}
            yield from self._unseen(self.dealt_until, until, "bet", put | gone | posted)

    def _wager(self, stake: Stake, kind: str, blind: str | None = None) -> WagerPlaced:
        return event(
            WagerPlaced,
            stake.t - par.MARK_S,
            stake.t,
            stake.p,
            kind=kind,
            at=f"seat:{stake.seat}",
            cents=stake.cents,
            lower_bound=True,
            by="player",
            blind=blind,
        )

    @property
    def dealt_from(self) -> float:
        """When the first card of the deal came."""
        return self.first_deal[0].t if self.first_deal else self.scene.start

    def _antes(self, stakes: Sequence[Stake]) -> list[Stake]:
        """Return which stakes are antes: the first one of each seat before the cards, and what is put in amid the deal,
        when nobody bets yet.
        """
        if not self.scene.house.poker_ante:
            return []
        first: dict[int, Stake] = {}
        amid = []
        for stake in stakes:
            if stake.t <= self.dealt_from:
                first.setdefault(stake.seat, stake)
            elif sum(t > stake.t for t, _, _ in self.first_deal) >= par.POKER_AMID_CARDS:
                amid.append(stake)
        return [*first.values(), *amid]

    def _unseen(self, begin: float, end: float, kind: str, but: set[int]) -> Iterator[WagerPlaced]:
        """Yield chips that may lie there unseen: a player's hand was where the player bets. `but`: not these seats."""
        scene = self.scene
        for seat in sorted({seat_number(place) for place in self.own} - but):
            spot = scene.table.seats[seat].bets
            reached = [
                hand.t
                for hand in scene.hands.between(begin, end)
                if hand.owner != "dealer" and distance(hand.tip, spot) <= par.POKER_BET_REACH_MM
            ]
            if reached:
                yield self._wager(Stake(seat, reached[0], None, par.POKER_UNSEEN_CARD_P), kind)

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
        until = self.dealt_from - par.POKER_DEALT_EARLY_S
        before = shuffles_in(scene.backs, scene.hands, scene.table, scene.since, until)
        busy = [card_dwell.rest for card_dwell in scene.card_dwells] + [
            card_dwell.until for card_dwell in scene.card_dwells
        ]
        amid = shuffles_in(scene.backs, scene.hands, scene.table, self.dealt_until, self.over, busy, sure=True)
        return [*before, *amid]

    def _frame(self) -> Iterator[RoundStarted | RoundEnded]:
        scene = self.scene
        if scene.begun:
            begin = self.dealt_from
            yield event(RoundStarted, begin - par.TWO_LOOKS_S, begin - par.SLACK_S, par.BEST_P)
        if scene.ended:
            undecided = not self.dealings and not self.tabled and not self.awards
            reason = "misdeal" if undecided and len(self._of_players(self.gathered)) > 1 else None
            yield event(RoundEnded, scene.end, scene.end + par.MARK_S, par.BEST_P, reason=reason)


def as_many(card_dwells: Sequence[CardDwell], least: int) -> list[CardDwell]:
    """Return a seat's cards, as many as were seen at one time, or as many as it is dealt.

    A hand that covers cards leaves them boxed otherwise: what shows then are those that lay there before. Cards of a
    seat lie beside each other: where there are too many, what lay apart from all others is none.
    """
    most = max((sum(other.rest <= one.rest <= other.until for other in card_dwells) for one in card_dwells), default=0)
    if len(card_dwells) > max(least, most):
        card_dwells = [one for one in card_dwells if _beside(one, card_dwells)]
    cards = list(card_dwells[: max(least, most)])
    for again in card_dwells[len(cards) :]:
        before = [index for index, card in enumerate(cards) if card.until <= again.rest]
        if before:
            nearest = min(before, key=lambda index: distance(cards[index].xy, again.xy))
            cards[nearest] = one_card(cards[nearest], again)
    return cards


def _beside(one: CardDwell, card_dwells: Sequence[CardDwell]) -> bool:
    return any(distance(one.xy, other.xy) <= par.POKER_BESIDE_MM for other in card_dwells if other is not one)


def of_burns(card_dwells: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the burned cards. They lie until all are collected: what shows where one was seen before is that one.

    Their boxes overlap, so that a hand that passes over them leaves them boxed otherwise. What goes soon, and not under
    another card, is none.
    """
    first: list[CardDwell] = []
    there = [one for one in card_dwells if one.place == "burns"]
    for card_dwell in there:
        if not _passes(card_dwell, there) and not any(
            distance(other.xy, card_dwell.xy) <= par.POKER_SAME_CARD_MM and other.rest < card_dwell.rest
            for other in first
        ):
            first.append(card_dwell)
    return joined(first)


def _passes(one: CardDwell, others: Sequence[CardDwell]) -> bool:
    """Tell whether what showed at the burned cards went again, and not under a card that came there."""
    brief = one.ended and one.until - one.rest < par.POKER_CARD_S
    return brief and not any(
        abs(other.rest - one.until) <= par.POKER_MOVED_S and distance(other.xy, one.xy) <= par.POKER_COVERED_MM
        for other in others
        if other is not one
    )


def of_board(card_dwells: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the board: faces that lie there, since they show; print on the felt passes for backs.

    A card that shows there only just before it is taken away is one of those that are gathered.
    """
    faces = [one for one in card_dwells if one.place == "board" and one.up is not None]
    laid = joined([one if one.faced else structs.replace(one, rest=one.up or one.rest) for one in faces])
    return [one for one in laid if not one.ended or one.until - one.rest >= par.POKER_BOARD_S]
