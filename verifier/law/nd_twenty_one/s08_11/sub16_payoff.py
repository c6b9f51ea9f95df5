"""The payoff procedure under video surveillance (99-01.3-08-11(16)(a)): fan, take, place beside, fan, hands away."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from verifier.domain.events import ChipsCollected, ChipsFanned, ChipsFromTray, HandsClear, PayoffPlaced, WagerPlaced
from verifier.domain.money import CHIP_COLOURS
from verifier.law import say
from verifier.law.amounts import UNKNOWN, Amount, seen, total
from verifier.law.hands import STAKES, Hand, hand_key, space_of
from verifier.law.instances import Instance, judged
from verifier.law.money import right_way
from verifier.law.nd_twenty_one.shared.positions import in_place
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.say import Said

FAN_WAGER = "ND-08-11.16.a-fan-wager"
ONE_STACK = "ND-08-11.16.a-one-stack-exception"
FAN_PAYOFF = "ND-08-11.16.a-fan-payoff"
AWAY = "ND-08-11.16.a-hands-away"
PAID_BESIDE = "ND-08-11.16.a-payoff-beside"
BY_HAND = "ND-08-11.16-hand-by-hand"
REPEAT = "ND-08-11.16.a-repeat"
_WIDE = ("inner", "table", "all")


@round_check(PAID_BESIDE, video=True, partial="keep", reads=("position of payoff",))
def paid_beside(game: Round) -> Iterator[Instance]:
    """Check that a payoff is laid beside its wager."""
    for payoff in game.of(PayoffPlaced):
        if payoff.kind in STAKES:
            yield from in_place(
                PAID_BESIDE,
                payoff,
                "beside",
                at=payoff.at,
                expected=say.that("the payoff of {payoff} is laid beside its wager", payoff=say.place(payoff.at)),
                observed=say.that("the payoff of {payoff} was laid away from its wager", payoff=say.place(payoff.at)),
            )


@round_check(FAN_WAGER, ONE_STACK, video=True, partial="undetermined")
def wager_fanned(game: Round) -> Iterator[Instance]:
    """Every wagered stack of a winning hand is fanned before it is paid."""
    for cycle in cycles(game):
        stacks = [kind for kind in cycle.hand.stakes if kind in STAKES] or [p.kind for p in cycle.payoffs]
        fans = [f for f in cycle.wager_fans if f.t_start <= cycle.payoffs[0].t_end and not _too_late(cycle, f)]
        bare = _bare_stacks(stacks, fans)
        exempt = _one_stack_allowed(game) and len(bare) < max(len(stacks), 1)
        if cycle.hand.split and _one_stack_allowed(game) and bare:
            exempt = exempt or any(
                f.owner == "wager" for f in game.of(ChipsFanned) if space_of(f.at) == cycle.hand.key[0]
            )
        right: bool | None = True
        if bare and not exempt:
            right = agree_single(
                [stack(_single(cycle.hand, kind), cycle.payoff_fans, kind, _shown(cycle.hand, kind)) for kind in bare]
            )
        partly = bool(fans) and len(stacks) > 1
        yield judged(
            FAN_WAGER,
            right,
            at=cycle.hand.place,
            events=[*(w for s in cycle.hand.stakes.values() for w in s.placed), *cycle.payoffs],
            expected=say.that("the wager of {hand} is fanned before it is paid", hand=say.place(cycle.hand.place)),
            observed=say.that(
                "{hand} was paid {sum} without its {bare} fanned first",
                hand=say.place(cycle.hand.place),
                sum=_sum(cycle.payoffs),
                bare=say.listed(" and ", bare) if partly else "wager",
            ),
            also=[ONE_STACK] if partly else [],
            incident=f"fan wager {cycle.hand.place}",
        )
        if right and len(stacks) > 1:
            yield judged(ONE_STACK, True, at=cycle.hand.place)


def _too_late(cycle: Cycle, fan: ChipsFanned) -> bool:
    """Tell whether the payoff chips had left the tray before the fan began."""
    return cycle.taken is not None and cycle.taken.t_end <= fan.t_start


def _one_stack_allowed(game: Round) -> bool:
    if game.house.pit_boss_fan_one_stack is not None:
        return game.house.pit_boss_fan_one_stack
    return game.house.pit_boss_on_duty and game.house.double_down_equal == "equal"


def _bare_stacks(stacks: Sequence[str], fans: Sequence[ChipsFanned]) -> list[str]:
    """Stacks without a fan of their own; fans that name no kind count for any."""
    bare = [kind for kind in stacks if not any(f.kind == kind for f in fans)]
    unnamed = sum(1 for f in fans if f.kind is None or f.kind not in stacks)
    return bare[unnamed:]


def agree_single(single: Sequence[bool | None]) -> bool | None:
    """Tell whether a missing fan is lawful: it is when every bare stack is one chip, open when that may be so, wrong
    otherwise.
    """
    if False in single:
        return False
    return None if None in single else True


def _single(hand: Hand, kind: str) -> bool | None:
    """Tell whether a stack is a single chip, which lies visible without a fan; None where it may be."""
    stake = hand.stakes.get(kind)
    if stake is None or not stake.placed:
        return None
    return single_chip(stake.placed)


def _shown(hand: Hand, kind: str) -> int | None:
    """Return what a stack showed on top, in cents, where it was placed only once."""
    stake = hand.stakes.get(kind)
    return stake.placed[0].cents if stake is not None and len(stake.placed) == 1 else None


def stack(single: bool | None, others: Sequence[ChipsFanned], kind: str, top: int | None) -> bool | None:
    """Tell whether a bare stack is one chip, told by its counterpart's fan where its own records leave that open.

    Wager and payoff are equal (three to two for a natural), so a fan worth more than the chip on top tells of others
    beneath it. None is worth less than the one on top: a fan worth less than two of those leaves open what is wrong.
    """
    if single is not None or top is None:
        return single
    fans = [f.cents for f in others if f.kind == kind and f.cents is not None]
    if not fans or any(cents < 2 * top for cents in fans):
        return None
    return False


def single_chip(placed: Sequence[WagerPlaced | PayoffPlaced]) -> bool | None:
    """Tell whether records of chips laid down amount to a single chip; None where it may be."""
    if len(placed) > 1:
        return False
    (event,) = placed
    if event.chips is not None:
        count = sum(event.chips.values())
        if count > 1:
            return False
        return None if event.lower_bound else True
    return None if event.cents is None or event.cents in CHIP_COLOURS or event.lower_bound else False


@round_check(FAN_PAYOFF, video=True, partial="undetermined")
def payoff_fanned(game: Round) -> Iterator[Instance]:
    """Every payoff of a winning hand is fanned before the hands leave it."""
    for cycle in cycles(game):
        clear = [c for c in cycle.clear if cycle.next_start is None or c.t_start <= cycle.next_start] or cycle.clear
        limit = clear[-1].t_start if clear else None
        fans = [f for f in cycle.payoff_fans if limit is None or f.t_start <= limit]
        bare = _bare_stacks([p.kind for p in cycle.payoffs], fans)
        unfanned = [p for p in cycle.payoffs if p.kind in bare]
        right: bool | None = True
        if unfanned:
            right = agree_single([stack(single_chip([p]), cycle.wager_fans, p.kind, p.cents) for p in unfanned])
            if not game.closed and cycle.next_start is None:
                right = right or None
        late = [f for f in cycle.payoff_fans if f not in fans]
        stayed = right is False and bool(late) and all(c.t_end < late[-1].t_end for c in cycle.clear)
        yield judged(
            FAN_PAYOFF,
            right,
            at=cycle.hand.place,
            events=[*cycle.payoffs, *cycle.clear[:1]],
            expected=say.that(
                "the payoff of {hand} is fanned toward the side or the dealer", hand=say.place(cycle.hand.place)
            ),
            observed=say.that(
                "the payoff of {sum} at {hand} was not fanned", sum=_sum(unfanned), hand=say.place(cycle.hand.place)
            )
            + (" before the hands left it" if late else ""),
            also=[AWAY] if stayed else [],
            incident=f"fan payoff {cycle.hand.place}",
        )


@round_check(AWAY, video=True, partial="undetermined")
def hands_away(game: Round) -> Iterator[Instance]:
    """After fanning the payoff the dealer's hands leave the chips before the next touch."""
    order = cycles(game)
    for cycle, following in itertools.zip_longest(order, order[1:]):
        right = _left_in_time(cycle)
        if not right and not game.closed and cycle.next_start is None:
            continue
        together = not right and following is not None and _at_once(game, cycle, following) is not None
        yield judged(
            AWAY,
            right,
            at=cycle.hand.place,
            events=[*cycle.payoffs, *cycle.payoff_fans],
            incident=f"hand by hand {following.hand.place}" if together else None,
            rank=6,
            expected=say.that(
                "the hands leave the chips of {hand} before anything else is done", hand=say.place(cycle.hand.place)
            ),
            observed=say.that("the hands never left the paid chips of {hand}", hand=say.place(cycle.hand.place))
            + (" before other chips were touched" if right is None else ""),
        )


