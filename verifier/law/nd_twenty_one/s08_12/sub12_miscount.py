"""The dealer's total that a settlement tells, and whether it was put right (99-01.3-08-01(1), 11(12), 12(12))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import Event
from verifier.domain.findings import Severity
from verifier.law.instances import Instance, judged
from verifier.law.miscount import MISCOUNT, chance_of_total, implied
from verifier.law.money import LEAST_SURE, moved, until
from verifier.law.registry import round_check
from verifier.law.rounds import Round

HIGHEST = "ND-08-11.12-highest-wins"
VALUES = "ND-08-01.1-card-values"
PLAYBACK = "ND-08-12.12-miscount-playback"
LOWER: dict[str, Severity] = {"critical": "major", "major": "minor", "minor": "minor"}
"""A mistake that was put right is one class lower (docs/law.md)."""


def corrected_total(game: Round) -> Instance | None:
    """A miscount that was put right: the chips moved before the settlement was put right tell another total."""
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
        expected=f"all hands are settled against {game.dealer.text()}",
        observed=f"{game.dealer.text()}, but the hands were settled as if it had {_totals_words(totals)}; "
        "the cards were played back and the settlement put right",
        also=[HIGHEST, VALUES],
        incident="corrected",
        rank=0,
        corrected=True,
        severity=LOWER["critical"],
    )


def _totals_words(totals: frozenset[int]) -> str:
    return " or ".join("over 21" if g > 21 else str(g) for g in sorted(totals))


def dealer_events(game: Round) -> Iterator[Event]:
    """Records that tell the dealer's cards."""
    for card in game.dealer.cards:
        yield card.dealt
    if game.turned is not None:
        yield game.turned


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
        expected=f"all hands are settled against {game.dealer.text()}",
        observed=f"{game.dealer.text()}, but the hands were settled as if it had {_totals_words(totals)}: "
        + "; ".join(f"{hand.place} {hand.text()} {moved(game, hand).text()}" for hand in hands),
        also=[HIGHEST, VALUES],
        incident=MISCOUNT if wrong else None,
        rank=0,
        chance=chance,
    )
    yield judged(VALUES, True, at="dealer")
