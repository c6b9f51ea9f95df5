"""The dealer's total that a settlement tells, and whether it was put right (99-01.3-08-12(12), 01(1))."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from verifier.domain.events import CardsPlayedBack
from verifier.domain.findings import Severity
from verifier.law import say
from verifier.law.catalogue import by_id
from verifier.law.instances import Instance, judged
from verifier.law.miscount import MISCOUNT, chance_of_total, implied
from verifier.law.money import LEAST_SURE, moved, outcomes, until
from verifier.law.nd_twenty_one.s08_11.sub12_settlement import (
    DEALER_BUST,
    DEALER_NATURAL,
    EQUAL,
    HIGHEST,
    PAID_TIE,
    THREE_TO_TWO,
    TIE,
    dealer_events,
    settled,
)
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.say import Said

VALUES = "ND-08-01.1-card-values"
PLAYBACK = "ND-08-12.12-miscount-playback"
LOWER: dict[str, Severity] = {"critical": "major", "major": "minor", "minor": "minor"}
"""A mistake that was put right is one class lower (docs/law.md)."""


def corrected_total(game: Round) -> Instance | None:
    """Judge a miscount that was put right: the chips moved before the settlement was put right tell another total."""
    given, now = implied(game, game.mended_t), implied(game)
    if given is None or not given[2] or (now is not None and now[2]):
        return None
    hands, totals, _ = given
    actual = {hand: until(moved(game, hand), game.mended_t) for hand in hands}
    return judged(
        PLAYBACK,
        False,
        at="dealer",
        events=[*dealer_events(game), *(e for m in actual.values() for e in m.events)],
        expected=say.that("all hands are settled against {dealer}", dealer=game.dealer.text()),
        observed=say.that(
            "{dealer}, but the hands were settled as if it had {totals_words}",
            dealer=game.dealer.text(),
            totals_words=_totals_words(totals),
        ).then("the cards were played back and the settlement put right"),
        also=[HIGHEST, VALUES],
        incident="corrected",
        rank=0,
        corrected=True,
        severity=LOWER["critical"],
    )


def _totals_words(totals: frozenset[int]) -> Said:
    return say.listed(" or ", ("over 21" if g > 21 else g for g in sorted(totals)))


@round_check(PLAYBACK, VALUES)
def miscount(game: Round) -> Iterator[Instance]:
    """All hands are settled against the dealer's true total (docs/law.md)."""
    given = implied(game)
    if given is None:
        return
    hands, totals, wrong = given
    chance = 1.0 - chance_of_total(game, totals) if wrong else None
    right = not wrong if chance is None or chance >= LEAST_SURE else None
    events = [*dealer_events(game), *(e for hand in hands for e in moved(game, hand).events)]
    yield judged(
        PLAYBACK,
        right,
        at="dealer",
        events=events,
        expected=say.that("all hands are settled against {dealer}", dealer=game.dealer.text()),
        observed=say.that(
            "{dealer}, but the hands were settled as if it had {totals_words}",
            dealer=game.dealer.text(),
            totals_words=_totals_words(totals),
        ).detail(
            say.listed(
                "; ",
                (
                    say.that(
                        "{hand}: {cards} {moved}",
                        hand=say.place(hand.place),
                        cards=hand.text(),
                        moved=moved(game, hand).text(),
                    )
                    for hand in hands
                ),
            )
        ),
        also=[HIGHEST, VALUES],
        incident=MISCOUNT if wrong else None,
        rank=0,
        chance=chance,
    )
    yield judged(VALUES, True, at="dealer")


@round_check(PLAYBACK, HIGHEST, TIE, PAID_TIE, DEALER_BUST, DEALER_NATURAL, THREE_TO_TWO, EQUAL, statute=True)
def corrected(game: Round) -> Iterator[Instance]:
    """Yield each mistake that was put right after the cards were played back: it is still a mistake, of a lower class
    (12(12)).
    """
    replay = next(iter(game.of(CardsPlayedBack)), None)
    if replay is None:
        return
    total = corrected_total(game)
    if total is not None:
        yield total
    for hand in game.playing:
        whole, possible = moved(game, hand), outcomes(game, hand)
        before = until(whole, game.mended_t)
        if not possible or before.sign is None or len(before.events) == len(whole.events):
            continue
        wrong = list(settled(game, hand, before, possible, wrong_total=False))
        after = list(settled(game, hand, whole, possible, wrong_total=False))
        if any(i.verdict != "pass" for i in after) or not any(i.verdict == "violation" for i in wrong):
            continue
        for instance in (i for i in wrong if i.verdict == "violation"):
            severity = LOWER[by_id("nd-twenty-one")[instance.clause].severity]
            yield msgspec.structs.replace(
                instance,
                corrected=True,
                severity=severity,
                key="corrected",
                events=(*instance.events, replay, *(e for e in whole.events if e not in before.events)),
                observed=say.that("{observed}", observed=instance.observed).then(
                    "the cards were played back and {hand} then {whole}", hand=say.place(hand.place), whole=whole.text()
                ),
                incident="corrected",
            )
