"""Checks of the award: the best hand, ties, high-low shares, the odd chip (09-04(1), (24), (25), (27))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from verifier.domain.events import PlayerAction, PotAwarded
from verifier.domain.money import dollars
from verifier.law.instances import Instance, judged
from verifier.law.poker.betting import clockwise
from verifier.law.poker.cards import FULL_HAND
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand, hand_of
from verifier.law.poker.payouts import (
    Pot,
    Reading,
    Share,
    Shown,
    bounds,
    chip_unit,
    pots_of,
    readings,
    shares,
    worlds,
)
from verifier.law.poker.ranking import best, high_label, is_wheel

RANKING, WHEEL, SPEAK = full("1-hand-ranking"), full("1.f-ace-low-straight"), full("24.b-cards-speak")
NO_KILL, FACE_UP = full("24.j-no-kill-winner"), full("24.f-faceup-discard-live")
TIE, HIGH_LOW, ODD = full("25-tie-break"), full("25-high-low"), full("27-odd-chip")


@dataclass(frozen=True)
class Fault:
    """How an award departs from one reading: `kind` receivers, shares or odd_chip; `due` as it should have been."""

    kind: str
    due: tuple[str, ...]
    shown: Shown
    reading: Reading
    tied: tuple[str, ...] = ()
    pots: tuple[Pot, ...] = ()


def tabled(hand: PokerHand) -> dict[str, tuple[str, ...]]:
    """Hole cards of the live hands that were shown before the award; unread ones are `??`. Fouled hands are dead."""
    size = FULL_HAND[hand.variant] if hand.variant else 0
    found = {}
    for seat in hand.live:
        known = hand.cards.known(seat)
        if seat in fouled(hand) or len(known) > size or not shown_in_time(hand, seat):
            continue
        found[seat] = known + ("??",) * (size - len(known))
    return found


def fouled(hand: PokerHand) -> frozenset[str]:
    """Live seats whose hands have a wrong number of cards after a whole deal."""
    size = FULL_HAND.get(hand.variant or "")
    if size is None:
        return frozenset()
    dealt = max((hand.cards.count(seat) for seat in hand.live), default=0)
    whole = hand.variant != "seven_card_stud" or dealt >= size
    return frozenset(s for s in hand.live if whole and hand.cards.count(s) != size)


def shown_in_time(hand: PokerHand, seat: str) -> bool:
    """Whether a live hand was shown before the first award."""
    if any(hand.position(e) < hand.award_position for e in hand.reveals.get(seat, ())):
        return True
    size = FULL_HAND.get(hand.variant or "", 0)
    shows = any(isinstance(e, PlayerAction) and e.at == seat and e.action == "show" for e in hand.events)
    return shows or (len(hand.cards.known(seat)) >= size and seat in hand.cards.shown)


@hand_check("1-hand-ranking", "1.f-ace-low-straight", "24.b-cards-speak", "24.j-no-kill-winner",
            "24.f-faceup-discard-live", "25-tie-break", "25-high-low", "27-odd-chip")  # fmt: skip
def award(hand: PokerHand) -> Iterator[Instance]:
    """Each pot goes to the best of the hands shown, in the shares that the game has."""
    if not hand.awards or not hand.contested or hand.called_off or hand.variant is None:
        return
    holes = tabled(hand)
    receivers = {award.at for award in hand.awards}
    if not holes or receivers & hand.folded or receivers & fouled(hand):
        return
    hidden = [seat for seat in receivers if seat not in holes]
    if hidden:
        if len([s for s in holes if s not in hand.gave_up]) > 0:
            yield judged(RANKING, None, events=hand.awards, expected="the pot goes to the best hand shown",
                         observed=f"{_names(hidden)} did not show")  # fmt: skip
        return
    yield from _against(hand, Shown(holes, hand.cards.table))


def _against(hand: PokerHand, shown: Shown) -> Iterator[Instance]:
    board = hand.variant in ("holdem", "omaha")
    if board and len(shown.board) < 5:
        return
    game = readings(hand.house.poker_game, {award.portion for award in hand.awards})
    faults = [_fault(hand, world, reading) for world in worlds(shown) for reading in game]
    if not faults or any(isinstance(fault, str) for fault in faults):
        yield judged(RANKING, None, events=hand.awards, expected="the pot goes to the best hand shown",
                     observed="not all cards could be read")  # fmt: skip
        return
    real = [fault for fault in faults if isinstance(fault, Fault)]
    if not real:
        yield from _passes(hand, shown)
    elif len(real) == len(faults) and not _by_house_rule(hand, shown):
        yield from _violation(hand, real[0])
    else:
        found = list(_violation(hand, real[0]))
        yield judged(found[0].clause, None, events=hand.awards, expected=found[0].expected,
                     observed="the award is right in one reading of cards and game and wrong in another")  # fmt: skip


def _by_house_rule(hand: PokerHand, shown: Shown) -> bool:
    """Whether the award is right where a low hand needs an eight to qualify, and the log does not show that the house
    has no such rule."""
    if hand.house.poker_game not in (None, "high_low"):
        return False
    reading = Reading("high_low", "eight_or_better")
    right = any(_fault(hand, world, reading) is None for world in worlds(shown))
    return right and not any(
        _unqualified(hand_of(other)) for other in hand.game.log if other.number != hand.game.number
    )


def _unqualified(hand: PokerHand) -> bool:
    """Whether a low half went to a hand without an eight low."""
    key = ("poker unqualified low",)
    if key not in hand.game.memo:
        holes = tabled(hand) if hand.awards and hand.variant else {}
        hand.game.memo[key] = any(
            award.portion == "low" and award.at in holes and not _eight_low(hand, holes[award.at])
            for award in hand.awards
        )
    return bool(hand.game.memo[key])


def _eight_low(hand: PokerHand, hole: tuple[str, ...]) -> bool:
    """Whether a hand makes an eight low, or could with cards that were not read."""
    unread = "?" in "".join((*hole, *hand.cards.table))
    return unread or best(hand.variant or "", hole, hand.cards.table, "low", "eight_or_better") is not None


def _pots(hand: PokerHand) -> tuple[Pot, ...]:
    """Pots by what was put in; those without a contest are part of what their only player gets back."""
    if hand.betting.unsure:
        return (Pot(None, hand.live),)
    return pots_of(hand.betting.paid, hand.live)


def _fault(hand: PokerHand, shown: Shown, reading: Reading) -> Fault | str | None:
    """What is wrong in one reading: a fault, None where nothing is, `unknown` where it cannot be told."""
    pots = [pot for pot in _pots(hand) if any(s in shown.holes for s in pot.eligible)]
    ways = [shares(shown, pot, hand.variant or "", reading) for pot in pots]
    if not pots or not all(ways):
        return "unknown"
    first: Fault | str | None = None
    for chosen in product(*ways):
        fault = _compare(hand, shown, reading, pots, chosen)
        if fault is None:
            return None
        first = first or fault
    return first


def _compare(
    hand: PokerHand, shown: Shown, reading: Reading, pots: Sequence[Pot], chosen: Sequence[tuple[Share, ...]]
) -> Fault | str | None:
    due = tuple(dict.fromkeys(s for parts in chosen for share in parts for s in share.winners))
    got: dict[str, int] = defaultdict(int)
    for award in hand.awards:
        got[award.at] += award.cents or 0
    tied = next((share.winners for parts in chosen for share in parts if len(share.winners) > 1), ())
    if set(got) != set(due) and (set(got) - set(due) or _missing_matters(hand, pots, chosen, got)):
        return Fault("receivers", due, shown, reading, tied, tuple(pots))
    wrong = _wrong_side(hand, pots, chosen, reading)
    if wrong:
        return Fault("receivers", wrong, shown, reading, tied, tuple(pots))
    cents = _amounts(hand, pots, got)
    if cents is None:
        return None if len(pots) == 1 or set(got) == set(due) else "unknown"
    unit = _unit(hand, cents)
    limits: dict[str, tuple[int, int]] = {}
    for amount, parts in zip(cents, chosen, strict=True):
        for seat, (low, high) in bounds(amount, parts, unit).items():
            before = limits.get(seat, (0, 0))
            limits[seat] = (before[0] + low, before[1] + high)
    if any(not low <= got[seat] <= high for seat, (low, high) in limits.items()):
        return Fault("shares", due, shown, reading, tied, tuple(pots))
    if len(pots) == 1 and len(chosen[0]) == 1 and tied:
        return _odd(hand, got, tied, shown, reading)
    return None


def _missing_matters(
    hand: PokerHand, pots: Sequence[Pot], chosen: Sequence[tuple[Share, ...]], got: dict[str, int]
) -> bool:
    """Whether a winner who got nothing was due more than an odd chip's rounding."""
    if any(pot.cents is None for pot in pots):
        return True
    unit = _unit(hand, [pot.cents or 0 for pot in pots])
    for pot, parts in zip(pots, chosen, strict=True):
        for seat, (low, _) in bounds(pot.cents or 0, parts, unit).items():
            if low and seat not in got:
                return True
    return False


