"""Situations that look alike, each with what is lawful, what is not and what the log leaves open, named by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, named, play_on, row, words

NOT_SHOWN = "ND-08-08.3-burn-not-shown"
IN_SHOE = "ND-08-12.1-faceup-in-shoe"
GROUNDS = "ND-08-08.2-reshuffle-only-when"
TRAY = "ND-08-11.13-tray-before-pay"
FOUR = "ND-08-09.2.c-four-hands"
PLAYBACK = "ND-08-12.12-miscount-playback"
EACH_HAND = "ND-08-15.3-min-bet-each-hand"
EXCESS = "ND-08-09.1-excess-returned"
WIN = "Th 8d 9s 9c"


def first_burn(shown: bool | None, card: str = "Kd", reason: str | None = None) -> Log:
    """The first card of the shoe is burned, its face shown or not."""
    log = hand_out(WIN, {2: 1000})
    return log.change(log.one("card_burned"), card=card, face_shown=shown, reason=reason)


def burn_found_face_up(text: str = "Kd", burned: str = "Kd", *, dealt_between: bool = False) -> Log:
    """A card lies face up in the mouth of the shoe between two rounds, and a card is burned."""
    log = hand_out(WIN, {2: 1000})
    log.add("card_revealed", card=text, at="shoe", how="shoe_mouth")
    if dealt_between:
        play_on(log, WIN, {2: 1000})
    log.add("card_burned", card=burned, face_shown=True, reason=None)
    play_on(log, WIN, {2: 1000})
    return log


def in_play(how: str, *next_cards: tuple[str, str], seen: str = "3c") -> Log:
    """Amid a round a card is seen in the shoe; the cards that leave it next: `burn` or a place, and the card."""
    log = hand_out("Th 8d 5s 9c", {2: 1000})
    before = log.insert_after(log.one("hand_signal"), "card_revealed", card=seen, at="shoe", how=how)
    for to, card in next_cards:
        if to == "burn":
            before = log.insert_after(before, "card_burned", card=card, face_shown=True, reason=None)
        else:
            before = log.insert_after(before, "card_dealt", card=card, to=to, face="up", seq=None)
    return log


Case = tuple[str, str, Log, str]
BURNS: list[Case] = [
    ("face down", NOT_SHOWN, first_burn(False, "??"), "pass"),
    ("shown", NOT_SHOWN, first_burn(True), "violation"),
    ("shown, and a reason that names it only", NOT_SHOWN, first_burn(True, reason="first_card"), "violation"),
    ("shown, and a reason in words", NOT_SHOWN, first_burn(True, reason="by accident"), "violation"),
    ("shown, as it lay face up in the shoe", NOT_SHOWN, first_burn(True, reason="face up in shoe"), "pass"),
    ("whether it was shown was not seen", NOT_SHOWN, first_burn(None, "??"), "undetermined"),
    ("found face up and burned", NOT_SHOWN, burn_found_face_up(), "pass"),
    ("another card was found face up", NOT_SHOWN, burn_found_face_up("3c"), "violation"),
    ("it was found long before", NOT_SHOWN, burn_found_face_up(dealt_between=True), "violation"),
    ("found and burned", IN_SHOE, in_play("shoe_mouth", ("burn", "3c")), "pass"),
    ("found and dealt", IN_SHOE, in_play("shoe_mouth", ("dealer", "3c")), "violation"),
    ("found, told as an error, and dealt", IN_SHOE, in_play("exposed_error", ("dealer", "3c")), "violation"),
    ("another burned, it is dealt", IN_SHOE, in_play("shoe_mouth", ("burn", "4d"), ("dealer", "3c")), "violation"),
    ("another burned, then it", IN_SHOE, in_play("shoe_mouth", ("burn", "4d"), ("burn", "3c")), "pass"),
    ("a card not read is burned", IN_SHOE, in_play("shoe_mouth", ("burn", "??")), "pass"),
    ("it was not read and the next is dealt", IN_SHOE, in_play("shoe_mouth", ("dealer", "3c"), seen="??"), "violation"),
    ("another is dealt, then it is burned", IN_SHOE,
     in_play("shoe_mouth", ("dealer", "4d"), ("burn", "3c")), "undetermined"),
    ("found between rounds and dealt", "ND-08-08.2-load-facedown",
     burn_found_face_up("Th", dealt_between=True), "violation"),
]  # fmt: skip


def short_shoe(ordinary: bool) -> Log:
    """The indicator comes with the first card, the shoe runs short, the discards are shuffled; then the next shoe."""
    log = hand_out("Th 8d 5s 9c 4h", {2: 1000})
    first = log.one("card_dealt")
    if ordinary:
        log.insert_after(first, "indicator_card", action="appeared")
    shuffle = log.insert_after(log.one("hand_signal"), "shuffle", method="hand", scope="discards")
    cut = log.insert_after(shuffle, "cut", by="player", depth_cards=30)
    log.insert_after(cut, "card_burned", card="??", face_shown=False)
    log.shoe, log.seq = 2, 0
    log.add("shuffle", 60.0, method="hand", scope="all")
    log.add("cut", 3.0, by="player", depth_cards=100)
    log.add("card_burned", card="??", face_shown=False)
    play_on(log, WIN, {2: 1000})
    return log


SHORT: list[Case] = [
    ("the indicator had come", GROUNDS, short_shoe(True), "pass"),
    ("the shoe ran short, so that it must have come", GROUNDS, short_shoe(False), "pass"),
]


def swept_tie(back: int | None = 1000, reason: str = "error", trayed: int = 500) -> Log:
    """A tie and a loser are swept into the hand, the tie is given back (or not), the rest goes to the tray.

    Case push_swept_and_given_back.
    """
    log = hand_out("Th 9d 9h 9s 8c Td", {2: 1000, 4: 500})
    taken = log.one("chips_collected")
    swept = log.insert_after(taken, "chips_collected", kind="original", at="space:2", cents=1000, to="hand")
    if back is not None:
        log.insert_after(swept, "chips_returned", kind="original", at="space:2", cents=back, reason=reason)
    log.change(log.one("chips_to_tray"), cents=trayed)
    return log


TIES: list[Case] = [
    ("given back at once", TRAY, swept_tie(), "pass"),
    ("given back in part, the rest is kept", TRAY, swept_tie(back=400), "violation"),
    ("given back in part, the rest goes to the tray", TRAY, swept_tie(back=400, trayed=1100), "pass"),
    ("not given back and kept", TRAY, swept_tie(back=None), "violation"),
]


def split(hands: int, card_to: str | None = None) -> Log:
    """Eights are split until there are so many hands; a further card may go to another."""
    stands = " ".join(["split"] * (hands - 1) + ["stand"] * hands)
    log = hand_out("8h 7s 8d Th" + " 8c" * (hands - 2) + " 9c 9d 9h 9s 9c" + " Kd", {3: 500}, stands)
    if card_to is not None:
        log.insert_after(
            log.all("card_dealt", to="space:3/1")[-1], "card_dealt", card="5h", to=card_to, face="up", seq=None
        )
    return log


HANDS: list[Case] = [
    ("two hands", FOUR, split(2), "pass"),
    ("four hands", FOUR, split(4), "pass"),
    ("a card for a fifth", FOUR, split(2, "space:3/4"), "violation"),
]


def tournament(wagers: list[int | None], on: bool = True, **house: Any) -> Log:
    """Rounds of spaces 2 and 4; space 4 wagers these sums, or nothing."""
    options = {"tournament_rules": "on", "table_limits": {"min": 500, "max": 50000}} if on else {}
    log = hand_out("Th 9d 7s 9s 9c Td", {2: 1000, 4: wagers[0]}, **{**options, **house})
    for cents in wagers[1:]:
        if cents is None:
            play_on(log, "Th 7s 9s Td", {2: 1000})
        else:
            play_on(log, "Th 9d 7s 9s 9c Td", {2: 1000, 4: cents})
    return log


NO_MAXIMUM: dict[str, Any] = {"table_limits": {"min": 100, "max": 2500}}
TOURNAMENTS: list[Case] = [
    ("chips have no value: 50 is within the limits", EACH_HAND, tournament([5000]), "pass"),
    ("25 dollars bind chips with value", EXCESS, tournament([5000], on=False), "violation"),
    ("at the maximum", EACH_HAND, tournament([50000]), "pass"),
    ("above the maximum", EACH_HAND, tournament([50001]), "violation"),
    ("at the minimum", EACH_HAND, tournament([500]), "pass"),
    ("below the minimum", EACH_HAND, tournament([499]), "violation"),
    ("whether 25.00 is its own maximum is open", EACH_HAND, tournament([5000], **NO_MAXIMUM), "undetermined"),
    ("every hand has a bet", EACH_HAND, tournament([500, 500, 500]), "pass"),
    ("a seat skips a hand", EACH_HAND, tournament([500, None, 500]), "violation"),
    ("a seat is out", EACH_HAND, tournament([500, 500, None]), "pass"),
]


def tie_taken_as_loss(*acts: str) -> Log:
    """The dealer's 18 is settled as 19: a hand of 18 and one of 17 are swept; then what is done about it."""
    log = hand_out("9h Tc 9s 9d 7d 9c", {2: 1000, 4: 500})
    log.drop(*log.all("push_tapped"))
    lost = log.one("chips_collected")
    log.insert_after(lost, "chips_collected", kind="original", at="space:2", cents=1000, to="hand", hand="right")
    log.change(log.one("chips_to_tray"), cents=1500)
    last = log.one("round_ended")
    for act in acts:
        if act == "back":
            last = log.insert_after(last, "chips_returned", kind="original", at="space:2", cents=1000, reason="error")
        else:
            last = log.insert_after(last, "cards_played_back", round_replayed=1)
    return log


