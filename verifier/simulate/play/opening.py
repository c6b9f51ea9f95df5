"""How a shoe begins: shuffle, a player's cut, the indicator card, the shoe loaded (99-01.3-08-08)."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.simulate.actors import Hand
from verifier.simulate.bodies import PropBody
from verifier.simulate.play.hands_in_play import Shoe
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import middle
from verifier.simulate.scene import Vec

_MIDDLE_X: Final = -185.0
"""Where cards are shuffled: in the inner area, left of the place of the dealer's cards."""
_PILE_MM: Vec = (64.0, 89.0)
_ABOVE_PILE = 46.0
_CUT_CARD_MM: Vec = (66.0, 92.0)


def shuffle(table: OnLayout, shoe: Shoe, *, cut: bool = True, behind: tuple[int, int] = (55, 95)) -> None:
    """Two piles are worked into each other in the inner area for some seconds, cut, and put into the shoe.

    `behind`: the least and the most cards behind the indicator card.
    """
    stage, rng = table.stage, table.stage.rng
    piles = _bring_piles(table)
    begin = max(table.now, table.left.free, table.right.free) + 0.3
    end = begin + rng.uniform(4.0, 7.0)
    meet = (_MIDDLE_X, 156.0)
    for hand, pile in ((table.left, piles[0]), (table.right, piles[1])):
        aside = pile.xy[0] - _MIDDLE_X
        away = (_MIDDLE_X + aside * 1.75, 158.0)
        t = hand.go(begin, _under(pile.xy), shape="grip", z=_ABOVE_PILE)
        near = (meet[0] + aside * 0.72, meet[1])
        while t < end - 0.5:
            t = _slide(hand, pile, t, near, 0.34 + rng.uniform(0.0, 0.1))
            t = _slide(hand, pile, t, away, 0.36 + rng.uniform(0.0, 0.12))
        _slide(hand, pile, t, (_MIDDLE_X + aside * 0.3, 152.0), 0.4)
    table.now = max(table.left.free, table.right.free)
    _loose_cards(table, shoe, begin + 0.6, table.now - 0.3)
    stage.note(events.Shuffle, begin, table.now, method="hand", scope="all")
    stack = _one_pile(table, piles)
    if cut:
        _cut(table, stack)
    _load(table, stack, behind)


def _bring_piles(table: OnLayout) -> list[PropBody]:
    """Two piles lie ready where the recording begins; later the hands bring them from shoe and discard holder."""
    stage, rng = table.stage, table.stage.rng
    sides = (_MIDDLE_X - 58.0, _MIDDLE_X + 58.0)
    if not stage.seq and stage.shoe == 1:
        return [stage.prop("pile", (x, 150.0, 0.0, rng.uniform(-4, 4)), _PILE_MM, 0.0) for x in sides]
    piles: list[PropBody] = []
    sources = (stage.plan.shoe, stage.plan.discard)
    for hand, source, x in zip((table.left, table.right), sources, sides, strict=True):
        at = middle(source)
        held = hand.wait(hand.go(max(hand.free, table.now), at, shape="grip", z=60.0, speed=800.0) + 0.5)
        pile = stage.prop("pile", (*at, 20.0, 0.0), _PILE_MM, held)
        laid = hand.go(held, _under((x, 150.0)), shape="grip", z=_ABOVE_PILE, speed=700.0)
        pile.carry(hand, held, laid, (x, 150.0, 0.0, rng.uniform(-4, 4)))
        piles.append(pile)
    table.now = max(table.left.free, table.right.free)
    return piles


def indicator_appears(table: OnLayout) -> None:
    """Act out how the indicator card comes out of the shoe: the left hand lays it beside the shoe (08(2))."""
    stage, left = table.stage, table.left
    shoe = stage.plan.shoe
    mouth = (shoe[2] - 12.0, (shoe[1] + shoe[3]) / 2)
    took = left.wait(left.go(max(left.free, table.now), (mouth[0] - 10.0, mouth[1] + 20.0), shape="pinch") + 0.1)
    card = stage.prop("cut_card", (*mouth, 4.0, 90.0), _CUT_CARD_MM, took)
    spot = (shoe[2] + 70.0, shoe[1] - 40.0)
    laid = left.go(took, (spot[0] - 10.0, spot[1] + 30.0), shape="pinch", z=14.0, speed=600.0)
    card.carry(left, took, laid, (*spot, 0.5, stage.rng.uniform(-8, 8)))
    left.wait(laid + 0.1)
    stage.note(events.IndicatorCard, took, laid, action="appeared", cards_remaining=table.left_in_shoe)
    table.indicator_out = card
    table.now = laid + 0.15


def put_away_indicator(table: OnLayout) -> None:
    """Act out how the indicator card is taken away before the shuffle."""
    card, left = table.indicator_out, table.left
    if card is None:
        return
    held = left.wait(left.go(max(left.free, table.now), (card.xy[0] - 10.0, card.xy[1] + 30.0), shape="pinch") + 0.1)
    gone = left.go(held, (-280.0, 330.0), z=30.0)
    card.carry(left, held, gone, (-280.0, 320.0, 20.0, 0.0))
    card.vanish(gone + 0.1)
    left.go_rest(gone + 0.15)
    table.indicator_out = None
    table.now = left.free


