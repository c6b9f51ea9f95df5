"""An alternative policy on mistakes is written (99-01.3-08-12 intro)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import of_row, ours
from verifier.law.session import Session

ALTERNATIVE = "ND-08-12.0-alternative-policy"


@session_check(ALTERNATIVE, needs={"mistake_policy": "alternative"}, reads=("mistake_policy",))
def alternative_written(session: Session) -> Iterator[Instance]:
    """Check that an alternative policy for mistakes is in writing."""
    for entry in ours(session, "mistake_policy"):
        written = entry.told("written", "text", "document", "policy")
        yield of_row(
            ALTERNATIVE,
            written,
            entry,
            expected="the alternative mistake policy is in writing",
            observed="no written policy is recorded",
        )
