"""The dealer's second card: never looked at, turned or drawn too early (99-01.3-08-10(1),(3), 11(10), 12(14))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, CardRevealed, HandSignal, HoleCardCheck, WagerPlaced
from verifier.law.checks.decisions import DECISIONS, MISSED, asked_before, decided_only_after, undecided
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import moved
from verifier.law.registry import round_check
from verifier.law.rounds import Round

NO_PEEK = "ND-08-10.1.a-no-peek"
EARLY_SECOND = "ND-08-10.1.b-no-second-card-early"
DRAW_SECOND = "ND-08-11.10-draw-second"
REVEAL = "ND-08-11.10-reveal-hole"
EXPOSED = "ND-08-12.14-exposed-hole"
READER = "ND-08-10.3.a-reader-timing"
NATURAL = "ND-08-10.3.a-reader-natural-collect"
METHOD = "ND-08-10.1-one-method"


def _later_player_acts(game: Round, t: float) -> list[CardDealt | HandSignal]:
    """Cards that players got after a moment, or the decisions of hands that had not decided by then."""
    cards = [card for card in game.of(CardDealt) if hand_key(card.to) is not None and card.t_start >= t - 0.01]
    return [*cards, *(signal for hand in game.playing for signal in decided_only_after(game, hand, t))]


def _after(second: CardDealt, card: CardDealt) -> bool:
    """Whether a player's card came after the dealer's second: cards follow each other faster than their times tell."""
    return hand_key(card.to) is not None and card.t_start > second.t_start and card.t_end > second.t_end


@round_check(NO_PEEK, partial="keep")
def no_peek(game: Round) -> Iterator[Instance]:
    """The dealer does not look at the hole card before all requested cards are dealt."""
    peeks = [check for check in game.of(HoleCardCheck) if check.how == "peek"]
    for check in peeks:
        right: bool | None = True
        if game.turn_t is None or check.t_start < game.turn_t:
            waiting = any(undecided(game, hand, check.t_end) for hand in game.playing)
            right = False if _later_player_acts(game, check.t_end) else None if waiting else True
        yield judged(
            NO_PEEK,
            right,
            at="dealer",
            key=check.id,
            events=[check],
            expected="the dealer does not look at the hole card before the players' cards are dealt",
            observed=f"the dealer looked at the hole card at {check.t_start:.1f} s",
        )
    if not peeks and game.dealer_dealt and game.house.dealing_method == "hole_card_no_peek":
        yield judged(NO_PEEK, True, at="dealer")


@round_check(EARLY_SECOND, DRAW_SECOND, needs={"dealing_method": "no_hole_card"})
def second_card_early(game: Round) -> Iterator[Instance]:
    """Without a hole card the dealer's second card comes after all cards that players requested."""
    if len(game.dealer_dealt) < 2:
        return
    second = game.dealer_dealt[1]
    later = _later_player_acts(game, second.t_end)
    later += [card for card in game.of(CardDealt) if _after(second, card) and card not in later]
    surest = sorted(later, key=lambda act: -act.p)[:1]
    yield judged(
        EARLY_SECOND,
        not later,
        at="dealer",
        events=[second, *surest],
        expected="the dealer's second card is dealt after all cards that players requested",
        observed=f"the dealer's second card was dealt at {second.t_start:.1f} s, before the players were done",
        also=[DRAW_SECOND, METHOD],
        incident="deal order",
        rank=1,
    )


