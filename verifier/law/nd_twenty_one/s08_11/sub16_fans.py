"""With which hand and how chips are fanned and taken (99-01.3-08-11(16)(a),(b))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from verifier.domain.events import ChipsFanned, ChipsFromTray, PayoffPlaced
from verifier.domain.money import CHIP_COLOURS
from verifier.law import say
from verifier.law.amounts import UNKNOWN
from verifier.law.figures import Figures
from verifier.law.instances import Instance, judged, untold
from verifier.law.money import stake_of
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.wording import hand_words

FAN_HAND = "ND-08-11.16.a-fan-hand"
DIRECTION = "ND-08-11.16.a-fan-direction"
SETS = "ND-08-11.16.a-sets-of-five"
RIGHT_HAND = "ND-08-11.16.a-right-hand-take"
TIP_RIGHT_HAND = "ND-08-11.16.b-tip-right-hand"
RACK = "ND-08-11.16.a-rack-20"


@round_check(FAN_HAND, DIRECTION, SETS, video=True, partial="keep")
def how_fanned(game: Round) -> Iterator[Instance]:
    """Wagers are fanned with the site's hand, toward the dealer or side, in sets of five above five dollars."""
    for fan in game.of(ChipsFanned):
        if fan.owner == "wager" and fan.hand is None and not _lone(fan):
            yield untold(FAN_HAND, "which hand fanned the wager", fan, at=fan.at)
        elif fan.owner == "wager" and fan.hand is not None:
            yield judged(
                FAN_HAND,
                None if fan.hand == "unknown" else fan.hand == game.house.payoff_fan_hand,
                at=fan.at,
                key=fan.id,
                events=[fan],
                expected=say.that(
                    "the wager is fanned with only the {payoff_fan_hand} hand",
                    payoff_fan_hand=game.house.payoff_fan_hand,
                ),
                observed=say.that(
                    "the wager of {fan} was fanned with {hand}", fan=say.place(fan.at), hand=hand_words(fan.hand)
                ),
            )
        if fan.owner in ("wager", "payoff") and fan.direction is None and not _lone(fan):
            yield untold(DIRECTION, "which way the chips were fanned", fan, at=fan.at)
        elif fan.owner in ("wager", "payoff") and fan.direction is not None:
            yield judged(
                DIRECTION,
                fan.direction != "player",
                at=fan.at,
                key=fan.id,
                events=[fan],
                expected="chips are fanned toward the dealer or the side",
                observed=say.that(
                    "the {owner} of {fan} was fanned toward the player", owner=fan.owner, fan=say.place(fan.at)
                ),
            )
        cents = _cents(game, fan)
        if fan.owner == "wager" and cents is None and set((fan.set_sizes or [])[:-1]) - {game.figures.chips_in_set}:
            yield untold(SETS, "how much was fanned", fan, at=fan.at)
        elif fan.owner == "wager" and cents and _bet(game, fan, cents) > game.figures.sets_above_cents:
            if fan.set_sizes:
                yield _sets(fan, fan.set_sizes, cents, game.figures)
            elif not _lone(fan):
                yield untold(SETS, "in which sets the wager was fanned", fan, at=fan.at)


def _cents(game: Round, fan: ChipsFanned) -> int | None:
    """Return what was fanned in cents: as it was told, by its chips, or the wager that lay there; None if unknown."""
    if fan.cents is not None or fan.chips:
        return fan.cents if fan.cents is not None else _counted(fan.chips or {})
    hand = game.hand_at(fan.at)
    stake = stake_of(game, hand, fan.kind or "original") if hand is not None else UNKNOWN
    return stake.low if stake.exact else None


def _lone(fan: ChipsFanned) -> bool:
    """Tell whether one chip lies there, which nobody needs to fan."""
    return fan.set_sizes == [1] or sum((fan.chips or {}).values()) == 1


def _sets(fan: ChipsFanned, sizes: Sequence[int], cents: int, figures: Figures) -> Instance:
    full = figures.chips_in_set
    right = _in_sets(sizes, full, fan.chips, cents)
    if right is False and cents <= figures.sets_above_cents:
        right = None  # the stack alone is not above five dollars, the whole bet is: the text does not say which counts
    if right:
        return judged(SETS, True, at=fan.at, key=fan.id)
    known = fan.chips is not None and sum(fan.chips.values()) == sum(sizes)
    mixed = known and not _parted(tuple(sizes), tuple((fan.chips or {}).values()))
    few = fan.chips is not None and len(sizes) < len(fan.chips)
    found = judged(
        SETS,
        right,
        at=fan.at,
        key=fan.id,
        events=[fan],
        uncounted=right is None and not known,
        expected=say.that(
            "a bet above {sets_above_cents} is fanned by value in sets of {full}, and then the rest of each value",
            sets_above_cents=say.figure("sets_above_cents", figures.sets_above_cents, money=True),
            full=say.figure("chips_in_set", full),
        ),
        observed=say.that(
            "the bet of {cents} at {fan} was fanned in sets of ", cents=say.cents(cents), fan=say.place(fan.at)
        )
        + say.listed(", ", (size for size in sizes))
        + (" with values mixed" if mixed or few else ""),
    )
    if right is not False:
        return found
    turned = _in_sets(sizes[::-1], full, fan.chips, cents)  # from above nobody sees which set was fanned first
    narrow = not few and max(sizes) <= full and (mixed or turned is True or _nearly_full(sizes, full))
    return msgspec.structs.replace(found, narrow=narrow)