def _wrong_side(
    hand: PokerHand, pots: Sequence[Pot], chosen: Sequence[tuple[Share, ...]], reading: Reading
) -> tuple[str, ...]:
    """In high-low, winners of a half that was given to somebody else; nothing where halves are not told apart."""
    if reading.game != "high_low" or len(pots) != 1 or len(chosen[0]) != 2 or chosen[0][0].part != (1, 2):
        return ()
    for portion, share in zip(("high", "low"), chosen[0], strict=True):
        given = {award.at for award in hand.awards if award.portion == portion}
        if given and not given <= set(share.winners):
            return share.winners
    return ()


def _amounts(hand: PokerHand, pots: Sequence[Pot], got: dict[str, int]) -> list[int] | None:
    """Cents of each pot as awarded: as put in where the sums agree (else something was taken out before)."""
    if any(award.cents is None for award in hand.awards):
        return None
    put_in = [pot.cents for pot in pots]
    total = sum(got.values())
    if None not in put_in and sum(cents or 0 for cents in put_in) == total:
        return [cents or 0 for cents in put_in]
    if len(pots) == 1:
        return [total]
    by_pot: dict[int, int] = defaultdict(int)
    for award in hand.awards:
        by_pot[award.pot] += award.cents or 0
    return [by_pot[i] for i in sorted(by_pot)] if sorted(by_pot) == list(range(len(pots))) else None