MISCOUNTS: list[tuple[str, Log, bool | None]] = [
    ("never put right", tie_taken_as_loss(), False),
    ("the cards are played back, then the chips go back", tie_taken_as_loss("replay", "back"), True),
    ("the chips go back, then the cards are played back", tie_taken_as_loss("back", "replay"), True),
]

CASES = [*BURNS, *SHORT, *TIES, *HANDS, *TOURNAMENTS]


@pytest.mark.parametrize(("clause", "log", "verdict"), [c[1:] for c in CASES], ids=[f"{c[1]}: {c[0]}" for c in CASES])
def test_neighbours(clause: str, log: Log, verdict: str) -> None:
    report = log.judge()
    assert row(report, clause) == verdict, list(words(report))


@pytest.mark.parametrize(("log", "corrected"), [m[1:] for m in MISCOUNTS], ids=[m[0] for m in MISCOUNTS])
def test_a_miscount_is_a_mistake_whenever_it_is_put_right(log: Log, corrected: bool) -> None:
    report = log.judge()
    own = [f for f in findings(report) if PLAYBACK in (f.clause, *f.also)]
    assert [f.corrected for f in own] == [corrected], list(words(report))
    assert all(f.corrected for f in findings(report)) is corrected


def test_what_was_seen_in_the_shoe_is_one_finding() -> None:
    assert named(in_play("shoe_mouth", ("dealer", "3c")).judge()) >= {IN_SHOE}


