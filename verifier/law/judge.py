"""The judgement of a log: every check over every round and over the log as a whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.events import Announcement, AnyEvent, CardDealt, EventLog
from verifier.domain.events.records import RecordEvent
from verifier.domain.facts import Remark
from verifier.domain.findings import VERDICT_ORDER, ClauseVerdict, Evidence, Finding, FindingsReport, Verdict
from verifier.domain.rulebooks import game_of
from verifier.law.assessed import MISTAKES, UNCOUNTED, UNTOLD, option_missing, why_not_assessed
from verifier.law.attested import rests_on_statement
from verifier.law.catalogue import Clause, by_id, clauses, text_date
from verifier.law.gaps import Span, unseen
from verifier.law.grouping import in_order
from verifier.law.in_force import house_in_force
from verifier.law.incidents import finding, incidents
from verifier.law.instances import Instance
from verifier.law.registry import Check, checks, grouping, reservation, withheld
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.unseen_wagers import unseen_wagers
from verifier.law.worlds import over_ways

PERSPECTIVE = "ND-08-04.1.b-dealer-perspective"
LEAST_SURE = 0.75
"""In a log made from a recording, a violation that rests on a record below this is left open (project policy)."""


def judge(
    log: EventLog,
    rulebook: str | None = None,
    about: Callable[[Instance], bool] | None = None,
    only: Collection[str] | None = None,
) -> FindingsReport:
    """Judge a log under a rulebook (default: its header's); what `about` refuses counts for nothing.

    With `only`, these clauses alone are judged, and have a row each.

    Raises BadInput for house options that are not valid and for a rulebook of another game than the log's.
    """
    name = rulebook or log.header.rulebook
    _check_game(log, name)
    session = Session(log.header, house_in_force(log), in_order(log.events), name, grouping(name))
    asked = [check for check in checks(name) if only is None or not set(only).isdisjoint(check.clauses)]
    active = [check for check in asked if _applies(check, session)]
    known = {key: one for key, one in by_id(name).items() if only is None or key in only}
    untold = withheld(name, session)
    said = [*_round_instances(session, active), *_session_instances(session, active)]
    told = (i for i in (_in_force(instance, frozenset(untold)) for instance in said) if i is not None)
    instances = [*told, *unseen_wagers(session, active)]
    instances = [i for i in instances if i.clause in known and (about is None or about(i))]
    if session.house.mistake_policy == "alternative":
        instances = [_without_replaced(i) for i in instances]
    lapsed = frozenset(clause.id for clause in clauses(name) if not clause.in_force.on(log.header.date))
    instances = [i for i in (_in_force(instance, lapsed) for instance in instances) if i is not None]
    unseen = {i.clause: UNCOUNTED for i in instances if i.uncounted and session.from_pixels}
    instances, silent = _where_told(session, instances)
    instances = _opened(name, session, active, known, instances)
    roots = incidents(i for i in instances if i.verdict in ("violation", "undetermined"))
    findings = sorted(
        (finding(root, known[root.clause]) for root in roots), key=lambda f: (f.t_start, f.clause, f.at or "")
    )
    rows = _rows(name, session, instances, known.values(), {**silent, **unseen, **untold})
    summary = _summary(findings, rows)
    return FindingsReport(rulebook=name, law_as_of=text_date(name), summary=summary, findings=findings, clauses=rows)


def _where_told(session: Session, instances: list[Instance]) -> tuple[list[Instance], dict[str, str]]:
    """Return the instances without those that ask for what the log does not tell, and why their clauses are not
    assessed. A log tells what most of its records do, a recording only what it shows.
    """
    silent = {i.clause: f"{UNTOLD} {i.untold}" for i in instances if i.untold}
    count = Counter((i.clause, bool(i.untold)) for i in instances if i.clause in silent)
    tells = {c for c in silent if count[c, False] >= count[c, True] and not session.from_pixels}
    left = [i for i in instances if not i.untold or (i.verdict == "undetermined" and i.clause in tells)]
    return left, silent


def _check_game(log: EventLog, name: str) -> None:
    """Raise BadInput for a rulebook of another game than the log's."""
    if game_of(name) != game_of(log.header.rulebook):
        raise BadInput(
            "event log",
            f"its rulebook {log.header.rulebook} is of {game_of(log.header.rulebook)}, {name} judges {game_of(name)}",
            f"judge it by a rulebook of {game_of(log.header.rulebook)}",
            where="line 1",
        )


def _opened(
    name: str, session: Session, active: Sequence[Check], known: Mapping[str, Clause], instances: list[Instance]
) -> list[Instance]:
    """Return the instances, open where the log as a whole leaves open what they accuse: as it was seen or heard."""
    if session.from_pixels:
        instances = [i for i in instances if not i.uncounted]
        instances = [_open_by_doubt(i) if _doubtful(i) else i for i in instances]
        instances = [_open(i, "narrow") if i.narrow and i.verdict == "violation" else i for i in instances]
    if not session.heard_wholly:
        spoken = {clause for check in active if check.audio for clause in check.clauses}
        instances = [_open(i, "perhaps_unheard") if i.clause in spoken and _unsaid(i) else i for i in instances]
    unsure = reservation(name, session)
    if unsure is not None:
        instances = [_open(i, unsure) if i.verdict == "violation" else i for i in instances]
    if any(i.clause == PERSPECTIVE and i.verdict == "violation" for i in instances):
        instances = [
            _open(i, "picture_turned") if i.verdict == "violation" and known[i.clause].sided else i for i in instances
        ]
    return instances


def _summary(findings: Sequence[Finding], rows: Sequence[ClauseVerdict]) -> dict[str, int]:
    """Count findings that accuse or are open, and clauses by the other verdicts."""
    counts = Counter(row.verdict for row in rows)
    listed = Counter(f.verdict for f in findings)
    return {
        "violation": listed["violation"],
        "undetermined": listed["undetermined"],
        "pass": counts["pass"],
        "not_assessed": counts["not_assessed"],
        "not_applicable": counts["not_applicable"],
    }


def _in_force(instance: Instance, lapsed: frozenset[str]) -> Instance | None:
    """Return the instance without clauses that were not in force on the day of play or are not assessed; None where
    none is left.
    """
    if lapsed.isdisjoint((instance.clause, *instance.also)):
        return instance
    left = tuple(clause for clause in (instance.clause, *instance.also) if clause not in lapsed)
    return msgspec.structs.replace(instance, clause=left[0], also=left[1:]) if left else None


def _without_replaced(instance: Instance) -> Instance:
    """Without companions of section 08-12, to which an alternative written policy goes before."""
    return msgspec.structs.replace(instance, also=tuple(c for c in instance.also if not c.startswith(MISTAKES)))


def _applies(check: Check, session: Session) -> bool:
    house = session.house
    if check.audio and not session.hears:
        return False
    if check.video and house.video_surveillance == "absent":
        return False
    if check.statute and house.mistake_policy == "alternative":
        return False
    return not option_missing(check, house) and all(
        wanted is None or getattr(house, option) == wanted for option, wanted in check.needs.items()
    )


def _round_instances(session: Session, active: Sequence[Check]) -> Iterator[Instance]:
    of_round = [check for check in active if check.of_round]
    unheard = [check for check in of_round if not check.audio]
    for game in session.rounds:
        here = of_round if session.heard_at(game.events[0].t_start) else unheard
        if any(event.weak for event in game.events):
            found: Iterable[Instance] = over_ways(
                game.events,
                partial(_judged_as, game, here),
            )
        else:
            found = _judge_round(game, here, game.card_missing)
        span = (game.events[0].t_start, game.events[-1].t_end)
        for instance in found:
            if instance.verdict == "pass":
                yield instance
            else:
                yield msgspec.structs.replace(instance, round=game.number, span=span)


def _judged_as(game: Round, active: Sequence[Check], events: tuple[AnyEvent, ...]) -> Iterator[Instance]:
    """Judge the round as if it had these events: one way in which its weak ones may have been."""
    return _judge_round(replace(game, events=events), active, game.card_missing)


def _judge_round(game: Round, active: Sequence[Check], card_missing: bool) -> Iterator[Instance]:
    """`card_missing` is told by the log as it stands: a weak card that one way leaves out is not missing."""
    for check in active:
        if not game.opened and check.partial == "drop":
            continue
        for instance in _said_of(check, game):
            if not game.opened and check.partial == "undetermined":
                if instance.verdict == "violation":
                    yield _open(instance, "begins_amid_round")
            elif (game.interrupted or game.jumped) and check.partial != "keep" and instance.verdict == "violation":
                yield _open(instance, "stopped_in_round" if game.interrupted else "card_missing")
            elif card_missing and instance.verdict == "violation" and _by_cards(instance):
                yield _open(instance, "card_missing")
            elif check.video and game.house.video_surveillance is None and instance.verdict == "violation":
                yield _open(instance, "surveillance_unknown")
            else:
                yield instance


def _said_of(check: Check, game: Round) -> Iterator[Instance]:
    """Yield what a check says of a round. In one that the log cuts off, what would be a breach if nothing followed is
    open: it may have followed.
    """
    said = list(check.judge(game))
    yield from said
    if game.closed:
        return
    known = {instance.identity for instance in said if instance.verdict != "pass"}
    for instance in check.judge(replace(game, closed=True)):
        if instance.verdict != "pass" and instance.identity not in known:
            yield msgspec.structs.replace(_open(instance, "ends_amid_round"), incident="log ends")


def _by_cards(instance: Instance) -> bool:
    return any(isinstance(event, CardDealt) for event in instance.events)


def _session_instances(session: Session, active: Sequence[Check]) -> Iterator[Instance]:
    of_session = [check for check in active if check.of_session]
    if any(event.weak for event in session.events):
        yield from over_ways(session.events, lambda taken: list(_judge_session(session, taken, of_session)))
    else:
        yield from _judge_session(session, session.events, of_session)


def _judge_session(session: Session, events: tuple[AnyEvent, ...], active: Sequence[Check]) -> Iterator[Instance]:
    taken = session if events is session.events else replace(session, events=events)
    stopped = {game.number for game in session.rounds if game.interrupted and game.number is not None}
    stops = unseen(session.events)
    for check in active:
        for instance in check.judge(taken):
            instance = _in_its_round(instance)
            if instance.verdict == "violation" and (instance.round in stopped or _stopped(session, instance, stops)):
                yield _open(instance, "stopped_in_round" if instance.round in stopped else "stopped_then")
            elif check.video and session.house.video_surveillance is None and instance.verdict == "violation":
                yield _open(instance, "surveillance_unknown")
            else:
                yield instance


def _stopped(session: Session, instance: Instance, stops: Sequence[Span]) -> bool:
    """Tell whether nothing could be seen for a while between the rounds of which something is said not to be done."""
    rounds = {event.round for event in instance.events if event.round is not None}
    if not stops or not instance.events or len(rounds) > 1 or any(isinstance(e, RecordEvent) for e in instance.events):
        return False
    begun, ended = min(e.t_start for e in instance.events), max(e.t_end for e in instance.events)
    spans = [(game.events[0].t_start, game.events[-1].t_end) for game in session.rounds]
    since = max((end for _, end in spans if end <= begun), default=0.0)
    until = min((start for start, _ in spans if start >= ended), default=float("inf"))
    return any(since <= end and start <= until for start, end in stops)


def _in_its_round(instance: Instance) -> Instance:
    """Return the instance with its round where it rests on records of one round only."""
    if instance.verdict == "pass" or instance.round is not None or instance.whole:
        return instance
    rounds = {event.round for event in instance.events}
    return msgspec.structs.replace(instance, round=rounds.pop()) if len(rounds) == 1 else instance


def _unsaid(instance: Instance) -> bool:
    """Tell whether it is a violation because nothing was heard."""
    return instance.verdict == "violation" and not any(isinstance(event, Announcement) for event in instance.events)


def _doubtful(instance: Instance) -> bool:
    return instance.verdict == "violation" and any(event.p < LEAST_SURE for event in instance.events)


def _open_by_doubt(instance: Instance) -> Instance:
    """Leave open a violation that rests on a record that was not seen surely: it is no more probable than that
    record.
    """
    seen = min(event.p for event in instance.events)
    chance = seen if instance.chance is None else min(seen, instance.chance)
    return msgspec.structs.replace(_open(instance, "not_seen_surely"), chance=chance)


def _open(instance: Instance, why: Remark) -> Instance:
    return instance.remarked(why, verdict="undetermined")


def _rows(
    rulebook: str,
    session: Session,
    instances: Sequence[Instance],
    asked: Iterable[Clause],
    untold: Mapping[str, str],
) -> list[ClauseVerdict]:
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    attested = {instance.clause for instance in instances if rests_on_statement(instance.events)}
    for instance in instances:
        verdicts[instance.clause].append(instance.verdict)
        for clause_id in instance.also:
            verdicts[clause_id].append(instance.verdict)
    rows = []
    for clause in asked:
        said = verdicts.get(clause.id)
        if said:
            worst = min(said, key=VERDICT_ORDER.__getitem__)
            evidence: Evidence | None = "attested" if clause.id in attested else None
            rows.append(ClauseVerdict(clause=clause.id, verdict=worst, checked=len(said), evidence=evidence))
            continue
        why = untold.get(clause.id) or why_not_assessed(clause, rulebook, session)
        verdict: Verdict = "not_assessed" if why else "not_applicable"
        rows.append(ClauseVerdict(clause=clause.id, verdict=verdict, checked=0, why=why))
    return rows
