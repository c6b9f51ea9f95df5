"""What the dealer does with cards and bets during play besides dealing: insurance moved, busts held aside, a peek."""

from __future__ import annotations

from verifier.domain import events
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.pickup import gather
from verifier.simulate.play.spots import READER, hold_spot, insured_spot, middle
from verifier.simulate.play.steps import WAGERS, BurnFrom, HoldAside, MoveInsurance, Peek, ReadCards
from verifier.simulate.table import CHIP_THICKNESS_MM

_PILE_MM = 2.5
_APART_MM = 20.0
"""Half the distance of two stacks that lie on held cards."""


def move_insurance(table: OnLayout, step: MoveInsurance) -> None:
    """Act out how the right hand brings each insurance bet beside the space's cards (09(2)(b))."""
    stage, right = table.stage, table.right
    for place in step.at:
        stack = table.stakes[place]["insurance"]
        spot = stage.near(insured_spot(stage.plan, place), 2.0)
        contact = right.go(max(right.free, table.now), stack[0].xy, shape="grip", z=24.0, speed=900.0)
        held = right.wait(contact + 0.12)
        laid = right.go(held, spot, shape="grip", z=20.0, speed=500.0, least=0.3)
        for level, chip in enumerate(stack):
            chip.carry(right, held, laid, (*spot, level * CHIP_THICKNESS_MM, chip.pose[3]))
        down = right.wait(laid + 0.1)
        stage.note(events.WagerMoved, contact, down, kind="insurance", from_=place, to=place, hand="right")
        table.now = down
    right.go_rest(right.free)
    table.now += 0.15


def hold_aside(table: OnLayout, step: HoldAside) -> None:
    """Act out how the right hand slides a busted hand's cards out of the space and lays its chips on them (11(8))."""
    stage, right = table.stage, table.right
    cards, spot = table.cards[step.at], stage.near(hold_spot(stage.plan, step.at), 3.0)
    contact, off = gather(table, cards, max(right.free, table.now))
    laid = right.go(off, (spot[0] + 10.0, spot[1] + 24.0), z=12.0, speed=520.0, lift=0.0)
    for level, card in enumerate(cards):
        card.carry(right, off, laid, (*spot, 0.5 + 0.35 * level, stage.rng.uniform(-6, 6)))
    stage.note(events.CardsMoved, contact, laid, kind="bust_hold", from_=step.at, to=step.at)
    t = right.wait(laid + 0.08)
    kinds = [kind for kind in WAGERS if table.stakes.get(step.at, {}).get(kind)]
    for number, kind in enumerate(kinds):
        stack = table.stakes[step.at][kind]
        target = (spot[0], spot[1] + (number - (len(kinds) - 1) / 2) * 2 * _APART_MM)
        held = right.wait(right.go(t, stack[0].xy, shape="grip", z=24.0, speed=850.0) + 0.12)
        down = right.go(held, target, shape="grip", z=22.0, speed=520.0, least=0.25)
        for level, chip in enumerate(stack):
            chip.carry(right, held, down, (*target, _PILE_MM + level * CHIP_THICKNESS_MM, chip.pose[3]))
        t = right.wait(down + 0.1)
        stage.note(events.WagerMoved, held - 0.12, t, kind=kind, from_=step.at, to=step.at, hand="right")
    right.go_rest(t)
    table.now = t + 0.1


def peek(table: OnLayout, step: Peek) -> None:
    """Act out how the dealer lifts the edge of the hole card and looks under it (against 10(1)(a))."""
    stage, right = table.stage, table.right
    body = table.cards["dealer"][1]
    x, y = body.xy
    contact = right.go(max(right.free, table.now), (x + 22.0, y + 34.0), shape="pinch", z=10.0, speed=800.0)
    lifted = right.go(contact + 0.1, (x + 14.0, y + 22.0), z=26.0, least=0.35, speed=120.0)
    end = right.wait(lifted + stage.rng.uniform(0.5, 0.8))
    down = right.go(end, (x + 22.0, y + 34.0), z=10.0, least=0.25, speed=200.0)
    body.lift_edge(contact + 0.1, lifted, end, down)
    right.go_rest(right.wait(down + 0.05))
    stage.note(events.HoleCardCheck, contact, down, how="peek")
    table.now = down + 0.2


def read_cards(table: OnLayout, step: ReadCards) -> None:
    """Slide both dealer cards to the reader with the right hand, hold them in it, and slide them back (10(3))."""
    stage, right = table.stage, table.right
    cards = table.cards["dealer"][:2]
    homes = [card.pose for card in cards]
    x, y = cards[0].xy
    contact = right.go(max(right.free, table.now), (x + 30.0, y + 30.0), shape="flat", z=12.0, speed=850.0)
    begin = right.wait(contact + 0.1)
    reader = (READER[0] - 46.0, READER[1])
    inside = right.go(begin, (reader[0] + 18.0, reader[1] + 26.0), z=12.0, speed=560.0, lift=0.0)
    for level, card in enumerate(cards):
        card.carry(right, begin, inside, (*reader, 0.5 + 0.35 * (1 - level), 0.0))
    read = right.wait(inside + stage.rng.uniform(0.5, 0.8))
    back = right.go(read, (x + 30.0, y + 30.0), z=12.0, speed=560.0, lift=0.0)
    for card, home in zip(cards, homes, strict=True):
        card.carry(right, read, back, home)
    right.go_rest(right.wait(back + 0.1))
    stage.note(events.HoleCardCheck, begin, back, how="reader")
    table.now = back + 0.2


def burn_from(table: OnLayout, step: BurnFrom) -> None:
    """Act out how the right hand takes a place's last card to the discard holder."""
    stage, right = table.stage, table.right
    table.pause(0.4, 0.9)
    card = table.cards[step.place].pop()
    if not table.cards[step.place]:
        del table.cards[step.place]
    x, y = card.xy
    contact = right.go(max(right.free, table.now), (x + 16.0, y + 30.0), shape="pinch", z=10.0, speed=800.0)
    held = right.wait(contact + 0.1)
    spot = stage.near(middle(stage.plan.discard), 6.0)
    placed = right.go(held, (spot[0] + 16.0, spot[1] + 30.0), z=30.0, speed=900.0)
    card.carry(right, held, placed, (*spot, 1.0, stage.rng.uniform(-4, 4)))
    card.vanish(placed + stage.rng.uniform(0.9, 1.4))
    right.go_rest(right.wait(placed + 0.1))
    stage.note(events.CardBurned, contact, placed, card=str(card.card), face_shown=True, reason=step.reason)
    table.now = placed + 0.3
