"""The form in which a person decides on a finding, what waits to be stored, and what was decided before."""

from __future__ import annotations

from typing import Final, TypeAlias

import streamlit as st

from verifier.dashboard.common import (
    escaped,
    open_finding,
    pending,
    shown_errors,
    state_text,
    store,
)
from verifier.dashboard.parts.countdown import countdown
from verifier.dashboard.parts.keys import finding_keys
from verifier.review.judging import NOTE_MOST, REASONS, hold
from verifier.review.notes import keep_note, note_of
from verifier.review.pending import UNDO_S
from verifier.review.people.accounts import full_names
from verifier.review.people.roles import Act, Person
from verifier.review.queue import Filters, QueueItem, item, next_open, same_incident
from verifier.review.wording import accusation, local_time
from verifier.store.values import Decision, StoredFinding

_BUTTONS: Final[tuple[tuple[Decision, str, str, str], ...]] = (
    ("confirmed", "✔ Confirm: it happened", "The clip shows what the software says.", "1"),
    ("rejected", "✘ Reject: it did not", "The clip shows that the software is wrong. Asks for the reason.", "2"),
    ("undetermined", "? Cannot tell", "The clip does not show enough to decide.", "3"),
)
_REASON_KEYS: Final = "ASDFGHQW"
_ARM_KEY: Final = "0"
_Standing: TypeAlias = tuple[StoredFinding, list[str]]


def decision_form(person: Person, item: QueueItem, filters: Filters, seen: bool) -> None:
    """Draw the note, the buttons and the history of a finding; `seen`: whether the page can show what happened."""
    if not person.may(Act.JUDGE):
        st.subheader("Your decision", anchor=False)
        st.caption(":material/visibility: You may read, but not decide.")
    else:
        if hold(store(), person, item.stored.id).person == person.name:
            _note(person, item.stored.id)
        _form(person, item, filters, seen, _as_drawn(person, item))
    _history(item)


def tell_waiting(person: Person) -> bool:
    """Say what waits to be stored, with the way to take it back; give whether anything does."""
    if pending().waiting(person) is None:
        return False
    _bar(person)
    return True


def tell_refused(person: Person) -> None:
    """Say which decision could not be stored."""
    if (why := pending().refused(person)) is not None:
        st.error(escaped(why), icon=":material/error:")


@st.fragment
def _bar(person: Person) -> None:
    waiting = pending().waiting(person)
    if waiting is None:
        st.rerun()  # it is stored: the page shows it
    decided = item(store(), person, waiting.finding_id)
    which = f": {escaped(accusation(decided.stored.finding).rstrip('.'))}" if decided is not None else ""
    which += f" and {len(waiting.others)} more of the incident" if waiting.others else ""
    with st.container(horizontal=True, vertical_alignment="center", key="waiting", gap="small"):
        st.markdown(
            f"**{state_text(waiting.decision)}**{which}. Waits to be stored:",
            help=f"For {UNDO_S:.0f} seconds nothing of it is in the store; then it is stored, also if you close the "
            "browser. Deciding the next finding, or going to "
            "another page, stores it at once.",
            width="content",
        )
        countdown("countdown", pending().show(person))
        if st.button("Undo", icon=":material/undo:", key="undo", shortcut="U"):
            _take_back(person)


def _take_back(person: Person) -> None:
    gone = pending().take_back(person)
    if gone is None:
        st.session_state["told"] = "It was stored already. A new decision is kept beside it."
    else:
        st.session_state["told"] = f"Taken back: {state_text(gone.decision)}. Nothing was stored."
        open_finding(gone.finding_id)
    st.session_state.pop("drawn", None)
    st.rerun()


def tell_done() -> None:
    """Say what was just done: only now, since what is said right before a rerun may never reach the browser."""
    said = st.session_state.pop("told", None)
    if said is not None:
        st.toast(said)


