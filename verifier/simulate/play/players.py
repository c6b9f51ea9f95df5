"""What players do with their hands: wagers, signals, touching, taking back."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.domain.events import Position
from verifier.domain.places import Place
from verifier.simulate.actors import Hand
from verifier.simulate.motion import distance
from verifier.simulate.play.layout_state import OnLayout, Stack, chip_counts, stack_cents
from verifier.simulate.play.spots import SPLIT_GAP_MM, astray_spot, stake_spot
from verifier.simulate.play.steps import ChangeWager, PlaceWager, Signal, TouchCard
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

_ALREADY_IN_PLAY: Final = ("double", "split", "insurance", "tip_double")
_HOVER_MM: Final = 230.0
_LAWFUL: Final[dict[str, Position]] = {"insurance": "insurance_line", "tip": "lower_left", "split": "horizontal"}
"""Where stakes lie whose place the rules name."""
_ASTRAY: Final[dict[str, Position]] = {"split": "vertical"}


def place_wager(table: OnLayout, step: PlaceWager) -> None:
    """Bring in a hand with a stack, put it down and take the hand away; before the deal players act side by side."""
    stage, hand = table.stage, table.stage.player_hand(step.at)
    extra = step.kind in _ALREADY_IN_PLAY or table.started
    start = max(hand.free, table.now if extra else table.now + stage.rng.uniform(0.0, 0.9))
    below = table.stakes.get(step.at, {}).get(step.kind, [])
    where = astray_spot if step.fault == "astray" else stake_spot
    spot = below[0].xy if below else stage.near(where(stage.plan, step.at, step.kind), 1.5 if extra else 3.0)
    stack = _from_pocket(table, hand, step.chips, start)
    arrive = hand.go(start, spot, shape="grip", speed=760.0, least=0.35)
    for level, chip in enumerate(stack):
        chip.carry(hand, start, arrive, (*spot, (level + len(below)) * CHIP_THICKNESS_MM, chip.pose[3]))
    down = hand.wait(arrive + stage.rng.uniform(0.1, 0.25))
    hand.go_rest(down)
    table.stakes.setdefault(step.at, {})[step.kind] = [*below, *stack]
    stage.note(
        events.WagerPlaced,
        max(start, arrive - 0.35),
        down,
        kind=step.kind,
        at=step.at,
        cents=stack_cents(stack),
        chips=chip_counts(stack),
        by=hand.person,
        position=_ASTRAY.get(step.kind, "elsewhere") if step.fault == "astray" else _LAWFUL.get(step.kind),
    )
    table.wagers_down = max(table.wagers_down, down)
    if extra:
        table.now = down + 0.2
    else:
        table.now = max(table.now, down - 0.9)


def _from_pocket(table: OnLayout, hand: Hand, values: list[int], t: float) -> Stack:
    hand.wait(t)
    x, y, _ = hand.tool_at(t)
    return table.stage.stack(values, (x, y), t)


def signal(table: OnLayout, step: Signal) -> None:
    """Act out a distinct gesture between wager and cards (99-01.3-08-11(4)); signal a double by its chips alone."""
    stage, hand = table.stage, table.stage.player_hand(step.at)
    begin = max(hand.free, table.now - 0.7)
    if step.meaning == "double":
        table.pause(0.25, 0.6)
        stage.note(events.HandSignal, table.now, table.now + 0.3, at=step.at, meaning="double")
        return
    spot = stage.near(_signal_spot(table, step.at), 6.0)
    gesture = {"hit": _tap, "stand": _wave, "split": _two}[step.meaning]
    t_start, t_end = gesture(table, hand, spot, begin)
    if step.meaning == "stand":
        hand.go_rest(t_end + 0.05)
    else:
        hand.go(t_end + 0.05, _hover(table, hand), shape="relaxed")
    stage.note(events.HandSignal, t_start, t_end, at=step.at, meaning=step.meaning)
    table.now = t_end + stage.rng.uniform(0.1, 0.3)


def _hover(table: OnLayout, hand: Hand) -> Vec:
    """Where a hand waits that will be needed again soon: behind the wager, at the picture's edge or beyond."""
    spots = table.stage.plan.spaces[_space_of(table, hand)]
    return (spots.wager[0] + spots.outward[0] * _HOVER_MM, spots.wager[1] + spots.outward[1] * _HOVER_MM)


def _signal_spot(table: OnLayout, place: str) -> Vec:
    parsed = Place.parse(place)
    spots = table.stage.plan.spaces[parsed.number]
    x = spots.wager[0] * 0.42 + spots.cards[0] * 0.58
    y = spots.wager[1] * 0.42 + spots.cards[1] * 0.58
    if table.hands_of(place) > 1:
        x += (parsed.hand - 0.5) * SPLIT_GAP_MM * 0.8
    return (x, y)


def _tap(table: OnLayout, hand: Hand, spot: Vec, begin: float) -> tuple[float, float]:
    rng = table.stage.rng
    start = t = max(table.now, hand.go(begin, spot, shape="point", z=30.0, speed=900.0))
    t = hand.wait(t)
    for _ in range(rng.choice((2, 2, 3))):
        t = hand.go(t, (spot[0] + rng.uniform(-3, 3), spot[1] + 9.0), z=10.0, least=rng.uniform(0.13, 0.18), lift=0.0)
        t = hand.go(t, spot, z=30.0, least=rng.uniform(0.15, 0.21), lift=0.0)
    return start, t


