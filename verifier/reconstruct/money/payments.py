"""Events of a space's settlement: collections, payments with their fans, ties tapped, hands clear of the chips."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from verifier.domain.events import ChipsCollected, ChipsFanned, ChipsFromTray, PayoffPlaced
from verifier.reconstruct import parameters as par
from verifier.reconstruct.leaning import hidden_from
from verifier.reconstruct.money.cleared import clear_stretch, last_over, spread_by, spread_from, touched_by
from verifier.reconstruct.money.fetched import brought
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.rowvalues import set_sizes
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.sums import doubled, joined, perhaps_single, single
from verifier.reconstruct.money.taken import both_came, nobody_near, taken_by
from verifier.reconstruct.money.taps import taps_of_space
from verifier.reconstruct.scene import Drafts, RoundScene, event, hands_clear
from verifier.reconstruct.table.positions import UNSEEN, Found, paid_beside
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import Xy, distance


def settlement_events(scene: RoundScene, settled: Sequence[Settled], settle_from: float) -> Drafts:
    """Events of one space's settlement."""
    drafts: Drafts = [_collected(scene, one) for one in settled if one.taken]
    kept = [one for one in settled if not one.taken]
    ties = []
    for place in sorted({one.stake.place for one in kept}):
        hand = [one for one in kept if one.stake.place == place]
        paid = [one for one in hand if one.payoffs]
        if paid:
            drafts += _pay(scene, paid, settle_from)
        else:
            ties.append(hand[0].stake)
    return drafts + taps_of_space(scene, ties, settle_from)


def amounts_shown(settled: Sequence[Settled]) -> dict[int, Pile]:
    """By stake (its object id), the pile that shows all its chips: a fan, or one chip that hides no other."""
    shown = {}
    for one in settled:
        payoff = joined(one.payoffs) if one.payoffs else None
        if one.own is not None and (one.own.fan or (payoff is not None and _wager_alone(one, payoff))):
            shown[id(one.stake)] = one.own
    return shown


def _wager_alone(one: Settled, payoff: Pile) -> bool:
    """Tell whether a stake is the one chip that shows of it."""
    insured = one.stake.kind == "insurance"
    return one.own is not None and (single(one.own, payoff) or (insured and doubled(one.own, payoff)))


def _payoff_alone(one: Settled, payoff: Pile) -> bool:
    """Tell whether a payoff is the one chip that shows of it."""
    return single(payoff, one.own) or (payoff.size == 1 and _wager_alone(one, payoff))


def _collected(scene: RoundScene, one: Settled) -> ChipsCollected:
    stake, last = one.stake, one.stake.last
    pile = Pile((last,))
    t0, t1 = _leaving(scene, last.xy, last.seen_to, last.t1)
    together = both_came(scene, last.xy, last.seen_to, t1)
    side = "both" if together else scene.hands.side_at([last.xy], last.seen_to - par.SLACK_S, t1 + par.SLACK_S)
    t1 = max(t1, one.picked or t1) if nobody_near(scene, last) else t1
    p = par.PAYMENT_PLAYERS_P if taken_by(scene, stake) == "player" else par.BEST_P
    p = par.WEAK_P if last.t1 - last.seen_to > par.PAYMENT_HIDDEN_S and not one.with_cards else p
    return event(
        ChipsCollected, t0, t1, min(p, pile.p), kind=stake.kind, at=stake.place, cents=None, to="hand", hand=side
    )


def _leaving(scene: RoundScene, xy: Xy, seen: float, bare: float) -> tuple[float, float]:
    """When a hand took what lay at `xy`: in the visit of the first hand that was there since the last detection of it.

    Where none was seen there, from that sight to the bare place; where nobody looked before the visit, from that sight.
    """
    over = [
        hand.t
        for hand in scene.hands.between(seen - par.TWO_LOOKS_S, bare, "dealer")
        if hand.over(xy, par.HAND_OWNER_MM)
    ]
    visits = [run for run in runs_of(over, par.HAND_MISSED_S) if run[1] >= seen]
    t1 = min(bare, visits[0][1] + par.TRAY_RECORD_S) if visits else bare
    came = visits[0][0] if visits else seen
    t0 = came - par.PAYMENT_CAME_S if scene.hands.blind(seen, came) is None else seen
    return min(max(seen, t0), t1), t1


