"""Evidence: export a signed bundle, check one, and see the head of the audit log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import streamlit as st

from verifier.dashboard.access import person, person_who_may
from verifier.dashboard.common import escaped, shown_errors, store
from verifier.dashboard.downloads import download
from verifier.dashboard.recordings import chosen_recording
from verifier.dashboard.settings import UPLOAD_MB
from verifier.law.sentences import capital
from verifier.review.bundle.collect import (
    Collected,
    collect_document,
    collect_finding,
    collect_review,
    collect_week,
)
from verifier.review.bundle.manifest import NOT_PROVEN, SUFFIX
from verifier.review.bundle.pins import known_keys
from verifier.review.bundle.printing import KIND_WORDS
from verifier.review.bundle.verify import verify_bundle
from verifier.review.bundle.whole import whole_check
from verifier.review.bundle.write import write_bundle
from verifier.review.people.accounts import full_names
from verifier.review.people.roles import Act, Person
from verifier.review.weeks import plain_week, week_of
from verifier.review.wording import local_time
from verifier.store.audit.chain import Deed
from verifier.store.audit.signing import fingerprint
from verifier.store.database import home
from verifier.store.papers import Document, Papers

_ENTRIES = 200
_SUBJECTS: Final = {"user": "account"}
_NONE: Final = ("", "None", "[]", "{}")
"""What a deed's detail says where there is nothing to say."""


def show() -> None:
    """Draw the page."""
    me = person()
    st.title("Evidence")
    parts = {"Export": Act.EXPORT, "Check a bundle": Act.READ, "Audit log": Act.AUDIT}
    allowed = [name for name, act in parts.items() if me.may(act)]
    for name, tab in zip(allowed, st.tabs(allowed), strict=True):
        with tab, shown_errors():
            if name == "Export":
                _export(person_who_may(Act.EXPORT))
            elif name == "Check a bundle":
                _check()
            else:
                _log(person_who_may(Act.AUDIT))
    st.info(NOT_PROVEN, icon=":material/info:")


def _export(me: Person) -> None:
    asked: tuple[str, str] | None = st.session_state.pop("evidence of", None)
    if asked is not None:
        st.session_state["evidence kind"], st.session_state["evidence asked"] = asked
    what = st.radio("What", list(_COLLECT), horizontal=True, key="evidence kind")
    name = _which(what, str(st.session_state.get("evidence asked") or ""))
    if st.button("Make the bundle", type="primary", disabled=not name):
        with shown_errors():
            st.session_state["bundle"], st.session_state["bundle faults"] = _written(_COLLECT[what](name), me)
    if "bundle" in st.session_state:
        path: Path = st.session_state["bundle"]
        st.success(f"{path.name} made and signed.", icon=":material/verified:")
        for says in st.session_state["bundle faults"]:
            st.error(f"The bundle is not sound, and says why: {escaped(says)}.", icon=":material/gpp_bad:")
        download(path, "Download the bundle")
        st.caption("README.txt inside tells how it is checked, also without this software.")


def _which(what: str, asked: str) -> str:
    """Return the name of what is exported: a finding's or a review's id, a document's number, or `week site`."""
    if what == "One finding":
        kept = str(st.session_state.get("finding") or "")
        return st.text_input("Finding", value=kept, help="Its number stands under its heading.").strip()
    if what == "A review":
        review = chosen_recording()
        return review.id if review is not None else ""
    if what == "A document":
        titles = {str(one.id): _title(one) for one in Papers(store()).documents()}
        names = list(titles)
        place = names.index(asked) if asked in names else 0
        return st.selectbox("Document", names, index=place, format_func=titles.__getitem__) or "" if names else _none()
    left, right = st.columns(2)
    site = left.selectbox("Site", store().review_sites(), format_func=lambda one: one or "(none)")
    weeks = list(dict.fromkeys(week_of(day) for day in store().review_days(site or "")))
    week = right.selectbox("Week of play", weeks, format_func=plain_week)
    return f"{week} {site or ''}" if week else ""


def _none() -> str:
    st.text("No document was made yet.")
    return ""


