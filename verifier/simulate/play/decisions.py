"""Writes what players decide: wagers and tips, insurance, hits, stands, doubles and splits (09(2), 11(3)-(8))."""

from __future__ import annotations

from typing import Final

from verifier.domain.places import MAX_HANDS, space
from verifier.simulate.play import clauses, ending, mistakes, odd, surrender
from verifier.simulate.play.hands_in_play import HandInPlay, change, decide, pick_tip
from verifier.simulate.play.steps import (
    TIPS,
    Collect,
    HoldAside,
    PlaceWager,
    Signal,
    SplitCards,
    TakeCards,
)
from verifier.simulate.play.writer import RoundWriter

_MOST_TIPS: Final = 3


def place_wagers(writer: RoundWriter) -> None:
    """Original wagers and tips, lawful or as planted."""
    tips, strange = 0, odd.odd_wager(writer)
    for number, hand in enumerate(writer.hands):
        clause = None
        if strange is not None and number == strange[0]:
            hand.stakes["original"], clause = [*strange[1]], strange[2]
        if not mistakes.excess(writer, hand):
            wager = PlaceWager(at=hand.place, kind="original", chips=hand.stakes["original"], clause=clause)
            writer.steps.append(wager)
        tipped = writer.rng.random() < writer.temper(hand.order[0]).tips or odd.wants_tip(writer)
        if tipped and writer.house.tip_betting == "permitted" and tips < _MOST_TIPS:
            tips += 1
            writer.place(hand, PlaceWager(at=hand.place, kind="tip", chips=pick_tip(writer.rng)))
    odd.odd_tip(writer)


