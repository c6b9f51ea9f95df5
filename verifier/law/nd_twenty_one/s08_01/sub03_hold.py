"""The formula of the percent-of-hold (99-01.3-08-01(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law import say
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.shared.holds import FIGURE, READS, Hold, holds
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

FORMULA = "ND-08-01.3-poh-formula"
WHOLE = 0.01
"""The coarsest figure is a whole percent (policy of this project)."""
HAIR = 1e-6


@session_check(FORMULA, reads=READS)
def hold_formula(session: Session) -> Iterator[Instance]:
    """Percent-of-hold is adjusted gross proceeds over gross proceeds."""
    for hold in holds(session.records):
        if not hold.gross or hold.adjusted is None or hold.said is None:
            continue
        share = hold.adjusted / hold.gross
        yield of_row(
            FORMULA,
            _agrees(share, hold.said, _last_digit(hold)),
            hold.entry,
            expected=say.that(
                "percent-of-hold is adjusted gross proceeds / gross proceeds = {share}", share=say.share(share, 2)
            ),
            observed=say.that("the record says {said}", said=say.share(hold.said, 2)),
        )


def _last_digit(hold: Hold) -> float:
    """Return the size of one unit in the last digit of the record's figure, as a fraction: 0.001 for `12.3` percent."""
    figure, number = str(hold.entry.get(*FIGURE)).strip().rstrip("%").strip(), hold.entry.number(*FIGURE)
    digits = figure.partition(".")[2].rstrip("0") if "e" not in figure.lower() else ""
    in_percent = number is not None and hold.said is not None and abs(number) > abs(hold.said)
    return min(WHOLE, 10.0 ** -len(digits) / (100 if in_percent else 1))


def _agrees(share: float, said: float, unit: float) -> bool:
    """Tell whether a figure is the share, rounded or cut off at its last digit."""
    rounded = abs(share - said) <= unit / 2 + HAIR
    return rounded or (share * said >= 0 and -HAIR <= abs(share) - abs(said) < unit)
