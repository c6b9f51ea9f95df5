"""Planted breaches by the dealer that change cards, outcomes or their order: how the script bends."""

from __future__ import annotations

from typing import Final

import msgspec

from verifier.engine.outcomes import DealerState, HandFacts, outcome
from verifier.engine.totals import hand_total
from verifier.simulate.play import clauses, mistakes
from verifier.simulate.play.hands_in_play import HandInPlay, change
from verifier.simulate.play.steps import DealerStands, Pay, Reveal, Tie
from verifier.simulate.play.writer import RoundWriter

_DEALER_TOTALS: Final = (17, 18, 19, 20, 21, 22)
"""Totals that a finished dealer's hand may be taken for; 22 stands for bust."""


def first_pass(writer: RoundWriter, order: list[HandInPlay | None]) -> tuple[list[HandInPlay | None], int, str | None]:
    """Order of the first card to each hand and the dealer (None), which of them is out of turn, and its clause."""
    hands = len(order) - 1
    if writer.breaks(clauses.START_LEFT) and hands >= 2:
        return [*order[:-1][::-1], None], 0, writer.broken(clauses.START_LEFT)
    hole = clauses.DEAL_ORDER_READER if writer.reader else clauses.DEAL_ORDER
    clause = clauses.DEAL_ORDER_NO_HOLE if writer.no_hole else hole
    if writer.breaks(clause) and hands >= 2:
        return [*order[:-2], None, order[-2]], hands - 1, writer.broken(clause)
    return order, -1, None


def dealer_draws(writer: RoundWriter) -> None:
    """Let the dealer draw to seventeen (11(10)(f),(g)), or otherwise where that is planted."""
    rules = writer.rules
    while True:
        total = hand_total([card.rank or "?" for card in writer.dealer])
        soft_17 = rules.hits(total, len(writer.dealer)) and (rules.must_hit or len(writer.dealer) == 2)
        if writer.breaks(clauses.SOFT_17) and total.best == 17 and total.soft and not soft_17:
            writer.deal(None, clause=writer.broken(clauses.SOFT_17))
            continue
        if total.best >= 17 and not soft_17:
            break
        if writer.breaks(clauses.STANDS_LOW) and 12 <= total.best <= 16:
            writer.steps.append(DealerStands(clause=writer.broken(clauses.STANDS_LOW)))
            return
        writer.deal(None)
    if writer.breaks(clauses.HITS_HIGH) and 17 <= total.best <= 19 and not total.soft:
        writer.deal(None, clause=writer.broken(clauses.HITS_HIGH))
    if writer.breaks(clauses.SOFT_HIGH) and 18 <= total.best <= 20 and total.soft:
        writer.deal(None, clause=writer.broken(clauses.SOFT_HIGH))
    mistakes.overdraw(writer)
    writer.steps.append(DealerStands())


