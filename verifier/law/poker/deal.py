"""Checks of the deal: order, misdeals, exposed cards (09-04(7), (12), (13))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    PlayerAction,
    RoundEnded,
    WagerPlaced,
)
from verifier.domain.poker import STUD
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.acts import clockwise, seat_number
from verifier.law.poker.cards import BETTING, Held
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.sequence import first_deal, irregularities
from verifier.law.poker.tabled import fouled

LEFT, MISDEAL, SUBSTANTIAL = full("7-left-of-button"), full("13-misdeal"), full("13-substantial-action")
EXPOSED = full("12-exposed-card")


def over(hand: PokerHand) -> bool:
    """Tell whether the log holds the hand to its end."""
    return bool(hand.awards) or any(isinstance(e, RoundEnded) for e in hand.events) or hand.game.closed


def played_on(hand: PokerHand) -> bool:
    """Tell whether play went on after the first deal."""
    return hand.first_act is not None or len(hand.cards.dealings) > 1 or bool(hand.awards)


@hand_check("7-left-of-button", "13-misdeal")
def first_deal_order(hand: PokerHand) -> Iterator[Instance]:
    """Dealing starts left of the button and goes clockwise; a misdealt hand is dealt again."""
    if not hand.initial or not played_on(hand):
        if hand.misdealt and hand.initial:
            yield judged(MISDEAL, True)
        return
    if hand.misdealt:
        yield judged(MISDEAL, True)
        return
    wrong = irregularities(hand)
    start, order = wrong.wrong_start, wrong.out_of_order
    if start or order:
        card = (start or order)[0]
        yield judged(
            LEFT,
            False,
            at=card.to,
            events=[hand.moved, *start, *order],
            expected=say.that(
                "cards go out clockwise from the left of the button ({button})",
                button=say.place(hand.button) if hand.button else "not seen",
            ),
            observed=say.that("the first card went to {card}", card=say.place(card.to))
            if start
            else say.that("a card went to {card} out of turn", card=say.place(card.to)),
            also=[MISDEAL] if order or start else [],
            incident="deal",
            rank=2,
        )
    else:
        yield judged(LEFT, True)
    yield from _misdeal(hand)


def _misdeal(hand: PokerHand) -> Iterator[Instance]:
    wrong = irregularities(hand)
    told = [
        say.that("{seat} got one card" if n == 1 else "{seat} got {n} cards", seat=say.place(seat), n=n)
        for seat, n in wrong.wrong_number.items()
    ]
    told += [
        say.that("{seat} was skipped, or had left", seat=say.place(seat))
        if seat in wrong.perhaps_left
        else say.that("{seat} was skipped", seat=say.place(seat))
        for seat in wrong.skipped
    ]
    told += [say.that("{card}, an empty seat, was dealt in", card=say.place(card.to)) for card in wrong.empty[:1]]
    if not told:
        if not wrong.out_of_order and not wrong.wrong_start:
            yield judged(MISDEAL, True)
        return
    dead = set(wrong.wrong_number) <= fouled(hand) - {a.at for a in hand.awards} and bool(
        set(wrong.wrong_number) & (hand.reveals.keys() | hand.cards.collected.keys())
    )
    noticed = dead and not wrong.skipped and not wrong.empty
    left = not wrong.wrong_number and not wrong.empty and set(wrong.skipped) <= set(wrong.perhaps_left)
    yield judged(
        MISDEAL,
        None if noticed or left else False,
        at=_place(hand),
        events=[*hand.initial],
        expected="a first deal with a wrong number of cards, a skipped player or an empty seat is a misdeal: all cards "
        "go back for a new deal",
        observed=say.listed("; ", told) + ", and the hand was played on",
        incident="deal",
    )


def _place(hand: PokerHand) -> str | None:
    wrong = irregularities(hand)
    return next(iter([*wrong.wrong_number, *wrong.skipped, *(card.to for card in wrong.empty)]), None)


@hand_check("13-substantial-action", partial="keep")
def substantial_action(hand: PokerHand) -> Iterator[Instance]:
    """No misdeal is called after three players acted by betting or folding, or two with one raise."""
    if not hand.misdealt:
        return
    acts = [e for e in hand.events if isinstance(e, PlayerAction) and e.action in BETTING and e.action != "check"]
    chips = [e for e in hand.events if isinstance(e, WagerPlaced) and e.kind == "bet" and _after_deal(hand, e)]
    players = {act.at for act in acts} | {wager.at for wager in chips}
    raised = any(act.action == "raise" for act in acts) or _raised_by_bets(hand)
    ended = [e for e in hand.events if isinstance(e, RoundEnded)]
    right: bool | None = not (len(players) >= 3 or (len(players) >= 2 and raised))
    if right and hand.by_chips and len(players) == 2:
        right = None  # whether one of them raised does not show
    yield judged(
        SUBSTANTIAL,
        right,
        events=[*acts, *chips, *ended],
        expected="no misdeal after three players acted by betting or folding, or two with one raise",
        observed=say.that("a misdeal was called after {players} players had acted", players=len(players))
        + (" with a raise" if raised else ""),
    )


def _after_deal(hand: PokerHand, wager: WagerPlaced) -> bool:
    """Tell whether chips were pushed forward after the first deal: a bet, where no act is logged."""
    return bool(hand.initial) and hand.by_chips and hand.position(wager) > hand.position(hand.initial[-1])


def _raised_by_bets(hand: PokerHand) -> bool:
    """Tell whether a bet over a blind was a raise by what it put in."""
    return any(act.action == "bet" and act.owed for street in hand.streets for act in street.acts)


@hand_check("7-left-of-button")
def later_deal_order(hand: PokerHand) -> Iterator[Instance]:
    """Later cards to the players go clockwise too: one each in stud, all of one player's in a draw."""
    if hand.misdealt or not hand.filmed:
        return
    for dealing in hand.cards.dealings:
        if dealing.board or dealing.street == 0:
            continue
        seats = list(dict.fromkeys(card.to for card in dealing.cards))
        start = hand.button
        wanted = list(clockwise(seats, start)) if start is not None else _turned(seats)
        yield judged(
            LEFT,
            seats == wanted,
            at=seats[0],
            key=f"street {dealing.street}",
            events=dealing.cards,
            expected=say.that("cards go out clockwise from the left of the button").detail(
                "{wanted}", wanted=say.listed(", ", map(say.place, wanted))
            ),
            observed=say.that("dealt to {seats}", seats=say.listed(", ", map(say.place, seats))),
        )