class Paid(Struct, frozen=True):
    """A stake's own pile with its payoff, and when the payoff was first seen."""

    one: Settled
    pile: Pile
    placed: float


def _pay(scene: RoundScene, hand: Sequence[Settled], settle_from: float) -> Drafts:
    """Return the payment of a winning hand: fans of its stakes, chips from the tray, payoffs and their fans, hands
    clear.
    """
    paid = [_paid(scene, one, settle_from) for one in hand]
    points = [dwell.xy for each in paid for dwell in each.pile.dwells]
    side, at_tray = brought(scene, points, min(each.placed for each in paid))
    taken = _from_tray(scene, paid, side, at_tray)
    drafts: Drafts = [taken]
    for each in paid:
        drafts += _wager_fan(scene, each, settle_from, taken.t_start - par.MARK_S)
        drafts.append(_payoff(scene, each, side, _where(each, paid)))
        drafts += _payoff_fan(scene, each)
    return drafts + _clear(scene, paid)


def _paid(scene: RoundScene, one: Settled, settle_from: float) -> Paid:
    """Return the payoff of a stake. A payoff that was never seen as a stack was placed before its fan all the same."""
    pile = joined(one.payoffs)
    placed = _first_seen(scene, pile, one, settle_from)
    return Paid(one, pile, min(placed, pile.since - par.PAYOFF_SPREAD_BEFORE_S) if pile.fan else placed)


def _wager_fan(scene: RoundScene, paid: Paid, settle_from: float, until: float) -> Drafts:
    """Return a wager's fan. A single chip lies free all along: it is looked at right before `until`, when chips are
    taken.

    One that the first look at its payoff showed, too, was made before.
    """
    own, stake = paid.one.own, paid.one.stake
    if own is not None and own.fan:
        births = [dwell.t0 for dwell in own.dwells if dwell.t0 >= settle_from] or [paid.placed]
        spread = touched_by(scene.hands, own.dwells, max(births))
        gap = _hidden(scene, paid.one, min(births)) or scene.hands.unwatched(own.xy, min(births))
        begun = spread_from(scene, own, min([*births, spread]))
        begun = min(begun, until) if max(births) <= min(dwell.t0 for dwell in paid.pile.dwells) else begun
        fan = _fan(scene, "wager", stake, own, min([begun, *(gap or ())]), spread)
        by_another = max(births) > paid.placed - par.LAYING_S  # seen only as the payoff was brought
        return [structs.replace(fan, hand=None) if by_another or gap else fan]
    alone = _wager_alone(paid.one, paid.pile)
    if own is None or not (alone or perhaps_single(own, paid.pile)):
        return []
    fan = _fan(scene, "wager", stake, own, until - par.SLACK_S, until)
    return [fan if alone else structs.replace(fan, p=par.WEAK_P)]


def _hidden(scene: RoundScene, one: Settled, t: float) -> tuple[float, float] | None:
    """Return the stretch in which something hid a stake, as who leans over it does, if it showed again at `t` or
    later.
    """
    last = one.stake.last
    shown = min(
        (dwell.t0 for dwell in (one.own.dwells if one.own else ()) if dwell.t0 > last.seen_to), default=last.seen_to
    )
    return (last.seen_to, shown) if t <= shown and hidden_from(scene, last, last.seen_to, shown) else None


def _where(each: Paid, paid: Sequence[Paid]) -> Found:
    """Tell whether a payoff lies beside the stakes of its hand; of insurance and of undivided piles it is not told."""
    if each.one.stake.kind == "insurance" or each.pile.undivided:
        return UNSEEN
    own = [dwell.xy for other in paid if other.one.own is not None for dwell in other.one.own.dwells]
    return paid_beside([*own, *(other.one.stake.anchor for other in paid)], [dwell.xy for dwell in each.pile.dwells])


def _payoff(scene: RoundScene, paid: Paid, side: str | None, where: Found) -> PayoffPlaced:
    """Return a payoff, weak where something hid it as it was laid: nobody knows when that was."""
    pile, stake, t = paid.pile, paid.one.stake, paid.placed
    whole = pile.fan or _payoff_alone(paid.one, pile)
    unseen = scene.hands.hidden_since(pile.xy, t) is not None or _hidden(scene, paid.one, t) is not None
    p = min(pile.laid_p, par.WEAK_P) if unseen else pile.laid_p
    return event(
        PayoffPlaced,
        t - par.LAYING_S,
        t,
        p,
        kind=stake.kind,
        at=stake.place,
        cents=pile.cents,
        chips=pile.chips,
        hand=side,
        lower_bound=None if whole else True,
        position=where.position,
        position_p=where.p,
    )


