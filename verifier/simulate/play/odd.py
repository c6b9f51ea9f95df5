"""Planted breaches by players and at their wagers: stakes, splits, doubles, insurance and tips against 09(1)-(3)."""

from __future__ import annotations

from typing import Final

from verifier.engine.totals import is_pair
from verifier.simulate.play import clauses, ending
from verifier.simulate.play.hands_in_play import Choice, HandInPlay, change, pick_tip
from verifier.simulate.play.steps import TIPS, ChangeWager, Deal, Omitted, PlaceWager, Signal
from verifier.simulate.play.writer import RoundWriter

_TIP_CLAUSES: Final = ("lose-tip", "tip-", "-tip", "tips-")
HELD_TIP: Final = "ND-08-11.8-bust-tip-lost"
_BUSTED_DOUBLES: Final = (
    HELD_TIP, "ND-08-11.8-bust-hold-cards", "ND-08-11.8-bust-hold-chips", "ND-08-11.10.a-busted-collect",
    "ND-08-11.10.b-busted-collect", "ND-08-11.10.e-void-split-double", "ND-08-11.7-bust-lowcard-collect",
)  # fmt: skip
"""Clauses whose breach wants doubles on stiff hands, for those bust."""
_INSURANCE_CLAUSES: Final = ("insurance", "even-money")


def mark(writer: RoundWriter, clause: str, broken: object) -> str | None:
    """Return the clause where it was to be broken and now has been."""
    return writer.broken(clause) if broken and writer.breaks(clause) else None


def odd_wager(writer: RoundWriter) -> tuple[int, list[int], str] | None:
    """Return a wager that the rules do not allow: number of the hand, chips and clause."""
    if writer.breaks(clauses.EXCESS):
        chips = writer.rng.choice(([2500, 500], [2500, 100], [2500, 500, 500], [2500, 2500]))
        return writer.rng.randrange(len(writer.hands)), chips, writer.broken(clauses.EXCESS)
    if writer.breaks(clauses.WHOLE_DOLLAR):
        chips = writer.rng.choice(([500, 50], [100, 50], [500, 500, 50], [200, 50]))
        return writer.rng.randrange(len(writer.hands)), chips, writer.broken(clauses.WHOLE_DOLLAR)
    if writer.breaks(clauses.FIFTY_CENTS):
        return writer.rng.randrange(len(writer.hands)), [50], writer.broken(clauses.FIFTY_CENTS)
    return None


def wants_tip(writer: RoundWriter) -> bool:
    """Tell whether something planted needs tips."""
    return any(part in clause for clause in writer.waiting for part in _TIP_CLAUSES) and writer.rng.random() < 0.6


def wants_insurance(writer: RoundWriter) -> bool:
    """Tell whether something planted needs insurance."""
    return any(part in clause for clause in writer.waiting for part in _INSURANCE_CLAUSES)


def odd_tip(writer: RoundWriter) -> None:
    """Place a second tip bet, one that is too high, or one where none is permitted, where that is planted."""
    hand = writer.rng.choice(writer.hands)
    if writer.breaks(clauses.TIP_PERMITTED) and writer.house.tip_betting == "not_permitted":
        clause = writer.broken(clauses.TIP_PERMITTED)
        writer.place(hand, PlaceWager(at=hand.place, kind="tip", chips=pick_tip(writer.rng), clause=clause))
    elif writer.breaks(clauses.TIP_RANGE):
        clause = writer.broken(clauses.TIP_RANGE)
        _without_tip(writer, hand)
        writer.place(hand, PlaceWager(at=hand.place, kind="tip", chips=[2500, 500], clause=clause))
    elif writer.breaks(clauses.ONE_TIP) and "tip" in hand.stakes:
        clause, more = writer.broken(clauses.ONE_TIP), pick_tip(writer.rng)
        writer.steps.append(PlaceWager(at=hand.place, kind="tip", chips=more, clause=clause))
        hand.stakes["tip"] = [*hand.stakes["tip"], *more]


def _without_tip(writer: RoundWriter, hand: HandInPlay) -> None:
    writer.steps = [
        step
        for step in writer.steps
        if not (isinstance(step, PlaceWager) and step.at == hand.place and step.kind in TIPS)
    ]


