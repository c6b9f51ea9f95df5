"""Busted hands held aside: their cards slid out of the space beside the wager, the chips laid on them (11(8))."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from verifier.domain.events import CardsMoved, WagerMoved
from verifier.reconstruct.cardstory import CardStory
from verifier.reconstruct.deal import NEXT_MM, CardHand, Layout, next_spot
from verifier.reconstruct.piles import ChipStay
from verifier.reconstruct.scene import Drafts, HeldBust, RoundScene, event
from verifier.reconstruct.stakes import Stake
from verifier.reconstruct.zones import TableMap, Xy, distance

OUT_MM = ((-145.0, -75.0), (75.0, 285.0))
"""How far left or right of the wager the cards are held; those of split hands farther right."""
LEVEL_MM = 45.0
NOT_CARDS_MM = 90.0
"""Nearer to a space's cards spot a card was dealt there."""
SLIDE_SECONDS = (1.4, 0.4)
"""A hand's cards are last seen at their place within this time before and after the pile of them is."""
CHIPS_SECONDS, MOVE_SECONDS = 6.0, 1.5
ON_CARDS_MM = 75.0
UNSEEN_P = 0.6
"""Probability that chips which left their place as the cards were slid aside lie on these, unseen there."""
TWIN_MM = 25.0


def held_aside(
    laid: Sequence[CardStory], told: Sequence[CardStory], table: TableMap
) -> tuple[list[CardStory], tuple[HeldBust, ...]]:
    """The stories without piles of held cards, whose cards lie on as long as the pile; `told` has brief ones too.

    The last card of a bust is taken so soon that it counts as laid only because the hand's other cards went with it.
    """
    cards, held = list(laid), []
    for pile in laid:
        hand = _slid(pile, [*laid, *_brief(told, laid)], table)
        if len(hand) < 2:
            continue
        numbers = frozenset(card.number for card in hand)
        held.append(HeldBust(numbers, pile, min(card.t_last for card in hand)))
        moved = [structs.replace(card, t_last=pile.t_last, gone=pile.gone) for card in hand]
        cards = [card for card in cards if card is not pile and card.number not in numbers] + moved
    return sorted(cards, key=lambda card: card.t_rest), tuple(held)


def _slid(pile: CardStory, cards: Sequence[CardStory], table: TableMap) -> list[CardStory]:
    """The cards of the hand that became `pile`; none where it lies elsewhere than held cards do."""
    before, after = SLIDE_SECONDS
    for space in table.spaces.values():
        if not _beside(pile.xy, space.wager) or any(
            distance(pile.xy, other.cards) < NOT_CARDS_MM for other in table.spaces.values()
        ):
            continue
        slid = [
            card for card in cards
            if card is not pile and card.t_rest < pile.t_rest
            and pile.t_rest - before <= card.t_last <= pile.t_rest + after
        ]  # fmt: skip
        hand = [card for card in slid if card.place == f"space:{space.number}"]
        if len(hand) >= 2:
            return hand + _beyond(hand, slid)
    return []


def _beyond(hand: Sequence[CardStory], slid: Sequence[CardStory]) -> list[CardStory]:
    """Further cards of a hand that lie in a neighbour's area, each where the next after the one before is laid."""
    beyond: list[CardStory] = []
    last = max(hand, key=lambda card: card.t_rest)
    for card in sorted(slid, key=lambda card: card.t_rest):
        if card.t_rest > last.t_rest and distance(card.xy, next_spot(last, card.t_rest)) <= NEXT_MM:
            beyond.append(card)
            last = card
    return beyond


def _brief(told: Sequence[CardStory], laid: Sequence[CardStory]) -> list[CardStory]:
    """The stories that were too short to count as laid, without second stories of cards that were."""
    return [card for card in told if all(distance(card.xy, other.xy) > TWIN_MM for other in laid)]


def _beside(xy: Xy, wager: Xy) -> bool:
    dx, dy = xy[0] - wager[0], xy[1] - wager[1]
    return abs(dy) <= LEVEL_MM and any(a <= dx <= b for a, b in OUT_MM)


def hold_stakes(scene: RoundScene, layout: Layout, stakes: Sequence[Stake]) -> None:
    """Tells stakes of held hands where their chips were laid; where that is not seen, on the cards all the same."""
    for held in scene.held:
        hand = _hand(layout, held)
        if hand is None:
            continue
        there = [
            stay for stays in scene.stays.values() for stay in stays
            if distance(stay.xy, held.pile.xy) <= ON_CARDS_MM and stay.t0 > held.pile.t_rest - 0.3
        ]  # fmt: skip
        for stake in sorted(stakes, key=lambda stake: stake.gone):
            last = stake.stays[-1]
            mine = stake.place == hand.place and stake.kind in ("original", "double", "split")
            if mine and held.since < last.t1 <= held.pile.t_rest + CHIPS_SECONDS:
                new = [stay for stay in there if last.seen_to - 0.2 <= stay.t0 <= last.t1 + MOVE_SECONDS]
                stake.held = new[0] if new else _on_cards(last, held.pile)
                there = [stay for stay in there if stay is not stake.held]


def _on_cards(last: ChipStay, pile: CardStory) -> ChipStay:
    gone = float("inf") if pile.gone is None else pile.gone - 0.5
    t0 = min(last.t1, gone)
    return structs.replace(last, xy=pile.xy, t0=t0, t1=gone, seen_to=max(t0, min(pile.t_last, gone)), p=UNSEEN_P)


def held_events(scene: RoundScene, layout: Layout, stakes: Sequence[Stake]) -> Drafts:
    """`cards_moved` (bust_hold) of each held hand and `wager_moved` of its stakes, both with the same place."""
    drafts: Drafts = []
    for held in scene.held:
        hand = _hand(layout, held)
        if hand is not None:
            drafts.append(event(CardsMoved, held.since, held.pile.t_rest, held.pile.p, kind="bust_hold",
                                from_=hand.place, to=hand.place))  # fmt: skip
    for stake in stakes:
        if stake.held is not None:
            old, new = stake.stays[-1], stake.held
            drafts.append(
                event(WagerMoved, min(old.seen_to, new.t0), new.t0, min(0.9, new.p), kind=stake.kind,
                      from_=stake.place, to=stake.place, hand=scene.hands.side_at([new.xy], new.t0 - 0.3, new.t0 + 0.1))
            )  # fmt: skip
    return drafts


def _hand(layout: Layout, held: HeldBust) -> CardHand | None:
    return next((hand for hand in layout.hands if {card.number for card in hand.cards} & held.cards), None)