def _turned(seats: list[str]) -> list[str]:
    ordered = sorted(seats, key=seat_number)
    start = ordered.index(seats[0])
    return ordered[start:] + ordered[:start]


@hand_check("12-exposed-card")
def exposed_card(hand: PokerHand) -> Iterator[Instance]:
    """Check that a card that the dealer exposes is replaced, after all players have that round's cards."""
    if hand.misdealt or hand.first_card is None:
        return
    deal = first_deal(hand)
    going = played_on(hand)
    for card, exposed in deal.early:
        yield judged(
            EXPOSED,
            False,
            at=card.to,
            key=exposed.id,
            events=[exposed, card],
            incident=f"exposed {card.to}",
            expected="an exposed card is replaced after all players have that round's cards",
            observed=say.that("{card} got another card at once", card=say.place(card.to)),
        )
    first = {card.id for card in hand.initial}
    for held, event in hand.cards.exposures:
        if held.dealt.id in first and not any(held.dealt is e for _, e in deal.early):
            waits = any(held.dealt is card for card in deal.unreplaced)
            if not waits or going:
                yield _of_first_deal(hand, held, event, waits=waits)
        elif held.dealt.id not in first and over(hand) and hand.variant != STUD:
            yield _of_later_deal(hand, held, event)
    yield from _shown_by_player(hand)


def _of_first_deal(hand: PokerHand, held: Held, event: AnyEvent, *, waits: bool) -> Instance:
    """Tell whether a card of the first deal that was exposed was replaced; `waits`: not in the deal itself."""
    dwells = not held.gone and not any(held is h for h, _ in hand.cards.removed)
    late = _replaced_late(hand, held.dealt) if waits else True
    right = late and (not dwells or not waits)
    unsure = right and dwells and _another_burned(hand, event)
    seat = say.place(held.dealt.to)
    return judged(
        EXPOSED,
        None if unsure else right,
        at=held.dealt.to,
        key=held.dealt.id,
        events=[held.dealt, event],
        incident=f"exposed {held.dealt.to}",
        expected="an exposed card is replaced after all players have that round's cards",
        observed=say.that("{dealt}'s exposed card was not seen to leave, and another was burned", dealt=seat)
        if unsure
        else say.that("{dealt}'s exposed card was not replaced", dealt=seat) + (" and stayed" if dwells else ""),
    )


