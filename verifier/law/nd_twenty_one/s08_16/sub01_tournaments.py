"""The records of tournaments (99-01.3-08-16(1)(e), (f))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law import say
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.s08_15.sub01_fees import READS, players
from verifier.law.registry import session_check
from verifier.law.rows import filled, of_row
from verifier.law.session import Session

FEES = "ND-08-16.1.e-tournament-fees"
PRIZES = "ND-08-16.1.f-tournament-prizes"


@session_check(FEES, PRIZES, reads=READS)
def tournament_records(session: Session) -> Iterator[Instance]:
    """Fees are recorded with player, collector's signature and date; prizes in a register and record of win."""
    for entry in session.records.of("tournament"):
        yield from filled(
            FEES,
            entry,
            (("the collector's signature or initials", ("collector_initials", "collector_signature", "collected_by")),),
            "the record of fees",
        )
        unnamed = [row for row in players(entry) if row.get("name", row.get("player")) == ""]
        if unnamed:
            yield of_row(
                FEES,
                False,
                entry,
                key="names",
                expected="the record of fees names each player",
                observed=say.that("{unnamed} of them are without a name", unnamed=len(unnamed)),
            )
        yield from filled(
            PRIZES,
            entry,
            (
                ("the prize register", ("prize_register", "prizes")),
                ("the record of win", ("record_of_win", "winner", "winners")),
            ),
            "the tournament's record",
        )