Incident = Callable[[], Log]


def tip_kept(by: str) -> Log:
    """The tip of a losing hand goes to the receptacle: from the layout, out of the hand, before the cards are up."""
    log = hand_out("Th 9d 7s 9c", {2: (1000, 200)})
    log.change(log.one("chips_to_tray"), cents=1000)
    if by != "hand":
        log.drop(log.one("chips_collected", kind="tip"))
    log.insert_after(log.one("cards_collected" if by == "early" else "round_ended"), "tip_deposited", cents=200)
    return log


def tip_doubled_alone(option: str) -> Log:
    log = hand_out(WIN, {2: (1000, 200)}, tip_double_down=option)
    log.insert_after(log.one("hand_signal"), "wager_placed", kind="tip_double", at="space:2", cents=200)
    return log


def two_winners(way: str) -> Log:
    """Spaces 6 and 2 are paid at once."""
    log = hand_out("Th Qh 6d 9d 9s Td 2c", {2: 1000, 6: 500})
    fans, paid = log.all("chips_fanned", owner="wager"), log.all("payoff_placed")
    shown, taken, clear = log.all("chips_fanned", owner="payoff"), log.all("chips_from_tray"), log.all("hands_clear")
    start = fans[0]["t_start"]
    if way == "together":
        log.change(taken[0], cents=1500, chips=None).drop(taken[1])
        order = [*fans, taken[0], *paid, *shown, *clear]
    else:
        order = [*fans, *taken, *paid, *shown, *clear]
    for record in order:
        log.change(record, t_start=start, t_end=round(start + 0.5, 3))
        start = round(start + 0.6, 3)
    return log