def _unit(hand: PokerHand, cents: Sequence[int]) -> int:
    """The chip that is odd when a pot does not divide: the one pushed as such, else that of which all bets are made."""
    odd = [award.cents for award in hand.awards if award.portion == "odd_chip" and award.cents]
    if odd:
        return chip_unit([*odd, *(c for c in cents if c)])
    amounts = [e.cents for e in hand.events if isinstance(e, PlayerAction) and e.cents]
    amounts += [e.cents for e in hand.blinds.values() if e.cents]
    return chip_unit([*amounts, *(c for c in cents if c)])


def _odd(
    hand: PokerHand, got: dict[str, int], tied: tuple[str, ...], shown: Shown, reading: Reading
) -> Fault | str | None:
    """The odd chip goes to the first of the tied hands clockwise from the button."""
    shares_got = {seat: got.get(seat, 0) for seat in tied}
    least = min(shares_got.values())
    extra = {seat for seat, cents in shares_got.items() if cents > least}
    extra |= {award.at for award in hand.awards if award.portion == "odd_chip"}
    if not extra:
        return None
    if hand.button is None:
        return None
    order = clockwise(tied, hand.button)
    if extra != set(order[: len(extra)]):
        return Fault("odd_chip", order[: len(extra)], shown, reading, tied)
    return None