def _standing(person: Person, item: QueueItem) -> _Standing:
    """Return what a decision on the finding rests on: what it says, and every decision on it, one that waits as well.

    A decision that waits and then is stored changes nothing of it.
    """
    decisions: list[str] = [verdict.decision for verdict in item.verdicts]
    waiting = pending().waiting(person)
    if waiting is not None and item.stored.id in (waiting.finding_id, *waiting.others):
        decisions.append(waiting.decision)
    return item.stored, decisions


def _as_drawn(person: Person, item: QueueItem) -> _Standing:
    """Return what the finding rests on now that the page is drawn, and say so where that changed on a page that stood.

    A decision that waited is for a moment in neither place while it is being stored. A finding that lacks only this
    decision has not changed.
    """
    now, before = _standing(person, item), st.session_state.get("drawn")
    if before is None or before[0].id != item.stored.id:
        return now
    if _differs(before, now):
        st.session_state["changed"] = item.stored.id
        return now
    kept: _Standing = before
    return kept


def _differs(before: _Standing, now: _Standing) -> bool:
    """Tell whether a finding says other things than before, or a decision came to it."""
    return before[0] != now[0] or before[1][: len(now[1])] != now[1]


def _mark(drawn: _Standing) -> str:
    """Return what the `key=` of the deciding buttons ends with: a press of a button drawn before a change is no press
    of the one drawn after it.
    """
    stored, decisions = drawn
    return f" {len(decisions)}{'' if stored.current else ' withdrawn'}" if decisions or not stored.current else ""


@st.fragment
def _form(person: Person, item: QueueItem, filters: Filters, seen: bool, drawn: _Standing) -> None:
    """Draw the buttons. Each finding has buttons of its own: a press meant for one never decides another.

    `drawn` is what the finding rested on when the page was drawn; a fragment that runs again is given the same.

    The note is no part of the fragment. A browser tells a typed note and the press that follows at once in one message,
    which reruns what the note belongs to; a button of the page would not be part of that, and its press be lost.
    """
    name = item.stored.id
    if _held_by_another(person, name):
        return
    rejecting = st.session_state.get("rejecting") == name
    shown = finding_keys(
        name,
        _keys(name, _mark(drawn), rejecting),
        _note_key(name),
        "reasons" if rejecting else "",
        () if rejecting else _REASON_KEYS.lower(),
    )
    if shown:
        _arm(name, seen=True)
    if st.session_state.get("changed") == name:
        st.warning(
            "This finding changed after your page was drawn: it was decided, or the recording was reviewed again. "
            "Nothing was stored. Look at it again, then decide.",
            icon=":material/sync_problem:",
        )
    if not rejecting:
        st.subheader("Your decision", anchor=False)
    note = str(st.session_state.get(_note_key(name), ""))
    _together(person, item)
    if rejecting:
        _reasons(person, item, filters, note, _mark(drawn))
    else:
        _choices(person, item, filters, note, seen, _mark(drawn))
    st.session_state["drawn"] = drawn


def _held_by_another(person: Person, name: str) -> bool:
    """Take the finding for this person; tell whether somebody else has it, and say who."""
    standing = hold(store(), person, name)
    if standing.person == person.name:
        return False
    who = full_names(store()).get(standing.person, standing.person)
    st.warning(
        f"{escaped(who)} is looking at this finding (until {local_time(standing.until)} at most). "
        "Take another one; afterwards your decision is kept beside theirs.",
        icon=":material/lock_person:",
    )
    return True


def _choices(person: Person, item: QueueItem, filters: Filters, note: str, seen: bool, mark: str) -> None:
    """Draw the three decisions."""
    name = item.stored.id
    armed = _armed(name)
    for decision, label, help_text, key in _BUTTONS:
        pressed = st.button(
            label,
            help=help_text,
            width="stretch",
            key=f"decide {decision} {name}{mark}",
            shortcut=key,
            disabled=not armed and decision != "rejected",
            on_click=_open_reasons if decision == "rejected" else None,
            args=(name,) if decision == "rejected" else (),
        )
        if pressed and decision != "rejected":
            _decide(person, item, filters, decision, note, "")
    if not armed:
        _not_armed(name, seen)


