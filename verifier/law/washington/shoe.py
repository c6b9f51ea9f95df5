"""The shoe: number of decks, who cuts, the blank card, the discards (subsections 2 and 9/10)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, Cut, IndicatorCard, Shuffle
from verifier.law import say
from verifier.law.instances import Instance, judged, untold
from verifier.law.nd_twenty_one.s08_08.sub02_indicator import CARDS_IN_DECK
from verifier.law.registry import WASHINGTON, adopt, session_check
from verifier.law.session import Session
from verifier.law.shoes import after
from verifier.law.washington.clauses import BLANK, DECKS_A, DECKS_B, DISCARDS, RIGHT_CUTS
from verifier.law.washington.ledger import in_round
from verifier.law.washington.seats import clockwise, number, occupied

REMAINING, NEAR, FAR = 0.25, 0.10, 0.15
"""Share of the cards behind the blank card; within `NEAR` it is about that, beyond `FAR` it is not (project policy)."""


@session_check(DECKS_A, rulebooks=("wa-blackjack-a",), needs={"deck_count": None})
def decks_by_house_rule(session: Session) -> Iterator[Instance]:
    """Check that the house rule's number of decks is within the proposal's."""
    decks, most = session.house.deck_count or 0, session.rules.most_decks
    yield judged(
        DECKS_A,
        decks <= most,
        key="house",
        expected=say.that("no more than {most} decks", most=most),
        observed=say.that("house rules set {decks}", decks=decks),
    )


adopt(("wa-blackjack-b",), decks_by_house_rule, {DECKS_A: DECKS_B})


@session_check(RIGHT_CUTS, rulebooks=WASHINGTON)
def right_neighbour_cuts(session: Session) -> Iterator[Instance]:
    """Check that the player at the dealer/banker's right cuts after the shuffle."""
    for shuffle in session.of(Shuffle):
        cards = after(session.of(CardDealt), shuffle.t_end)
        cuts = [c for c in after(session.of(Cut), shuffle.t_end) if not cards or c.t_end <= cards[0].t_start]
        game = next((g for g in session.rounds if cards and cards[0] in g.events), None)
        dealer = cards[0].dealer if cards else None
        for cut in cuts[:1]:
            seats = occupied(session, cut.t_end)
            others = clockwise(seats, dealer) if seats and dealer and number(dealer) else []
            if cut.by == "player" or not (others or cut.by in ("dealer", "pit_boss", dealer)):
                continue
            wanted = others[-1] if others else "the player at the right"
            instance = judged(
                RIGHT_CUTS,
                None if cut.by is None else cut.by == wanted,
                uncounted=cut.by is None,
                key=cut.id,
                at="shoe",
                events=[shuffle, cut],
                expected=say.that("{wanted}, at the dealer/banker's right, cuts", wanted=say.place(wanted)),
                observed=say.that("{by} cut", by=say.place(cut.by)) if cut.by else "who cut was not seen",
            )
            yield in_round(instance, game) if game else instance


@session_check(BLANK, rulebooks=WASHINGTON)
def blank_card_placed(session: Session) -> Iterator[Instance]:
    """Check that a blank card goes in about three quarters of the way through the decks."""
    decks = session.house.deck_count
    for card in session.of(IndicatorCard):
        if card.action != "inserted" or not decks:
            continue
        if card.cards_remaining is None:
            yield untold(BLANK, "how many cards lay behind the blank card", card, at="shoe")
        else:
            off = abs(card.cards_remaining / (decks * CARDS_IN_DECK) - REMAINING)
            yield judged(
                BLANK,
                True if off <= NEAR else False if off > FAR else None,
                key=card.id,
                at="shoe",
                events=[card],
                expected=say.that("the blank card has about a quarter of {decks} decks behind it", decks=decks),
                observed=say.that("{cards_remaining} cards were behind it", cards_remaining=card.cards_remaining),
            )


@session_check(BLANK, rulebooks=WASHINGTON)
def no_hand_after_blank(session: Session) -> Iterator[Instance]:
    """After the blank card appears the hand is finished and none begun from these cards."""
    for card in session.of(IndicatorCard):
        following = next((g for g in session.rounds if g.first_card and g.first_card.t_start >= card.t_end), None)
        if card.action != "appeared" or following is None or following.first_card is None:
            continue
        t = following.first_card.t_start
        fresh = [s for s in session.of(Shuffle) if card.t_end <= s.t_end <= t and s.scope != "discards"]
        yield in_round(
            judged(
                BLANK,
                bool(fresh),
                key=card.id,
                at="shoe",
                events=[card, following.first_card],
                expected="no new hand is begun after the blank card appears",
                observed="a new hand was dealt",
            ),
            following,
        )


@session_check(DISCARDS, rulebooks=WASHINGTON)
def discards_for_last_hand(session: Session) -> Iterator[Instance]:
    """Discards are reshuffled only to complete the last hand of a shoe."""
    shuffles = session.of(Shuffle)
    for index, shuffle in enumerate(shuffles):
        if shuffle.scope != "discards":
            continue
        game = next(
            (
                g
                for g in session.rounds
                if g.first_card and g.first_card.t_start <= shuffle.t_start and shuffle.t_end <= g.events[-1].t_end
            ),
            None,
        )
        since = shuffles[index - 1].t_end if index else float("-inf")
        cards = [e for e in session.of(IndicatorCard) if since <= e.t_end <= shuffle.t_end]
        appeared = any(e.action == "appeared" for e in cards)
        right = False if game is None else True if appeared else None if not cards else False
        instance = judged(
            DISCARDS,
            right,
            key=shuffle.id,
            at="shoe",
            events=[shuffle],
            expected="discards are reshuffled only to complete the last hand",
            observed="they were reshuffled " + ("between hands" if game is None else "before the blank card appeared"),
        )
        following = next((g for g in session.rounds if g.first_card and g.first_card.t_start >= shuffle.t_end), None)
        place = game or following
        yield in_round(instance, place) if place else instance
