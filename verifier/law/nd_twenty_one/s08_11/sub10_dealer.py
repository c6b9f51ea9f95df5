"""The dealer's own hand: the second card, drawing to 17, staying, burning an over-draw (99-01.3-08-11(10), 12(10))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, HoleCardCheck, OverlayRead
from verifier.engine.totals import Total, possible_totals
from verifier.law import say
from verifier.law.hands import Hand, HeldCard, agree, cards_text
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money
from verifier.law.nd_twenty_one.s08_13.sub01_posted import posted
from verifier.law.nd_twenty_one.shared.positions import in_place
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.rows import of_row, ours
from verifier.law.session import Session

DRAW = "ND-08-11.10.f-draw-to-17"
STAND = "ND-08-11.10.g-stand-17"
SOFT_17 = "ND-08-11.10.g-soft17-option"
SOFT_HIGH = "ND-08-11.10.g-soft18-21"
OVERDRAW = "ND-08-12.10-dealer-overdraw-burn"
UNSEEN = "ND-08-11.10-second-unseen"
SOFT_17_POSTED = "ND-08-11.10.g-soft17-posted"
HIT_POSITION = "ND-08-11.10.f-hit-position"


@round_check(STAND, SOFT_17, SOFT_HIGH, OVERDRAW, partial="undetermined")
def dealer_stays(game: Round) -> Iterator[Instance]:
    """No card drawn at 17 or more is kept, but for a permitted soft seventeen."""
    cards = game.dealer.cards
    if len(cards) < 2:
        return
    if game.turned is None and game.turn_t is None:
        return
    for index in range(2, len(cards)):
        yield from _draw(game, cards[:index], cards[index])
    if len(cards) == 2 or game.closed:
        yield judged(STAND, True, at="dealer", key="end")
    yield from _soft_17_kept(game)
    for card, burn in game.dealer.burned:
        if card.revealed is None and card.dealt.face == "up":
            yield judged(OVERDRAW, True, at="dealer", key=burn.id)


@round_check(HIT_POSITION, partial="keep", reads=("position of the dealer's draw",))
def drawn_to_the_right(game: Round) -> Iterator[Instance]:
    """Check that a card that the dealer draws lies at the immediate right of those before it."""
    for card in game.of(CardDealt):
        if card.to == "dealer":
            yield from in_place(
                HIT_POSITION,
                card,
                "right",
                at="dealer",
                expected="a card that the dealer draws is laid at the immediate right of those before it",
                observed="a card that the dealer drew was laid elsewhere",
            )


def _soft_17_kept(game: Round) -> Iterator[Instance]:
    """Leave open a soft 17 that the site lets its dealers hit and this one did not: the text says may, the felt says
    must.
    """
    cards, scope = game.dealer.cards, game.house.soft_17_scope
    hits = agree(game.rules.hits(total, len(cards)) for total in game.dealer.totals)
    if hits and game.closed and (len(cards) == 2 or scope) and any(_in_play(game, hand) for hand in game.playing):
        yield judged(
            SOFT_17,
            None,
            at="dealer",
            key="kept",
            events=[card.dealt for card in cards],
            severity="minor",
            expected="the site's dealers treat a soft 17 alike",
            observed=say.that(
                "the dealer stayed on {cards_text}, which is hit here", cards_text=cards_text(cards, game.dealer.totals)
            ),
        )


def _draw(game: Round, before: tuple[HeldCard, ...], drawn: HeldCard) -> Iterator[Instance]:
    totals = possible_totals([card.ranks for card in before])
    allowed = agree(game.rules.may_draw(total, len(before)) for total in totals)
    clause, also = _clauses(game, totals)
    if (
        allowed
        and clause == SOFT_17
        and len(before) > 2
        and game.house.soft_17_scope is None
        and not game.rules.must_hit
    ):
        yield judged(
            SOFT_17,
            None,
            at="dealer",
            key=drawn.dealt.id,
            events=[*(c.dealt for c in before), drawn.dealt],
            expected="a soft 17 of an ace and a six is hit; whether one of more cards may be is for the site to say",
            observed=say.that("the dealer drew on {cards_text}", cards_text=cards_text(before, totals)),
        )
        return
    if allowed:
        yield judged(clause if clause == SOFT_17 else STAND, True, at="dealer", key=drawn.dealt.id)
        return
    minor = clause == SOFT_17
    yield judged(
        clause,
        allowed,
        at="dealer",
        key=drawn.dealt.id,
        events=[*(c.dealt for c in before), game.turned, drawn.dealt],
        expected=say.that("the dealer stays on {cards_text}", cards_text=cards_text(before, totals)).then(
            "a card drawn is burned"
        ),
        observed=say.that("the dealer drew on {cards_text} and kept the card", cards_text=cards_text(before, totals)),
        also=also,
        incident="dealer hand",
        rank=1,
        severity="minor" if minor else None,
    )


def _clauses(game: Round, totals: frozenset[Total]) -> tuple[str, tuple[str, ...]]:
    """Clause and companions for a draw on these totals."""
    soft = all(total.soft for total in totals)
    if soft and game.house.hit_soft_17 and all(total.best == 17 for total in totals):
        return SOFT_17, ()
    if soft and all(total.best >= 18 for total in totals):
        return SOFT_HIGH, (STAND, OVERDRAW)
    return STAND, (OVERDRAW,)


@round_check(DRAW, partial="undetermined")
def dealer_draws(game: Round) -> Iterator[Instance]:
    """While a hand remains in play the dealer draws until the total exceeds 16."""
    active = [hand for hand in game.playing if _in_play(game, hand) is not False]
    if not active or len(game.dealer.cards) < 2 or game.turn_t is None or not game.dealer.totals:
        return
    certain = any(_in_play(game, hand) for hand in active)
    if not game.closed:
        certain = False
    enough = agree(total.best >= 17 for total in game.dealer.totals)
    if enough is None and game.closed and game.turned is None and not game.no_hole:
        return
    right = True if enough else (enough if certain else None)
    if right is None and not game.closed:
        return
    cards = game.dealer.cards
    yield judged(
        DRAW,
        right,
        at="dealer",
        events=[*(card.dealt for card in cards), game.turned],
        expected="the dealer draws until the total exceeds 16",
        observed=say.that("{dealer}", dealer=game.dealer.text()).detail("the dealer stopped while ")
        + say.listed(", ", (say.place(hand.place) for hand in active))
        + " remained in play",
        incident="dealer hand",
        rank=1,
    )


def _in_play(game: Round, hand: Hand) -> bool | None:
    """Tell whether the dealer's draws matter for a hand."""
    if hand.bust or even_money(game, hand):
        return False
    if hand.natural and not hand.doubled:
        return False
    if game.dealer.natural:
        return False
    return None if hand.bust is None or hand.natural is None or game.dealer.natural is None else True


