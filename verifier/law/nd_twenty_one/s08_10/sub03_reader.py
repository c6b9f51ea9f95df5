"""The reader of hole cards, and what follows from it (99-01.3-08-10(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, HandSignal, HoleCardCheck, WagerPlaced
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_11.sub04_signals import DECISIONS
from verifier.law.registry import round_check
from verifier.law.rounds import Round

READER = "ND-08-10.3.a-reader-timing"
NATURAL = "ND-08-10.3.a-reader-natural-collect"


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
                events=[*(c.dealt for c in game.dealer.cards[:2]), *game.of(HoleCardCheck), *acts[:1]],
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
            observed=say.that("{card} was dealt another card after the reader had been used", card=say.place(card.to)),
        )


def _acts(game: Round) -> list[CardDealt | HandSignal]:
    """Players' decisions and cards beyond the deal."""
    if game.deal_end is None or len(game.dealer_dealt) < 2:
        return []
    begun = max(game.deal_end, game.dealer_dealt[1].t_end) - 0.01
    cards = [c for c in game.of(CardDealt) if hand_key(c.to) is not None and c.t_start >= begun]
    signals = [s for s in game.of(HandSignal) if s.meaning in DECISIONS and s.t_start >= begun]
    return sorted([*cards, *signals], key=lambda e: e.t_end)