def offer_insurance(writer: RoundWriter) -> None:
    """With an ace up and insurance permitted, players insure for half of the wager, or take even money (09(2)(b))."""
    odd.tip_doubled_alone(writer)
    if odd.even_money(writer):
        return
    eager = odd.wants_insurance(writer)
    if not writer.house.insurance_allowed or writer.up != "A":
        odd.odd_insurance(writer)
        return
    insured: list[HandInPlay] = []
    for hand in writer.hands:
        if writer.rng.random() >= (0.8 if eager else writer.temper(hand.order[0]).insures):
            continue
        if hand.natural and writer.house.even_money:
            ending.pay_even_money(writer, hand)
            continue
        if not hand.halves:
            continue
        half = change(sum(hand.stakes["original"]) // 2)
        hand.insurance = odd.insurance_chips(writer, hand, half)
        tipped = odd.mark(writer, clauses.NO_TIP_INSURANCE, hand.insurance != half)
        if tipped:
            writer.insure([hand], tipped)
        else:
            insured.append(hand)
    if insured:
        writer.insure(insured, odd.mark(writer, clauses.INSURANCE_HALF, True))


def play_hands(writer: RoundWriter) -> None:
    """Each hand from the dealer's left, split hands one after the other."""
    waiting = [hand for hand in writer.hands if not hand.done]
    while waiting:
        hand = waiting.pop(0)
        if hand.split and len(hand.cards) == 1:
            if odd.second_card_left_out(writer, hand):
                continue
            aces = hand.ranks[0] == "A"
            writer.deal(hand, across=aces, clause=hand.clause)
            if aces:
                odd.ace_gets_more(writer, hand)
                continue
        split = _play_out(writer, hand)
        if split is not None:
            waiting[:0] = odd.split_order(writer, hand, split)


def _play_out(writer: RoundWriter, hand: HandInPlay) -> HandInPlay | None:
    """Play a hand until it stands, busts, doubles or splits; a split gives the new hand."""
    while True:
        if surrender.gives_up(writer, hand):
            return None
        choice = odd.odd_choice(writer, hand) or decide(
            hand, writer.up, writer.rng, writer.temper(hand.order[0]), split=_may_split(writer, hand)
        )
        if choice == "double" and "tip_double" in hand.stakes:
            choice = "hit"  # the tip was doubled alone, as planted
        if choice == "split":
            return _split(writer, hand)
        if choice == "double":
            _double(writer, hand)
            return None
        clause = odd.omitted_signal(writer, choice)
        if clause is None:
            writer.steps.append(Signal(at=hand.place, meaning=choice))
        if choice == "stand":
            return None
        writer.deal(hand, clause=clause)
        if hand.total.bust:
            bust(writer, hand)
            return None


def _may_split(writer: RoundWriter, hand: HandInPlay) -> bool:
    """Room for another hand: the space's last hand splits, insured spaces do not; three hands want low stacks."""
    if hand.insurance or "tip" in hand.stakes:
        return False
    own = [other for other in writer.hands if other.order[0] == hand.order[0]]
    if len(own) == 1:
        return True
    return own[-1] is hand and len(own) < MAX_HANDS and len(hand.stakes["split"]) <= 2


def _split(writer: RoundWriter, hand: HandInPlay) -> HandInPlay:
    number = hand.order[0]
    count = sum(other.order[0] == number for other in writer.hands)
    chips = [*(hand.stakes.get("original") or hand.stakes["split"])]
    eligible = odd.mark_split(writer, hand)
    other = HandInPlay(
        space(number, count), {"split": odd.split_chips(writer, hand, chips)}, [hand.cards.pop()], split=True
    )
    unequal = odd.mark(writer, clauses.SPLIT_EQUAL, other.stakes["split"] != chips)
    hand.split = True
    writer.hands.insert(writer.hands.index(hand) + 1, other)
    writer.steps += [
        Signal(at=hand.place, meaning="split"),
        PlaceWager(at=other.place, kind="split", chips=other.stakes["split"], clause=unequal),
        SplitCards(at=hand.place, to=other.place, of=count + 1, clause=eligible),
    ]
    writer.keep_apart(hand)
    writer.keep_apart(other)
    return other


def _double(writer: RoundWriter, hand: HandInPlay) -> None:
    late = odd.mark(writer, clauses.DOUBLE_ELIGIBLE, len(hand.cards) > 2)
    hand.doubled = True
    whole = hand.stakes["original"]
    chips = odd.double_chips(writer, hand, _double_stake(writer, whole))
    amount = odd.mark(writer, clauses.DOUBLE_AMOUNT, chips != whole)
    writer.steps.append(Signal(at=hand.place, meaning="double"))
    writer.place(hand, PlaceWager(at=hand.place, kind="double", chips=chips, clause=late or amount))
    banned = writer.house.tip_double_down == "not_permitted" and "tip" in hand.stakes
    if clause := odd.mark(writer, clauses.TIP_DOUBLED, banned):
        tip = PlaceWager(at=hand.place, kind="tip_double", chips=[*hand.stakes["tip"]], clause=clause)
        writer.place(hand, tip)
    tips_double = writer.house.tip_double_down not in (None, "not_permitted")
    if tips_double and "tip" in hand.stakes and writer.rng.random() < 0.5:
        writer.place(hand, PlaceWager(at=hand.place, kind="tip_double", chips=[*hand.stakes["tip"]]))
    writer.deal(hand, across=True)
    odd.double_gets_more(writer, hand)
    if hand.total.bust:
        bust(writer, hand)


def _double_stake(writer: RoundWriter, whole: list[int]) -> list[int]:
    """Return the wager again, or less where the house permits it."""
    if writer.house.double_down_equal == "equal_or_less" and len(whole) > 1 and writer.rng.random() < 0.35:
        return sorted(whole, reverse=True)[:-1]
    return [*whole]


def bust(writer: RoundWriter, hand: HandInPlay) -> None:
    """Taken at once, or held aside until the dealer's second card is known (11(6)-(8))."""
    extra = hand.split or hand.doubled or bool(hand.insurance)
    if extra and not writer.up_low and not writer.reader and writer.rules.returns_extra:
        hand.held = True
        if any(kind in hand.stakes for kind in TIPS):
            writer.steps.append(Collect(at=[hand.place], kinds=TIPS))
        writer.steps.append(HoldAside(at=hand.place))
        return
    hand.done = True
    writer.outcomes[hand.place] = "bust"
    writer.steps += [Collect(at=[hand.place]), TakeCards(places=[hand.place])]
