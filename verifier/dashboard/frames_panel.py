"""The player of a finding: its clip, frame by frame, with what the software saw drawn over exactly that frame."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from verifier.dashboard.common import go_to, store
from verifier.dashboard.parts.marks import Mark
from verifier.dashboard.parts.player import finding_player
from verifier.dashboard.recordings import open_recording
from verifier.domain.errors import BadInput
from verifier.review.clip_looks import place_outline, stretch_around
from verifier.review.clip_times import clip_times
from verifier.review.originals import number_at
from verifier.review.people.roles import Act, Person
from verifier.review.playback import original_there, recording_at
from verifier.review.queue import QueueItem
from verifier.review.round_view import Step
from verifier.review.wording import plain_place


def frames_panel(person: Person, item: QueueItem, clip: bool, steps: list[Step], ahead: Sequence[str] = ()) -> bool:
    """Draw the player; give whether the decisive seconds can be shown. `ahead` are the findings that come next."""
    finding = item.stored.finding
    times = clip_times(item.review, finding)
    here = True
    try:
        if clip:
            original_there(item.review, finding.t_end)
        else:
            recording_at(store(), person, item.review.id, finding.t_end)
    except BadInput as error:
        st.info(f"The frames of the original cannot be shown: {error}", icon=":material/videocam_off:")
        here = False
    if not (clip or here):
        return False
    number = number_at(item.review, finding.t_end)
    span = stretch_around(item.review, finding, [step.t for step in steps])
    place = place_outline(Path(item.review.folder), finding.at)
    may = person.may(Act.WATCH)
    away = finding_player(
        item.stored.id,
        item.review,
        number,
        times,
        clip=clip,
        span=span,
        marks=_marks(item, steps),
        place=place,
        ahead=ahead,
        along=may,
    )
    if away is not None and may:
        open_recording(item.review, away)
        go_to("watch")
    return True


def _marks(item: QueueItem, steps: list[Step]) -> list[Mark]:
    finding = item.stored.finding
    own = Mark(t=finding.t_start, t_end=finding.t_end, lane="finding", label=finding.title, cited=True)
    return [own] + [
        Mark(t=step.t, t_end=step.t_end, lane=plain_place(step.at), label=step.what, cited=step.cited, weak=step.weak)
        for step in steps
    ]
