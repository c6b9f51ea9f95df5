"""Collected chips reach the tray, all of them, before the next payoff (99-01.3-08-11(6),(7),(10),(13))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import AnyEvent, ChipsCollected, ChipsFromTray, ChipsReturned, ChipsToTray, PayoffPlaced
from verifier.engine.outcomes import LOST
from verifier.law import say
from verifier.law.amounts import Amount, seen, total
from verifier.law.instances import Instance, judged
from verifier.law.money import outcomes, stake_of
from verifier.law.nd_twenty_one.s08_11.sub06_busts import lost_at_once
from verifier.law.nd_twenty_one.s08_11.sub10_busts_held import held_order
from verifier.law.nd_twenty_one.s08_11.sub14_tips import LOSE, LOST_TIP, TIP_KINDS, tip_incident
from verifier.law.registry import round_check
from verifier.law.rounds import Round

TRAY = "ND-08-11.13-tray-before-pay"


@round_check(TRAY, partial="undetermined")
def tray_before_pay(game: Round) -> Iterator[Instance]:
    """Check that collected chips are in the tray before chips are taken out to pay."""
    held: list[ChipsCollected] = []
    trayed: list[ChipsToTray] = []
    kinds = (ChipsCollected, ChipsToTray, ChipsFromTray, PayoffPlaced, ChipsReturned)
    for event in (e for e in game.events if isinstance(e, kinds)):
        if isinstance(event, ChipsCollected):
            if event.to != "tray":
                held.append(event)
        elif isinstance(event, ChipsReturned):
            held = _without_returned(held, event)
        elif isinstance(event, ChipsToTray):
            trayed.append(event)
        elif held:
            yield from _trayed(game, held, trayed, event, _put_late(game, event))
            held, trayed = [], []
    if held and game.closed:
        yield from _trayed(game, held, trayed, None, [])


def _put_late(game: Round, paying: AnyEvent) -> list[ChipsToTray]:
    """Return the first chips that went to the tray after a payoff: seen doubtfully, they may have gone before."""
    return [e for e in game.of(ChipsToTray) if e.t_end > paying.t_end][:1]


def _without_returned(held: Sequence[ChipsCollected], back: ChipsReturned) -> list[ChipsCollected]:
    """Return the collections that still have to reach the tray after one of them went back to the player, whole or in
    part.
    """
    own = next((e for e in reversed(held) if (e.at, e.kind) == (back.at, back.kind)), None)
    if own is None:
        return list(held)
    if own.cents is None or back.cents is None or back.cents >= own.cents:
        return [e for e in held if e is not own]
    rest = msgspec.structs.replace(own, cents=own.cents - back.cents)
    return [rest if e is own else e for e in held]


def _trayed(
    game: Round,
    held: Sequence[ChipsCollected],
    trayed: Sequence[ChipsToTray],
    paying: AnyEvent | None,
    late: Sequence[ChipsToTray],
) -> Iterator[Instance]:
    """Tell whether chips went to the tray after each collection, and, where both sums were seen, all of them.

    A sum that nobody saw leaves that part open; what a hand puts in the tray is not to be counted from above.
    """
    whole, given = total(seen(e.cents) for e in held), total(seen(e.cents) for e in trayed)
    full = _reached(total(_at_most(game, e) for e in held), given) if trayed else False
    kept = [] if full else [e for e in held if all(t.t_end <= e.t_start for t in trayed)]
    left = kept if full is None or not trayed else []
    right: bool | None = full is not False
    if left:
        right = None if any(e.to is None for e in left) else False
    due = total(seen(e.cents) for e in left) if left else whole
    before = " before the payoff" if paying is not None else ""
    expected = say.that("collected chips ({due}) are put in the tray before the next payoff", due=due)
    yield judged(
        TRAY,
        right,
        at=held[-1].at,
        key=held[0].id,
        events=[*(left or held), *(() if left else trayed), paying, *(late if right is False else ())],
        expected=expected,
        observed=(
            "the collected chips were not put in the tray"
            if left
            else say.that("{given} were put in the tray", given=given)
        )
        + before,
        also=[] if right else _broken(game, held, kept, whole.less(given)),
        incident=None if right else _tip_kept(game, _missing(held, kept, whole.less(given))),
    )
    if right and full is None and not any(e.weak for e in (*held, *trayed)):
        yield judged(
            TRAY,
            None,
            at=held[-1].at,
            key=f"sum {held[0].id}",
            events=[*held, *trayed, paying],
            expected=expected,
            observed=say.that("{given} went to the tray{before}", given=given, before=before),
            incident="sum trayed",
            uncounted=True,
        )


def _reached(whole: Amount, given: Amount) -> bool | None:
    """Tell whether what went to the tray makes up what was collected; None where a sum was not seen."""
    if not given.exact:
        return None
    if whole.high is not None and given.low >= whole.high:
        return True
    return False if given.low < whole.low else None


def _at_most(game: Round, taken: ChipsCollected) -> Amount:
    """Return what was collected. Where nobody saw how much, it is no more than the stake that lay there."""
    hand = game.hand_at(taken.at)
    if taken.cents is not None or hand is None:
        return seen(taken.cents)
    return Amount(0, stake_of(game, hand, taken.kind).high)


def _missing(held: Sequence[ChipsCollected], kept: Sequence[ChipsCollected], short: Amount) -> Sequence[ChipsCollected]:
    """Return the stakes that did not reach the tray: those collected since the last move to it, else the one that makes
    up what is missing, else all of them.
    """
    return kept or [e for e in held if seen(e.cents) == short] or held


def _tip_kept(game: Round, missing: Sequence[ChipsCollected]) -> str | None:
    """Return the incident of a lost tip that alone did not reach the tray; None where other stakes are missing."""
    hand = game.hand_at(missing[0].at)
    return tip_incident(game, hand) if hand and len(missing) == 1 and missing[0].kind in TIP_KINDS else None


def _broken(game: Round, held: Sequence[ChipsCollected], kept: Sequence[ChipsCollected], short: Amount) -> list[str]:
    """Return the clauses of the stakes that did not reach the tray. Where the stakes are not told apart, return those
    that hold for all.
    """
    clauses = [dict.fromkeys(_clauses(game, e)) for e in _missing(held, kept, short)]
    if kept:
        return list(dict.fromkeys(clause for own in clauses for clause in own))
    return [clause for clause in clauses[0] if all(clause in own for own in clauses)]


def _clauses(game: Round, taken: ChipsCollected) -> Iterator[str]:
    hand = game.hand_at(taken.at)
    if hand is None:
        return
    bust = lost_at_once(game, hand) or (held_order(game) if hand.bust and (hand.split or hand.doubled) else None)
    if bust is not None:
        yield bust
    if taken.kind in TIP_KINDS and outcomes(game, hand) <= LOST:
        yield from (LOST_TIP, LOSE)
