"""The grammar of a round: from resting cards, chips and hands of one stretch to its events in order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import structs

from verifier.domain.events import ChipsFromTray, RoundEnded, RoundStarted
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.burned import burned_cards, burned_events
from verifier.reconstruct.cards.coherence import weighed
from verifier.reconstruct.cards.deal import lay_out
from verifier.reconstruct.cards.dealt import collected_events, dealt_events
from verifier.reconstruct.cards.held import held_events, hold_stakes
from verifier.reconstruct.cards.peek import peek_events
from verifier.reconstruct.cards.reader import reader_events
from verifier.reconstruct.cards.turned_down import turned_down_events
from verifier.reconstruct.cards.unseen_cards import unseen_cards
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.gestures.signals import signal_events, stood_at
from verifier.reconstruct.gestures.unseen_signals import unseen_signals
from verifier.reconstruct.money.chip_spaces import beside_insurance, rows_by_space
from verifier.reconstruct.money.cleared import clear_in_time
from verifier.reconstruct.money.collected import tray_events
from verifier.reconstruct.money.covers import (
    Cover,
    banked_settlement,
    cover_events,
    covers_of,
    settled_by_covers,
    without_covers,
)
from verifier.reconstruct.money.currency import currency_events
from verifier.reconstruct.money.fetched import begun_at_tray, fetched_together
from verifier.reconstruct.money.payments import amounts_shown, settlement_events
from verifier.reconstruct.money.piles import cluster
from verifier.reconstruct.money.returned import given_back, returned_events, with_returned
from verifier.reconstruct.money.settlement import Settled, settle_space
from verifier.reconstruct.money.stakes import Stake, find_stakes, follow
from verifier.reconstruct.money.tips import moved_tips, tip_events, tips_shown
from verifier.reconstruct.money.wagers import insurance_moved, stake_events
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.lain_on import chips_lain_on
from verifier.reconstruct.resting.readings import one_value
from verifier.reconstruct.resting.several import with_several
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.zones import distance


def decode_round(scene: RoundScene) -> Drafts:
    """All events of one round, unnumbered and in no particular order."""
    scene = _as_they_lay(scene)
    layout = lay_out(scene.cards, scene.hands)
    turn = dealers_turn(scene, layout)
    stakes = without_covers(scene, find_stakes(scene, layout, turn, scene.dwells))
    follow(scene, stakes, scene.dwells, turn)
    hold_stakes(scene, layout, stakes)
    settling = settling_from(scene, layout, turn)
    tips = moved_tips(scene, stakes, settling)
    moved = [stake for stake, _ in tips]
    settled = settle(scene, layout, [stake for stake in stakes if stake not in moved], settling)
    covers = covers_of(scene, stakes, _naturals(layout)) if scene.banked else []
    if scene.banked:
        settled = [(since, settled_by_covers(scene, group, covers, _gone(layout))) for since, group in settled]
    burned = burned_cards(scene, layout, stakes)
    numbers = {dealing.card.number for dealing in burned}
    aside = {number for held in scene.held for number in held.cards}
    decided = decisions_over(scene, layout, turn)
    signals = signal_events(scene, layout, stakes, decided)
    every = [one for _, group in settled for one in group]
    layout = weighed(layout, every, turn, numbers, aside, stood_at(layout, signals), ended=scene.ended)
    drafts = dealt_events(scene, layout)
    drafts += _started(scene, drafts)
    drafts += returned_events(scene)
    drafts += unseen_cards(scene, layout, every, turn)
    drafts += signals + unseen_signals(scene, layout, signals, decided)
    drafts += reader_events(scene, layout, turn) + peek_events(scene, layout, turn)
    drafts += cover_events(covers) + (turned_down_events(scene, layout) if scene.banked else [])
    paid = with_returned(scene, stakes, settlements(scene, layout, settled, covers))
    fetched = fetched_together(scene, paid)
    drafts += begun_at_tray([e for e in paid if not isinstance(e, ChipsFromTray)] + fetched)
    drafts += tray_events(scene, drafts)
    shown = {} if scene.banked else {key: pile for _, group in settled for key, pile in amounts_shown(group).items()}
    shown |= tips_shown(scene, tips, settling)
    drafts += stake_events(scene, stakes, shown, decided, signals) + insurance_moved(scene, stakes)
    drafts += held_events(scene, layout, stakes) + currency_events(scene, layout)
    drafts += burned_events(burned) + collected_events(scene, layout, numbers)
    drafts = clear_in_time(scene, drafts) + tip_events(scene, tips, settling)
    return drafts + _ended(scene, drafts)


def _started(scene: RoundScene, drafts: Drafts) -> Drafts:
    """Return the round's beginning, before the first of its events; nothing where the recording begins in it."""
    if not scene.begun:
        return []
    first = min([scene.start - par.CARD_DRAW_S, *[draft.t_start for draft in drafts]])
    return [event(RoundStarted, first - par.MARK_S, max(first, scene.start - par.CARD_DRAW_S), par.BEST_P)]


