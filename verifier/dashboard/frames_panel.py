"""The player of a finding: its clip, frame by frame, with what the software saw drawn over exactly that frame."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from verifier.dashboard.common import store
from verifier.dashboard.parts.player import Mark, finding_player
from verifier.domain.errors import BadInput
from verifier.review.clip_times import clip_times
from verifier.review.originals import number_at, stretch_of
from verifier.review.people.roles import Person
from verifier.review.playback import original_there, recording_at
from verifier.review.queue import QueueItem
from verifier.review.reel import REEL_MOST_S, place_outline
from verifier.review.round_view import Step
from verifier.review.wording import plain_place

_AROUND_S: Final = 5.0


def frames_panel(person: Person, item: QueueItem, clip: bool, steps: list[Step]) -> bool:
    """Draws the player; gives whether the decisive seconds can be shown."""
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
    moments = [step.t for step in steps]
    number = number_at(item.review, finding.t_end)
    first, last = stretch_of(item.review, number)
    start = max(0.0, first, min([times.start, *moments]) - _AROUND_S)
    end = max([times.end, *moments]) + _AROUND_S
    span = max(start, end - REEL_MOST_S), min(end, last) if last > start else end
    place = place_outline(Path(item.review.folder), finding.at)
    finding_player(
        item.stored.id, item.review, number, times, clip=clip, span=span, marks=_marks(item, steps), place=place
    )
    return True


def _marks(item: QueueItem, steps: list[Step]) -> list[Mark]:
    finding = item.stored.finding
    own = Mark(t=finding.t_start, t_end=finding.t_end, lane="finding", label=finding.title, cited=True)
    return [own] + [
        Mark(t=step.t, t_end=step.t_end, lane=plain_place(step.at), label=step.what, cited=step.cited, weak=step.weak)
        for step in steps
    ]