@round_check(EXPOSED, REVEAL, MISSED, partial="keep")
def hole_exposed(game: Round) -> Iterator[Instance]:
    """A hole card exposed before decisions end is burned and replaced; it is turned only after them."""
    yield from _never_turned(game)
    burned = {held.dealt.id for held, _ in game.dealer.burned}
    kept = {card.revealed.id for card in game.dealer.cards if card.revealed is not None}
    for event in game.of(CardRevealed):
        if event.at != "dealer":
            continue
        later = _later_player_acts(game, event.t_end)
        if event.how == "exposed_error":
            wrong = event.id in kept and game.closed
            if wrong or event.id not in kept or burned:
                yield _exposed(event, not wrong)
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
                observed=f"the hole card was turned at {event.t_start:.1f} s and players acted after it",
                also=[
                    REVEAL,
                    *([NO_PEEK] if game.house.dealing_method == "hole_card_no_peek" else []),
                    *([MISSED] if asked_before(game, later, event.t_start) else []),
                ],
            )
            if not later:
                yield judged(REVEAL, True, at="dealer", key=event.id)


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
    """The card that replaces an exposed one is drawn only when all players have decided."""
    gone = any(held.revealed is not None and held.revealed.id == exposed.id for held, _ in game.dealer.burned)
    new = next((card for card in game.dealer_dealt if card.t_start >= exposed.t_end), None)
    if not gone or new is None:
        return
    later = _later_player_acts(game, new.t_end)
    yield judged(
        EXPOSED,
        not later,
        at="dealer",
        key=new.id,
        events=[exposed, new, *later[:1]],
        expected="the card that replaces an exposed hole card is drawn after all decisions",
        observed=f"it was drawn at {new.t_start:.1f} s and players acted after it",
    )


def _exposed(event: CardRevealed, right: bool) -> Instance:
    return judged(
        EXPOSED,
        right,
        at="dealer",
        key=event.id,
        events=[event],
        expected="an exposed hole card is burned and a new one drawn after the players' decisions",
        observed=f"the exposed hole card {event.card} stayed in the dealer's hand",
    )


@round_check(READER, needs={"dealing_method": "hole_card_reader"})
def reader_used(game: Round) -> Iterator[Instance]:
    """With an ace or ten up, both cards go in the reader after insurance and before the first player's action."""
    if game.dealer.up_high is not True or len(game.dealer_dealt) < 2:
        return
    checks = [check for check in game.of(HoleCardCheck) if check.how == "reader"]
    insured = [w for w in game.of(WagerPlaced) if w.kind == "insurance"]
    acts = _acts(game)
    if not checks:
        if acts or game.closed:
            yield judged(
                READER,
                False,
                at="dealer",
                events=[*(c.dealt for c in game.dealer.cards[:2]), *acts[:1]],
                expected="with an ace or ten up the dealer's cards are put in the reader before any player acts",
                observed="the reader was not used",
            )
        return
    early = bool(insured) and checks[0].t_start < insured[-1].t_start
    late = bool(acts) and checks[0].t_start >= acts[0].t_end
    yield judged(
        READER,
        not early and not late,
        at="dealer",
        events=[checks[0], *insured[-1:], *acts[:1]],
        expected="the reader is used after insurance wagers and before any player acts",
        observed="the reader was used " + ("before insurance was placed" if early else "after a player had acted"),
    )


@round_check(NATURAL, needs={"dealing_method": "hole_card_reader"}, partial="keep")
def ends_on_reader(game: Round) -> Iterator[Instance]:
    """Once the reader tells of a natural the wagers are collected: no player draws."""
    checks = [check for check in game.of(HoleCardCheck) if check.how == "reader"]
    if not checks or game.dealer.natural is not True:
        return
    drawn = [c for c in game.of(CardDealt) if hand_key(c.to) is not None and c.t_start >= checks[0].t_end]
    for card in drawn[:1]:
        yield judged(
            NATURAL,
            False,
            at=card.to,
            key=card.id,
            events=[checks[0], card],
            expected="the dealer collects at once when the reader shows a natural",
            observed=f"{card.to} was dealt another card after the reader had been used",
        )


def _acts(game: Round) -> list[CardDealt | HandSignal]:
    """Players' decisions and cards beyond the deal."""
    if game.deal_end is None or len(game.dealer_dealt) < 2:
        return []
    begun = max(game.deal_end, game.dealer_dealt[1].t_end) - 0.01
    cards = [c for c in game.of(CardDealt) if hand_key(c.to) is not None and c.t_start >= begun]
    signals = [s for s in game.of(HandSignal) if s.meaning in DECISIONS and s.t_start >= begun]
    return sorted([*cards, *signals], key=lambda e: e.t_end)
