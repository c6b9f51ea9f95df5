"""How the dealer picks up cards: busted hands at once, the rest from the right, the dealer's last (11(6), 11(17))."""

from __future__ import annotations

from verifier.domain import events
from verifier.simulate.bodies import CardBody
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import middle
from verifier.simulate.play.steps import TakeCards


def take_cards(table: OnLayout, step: TakeCards, hand_path: int) -> None:
    """Gather the cards of up to `hand_path` hands at a time with the right hand; bring them to the discard holder."""
    waiting = [*step.places]
    while waiting:
        _one_hand_path(table, waiting[:hand_path])
        waiting = waiting[hand_path:]


def _one_hand_path(table: OnLayout, places: list[str]) -> None:
    stage, right = table.stage, table.right
    t = max(right.free, table.now)
    held: list[tuple[float, float, list[CardBody]]] = []
    for place in places:
        cards = table.cards.pop(place)
        contact, off = gather(table, cards, t)
        held.append((contact, off, cards))
        table.collected += 1
        stage.note(events.CardsCollected, contact, off, from_=place, order=table.collected, to="discard")
        t = off
    spot = stage.near(middle(stage.plan.discard), 8.0)
    dropped = right.go(t, spot, z=40.0, speed=1150.0)
    for level, (_, since, cards) in enumerate(held):
        for card in cards:
            card.hold(right, since, dropped, (stage.rng.uniform(-5, 5), 6.0, -16.0 + 0.4 * level, 0.0))
            card.vanish(dropped + 0.12)
    end = right.wait(dropped + 0.16)
    right.go_rest(end, speed=1100.0)
    table.now = end


def gather(table: OnLayout, cards: list[CardBody], t: float) -> tuple[float, float]:
    """Sweep the hand along a hand's cards, pushing them together; give contact and end."""
    right = table.right
    first, last = cards[-1].xy, cards[0].xy
    contact = right.go(t, (first[0] + 10.0, first[1] + 16.0), shape="flat", z=14.0, speed=1050.0)
    off = right.go(contact, (last[0] + 14.0, last[1] + 14.0), shape="flat", z=12.0, speed=420.0, least=0.3, lift=0.0)
    for level, card in enumerate(cards):
        angle = card.pose[3]
        goal = (last[0] + table.stage.rng.uniform(-4, 4), last[1] + table.stage.rng.uniform(-4, 4))
        begin = contact + (off - contact) * 0.1
        card.slide(begin, off, (*goal, 0.5 + 0.35 * level, 0.35 * angle if abs(angle) < 45 else angle))
    return contact, off
