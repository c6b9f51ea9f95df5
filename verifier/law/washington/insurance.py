"""Insurance (A: subsection 16, B: 7): half the wager, asked before looking, two to one."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import Announcement, ChipsCollected, HoleCardCheck, PayoffPlaced
from verifier.law import say
from verifier.law.amounts import seen, total
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.money import stake_of
from verifier.law.registry import WASHINGTON, adopt, round_check
from verifier.law.rounds import Round
from verifier.law.washington.clauses import BEFORE_PEEK, INSURANCE_A, INSURANCE_B


@round_check(INSURANCE_A, rulebooks=("wa-blackjack-a",), partial="undetermined")
def insurance_wagered(game: Round) -> Iterator[Instance]:
    """Insurance is half of the wager, against an ace, where house rules allow it."""
    for hand in game.hands:
        if "insurance" not in hand.tips or not hand.tips["insurance"].placed:
            continue
        placed = hand.tips["insurance"].placed
        allowed, ace = game.house.insurance_allowed, game.dealer.up_ace
        half = stake_of(game, hand, "original").times(1, 2)
        yield judged(
            INSURANCE_A,
            False if False in (allowed, ace) else None if None in (allowed, ace) else True,
            at=hand.place,
            events=placed,
            expected="insurance only against an ace, where house rules allow it",
            observed=say.that("{hand} placed insurance", hand=say.place(hand.place))
            + ("" if allowed is not False else ", which is not allowed here"),
            incident=f"insurance {hand.place}",
        )
        yield judged(
            INSURANCE_A,
            hand.tips["insurance"].amount.equals(half),
            at=hand.place,
            key="half",
            events=placed,
            expected=say.that("insurance is half of the wager, {half}", half=half),
            observed=say.that("{hand} placed {tips}", hand=say.place(hand.place), tips=hand.tips["insurance"].amount),
            incident=f"insurance {hand.place}",
        )
        yield from _settled(game, hand)


def _settled(game: Round, hand: Hand) -> Iterator[Instance]:
    """Insurance pays two to one on a ten-count down card, else it is lost."""
    natural, stake = game.dealer.natural, hand.tips["insurance"].amount
    paid = [e for e in game.at(PayoffPlaced, hand.key) if e.kind == "insurance"]
    taken = [e for e in game.at(ChipsCollected, hand.key) if e.kind == "insurance"]
    if natural is None or game.dealer.up_ace is not True or not (paid or taken or game.closed):
        return
    given = total(seen(e.cents) for e in paid)
    if natural:
        right = False if taken or not paid else given.equals(stake.times(2))
    else:
        right = False if paid or not taken else total(seen(e.cents) for e in taken).equals(stake)
    yield judged(
        INSURANCE_A,
        right,
        at=hand.place,
        key="settled",
        events=[*hand.tips["insurance"].placed, *paid, *taken],
        expected=say.that("insurance is paid {stake}", stake=stake.times(2))
        if natural
        else say.that("insurance of {stake} is collected", stake=stake),
        observed=say.that("{dealer}", dealer=game.dealer.text()).then("it was ")
        + (say.that("paid {given}", given=given) if paid else "collected" if taken else "neither paid nor collected"),
        incident=f"insurance settled {hand.place}",
    )


adopt(("wa-blackjack-b",), insurance_wagered, {INSURANCE_A: INSURANCE_B})


@round_check(BEFORE_PEEK, rulebooks=WASHINGTON)
def asked_before_looking(game: Round) -> Iterator[Instance]:
    """Insurance is asked for before the down card is looked at."""
    checks = game.of(HoleCardCheck)
    if not checks or game.dealer.up_ace is False:
        return
    offers = [a for a in game.of(Announcement) if a.topic == "insurance_offer" and a.t_start <= checks[0].t_start]
    for hand in game.hands:
        placed = hand.tips["insurance"].placed if "insurance" in hand.tips else ()
        late = [w for w in placed if w.t_start >= checks[0].t_end]
        if late or (placed and offers):
            yield judged(
                BEFORE_PEEK,
                not late,
                at=hand.place,
                events=[checks[0], *late],
                expected="insurance is asked for and placed before the down card is looked at",
                observed=say.that("{hand} placed it after that", hand=say.place(hand.place)),
            )
