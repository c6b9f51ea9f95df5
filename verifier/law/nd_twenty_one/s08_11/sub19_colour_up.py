"""Colouring up: its policy, and what the dealer says (99-01.3-08-11(19))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import Announcement, CardDealt, ChipsFromTray, ChipsPushed, ChipsReceived, PlayerPresence
from verifier.law.entries import plain
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

COLOUR_UP = "ND-08-11.19-colour-up-announce"
COLOUR_UP_ASK = "ND-08-11.19-colour-up-ask"
POLICY = "ND-08-11.19-colour-up-policy"


@session_check(COLOUR_UP, COLOUR_UP_ASK, audio=True)
def colour_up_announced(session: Session) -> Iterator[Instance]:
    """Before chips are coloured up the player is asked, and their value is announced."""
    spoken = [e for e in session.of(Announcement) if plain(e.topic) in ("colour_up", "color_up")]
    for event in session.of(ChipsPushed):
        if not event.reason or plain(event.reason) not in ("colour_up", "color_up"):
            continue
        near = [e for e in spoken if event.t_start - 60 <= e.t_start <= event.t_end]
        amounts = [e.cents for e in near if e.cents is not None]
        yield judged(
            COLOUR_UP,
            bool(near) and (not amounts or event.cents is None or event.cents in amounts),
            at=event.at,
            key=event.id,
            events=[event, *near],
            expected="the dealer announces the value of the chips exchanged",
            observed="another value was announced" if near else "nothing was announced",
        )
        asked = any("?" in (e.text or "") or "may i" in (e.text or "").lower() for e in near)
        yield judged(
            COLOUR_UP_ASK,
            True if asked else None,
            at=event.at,
            key=event.id,
            events=[event, *near],
            expected="the player is asked first and agrees",
            observed="no question was heard",
        )


def _coloured_up(session: Session, push: ChipsPushed) -> bool:
    """Tell whether a player who then left was given fewer and dearer chips for several of lower value."""
    key = hand_key(push.at)
    before = [e for e in session.of(ChipsReceived) if e.at == push.at and e.t_end <= push.t_start]
    taken = [e for e in session.of(ChipsFromTray) if e.t_end <= push.t_start]
    if key is None or not before or not taken or taken[-1].t_start < before[-1].t_end:
        return False
    count, given = sum((before[-1].chips or {}).values()), sum((taken[-1].chips or {}).values())
    dealt = next((c.t_start for c in session.of(CardDealt) if c.t_start >= push.t_end), float("inf"))
    leaving = (e for e in session.of(PlayerPresence) if push.t_end <= e.t_start <= dealt and e.phase == "leave")
    return 0 < given < count and any(key[0] in (e.spaces or ()) for e in leaving)


@session_check(POLICY)
def colour_up(session: Session) -> Iterator[Instance]:
    """Chips are coloured up only where the organization adopted such a policy."""
    for event in session.of(ChipsPushed):
        named = event.reason is not None and plain(event.reason) in ("colour_up", "color_up")
        if named or _coloured_up(session, event):
            yield judged(
                POLICY,
                session.house.colour_up_policy == "adopted",
                at=event.at,
                key=event.id,
                events=[event],
                expected="chips are coloured up only under an adopted policy",
                observed="they were coloured up and no policy is adopted",
            )