def _title(document: Document) -> str:
    return f"{document.kind.capitalize()}, site {document.site}, {document.period}, version {document.version}"


def _week(name: str) -> Collected:
    week, _, site = name.partition(" ")
    return collect_week(store(), week, site)


_COLLECT: Final[dict[str, Callable[[str], Collected]]] = {
    "One finding": lambda name: collect_finding(store(), name),
    "A review": lambda name: collect_review(store(), name),
    "A document": lambda name: collect_document(store(), int(name)),
    "A week": _week,
}


def _written(collected: Collected, me: Person) -> tuple[Path, list[str]]:
    """Write the bundle; return its path, and what it says of what was not as it had been kept."""
    stem = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in collected.subject)
    folder = home() / "exports"
    number = 1
    while (target := folder / f"{stem}-{number}{SUFFIX}").exists():
        number += 1
    manifest = write_bundle(store(), collected, target, me.signature, me.name)
    return target, [*manifest.lost, *manifest.beside]


def _check() -> None:
    given = st.file_uploader("Evidence bundle", type="zip", max_upload_size=UPLOAD_MB)
    if given is None:
        return
    with TemporaryDirectory() as name:
        path = Path(name) / "given.evidence.zip"
        path.write_bytes(given.getbuffer())
        verified = verify_bundle(path, known_keys())
    if verified.sound:
        st.success("Sound: the bundle is as it was signed.", icon=":material/verified:")
    elif verified.unchanged:
        st.warning("Unchanged since it was signed by an unknown key.", icon=":material/help:")
    else:
        st.error(f"Not sound: {len(verified.faults)} faults.", icon=":material/gpp_bad:")
        for fault in verified.faults:
            st.text(f"{KIND_WORDS[fault.kind]}: {fault.where}: {fault.says}.")
    if verified.subject:
        st.text(f"{verified.subject}, {verified.files} files, exported by {verified.made_by}, {verified.made_at}")
        st.text(f"Signer: {verified.signer or 'not known here'}; fingerprint {verified.fingerprint}")
    for line in (*verified.originals, *verified.notes):
        st.text(line)


def _plain(name: str) -> str:
    """Return the name of an act, a subject or a field as words."""
    return name.replace("_", " ")


def _row(seq: int, deed: Deed, names: Mapping[str, str]) -> dict[str, object]:
    """Return a line of the audit log in words; what a deed says nothing of is left out."""
    kind, _, which = deed.subject.partition("/")
    return {
        "Entry": seq,
        "When": local_time(deed.at),
        "Who": names.get(deed.actor, deed.actor),
        "Act": capital(_plain(deed.act)),
        "On": f"{_SUBJECTS.get(kind, _plain(kind))} {names.get(which, which) if kind == 'user' else which}".strip(),
        "Detail": "; ".join(f"{_plain(name)}: {value}" for name, value in deed.detail.items() if value not in _NONE),
    }


def _log(me: Person) -> None:
    head = store().audit_head()
    if head is None:
        st.info("The audit log is empty.")
        return
    st.markdown(f"Head: entry **{head.seq}**. Signing key: **{fingerprint(store().signer().public)}**.")
    st.caption("Write both down elsewhere. They reveal a log that was cut or computed anew.")
    st.code(head.hash, language=None)
    if st.button("Check the whole log"):
        checked = whole_check(store())
        told = f"{checked.entries} entries, {checked.things} rows and files"
        if checked.faults:
            st.error(f"{len(checked.faults)} faults: {told}.", icon=":material/gpp_bad:")
        else:
            st.success(f"{told}: each is as it was made.", icon=":material/verified:")
        for fault in checked.faults:
            st.text(f"{KIND_WORDS[fault.kind]}: {fault.where}: {fault.says}.")
        for note in checked.notes:
            st.text(f"Note: {note}.")
    links = store().audit(from_seq=max(1, head.seq - _ENTRIES + 1))[::-1]
    names = full_names(store())
    st.dataframe([_row(link.seq, link.deed, names) for link in links if link.deed], hide_index=True, width="stretch")
    st.caption(f"The last {_ENTRIES} entries, as {me.full_name} sees them.")
