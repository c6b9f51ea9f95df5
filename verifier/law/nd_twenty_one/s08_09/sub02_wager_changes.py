"""Wagers: their limits, and changes after the first card (99-01.3-08-09(1), (2), 12(11))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import ChipsCollected, PayoffPlaced, PushTapped, WagerChanged, WagerPlaced
from verifier.domain.house import House
from verifier.domain.money import MAX_CENTS
from verifier.law.amounts import Amount, seen, total
from verifier.law.figures import Figures
from verifier.law.hands import Hand, Stake, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import fanned, stake_of
from verifier.law.registry import round_check
from verifier.law.rounds import Round

WHOLE = "ND-08-09.1-whole-dollar"
RANGE = "ND-08-09.1-range-1-25"
EXCESS = "ND-08-09.1-excess-returned"
UNLAWFUL_WIN = "ND-08-12.11-unlawful-wager-win"
UNCHANGED = "ND-08-09.2-no-change-after-first-card"
REMOVED = "ND-08-11.2-no-remove-chip"
BEFORE = "ND-08-09.2-original-before-cards"
EXTRA = "ND-08-09.2-extra-wagers-after-two"
FIFTY_CENTS = 50
"""A chip or coin of half a dollar."""


def most_wagered(house: House, figures: Figures) -> int:
    """The most that may be wagered on a hand, in cents. The highest wager of the law binds no chips without value: in a
    tournament (08-15) only the organization's own maximum counts, where it set another."""
    if house.tournament_rules == "on":
        return MAX_CENTS if house.table_limits.max == figures.wager_most_cents else house.table_limits.max
    return min(figures.wager_most_cents, house.table_limits.max)


@round_check(WHOLE, RANGE, EXCESS, UNLAWFUL_WIN, partial="undetermined")
def limits(game: Round) -> Iterator[Instance]:
    """Original wagers are whole dollars from 1 to 25 or the posted maximum; what exceeds it goes back.

    Bets of a tournament are judged by its own limits (`checks/records/tournaments.py`).
    """
    if game.house.tournament_rules == "on":
        return
    top = most_wagered(game.house, game.figures)
    for hand in game.hands:
        stake = hand.stakes.get("original")
        if stake is None or not stake.placed or not hand.cards or stake.given_back:
            continue
        amount = stake_of(game, hand, "original")
        if game.first_card is not None and _changed_late(stake, game.first_card.t_end):
            amount = stake.at_first_card(game.first_card.t_end)
        yield _range(game, hand, stake, amount, top)
        whole = _whole(stake, amount, game.figures.wager_step_cents)
        if whole is not None:
            kept = not stake.returned and _paid(game, hand)
            yield judged(
                WHOLE,
                whole,
                at=hand.place,
                events=[*stake.placed, *stake.returned],
                expected="an original wager is a whole number of dollars",
                observed=f"{hand.place} played for {amount}{'' if amount.exact else ', a 50-cent chip among it'}",
                incident=f"limit {hand.place}",
                rank=6,
                also=[UNLAWFUL_WIN] if kept else [],
            )


def _changed_late(stake: Stake, first_t: float) -> bool:
    """Whether a wager was changed after the first card otherwise than by chips that the dealer gave back."""
    returned = total(seen(e.cents) for e in stake.returned)
    return any(c.t_end > first_t and not _same_value(c, returned) for c in stake.changed)


def _whole(stake: Stake, amount: Amount, step: int) -> bool | None:
    """Whether a wager is of whole dollars; of a stack that was not counted an odd 50-cent chip tells that it is not."""
    if amount.exact:
        return amount.low % step == 0
    halves = sum((event.chips or {}).get(str(FIFTY_CENTS), 0) for event in stake.placed)
    return False if halves % 2 and not stake.changed and not stake.returned else None


def _paid(game: Round, hand: Hand) -> bool:
    return any(e.kind == "original" for e in game.at(PayoffPlaced, hand.key))


def _lone(stake: Stake, top: int) -> bool:
    """Whether one chip, worth more than the limit by itself, is all that was seen of a wager."""
    seen = [value for event in stake.placed for value, count in (event.chips or {}).items() for _ in range(count)]
    return len(seen) == 1 and int(seen[0]) > top and not stake.changed


def _range(game: Round, hand: Hand, stake: Stake, amount: Amount, top: int) -> Instance:
    over = amount.low > top
    certain_low = amount.high is not None and amount.high < game.figures.wager_least_cents
    right: bool | None = not over and not certain_low
    if right and amount.high is None and amount.low == top:
        right = None  # a chip hidden under those seen would be too much
    colour = over and not amount.exact and _lone(stake, top)
    if colour:
        right = None  # one chip's colour, seen from above, that nothing else bears out
    paid = _paid(game, hand)
    also = [RANGE, *([UNLAWFUL_WIN] if paid else [])] if over else []
    settled = paid or any(e.kind == "original" for e in game.at(ChipsCollected, hand.key)) or game.closed
    return judged(
        EXCESS if over else RANGE,
        right if right is not False or settled else None,
        at=hand.place,
        events=[*stake.placed, *stake.changed],
        expected=f"an original wager is from 1.00 to {Amount(top, top)}; what exceeds it is returned",
        observed=f"{hand.place} played for {amount} and nothing was returned",
        also=also,
        incident=f"limit {hand.place}",
        uncounted=right is None and not colour,
    )


@round_check(UNCHANGED, REMOVED, partial="undetermined")
def unchanged(game: Round) -> Iterator[Instance]:
    """After the first card no original wager or tip changes until it is settled."""
    first = game.first_card
    if first is None:
        return
    for hand in game.hands:
        for kind in ("original", "tip"):
            stake = hand.stakes.get(kind) or hand.tips.get(kind)
            if stake is not None and stake.placed:
                yield from _changes(game, hand, kind, stake, first.t_end)


