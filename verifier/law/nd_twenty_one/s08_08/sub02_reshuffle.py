"""On what grounds cards may be reshuffled (99-01.3-08-08(2), (3), 12(9))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import (
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    CardsInspected,
    CardsMoved,
    ChipsCollected,
    ChipsReturned,
    HandSignal,
    IndicatorCard,
    PayoffPlaced,
    PlayerPresence,
    PushTapped,
    RoundEnded,
    RoundStarted,
    Shuffle,
    TableState,
    TipDeposited,
)
from verifier.law.hands import any_of, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.shoes import after, amid_round, until

SECONDS_IN_MINUTE = 60
PLAY = (
    CardBurned, CardDealt, CardRevealed, CardsCollected, CardsMoved, ChipsCollected, ChipsReturned, HandSignal,
    PayoffPlaced, PushTapped, RoundEnded, RoundStarted, TipDeposited,
)  # fmt: skip
"""Records of play: cards in use, decisions and settlement."""
ONLY_WHEN = "ND-08-08.2-reshuffle-only-when"


@session_check(ONLY_WHEN)
def shuffle_grounds(session: Session) -> Iterator[Instance]:
    """Cards are reshuffled only on a lawful ground."""
    shuffles = list(session.of(Shuffle))
    for before, shuffle in zip([None, *shuffles], shuffles, strict=False):
        since = before.t_end if before else float("-inf")
        cards = until(after(session.of(CardDealt), since), shuffle.t_start)
        if not cards:
            continue
        ground = any_of(_grounds(session, since, shuffle, cards))
        passed = ground if ground or before is not None else None
        yield judged(
            ONLY_WHEN,
            passed,
            key=shuffle.id,
            at="shoe",
            events=[shuffle],
            expected="cards are reshuffled when the indicator appears, after inactivity, on reopening, when no player "
            "is left, or when short",
            observed="the cards were reshuffled without any of these grounds",
        )


def _grounds(session: Session, since: float, shuffle: Shuffle, cards: Sequence[CardDealt]) -> Iterator[bool | None]:
    """Tell whether there was each of the grounds; None where there may have been."""
    shoe_begun = _last_whole(session, shuffle)
    for indicator in session.of(IndicatorCard):
        if indicator.action == "appeared" and shoe_begun <= indicator.t_start <= shuffle.t_end:
            yield None if indicator.weak else True
    yield any_of([_short(session, s) for s in session.of(Shuffle) if shoe_begun <= s.t_start < shuffle.t_start])
    yield any(since <= e.t_start <= shuffle.t_end for e in session.of(CardsInspected))
    yield _short(session, shuffle)
    yield _reopened(session, cards[-1].t_end, shuffle)
    yield _without_players(session, cards[-1], shuffle)
    yield _inactive(session, shuffle)


def _inactive(session: Session, shuffle: Shuffle) -> bool:
    """Tell whether nobody had played for the period that the organization set.

    Looks at the picture, a change of the table's state or a purchase of chips are no play.
    """
    minutes = session.house.inactivity_reshuffle
    if minutes is None:
        return False
    played = (e for e in reversed(until(session.events, shuffle.t_start)) if isinstance(e, PLAY))
    last = next(played, None)
    return last is not None and shuffle.t_start - last.t_end >= minutes * SECONDS_IN_MINUTE


def _last_whole(session: Session, shuffle: Shuffle) -> float:
    """When the shoe that a shuffle ends began: discards that were shuffled when it ran short (12(9)) begin none."""
    whole = [s.t_end for s in session.of(Shuffle) if s.t_end <= shuffle.t_start and not _short(session, s)]
    return max(whole, default=float("-inf"))


def _short(session: Session, shuffle: Shuffle) -> bool | None:
    """Tell whether the discards were shuffled as the shoe ran short, so that its indicator card had come out before;
    None where nobody saw whether it was the discards alone.
    """
    return amid_round(session, shuffle) and (None if shuffle.scope is None else shuffle.scope == "discards")


def _reopened(session: Session, since: float, shuffle: Shuffle) -> bool | None:
    """Tell whether the table was closed for a while; a record that it opened again tells of a closing without a
    record.
    """
    states = [e.state for e in session.of(TableState) if since <= e.t_start <= shuffle.t_end]
    return any(state in ("temp_closed", "closed_day") for state in states) or (None if states else False)


def _without_players(session: Session, last: CardDealt, shuffle: Shuffle) -> bool | None:
    """Tell whether the last player left in or after the round of the last card; who sits there is not seen from
    above.
    """
    game = next((g for g in session.rounds if any(card.id == last.id for card in g.of(CardDealt))), None)
    if game is None:
        return False
    came = [e for e in session.of(PlayerPresence) if e.t_start <= shuffle.t_end]
    acts: list[PlayerPresence | CardDealt] = [*came, *game.of(CardDealt)]
    seated: set[int] = set()
    for act in sorted(acts, key=lambda e: e.t_end):
        if isinstance(act, CardDealt):
            key = hand_key(act.to)
            seated |= {key[0]} if key else set()
        elif act.phase == "arrive":
            seated |= set(act.spaces or ())
        else:
            seated -= set(act.spaces or ())
            if not seated and act.t_end >= game.events[0].t_start:
                return True
    told = [e for e in came if e.t_end >= game.events[0].t_start]
    return None if any(session.from_pixels or not e.spaces for e in told) else False