def _in_sets(sizes: Sequence[int], full: int, chips: Mapping[str, int] | None, cents: int) -> bool | None:
    """Tell whether sets of these sizes are full ones of one value and then its rest; None where the log does not tell.

    Chips that were not counted leave every way to make the sum from sets of one value each.
    """
    if max(sizes) > full or (chips is not None and len(sizes) < len(chips)):
        return False
    if chips is None:
        said = {_full_then_rest(tuple(sizes), full, counts) for counts in _ways(tuple(sizes), cents)}
        return said.pop() if len(said) == 1 else None
    return _full_then_rest(tuple(sizes), full, tuple(chips.values())) if sum(chips.values()) == sum(sizes) else None


def _full_then_rest(sizes: tuple[int, ...], full: int, counts: tuple[int, ...]) -> bool:
    """Tell whether each set can be full of one value, or hold all that is left of it; `counts`: chips of each value."""
    if not sizes:
        return not any(counts)
    fitting = {(count, i) for i, count in enumerate(counts) if count and sizes[0] == min(full, count)}
    return any(
        _full_then_rest(sizes[1:], full, (*counts[:i], count - sizes[0], *counts[i + 1 :])) for count, i in fitting
    )


def _ways(sizes: tuple[int, ...], cents: int) -> set[tuple[int, ...]]:
    """Chips of each value, in all ways in which sets of one value each make a sum of cents."""
    values = tuple(CHIP_COLOURS)
    found = {(0,) * len(values)}
    for size in sizes:
        longer = ((*held[:i], held[i] + size, *held[i + 1 :]) for held in found for i in range(len(values)))
        found = {held for held in longer if _worth(held, values) <= cents}
    return {held for held in found if _worth(held, values) == cents}


def _worth(held: Sequence[int], values: Sequence[int]) -> int:
    return sum(count * value for count, value in zip(held, values, strict=True))


def _bet(game: Round, fan: ChipsFanned, cents: int) -> int:
    """Return the whole bet that a fanned stack belongs to: all stacks of its hand, as they were fanned, and at least
    this one.
    """
    fans = [f for f in game.of(ChipsFanned) if f.owner == "wager" and f.at == fan.at and f.kind != fan.kind]
    return cents + sum({f.kind: f.cents or 0 for f in fans}.values())


def _counted(chips: Mapping[str, int]) -> int:
    return sum(int(value) * count for value, count in chips.items())


def _nearly_full(sizes: Sequence[int], full: int) -> bool:
    """Tell whether one chip seen in the set beside its own makes full sets of these; it may have been misread so."""
    return all(size >= full - 1 for size in sizes[:-1])


def _parted(sizes: tuple[int, ...], counts: tuple[int, ...]) -> bool:
    """Tell whether sets of these sizes may hold chips of one value each, so many of each as `counts`."""
    if not sizes:
        return True
    rest = {(count - sizes[0], i) for i, count in enumerate(counts) if count >= sizes[0]}
    return any(_parted(sizes[1:], (*counts[:i], left, *counts[i + 1 :])) for left, i in rest)


@round_check(RIGHT_HAND, TIP_RIGHT_HAND, video=True, partial="keep")
def taken_right(game: Round) -> Iterator[Instance]:
    """Payoff chips are taken from the tray with the right hand."""
    payoffs = game.of(PayoffPlaced)
    for taken in game.of(ChipsFromTray):
        following = next((p for p in payoffs if p.t_end >= taken.t_end), None)
        if following is None:
            continue
        clause = TIP_RIGHT_HAND if following.kind in ("tip", "tip_double") else RIGHT_HAND
        if taken.hand is None:
            yield untold(clause, "which hand took the chips", taken, at=following.at)
            continue
        yield judged(
            clause,
            None if taken.hand == "unknown" else taken.hand == "right",
            at=following.at,
            key=taken.id,
            events=[taken, following],
            expected="payoff chips are taken from the tray with the right hand",
            observed=say.that(
                "chips for {following} were taken with {hand}",
                following=say.place(following.at),
                hand=hand_words(taken.hand),
            ),
        )


@round_check(RACK, video=True, partial="keep")
def rack(game: Round) -> Iterator[Instance]:
    """Check that a rack is used only for payoffs of more than twenty chips of one value."""
    for payoff in game.of(PayoffPlaced):
        if payoff.rack_sets:
            count = (
                say.that("{chips} chips", chips=sum(payoff.chips.values()))
                if payoff.chips
                else "chips that were not counted"
            )
            yield judged(
                RACK,
                _rackful(payoff, game.figures.rack_above_chips),
                at=payoff.at,
                key=payoff.id,
                events=[payoff],
                expected=say.that(
                    "a rack only for more than {rack_above_chips} chips of one value",
                    rack_above_chips=say.figure("rack_above_chips", game.figures.rack_above_chips),
                ),
                observed=say.that("a rack was used for {count} at {payoff}", count=count, payoff=say.place(payoff.at)),
            )


def _rackful(payoff: PayoffPlaced, above: int) -> bool | None:
    """Tell whether a payoff has more chips of one value than that; None where its sum alone does not tell."""
    if payoff.chips:
        return max(payoff.chips.values()) > above
    few = payoff.cents is not None and not payoff.lower_bound and payoff.cents <= above * min(CHIP_COLOURS)
    return False if few else None