def _ended(scene: RoundScene, drafts: Drafts) -> Drafts:
    """Return the round's end, after its events as far as they follow soon; nothing where the recording ends in it."""
    if not scene.ended:
        return []
    last = max([draft.t_end for draft in drafts], default=scene.end)
    end = max(scene.end, min(last, scene.end + par.ROUND_END_S))
    return [event(RoundEnded, end, end + par.MARK_S, par.BEST_P)]


def _as_they_lay(scene: RoundScene) -> RoundScene:
    """Return the round; chips that lay on are one dwell where hands are known, cards that cannot be one are several."""
    hands, dwells = scene.hands, scene.dwells
    if hands.known:
        dwells = {number: chips_lain_on(hands, one_value(hands, chips)) for number, chips in dwells.items()}
    return structs.replace(scene, cards=tuple(with_several(scene.cards)), dwells=dwells)


def dealers_turn(scene: RoundScene, layout: Layout) -> float:
    """When the decisions were over: the hole card turned, a further dealer's card, or the end of the round.

    Of a dealer's two cards that were both dealt down, the one turned first is the faceup card, before the decisions.
    Of several such moments the one that the fewest players' cards follow: an earlier one is a misreading or an
    exposed card.
    """
    turned = sorted(card.turned[1] for hand in layout.space(0) for card in hand.cards if card.turned)
    times = turned[1:] if len(turned) > 1 else turned
    cards = [card.t_rest for hand in layout.space(0) for card in hand.cards if card.face == "up" and not card.turned]
    players = [d.card.t_rest for d in layout.dealings if d.hand.number]
    initial = sorted(players)[: 2 * len({d.hand.number for d in layout.dealings if d.hand.number})]
    times += [t for t in sorted(cards)[1:] if initial and t > max(initial) + 2.0]
    ranked = sorted((sum(dealt > t + 0.5 for dealt in players), t) for t in times)
    return ranked[0][1] if ranked and ranked[0][0] <= 1 else scene.end


def decisions_over(scene: RoundScene, layout: Layout, turn: float) -> float:
    """When the decisions were over: at the dealer's turn, unless a player's card follows that.

    A hole card may be turned too early; then play goes on until the dealer draws, or takes up other cards than those
    of the hand that was dealt to last, which may be a bust.
    """
    last = max((d for d in layout.dealings if d.hand.number), key=lambda d: d.card.t_rest, default=None)
    if last is None or last.card.t_rest <= turn + 0.5:
        return turn
    drawn = [card.t_rest for hand in layout.space(0) for card in hand.cards]
    gone = [card.gone for hand in layout.hands if hand is not last.hand for card in hand.cards if card.gone is not None]
    return min((t for t in (*drawn, *gone) if t > last.card.t_rest), default=scene.end)