def _keys(name: str, mark: str, rejecting: bool) -> dict[str, str]:
    """Return the keys of the page with the `key=` of their buttons."""
    found = {"u": "undo"}
    if rejecting:
        found |= {
            key.lower(): f"reason {reason} {name}{mark}" for reason, key in zip(REASONS, _REASON_KEYS, strict=True)
        }
        return found | {"Escape": f"back {_turn()} {name}"}
    return (
        found | {key: f"decide {decision} {name}{mark}" for decision, _, _, key in _BUTTONS} | {_ARM_KEY: f"arm {name}"}
    )


def _armed(name: str) -> bool:
    """Tell whether the person may decide: the clip's decisive seconds were shown, or the person said otherwise."""
    return name in st.session_state.get("armed", {})


def _arm(name: str, *, seen: bool) -> None:
    """Let the person decide; `seen`: the decisive seconds were shown. What was once shown stays so."""
    armed: dict[str, bool] = st.session_state.get("armed", {})
    st.session_state["armed"] = {**armed, name: seen or armed.get(name, False)}


def _not_armed(name: str, seen: bool) -> None:
    why = "once the clip has shown the decisive seconds" if seen else "once you have seen what happened"
    st.caption(f"You can confirm, or say why not, {why}.")
    label = "Decide without the clip"
    st.button(
        label,
        key=f"arm {name}",
        shortcut=_ARM_KEY,
        type="tertiary",
        on_click=_arm,
        args=(name,),
        kwargs={"seen": False},
    )


def _note(person: Person, name: str) -> None:
    """Draw the note's field and return its text; what is typed is kept on the server until the decision is stored.

    A finding that comes up again has a field of its own again, which begins with what was kept.
    """
    opened, visit, begun = st.session_state.get("note of", ("", 0, ""))
    if opened != name:
        visit, begun = visit + 1, note_of(person, name)
        st.session_state["note of"] = (name, visit, begun)
        st.session_state["kept note"] = begun
    note: str = st.text_area(
        "Note",
        value=begun,
        key=_note_key(name),
        height=68,
        label_visibility="collapsed",
        placeholder="Note (kept while you type)",
    )
    if len(note) > NOTE_MOST:
        st.warning(
            f"The note has {len(note)} characters. The first {NOTE_MOST} are kept; make it shorter to decide.",
            icon=":material/short_text:",
        )
    _keep_changed(person, name, note)


def _together(person: Person, item: QueueItem) -> None:
    """Offers the same decision for the other open findings of the incident, which are named."""
    others = same_incident(store(), person, item)
    name = item.stored.id
    if not others:
        st.session_state.get("together", {}).pop(name, None)
        return
    told = "; ".join(accusation(one.stored.finding).rstrip(".") for one in others)
    count = "another finding" if len(others) == 1 else f"{len(others)} other findings"
    asked = st.checkbox(
        escaped(f"The same for {count} of this incident: {told}"),
        key=f"together {name}",
        help="They rest on the same events. They are stored as decided without their own clips.",
    )
    chosen = st.session_state.setdefault("together", {})
    chosen[name] = [one.stored.id for one in others] if asked else []


def _note_key(name: str) -> str:
    opened, visit, _ = st.session_state.get("note of", ("", 0, ""))
    return f"note {visit if opened == name else visit + 1} {name}"


def _keep_changed(person: Person, name: str, note: str) -> None:
    """Keep the note where it was changed here: an older one of this page never replaces what another tab kept."""
    field_of = st.session_state.get("note of", ("", 0, ""))[0]
    if field_of == name and note != st.session_state["kept note"]:
        _keep(person, name, note)
        st.session_state["kept note"] = note