def _under(xy: Vec) -> Vec:
    return (xy[0], xy[1] + 22.0)


def _slide(hand: Hand, pile: PropBody, t: float, to: Vec, took: float) -> float:
    start = hand.wait(t)
    end = hand.go(start, _under(to), shape="grip", z=_ABOVE_PILE, least=took, speed=5000.0, lift=0.0)
    pile.carry(hand, start, end, (*to, 0.0, pile.pose[3]))
    return end


def _loose_cards(table: OnLayout, shoe: Shoe, t: float, until: float) -> None:
    """Cards lie about face down between the piles while they are mixed."""
    rng = table.stage.rng
    for card in shoe.peek(5):
        x, y = _MIDDLE_X + rng.uniform(-70, 70), rng.uniform(110, 205)
        body = table.stage.card(card, "down", (x, y, 0.4, rng.uniform(-50, 50)), t + rng.uniform(0.0, 0.6))
        body.slide(until - 0.4, until, (_MIDDLE_X + rng.uniform(-6, 6), 152.0, 0.4, rng.uniform(-6, 6)))
        body.vanish(until)


def _one_pile(table: OnLayout, piles: list[PropBody]) -> PropBody:
    t = table.now
    for pile in piles:
        pile.vanish(t)
    return table.stage.prop("pile", (_MIDDLE_X, 152.0, 0.0, 0.0), _PILE_MM, t)


def _cut(table: OnLayout, stack: PropBody) -> None:
    """Act out how the stack is offered to a player chosen by lot, who puts the cut card in (08(1))."""
    stage, rng = table.stage, table.stage.rng
    space = rng.choice([*stage.players])
    hand, spots = stage.players[space], stage.plan.spaces[space]
    offer = (spots.cards[0] * 0.45 + _MIDDLE_X * 0.5, spots.cards[1] * 0.45 + 60.0)
    start = max(table.left.free, table.right.free)
    arrive = max(
        table.left.go(start, (offer[0] - 30.0, offer[1] + 30.0), shape="grip", z=_ABOVE_PILE, speed=500.0),
        table.right.go(start, (offer[0] + 34.0, offer[1] + 34.0), shape="grip", z=_ABOVE_PILE, speed=500.0),
    )
    table.left.wait(arrive)
    stack.carry(table.left, start, arrive, (*offer, 0.0, 0.0))
    table.left.go_rest(arrive + 0.1)
    table.right.go_rest(arrive + 0.1)
    came = max(hand.free, arrive - 0.5)
    hand.wait(came)
    card = stage.prop("cut_card", (*hand.tool, 30.0, 0.0), _CUT_CARD_MM, came)
    put = hand.go(came, (offer[0], offer[1] - 20.0), shape="pinch", z=40.0, speed=800.0, by=arrive + 0.2)
    card.carry(hand, came, put, (offer[0] + 3.0, offer[1] - 8.0, 30.0, 4.0))
    done = hand.wait(put + 0.3)
    hand.go_rest(done)
    card.vanish(done + 0.5)
    stage.note(events.Cut, put, done, by="player", depth_cards=rng.randint(60, 160))
    table.now = done + 0.2


def _load(table: OnLayout, stack: PropBody, behind: tuple[int, int]) -> None:
    """Complete the cut, put the indicator card in, and put the stack face down into the shoe (08(2))."""
    stage, rng = table.stage, table.stage.rng
    x, y = stack.xy
    ready = max(
        table.left.go(table.now, (x - 30.0, y + 30.0), shape="grip", z=_ABOVE_PILE),
        table.right.go(table.now, (x + 34.0, y + 34.0), shape="grip", z=_ABOVE_PILE),
    )
    table.left.wait(ready)
    table.right.wait(ready)
    home = max(
        table.left.go(ready, (_MIDDLE_X - 30.0, 182.0), shape="grip", z=_ABOVE_PILE, speed=600.0),
        table.right.go(ready, (_MIDDLE_X + 34.0, 186.0), shape="grip", z=_ABOVE_PILE, speed=600.0),
    )
    table.left.wait(home)
    stack.carry(table.left, ready, home, (_MIDDLE_X, 152.0, 0.0, 0.0))
    took = table.right.go(home, (150.0, 250.0), shape="pinch", z=40.0)
    card = stage.prop("cut_card", (150.0, 232.0, 30.0, 6.0), _CUT_CARD_MM, took)
    put = table.right.go(took, (_MIDDLE_X + 4.0, 170.0), shape="pinch", z=44.0, speed=600.0)
    card.carry(table.right, took, put, (_MIDDLE_X + 3.0, 150.0, 31.0, 3.0))
    done = table.right.wait(put + 0.25)
    stage.note(events.IndicatorCard, took, done, action="inserted", cards_remaining=rng.randint(*behind))
    card.vanish(done + 0.05)
    shoe = middle(stage.plan.shoe)
    lifted = table.left.wait(done + 0.1)
    there = table.left.go(lifted, (shoe[0] + 40.0, shoe[1] + 10.0), shape="grip", z=80.0, speed=800.0)
    stack.carry(table.left, lifted, there, (*shoe, 30.0, 0.0))
    stack.vanish(table.left.wait(there + 0.25))
    table.right.go_rest(done + 0.1)
    table.left.go_rest(there + 0.3)
    table.now = there + 0.3
