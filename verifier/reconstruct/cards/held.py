"""Busted hands held aside: their cards slid out of the space beside the wager, the chips laid on them (11(8))."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import structs

from verifier.domain.events import CardsMoved, WagerMoved
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.unseen_cards import VALUES
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.next_card import next_spot
from verifier.reconstruct.scene import Drafts, HeldBust, RoundScene, event
from verifier.reconstruct.table.zones import TableMap, Xy, distance


def held_aside(
    laid: Sequence[CardTrack],
    told: Sequence[CardTrack],
    table: TableMap,
    glimpsed: Sequence[CardTrack] = (),
    *,
    alone: bool = False,
) -> tuple[list[CardTrack], tuple[HeldBust, ...]]:
    """Return the card tracks without piles of held cards, whose cards lie on as long as the pile. `told` has brief
    tracks too, `glimpsed` those seen for too short a time to have lain anywhere.

    The last card of a bust is taken so soon that it counts as laid only because the hand's other cards went with it.
    `alone` where cards are all that is known: then what lies beside is a pile only if it shows a card of the bust.
    """
    cards, held = list(laid), []
    for whole in laid:
        for lay, pile in _piles(whole, table):
            others = laid if lay is None else [lay, *(card for card in laid if card is not whole)]
            among = [*others, *_brief(told, laid)]
            hand = _slid(pile, among, table, alone=alone)
            if len(hand) < 2 or (lay is not None and lay not in hand):
                continue
            since = min(card.t_last for card in hand)
            hand = [*hand, *_last(pile, hand, glimpsed, since)]
            numbers = frozenset(card.number for card in hand)
            held.append(HeldBust(numbers, pile, since))
            moved = [structs.replace(card, t_last=pile.t_last, gone=pile.gone) for card in hand]
            cards = [card for card in cards if card is not whole and card.number not in numbers] + moved
    return sorted(cards, key=lambda card: card.t_rest), tuple(held)


def _piles(card: CardTrack, table: TableMap) -> Iterator[tuple[CardTrack | None, CardTrack]]:
    """Yield what may be a pile of held cards: a card that came to lie there, or the last dwell of one that lay in its
    hand.

    The card on top of the pile was seen before, in its hand: its card track may go on where the pile lies. So may one
    that began where no hand's cards lie, as something that only looked like a card.
    """
    yield None, card
    if len(card.dwells) > 1 and not card.place:
        last = card.dwells[-1]
        yield None, structs.replace(card, dwells=(last,), place=table.card_place(last[0]) or "")
    space = next((one for one in table.spaces.values() if card.place == f"space:{one.number}"), None)
    *before, last = card.dwells
    if before and space is not None and _beside(last[0], space.wager):
        lay = structs.replace(card, dwells=tuple(before), t_last=before[-1][2], gone=last[1])
        yield lay, structs.replace(card, dwells=(last,), place=table.card_place(last[0]) or "")


def _slid(pile: CardTrack, cards: Sequence[CardTrack], table: TableMap, *, alone: bool) -> list[CardTrack]:
    """Return the cards of the hand that became `pile`; none where it lies elsewhere than held cards do.

    One whose cards went as the pile came is it, before a neighbour's that may have been hidden since it was seen.
    """
    before, after = par.BUST_SLIDE_S
    if any(distance(pile.xy, space.cards) < par.BUST_NOT_CARDS_MM for space in table.spaces.values()):
        return []
    slid = [
        card
        for card in cards
        if card is not pile
        and card.t_rest < pile.t_rest
        and pile.t_rest - par.HIDDEN_S <= card.t_last <= pile.t_rest + after
    ]
    soon = [card for card in slid if card.t_last >= pile.t_rest - before]
    for (gone, late), space in product(((soon, False), (slid, True)), table.spaces.values()):
        beside = _beside(pile.xy, space.wager)
        if not beside and pile.place != f"space:{space.number}":
            continue
        hand = [card for card in gone if card.place == f"space:{space.number}"]
        told = _busted(hand, pile) and not (late and all(card.text != pile.text for card in hand))
        if len(hand) >= 2 and ((beside and not alone and not late) or (told and beside >= late)):
            return hand + _beyond(hand, gone)
    return []


def _last(pile: CardTrack, hand: Sequence[CardTrack], glimpsed: Sequence[CardTrack], since: float) -> list[CardTrack]:
    """Return the card dealt last, which makes the bust, where it went too soon to count as laid in its hand.

    It was glimpsed there, or the pile shows it.
    """
    if any(card.rank is None for card in hand) or sum(map(_value, hand)) > par.MOST_TOTAL:
        return []
    last = max(hand, key=lambda card: card.t_rest)
    spot = next_spot(last, since)
    there = [
        card
        for card in glimpsed
        if distance(card.xy, spot) <= par.NEXT_CARD_NEAR_MM
        and since - par.BUST_SLIDE_S[0] <= card.t_last <= pile.t_rest
    ]
    shown = [pile] if _sure(pile) and pile.rank not in {card.rank for card in hand} else []
    for card in [*there, *shown]:
        if card.rank is not None and sum(map(_value, hand)) + _value(card) > par.MOST_TOTAL:
            dwells = ((spot, since, since),)
            return [structs.replace(card, place=last.place, dwells=dwells, t_first=since, laid=False)]
    return []


def _value(card: CardTrack) -> int:
    return VALUES.get(card.rank or "", par.TEN_VALUE)


def _sure(card: CardTrack) -> bool:
    return card.rank is not None and card.ranks.get(card.rank, 0.0) >= par.SURE_READ_P


def _busted(hand: Sequence[CardTrack], pile: CardTrack) -> bool:
    """Tell whether cards that went together are a bust with one of them on top: where the layout names no wager
    spot.
    """
    values = [VALUES.get(card.rank or "", par.TEN_VALUE) for card in hand if card.rank is not None]
    return len(values) == len(hand) and sum(values) > par.MOST_TOTAL and pile.rank in {card.rank for card in hand}


def _beyond(hand: Sequence[CardTrack], slid: Sequence[CardTrack]) -> list[CardTrack]:
    """Further cards of a hand that lie in a neighbour's area, each where the next after the one before is laid."""
    beyond: list[CardTrack] = []
    last = max(hand, key=lambda card: card.t_rest)
    for card in sorted(slid, key=lambda card: card.t_rest):
        if card.t_rest > last.t_rest and distance(card.xy, next_spot(last, card.t_rest)) <= par.NEXT_CARD_NEAR_MM:
            beyond.append(card)
            last = card
    return beyond