def _keep(person: Person, name: str, note: str) -> None:
    try:
        with shown_errors():
            keep_note(person, name, note[:NOTE_MOST])
    except OSError as error:
        st.warning(f"The note is not kept over a reload: {error.strerror}.", icon=":material/error:")


def _reasons(person: Person, item: QueueItem, filters: Filters, note: str, mark: str) -> None:
    """Why a finding is rejected, one key each; the reason labels an example from which the software can learn.

    They stand where the buttons stood, which were in view.
    """
    name = item.stored.id
    armed = _armed(name)
    with st.container(border=True, key="reasons", gap="xsmall"):
        st.markdown("**Why is it wrong?**")
        if not armed:
            st.caption("The keys open once the clip has shown the decisive seconds.")
        columns = st.columns(2, gap="xsmall")
        for place, ((reason, words), key) in enumerate(zip(REASONS.items(), _REASON_KEYS, strict=True)):
            name_of = f"reason {reason} {name}{mark}"
            if columns[place % 2].button(
                words, key=name_of, width="stretch", shortcut=key, disabled=not armed, wrap=True
            ):
                _decide(person, item, filters, "rejected", note, reason)
        turn = _turn()
        st.button(
            "Back, no decision",
            key=f"back {turn} {name}",
            shortcut="Escape",
            type="tertiary",
            on_click=_close_reasons,
            args=(turn,),
        )


def _turn() -> int:
    """How often reasons were opened or closed."""
    return int(st.session_state.get("reasons turn", 0))


def _open_reasons(name: str) -> None:
    """Open the reasons of that finding, and of no other."""
    st.session_state["reasons turn"] = _turn() + 1
    st.session_state["rejecting"] = name


def _close_reasons(turn: int) -> None:
    """Close the reasons that were opened in that turn: a press that comes late closes no others."""
    if turn == _turn():
        st.session_state["reasons turn"] = turn + 1
        st.session_state.pop("rejecting", None)


def _decide(person: Person, item: QueueItem, filters: Filters, decision: Decision, note: str, reason: str) -> None:
    """Let the decision wait to be stored, and go to the next open finding."""
    name = item.stored.id
    if not _armed(name):
        st.error("The clip was not shown yet.", icon=":material/error:")
        return
    if _changed(person, name):
        st.session_state["changed"] = name
        st.session_state.pop("rejecting", None)
        st.rerun()
    with shown_errors():
        _keep_changed(person, name, note)
        others = st.session_state.get("together", {}).pop(name, [])
        pending().take(person, name, decision, note, reason, seen=st.session_state["armed"][name], others=others)
        st.session_state.pop("rejecting", None)
        for gone in ("changed", "drawn"):
            st.session_state.pop(gone, None)
        following = next_open(store(), person, filters, name, others)
        if not following:
            st.session_state["told"] = "Nothing else is left open."
        if following:
            open_finding(following)
        st.rerun()


def _changed(person: Person, name: str) -> bool:
    """Tell whether the finding, or what was decided on it, is other than when this page was last drawn."""
    drawn = st.session_state.get("drawn")
    now = item(store(), person, name)
    if drawn is None or drawn[0].id != name:
        return False
    return now is None or _differs(drawn, _standing(person, now))


def _history(item: QueueItem) -> None:
    if not item.verdicts:
        return
    st.markdown("**Decided before** (a new decision is kept beside these)")
    for verdict in reversed(item.verdicts):
        reason = f"\n{REASONS.get(verdict.reason, verdict.reason)}" if verdict.reason else ""
        note = f"\n“{verdict.note}”" if verdict.note else ""
        unseen = "\nDecided without the clip" if verdict.seen is False else ""
        told = f"{state_text(verdict.decision)}: {verdict.reviewer}, {local_time(verdict.decided_at)}"
        st.text(f"{told}{unseen}{reason}{note}")
