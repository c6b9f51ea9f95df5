"""Events and places in plain words, for people who read them at night."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from verifier.domain.cards import Card
from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent, CardDealt, CardReplaced, OverlayRead, WagerChanged
from verifier.domain.findings import Finding
from verifier.domain.money import dollars
from verifier.law.incidents import UNKNOWN_CHANCE
from verifier.law.sentences import capital

_TIME = re.compile(r"(?:(\d{1,2}):)?(\d{1,2}):(\d{2})")
DAY_S = 86_400
CUT_OFF_S = 1.0
"""Seconds by which readings may be apart beside the time between them: each is cut off to its second."""
STATEMENT = "a person's statement"
"""In the place of a probability, where a finding rests on what a person attests."""
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", None: ""}
_KINDS = {"original": "wager", "tip": "tip", "double": "double-down wager", "split": "split wager"}
_KIND_OTHERS = {"insurance": "insurance", "tip_double": "tip double"}
_FIXED = {"margin": "clock in the picture", "sign": "signs of site and table"}
"""What stands at a region that has no words of its own: a clock over no zone, the signs that were read."""
_READ = {
    "clock": "Clock in the picture read",
    "table_number": "Table's sign read",
    "site_id": "Site's sign read",
    "plaque": "Plaque read",
    "drop_box_number": "Drop box number read",
    "felt": "Words on the felt read",
}
_OWNERS = {"wager": "wager", "payoff": "payoff", "tip_payoff": "tip payoff"}


def plain_place(place: str | None) -> str:
    """`space:3/1` as `space 3, hand 2`; a fixed place as its words; nothing as `the table`."""
    if place is None:
        return "the table"
    if place in _FIXED:
        return _FIXED[place]
    kind, _, rest = place.partition(":")
    number, _, hand = rest.partition("/")
    words = kind.replace("_", " ") + (f" {number}" if number else "")
    return f"{words}, hand {int(hand) + 1}" if hand and hand != "0" else words


def plain_card(text: str) -> str:
    """`Kh` as `K♥`; what was not read as `?`, a card of which nothing was read as `unread card`."""
    card = Card.parse(text)
    if card.rank is None and card.suit is None:
        return "unread card"
    rank = "10" if card.rank == "T" else card.rank or "?"
    return rank + _SUITS[card.suit]


def plain_money(cents: int | None, lower_bound: bool | None = False) -> str:
    """`500` as `$5.00`; `at least $5.00` for a stack that may hide chips; `an unseen amount` for None."""
    if cents is None:
        return "an unseen amount"
    return ("at least " if lower_bound else "") + f"${dollars(cents)}"


def plain_kind(kind: str | None) -> str:
    """Return a kind of money in words."""
    return {**_KINDS, **_KIND_OTHERS}.get(kind or "", (kind or "chips").replace("_", " "))


def plain_name(event: AnyEvent) -> str:
    """Return an event's name with its place: `payoff placed, space 3`."""
    place = _place(event)
    words = event.name.replace("_", " ")
    return f"{words}, {plain_place(place)}" if place else words


def plain_event(event: AnyEvent) -> str:
    """One event as a short sentence."""
    if isinstance(event, OverlayRead):
        read = _READ[event.what] + (f": {event.text}" if event.text else "")
        covers = isinstance(event.region, str) and event.region not in _FIXED
        return read + (f" ({plain_place(event.region)})" if covers else "")
    parts = [event.name.replace("_", " ").capitalize()]
    for name in ("kind", "owner", "meaning", "phase", "by", "object", "how", "face", "mode", "reason"):
        value = getattr(event, name, None)
        if isinstance(value, str) and value:
            parts.append(plain_kind(value) if name == "kind" else value.replace("_", " "))
    card = getattr(event, "card", None)
    if isinstance(card, str):
        parts.append(plain_card(card))
    if isinstance(event, CardDealt) and event.several:
        parts.append("several found as one, how many is not known")
    if isinstance(event, CardReplaced):
        parts.append(f"{plain_card(event.card_before)} by {plain_card(event.card_after)}")
    parts += _amounts(event)
    if hasattr(event, "left_palm"):
        parts.append(_hands_shown(event))
    place = _places(event)
    return ", ".join(parts) + (f" ({place})" if place else "")


def accusation(finding: Finding) -> str:
    """Return what a finding says in one sentence: without what it rests on, where that is long."""
    shown = finding.worded_now()
    return capital(shown.brief or shown.observed)


def plain_certainty(finding: Finding, origin: str) -> str:
    """How sure a finding is: of a violation, or that it may be one; where nobody can say, that."""
    if origin == "person":
        return "found by a person"
    if finding.attested:
        return STATEMENT
    if finding.verdict == "violation":
        return f"{finding.p:.0%} sure"
    return "likelihood unknown" if finding.p == UNKNOWN_CHANCE else f"{finding.p:.0%} likely"