def _left_in_time(cycle: Cycle) -> bool | None:
    """Tell whether the hands left the chips before the next payoff began.

    None where the log tells so only after another space's stake was being collected: hands that took it had left the
    paid chips, whether at once or first aside is not told.
    """
    clears = [c.t_start for c in cycle.clear if cycle.next_start is None or c.t_start <= cycle.next_start]
    taken = cycle.next_taken
    if not clears or taken is None or min(clears) <= taken.t_start:
        return bool(clears)
    return None


@round_check(BY_HAND, REPEAT, video=True, partial="undetermined")
def hand_by_hand(game: Round) -> Iterator[Instance]:
    """Each winning hand is paid to the end before chips are taken for the next."""
    order = cycles(game)
    for before, after in itertools.pairwise(order):
        wrong = _at_once(game, before, after)
        yield judged(
            BY_HAND,
            wrong is None,
            at=after.hand.place,
            events=[*before.payoffs, *after.payoffs, before.taken, after.taken],
            expected=say.that(
                "{hand} is paid, fanned and left before chips are taken for {hand_2}",
                hand=say.place(before.hand.place),
                hand_2=say.place(after.hand.place),
            ),
            observed=wrong or "",
            also=[REPEAT],
            incident=f"hand by hand {after.hand.place}",
        )