def _passes(hand: PokerHand, shown: Shown) -> Iterator[Instance]:
    for clause in (RANKING, SPEAK, NO_KILL):
        yield judged(clause, True)
    if hand.house.poker_game == "high_low" or any(a.portion == "low" for a in hand.awards):
        yield judged(HIGH_LOW, True)
    if len({award.at for award in hand.awards}) > 1:
        yield judged(TIE, True)
        if hand.button is not None:
            yield judged(ODD, True)
    if any("?" not in "".join((*hole, *shown.board)) and is_wheel(hand.variant or "", hole, shown.board)
           for hole in shown.holes.values()):  # fmt: skip
        yield judged(WHEEL, True)
    if any(seat in hand.gave_up for seat in shown.holes):
        yield judged(FACE_UP, True)


def _violation(hand: PokerHand, fault: Fault) -> Iterator[Instance]:
    root, also = _clause_of(hand, fault)
    got: dict[str, int] = defaultdict(int)
    for award in hand.awards:
        got[award.at] += award.cents or 0
    observed = ", ".join(f"{seat} got {dollars(cents)}" for seat, cents in got.items())
    yield judged(
        root, False, at=hand.awards[0].at, events=[*hand.awards, *_evidence(hand)],
        expected=_expected(hand, fault), observed=observed, also=[c for c in also if c != root], incident="award",
        rank=3,
    )  # fmt: skip


def _expected(hand: PokerHand, fault: Fault) -> str:
    if fault.kind == "odd_chip":
        return f"the odd chip goes to {_names(fault.due)}, first clockwise from the button"
    if fault.kind == "shares":
        return f"the pot is shared between {_names(fault.due)} as evenly as the chips allow"
    hands = []
    for seat in fault.due:
        label = high_label(hand.variant or "", fault.shown.holes[seat], fault.shown.board)
        hands.append(f"{seat} ({label.lower()})" if fault.reading.game != "low" else seat)
    return f"the pot goes to {' and '.join(hands)}"


def _clause_of(hand: PokerHand, fault: Fault) -> tuple[str, list[str]]:
    """The clause that an award breaks, and those that it breaks with it."""
    if fault.kind == "odd_chip":
        return ODD, [TIE]
    split = fault.reading.game == "high_low"
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
    """Whether hands of the same kind were told apart wrongly, or a tie not shared."""
    if fault.reading.game == "high_low":
        return False
    if len(fault.due) > 1 and got & set(fault.due):
        return True
    if fault.reading.game != "high":
        return False
    labels = {high_label(hand.variant or "", fault.shown.holes[s], fault.shown.board)
              for s in (*got, *fault.due) if s in fault.shown.holes}  # fmt: skip
    return len(labels) == 1


def _wheel(hand: PokerHand, fault: Fault, seat: str) -> bool:
    hole = fault.shown.holes.get(seat)
    if hole is None or fault.reading.game == "low":
        return False
    return is_wheel(hand.variant or "", hole, fault.shown.board) or _wraps(hole, fault.shown.board)


def _wraps(hole: Sequence[str], board: Sequence[str]) -> bool:
    """Whether the cards make what only looks like a straight because it goes round the corner (Q K A 2 3)."""
    order = "23456789TJQKA"
    ranks = {order.index(card[0]) for card in (*hole, *board)}
    return any({(start + step) % 13 for step in range(5)} <= ranks for start in (9, 10, 11))


def _evidence(hand: PokerHand) -> list[PotAwarded]:
    return [event for events in hand.reveals.values() for event in events]  # type: ignore[misc]


def _names(seats: Sequence[str]) -> str:
    return " and ".join(seat.replace(":", " ") for seat in seats)
