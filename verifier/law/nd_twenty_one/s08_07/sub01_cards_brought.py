"""Cards that come to the table: inspected, spread, shuffled (99-01.3-08-07(1)-(2))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import AnyEvent, CardDealt, CardsInspected, Shuffle
from verifier.law import say
from verifier.law.instances import Instance, judged, untold
from verifier.law.registry import session_check
from verifier.law.session import Session

APPROVED = "ND-08-07.1-approve-decks"
SPREAD = "ND-08-07.1-spread-face-up"
REVIEWED = "ND-08-07.1-shuffle-after-review"
BACK_AGAIN = "ND-08-07.1-removed-cards-stored"
SHOE = "ND-08-07.2-shoe-inspected-daily"


def _amid_play(session: Session, event: CardsInspected) -> bool:
    """Tell whether cards were looked at after play had begun and before a spread or shuffle: one of them, not new
    decks.
    """
    dealt = [c for c in session.of(CardDealt) if c.t_end <= event.t_start]
    after = [e for e in session.of(CardsInspected) if e.action in ("spread", "review") and e.t_start >= event.t_start]
    return bool(dealt) and not after


@session_check(SPREAD, REVIEWED)
def cards_brought(session: Session) -> Iterator[Instance]:
    """Cards brought to the table are inspected, spread face up, reviewed, then shuffled."""
    acts = session.of(CardsInspected)
    inspected = [e for e in acts if e.action == "inspect"] or [e for e in acts if e.action == "spread"][:1]
    inspected = [e for e in inspected if e.decks is not None or not _amid_play(session, e)]
    for event in inspected:
        shuffles = [s for s in session.of(Shuffle) if s.t_start >= event.t_end]
        dealt = next((c for c in session.of(CardDealt) if c.t_start >= event.t_end), None)
        if dealt is not None and not (shuffles and shuffles[0].t_end <= dealt.t_end):
            yield _not_reviewed("they were dealt unshuffled", "shoe", [event, dealt])
            continue
        if not shuffles:
            continue
        spreads = [e for e in acts if e.action == "spread" and e.t_start >= event.t_start]
        own = [e for e in spreads if e.t_start < shuffles[0].t_end]
        spread = bool(own)
        late = [e for e in spreads if dealt is None or e.t_end <= dealt.t_end]
        if late and not spread:
            yield _not_reviewed("they were shuffled before it", "inner", [event, shuffles[0], late[0]], also=[SPREAD])
            continue
        if spread and _uncounted(session, own):
            yield untold(SPREAD, "how many decks were spread", own[0], at="inner")
            yield judged(REVIEWED, True, key=event.id)
            continue
        yield judged(
            SPREAD,
            _all_decks(session, own, spread),
            key=event.id,
            at="inner",
            events=[event, *own, shuffles[0]],
            expected="new cards are spread face up for the first player to review before they are shuffled",
            observed=say.that("they were shuffled without {which}being spread", which="all " if spread else ""),
        )
        if spread:
            yield judged(REVIEWED, True, key=event.id)


def _not_reviewed(observed: str, at: str, events: Sequence[AnyEvent], also: Sequence[str] = ()) -> Instance:
    """Return the breach by cards, brought by the first of the events, that were not shuffled after their review."""
    return judged(
        REVIEWED,
        False,
        key=events[0].id,
        at=at,
        events=events,
        also=also,
        expected="new cards are shuffled after the player's review",
        observed=observed,
    )


@session_check(APPROVED, BACK_AGAIN, SHOE)
def cards_inspected(session: Session) -> Iterator[Instance]:
    """Decks brought to the table are inspected, all of them; those stored away are inspected again before use."""
    acts = session.of(CardsInspected)
    for spread in (a for a in acts if a.action == "spread"):
        before = [a for a in acts if a.action == "inspect" and a.t_start <= spread.t_start]
        since = max((c.t_end for c in session.of(CardDealt) if c.t_end <= spread.t_start), default=float("-inf"))
        own = [a for a in before if a.t_end >= since]
        right = True if own else (None if session.from_pixels or session.events[0] is spread else False)
        if own and _uncounted(session, own):
            yield untold(APPROVED, "how many decks were inspected", own[0], at="inner")
            continue
        yield judged(
            APPROVED,
            _all_decks(session, own, right),
            key=spread.id,
            at="inner",
            events=[*own, spread],
            expected="the dealer inspects all decks before they are spread",
            observed="not all decks were inspected" if own else "they were spread without being inspected",
        )
    for index, stored in enumerate(acts):
        cards = [c for c in session.of(CardDealt) if c.t_start >= stored.t_end]
        if stored.action != "store" or not cards:
            continue
        again = any(a.action in ("inspect", "spread") and a.t_end <= cards[0].t_end for a in acts[index + 1 :])
        yield judged(
            BACK_AGAIN,
            again,
            key=stored.id,
            at="inner",
            events=[stored, cards[0]],
            expected="cards that were removed are inspected and spread again before they are used",
            observed="they were dealt without it",
        )
    if acts and acts[0].action == "inspect":
        yield judged(SHOE, True)


def _uncounted(session: Session, own: Sequence[CardsInspected]) -> bool:
    """Tell whether some of the looks do not tell of how many decks they were, and the others are not enough."""
    told = sum(a.decks or 0 for a in own)
    return any(a.decks is None for a in own) and len(own) + told < (session.house.deck_count or 0)


def _all_decks(session: Session, own: Sequence[CardsInspected], right: bool | None) -> bool | None:
    counts = [a.decks for a in own if a.decks is not None]
    if right and counts and session.house.deck_count is not None:
        return sum(counts) >= session.house.deck_count
    return right