def second_push() -> Log:
    """20.00 are spread, and 20.00 in chips are pushed twice."""
    log = hand_out(WIN, {2: 1000})
    log.add("currency_spread", cents=2000, bills={"2000": 1}, face_down=True, monotone=True, perpendicular=True)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_from_tray", cents=2000, hand="right")
    log.add("chips_fanned", owner="buy_in", at="inner", cents=2000)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_pushed", at="space:2", cents=2000, reason="buy_in")
    log.add("chips_pushed", at="space:2", cents=2000, reason="buy_in")
    log.add("currency_dropped", what="currency", cents=2000)
    play_on(log, WIN, {2: 1000})
    return log


def stand_then_card(stood_again: bool) -> Log:
    log = hand_out("Th 2d 9s 8c 2s 9h 2c", {2: 1000, 4: 500}, "hit stand stand")
    asked, stands = log.all("hand_signal")[:2]
    log.change(asked, meaning="stand")
    return log if stood_again else log.drop(stands)


INCIDENTS: list[tuple[str, str, Log]] = [
    ("a lost tip, from the layout", "ND-08-09.2.a-tip-lose", tip_kept("layout")),
    ("a lost tip, out of the hand", "ND-08-09.2.a-tip-lose", tip_kept("hand")),
    ("a lost tip, before the cards are up", "ND-08-09.2.a-tip-lose", tip_kept("early")),
    ("a tip doubled alone", "ND-08-09.2.d-tip-double-requires-double", tip_doubled_alone("equal")),
    ("a tip doubled alone, which is not permitted", "ND-08-09.2.d-tip-double-permitted",
     tip_doubled_alone("not_permitted")),
    ("two winners, their chips taken together", "ND-08-11.16-hand-by-hand", two_winners("together")),
    ("two winners in turns", "ND-08-11.16-hand-by-hand", two_winners("in turns")),
    ("chips pushed twice for one buy-in", "ND-08-07.3.b-chips-equal-cash", second_push()),
    ("a card after a stand signal", "ND-08-11.4-hand-signal-hit", stand_then_card(True)),
    ("a card after a stand signal, and no other", "ND-08-11.4-hand-signal-hit", stand_then_card(False)),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "log"), [i[1:] for i in INCIDENTS], ids=[i[0] for i in INCIDENTS])
def test_one_incident_is_told_once(clause: str, log: Log) -> None:
    (found,) = findings(log.judge())
    assert clause in (found.clause, *found.also)


def test_two_incidents_are_told_as_two() -> None:
    log = tip_kept("layout")
    log.change(log.one("hand_signal"), meaning="hit")
    assert len(findings(log.judge())) == 2


def test_what_was_given_back_is_not_told_as_left_alone() -> None:
    log = hand_out(WIN, {2: 1000})
    paid = [r for r in log.records if r["event"] in ("chips_fanned", "chips_from_tray", "payoff_placed", "hands_clear")]
    log.insert_after(paid[-1], "chips_returned", kind="original", at="space:2", cents=1000, reason="void")
    log.drop(*paid)
    assert any("had $10.00 given back" in found.observed for found in findings(log.judge())), list(words(log.judge()))
