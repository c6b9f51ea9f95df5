"""With which hand and how chips are fanned and taken (99-01.3-08-11(16)(a),(b))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import ChipsFanned, ChipsFromTray, PayoffPlaced
from verifier.domain.money import CHIP_COLOURS, dollars
from verifier.law.checks.wording import hand_words
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check
from verifier.law.rounds import Round

FAN_HAND = "ND-08-11.16.a-fan-hand"
DIRECTION = "ND-08-11.16.a-fan-direction"
SETS = "ND-08-11.16.a-sets-of-five"
RIGHT_HAND = "ND-08-11.16.a-right-hand-take"
TIP_RIGHT_HAND = "ND-08-11.16.b-tip-right-hand"
RACK = "ND-08-11.16.a-rack-20"
FIVE_DOLLARS = 500
SET = 5
RACK_ABOVE = 20


@round_check(FAN_HAND, DIRECTION, SETS, video=True, partial="keep")
def how_fanned(game: Round) -> Iterator[Instance]:
    """Wagers are fanned with the site's hand, toward the dealer or side, in sets of five above five dollars."""
    for fan in game.of(ChipsFanned):
        if fan.owner == "wager" and fan.hand is not None:
            yield judged(
                FAN_HAND, None if fan.hand == "unknown" else fan.hand == game.house.payoff_fan_hand, at=fan.at,
                key=fan.id, events=[fan],
                    expected=f"the wager is fanned with only the {game.house.payoff_fan_hand} hand",
                observed=f"the wager of {fan.at} was fanned with {hand_words(fan.hand)}",
            )  # fmt: skip
        if fan.owner in ("wager", "payoff") and fan.direction is not None:
            yield judged(
                DIRECTION, fan.direction != "player", at=fan.at, key=fan.id, events=[fan],
                expected="chips are fanned toward the dealer or the side",
                observed=f"the {fan.owner} of {fan.at} was fanned toward the player",
            )  # fmt: skip
        if fan.owner == "wager" and fan.set_sizes and fan.cents is not None and fan.cents > FIVE_DOLLARS:
            yield _sets(fan, fan.set_sizes)


def _sets(fan: ChipsFanned, sizes: Sequence[int]) -> Instance:
    few = fan.chips is not None and len(sizes) < len(fan.chips)
    mixed = few or (fan.chips is not None and not _parted(tuple(sizes), tuple(fan.chips.values())))
    found = judged(
        SETS, max(sizes) <= SET and not mixed, at=fan.at, key=fan.id, events=[fan],
        expected="a bet above 5.00 is fanned by value in sets of five and the rest",
        observed=f"the bet of {dollars(fan.cents or 0)} at {fan.at} was fanned in sets of "
        + ", ".join(str(size) for size in sizes) + (" with values mixed" if mixed else ""),
    )  # fmt: skip
    return msgspec.structs.replace(found, narrow=mixed and not few and max(sizes) <= SET)  # one misread chip is enough


def _parted(sizes: tuple[int, ...], counts: tuple[int, ...]) -> bool:
    """Whether sets of these sizes may hold chips of one value each, so many of each as `counts`.

    Sets and values that do not count the same chips tell nothing.
    """
    if not sizes or sum(sizes) != sum(counts):
        return True
    rest = {(count - sizes[0], i) for i, count in enumerate(counts) if count >= sizes[0]}
    return any(_parted(sizes[1:], (*counts[:i], left, *counts[i + 1 :])) for left, i in rest)


@round_check(RIGHT_HAND, TIP_RIGHT_HAND, video=True, partial="keep")
def taken_right(game: Round) -> Iterator[Instance]:
    """Payoff chips are taken from the tray with the right hand."""
    payoffs = game.of(PayoffPlaced)
    for taken in game.of(ChipsFromTray):
        following = next((p for p in payoffs if p.t_end >= taken.t_end), None)
        if taken.hand is None or following is None:
            continue
        clause = TIP_RIGHT_HAND if following.kind in ("tip", "tip_double") else RIGHT_HAND
        yield judged(
            clause, None if taken.hand == "unknown" else taken.hand == "right", at=following.at, key=taken.id,
            events=[taken, following], expected="payoff chips are taken from the tray with the right hand",
            observed=f"chips for {following.at} were taken with {hand_words(taken.hand)}",
        )  # fmt: skip


@round_check(RACK, video=True, partial="keep")
def rack(game: Round) -> Iterator[Instance]:
    """A rack is used only for payoffs of more than twenty chips of one value."""
    for payoff in game.of(PayoffPlaced):
        if payoff.rack_sets:
            count = f"{sum(payoff.chips.values())} chips" if payoff.chips else "chips that were not counted"
            yield judged(
                RACK, _rackful(payoff), at=payoff.at, key=payoff.id, events=[payoff],
                expected="a rack only for more than twenty chips of one value",
                observed=f"a rack was used for {count} at {payoff.at}",
            )  # fmt: skip


def _rackful(payoff: PayoffPlaced) -> bool | None:
    """Whether a payoff has more than twenty chips of one value; None where its sum alone does not tell."""
    if payoff.chips:
        return max(payoff.chips.values()) > RACK_ABOVE
    few = payoff.cents is not None and not payoff.lower_bound and payoff.cents <= RACK_ABOVE * min(CHIP_COLOURS)
    return False if few else None
