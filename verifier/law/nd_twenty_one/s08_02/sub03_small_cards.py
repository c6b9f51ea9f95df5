"""Cards without jumbo faces need an approval (99-01.3-08-02(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_04.sub00_system_required import about
from verifier.law.nd_twenty_one.s08_04.sub01_approval import granted
from verifier.law.registry import session_check
from verifier.law.rows import ours
from verifier.law.session import Session

NON_JUMBO = "ND-08-02.3-nonjumbo-approval"


@session_check(NON_JUMBO, needs={"card_reader_cards": "non_jumbo"})
def small_cards_approved(session: Session) -> Iterator[Instance]:
    """Cards that are not jumbo need a hole-card reader and the attorney general's approval."""
    method = session.house.dealing_method
    said = [granted(e) for e in ours(session, "approval") if "card" in about(e)]
    right = False if (method not in (None, "hole_card_reader") or False in said) else (True if True in said else None)
    yield judged(
        NON_JUMBO,
        right,
        events=[e.event for e in session.records.of("approval")],
        expected="cards that are not jumbo are used with a hole-card reader, with approval",
        observed="they are used "
        + ("without a reader" if method not in (None, "hole_card_reader") else "without a recorded approval"),
    )