def _another_burned(hand: PokerHand, exposed: AnyEvent) -> bool:
    """Tell whether a card that is not known to be the exposed one was burned before the first betting: perhaps it left
    in place of the exposed card.
    """
    ends = [e.t_start for e in (hand.first_act, *(d.cards[0] for d in hand.cards.dealings[1:2])) if e is not None]
    ours = {burn.id for dealing in hand.cards.dealings[1:] for burn in dealing.burns}
    burned = (e for e in hand.events if isinstance(e, CardBurned) and e.id not in ours and e.t_start >= exposed.t_end)
    return any(e.t_end <= min(ends, default=float("inf")) for e in burned)


def _of_later_deal(hand: PokerHand, held: Held, event: AnyEvent) -> Instance:
    """Tell whether an exposed card of a later deal was replaced, and not before the others had drawn."""
    at_once = _replaced_at_once(hand, held.dealt)
    if at_once is not None:
        return judged(
            EXPOSED,
            False,
            at=held.dealt.to,
            key=held.dealt.id,
            events=[held.dealt, event, *at_once],
            expected="an exposed card is replaced after all players have that round's cards",
            observed=say.that(
                "{dealt} got another card before {at_once} had drawn",
                dealt=say.place(held.dealt.to),
                at_once=say.place(at_once[-1].to),
            ),
        )
    return judged(
        EXPOSED,
        held.gone,
        at=held.dealt.to,
        key=held.dealt.id,
        events=[held.dealt, event],
        expected="an exposed card is replaced",
        observed=say.that("{dealt}'s exposed card stayed in the hand", dealt=say.place(held.dealt.to)),
    )


def _replaced_late(hand: PokerHand, exposed: CardDealt) -> bool:
    """Tell whether a card still came to the player before the next betting or dealing, outside the first deal."""
    return hand.hole_cards is not None and hand.cards.count(exposed.to) >= hand.hole_cards


def _replaced_at_once(hand: PokerHand, exposed: CardDealt) -> tuple[CardDealt, CardDealt] | None:
    """In a draw, a card beyond the player's discards that came before another player's first, with that one."""
    dealing = next(d for d in hand.cards.dealings if exposed in d.cards)
    own = [card for card in dealing.cards if card.to == exposed.to]
    drawn = hand.cards.discards[exposed.to]
    if not drawn or len(own) <= drawn:
        return None
    place = dealing.cards.index(own[drawn])
    begun = {card.to for card in dealing.cards[:place]}
    later = next((card for card in dealing.cards[place:] if card.to not in begun), None)
    return (own[drawn], later) if later is not None else None


def _shown_by_player(hand: PokerHand) -> Iterator[Instance]:
    """Check that a card that a player exposed stays: it is not replaced."""
    for event in hand.events:
        if isinstance(event, CardRevealed) and event.how == "by_player":
            after = hand.events[hand.position(event) :]
            burn = next((e for e in after if isinstance(e, CardBurned) and e.card == event.card), None)
            yield judged(
                EXPOSED,
                burn is None or "?" in event.card,
                at=event.at,
                key=event.id,
                events=[event, burn],
                expected="a card exposed by a player is not an exposed card and is not replaced",
                observed=say.that(
                    "{card} was taken out of {event}'s hand", card=say.card(event.card), event=say.place(event.at)
                ),
            )


@hand_check("13-misdeal", reads=("round_ended",))
def misdeal_cards_back(hand: PokerHand) -> Iterator[Instance]:
    """After a misdeal the cards of every player go back."""
    if not hand.misdealt:
        return
    back = {e.from_ for e in hand.events if isinstance(e, CardsCollected)}
    missing = [seat for seat in hand.seats if seat not in back and seat not in hand.folded]
    if back and missing:
        yield judged(
            MISDEAL,
            False,
            at=missing[0],
            events=[e for e in hand.events if isinstance(e, RoundEnded)],
            key="cards back",
            expected="after a misdeal all cards go back for a new deal",
            observed=say.that(
                "the cards of {missing} were not taken back", missing=say.listed(", ", map(say.place, missing))
            ),
        )
