"""How the dealer's hands deal, burn, split and turn cards (99-01.3-08-08(3), -10(2), -11(3), -11(10))."""

from __future__ import annotations

from typing import Literal

import cv2

from verifier.domain import events
from verifier.domain.cards import Card
from verifier.domain.events import Position
from verifier.simulate.actors import Hand
from verifier.simulate.bodies import CardBody
from verifier.simulate.play import opening
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import DRAWN_ASTRAY_MM, SPLIT_CARD_ASTRAY, card_spot, middle, shoe_mouth
from verifier.simulate.play.steps import Deal, Reveal, SplitCards
from verifier.simulate.scene import Vec
from verifier.simulate.table import CARD_MM

_LEFT_HOLD: Vec = (-24.0, 26.0)
_RIGHT_HOLD: Vec = (20.0, 34.0)
"""Working points of the drawing and of the placing hand, from the card's centre: they hold its dealer-side edge."""


def start_round(table: OnLayout) -> None:
    """All wagers lie; the left hand goes to the shoe."""
    table.now = max(table.now, table.wagers_down)
    table.pause(0.15, 0.6)


def deal(table: OnLayout, step: Deal) -> None:
    """Left hand draws, right hand takes the card near the middle, turns it if it goes face up, and places it."""
    stage = table.stage
    _count_down(table)
    spot = stage.near(_card_spot(table, step.to, step.index, split=_is_split(table, step.to)), 1.2)
    if step.fault == "covers":
        spot = (spot[0] + 17.0, spot[1] - 24.0)
    if step.fault == "at_left":
        spot = stage.near((stage.plan.dealer_cards[0] + DRAWN_ASTRAY_MM, stage.plan.dealer_cards[1]), 1.2)
    angle = stage.rng.uniform(-2.5, 2.5) + (90.0 if step.across else 0.0)
    height = 0.5 + 0.35 * step.index
    alone = {"right_draws": table.right, "left_places": table.left}.get(step.fault)
    draw = _draw_and_place if alone is None else _draw_alone
    body, grabbed, placed = draw(table, step.card, step.face, (*spot, height, angle), hand=alone)
    hand = table.cards.setdefault(step.to, [])
    overlap = overlap_of(body, hand[-1]) if hand and step.to != "dealer" else None
    first_angle = hand[0].pose[3] if hand else angle
    hand.append(body)
    stage.seq += 1
    stage.note(
        events.CardDealt,
        grabbed,
        placed,
        card=str(step.card) if step.face == "up" else "??",
        to=step.to,
        face=step.face,
        seq=stage.seq,
        from_hand=alone.side if alone else "left",
        placed_hand=alone.side if alone else "right",
        angle=round(angle - first_angle, 1) if len(hand) > 1 and step.to != "dealer" else None,
        overlap=overlap,
        position=_position(step),
    )


def _position(step: Deal) -> Position | None:
    """Where a card lies that the dealer draws after the first two."""
    if step.to != "dealer" or step.index < 2:
        return None
    return "elsewhere" if step.fault == "at_left" else "right"


def _count_down(table: OnLayout) -> None:
    """Let the indicator card appear when enough cards have been drawn, after a round's first card at the soonest."""
    if table.to_indicator is not None:
        table.to_indicator -= 1
        if table.to_indicator <= 0 and table.started:
            table.to_indicator = None
            opening.indicator_appears(table)


def burn(table: OnLayout, card: Card, face: Literal["up", "down"] = "down") -> None:
    """One card goes to the discard holder, lies there a moment and is taken in; face up it is shown (against 08(3))."""
    stage = table.stage
    spot = stage.near(middle(stage.plan.discard), 6.0)
    body, grabbed, placed = _draw_and_place(table, card, face, (*spot, 1.0, stage.rng.uniform(-4, 4)), speed=1000.0)
    body.vanish(placed + stage.rng.uniform(0.9, 1.4))
    stage.note(events.CardBurned, grabbed, placed, card=str(card) if face == "up" else "??", face_shown=face == "up")
    table.now = placed + 0.3


def _draw_and_place(
    table: OnLayout,
    card: Card,
    face: Literal["up", "down"],
    pose: tuple[float, float, float, float],
    speed: float = 1150.0,
    hand: Hand | None = None,
) -> tuple[CardBody, float, float]:
    stage, left, right = table.stage, table.left, table.right
    mouth = shoe_mouth(stage.plan)
    start = (mouth[0] - 12.0, mouth[1])
    ready = left.go(max(left.free, table.now - 0.6), _add(start, _LEFT_HOLD), shape="pinch", speed=speed)
    grab = left.wait(max(ready + 0.05, table.now))
    _note_start(table, grab)
    body = stage.card(card, "down", (*start, 4.0, stage.rng.uniform(-3, 3)), grab)
    meet = _meeting_point(start, pose)
    drawn = left.go(grab, _add(meet, _LEFT_HOLD), z=30.0, speed=speed)
    met = right.go(max(right.free, grab - 0.15), _add(meet, _RIGHT_HOLD), shape="pinch", z=30.0, speed=speed)
    change = left.wait(max(drawn, met) + 0.04)
    body.carry(left, grab, change, (*meet, 28.0, 0.0))
    right.wait(change)
    spot = (pose[0], pose[1])
    placed = right.go(change, _add(spot, _RIGHT_HOLD), z=12.0, speed=speed * 0.92, least=0.26)
    body.carry(right, change, placed, pose)
    if face == "up":
        way = placed - change
        body.turn(change + 0.12 * way, change + 0.62 * way, "up")
    left.go(change, _add(start, (40.0, 40.0)), shape="relaxed", speed=speed)
    lifted = right.wait(placed + 0.05)
    right.go(lifted, _back_off(spot, meet), shape="relaxed", speed=speed)
    table.now = placed
    return body, grab, placed


