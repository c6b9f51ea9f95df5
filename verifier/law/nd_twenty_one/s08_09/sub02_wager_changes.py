"""When a wager is placed, and changes after the first card (99-01.3-08-09(2), 11(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, ChipsCollected, PayoffPlaced, PushTapped, Touch, WagerChanged, WagerPlaced
from verifier.law import say
from verifier.law.amounts import seen, total
from verifier.law.hands import Hand, Stake, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import fanned
from verifier.law.nd_twenty_one.s08_09.sub01_limits import same_value
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.say import Said

UNCHANGED = "ND-08-09.2-no-change-after-first-card"
REMOVED = "ND-08-11.2-no-remove-chip"
BEFORE = "ND-08-09.2-original-before-cards"
EXTRA = "ND-08-09.2-extra-wagers-after-two"


@round_check(UNCHANGED, REMOVED, partial="undetermined")
def unchanged(game: Round) -> Iterator[Instance]:
    """After the first card no original wager or tip changes until it is settled."""
    first = game.first_card
    if first is None:
        return
    for hand in game.hands:
        for kind in ("original", "tip"):
            stake = hand.stakes.get(kind) or hand.tips.get(kind)
            if stake is not None and stake.placed:
                yield from _changes(game, hand, kind, stake, first)


def _changes(game: Round, hand: Hand, kind: str, stake: Stake, first: CardDealt) -> Iterator[Instance]:
    end = _settled_t(game, hand, kind)
    returned = total(seen(e.cents) for e in stake.returned)
    problems: list[tuple[bool | None, WagerChanged | WagerPlaced]] = []
    for change in stake.changed:
        if change.t_end > first.t_end and change.t_start < end:
            sure = change.t_start >= first.t_start
            same = same_value(change, returned)
            problems.append((same if sure or same else None, change))
    late = [w for w in stake.placed if w.t_start >= first.t_end]
    first_lay_then = kind != "tip" and len(late) == len(stake.placed)
    if not first_lay_then:  # that is `before_first_card`'s
        problems += [(False, w) for w in late if w.t_start < end]
    for right, event in problems:
        taken = isinstance(event, WagerChanged) and _may_be_less(event)
        yield judged(
            UNCHANGED,
            right,
            at=hand.place,
            key=event.id,
            events=[event],
            expected=_stays(hand, kind),
            observed=_change_words(hand, kind, stake, event),
            also=[REMOVED] if taken else [],
            incident=f"change {hand.place} {kind}",
        )
    if not problems:
        yield from _touched(game, hand, kind, first, end)
        yield _as_fanned(game, hand, kind, stake)


def _stays(hand: Hand, kind: str) -> say.Said:
    return say.that(
        "the {kind} wager of {hand} stays as it was when the first card was dealt",
        kind=kind,
        hand=say.place(hand.place),
    )


def _touched(game: Round, hand: Hand, kind: str, first: CardDealt, end: float) -> Iterator[Instance]:
    """Leave open whether a wager that a player touched in play is what it was, unless the touch moved nothing."""
    for touch in game.at(Touch, hand.key) if kind == "original" else ():
        asked = touch.by == "player" and touch.object == "wager" and touch.displaced is not False
        if asked and touch.t_start >= first.t_start and touch.t_start < end:
            yield judged(
                UNCHANGED,
                None,
                at=hand.place,
                key=touch.id,
                events=[touch],
                expected=_stays(hand, kind),
                observed=say.that(
                    "a player touched it at {t_start} s, and whether chips were added or taken was not seen",
                    t_start=say.moment(touch.t_start),
                ),
                also=[REMOVED],
                incident=f"change {hand.place} {kind}",
            )


def _as_fanned(game: Round, hand: Hand, kind: str, stake: Stake) -> Instance:
    """Compare a wager that nobody was seen to change with what its fan showed, if both amounts are known."""
    shown = fanned(game, hand, kind)
    if shown is None or not stake.amount.exact:
        return judged(UNCHANGED, True, at=hand.place, key=kind)
    same = shown.equals(stake.amount) is not False
    return judged(
        UNCHANGED,
        same,
        at=hand.place,
        key=kind,
        events=stake.placed,
        expected=say.that(
            "the {kind} wager of {hand} stays at {stake}", kind=kind, hand=say.place(hand.place), stake=stake.amount
        ),
        observed=say.that(
            "{hand} wagered {stake} and its fan showed {shown}",
            hand=say.place(hand.place),
            stake=stake.amount,
            shown=shown,
        ),
        also=[REMOVED] if shown.low < stake.amount.low else [],
        incident=f"change {hand.place} {kind}",
    )


def _settled_t(game: Round, hand: Hand, kind: str) -> float:
    own = (kind,) if kind == "tip" else ("original", "double", "split")
    money: list[PayoffPlaced | ChipsCollected] = [*game.at(PayoffPlaced, hand.key), *game.at(ChipsCollected, hand.key)]
    times = [e.t_start for e in money if e.kind in own or kind == "tip"]
    times += [e.t_start for e in game.at(PushTapped, hand.key)]
    return min(times, default=float("inf"))


def _may_be_less(change: WagerChanged) -> bool:
    """Tell whether chips were taken, or may have been: of a stack that is not spread the worth is not seen."""
    return change.cents_before is None or change.cents_after is None or change.cents_after < change.cents_before


def _change_words(hand: Hand, kind: str, stake: Stake, event: WagerChanged | WagerPlaced) -> Said:
    if event is stake.placed[0]:
        return say.that(
            "the first chips of the {kind} wager of {hand} were placed after the first card",
            kind=kind,
            hand=say.place(hand.place),
        )
    if isinstance(event, WagerPlaced):
        return say.that(
            "more chips ({cents}) were added to the {kind} wager of {hand} after the first card",
            cents=seen(event.cents),
            kind=kind,
            hand=say.place(hand.place),
        )
    if event.cents_before is None and event.cents_after is None:
        return say.that(
            "the {kind} wager of {hand} was changed at {t_start} s, after the first card, by chips not "
            "seen, or its top chip was turned",
            kind=kind,
            hand=say.place(hand.place),
            t_start=say.moment(event.t_start),
        )
    return say.that(
        "the {kind} wager of {hand} went from {cents_before} to {cents_after} at {t_start} s, after the first card",
        kind=kind,
        hand=say.place(hand.place),
        cents_before=seen(event.cents_before),
        cents_after=seen(event.cents_after),
        t_start=say.moment(event.t_start),
    )


@round_check(BEFORE, partial="undetermined")
def before_first_card(game: Round) -> Iterator[Instance]:
    """Check that an original wager lies before the first card."""
    first = game.first_card
    if first is None:
        return
    for hand in game.hands:
        stake = hand.stakes.get("original")
        if stake is None or not stake.placed:
            continue
        laid = stake.placed[0]
        late = laid.t_start >= first.t_end
        unsure = laid.t_start < first.t_start and laid.t_end > first.t_end
        yield judged(
            BEFORE,
            None if unsure else not late,
            at=hand.place,
            events=[first, *stake.placed],
            expected="an original wager is placed before the first card of the round",
            observed=say.that("{hand} placed its wager after the first card", hand=say.place(hand.place))
            + (", or began to before it" if unsure else ""),
            also=[UNCHANGED],
        )


@round_check(EXTRA)
def extra_after_two(game: Round) -> Iterator[Instance]:
    """Insurance, split and double wagers follow the second card of every space."""
    for wager in game.of(WagerPlaced):
        if wager.kind not in ("insurance", "split", "double", "tip_double") or game.deal_end is None:
            continue
        yield judged(
            EXTRA,
            wager.t_end >= game.deal_end - 0.01 or _late_second(game, wager),
            at=wager.at,
            key=wager.id,
            events=[wager],
            expected=say.that("a {kind} wager follows the second card of every space", kind=wager.kind),
            observed=say.that("{wager} placed a {kind} wager before that", wager=say.place(wager.at), kind=wager.kind),
            incident=early_wager(wager),
        )


def early_wager(wager: WagerPlaced) -> str:
    """Return the incident of a wager that was laid too early, before its hand had two cards or another had."""
    return f"early {wager.id}"


def _late_second(game: Round, wager: WagerPlaced) -> bool:
    """Tell whether only a late second card of 12(2) came after the wager."""
    key = hand_key(wager.at)
    later = [h for h in game.hands if len(h.dealt) > 1 and h.key[1] == 0 and h.dealt[1].t_end > wager.t_end]
    if len(later) != 1 or key is None or later[0].key[0] == key[0]:
        return False
    return game.no_hole or len(game.dealer_dealt) < 2 or later[0].dealt[1].t_start > game.dealer_dealt[1].t_start