def _wave(table: OnLayout, hand: Hand, spot: Vec, begin: float) -> tuple[float, float]:
    rng = table.stage.rng
    ox, oy = table.stage.plan.spaces[_space_of(table, hand)].outward
    half = rng.uniform(42.0, 68.0)
    side = rng.choice((-1.0, 1.0))
    ends = [(spot[0] - oy * half * s, spot[1] + ox * half * s) for s in (side, -side)]
    start = t = max(table.now, hand.go(begin, ends[0], shape="flat", z=30.0, speed=900.0))
    t = hand.wait(t)
    for swing in range(rng.choice((3, 3, 4))):
        t = hand.go(t, ends[(swing + 1) % 2], z=26.0, least=rng.uniform(0.25, 0.33), speed=2000.0, lift=0.0)
    return start, t


def _two(table: OnLayout, hand: Hand, spot: Vec, begin: float) -> tuple[float, float]:
    start = max(table.now, hand.go(begin, spot, shape="two", z=28.0, speed=900.0))
    return start, hand.wait(start + table.stage.rng.uniform(0.7, 1.0))


def _space_of(table: OnLayout, hand: Hand) -> int:
    return next(space for space, other in table.stage.players.items() if other is hand)


def touch_card(table: OnLayout, step: TouchCard) -> None:
    """Act out how a player takes a card of the hand between the fingers and moves it (against 11(2))."""
    stage, hand, rng = table.stage, table.stage.player_hand(step.at), table.stage.rng
    card = table.cards[step.at][-1]
    x, y, z, angle = card.pose
    edge = (x + rng.uniform(-6, 6), y - 30.0)
    contact = hand.go(max(hand.free, table.now), edge, shape="pinch", z=10.0)
    held = hand.wait(contact + 0.3)
    shift = (rng.uniform(28, 42), rng.uniform(-22, 0))
    moved = hand.go(held, (edge[0] + shift[0], edge[1] + shift[1]), z=10.0, speed=110.0, least=0.4, lift=3.0)
    card.carry(hand, contact, moved, (x + shift[0], y + shift[1], z, angle + rng.uniform(6, 13) * rng.choice((-1, 1))))
    released = hand.wait(moved + 0.3)
    hand.go_rest(released)
    stage.note(events.Touch, contact, released, by="player", object="card", at=step.at, displaced=True)
    table.now = released + 0.3


def change_wager(table: OnLayout, step: ChangeWager) -> None:
    """Add a player's chip to the original wager after cards were dealt, or take one off (against 09(2))."""
    stage, hand = table.stage, table.stage.player_hand(step.at)
    start = max(hand.free, table.now)
    stack = table.stakes[step.at]["original"]
    before = stack_cents(stack)
    x, y, z, _ = stack[-1].pose
    added = _from_pocket(table, hand, [step.add], start)[0] if step.add > 0 else None
    arrive = hand.go(start, (x, y), shape="grip", speed=850.0, least=0.35)
    down = hand.wait(arrive + 0.2)
    if added is not None:
        added.carry(hand, start, arrive, (x + 1.0, y, z + CHIP_THICKNESS_MM, added.pose[3]))
        stack.append(added)
    gone = hand.go_rest(down)
    if added is None:
        chip = stack.pop()
        chip.hold(hand, down, gone, (0.0, 6.0, -14.0, 0.0))
        chip.vanish(gone)
    stage.note(
        events.WagerChanged,
        arrive - 0.2,
        down,
        kind="original",
        at=step.at,
        cents_before=before,
        cents_after=stack_cents(stack),
        by="player",
    )
    table.now = down + 0.35


def take_back(table: OnLayout) -> None:
    """Each player draws in what is left of stake and payoff, before the next round."""
    for space, hand in table.stage.players.items():
        stacks = _left_on_space(table, f"space:{space}")
        if stacks:
            _draw_in(table, hand, stacks, table.now + table.stage.rng.uniform(0.0, 0.5))
    table.now += 0.5


def _left_on_space(table: OnLayout, place: str) -> list[Stack]:
    found: list[Stack] = []
    for at, kinds in table.stakes.items():
        if at.split("/")[0] == place:
            found += [stack for stack in kinds.values() if stack]
    for at, stacks in table.payoffs.items():
        if at.split("/")[0] == place:
            found += stacks
    return found


def _draw_in(table: OnLayout, hand: Hand, stacks: list[Stack], start: float) -> None:
    rng = table.stage.rng
    chips = sorted((chip for stack in stacks for chip in stack), key=lambda chip: -chip.xy[0])
    t = max(start, hand.free)
    taken: list[tuple[float, Stack]] = []
    while chips:
        x, y = chips[0].xy
        group = [chip for chip in chips if distance(chip.xy, (x, y)) < 75.0]
        chips = [chip for chip in chips if chip not in group]
        centre = (sum(c.xy[0] for c in group) / len(group), sum(c.xy[1] for c in group) / len(group))
        t = hand.wait(hand.go(t, centre, shape="grip", z=24.0, least=0.22) + 0.12)
        taken.append((t, group))
    out = hand.go_rest(t)
    for since, group in taken:
        for level, chip in enumerate(group):
            offset = (rng.uniform(-14, 14), rng.uniform(-14, 14), -14.0 + level * CHIP_THICKNESS_MM, chip.pose[3])
            chip.hold(hand, since, out, offset)
            chip.vanish(out)
