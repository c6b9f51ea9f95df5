"""The deal: order, faces, the turning of the dealer's two cards (Dealing 4, 6 and 8).

Where a rulebook deals the first dealer card face up (`Rules.both_down` false), that is what is expected of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import CardDealt, CardRevealed, CardsMoved, ChipsReturned, HandSignal
from verifier.law import say
from verifier.law.hands import Hand, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import CLOCKWISE, DEALER_FACE_UP, FACE_UP, HOLE_LAST, ORDER
from verifier.law.manual.live import live_hands
from verifier.law.nd_twenty_one.s08_11.sub04_signals import DECISIONS, decided_only_after, signals
from verifier.law.orders import possible_orders
from verifier.law.registry import MANUAL, round_check
from verifier.law.rounds import Round
from verifier.law.say import Said

_DEALER = 0


def dealt_spaces(game: Round) -> list[int]:
    """Spaces that are to be dealt a hand: a wager lies there, or cards went there."""
    back = {hand_key(e.at) for e in game.of(ChipsReturned) if game.first_card and e.t_end <= game.first_card.t_end}
    wagered = {hand.key[0] for hand in game.hands if "original" in hand.stakes and hand.key not in back}
    return sorted(wagered | {hand.key[0] for hand in game.hands if hand.cards})


def initial_cards(game: Round) -> list[tuple[int, CardDealt]]:
    """Return the first two cards of each space and of the dealer (0), up to the first card beyond those.

    A card whose record begins before that one's and ends after it, as it was seen to lie only then, came before it.
    """
    count: dict[int, int] = {}
    found: list[tuple[int, CardDealt]] = []
    beyond: float | None = None
    burned = {held.dealt.id for _, held, _ in game.folded.burned}
    for card in game.of(CardDealt):
        key = (_DEALER, 0) if card.to == "dealer" else hand_key(card.to)
        if key is None or card.id in burned:
            continue
        if beyond is not None and card.t_start >= beyond:
            continue
        count[key[0]] = count.get(key[0], 0) + 1
        if key[1] or count[key[0]] > 2:
            beyond = card.t_start if beyond is None else beyond
            continue
        found.append((key[0], card))
    return found


@round_check(ORDER, CLOCKWISE, rulebooks=MANUAL)
def dealt_in_order(game: Round) -> Iterator[Instance]:
    """One card to each player from the left, one to the dealer, and both again."""
    dealt, spaces = initial_cards(game), dealt_spaces(game)
    if not dealt or not spaces:
        return
    sequence = [to for to, _ in dealt]
    wanted = [*spaces, _DEALER, *spaces, _DEALER]
    right: bool | None = sequence == wanted
    if not right and not game.closed and wanted[: len(sequence)] == sequence:
        return
    if not right and ((not game.bets_seen and _of_dealt(sequence)) or wanted in possible_orders(dealt)):
        right = None
    players = [to for to in sequence if to != _DEALER]
    sideways = players != wanted[: len(spaces)] * 2 and sorted(players) == sorted(spaces * 2)
    yield judged(
        CLOCKWISE if sideways else ORDER,
        right,
        events=[card for _, card in dealt],
        expected="cards go to " + _words(wanted),
        observed="cards went to " + _words(sequence),
        also=[ORDER if sideways else CLOCKWISE],
        incident="deal order",
    )
    if right:
        yield judged(ORDER, True)


def _of_dealt(sequence: Sequence[int]) -> bool:
    """Tell whether the order is right for the spaces that were dealt, so that only a wager not seen may be wrong."""
    row = sorted(set(sequence) - {_DEALER})
    return list(sequence) == [*row, _DEALER, *row, _DEALER]


def _words(sequence: Sequence[int]) -> Said:
    return say.listed(", ", ("dealer" if to == _DEALER else say.that("space {to}", to=to) for to in sequence))


@round_check(ORDER, FACE_UP, DEALER_FACE_UP, rulebooks=MANUAL, partial="keep")
def faces(game: Round) -> Iterator[Instance]:
    """Players' cards lie face up, the dealer's first two as the rulebook has them, the dealer's others face up."""
    count: dict[str, int] = {}
    own = {card.id: index for index, card in enumerate(game.dealer_dealt)}
    for card in game.of(CardDealt):
        space = card.to.split("/")[0]
        count[space] = count.get(space, 0) + 1
        clause, wanted = (ORDER if count[space] <= 2 and "/" not in card.to else FACE_UP), "up"
        if card.to == "dealer":
            index = own.get(card.id)
            if index is None or not game.opened:
                continue
            clause = ORDER if index < 2 else DEALER_FACE_UP
            wanted = "down" if index == 1 or (index == 0 and game.rules.both_down) else "up"
        elif hand_key(card.to) is None:
            continue
        yield judged(
            clause,
            card.face == wanted,
            at=card.to,
            key=card.id,
            events=[card],
            expected=say.that(
                "card {count} of {space} is dealt face {wanted}",
                count=count[space],
                space=say.place(space),
                wanted=wanted,
            ),
            observed=say.that("it was dealt face {face}", face=card.face),
        )


