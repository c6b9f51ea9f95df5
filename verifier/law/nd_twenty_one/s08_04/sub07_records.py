"""The records of percent-of-hold and their approval (99-01.3-08-04(7))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from verifier.law import say
from verifier.law.entries import Entry, table_name
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.shared.holds import READS, holds, roster_dealers
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

KEEPING = "ND-08-04.7-ag-recordkeeping"
TRACK = "ND-08-04.7-track-dealer-poh"
ALL_SITES = "ND-08-04.7-poh-all-sites"


@session_check(KEEPING, reads=("approval", "house_rules", "other"))
def recordkeeping(session: Session) -> Iterator[Instance]:
    """Check that records are kept in the attorney general's system, or in another that was approved."""
    for entry in session.records.entries:
        system = entry.words("recordkeeping_system", "recordkeeping", "record_system")
        if system is None:
            continue
        own = any(word in system.split() for word in ("ag", "attorney")) or "attorney general" in system
        approved = entry.flag("approved", "recordkeeping_approved", "supplementary")
        yield of_row(
            KEEPING,
            True if own else approved,
            entry,
            expected="the attorney general's recordkeeping system is used, or another is approved",
            observed=say.that("{system} is used", system=system) + ("" if approved is None else " without approval"),
        )


@session_check(TRACK, ALL_SITES, reads=READS)
def dealers_tracked(session: Session) -> Iterator[Instance]:
    """Every dealer on the roster has percent-of-hold records, with the entries of each site worked."""
    own: dict[str, set[str]] = defaultdict(set)
    rows: dict[str, list[Entry]] = defaultdict(list)
    for hold in holds(session.records):
        if hold.dealer:
            rows[hold.dealer].append(hold.entry)
            sites = hold.entry.names("sites", "entries", "all_sites") or ((hold.entry.site,) if hold.entry.site else ())
            own[hold.dealer] |= {table_name(site) or "" for site in sites}
    if not rows:
        return
    for entry in session.records.of("roster"):
        for dealer in roster_dealers(entry):
            yield of_row(
                TRACK,
                dealer in rows,
                entry,
                key=dealer,
                expected=say.that("the percent-of-hold of {dealer} is tracked", dealer=dealer),
                observed=say.that("{dealer} worked and has no percent-of-hold record", dealer=dealer),
            )
            if dealer in rows and entry.site and own[dealer]:
                yield of_row(
                    ALL_SITES,
                    entry.site in own[dealer],
                    [entry, *rows[dealer]],
                    key=f"{dealer} {entry.site}",
                    expected=say.that(
                        "the percent-of-hold of {dealer} takes in site {entry}",
                        dealer=dealer,
                        entry=entry.text("site", "site_id"),
                    ),
                    observed=say.that("it takes in only {own}", own=say.listed(", ", sorted(own[dealer]))),
                )
