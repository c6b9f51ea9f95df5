"""Checks of the award: the best hand, ties, high-low shares, the odd chip (09-04(1), (24), (25), (27))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from verifier.domain.events import CardRevealed, RoundEnded
from verifier.domain.facts import AnyFact
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.fault import Fault, fault_of
from verifier.law.poker.hand import PokerHand, hand_of
from verifier.law.poker.payouts import Reading, Shown, readings, worlds
from verifier.law.poker.ranking import best, high_label, is_wheel
from verifier.law.poker.tabled import fouled, tabled
from verifier.law.say import Said

RANKING, WHEEL, SPEAK = full("1-hand-ranking"), full("1.f-ace-low-straight"), full("24.b-cards-speak")
NO_KILL, FACE_UP = full("24.j-no-kill-winner"), full("24.f-faceup-discard-live")
TIE, HIGH_LOW, ODD = full("25-tie-break"), full("25-high-low"), full("27-odd-chip")


@hand_check(
    "1-hand-ranking",
    "1.f-ace-low-straight",
    "24.b-cards-speak",
    "24.j-no-kill-winner",
    "24.f-faceup-discard-live",
    "25-tie-break",
    "25-high-low",
    "27-odd-chip",
)
def award(hand: PokerHand) -> Iterator[Instance]:
    """Each pot goes to the best of the hands shown, in the shares that the game has."""
    strangers = [award for award in hand.awards if award.at not in hand.seats] if hand.initial else []
    if strangers and not hand.called_off:
        yield judged(
            RANKING,
            False,
            at=strangers[0].at,
            events=[*hand.initial, *strangers],
            also=[SPEAK],
            incident="award",
            expected="the pot goes to a player who was dealt in",
            observed=say.that("{strangers} was dealt no card", strangers=say.place(strangers[0].at)),
            rank=1,
        )
        return
    if not hand.awards or not hand.contested or hand.called_off or hand.variant is None:
        return
    holes = tabled(hand)
    receivers = {award.at for award in hand.awards}
    if not holes or receivers & hand.folded or receivers & fouled(hand):
        return
    hidden = [seat for seat in receivers if seat not in holes]
    if hidden:
        if len([s for s in holes if s not in hand.gave_up]) > 0:
            yield judged(
                RANKING,
                None,
                events=hand.awards,
                expected="the pot goes to the best hand shown",
                observed=say.that("{names} did not show", names=_names(hidden)),
            )
        return
    yield from _against(hand, Shown(holes, hand.cards.table, hand.cards.ranks))


def _against(hand: PokerHand, shown: Shown) -> Iterator[Instance]:
    board = hand.variant in ("holdem", "omaha")
    if board and len(shown.board) < 5:
        return
    game = readings(hand.house.poker_game, {award.portion for award in hand.awards})
    faults = [fault_of(hand, world, reading) for world in worlds(shown) for reading in game]
    if not faults or any(isinstance(fault, str) for fault in faults):
        yield judged(
            RANKING,
            None,
            events=hand.awards,
            expected="the pot goes to the best hand shown",
            observed="not all cards could be read",
        )
        return
    real = [fault for fault in faults if isinstance(fault, Fault)]
    if not real:
        yield from _passes(hand, shown)
    elif not _all_awards(hand):
        found = next(_violation(hand, real[0]))
        yield judged(
            found.clause,
            None,
            events=hand.awards,
            expected=found.expected,
            observed=say.that("{observed}", observed=found.observed).then(
                "the log ends before all of the pot was awarded"
            ),
        )
    elif len(real) == len(faults) and not _by_house_rule(hand, shown):
        yield from _violation(hand, real[0])
    else:
        found = next(_violation(hand, real[0]))
        yield judged(
            found.clause,
            None,
            events=hand.awards,
            also=[clause for clause in dict.fromkeys((*found.also, RANKING, SPEAK)) if clause != found.clause],
            expected=found.expected,
            observed="the award is right in one reading of cards and game and wrong in another",
        )


def _all_awards(hand: PokerHand) -> bool:
    """Tell whether no further award may be missing: more follows in the log, or what was put in was awarded."""
    if hand.game.log[-1].number != hand.game.number or any(isinstance(e, RoundEnded) for e in hand.events):
        return True
    known = not hand.betting.unsure and all(award.cents is not None for award in hand.awards)
    return known and sum(award.cents or 0 for award in hand.awards) >= sum(hand.betting.paid.values())


def _by_house_rule(hand: PokerHand, shown: Shown) -> bool:
    """Tell whether the award is right where a low hand needs an eight to qualify, and the log does not show that
    the house has no such rule.
    """
    if hand.house.poker_game not in (None, "high_low"):
        return False
    reading = Reading("high_low", "eight_or_better")
    right = any(fault_of(hand, world, reading) is None for world in worlds(shown))
    return right and not any(
        _unqualified(hand_of(other)) for other in hand.game.log if other.number != hand.game.number
    )


def _unqualified(hand: PokerHand) -> bool:
    """Tell whether a low half went to a hand without an eight low."""
    key = ("poker unqualified low",)
    if key not in hand.game.memo:
        holes = tabled(hand) if hand.awards and hand.variant else {}
        hand.game.memo[key] = any(
            award.portion == "low" and award.at in holes and not _eight_low(hand, holes[award.at])
            for award in hand.awards
        )
    return bool(hand.game.memo[key])


def _eight_low(hand: PokerHand, hole: tuple[str, ...]) -> bool:
    """Tell whether a hand makes an eight low, or could with cards that were not read."""
    unread = "?" in "".join((*hole, *hand.cards.table))
    return unread or best(hand.variant or "", hole, hand.cards.table, "low", "eight_or_better") is not None


def _passes(hand: PokerHand, shown: Shown) -> Iterator[Instance]:
    for clause in (RANKING, SPEAK, NO_KILL):
        yield judged(clause, True)
    if hand.house.poker_game == "high_low" or any(a.portion == "low" for a in hand.awards):
        yield judged(HIGH_LOW, True)
    if len({award.at for award in hand.awards}) > 1:
        yield judged(TIE, True)
        if hand.button is not None:
            yield judged(ODD, True)
    if any(
        "?" not in "".join((*hole, *shown.board)) and is_wheel(hand.variant or "", hole, shown.board)
        for hole in shown.holes.values()
    ):
        yield judged(WHEEL, True)
    if any(seat in hand.gave_up for seat in shown.holes):
        yield judged(FACE_UP, True)


def _violation(hand: PokerHand, fault: Fault) -> Iterator[Instance]:
    root, also = _clause_of(hand, fault)
    got: dict[str, int] = defaultdict(int)
    for award in hand.awards:
        got[award.at] += award.cents or 0
    observed = say.listed(
        ", ",
        (say.that("{seat} got {cents}", seat=say.place(seat), cents=say.cents(cents)) for seat, cents in got.items()),
    )
    yield judged(
        root,
        False,
        at=hand.awards[0].at,
        events=[*hand.awards, *_evidence(hand)],
        expected=_expected(hand, fault),
        observed=observed,
        also=[c for c in also if c != root],
        incident="award",
        rank=3,
    )


def _expected(hand: PokerHand, fault: Fault) -> Said:
    if fault.kind == "odd_chip":
        return say.that("the odd chip goes to {names}, first clockwise from the button", names=_names(fault.due))
    if fault.kind == "shares" and not fault.tied and fault.reading.game != "high_low":
        parts = [
            say.that("{cents} among {names}", cents=say.cents(pot.cents or 0), names=_names(pot.eligible))
            for pot in fault.pots
        ]
        return say.that("each pot goes whole to the best hand that is in it ({parts})", parts=say.listed("; ", parts))
    if fault.kind == "shares":
        sums = [
            say.that("{seat} gets {low}", seat=say.place(seat), low=say.cents(low))
            + (say.that(" to {high}", high=say.cents(high)) if high != low else "")
            for seat, low, high in fault.sums
        ]
        return say.that("the pot is shared as evenly as the chips allow").detail("{sums}", sums=say.listed(", ", sums))
    hands: list[Said | AnyFact] = []
    for seat in fault.due:
        label = high_label(hand.variant or "", fault.shown.holes[seat], fault.shown.board)
        hands.append(
            say.that("{seat} ({label})", seat=say.place(seat), label=label.lower())
            if fault.reading.game != "low"
            else say.place(seat)
        )
    return say.that("the pot goes to {hands}", hands=say.listed(" and ", hands))


def _clause_of(hand: PokerHand, fault: Fault) -> tuple[str, list[str]]:
    """Return the clause that an award breaks, and the clauses that it breaks with it."""
    if fault.kind == "odd_chip":
        return ODD, [TIE]
    split = fault.reading.game == "high_low"
    if fault.kind == "shares" and not fault.tied and not split:
        return RANKING, [SPEAK]
    if fault.kind == "shares":
        return (HIGH_LOW, [ODD] if fault.tied else []) if split else (ODD, [TIE])
    also = [RANKING, SPEAK, NO_KILL]
    if split:
        also.append(HIGH_LOW)
    got = {award.at for award in hand.awards}
    if any(_wheel(hand, fault, seat) for seat in {*fault.due, *got}):
        also.append(WHEEL)
    dropped = [seat for seat in fault.due if seat in hand.gave_up and seat not in got]
    if dropped:
        return FACE_UP, also
    if _close(hand, fault, got):
        return (TIE, also)
    if split and got <= set(fault.due):
        return HIGH_LOW, also
    if WHEEL in also:
        return WHEEL, also
    killed = [seat for seat in fault.due if seat not in got and hand.into_muck(seat) is not None]
    return (NO_KILL if killed else RANKING), also


def _close(hand: PokerHand, fault: Fault, got: set[str]) -> bool:
    """Tell whether hands of the same kind were told apart wrongly, or a tie not shared."""
    if fault.reading.game == "high_low":
        return False
    if len(fault.due) > 1 and got & set(fault.due):
        return True
    holes = [fault.shown.holes[s] for s in (*got, *fault.due) if s in fault.shown.holes]
    if fault.reading.game == "low":
        lows = [best(hand.variant or "", hole, fault.shown.board, "low", "ranked") for hole in holes]
        return len({low[0] for low in lows if low}) == 1
    return len({high_label(hand.variant or "", hole, fault.shown.board) for hole in holes}) == 1


def _wheel(hand: PokerHand, fault: Fault, seat: str) -> bool:
    hole = fault.shown.holes.get(seat)
    if hole is None or fault.reading.game == "low":
        return False
    return is_wheel(hand.variant or "", hole, fault.shown.board) or _wraps(hole, fault.shown.board)


def _wraps(hole: Sequence[str], board: Sequence[str]) -> bool:
    """Tell whether the cards make what only looks like a straight because it goes round the corner (Q K A 2 3)."""
    order = "23456789TJQKA"
    ranks = {order.index(card[0]) for card in (*hole, *board)}
    return any({(start + step) % 13 for step in range(5)} <= ranks for start in (9, 10, 11))


def _evidence(hand: PokerHand) -> list[CardRevealed]:
    return [event for events in hand.reveals.values() for event in events]


def _names(seats: Sequence[str]) -> Said:
    return say.listed(" and ", map(say.place, seats))
