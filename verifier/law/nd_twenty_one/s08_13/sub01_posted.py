"""Posted rules and options (99-01.3-08-13)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from verifier.domain.facts import AnyFact
from verifier.domain.house import House
from verifier.law import say
from verifier.law.entries import Entry, as_cents, as_flag, plain, table_name
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import of_row, ours
from verifier.law.session import Session

LIMITS = "ND-08-13.1.a-limits"
METHOD = "ND-08-13.1.b-dealing-method"
DOUBLE = "ND-08-13.2.j-double-amount"
INSURANCE = "ND-08-13.2.k-insurance"
TIPS = "ND-08-13.2.l-tip-betting"
TIP_DOUBLE = "ND-08-13.2.m-tip-double"
READS = ("disclosure",)
_POINTS: Final = {
    "ND-08-13.2.a-compute-count": ("a", "compute_count", "count", "player_computes"),
    "ND-08-13.2.b-age-21": ("b", "age_21", "age", "minimum_age"),
    "ND-08-13.2.c-hand-signals": ("c", "hand_signals", "signals"),
    "ND-08-13.2.d-no-touching": ("d", "no_touching", "touching", "no_card_touch"),
    "ND-08-13.2.e-two-spaces": ("e", "two_spaces", "spaces", "two_space_maximum"),
    "ND-08-13.2.f-no-side-bets": ("f", "no_side_bets", "side_bets"),
    "ND-08-13.2.g-no-tie-payoff": ("g", "no_tie_payoff", "ties", "no_pay_tie"),
    "ND-08-13.2.h-splitting-rule": ("h", "splitting_rule", "splitting"),
    "ND-08-13.2.i-doubling-rule": ("i", "doubling_rule", "doubling"),
    "ND-08-13.3-cheating-notice": ("cheating_notice", "cheating", "felony_notice"),
}
"""What must be posted as such, with the names that the item may have in a record."""
_OPTIONS: Final[dict[str, tuple[tuple[str, ...], Callable[[House], object]]]] = {
    METHOD: (("dealing_method", "method"), lambda house: house.dealing_method),
    DOUBLE: (("j", "double_amount", "double_down_equal", "double"), lambda house: house.double_down_equal),
    INSURANCE: (("k", "insurance", "insurance_allowed"), lambda house: house.insurance_allowed),
    TIPS: (("l", "tip_betting", "tips"), lambda house: house.tip_betting),
    TIP_DOUBLE: (("m", "tip_double", "tip_double_down"), lambda house: house.tip_double_down),
}
"""Options that must be posted as they are in force."""
_MEANT: Final = (
    ("no_hole_card", r"no_hole|without_hole"), ("hole_card_reader", r"reader"), ("hole_card_no_peek", r"peek"),
    ("not_permitted", r"not_(be_)?(permit|allow)|prohibit|may_not_(?!exceed|be_(more|less))|cannot|^not?$|^no_[td]"),
    ("equal", r"not_(be_)?less|must_(be_)?equal(?!.*less)"), ("equal_or_less", r"less|not_exceed|no_more|up_to"),
    ("equal", r"equal"), ("permitted", r"permit|allow"),
)  # fmt: skip
"""Options by the words in which they may be posted, tried in this order."""
_NUMBERS: Final = {"1": "one", "2": "two"}
_LISTS: Final = ("items", "posted", "points", "rules")


def listed(entry: Entry, names: tuple[str, ...]) -> bool | None:
    """Tell whether a list of what is posted, or of what is missing, has an item; None where no list tells."""
    missing = entry.names("missing", "not_posted")
    if missing and any(plain(item.strip("()")) in names for item in missing):
        return False
    given = entry.names(*_LISTS)
    if given is not None and not isinstance(entry.get(*_LISTS), Mapping):
        return any(plain(item.strip("()")) in names for item in given)
    told = any(entry.fields.get(name) is not None for name in names)
    return True if missing is not None and given is None and not told else None


def posted(entry: Entry, names: tuple[str, ...]) -> object:
    """Return what is said of an item: a value, a yes or no; None where the record does not tell."""
    found = listed(entry, names)
    if found is not None:
        return found
    nested = entry.get(*_LISTS)
    fields = {plain(k): v for k, v in nested.items()} if isinstance(nested, Mapping) else entry.fields
    return next((fields[name] for name in names if fields.get(name) is not None), None)


@session_check(*_POINTS, reads=READS)
def rules_posted(session: Session) -> Iterator[Instance]:
    """Check that the player rules and the notice of the felony are posted or handed out."""
    for entry in session.records.of("disclosure"):
        for clause, names in _POINTS.items():
            value = posted(entry, names)
            if value is None:
                continue
            right = not _unposted(entry, value)
            years = re.findall(r"\d+", str(value)) if "age_21" in names and as_flag(value) is None else []
            if years:
                right = "21" in years
            yield of_row(
                clause,
                right,
                entry,
                expected=say.that("posted").detail(
                    "{names}", names=names[1 if len(names[0]) == 1 else 0].replace("_", " ")
                ),
                observed="it is not posted" if _unposted(entry, value) else say.that("posted as {value}", value=value),
            )


def _unposted(entry: Entry, value: object) -> bool:
    """Tell whether a value says that an item is not posted; `no` to `touching` or `ties` is what it says when
    posted.
    """
    if value in (False, "", 0) or plain(str(value)) in ("not_posted", "missing", "not_displayed", "not_shown"):
        return True
    return as_flag(value) is False and not any(
        entry.fields.get(n) is not None for n in ("touching", "side_bets", "ties")
    )


@session_check(*_OPTIONS, LIMITS, reads=READS)
def options_posted(session: Session) -> Iterator[Instance]:
    """Limits and options are posted as they are in force."""
    for entry in ours(session, "disclosure"):
        for clause, (names, of_house) in _OPTIONS.items():
            value, item = posted(entry, names), listed(entry, names)
            if value is not None:
                wanted = of_house(session.house)
                right = _same_option(value, wanted) if item is None else item
                if clause == INSURANCE and right and _other_odds(value):
                    right = False
                yield of_row(
                    clause,
                    right,
                    entry,
                    expected=say.that("posted as in force").detail("{wanted}", wanted=_words(wanted)),
                    observed=say.that("posted").detail("{value}", value=_words(value)),
                )
        if entry.where is None or session.header.table is None or entry.where == table_name(session.header.table):
            yield from _limits(session, entry)


def _same_option(value: object, wanted: object) -> bool | None:
    """Tell whether a posted value is the option in force; that it is posted, without its value, counts as such."""
    flag = as_flag(value)
    if wanted is None or value == "":
        return True if flag else (False if value == "" else None)
    if isinstance(wanted, bool):
        words = plain(str(value)).split("_")
        return flag == wanted if flag is not None else wanted is not any(w in ("not", "no") for w in words)
    if flag is not None:
        return flag != (wanted == "not_permitted")
    meant = next((option for option, pattern in _MEANT if re.search(pattern, plain(str(value)))), None)
    return None if meant is None else meant == wanted


def _other_odds(value: object) -> bool:
    """Tell whether a posted text gives other odds for insurance than two to one."""
    odds = re.findall(r"(\w+)\s*(?:to|:|for)\s*(\w+)", str(value).lower())
    return bool(odds) and ("two", "one") not in [(_NUMBERS.get(a, a), _NUMBERS.get(b, b)) for a, b in odds]


def _words(value: object) -> str:
    if value is None:
        return "not known"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value).replace("_", " ")


def _limits(session: Session, entry: Entry) -> Iterator[Instance]:
    given = entry.get("limits", "table_limits", "betting_limits")
    low, high = entry.cents("min", "minimum"), entry.cents("max", "maximum")
    if isinstance(given, Mapping):
        low, high = as_cents(given.get("min", given.get("minimum"))), as_cents(given.get("max", given.get("maximum")))
    if isinstance(given, str):
        amounts = [as_cents(text) for text in re.findall(r"\$?\d[\d,]*(?:\.\d{2})?", given)]
        low, high = amounts if len(amounts) == 2 else (low, high)
    limits = session.house.table_limits
    blank = isinstance(given, Mapping) and any(given.get(n) == "" for n in ("min", "minimum", "max", "maximum"))
    if given in (False, "", [], {}) or blank:
        right: bool | None = False
    elif low is None and high is None:
        if given is None:
            return
        right = True
    else:
        same = [low is None or low == limits.min, high is None or high == limits.max]
        right = False if False in same else (None if None in (low, high) else True)
    yield of_row(
        LIMITS,
        right,
        entry,
        expected=say.that("limits are posted").detail(
            "{min} to {max}", min=say.cents(limits.min), max=say.cents(limits.max)
        ),
        observed="they are not posted"
        if low is None and high is None
        else say.that("posted").detail("{low} to {high}", low=_or_unknown(low), high=_or_unknown(high)),
    )


def _or_unknown(cents: int | None) -> AnyFact | str:
    return "?" if cents is None else say.cents(cents)
