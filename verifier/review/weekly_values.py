"""What stands in the weekly review documentation.

N.D. Admin. Code 99-01.3-08-04(8) asks that the review is documented but lists no fields; those here are this product's.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from verifier.review.documents.notice import NOTICE
from verifier.review.documents.rules import Rules
from verifier.review.records.attesting import StatementLine
from verifier.review.records.site import PaperFinding

HOUR_MINUTES = 60


class Answers(Struct, frozen=True, kw_only=True):
    """What only a person knows; empty texts are computed where that is possible, and else left to fill in.

    `minutes` watched by the person, by table, are a statement: where none are given, those counted for the `account`
    are taken.
    `attested`: the reviewer attests the document; without it, it is a draft.
    `hold_quarter` is the quarter whose percent-of-hold is the reason, `determined` the day it became known (ISO).
    """

    reviewer: str = ""
    account: str = ""
    role: str = ""
    organization: str = ""
    quarter: str = ""
    percent_of_hold: str = ""
    hold_quarter: str = ""
    determined: str = ""
    shift: str = ""
    week_number: str = ""
    excluded_tables: str = ""
    dealers: str = ""
    access_authority: str = ""
    independent: bool = False
    attested: bool = False
    conclusion: str = ""
    minutes: Mapping[str, float] = {}


class TableWeek(Struct, frozen=True, kw_only=True):
    """One table in one recording."""

    table: str
    date: str
    start: str
    end: str
    recording: str
    sha256: str
    machine_minutes: float
    coverage: float
    gaps: list[str]
    rulebook: str = ""


class WeekFinding(Struct, frozen=True, kw_only=True):
    """One finding with what people said of it; `decision` is `open` where nobody decided.

    `says` is the accusation in one sentence; documents of before had none.
    """

    id: str
    table: str
    date: str
    clause: str
    cite: str
    title: str
    round: str
    at: str
    time: str
    verdict: str
    severity: str
    certainty: str
    corrected: str
    expected: str
    observed: str
    decision: str
    decided_by: str
    decided_at: str
    note: str
    rulebook: str = ""
    says: str = ""


class NotAssessed(Struct, frozen=True, kw_only=True):
    """What clauses would need to be judged, and how many of them no recording of the week was judged by."""

    channel: str
    clauses: int


class HoldLine(Struct, frozen=True, kw_only=True):
    """The percent-of-hold that is the reason for the review; money in cents, `percent` a share."""

    gross_cents: int
    prizes_cents: int
    agp_cents: int
    percent: float | None


class Weekly(Struct, frozen=True, kw_only=True):
    """Everything in a weekly document.

    `watched` are the minutes of the person by table; `counted` those that the room counted, and `stated` says where the
    others are the person's word only. `papers` is what the site's records show that no recording
    is about, `statements` what persons attested. `made_by` is who was signed in, `typed` what is to be said of another
    name. `rules` tells by which rules the recordings were judged.
    `with_stills`: the document shows stills, so it is only for those who may see video.
    """

    site: str
    week: str
    first_day: str
    last_day: str
    quarter: str
    keep_until: str
    answers: Answers
    tables: list[TableWeek]
    watched: dict[str, float]
    findings: list[WeekFinding]
    not_assessed: list[NotAssessed]
    undated: list[str]
    hold_quarter: str
    hold: HoldLine | None
    week_number: str
    dealers: str
    shift: str
    independence: str
    independence_says: str
    made_by: str = ""
    typed: str = ""
    counted: dict[str, float] = {}
    stated: list[str] = []
    papers: list[PaperFinding] = []
    statements: list[StatementLine] = []
    rules: Rules = Rules()
    with_stills: bool = False
    notice: str = NOTICE

    @property
    def attested(self) -> bool:
        """Whether a reviewer has put a name to the document and attested it; else it is a draft."""
        return self.answers.attested and bool(self.answers.reviewer.strip())

    @property
    def short_tables(self) -> list[str]:
        """Tables that a person watched for less than an hour."""
        return [table for table, minutes in self.watched.items() if minutes < HOUR_MINUTES]