def outcomes(
    writer: RoundWriter, hands: list[HandInPlay], dealer: DealerState, lawful: dict[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """How each hand is treated, and the clause broken by it where the treatment is planted."""
    if writer.breaks(clauses.MISCOUNT):
        return _miscounted(writer, hands, dealer, lawful)
    if writer.breaks(clauses.TIE_PAID):
        ties = [hand.place for hand in hands if lawful[hand.place] == "push" and "tip" not in hand.stakes]
        if ties:
            place = writer.rng.choice(ties)
            return {**lawful, place: "win"}, {place: writer.broken(clauses.TIE_PAID)}
    if writer.breaks(clauses.WRONG_WINNER):
        return _wrong_winner(writer, hands, dealer, lawful)
    return lawful, {}


def _compared(hand: HandInPlay, dealer: DealerState, total: int) -> str:
    return outcome(hand.state, DealerState(dealer.up, total), HandFacts(split=hand.split, doubled=hand.doubled))


def _miscounted(
    writer: RoundWriter, hands: list[HandInPlay], dealer: DealerState, lawful: dict[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    counted = [hand for hand in hands if not hand.natural]
    if dealer.natural or len(counted) < 2:
        return lawful, {}
    taken_for = [*_DEALER_TOTALS]
    writer.rng.shuffle(taken_for)
    for total in taken_for:
        treated = {hand.place: _compared(hand, dealer, total) for hand in counted}
        wrong = [place for place, result in treated.items() if result != lawful[place]]
        results = set(treated.values())
        tipped = any("tip" in hand.stakes and hand.place in wrong for hand in counted)
        if wrong and not tipped and (len(results) >= 2 or len(wrong) >= 2):
            return {**lawful, **treated}, {wrong[0]: writer.broken(clauses.MISCOUNT)}
    return lawful, {}


def _wrong_winner(
    writer: RoundWriter, hands: list[HandInPlay], dealer: DealerState, lawful: dict[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """One hand is treated against its cards in a way that no single dealer total explains."""
    counted = [hand for hand in hands if not hand.natural]
    if dealer.natural:
        return lawful, {}
    for hand in counted:
        swap = {"win": "lose", "lose": "win"}.get(lawful[hand.place])
        treated = {**lawful, hand.place: swap or ""}
        explained = any(
            all(_compared(other, dealer, total) == treated[other.place] for other in counted)
            for total in _DEALER_TOTALS
        )
        if swap and not explained and len(counted) >= 2 and "tip" not in hand.stakes:
            return treated, {hand.place: writer.broken(clauses.WRONG_WINNER)}
    return lawful, {}


def settlement_order(
    writer: RoundWriter, hands: list[HandInPlay], marked: dict[str, str]
) -> tuple[list[HandInPlay], dict[str, str]]:
    """Right to left, or two neighbours exchanged; with the clauses broken by place."""
    if writer.breaks(clauses.SETTLE_ORDER) and len(hands) >= 2 and len({hand.order[0] for hand in hands[:2]}) == 2:
        if hands[1].place in marked:
            return hands, marked
        return [hands[1], hands[0], *hands[2:]], {**marked, hands[1].place: writer.broken(clauses.SETTLE_ORDER)}
    return hands, marked


def tie(writer: RoundWriter, step: Tie, result: str) -> Tie:
    """Return a push with its tap, or without it where that is planted."""
    if writer.breaks(clauses.NO_TAP) and result == "push":
        return msgspec.structs.replace(step, tap=False, clause=writer.broken(clauses.NO_TAP))
    return step


def payment(writer: RoundWriter, hand: HandInPlay, step: Pay, result: str) -> Pay:
    """Return a winning hand's payment, with the planted fault where this hand can show it."""
    if writer.breaks(clauses.NATURAL_SHORT) and result == "natural":
        wrong = msgspec.structs.replace(step, payoffs={"original": [*hand.stakes["original"]]})
        return msgspec.structs.replace(wrong, clause=writer.broken(clauses.NATURAL_SHORT))
    if result == "natural" or step.clause:
        return step
    if writer.breaks(clauses.WAGER_NOT_FANNED) and max(len(hand.stakes[kind]) for kind in step.payoffs) >= 2:
        return msgspec.structs.replace(step, fan_wager=False, clause=writer.broken(clauses.WAGER_NOT_FANNED))
    if writer.breaks(clauses.PAYOFF_NOT_FANNED) and max(map(len, step.payoffs.values())) >= 2:
        return msgspec.structs.replace(step, fan_payoff=False, clause=writer.broken(clauses.PAYOFF_NOT_FANNED))
    if writer.breaks(clauses.PAYOFF_WRONG) and "double" not in hand.stakes:
        return _wrong_amount(writer, hand, step)
    return step


def _wrong_amount(writer: RoundWriter, hand: HandInPlay, step: Pay) -> Pay:
    ((kind, chips),) = step.payoffs.items()
    owed = sum(chips)
    other = owed + writer.rng.choice((-500, -200, -100, 100, 200, 500))
    if other <= 0:
        other = owed + 500
    return msgspec.structs.replace(step, payoffs={kind: change(other)}, clause=writer.broken(clauses.PAYOFF_WRONG))


def pick_up(writer: RoundWriter, places: list[str]) -> tuple[list[str], str | None]:
    """Right to left, or two hands exchanged."""
    if writer.breaks(clauses.PICKUP_ORDER) and len({place.split("/")[0] for place in places}) >= 2:
        return places[::-1], writer.broken(clauses.PICKUP_ORDER)
    return places, None


def all_bust_drawn(writer: RoundWriter) -> None:
    """Every player is over 21 and the dealer draws all the same (against 11(9))."""
    clause = clauses.ALL_BUST_LOW if writer.up_low else clauses.ALL_BUST_HIGH
    if not writer.breaks(clause) or any(outcome != "bust" for outcome in writer.outcomes.values()):
        return
    if not writer.up_low and (writer.insured or any(hand.split or hand.doubled for hand in writer.hands)):
        return
    if writer.no_hole:
        writer.deal(None, clause=writer.broken(clause))
    elif hand_total([card.rank or "?" for card in writer.dealer]).best < 17:
        writer.steps.append(Reveal(card=writer.dealer[1]))
        writer.deal(None, clause=writer.broken(clause))
