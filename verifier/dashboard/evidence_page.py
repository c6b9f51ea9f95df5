"""Evidence: export a signed bundle, check one, and see the head of the audit log."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from verifier.dashboard.access import person, person_who_may
from verifier.dashboard.common import shown_errors, store
from verifier.dashboard.downloads import download
from verifier.dashboard.recordings import chosen_recording
from verifier.review.bundle.collect import Collected, collect_finding, collect_review, collect_week
from verifier.review.bundle.manifest import NOT_PROVEN, SUFFIX
from verifier.review.bundle.pins import known_keys
from verifier.review.bundle.printing import KIND_WORDS
from verifier.review.bundle.verify import verify_bundle
from verifier.review.bundle.whole import check_log
from verifier.review.bundle.write import write_bundle
from verifier.review.people.roles import Act, Person
from verifier.store.audit.signing import fingerprint
from verifier.store.database import home

_MOST_MB = 500
_ENTRIES = 200


def show() -> None:
    """Draws the page."""
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
    what = st.radio("What", ["One finding", "A review", "A week"], horizontal=True)
    kept = str(st.session_state.get("finding") or "")
    review = chosen_recording() if what == "A review" else None
    with st.form("export"):
        site = ""
        if what == "One finding":
            name = st.text_input("Finding", value=kept)
        elif what == "A review":
            name = review.id if review is not None else ""
            st.text(f"Review {name}" if name else "Nothing was reviewed.")
        else:
            left, right = st.columns(2)
            name, site = left.text_input("Week", placeholder="2026-W47"), right.text_input("Site, if there are several")
        if st.form_submit_button("Make the bundle", type="primary"):
            with shown_errors():
                collected = _collected(what, name.strip(), site.strip())
                st.session_state["bundle"] = _written(collected, me)
    if "bundle" in st.session_state:
        path: Path = st.session_state["bundle"]
        st.success(f"{path.name} made and signed.", icon=":material/verified:")
        download(path, "Download the bundle")


def _collected(what: str, name: str, site: str) -> Collected:
    if what == "One finding":
        return collect_finding(store(), name)
    if what == "A review":
        return collect_review(store(), name)
    return collect_week(store(), name, site or None)


def _written(collected: Collected, me: Person) -> Path:
    stem = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in collected.subject)
    folder = home() / "exports"
    number = 1
    while (target := folder / f"{stem}-{number}{SUFFIX}").exists():
        number += 1
    write_bundle(store(), collected, target, me.signature)
    return target


def _check() -> None:
    given = st.file_uploader("Evidence bundle", type="zip", max_upload_size=_MOST_MB)
    if given is None:
        return
    with TemporaryDirectory() as name:
        path = Path(name) / "given.evidence.zip"
        path.write_bytes(given.getbuffer())
        verified = verify_bundle(path, known_keys())
    if verified.sound:
        st.success("Sound: the bundle is as it was signed.", icon=":material/verified:")
    else:
        st.error(f"Not sound: {len(verified.faults)} faults.", icon=":material/gpp_bad:")
        for fault in verified.faults:
            st.text(f"{KIND_WORDS[fault.kind]}: {fault.where}: {fault.says}.")
    if verified.subject:
        st.text(f"{verified.subject}, {verified.files} files, exported by {verified.made_by}, {verified.made_at}")
        st.text(f"Signer: {verified.signer or 'not known here'}; fingerprint {verified.fingerprint}")
    for line in (*verified.originals, *verified.notes):
        st.text(line)


def _log(me: Person) -> None:
    head = store().audit_head()
    if head is None:
        st.info("The audit log is empty.")
        return
    st.markdown(f"Head: entry **{head.seq}**. Signing key: **{fingerprint(store().signer().public)}**.")
    st.caption("Write both down elsewhere: then a log that is cut or computed anew shows.")
    st.code(head.hash, language=None)
    if st.button("Check the whole log"):
        entries, faults = check_log(store())
        if faults:
            st.error(f"{len(faults)} faults in {entries} entries.", icon=":material/gpp_bad:")
        else:
            st.success(f"{entries} entries, each follows from the one before.", icon=":material/verified:")
        for fault in faults:
            st.text(f"{KIND_WORDS[fault.kind]}: {fault.where}: {fault.says}.")
    links = store().audit(from_seq=max(1, head.seq - _ENTRIES + 1))[::-1]
    deeds = [(link.seq, link.deed) for link in links if link.deed]
    st.dataframe(
        {
            "Entry": [seq for seq, _ in deeds],
            "When (UTC)": [deed.at.replace("T", " ")[:19] for _, deed in deeds],
            "Who": [deed.actor for _, deed in deeds],
            "Act": [deed.act for _, deed in deeds],
            "On": [deed.subject for _, deed in deeds],
            "Detail": [", ".join(f"{name}: {value}" for name, value in deed.detail.items()) for _, deed in deeds],
        },
        hide_index=True,
        width="stretch",
    )
    st.caption(f"The last {_ENTRIES} entries, as {me.full_name} sees them.")