@round_check(ORDER, rulebooks=MANUAL)
def first_turned(game: Round) -> Iterator[Instance]:
    """Check that the dealer's first card is turned face up once both are dealt, before any player decides."""
    own = game.dealer_dealt
    if len(own) < 2 or own[0].face != "down":
        return
    acts = [e.t_start for e in _decisions(game) if e.t_start >= own[1].t_end]
    turned = [e for e in game.of(CardRevealed) if e.at == "dealer"]
    limit = min(acts, default=None)
    if not turned and limit is None and not game.closed:
        return
    early = bool(turned) and turned[0].t_start < own[1].t_start
    late = (not turned and bool(acts)) or (bool(turned) and limit is not None and turned[0].t_end > limit + 0.3)
    yield judged(
        ORDER,
        not early and not late,
        at="dealer",
        key="turned",
        events=[*own[:2], *turned[:1]],
        expected="the dealer's first card is turned face up after the second round of cards",
        observed="it was turned before the deal was complete" if early else "players decided before it was turned",
        incident="first turned",
    )


def _decisions(game: Round) -> list[CardDealt | CardsMoved | HandSignal]:
    """Cards beyond the deal, splits, and the signals by which hands ended their turns."""
    initial = {card.id for _, card in initial_cards(game)}
    cards = [c for c in game.of(CardDealt) if hand_key(c.to) is not None and c.id not in initial]
    splits = [m for m in game.of(CardsMoved) if m.kind == "split"]
    return [*cards, *splits, *(s for hand in game.playing for s in last_decision(game, hand))]


def last_decision(game: Round, hand: Hand) -> list[HandSignal]:
    """Return the signal by which a hand ended its turn. An early one that was shown again in turn does not count."""
    return [s for s in signals(game, hand) if s.meaning in DECISIONS][-1:]


@round_check(HOLE_LAST, rulebooks=MANUAL)
def hole_turned_last(game: Round) -> Iterator[Instance]:
    """Check that the dealer's second card is turned after all players' cards, and before the dealer draws.

    If one card alone was turned, and too late for the first one, that is one incident: either of the two was not.
    """
    if len(game.dealer_dealt) < 2:
        return
    turn = game.turned
    if turn is None:
        drawn, live = game.dealer_dealt[2:], live_hands(game)
        if drawn or (game.closed and live and None not in live.values()):
            yield judged(
                HOLE_LAST,
                False,
                at="dealer",
                events=[*game.dealer_dealt[1:], *(h.cards[-1].dealt for h in live)],
                expected="the dealer's second card is turned face up after the players' decisions",
                observed="the dealer drew before it was turned" if drawn else "it was never turned",
                incident="first turned",
                rank=6,
            )
        return
    turn = game.turns[0]
    later: list[CardDealt | HandSignal] = [
        c for c in game.of(CardDealt) if hand_key(c.to) is not None and c.t_start >= turn.t_end - 0.01
    ]
    later += [s for hand in game.playing for s in decided_only_after(game, hand, turn.t_end)]
    before = [c for c in game.dealer_dealt[2:] if c.t_end <= turn.t_start]
    yield judged(
        HOLE_LAST,
        not later and not before,
        at="dealer",
        events=[turn, *later[:1], *before[:1]],
        expected="the dealer's second card is turned face up after all players' cards and before the dealer draws",
        observed="players still decided after it was turned" if later else "the dealer drew before it was turned",
    )
