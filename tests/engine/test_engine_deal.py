import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.domain.cards import FULL_DECK, Card
from verifier.domain.house import House
from verifier.engine.actions import (
    Busted,
    CardDrawn,
    CardsCleared,
    Decision,
    HandSplit,
    ReaderUsed,
    Revealed,
    Settled,
    StakeAdded,
)
from verifier.engine.deal import Shoe, Stake, dealer_must_draw, play_round
from verifier.engine.outcomes import hand_state, outcome
from verifier.engine.strategy import adventurous, sensible
from verifier.engine.totals import hand_total

METHODS = ("hole_card_no_peek", "no_hole_card", "hole_card_reader")
HOUSES = st.builds(
    House,
    dealing_method=st.sampled_from(METHODS),
    insurance_allowed=st.booleans(),
    even_money=st.booleans(),
    hit_soft_17=st.booleans(),
    tip_double_down=st.sampled_from(["not_permitted", "equal"]),
    natural_pay_timing=st.sampled_from(["immediate", "in_order", "either"]),
    sweep_or_hand_by_hand=st.sampled_from(["sweep", "hand_by_hand"]),
)
STAKES = st.dictionaries(
    st.integers(1, 7),
    st.builds(Stake, st.integers(1, 25).map(lambda d: d * 100), st.sampled_from([0, 50, 300])),
    min_size=1,
)


def script(*kinds):
    """A strategy that answers these decisions in turn, then stands or declines."""
    left = list(kinds)

    def answer(choice, rng):
        if left and left[0] in choice.options:
            return left.pop(0)
        return "decline" if "decline" in choice.options else "stand"

    return answer


def play(cards, *kinds, spaces=1, wager=1000, tip=0, **house):
    rng = random.Random(5)
    shoe = Shoe.stacked(cards.split(), rng)
    stakes = {number + 1: Stake(wager, tip) for number in range(spaces)}
    return play_round(shoe, stakes, House(**house), rng, script(*kinds))


def kinds_of(played):
    return [type(action).__name__ for action in played.actions]


@settings(max_examples=150, deadline=None, database=None)
@given(st.integers(0, 10**6), STAKES, HOUSES, st.sampled_from([sensible, adventurous]))
def test_rounds_conserve_cards_and_money(seed, stakes, house, strategy):
    rng = random.Random(seed)
    shoe = Shoe(rng, 4)
    played = play_round(shoe, stakes, house, rng, strategy)
    in_hands = Counter(card for hand in played.hands for card in hand.cards) + Counter(played.dealer.cards)
    assert in_hands == Counter(played.cards)
    assert len(played.cards) == shoe.drawn == 208 - shoe.remaining
    moved = sum(action.delta for action in played.actions if isinstance(action, Settled))
    owed = sum(hand.settlement.delta + hand.settlement.tip_delta for hand in played.hands)
    assert moved == owed + sum(bet.due.delta for bet in played.insurance)
    added = sum(action.cents for action in played.actions if isinstance(action, StakeAdded))
    before = sum(stake.original_cents + stake.tip_cents for stake in stakes.values())
    settled = [due for action in played.actions if isinstance(action, Settled) for due in action.dues]
    assert sum(due.stake for due in settled) == before + added
    assert all(not due.returned or due.delta == 0 for due in settled)


@settings(max_examples=100, deadline=None, database=None)
@given(st.integers(0, 10**6), STAKES, HOUSES, st.sampled_from([sensible, adventurous]))
def test_rounds_are_lawful(seed, stakes, house, strategy):
    rng = random.Random(seed)
    played = play_round(Shoe(rng, 6), stakes, house, rng, strategy)
    initial = [action.to for action in played.actions if isinstance(action, CardDrawn) and action.why == "initial"]
    spaces = [f"space:{number}" for number in sorted(stakes)]
    expected = [*spaces, "dealer", *spaces] + ([] if played.method == "no_hole_card" else ["dealer"])
    assert initial == expected
    cleared = [action.at for action in played.actions if isinstance(action, CardsCleared)]
    assert sorted(cleared) == sorted({*(hand.at for hand in played.hands), "dealer"})
    assert cleared[-1] == "dealer"
    dealer = [card.rank for card in played.dealer.cards]
    for count in range(2, len(dealer)):
        assert dealer_must_draw(dealer[:count], house)
    counted = [hand for hand in played.hands if hand.outcome in ("win", "push", "lose")]
    if counted:
        assert not dealer_must_draw(dealer, house)
    for hand in played.hands:
        if hand.outcome in ("win", "push", "lose", "natural_loss", "natural_push"):
            state = hand_state([card.rank for card in hand.cards], split=hand.split)
            assert outcome(state, played_state(played), facts(hand)) == hand.outcome


