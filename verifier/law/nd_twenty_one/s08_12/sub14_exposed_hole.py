"""A hole card that shows too early (99-01.3-08-12(14), 11(10))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed, HoleCardCheck
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.money import moved
from verifier.law.nd_twenty_one.s08_10.sub01_second_card import NO_PEEK, later_player_acts
from verifier.law.nd_twenty_one.s08_11.sub04_signals import MISSED, hit_cards, signals
from verifier.law.registry import round_check
from verifier.law.rounds import Round

REVEAL = "ND-08-11.10-reveal-hole"
EXPOSED = "ND-08-12.14-exposed-hole"


@round_check(EXPOSED, REVEAL, MISSED, partial="keep")
def hole_exposed(game: Round) -> Iterator[Instance]:
    """Check that a hole card exposed before decisions end is burned and replaced, and that the hole card is turned only
    after them.
    """
    asked = _turn_asked(game)
    if asked:
        yield from _never_turned(game)
    burned = {held.dealt.id for held, _ in game.dealer.burned}
    kept = {card.revealed.id for card in game.dealer.cards if card.revealed is not None}
    for event in game.of(CardRevealed):
        if event.at != "dealer":
            continue
        later = later_player_acts(game, event.t_end)
        if event.how == "exposed_error":
            wrong = event.id in kept and game.closed
            unread = event.id not in kept and not burned and game.closed
            if wrong or event.id not in kept or burned:
                yield _exposed(event, None if unread else not wrong)
            if not wrong:
                yield from _replaced_early(game, event)
        elif later or event.id in kept:
            yield judged(
                EXPOSED,
                not later,
                at="dealer",
                key=event.id,
                events=[event, *later[:1]],
                expected="the hole card is turned only after all players have decided",
                observed=say.that(
                    "the hole card was turned at {t_start} s and players acted after it",
                    t_start=say.moment(event.t_start),
                ),
                also=[
                    *([REVEAL] if asked else []),
                    *([NO_PEEK] if game.house.dealing_method == "hole_card_no_peek" else []),
                    *([MISSED] if asked_before(game, later, event.t_start) else []),
                ],
            )
            if asked and not later:
                yield judged(REVEAL, True, at="dealer", key=event.id)


def _turn_asked(game: Round) -> bool:
    """Tell whether subsection 11(10) asks the dealer to turn the hole card: it does where no reader is used."""
    read = any(check.how == "reader" for check in game.of(HoleCardCheck))
    return not read and game.house.dealing_method != "hole_card_reader"


def _never_turned(game: Round) -> Iterator[Instance]:
    """Chips went by the dealer's hand though its hole card was not seen to be turned."""
    hidden = [card for card in game.dealer.cards[:2] if card.dealt.face == "down" and card.revealed is None]
    settled = [h for h in game.playing if h.bust is False and not h.natural and moved(game, h).events]
    if hidden and settled and game.closed:
        yield judged(
            REVEAL,
            None,
            at="dealer",
            events=[hidden[0].dealt, *moved(game, settled[0]).events],
            expected="the dealer turns up the hole card when all players have decided",
            observed="the hole card was not seen to be turned",
        )


def _replaced_early(game: Round, exposed: CardRevealed) -> Iterator[Instance]:
    """Check that the card that replaces an exposed one is drawn only when all players have decided."""
    gone = any(held.revealed is not None and held.revealed.id == exposed.id for held, _ in game.dealer.burned)
    new = next((card for card in game.dealer_dealt if card.t_start >= exposed.t_end), None)
    if not gone or new is None:
        return
    later = later_player_acts(game, new.t_end)
    yield judged(
        EXPOSED,
        not later,
        at="dealer",
        key=new.id,
        events=[exposed, new, *later[:1]],
        expected="the card that replaces an exposed hole card is drawn after all decisions",
        observed=say.that("it was drawn at {t_start} s and players acted after it", t_start=say.moment(new.t_start)),
    )


def _exposed(event: CardRevealed, right: bool | None) -> Instance:
    return judged(
        EXPOSED,
        right,
        at="dealer",
        key=event.id,
        events=[event],
        expected="an exposed hole card is burned and a new one drawn after the players' decisions",
        observed=say.that("the exposed hole card {card} stayed in the dealer's hand", card=say.card(event.card)),
    )


def asked_before(game: Round, acts: Sequence[AnyEvent], t: float) -> bool:
    """Tell whether a card among acts is a hit card that its hand had signalled for before a moment."""
    ids = {act.id for act in acts if isinstance(act, CardDealt)}
    late = [(hand, card, before) for hand in game.playing for card, before in hit_cards(hand) if card.dealt.id in ids]
    return any(
        signal.meaning == "hit" and before.dealt.t_end <= signal.t_start and signal.t_end <= t
        for hand, _, before in late
        for signal in signals(game, hand)
    )