def _brief(told: Sequence[CardTrack], laid: Sequence[CardTrack]) -> list[CardTrack]:
    """Return the tracks that were too short to count as laid, without second tracks of cards that were."""
    return [card for card in told if all(distance(card.xy, other.xy) > par.BUST_TWIN_MM for other in laid)]


def _beside(xy: Xy, wager: Xy) -> bool:
    dx, dy = xy[0] - wager[0], xy[1] - wager[1]
    return abs(dy) <= par.BUST_LEVEL_MM and any(a <= dx <= b for a, b in par.BUST_OUT_MM)


def hold_stakes(scene: RoundScene, layout: Layout, stakes: Sequence[Stake]) -> None:
    """Tell stakes of held hands where their chips were laid; where that is not seen, on the cards all the same."""
    for held in scene.held:
        hand = _hand(layout, held)
        if hand is None:
            continue
        there = [
            dwell
            for dwells in scene.dwells.values()
            for dwell in dwells
            if distance(dwell.xy, held.pile.xy) <= par.BUST_ON_CARDS_MM
            and dwell.t0 > held.pile.t_rest - par.THREE_LOOKS_S
        ]
        there.sort(key=lambda dwell: dwell.t0)
        for stake in sorted(stakes, key=lambda stake: stake.dwells[-1].seen_to):
            last = stake.dwells[-1]
            mine = stake.place == hand.place and stake.kind in ("original", "double", "split")
            new = [dwell for dwell in there if last.seen_to - par.TWO_LOOKS_S <= dwell.t0 <= last.t1 + par.BUST_MOVE_S]
            until = new[0].t0 if new else last.t1  # of chips missed in most looks nobody knows when they went
            if mine and held.since < last.t1 and until <= held.pile.t_rest + par.BUST_CHIPS_S:
                stake.upon = [
                    dwell for dwell in there if new and distance(dwell.xy, new[0].xy) <= par.CHIP_GROUP_SPOT_MM
                ]
                stake.held = _as_one(last, stake.upon) if new else _on_cards(scene, last, held)
                there = [dwell for dwell in there if dwell not in stake.upon]