def local_time(told: str) -> str:
    """Return a moment (ISO 8601 with its zone) in the time zone of this computer, to the minute: `2026-11-17
    21:00 CST`.
    """
    return datetime.fromisoformat(told).astimezone().strftime("%Y-%m-%d %H:%M %Z")


def plain_minutes(minutes: float) -> str:
    """`1 minute`, `75 minutes`, `0.5 minutes`."""
    return f"{minutes:g} minute" + ("" if minutes == 1 else "s")


def moment(finding: Finding, t: float, begins: str | None) -> str:
    """Return the table's clock at the moment `t` (s) of a finding's recording.

    `begins` is the clock at the recording's second 0 (ISO 8601); without it the finding's own clock counts, and without
    both the time into the recording is told.
    """
    if table_moment(begins, t) is None and table_moment(finding.clock, 0.0) is not None:
        return clock_text(finding.clock, t - finding.t_start)
    return clock_text(begins, t)


def table_moment(begins: str | None, t: float) -> datetime | None:
    """Return the table's clock at second `t` of a recording that begins at `begins` (ISO 8601); None without one."""
    if begins is None or "T" not in begins:
        return None
    return datetime.fromisoformat(begins) + timedelta(milliseconds=_milliseconds(t))


def accused_at(finding: Finding, begins: str | None) -> datetime | None:
    """Return the table's clock at the moment a finding's accusation begins (`t_start`); None if it is not known.

    `begins` is the clock at the recording's second 0 (ISO 8601). A finding's own clock was read at some moment up to
    the end of its events, so it tells only whether the clock has jumped since `begins`: then, or without `begins`, it
    stands for the moment itself.
    """
    shown, read = table_moment(begins, finding.t_start), table_moment(finding.clock, 0.0)
    if shown is None or read is None:
        return shown or read
    last = shown + timedelta(milliseconds=_milliseconds(finding.t_end - finding.t_start))
    slack = timedelta(seconds=CUT_OFF_S)
    return shown if shown - slack <= read <= last + slack else read


def _milliseconds(t: float) -> int:
    """Return whole milliseconds of `t` s: sums of times are off by less, and must not tell another second."""
    return round(1000 * t)


def clock_text(begins: str | None, t: float) -> str:
    """Return the table's clock at second `t` of a recording that begins at `begins` (ISO 8601): `21:00:05`.

    Without a clock the time into the recording: `0:05`, `1:02:05`. Parts of a second are left out, as the player does.
    """
    shown = table_moment(begins, t)
    if shown is not None:
        return shown.strftime("%H:%M:%S")
    hours, rest = divmod(_milliseconds(t) // 1000, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"


def seconds_told(begins: str | None, text: str) -> float:
    """Return the second of the recording that `clock_text` shows so; after midnight, of the next day. Raises
    BadInput.
    """
    told = _TIME.fullmatch(text.strip())
    clock = begins is not None and "T" in begins
    if told is None or int(told[2]) > 59 or int(told[3]) > 59 or (clock and (told[1] is None or int(told[1]) > 23)):
        example = "21:00:05, the table's clock" if clock else "1:05, minutes and seconds into the recording"
        raise BadInput("time", f"{text[:20]!r} is none", f"write it as {example}")
    seconds = 3600 * int(told[1] or 0) + 60 * int(told[2]) + int(told[3])
    if begins is None or not clock:
        return float(seconds)
    start = datetime.fromisoformat(begins)
    gap = (seconds - (3600 * start.hour + 60 * start.minute + start.second + start.microsecond / 1e6)) % DAY_S
    return 0.0 if gap > DAY_S - 1 else round(gap, 3)


def _places(event: AnyEvent) -> str:
    """Where an event was; for what moves, from where to where."""
    source, target = getattr(event, "from_", None), getattr(event, "to", None)
    if isinstance(source, str) and isinstance(target, str) and source != target:
        return f"{plain_place(source)} to {plain_place(target)}"
    place = _place(event)
    return plain_place(place) if place else ""


def _amounts(event: AnyEvent) -> list[str]:
    if isinstance(event, WagerChanged):
        return [f"{plain_money(event.cents_before)} to {plain_money(event.cents_after)}"]
    if hasattr(event, "cents"):
        return [plain_money(event.cents, getattr(event, "lower_bound", False))]
    return []


def _hands_shown(event: AnyEvent) -> str:
    words = {True: "yes", False: "no", None: "not seen"}
    sides = ("left_palm", "left_back", "right_palm", "right_back")
    return "; ".join(f"{side.replace('_', ' ')}: {words[getattr(event, side)]}" for side in sides)


def _place(event: AnyEvent) -> str | None:
    for name in ("at", "from_", "to", "region"):
        value = getattr(event, name, None)
        if isinstance(value, str):
            return value
    return None