def played_state(played):
    from verifier.engine.outcomes import dealer_state

    ranks = [card.rank for card in played.dealer.cards]
    return dealer_state(ranks, ranks[0])


def facts(hand):
    from verifier.engine.outcomes import HandFacts

    return HandFacts(split=hand.split, doubled=hand.doubled)


def test_the_same_seed_deals_the_same_round():
    def once():
        rng = random.Random(7)
        return play_round(Shoe(rng, 6), {1: Stake(500), 4: Stake(300, 100)}, House(), rng)

    assert once() == once()


def test_10_1_a_order_and_faces():
    played = play("5s 6h 9d Th 9h 8c", spaces=2)
    drawn = [action for action in played.actions if isinstance(action, CardDrawn)]
    assert [(a.to, a.face) for a in drawn[:6]] == [
        ("space:1", "up"),
        ("space:2", "up"),
        ("dealer", "up"),
        ("space:1", "up"),
        ("space:2", "up"),
        ("dealer", "down"),
    ]


def test_10_1_b_no_hole_card_waits_for_the_players():
    played = play("5s 9d Th 3c 8c", "hit", dealing_method="no_hole_card")
    drawn = [(a.to, a.why) for a in played.actions if isinstance(a, CardDrawn)]
    assert drawn[:5] == [
        ("space:1", "initial"),
        ("dealer", "initial"),
        ("space:1", "initial"),
        ("space:1", "hit"),
        ("dealer", "dealer"),
    ]


def test_11_6_plain_bust_is_settled_and_cleared_at_once():
    played = play("Ts 9d 6h Th Kc", "hit", tip=100)
    names = kinds_of(played)
    at = names.index("Busted")
    assert names[at : at + 3] == ["Busted", "Settled", "CardsCleared"]
    assert played.actions[at] == Busted("space:1", 26, "at_once")
    assert played.actions[at + 1].delta == -1100
    assert not played.dealer.revealed


def test_11_8_split_bust_against_a_ten_is_held_and_its_tip_lost():
    played = play("8s Td 8h 9h 6c Kc Kd", "split", "hit", tip=100)
    bust = next(a for a in played.actions if isinstance(a, Busted))
    assert bust.timing == "held"
    after = played.actions[played.actions.index(bust) + 1]
    assert isinstance(after, Settled) and [due.kind for due in after.dues] == ["tip"]
    held = [a for a in played.actions if isinstance(a, Settled) and a.at == "space:1" and a is not after]
    assert [due.kind for due in held[0].dues] == ["original"]
    assert held[0].delta == -1000


def test_11_10_e_dealer_natural_voids_the_split_wager():
    played = play("8s Td 8h Ah 6c Kc Kd", "split", "hit")
    assert [(h.at, h.settlement.delta, h.settlement.returned) for h in played.hands] == [
        ("space:1", -1000, 0),
        ("space:1/1", 0, 1000),
    ]


def test_09_2_c_splits_play_from_the_left_up_to_four_hands():
    played = play("8s 6d 8h Th 8c 8d 2s 3s 4s 5s", "split", "split", "split")
    splits = [a for a in played.actions if isinstance(a, HandSplit)]
    assert [(a.from_, a.to) for a in splits] == [
        ("space:1", "space:1/1"),
        ("space:1", "space:1/2"),
        ("space:1", "space:1/3"),
    ]
    draws = [a.to for a in played.actions if isinstance(a, CardDrawn) and a.why == "split"]
    assert draws == ["space:1", "space:1", "space:1", "space:1/1", "space:1/2", "space:1/3"]
    assert len(played.hands) == 4


def test_09_2_c_split_aces_get_one_card_each_without_a_decision():
    played = play("As 6d Ah Th 5c 6c", "split")
    assert [a.kind for a in played.actions if isinstance(a, Decision)] == ["split"]
    assert [len(hand.cards) for hand in played.hands] == [2, 2]


def test_09_2_c_drawn_ace_may_be_split_again():
    played = play("As 6d Ah Th Ac 5c 6c 7c", "split", "split")
    assert [len(hand.cards) for hand in played.hands] == [2, 2, 2]


def test_09_2_d_double_gets_one_card():
    played = play("5s 6d 6h Th 5c", "double")
    hand = played.hand("space:1")
    assert len(hand.cards) == 3 and hand.stakes.double == 1000
    assert [a.why for a in played.actions if isinstance(a, CardDrawn) and a.to == "space:1"][-1] == "double"