def _as_one(last: ChipDwell, upon: Sequence[ChipDwell]) -> ChipDwell:
    """Return a stake that was seen on its cards, `upon` one after another, as one stake with the reading it had before.

    Chips upon cards are seen less surely than on the felt, which makes print of them nowhere else.
    """
    whole, *later = sorted(upon, key=lambda dwell: dwell.t0)
    for dwell in later:
        if dwell.t0 - whole.t1 <= par.BUST_AGAIN_S:
            whole = structs.replace(whole, t1=max(whole.t1, dwell.t1), seen_to=max(whole.seen_to, dwell.seen_to))
    return structs.replace(whole, cents=last.cents, mean=max(whole.mean, last.mean))


def _on_cards(scene: RoundScene, last: ChipDwell, held: HeldBust) -> ChipDwell:
    """Chips on held cards, unseen there: from when the dealer's hand lays them till it brings them to the tray."""
    pile = held.pile
    unseen = par.WEAK_P if pile.t_rest - held.since > par.BUST_SLIDE_S[0] else par.BUST_UNSEEN_P
    brought = _at_pile(scene, pile, last.seen_to, last.t1 + par.BUST_MOVE_S)
    gone = math.inf if pile.gone is None else pile.gone - 0.5
    t0 = min(last.t1, gone)
    visits = _at_pile(scene, pile, t0 + par.BUST_AGAIN_S, min(gone, pile.t_last - par.BUST_PICKED_S))
    taken = [t for t in visits if _then_at_tray(scene, pile, t)]
    t1 = max(taken, default=gone)
    came = min((t for t in visits if t1 - par.BUST_VISIT_S <= t <= t1), default=pile.t_last)
    seen_to = max(t0, min(came, t1))
    return structs.replace(
        last, xy=pile.xy, t0=t0, t1=t1, seen_to=seen_to, p=par.BUST_LAID_P if len(brought) > 1 else unseen
    )


def _at_pile(scene: RoundScene, pile: CardTrack, t0: float, t1: float) -> list[float]:
    """When a hand of the dealer's was at held cards in [t0, t1]."""
    return [
        hand.t for hand in scene.hands.between(t0, t1, "dealer") if distance(hand.tip, pile.xy) <= par.BUST_ON_CARDS_MM
    ]


def _then_at_tray(scene: RoundScene, pile: CardTrack, t: float) -> bool:
    """Tell whether a dealer's hand that was at held cards at `t` went to the tray next."""
    after = [
        hand.t
        for hand in scene.hands.between(t, t + par.BUST_TRAY_S, "dealer")
        if scene.table.near(hand.tip, "tray", par.TRAY_MM)
    ]
    return bool(after) and not _at_pile(scene, pile, t + par.INSTANT_S, after[0])


def held_events(scene: RoundScene, layout: Layout, stakes: Sequence[Stake]) -> Drafts:
    """`cards_moved` (bust_hold) of each held hand and `wager_moved` of its stakes, both with the same place."""
    drafts: Drafts = []
    for held in scene.held:
        hand = _hand(layout, held)
        if hand is not None:
            drafts.append(
                event(
                    CardsMoved,
                    held.since,
                    held.pile.t_rest,
                    held.pile.p,
                    kind="bust_hold",
                    from_=hand.place,
                    to=hand.place,
                )
            )
    for stake in stakes:
        if stake.held is not None:
            old, new = stake.dwells[-1], stake.held
            drafts.append(
                event(
                    WagerMoved,
                    min(old.seen_to, new.t0),
                    new.t0,
                    min(par.SEEN_P, new.p),
                    kind=stake.kind,
                    from_=stake.place,
                    to=stake.place,
                    hand=scene.hands.side_laid(new.xy, new.t0),
                )
            )
    return drafts


def _hand(layout: Layout, held: HeldBust) -> CardHand | None:
    return next((hand for hand in layout.hands if {card.number for card in hand.cards} & held.cards), None)
