"""What must be said, where a transcript is given: 99-01.3-08-09(2)(b), 11(1), (10), (13), (19)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, row
from reports import Keep

AUDIO = ["video", "audio"]


def spoken(log: Log, final: int = 17, **totals: Any) -> Log:
    """A round in which everything is said: the faceup card, the dealer's totals."""
    up = next(r for r in log.all("card_dealt", to="dealer") if r["face"] == "up")
    say(log, up, "upcard", f"dealer shows a {up['card'][0].replace('T', 'ten')}")
    say(log, log.one("card_revealed"), "total", str(totals.get("two", final)), total=totals.get("two", final))
    return log


def say(log: Log, after: dict[str, Any], topic: str, text: str, **own: Any) -> None:
    log.insert_after(after, "announcement", topic=topic, text=text, source="audio", **own)


def said(final: int | None = 17) -> Log:
    """Dealer ten and seven, space 2 has 19."""
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    return spoken(log, two=final) if final is not None else without(spoken(log), "total")


def without(log: Log, topic: str) -> Log:
    return log.drop(*log.all("announcement", topic=topic))


def told(words: str) -> Log:
    """The dealer's 17 in these words of a transcript, without a number."""
    log = without(said(), "total")
    say(log, log.one("card_revealed"), "total", words)
    return log


def draws(*totals: int | None) -> Log:
    """Dealer six and ten, draws a three: 16, then 19."""
    log = hand_out("Th 6d 9s Tc 3d", {2: 1000})
    spoken(log, two=16)
    without(log, "total")
    marks = [log.one("card_revealed"), log.all("card_dealt", to="dealer")[-1]]
    for mark, total in zip(marks, totals, strict=True):
        if total is not None:
            say(log, mark, "total", str(total), total=total)
    return log


def early(seconds: float, *totals: int) -> Log:
    """The dealer's 16 and 19, said so many seconds too early by the transcript's clock."""
    log = draws(*totals)
    for one in log.all("announcement", topic="total"):
        log.change(one, t_start=one["t_start"] - seconds, t_end=one["t_end"] - seconds)
    return log


def with_unclear(*totals: int) -> Log:
    """16 and 19 are due; beside the last total the dealer says another one, which was not understood."""
    log = draws(*totals)
    say(log, log.all("announcement", topic="total")[-1], "total", "mumbled", p=0.3)
    return log


def ace(*topics: str) -> Log:
    log = hand_out("Th Ad 9s 7c", {2: 1000})
    spoken(log, two=18)
    for topic in topics:
        say(log, log.all("card_dealt")[-1], topic, topic.replace("_", " "))
    return log


def even_money(announced: bool) -> Log:
    log = hand_out("Ah Ad Ks 7c", {2: 1000}, "even_money")
    if log.all("card_revealed"):
        spoken(log, two=18)
    say(log, log.all("card_dealt")[-1], "other" if not announced else "even_money", "even money")
    return log


def tie(announced: bool) -> Log:
    log = hand_out("Th Kd 7s 7c", {2: 1000})
    spoken(log, two=17)
    if announced:
        say(log, log.one("push_tapped"), "push", "push")
    return log


def ties(*announced: int) -> Log:
    """Spaces 2 and 4 tie; the push is announced at the taps named by number."""
    log = hand_out("Th Jd Kd 7s 7h 7c", {2: 1000, 4: 700})
    spoken(log, two=17)
    for number in announced:
        say(log, log.all("push_tapped")[number], "push", "push")
    return log


def natural(*announced: tuple[str, str]) -> Log:
    """The dealer turns up a natural, against which nobody insured."""
    log = spoken(hand_out("Th Td 9s Ac", {2: 1000}))
    without(log, "total")
    for topic, text in announced:
        say(log, log.one("card_revealed"), topic, text)
    return log


def colour_up(cents: int | None, text: str = "may I colour you up?") -> Log:
    log = spoken(hand_out("Th 7d 9s Tc", {2: 1000}, colour_up_policy="adopted"))
    log.add("chips_received", at="space:2", cents=2500)
    if cents is not None:
        log.add("announcement", topic="colour_up", text=text, cents=cents, source="audio")
    log.add("chips_pushed", at="space:2", cents=2500, reason="colour_up")
    return log


