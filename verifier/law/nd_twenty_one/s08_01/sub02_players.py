"""How many play, and at which spaces (99-01.3-08-01(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import PlayerPresence
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

SEVEN = "ND-08-01.2-max-seven-players"
TWO_SPACES = "ND-08-01.2-two-adjacent-spaces"


@round_check(SEVEN, partial="keep")
def seven_players(game: Round) -> Iterator[Instance]:
    """At most seven spaces are in play."""
    spaces = {hand.key[0] for hand in game.hands if hand.has_wager}
    if spaces:
        yield judged(SEVEN, len(spaces) <= 7, observed=say.that("{spaces} spaces in play", spaces=len(spaces)))


@session_check(SEVEN)
def seven_present(session: Session) -> Iterator[Instance]:
    """No eighth player arrives before another has left."""
    seated: list[PlayerPresence] = []
    for event in session.of(PlayerPresence):
        if event.phase == "leave":
            seated = [s for s in seated if not set(s.spaces or ()) & set(event.spaces or ())]
            continue
        seated.append(event)
        yield judged(
            SEVEN,
            len(seated) <= 7 or (None if session.from_pixels else False),
            key=event.id,
            events=seated,
            expected="at most seven players are at the table",
            observed=say.that("{seated} players were at the table", seated=len(seated)),
        )


@session_check(TWO_SPACES)
def adjacent_spaces(session: Session) -> Iterator[Instance]:
    """Check that a player plays at most two spaces, side by side.

    In a tournament 15(2) tells how many spaces a player is assigned, and not whether they are side by side.
    """
    tournament = session.house.tournament_rules == "on"
    for presence in session.of(PlayerPresence):
        spaces = sorted(presence.spaces or ())
        if presence.phase == "arrive" and spaces and not (tournament and len(spaces) > 2):
            beside = len(spaces) <= 2 and spaces[-1] - spaces[0] <= 1
            yield judged(
                TWO_SPACES,
                beside or (None if tournament else False),
                key=presence.id,
                at=f"space:{spaces[0]}",
                events=[presence],
                expected="a player plays one or two adjacent spaces",
                observed="a player took spaces " + say.listed(", ", (space for space in spaces)),
            )