@round_check(UNSEEN, needs={"dealing_method": "no_hole_card"})
def second_unseen(game: Round) -> Iterator[Instance]:
    """Without a hole card the dealer draws the second card without looking at it."""
    for check in game.of(HoleCardCheck):
        if check.how == "peek":
            yield judged(
                UNSEEN,
                False,
                at="dealer",
                key=check.id,
                events=[check],
                expected="the second card is drawn and placed without a look at its value",
                observed="the dealer looked at it first",
            )


@session_check(SOFT_17_POSTED, needs={"hit_soft_17": True}, reads=("disclosure", "overlay_read of felt"))
def soft_17_posted(session: Session) -> Iterator[Instance]:
    """Where the dealer may hit a soft 17, that is posted."""
    for entry in ours(session, "disclosure"):
        value = posted(entry, ("soft_17", "hit_soft_17", "soft17", "dealer_hits_soft_17"))
        if value is not None:
            yield of_row(
                SOFT_17_POSTED,
                value not in (False, ""),
                entry,
                expected="that the dealer hits a soft 17 is posted",
                observed="it is not posted",
            )
    for event in session.of(OverlayRead):
        if event.what == "felt" and event.text and "soft" in event.text.lower():
            yield judged(SOFT_17_POSTED, True, key=event.id)