def settling_from(scene: RoundScene, layout: Layout, turn: float) -> float:
    """When settlement may begin: the dealer's turn; of a dealer whose two cards lay open, the last card's dealing."""
    faces = [card for hand in layout.space(0) for card in hand.cards if card.face == "up" or card.turned]
    if turn < scene.end or len(faces) < 2:
        return turn
    return max((d.card.t_rest for d in layout.dealings), default=turn) + 0.5


def settle(
    scene: RoundScene, layout: Layout, stakes: Sequence[Stake], turn: float
) -> list[tuple[float, list[Settled]]]:
    """Each space's settlement with its beginning: the dealer's turn, or before cards that went earlier."""
    result: list[tuple[float, list[Settled]]] = []
    paid_early = [_natural_since(hand) for hand in layout.hands if hand.number and hand.natural]
    early = min([turn, _first_pickup(layout), *paid_early])
    by_space = beside_insurance(scene.table, rows_by_space(scene.table, scene.dwells, early), stakes, early)
    returned = given_back(scene, stakes).values()
    for number in scene.table.spaces:
        mine = [stake for stake in stakes if stake.space == number]
        if not mine:
            continue
        gone = [c.gone for hand in layout.space(number) for c in hand.cards if c.gone is not None]
        naturals = [_natural_since(hand) for hand in layout.space(number) if hand.natural]
        since = min([turn - par.TWO_LOOKS_S, *naturals, *[t - par.BUSTS_GONE_S for t in gone if t < turn]])
        since = max(since, max((stake.placed for stake in mine), default=since), scene.start + 0.5)
        won = {hand.place for hand in layout.space(number) if hand.natural}
        theirs = [dwell for dwell in by_space.get(number, ()) if dwell not in returned]
        dwells = _with_inner_line(scene, mine, theirs)
        settled = settle_space(scene, mine, dwells, since, scene.end, _picked(layout, number), won)
        result.append((since, settled))
    return result


def settlements(
    scene: RoundScene, layout: Layout, settled: Sequence[tuple[float, Sequence[Settled]]], covers: Sequence[Cover]
) -> Drafts:
    """Return the events of all spaces' settlement."""
    if not scene.banked:
        return [e for since, group in settled for e in settlement_events(scene, group, since)]
    gone = _gone(layout)
    return [
        e
        for since, group in settled
        for e in banked_settlement(
            scene, group, covers, since, min((gone.get(one.stake.place, scene.end) for one in group), default=scene.end)
        )
    ]


def _naturals(layout: Layout) -> dict[str, float]:
    """When each natural was complete."""
    return {hand.place: hand.cards[1].t_rest for hand in layout.hands if hand.number and hand.natural}


def _gone(layout: Layout) -> dict[str, float]:
    """When the last card of each player's hand went."""
    return {
        place: t for number in {hand.number for hand in layout.hands} for place, t in _picked(layout, number).items()
    }


def _with_inner_line(scene: RoundScene, stakes: Sequence[Stake], dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return a space's chips, and those in the inner area to which an insurance, left on its line there, was spread."""
    lines = [stake.anchor for stake in stakes if stake.kind == "insurance"]
    inner = [
        dwell for dwell in scene.dwells.get(0, ()) if any(distance(dwell.xy, xy) <= par.INSURED_MM for xy in lines)
    ]
    rows = [pile for pile in cluster([*dwells, *inner]) if any(pile.touches(xy, par.STAKE_OWN_ROW_MM) for xy in lines)]
    return [*dwells, *(dwell for row in rows for dwell in row.dwells if dwell in inner)]


def _natural_since(hand: CardHand) -> float:
    return hand.cards[1].t_rest + 0.5


def _picked(layout: Layout, number: int) -> dict[str, float]:
    """When the last card of each hand of a space went; hands that lie on are left out."""
    hands = [(hand.place, [card.gone for card in hand.cards]) for hand in layout.space(number)]
    return {place: max(t for t in gone if t is not None) for place, gone in hands if gone and None not in gone}


def _first_pickup(layout: Layout) -> float:
    return min((c.gone for hand in layout.hands for c in hand.cards if c.gone is not None), default=math.inf)
