"""The rounds of a log: which records belong to which, with round numbers or without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    CardsCollected,
    CardsPlayedBack,
    ChipsCollected,
    ChipsFanned,
    ChipsFromTray,
    ChipsReturned,
    ChipsToTray,
    HandsClear,
    PayoffPlaced,
    PushTapped,
    RoundEnded,
    RoundStarted,
    TipDeposited,
    TipExchange,
    WagerChanged,
    WagerPlaced,
)
from verifier.domain.house import House
from verifier.engine.rules import TWENTY_ONE, Rules
from verifier.law.figures import NEWEST, Figures
from verifier.law.gaps import jumped, unseen
from verifier.law.hands import hand_key, space_of
from verifier.law.riding import riding, with_riding
from verifier.law.rounds import Round

_SETTLED = PayoffPlaced | ChipsCollected | ChipsReturned
_TRAILING = (PayoffPlaced, ChipsCollected, ChipsReturned, CardsPlayedBack, TipDeposited)
_MENDING = (ChipsFanned, ChipsFromTray, ChipsToTray, HandsClear)


def in_order(events: Iterable[AnyEvent]) -> tuple[AnyEvent, ...]:
    """Events by end, start and id, so that nothing depends on the order of records with equal times."""
    return tuple(sorted(events, key=lambda e: (e.t_end, e.t_start, e.id)))


def rounds_of(
    events: Sequence[AnyEvent], house: House, rules: Rules = TWENTY_ONE, figures: Figures = NEWEST
) -> tuple[Round, ...]:
    """Return the rounds of a log in order. Corrections between two rounds belong to the earlier one."""
    groups = _handed_on(list(_groups(events)))
    burns = [e for e in events if isinstance(e, CardBurned)]
    jumps = [jumped(before, after, burns) for (_, before), (_, after) in pairwise(groups)]
    stops, ends = unseen(events), sum(1 for _, members in groups if _ended(members))
    found: list[Round] = []
    for index, (number, members) in enumerate(groups):
        first = members[0]
        before = events[0] is not first
        started = index > 0 or any(isinstance(e, RoundStarted) for e in members)
        opened = started or _opens(first, members)
        closed = _ended(members) or (index + 1 < len(groups) and not (ends and _broken_off(members)))
        interrupted = any(first.t_start < end and start < members[-1].t_end for start, end in stops)
        jump = any(jumps[max(index - 1, 0) : index + 1]) and sum(jumps) <= max(1, len(jumps) // 4)
        carried = _left_over(found[-1]) if found else frozenset()
        since = groups[index - 1][1][-1].t_end if index else 0.0
        bets_seen = (
            opened and (before or index > 0) and not any(since < end and start <= first.t_start for start, end in stops)
        )
        own = tuple(with_riding(members, riding(found[-1])) if found else members)
        found.append(Round(number, own, house, opened, bets_seen, closed, carried, rules, interrupted, jump, figures))
    return tuple(found)


def _handed_on(groups: Sequence[tuple[int | None, list[AnyEvent]]]) -> list[tuple[int | None, list[AnyEvent]]]:
    """Give the next round each wager that is laid or changed after its space is settled, or, at an empty space, once
    settlement has begun after the deal (09(2): until settlement).
    """
    found: list[tuple[int | None, list[AnyEvent]]] = []
    early: Sequence[AnyEvent] = []
    for number, members in groups:
        later = [e for e in members if isinstance(e, WagerPlaced | WagerChanged) and _for_next(e, members)]
        kept = [e for e in members if e not in later] if later else members
        found.append((number, [*early, *kept]))
        early = later
    return found


def _for_next(wager: WagerPlaced | WagerChanged, members: Sequence[AnyEvent]) -> bool:
    space = space_of(wager.at)
    if space is None or wager.kind not in ("original", "tip"):
        return False
    dealt = [e for e in members if isinstance(e, CardDealt)]
    own = [e.t_end for e in dealt if space_of(e.to) == space]
    settled = [
        e
        for e in members
        if isinstance(e, PushTapped) or (isinstance(e, PayoffPlaced | ChipsCollected) and e.kind == "original")
    ]
    if own:
        here = [e.t_end for e in settled if space_of(e.at) == space]
        return bool(here) and max(*here, *own) <= wager.t_start
    last = max((e.t_end for e in dealt), default=None)
    return last is not None and last <= wager.t_start and any(last <= e.t_end <= wager.t_start for e in settled)


def _opens(first: AnyEvent, members: Sequence[AnyEvent]) -> bool:
    """Tell whether the log begins with a round's wagers, and not with what lay there when the recording began."""
    dealt = next((e for e in members if isinstance(e, CardDealt)), None)
    return isinstance(first, WagerPlaced) and first.kind in ("original", "tip") and not (dealt and dealt.occluded)


def _ended(members: Sequence[AnyEvent]) -> bool:
    return any(isinstance(e, RoundEnded) for e in members)


def _broken_off(members: Sequence[AnyEvent]) -> bool:
    """Tell whether nothing of a round's end is in the log, in which other rounds are ended."""
    return not any(isinstance(e, RoundEnded | CardsCollected | PushTapped | _SETTLED) for e in members)


def _left_over(game: Round) -> frozenset[int]:
    """Spaces whose original wager was not collected in a round, so that it may stay for the next."""
    taken = {hand_key(e.at) for e in game.of(ChipsCollected) if e.kind == "original"}
    wagers = {hand_key(e.at) for e in game.of(WagerPlaced) if e.kind == "original"} | {(s, 0) for s in game.carried}
    return frozenset(key[0] for key in wagers - taken if key is not None)


def _groups(events: Sequence[AnyEvent]) -> Iterator[tuple[int | None, list[AnyEvent]]]:
    if not any(event.round is not None for event in events):
        yield from _groups_by_play(events)
        return
    number: int | None = None
    members: list[AnyEvent] = []
    exchanging = False
    for event in events:
        if event.round is None:
            exchanging |= isinstance(event, TipExchange)
            if members and _trails(event, members, exchanging):
                members.append(event)
            continue
        exchanging = False
        if event.round != number:
            if members:
                yield number, members
            number, members = event.round, []
        members.append(event)
    if members:
        yield number, members


def _trails(event: AnyEvent, members: Sequence[AnyEvent], exchanging: bool) -> bool:
    """Tell whether a record after the end of a round still belongs to it; chips put back by a tip exchange do not.

    Of a settlement that is put right after the cards were played back, the whole procedure does.
    """
    if isinstance(event, _MENDING):
        if not any(isinstance(e, CardsPlayedBack) for e in members):
            return False
    elif not isinstance(event, _TRAILING) or (exchanging and isinstance(event, TipDeposited)):
        return False
    place = getattr(event, "at", None)
    return not isinstance(place, str) or hand_key(place) is not None


_PLAY = (WagerPlaced, RoundStarted, CardDealt)


def _groups_by_play(events: Sequence[AnyEvent]) -> Iterator[tuple[int | None, list[AnyEvent]]]:
    """Yield the rounds of a log without round numbers, each from the first wager or card to the end of the round."""
    count, ended, exchanging = 0, True, False
    members: list[AnyEvent] = []
    for event in events:
        exchanging = ended and (exchanging or isinstance(event, TipExchange))
        if ended and isinstance(event, _PLAY):
            if members:
                yield count, members
            count, members, ended = count + 1, [], False
        if not ended or (members and _trails(event, members, exchanging)):
            members.append(event)
        if isinstance(event, RoundEnded):
            ended = True
    if members:
        yield count, members