CASES: list[tuple[str, str, Callable[[], Log]]] = [
    ("11.1-announce-upcard", "pass", said),
    ("11.1-announce-upcard", "violation", lambda: without(said(), "upcard")),
    ("11.1-announce-upcard", "violation",
     lambda: (g := said()).change(g.one("announcement", topic="upcard"), text="dealer shows a six")),
    ("11.10-announce-two-card", "pass", said),
    ("11.1-announce-upcard", "violation",
     lambda: (g := said()).change(g.one("announcement", topic="upcard"), text="8")),
    ("11.10-announce-two-card", "pass", lambda: told("ten and seven, seventeen")),
    ("11.10-announce-two-card", "pass", lambda: told("Dealer has 17")),
    ("11.10-announce-two-card", "violation", lambda: told("eighteen")),
    ("11.10-announce-two-card", "violation", lambda: told("twenty-one")),
    ("11.10-announce-two-card", "undetermined", lambda: told("one card for the dealer")),
    ("11.10-announce-two-card", "violation", lambda: said(18)),
    ("11.10-announce-two-card", "violation", lambda: said(None)),
    ("11.10-announce-two-card", "pass", lambda: ace("insurance_offer", "insurance_closed")),
    ("11.10.f-announce", "pass", lambda: draws(16, 19)),
    ("11.10.f-announce", "violation", lambda: draws(16, None)),
    ("11.10.f-announce", "violation", lambda: draws(16, 18)),
    ("11.10.f-announce", "undetermined", lambda: draws(16, 16)),
    ("11.10-announce-two-card", "undetermined", lambda: draws(19, 19)),
    ("11.10-announce-two-card", "undetermined", lambda: early(3.0, 16, 19)),
    ("11.10-announce-two-card", "violation", lambda: early(3.0, 15, 18)),
    ("11.10.g-announce-final", "undetermined", lambda: with_unclear(16, 18)),
    ("11.10.g-announce-final", "pass", lambda: with_unclear(16, 19)),
    ("11.10.f-announce", "not_applicable", said),
    ("11.10.g-announce-final", "pass", lambda: draws(16, 19)),
    ("11.10.g-announce-final", "violation", lambda: draws(16, 20)),
    ("11.13-announce-push", "pass", lambda: tie(announced=True)),
    ("11.13-announce-push", "violation", lambda: tie(announced=False)),
    ("11.13-announce-push", "not_applicable", said),
    ("11.13-announce-push", "pass", lambda: ties(0, 1)),
    ("11.13-announce-push", "undetermined", lambda: ties(1)),
    ("11.13-announce-push", "violation", ties),
    ("11.10-announce-two-card", "pass", lambda: natural(("total", "21"))),
    ("11.10-announce-two-card", "violation", lambda: natural(("total", "20"))),
    ("11.10-announce-two-card", "violation", natural),
    ("11.10-announce-two-card", "not_applicable", lambda: natural(("other", "blackjack"))),
    ("09.2.b-ask-insurance", "pass", lambda: ace("insurance_offer", "insurance_closed")),
    ("09.2.b-ask-insurance", "violation", lambda: ace("insurance_closed")),
    ("09.2.b-ask-insurance", "not_applicable", said),
    ("09.2.b-insurance-closed", "pass", lambda: ace("insurance_offer", "insurance_closed")),
    ("09.2.b-insurance-closed", "violation", lambda: ace("insurance_offer")),
    ("09.2.b-even-money-announce", "pass", lambda: even_money(announced=True)),
    ("09.2.b-even-money-announce", "violation", lambda: even_money(announced=False)),
    ("11.19-colour-up-announce", "pass", lambda: colour_up(2500)),
    ("11.19-colour-up-announce", "violation", lambda: colour_up(2000)),
    ("11.19-colour-up-announce", "violation", lambda: colour_up(None)),
    ("11.19-colour-up-ask", "pass", lambda: colour_up(2500)),
    ("11.19-colour-up-ask", "undetermined", lambda: colour_up(2500, "colour up")),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "log"), CASES, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(CASES)])
def test_clause(clause: str, verdict: str, log: Callable[[], Log], keep: Keep) -> None:
    report = log().judge(channels=AUDIO)
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, [(f.clause, f.observed) for f in report.findings]


def test_a_wrong_total_is_told_in_words() -> None:
    found = next(f for f in findings(said(18).judge(channels=AUDIO)) if "announce" in f.clause)
    assert found.expected == "the dealer announces 17" and found.observed == "the dealer announced 18"


@pytest.mark.parametrize(("channels", "why"), [(["video"], "no audio"), (AUDIO, "no transcript of what was said")])
def test_without_a_transcript_nothing_is_missed(channels: list[str], why: str) -> None:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    (said_row,) = [r for r in log.judge(channels=channels).clauses if r.clause == "ND-08-11.1-announce-upcard"]
    assert (said_row.verdict, said_row.why) == ("not_assessed", why)


def test_a_mumbled_total_accuses_nobody() -> None:
    log = said(18)
    log.change(log.one("announcement", topic="total"), p=0.3)
    assert "ND-08-11.10-announce-two-card" not in {f.clause for f in findings(log.judge(channels=AUDIO))}