def _payoff_fan(scene: RoundScene, paid: Paid) -> Drafts:
    pile, t0 = paid.pile, paid.placed + par.MARK_S
    if pile.fan:
        return [_fan(scene, "payoff", paid.one.stake, pile, t0, max(spread_by(scene, pile), t0 + par.MARK_S))]
    if _payoff_alone(paid.one, pile):
        return [_fan(scene, "payoff", paid.one.stake, pile, t0, t0 + par.MARK_S)]
    return []


def _first_seen(scene: RoundScene, paid: Pile, one: Settled, settle_from: float) -> float:
    """When the payoff first lay there, as a stack or already spread; a neighbour's chip beside it lies on."""
    near = [
        dwell.t0
        for dwell in scene.dwells.get(one.stake.space, ())
        if dwell.t0 >= settle_from
        and dwell.t1 <= paid.since + 0.5
        and min(distance(dwell.xy, mine.xy) for mine in paid.dwells) <= par.PAYMENT_OF_MM
        and distance(dwell.xy, one.stake.anchor) > par.STAKE_OWN_ROW_MM
        and dwell not in (one.own.dwells if one.own else ())
    ]
    return min([*near, *(dwell.t0 for dwell in paid.dwells)])


def _fan(scene: RoundScene, owner: str, stake: Stake, pile: Pile, t0: float, t1: float) -> ChipsFanned:
    left = last_over(scene.hands, pile.dwells, t1)
    side = (
        scene.hands.side_at([dwell.xy for dwell in pile.dwells], min(t0, left) - par.LAYING_S, left)
        if pile.fan
        else None
    )
    p = pile.laid_p if owner == "payoff" else pile.p
    return event(
        ChipsFanned,
        t0,
        t1,
        p,
        owner=owner,
        at=stake.place,
        cents=pile.cents,
        kind=stake.kind,
        chips=pile.chips,
        hand=side,
        direction=_direction(scene, pile, stake, owner),
        set_sizes=set_sizes(pile, stake.anchor),
    )


def _direction(scene: RoundScene, pile: Pile, stake: Stake, owner: str) -> str | None:
    """Which way a row was spread; a wager's from where it lay before, if that was seen: toward dealer or player."""
    said = pile.direction()
    if not scene.begun:
        return said
    out = [stake.anchor[1] - dwell.xy[1] for dwell in pile.dwells]
    if (
        said == "dealer"
        and owner == "wager"
        and min(out) > -par.STAKE_OWN_ROW_MM / 2
        and max(out) > par.STAKE_OWN_ROW_MM / 2
    ):
        return "player"
    return said


def _from_tray(scene: RoundScene, paid: Sequence[Paid], side: str | None, at_tray: float | None) -> ChipsFromTray:
    """Return the chips taken for a hand; they may have been in what nobody looked at since a hand was at the tray."""
    placed = min(each.placed for each in paid)
    t = placed - par.FETCH_CARRY_S if at_tray is None else at_tray
    unseen = scene.hands.blind(t, placed)
    whole = joined([each.pile for each in paid])
    shown = all(each.pile.fan or _payoff_alone(each.one, each.pile) for each in paid)
    return event(
        ChipsFromTray,
        t - par.FETCH_GRIP_S,
        unseen[1] if unseen else t,
        par.FETCH_UNSEEN_P if at_tray is None or unseen else par.SEEN_P,
        cents=whole.cents if shown else None,
        chips=whole.chips if shown else None,
        hand=None if unseen else side,
        origin="settlement",
    )


def _clear(scene: RoundScene, paid: Sequence[Paid]) -> Drafts:
    one = paid[0].one
    points = [
        dwell.xy for each in paid for pile in (each.pile, each.one.own) if pile is not None for dwell in pile.dwells
    ]
    spread = max(max(spread_by(scene, each.pile), each.placed + par.SLACK_S) for each in paid)
    stretch = clear_stretch(scene, points, spread + par.MARK_S)
    return [] if stretch is None else [hands_clear(stretch, par.SURELY_SEEN_P, one.stake.place)]
