"""What a round shows does not change once another, lawful round has been played."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_files import FOLDER, Case, case_header, play, read_cases, wrong
from law_build import Log, play_on

ROUND_AFTER = "Th 7d 9s Tc"
"""A player at space 6 has 19, the dealer 17."""
NEXT_ROUND_DECIDES = frozenset(
    {
        # The next round's cards are of the same decks
        "a fifth ten of hearts of four decks was read weakly",
        "decks that were put away after the last round",
        # The log no longer ends there
        "the log ends and the cash of a buy-in was not dropped yet",
        "20.00 of the 25.00 received go in the tray by the end of the log",
        "the log ends while the cards are picked up",
        "the log begins with the fan of the chips that were exchanged for the tips",
        # The next round shows the act: its player signals, its chips are fanned, its cards are picked up
        "a hand that reached 21 need not signal to stand",
        "a doubled hand need not signal to stand",
        "no fan of the log tells its sets",
        "neither a wager nor how much of it was fanned in sets of three and four was seen",
        "a wager of 5.00 in chips of one dollar is fanned 2 and 3",
        "a log that tells of no pick-up at all",
        # The card in the shoe is the next round's
        "a card found face up in the shoe stays there when the round is over",
        "a recording shows a card face up in the shoe and no burn by the end of the round",
    }
)
"""Cases whose judgement the next round changes, as it should."""


def followed(case: Case, file: Path) -> Log:
    """The log of a case, and a lawful round after it."""
    log = play(case, file)
    log.now = max(log.now, *(record["t_end"] for record in log.records))
    dealt = sorted((card for card in log.all("card_dealt") if card["seq"]), key=lambda card: card["t_end"])
    log.seq = dealt[-1]["seq"] if dealt else 0
    play_on(log, ROUND_AFTER, {6: 1000})
    return log


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("*.yaml")), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_round_is_judged_alike_before_another(file: Path) -> None:
    """Tournaments, in which each hand bears on the next, and records, which are of no round, are left out."""
    cases = [c for c in read_cases(file) if not (c.ends or c.records or file.parent.name == "08-15")]
    told = {
        case.case: wrong(case, followed(case, file).judge(**case_header(case)))
        for case in cases
        if case.case not in NEXT_ROUND_DECIDES
    }
    assert {title: what for title, what in told.items() if what} == {}