def _note_start(table: OnLayout, t: float) -> None:
    if not table.started and table.stage.round is not None:
        table.started = True
        table.stage.note(events.RoundStarted, max(0.0, t - 0.05), t)


def _draw_alone(
    table: OnLayout,
    card: Card,
    face: Literal["up", "down"],
    pose: tuple[float, float, float, float],
    hand: Hand | None = None,
) -> tuple[CardBody, float, float]:
    """One hand draws the card, turns it on the way and places it (against 10(2))."""
    stage, hand = table.stage, hand or table.right
    mouth = shoe_mouth(stage.plan)
    start = (mouth[0] - 12.0, mouth[1])
    hold = _RIGHT_HOLD if hand.side == "right" else _LEFT_HOLD
    other = table.left if hand is table.right else table.right
    other.go_rest(other.free)
    ready = hand.go(max(hand.free, table.now - 0.4), _add(start, hold), shape="pinch", speed=1000.0)
    grab = hand.wait(max(ready + 0.05, table.now))
    _note_start(table, grab)
    body = stage.card(card, "down", (*start, 4.0, stage.rng.uniform(-3, 3)), grab)
    spot = (pose[0], pose[1])
    placed = hand.go(grab, _add(spot, hold), z=16.0, speed=950.0, least=0.5)
    body.carry(hand, grab, placed, pose)
    if face == "up":
        body.turn(grab + 0.35 * (placed - grab), grab + 0.75 * (placed - grab), "up")
    hand.go_rest(hand.wait(placed + 0.05))
    table.now = placed
    return body, grab, placed


def _meeting_point(start: Vec, pose: tuple[float, float, float, float]) -> Vec:
    x = min(max(start[0] * 0.5 + pose[0] * 0.5, -430.0), 120.0)
    return (x, 196.0)


def _back_off(spot: Vec, meet: Vec) -> Vec:
    """From a placed card back toward the next one, so that the hand does not hide it."""
    return (spot[0] * 0.35 + (meet[0] + 60.0) * 0.65, max(spot[1] * 0.35 + 240.0 * 0.65, min(spot[1] + 120.0, 255.0)))


def _add(a: Vec, b: Vec) -> Vec:
    return (a[0] + b[0], a[1] + b[1])


def _card_spot(table: OnLayout, place: str, index: int, *, split: bool) -> Vec:
    """Centre of a card of a hand, which may be laid apart from its place."""
    return _add(card_spot(table.stage.plan, place, index, split=split), table.shifted.get(place, (0.0, 0.0)))


def _is_split(table: OnLayout, place: str) -> bool:
    return place.split("/")[0] in table.split


def overlap_of(card: CardBody, under: CardBody) -> float:
    """Share of the lower card that the upper one covers."""
    upper, lower = (((b.pose[0], b.pose[1]), CARD_MM, b.pose[3]) for b in (card, under))
    kind, points = cv2.rotatedRectangleIntersection(upper, lower)
    if kind == cv2.INTERSECT_NONE or points is None:
        return 0.0
    area = cv2.contourArea(cv2.convexHull(points))
    return round(float(area) / (CARD_MM[0] * CARD_MM[1]), 3)


def reveal(table: OnLayout, step: Reveal) -> None:
    """Act out how the hole card, or another card that lies face down, is turned over in place."""
    stage, right = table.stage, table.right
    body = table.cards[step.at][step.index]
    edge = _add(body.xy, (24.0, 30.0))
    contact = right.go(max(right.free, table.now), edge, shape="pinch", z=8.0, speed=800.0)
    begin = right.wait(contact + 0.08)
    end = right.go(begin, _add(body.xy, (-6.0, 36.0)), z=14.0, least=0.42, speed=200.0, lift=25.0)
    body.turn(begin, end, "up")
    right.go(end, _add(body.xy, (80.0, 150.0)), shape="relaxed")
    stage.note(events.CardRevealed, contact, end, card=str(step.card), at=step.at, how="turned")
    table.now = end + stage.rng.uniform(0.5, 1.0)


def split_cards(table: OnLayout, step: SplitCards) -> None:
    """Both hands lay a pair side by side (11(3)(a))."""
    stage = table.stage
    table.split[step.at.split("/")[0]] = step.of
    if step.fault == "above":
        table.shifted[step.to] = SPLIT_CARD_ASTRAY
    pair = table.cards[step.at]
    begin = max(table.left.free, table.right.free, table.now)
    ends: list[float] = []
    for body, hand, place in ((pair[0], table.left, step.at), (pair[1], table.right, step.to)):
        target = stage.near(_card_spot(table, place, 0, split=True), 1.2)
        contact = hand.go(begin, _add(body.xy, (0.0, 34.0)), shape="pinch", z=8.0)
        held = hand.wait(contact + 0.08)
        laid = hand.go(held, _add(target, (0.0, 34.0)), z=8.0, least=0.4, speed=300.0, lift=4.0)
        body.carry(hand, held, laid, (*target, 0.5, body.pose[3]))
        hand.go_rest(hand.wait(laid + 0.05))
        ends += [held, laid]
    table.cards[step.at], table.cards[step.to] = [pair[0]], [pair[1]]
    position: Position = "elsewhere" if step.fault == "above" else "side_by_side"
    stage.note(events.CardsMoved, min(ends), max(ends), kind="split", from_=step.at, to=step.to, position=position)
    table.now = max(ends) + 0.2
