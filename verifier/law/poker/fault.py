"""How an award departs from a reading of the cards and of the game (99-01.3-09-04(25), (27))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from verifier.domain.events import PlayerAction, PotAwarded
from verifier.law.poker.acts import clockwise
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.payouts import Pot, Reading, Share, Shown, bounds, chip_unit, pots_of, shares
from verifier.law.poker.presence import perhaps_all_in


@dataclass(frozen=True)
class Fault:
    """How an award departs from one reading: `kind` receivers, shares or odd_chip; `due` as it should have been.

    `sums`: least and most cents that are due to each seat, where the shares are wrong.
    """

    kind: str
    due: tuple[str, ...]
    shown: Shown
    reading: Reading
    tied: tuple[str, ...] = ()
    pots: tuple[Pot, ...] = ()
    sums: tuple[tuple[str, int, int], ...] = ()


def _pots(hand: PokerHand) -> tuple[Pot, ...]:
    """Pots by what was put in; those without a contest are part of what their only player gets back."""
    if stakes_unsure(hand):
        return (Pot(None, hand.live),)
    dead = dead_money(hand)
    paid = {seat: cents - dead.get(seat, 0) for seat, cents in hand.betting.paid.items()}
    pots = pots_of(paid, hand.live) or (Pot(0, hand.live),)
    pots = (Pot((pots[0].cents or 0) + sum(dead.values()), pots[0].eligible), *pots[1:])
    return tuple(Pot(None, pot.eligible) for pot in pots) if hand.betting.unsure else pots


def dead_money(hand: PokerHand) -> dict[str, int]:
    """Antes that only some players put in: they match nobody's bet and lie in the main pot."""
    antes = hand.betting.antes
    return dict(antes) if any(seat not in antes for seat in hand.seats) else {}


def stakes_unsure(hand: PokerHand) -> bool:
    """Tell whether it is not known what each player who stayed in has put in, and so who plays for which pot."""
    return bool(hand.betting.unsure & set(hand.live))


def fault_of(hand: PokerHand, shown: Shown, reading: Reading) -> Fault | str | None:
    """Return what is wrong in one reading: a fault, None where nothing is, `unknown` where it cannot be told."""
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
    aside = stakes_unsure(hand) and (hand.any_all_in or perhaps_all_in(hand))
    return "unknown" if aside and not _main_pot_missed(hand, first) else first


def _main_pot_missed(hand: PokerHand, fault: Fault | str | None) -> bool:
    """Tell whether one of the best hands got nothing: every hand that is in plays for the main pot, whatever its
    stake. Who else got something may have won a side pot.
    """
    got = {award.at for award in hand.awards}
    return isinstance(fault, Fault) and fault.kind == "receivers" and bool(set(fault.due) - got)


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
        sums = tuple((seat, low, high) for seat, (low, high) in limits.items())
        return Fault("shares", due, shown, reading, tied, tuple(pots), sums)
    if len(pots) == 1 and len(chosen[0]) == 1 and tied:
        return _odd(hand, hand.awards, tied, shown, reading)
    return _odd_of_several(hand, cents, chosen, shown, reading) if len(pots) > 1 else None


def _odd_of_several(
    hand: PokerHand, cents: Sequence[int], chosen: Sequence[tuple[Share, ...]], shown: Shown, reading: Reading
) -> Fault | str | None:
    """Return the fault in who got the odd chip of each pot by itself, where the awards name the pots as they were put
    in.
    """
    for index, (amount, parts) in enumerate(zip(cents, chosen, strict=True)):
        own = [award for award in hand.awards if award.pot == index]
        alone = len(parts) == 1 and len(parts[0].winners) > 1 and {award.at for award in own} <= set(parts[0].winners)
        if alone and sum(award.cents or 0 for award in own) == amount:
            fault = _odd(hand, own, parts[0].winners, shown, reading)
            if fault is not None:
                return fault
    return None


def _missing_matters(
    hand: PokerHand, pots: Sequence[Pot], chosen: Sequence[tuple[Share, ...]], got: dict[str, int]
) -> bool:
    """Tell whether a winner who got nothing was due more than an odd chip's rounding."""
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
    """Return the chip that is odd when a pot does not divide: the one pushed as such, else the one of which all bets
    are made.
    """
    odd = [award.cents for award in hand.awards if award.portion == "odd_chip" and award.cents]
    if odd:
        return chip_unit([*odd, *(c for c in cents if c)])
    amounts = [e.cents for e in hand.events if isinstance(e, PlayerAction) and e.cents]
    amounts += [e.cents for e in hand.blinds.values() if e.cents]
    return chip_unit([*amounts, *(c for c in cents if c)])


def _odd(
    hand: PokerHand, awards: Sequence[PotAwarded], tied: tuple[str, ...], shown: Shown, reading: Reading
) -> Fault | str | None:
    """Return a fault unless the odd chip goes to the first of the tied hands clockwise from the button."""
    shares_got = {seat: sum(award.cents or 0 for award in awards if award.at == seat) for seat in tied}
    least = min(shares_got.values())
    extra = {seat for seat, cents in shares_got.items() if cents > least}
    extra |= {award.at for award in awards if award.portion == "odd_chip"}
    if not extra:
        return None
    if hand.button is None:
        return None
    order = clockwise(tied, hand.button)
    if extra != set(order[: len(extra)]):
        return Fault("odd_chip", order[: len(extra)], shown, reading, tied)
    return None
