"""The payoffs of a round, one cycle for each winning hand: fan, take, place, fan, hands away (99-01.3-08-11(16)(a))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from verifier.domain.events import (
    ChipsCollected,
    ChipsFanned,
    ChipsFromTray,
    HandsClear,
    PayoffPlaced,
)
from verifier.law.hands import STAKES, Hand, hand_key
from verifier.law.money import right_way
from verifier.law.rounds import Round


@dataclass(frozen=True, eq=False)
class Cycle:
    """The payoff of one winning hand."""

    hand: Hand
    payoffs: tuple[PayoffPlaced, ...]
    wager_fans: tuple[ChipsFanned, ...]
    payoff_fans: tuple[ChipsFanned, ...]
    takes: tuple[ChipsFromTray, ...]
    clear: tuple[HandsClear, ...]
    next_start: float | None
    next_taken: ChipsCollected | None = None
    """The first stake of another space that is collected after it was paid."""

    @property
    def taken(self) -> ChipsFromTray | None:
        """The last chips that left the tray for it."""
        return self.takes[-1] if self.takes else None

    @property
    def start(self) -> float:
        return self.payoffs[0].t_start

    @property
    def end(self) -> float:
        """When the last chip of it was laid."""
        return max(e.t_end for e in (*self.payoffs, *self.payoff_fans))


@lru_cache(maxsize=4)
def cycles(game: Round) -> tuple[Cycle, ...]:
    """Payoffs of winning hands in order of time; insurance, tips and what was paid to losers or ties left out.

    So is what is paid after the cards were played back: it makes a settlement good whose wagers were swept (12(12)).
    """
    paid = [hand for hand in game.hands if _payoffs(game, hand) and right_way(game, hand)]
    paid = [hand for hand in paid if _payoffs(game, hand)[0].t_start < game.mended_t]
    starts = sorted(_payoffs(game, hand)[0].t_start for hand in paid)
    found = [_cycle(game, hand, starts) for hand in paid]
    return tuple(sorted(found, key=lambda cycle: cycle.start))


def _payoffs(game: Round, hand: Hand) -> tuple[PayoffPlaced, ...]:
    return tuple(e for e in game.at(PayoffPlaced, hand.key) if e.kind in STAKES)


def _cycle(game: Round, hand: Hand, starts: Sequence[float]) -> Cycle:
    payoffs = _payoffs(game, hand)
    start = payoffs[0].t_start
    before = [e for e in game.of(ChipsFromTray) if e.t_start <= payoffs[0].t_end]
    earlier = max((s for s in starts if s < start), default=float("-inf"))
    fans = game.at(ChipsFanned, hand.key)
    return Cycle(
        hand,
        payoffs,
        tuple(e for e in fans if e.owner == "wager"),
        tuple(e for e in fans if e.owner == "payoff" and e.t_end >= payoffs[0].t_end and _for_stake(e)),
        tuple(e for e in before if e.t_start > earlier),
        tuple(e for e in game.of(HandsClear) if _clears(game, e, hand, payoffs[-1].t_end)),
        min((s for s in starts if s > start), default=None),
        _next_taken(game, hand, payoffs[-1].t_end),
    )


def _next_taken(game: Round, hand: Hand, paid_t: float) -> ChipsCollected | None:
    others = [e for e in game.of(ChipsCollected) if e.kind in STAKES and (hand_key(e.at) or (0, 0))[0] != hand.key[0]]
    return min((e for e in others if e.t_start >= paid_t), key=lambda e: e.t_end, default=None)


def _for_stake(fan: ChipsFanned) -> bool:
    return fan.kind is None or fan.kind in STAKES


def _clears(game: Round, clear: HandsClear, hand: Hand, paid_t: float) -> bool:
    """Whether the hands left a hand's chips: a clear of the whole table counts until chips are taken again."""
    if clear.t_end < paid_t or not _covers(clear.region, hand):
        return False
    if clear.region not in _WIDE:
        return True
    return not any(paid_t <= taken.t_start < clear.t_start for taken in game.of(ChipsFromTray))


_WIDE = ("inner", "table", "all")


def _covers(region: str, hand: Hand) -> bool:
    if region in _WIDE:
        return True
    try:
        key = hand_key(region)
    except ValueError:
        return False
    return key is not None and key[0] == hand.key[0]
