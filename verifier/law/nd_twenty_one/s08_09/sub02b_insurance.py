"""Insurance: when, how much, where (99-01.3-08-09(2)(b))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, WagerMoved
from verifier.law import say
from verifier.law.amounts import Amount
from verifier.law.hands import Stake, space_of
from verifier.law.instances import Instance, judged
from verifier.law.money import stake_of
from verifier.law.nd_twenty_one.s08_09.sub01_limits import most_wagered
from verifier.law.nd_twenty_one.s08_11.sub04_signals import is_hit
from verifier.law.nd_twenty_one.shared.insurance import insured
from verifier.law.nd_twenty_one.shared.positions import in_place
from verifier.law.registry import round_check
from verifier.law.rounds import Round

ONLY_ACE = "ND-08-09.2.b-insurance-only-ace"
HALF = "ND-08-09.2.b-insurance-half"
NO_TIP = "ND-08-09.2.b-no-tip-insurance"
MOVED = "ND-08-09.2.b-insurance-reposition"
LINE = "ND-08-09.2.b-insurance-line"
EMPTY = Stake()


@round_check(ONLY_ACE, partial="undetermined")
def insurance_only_ace(game: Round) -> Iterator[Instance]:
    """Insurance only against an ace, and only where the organization permits it."""
    for hand in insured(game):
        right, allowed = game.dealer.up_ace, game.house.insurance_allowed
        if not allowed and right is not False:
            right = allowed  # not permitted, or not told whether it is
        yield judged(
            ONLY_ACE,
            right,
            at=hand.place,
            events=hand.tips["insurance"].placed,
            uncounted=allowed is None,
            expected="insurance is bet only where it is permitted and the faceup card is an ace",
            observed=say.that(
                "{hand} bet insurance while {dealer} showed", hand=say.place(hand.place), dealer=game.dealer.text()
            )
            + {True: "", False: ", and insurance is not permitted here", None: ""}[allowed]
            + ("; whether insurance is permitted here is not configured" if allowed is None else ""),
        )


@round_check(HALF, NO_TIP, partial="undetermined")
def insurance_half(game: Round) -> Iterator[Instance]:
    """Insurance is exactly half of the original wager."""
    for hand in insured(game):
        wager, bet = stake_of(game, hand, "original"), stake_of(game, hand, "insurance")
        if bet.exact and wager.high is None:  # what a wager holds above the limit is not in play (09(1))
            wager = Amount(wager.low, max(wager.low, most_wagered(game.house, game.figures)))
        half = wager.times(1, 2)
        right = bet.low * 2 == wager.low if bet.exact and wager.exact else half.equals(bet)
        if right and not (bet.exact and wager.exact):
            right = None
        over_tip = right is not None and "tip" in hand.tips and (right or bet.low * 2 > wager.low)
        yield judged(
            HALF,
            right,
            at=hand.place,
            uncounted=right is None,
            events=[*hand.stakes.get("original", EMPTY).placed, *hand.tips["insurance"].placed],
            expected=say.that("insurance is half of {wager}", wager=wager).detail("{half}", half=half),
            observed=say.that("{hand} bet {bet} on insurance", hand=say.place(hand.place), bet=bet),
            also=[NO_TIP] if over_tip else [],
        )


@round_check(LINE, partial="keep", reads=("position of insurance",))
def insurance_on_line(game: Round) -> Iterator[Instance]:
    """Check that the player lays insurance on the insurance line."""
    for hand in insured(game):
        for bet in hand.tips["insurance"].placed:
            yield from in_place(
                LINE,
                bet,
                "insurance_line",
                at=hand.place,
                expected=say.that("{hand} lays its insurance on the insurance line", hand=say.place(hand.place)),
                observed=say.that("the insurance bet of {hand} was laid beside the line", hand=say.place(hand.place)),
            )


@round_check(MOVED)
def insurance_repositioned(game: Round) -> Iterator[Instance]:
    """Check that the dealer moves each insurance bet beside the cards before play goes on."""
    for hand in insured(game):
        placed = hand.tips["insurance"].placed
        if not placed:
            continue
        moves = [m for m in game.of(WagerMoved) if m.kind == "insurance" and space_of(m.from_) == hand.key[0]]
        if not moves and not game.closed:
            continue
        on = min((c.t_end for c in game.of(CardDealt) if is_hit(game, c) and c.t_end > placed[0].t_end), default=None)
        late = bool(moves) and on is not None and moves[0].t_start >= on
        yield judged(
            MOVED,
            bool(moves) and not late,
            at=hand.place,
            events=[*placed, *moves[:1]],
            expected=say.that(
                "the dealer moves the insurance bet of {hand} beside its cards before play goes on",
                hand=say.place(hand.place),
            ),
            observed=say.that("the insurance bet of {hand} was left where it was placed", hand=say.place(hand.place))
            + (" until a card had been drawn" if late else ""),
        )