def _changes(game: Round, hand: Hand, kind: str, stake: Stake, first_t: float) -> Iterator[Instance]:
    end = _settled_t(game, hand, kind)
    returned = total(seen(e.cents) for e in stake.returned)
    problems: list[tuple[bool | None, WagerChanged | WagerPlaced]] = []
    for change in stake.changed:
        if change.t_end > first_t and change.t_start < end:
            problems.append((_same_value(change, returned), change))
    late = [w for w in stake.placed if w.t_start >= first_t]
    if kind == "tip" or len(late) < len(
        stake.placed
    ):  # an original wager that first lies then is `before_first_card`'s
        problems += [(False, w) for w in late if w.t_start < end]
    for right, event in problems:
        taken = isinstance(event, WagerChanged) and _may_be_less(event)
        yield judged(
            UNCHANGED,
            right,
            at=hand.place,
            key=event.id,
            events=[event],
            expected=f"the {kind} wager of {hand.place} stays as it was when the first card was dealt",
            observed=_change_words(hand, kind, stake, event),
            also=[REMOVED] if taken else [],
            incident=f"change {hand.place} {kind}",
        )
    if problems:
        return
    shown = fanned(game, hand, kind)
    if shown is None or not stake.amount.exact:
        yield judged(UNCHANGED, True, at=hand.place, key=kind)
        return
    same = shown.equals(stake.amount) is not False
    yield judged(
        UNCHANGED,
        same,
        at=hand.place,
        key=kind,
        events=stake.placed,
        expected=f"the {kind} wager of {hand.place} stays at {stake.amount}",
        observed=f"{hand.place} wagered {stake.amount} and its fan showed {shown}",
        also=[REMOVED] if shown.low < stake.amount.low else [],
        incident=f"change {hand.place} {kind}",
    )


def _settled_t(game: Round, hand: Hand, kind: str) -> float:
    own = (kind,) if kind == "tip" else ("original", "double", "split")
    money: list[PayoffPlaced | ChipsCollected] = [*game.at(PayoffPlaced, hand.key), *game.at(ChipsCollected, hand.key)]
    times = [e.t_start for e in money if e.kind in own or kind == "tip"]
    times += [e.t_start for e in game.at(PushTapped, hand.key)]
    return min(times, default=float("inf"))


def _may_be_less(change: WagerChanged) -> bool:
    """Whether chips were taken, or may have been: of a stack that is not spread the worth is not seen."""
    return change.cents_before is None or change.cents_after is None or change.cents_after < change.cents_before


def _same_value(change: WagerChanged, returned: Amount) -> bool | None:
    if change.cents_before is None or change.cents_after is None:
        return None if returned.high != 0 or change.by != "player" else False
    less = change.cents_before - change.cents_after
    return less == 0 or (less > 0 and returned.exact and returned.low == less)


def _change_words(hand: Hand, kind: str, stake: Stake, event: WagerChanged | WagerPlaced) -> str:
    if event is stake.placed[0]:
        return f"the first chips of the {kind} wager of {hand.place} were placed after the first card"
    if isinstance(event, WagerPlaced):
        return f"more chips ({seen(event.cents)}) were added to the {kind} wager of {hand.place} after the first card"
    if event.cents_before is None and event.cents_after is None:
        return (
            f"the {kind} wager of {hand.place} was changed at {event.t_start:.1f} s, after the first card, by chips "
            "not seen, or its top chip was turned"
        )
    return (
        f"the {kind} wager of {hand.place} went from {seen(event.cents_before)} to {seen(event.cents_after)} "
        f"at {event.t_start:.1f} s, after the first card"
    )


@round_check(BEFORE, partial="undetermined")
def before_first_card(game: Round) -> Iterator[Instance]:
    """An original wager lies before the first card."""
    first = game.first_card
    if first is None:
        return
    for hand in game.hands:
        stake = hand.stakes.get("original")
        if stake is None or not stake.placed:
            continue
        late = stake.placed[0].t_start >= first.t_end
        yield judged(
            BEFORE,
            not late,
            at=hand.place,
            events=[first, *stake.placed],
            expected="an original wager is placed before the first card of the round",
            observed=f"{hand.place} placed its wager after the first card",
            also=[UNCHANGED],
        )


@round_check(EXTRA)
def extra_after_two(game: Round) -> Iterator[Instance]:
    """Insurance, split and double wagers follow the second card of every space."""
    for wager in game.of(WagerPlaced):
        if wager.kind not in ("insurance", "split", "double", "tip_double") or game.deal_end is None:
            continue
        yield judged(
            EXTRA,
            wager.t_end >= game.deal_end - 0.01 or _late_second(game, wager),
            at=wager.at,
            key=wager.id,
            events=[wager],
            expected=f"a {wager.kind} wager follows the second card of every space",
            observed=f"{wager.at} placed a {wager.kind} wager before that",
        )


def _late_second(game: Round, wager: WagerPlaced) -> bool:
    """Whether only a late second card of 12(2) came after the wager."""
    key = hand_key(wager.at)
    later = [h for h in game.hands if len(h.dealt) > 1 and h.key[1] == 0 and h.dealt[1].t_end > wager.t_end]
    if len(later) != 1 or key is None or later[0].key[0] == key[0]:
        return False
    return game.no_hole or len(game.dealer_dealt) < 2 or later[0].dealt[1].t_start > game.dealer_dealt[1].t_start