def test_09_2_b_even_money_is_paid_before_anything_else():
    played = play("As Ad Kh Kc", "even_money", tip=100, insurance_allowed=True, even_money=True)
    assert kinds_of(played)[4:7] == ["Decision", "Settled", "CardsCleared"]
    hand = played.hand("space:1")
    assert (hand.outcome, hand.settlement.delta, hand.settlement.tip_delta) == ("even_money", 1000, 0)


def test_10_3_a_reader_natural_ends_the_round():
    played = play("Ts Ad 9h Kc", "insurance", insurance_allowed=True, dealing_method="hole_card_reader")
    names = kinds_of(played)
    assert names[4:9] == ["Decision", "StakeAdded", "ReaderUsed", "Revealed", "Settled"]
    assert ReaderUsed(True) in played.actions
    assert played.insurance[0].due.delta == 1000
    assert played.hands[0].settlement.delta == -1000


def test_10_3_b_reader_without_a_natural_takes_insurance_first():
    played = play("Ts Ad 9h 8c", "insurance", insurance_allowed=True, dealing_method="hole_card_reader")
    names = kinds_of(played)
    assert names[6:9] == ["ReaderUsed", "Settled", "Decision"]
    assert played.insurance[0].due.delta == -500


def test_10_a_insurance_then_naturals_before_the_dealer_draws():
    cards = "Ts As Ad 9h Kh 5c 2d 9s"
    played = play(cards, "insurance", "insurance", spaces=2, insurance_allowed=True)
    after = played.actions[played.actions.index(Revealed(Card.parse("5c"))) + 1 :]
    assert [(a.at, a.outcome) for a in after if isinstance(a, Settled)][:3] == [
        ("space:2", None),
        ("space:1", None),
        ("space:2", "natural"),
    ]
    assert [type(a).__name__ for a in after][3] == "CardsCleared"
    assert after[2].delta == 1500


@pytest.mark.parametrize(("timing", "signals"), [("immediate", 0), ("in_order", 1)])
def test_11_11_natural_pay_timing(timing, signals):
    played = play("As 6d Kh Tc", natural_pay_timing=timing)
    assert len([a for a in played.actions if isinstance(a, Decision)]) == signals
    assert played.hands[0].settlement.delta == 1500


@pytest.mark.parametrize(
    ("ranks", "house", "draws"),
    [
        ("T6", House(), True),
        ("T7", House(), False),
        ("A6", House(), False),
        ("A6", House(hit_soft_17=True), True),
        ("A24", House(hit_soft_17=True), False),
        ("A24", House(hit_soft_17=True, soft_17_scope="any"), True),
        ("A7", House(hit_soft_17=True), False),
        ("A6T", House(hit_soft_17=True), False),
    ],
)
def test_11_10_f_g_dealer_draw_rule(ranks, house, draws):
    assert dealer_must_draw(list(ranks), house) is draws


def test_11_13_settlement_runs_from_the_dealers_right():
    played = play("Ts 9s 8s 9d 9h Th Kh Tc", spaces=3)
    assert [a.at for a in played.actions if isinstance(a, Settled)] == ["space:3", "space:2", "space:1"]


def test_tips_won_are_deposited_twofold():
    assert play("Ts 9d 9h 8c", tip=300).tips_won == 600


@pytest.mark.parametrize("decks", [1, 4, 8])
def test_a_shoe_holds_its_decks(decks):
    shoe = Shoe(random.Random(1), decks)
    assert Counter(shoe.draw() for _ in range(52 * decks)) == Counter(list(FULL_DECK) * decks)
    with pytest.raises(ValueError, match="empty"):
        shoe.draw()


def test_a_stacked_shoe_keeps_its_cards():
    shoe = Shoe.stacked(["Ah", "Ah", "Kd"], random.Random(1), 2)
    assert [str(shoe.draw()) for _ in range(3)] == ["Ah", "Ah", "Kd"]
    with pytest.raises(ValueError, match="do not hold"):
        Shoe.stacked(["Ah", "Ah"], random.Random(1), 1)


@pytest.mark.parametrize("stakes", [{}, {8: Stake(100)}])
def test_impossible_wagers_are_refused(stakes):
    with pytest.raises(ValueError, match="spaces 1 to 7"):
        play_round(Shoe(random.Random(1)), stakes, House(), random.Random(1))


def test_an_unlawful_decision_is_refused():
    with pytest.raises(ValueError, match="not open"):
        rng = random.Random(2)
        play_round(Shoe(rng), {1: Stake(100)}, House(), rng, lambda choice, rng: "even_money")


def test_a_hand_total_is_what_its_cards_say():
    played = play("Ts 9d 9h 8c")
    assert played.hand("space:1").total == hand_total("T9")
    with pytest.raises(KeyError):
        played.hand("space:2")