def _at_once(game: Round, before: Cycle, after: Cycle) -> Said | None:
    """How two hands were paid at once, in words; None where the one was paid to the end before the next was begun."""
    both = say.that(
        "{hand} and {hand_2} were paid ", hand=say.place(before.hand.place), hand_2=say.place(after.hand.place)
    )
    pooled = after.taken is None and before.taken is not None and _covers_both(before, after)
    if pooled or (after.taken is not None and after.taken.t_end <= before.payoffs[0].t_start):
        return both + "with chips taken from the tray together"
    if after.taken is not None and _taken_before_fan(before, after.taken):
        return say.that(
            "chips were taken for {hand} before the payoff of {hand_2} was fanned",
            hand=say.place(after.hand.place),
            hand_2=say.place(before.hand.place),
        )
    if _fanned_before(game, before, after):
        return say.that(
            "the wager of {hand} was fanned before {hand_2} was paid",
            hand=say.place(after.hand.place),
            hand_2=say.place(before.hand.place),
        )
    return both + "at the same time" if after.start < before.end else None


def _taken_before_fan(before: Cycle, taken: ChipsFromTray) -> bool:
    """Tell whether chips left the tray when a payoff lay that was fanned only then."""
    laid, fans = before.payoffs[-1].t_end, [f.t_start for f in before.payoff_fans]
    return laid <= taken.t_start and bool(fans) and taken.t_end <= min(fans)


def _fanned_before(game: Round, before: Cycle, after: Cycle) -> bool:
    """Tell whether the wager of another space was fanned in the settlement before this one was paid."""
    if before.hand.key[0] == after.hand.key[0] or game.dealer_done_t is None or not after.wager_fans:
        return False
    return all(game.dealer_done_t <= f.t_start and f.t_end <= before.payoffs[0].t_start for f in after.wager_fans)


def _covers_both(before: Cycle, after: Cycle) -> bool:
    """Tell whether what was taken for one hand pays the next as well; when not seen, a pair of payoffs tells
    nothing.
    """
    taken = total(seen(e.cents) for e in before.takes)
    both = total(seen(p.cents) for p in (*before.payoffs, *after.payoffs))
    return taken.exact and both.exact and taken.low >= both.low


def _sum(payoffs: Sequence[PayoffPlaced]) -> Amount:
    if not payoffs or any(p.cents is None for p in payoffs):
        return UNKNOWN
    return seen(sum(p.cents or 0 for p in payoffs))


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
    others = [e for e in game.of(ChipsCollected) if e.kind in STAKES and space_of(e.at) != hand.key[0]]
    return min((e for e in others if e.t_start >= paid_t), key=lambda e: e.t_end, default=None)


def _for_stake(fan: ChipsFanned) -> bool:
    return fan.kind is None or fan.kind in STAKES


def _clears(game: Round, clear: HandsClear, hand: Hand, paid_t: float) -> bool:
    """Tell whether the hands left a hand's chips: a clear of the whole table counts until chips are taken again."""
    if clear.t_end < paid_t or not _covers(clear.region, hand):
        return False
    if clear.region not in _WIDE:
        return True
    return not any(paid_t <= taken.t_start < clear.t_start for taken in game.of(ChipsFromTray))


def _covers(region: str, hand: Hand) -> bool:
    if region in _WIDE:
        return True
    try:
        key = hand_key(region)
    except ValueError:
        return False
    return key is not None and key[0] == hand.key[0]