def odd_insurance(writer: RoundWriter) -> None:
    """Insurance against a card that is no ace."""
    able = [hand for hand in writer.hands if hand.halves]
    if writer.breaks(clauses.INSURANCE_ONLY_ACE) and writer.up != "A" and able:
        hand = writer.rng.choice(able)
        hand.insurance = change(sum(hand.stakes["original"]) // 2)
        clause = writer.broken(clauses.INSURANCE_ONLY_ACE)
        writer.insure([hand], clause)


def insurance_chips(writer: RoundWriter, hand: HandInPlay, half: list[int]) -> list[int]:
    """Half of the wager, or the whole, or half of wager and tip, where that is planted."""
    if writer.breaks(clauses.NO_TIP_INSURANCE) and "tip" in hand.stakes:
        over = (sum(hand.stakes["original"]) + sum(hand.stakes["tip"])) // 2
        if over % 50 == 0:
            return change(over)
    return [*hand.stakes["original"]] if writer.breaks(clauses.INSURANCE_HALF) else half


def even_money(writer: RoundWriter) -> bool:
    """Pay a natural one to one at once where that is planted, although even money is not adopted here."""
    naturals = [hand for hand in writer.hands if hand.natural and "tip" not in hand.stakes]
    if not writer.breaks(clauses.EVEN_ELIGIBLE) or writer.up != "A" or len(naturals) != 1 or writer.state().natural:
        return False
    ending.pay_even_money(writer, naturals[0], writer.broken(clauses.EVEN_ELIGIBLE))
    return True


def tip_doubled_alone(writer: RoundWriter) -> None:
    """Let a player double the tip without doubling the wager, where that is planted."""
    tipped = [hand for hand in writer.hands if "tip" in hand.stakes and not hand.done and not hand.natural]
    if writer.breaks(clauses.TIP_DOUBLE_ALONE) and tipped:
        hand, clause = writer.rng.choice(tipped), writer.broken(clauses.TIP_DOUBLE_ALONE)
        chips = [*hand.stakes["tip"]]
        writer.place(hand, PlaceWager(at=hand.place, kind="tip_double", chips=chips, clause=clause))


def card_to_vacant_space(writer: RoundWriter) -> None:
    """Deal a card to a space without a wager, where that is planted; it stays there."""
    vacant = sorted({*writer.plan.spaces} - {hand.order[0] for hand in writer.hands})
    if writer.breaks(clauses.VACANT_CARD) and vacant:
        place, clause = f"space:{writer.rng.choice(vacant)}", writer.broken(clauses.VACANT_CARD)
        writer.steps.append(Deal(to=place, card=writer.shoe.draw(), clause=clause))
        writer.stray = place


def second_card_left_out(writer: RoundWriter, hand: HandInPlay) -> bool:
    """Leave out a split hand's second card where that is planted; tell whether it was left out."""
    last = [other for other in writer.hands if other.order[0] == hand.order[0]][-1] is hand
    if not last or not writer.breaks(clauses.SPLIT_ONE_CARD) or hand.ranks[0] == "A":
        return False
    writer.steps.append(Omitted(at=hand.place, clause=writer.broken(clauses.SPLIT_ONE_CARD)))
    return True


def odd_choice(writer: RoundWriter, hand: HandInPlay) -> Choice | None:
    """Return a planted choice: a split of what is no pair, a double on three cards or on a stiff hand."""
    if writer.breaks(clauses.SPLIT_ELIGIBLE) and len(hand.cards) == 2 and not hand.split and not hand.natural:
        plain = not hand.insurance and "tip" not in hand.stakes
        if plain and not is_pair(*hand.ranks) and "A" not in hand.ranks:
            return "split"
    if writer.breaks(clauses.DOUBLE_ELIGIBLE) and len(hand.cards) == 3 and not hand.split and hand.total.best <= 13:
        return "double"
    stiff = len(hand.cards) == 2 and not hand.split and 13 <= hand.total.best <= 16 and not hand.total.soft
    if stiff and any(writer.breaks(clause) for clause in _BUSTED_DOUBLES):
        tipped = "tip" in hand.stakes or not writer.breaks(HELD_TIP)
        low = writer.breaks("ND-08-11.7-bust-lowcard-collect")
        return "double" if tipped and writer.up_low == low and writer.rng.random() < 0.7 else None
    return None


def omitted_signal(writer: RoundWriter, choice: str) -> str | None:
    """Return the clause that leaving out this signal breaks, where that is planted."""
    if choice == "hit" and writer.breaks(clauses.NO_SIGNAL) and writer.rng.random() < 0.6:
        return writer.broken(clauses.NO_SIGNAL)
    return None


def split_chips(writer: RoundWriter, hand: HandInPlay, chips: list[int]) -> list[int]:
    """Return the wager again, or another amount where that is planted."""
    if not writer.breaks(clauses.SPLIT_EQUAL) or _wager_changed(writer, hand):
        return chips
    return chips[:-1] if len(chips) > 1 else [*chips, 100]


def mark_split(writer: RoundWriter, hand: HandInPlay) -> str | None:
    """Return the clause that a split of these cards breaks."""
    return mark(writer, clauses.SPLIT_ELIGIBLE, not is_pair(*hand.ranks))


def split_order(writer: RoundWriter, hand: HandInPlay, split: HandInPlay) -> list[HandInPlay]:
    """Return both hands as they are played: the dealer's leftmost first, or last where that is planted."""
    if writer.breaks(clauses.RIGHT_FIRST) and hand.ranks[0] != "A":
        hand.clause = writer.broken(clauses.RIGHT_FIRST)
        return [split, hand]
    return [hand, split]


def ace_gets_more(writer: RoundWriter, hand: HandInPlay) -> None:
    """Hit a split ace where that is planted."""
    if writer.breaks(clauses.SPLIT_ACES) and hand.total.best <= 17:
        writer.steps.append(Signal(at=hand.place, meaning="hit"))
        writer.deal(hand, clause=writer.broken(clauses.SPLIT_ACES))


def double_chips(writer: RoundWriter, hand: HandInPlay, chips: list[int]) -> list[int]:
    """Return the stake of a double, or more than the wager where that is planted."""
    if not writer.breaks(clauses.DOUBLE_AMOUNT) or _wager_changed(writer, hand):
        return chips
    return [*chips, writer.rng.choice((100, 500))]


def _wager_changed(writer: RoundWriter, hand: HandInPlay) -> bool:
    """Tell whether chips were added or removed, so that a stake may equal the wager as it was or as it is."""
    return any(isinstance(step, ChangeWager) and step.at == hand.place for step in writer.steps)


def double_gets_more(writer: RoundWriter, hand: HandInPlay) -> None:
    """Hit a doubled hand again where that is planted."""
    if writer.breaks(clauses.DOUBLE_ONE) and hand.total.best <= 16 and len(hand.cards) == 3:
        writer.steps.append(Signal(at=hand.place, meaning="hit"))
        writer.deal(hand, clause=writer.broken(clauses.DOUBLE_ONE))
