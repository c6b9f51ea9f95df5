"""Doubles, of wagers and of tips (99-01.3-08-09(2)(d))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import WagerPlaced
from verifier.law import say
from verifier.law.amounts import Amount
from verifier.law.hands import Hand, any_of, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import possible_stakes, stake_of
from verifier.law.nd_twenty_one.s08_09.sub02_wager_changes import early_wager
from verifier.law.nd_twenty_one.shared.positions import in_place
from verifier.law.registry import round_check
from verifier.law.rounds import Round

DOUBLE = "ND-08-09.2.d-double-eligible"
AMOUNT = "ND-08-09.2.d-double-amount"
DOUBLE_ONE = "ND-08-09.2.d-one-card"
TIP_DOUBLE = "ND-08-09.2.d-tip-double-permitted"
TIP_WITH = "ND-08-09.2.d-tip-double-requires-double"
VERTICAL = "ND-08-09.2.d-double-vertical"


@round_check(DOUBLE, DOUBLE_ONE)
def double_eligible(game: Round) -> Iterator[Instance]:
    """Only two cards are doubled, no split ace, and exactly one card follows."""
    for hand in game.hands:
        if not hand.doubled or not hand.stakes["double"].placed:
            continue
        placed = hand.stakes["double"].placed[0]
        before = [c for c in hand.cards if c.t <= placed.t_start + 0.01]
        if len(before) < 2 and len(hand.cards) >= 2 and hand.cards[1].t <= placed.t_end:
            before = list(hand.cards[:2])
        yield judged(
            DOUBLE,
            len(before) == 2 and not hand.ace_split,
            at=hand.place,
            events=[*(c.dealt for c in hand.cards), placed],
            expected="only the first two cards are doubled, and no split ace",
            observed=say.that("{hand} doubled with {before} cards", hand=say.place(hand.place), before=len(before))
            + (" on a split ace" if hand.ace_split else ""),
            incident=doubled_ace(hand) or (early_wager(placed) if len(before) < 2 else None),
            rank=5 if len(before) >= 2 else 6,
        )
        after = len(hand.cards) - len(before)
        if len(before) == 2 and (
            after > 1 or (game.closed and game.turn_t is not None and game.dealer.natural is False)
        ):
            yield judged(
                DOUBLE_ONE,
                after == 1,
                at=hand.place,
                events=[placed, *(c.dealt for c in hand.cards)],
                expected="exactly one card follows a double",
                observed=say.that("{hand} got {after} cards after its double", hand=say.place(hand.place), after=after),
                incident=doubled_ace(hand),
                rank=6,
            )


def doubled_ace(hand: Hand) -> str | None:
    """Return the incident of a split ace that was doubled and perhaps drawn to for it; None for other hands."""
    return f"doubled ace {hand.place}" if hand.ace_split and hand.doubled else None


@round_check(AMOUNT, partial="undetermined")
def double_amount(game: Round) -> Iterator[Instance]:
    """Check that a double equals the wager, or is equal to or less than it where that is the site's option; never
    more.
    """
    for hand in game.hands:
        kind = "original" if hand.key[1] == 0 else "split"
        if not hand.doubled or kind not in hand.stakes:
            continue
        own, base = stake_of(game, hand, "double"), stake_of(game, hand, kind)
        right = any_of(_within(own, b, game.rules.double_amount) for b in possible_stakes(game, hand, kind))
        yield judged(
            AMOUNT,
            right,
            at=hand.place,
            uncounted=right is None and not (own.exact and base.exact),
            events=hand.stakes["double"].placed,
            expected=say.that("the double of {hand} ", hand=say.place(hand.place))
            + ("is equal to or less than" if game.rules.double_amount == "equal_or_less" else "equals")
            + say.that(" {base}", base=base),
            observed=say.that("{hand} doubled with {own}", hand=say.place(hand.place), own=own),
        )


def _within(own: Amount, base: Amount, option: str | None) -> bool | None:
    if base.high is not None and own.low > base.high:
        return False
    if own.equals(base):
        return True
    if option is None or not (own.exact and base.exact):
        return None
    return option == "equal_or_less"


@round_check(TIP_DOUBLE, TIP_WITH, needs={"tip_double_down": None}, partial="undetermined")
def tip_double(game: Round) -> Iterator[Instance]:
    """Check that a tip is doubled only where permitted, with the hand, and within the option."""
    option = game.house.tip_double_down
    for wager in game.of(WagerPlaced):
        if wager.kind != "tip_double":
            continue
        key = hand_key(wager.at)
        hand = game.by_key.get(key) if key else None
        right: bool | None = False
        counted = True
        if option in ("equal", "equal_or_less") and hand is not None and ("tip" in hand.tips or not game.bets_seen):
            own, tip = stake_of(game, hand, "tip_double"), stake_of(game, hand, "tip")
            right, counted = _within(own, tip, option), own.exact and tip.exact
        yield judged(
            TIP_DOUBLE,
            right,
            at=wager.at,
            key=wager.id,
            events=[wager],
            uncounted=right is None and not counted,
            expected="a tip is doubled only as the site permits",
            observed=say.that("{wager} doubled its tip", wager=say.place(wager.at)),
            incident=f"tip double {wager.at}" if not (hand and hand.doubled) else None,
            rank=6,
        )
        yield judged(
            TIP_WITH,
            hand is not None and hand.doubled,
            at=wager.at,
            key=wager.id,
            events=[wager],
            expected="a tip is doubled only with the hand",
            observed=say.that("{wager} doubled its tip but not its wager", wager=say.place(wager.at)),
            incident=f"tip double {wager.at}",
        )


@round_check(VERTICAL, partial="keep", reads=("position of double wager",))
def double_vertical(game: Round) -> Iterator[Instance]:
    """Check that what doubles a wager or a tip lies before or behind it, not beside it."""
    for wager in game.of(WagerPlaced):
        if wager.kind in ("double", "tip_double"):
            yield from in_place(
                VERTICAL,
                wager,
                "vertical",
                at=wager.at,
                expected=say.that("the double of {wager} lies vertical to the wager", wager=say.place(wager.at)),
                observed=say.that(
                    "the double of {wager} does not lie before or behind the wager", wager=say.place(wager.at)
                ),
            )
