"""Frame by frame: one frame forth and back, what the software saw drawn over exactly that frame, and the timeline."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import streamlit as st
from msgspec import Struct

from verifier.dashboard.common import events_of, store
from verifier.dashboard.parts.timeline import Mark, timeline
from verifier.domain.errors import BadInput
from verifier.domain.observations import Observation
from verifier.review.looked_at import layout_of, looked_at_around, observations_between, seen_in_frame
from verifier.review.originals import original_at
from verifier.review.people.roles import Person
from verifier.review.playback import recording
from verifier.review.queue import QueueItem
from verifier.review.round_view import Step, view_round
from verifier.review.stepping import Frame, Stepper, moved
from verifier.review.stills import LAYERS, draw_over
from verifier.review.wording import plain_place

_AROUND_S: Final = 5.0
_WIDEST: Final = 1280


class _Shown(Struct, frozen=True):
    """What the panel is about: seconds from `start` to `end` of a review, whose file `video` begins at `at`."""

    item: QueueItem
    video: Path
    at: float
    start: float
    end: float

    @property
    def key(self) -> str:
        return f"moment {self.item.stored.id}"


@st.cache_resource
def _stepper() -> Stepper:
    return Stepper()


@st.cache_data(max_entries=24)
def _seen(folder: str, start: float, end: float) -> list[Observation]:
    return observations_between(Path(folder), start, end)


def frames_panel(person: Person, item: QueueItem) -> None:
    """Draws the panel, or says why the recording's frames cannot be shown."""
    finding = item.stored.finding
    try:
        recording(store(), person, item.review.id)
    except BadInput as error:
        st.info(f"The frames of the original cannot be shown: {error}", icon=":material/videocam_off:")
        return
    original = original_at(item.review, finding.t_end)
    if not original.file.is_file():
        st.info(f"{original.file.name} is not where it was when it was reviewed.", icon=":material/videocam_off:")
        return
    log = events_of(item)
    steps = view_round(log, finding).steps if log is not None and item.stored.current else []
    times = [step.t for step in steps]
    start = max(0.0, min([finding.t_start, *times]) - _AROUND_S)
    end = max([finding.t_end, *times]) + _AROUND_S
    _panel(_Shown(item, original.file, original.at, start, end), steps)


@st.fragment
def _panel(shown: _Shown, steps: list[Step]) -> None:
    st.markdown("**Frame by frame** (keys ← →; a frame that the software looked at shows what it saw)")
    now = float(st.session_state.setdefault(shown.key, shown.item.stored.finding.t_end))
    clicked = timeline(f"line {shown.item.stored.id}", shown.start, shown.end, now, _marks(shown.item, steps))
    if clicked is not None and clicked != st.session_state.get(f"clicked {shown.key}"):
        st.session_state[f"clicked {shown.key}"] = clicked
        now = clicked
    seen = _seen(shown.item.review.folder, shown.start - 2, shown.end + 2)
    layers = st.pills(
        "Draw over it", LAYERS, selection_mode="multi", default=list(LAYERS[:-1]), key=f"layers {shown.key}"
    )
    picture = st.empty()
    asked = _buttons(shown, seen, now)
    frame = _frame(shown, asked)
    if frame is None:
        st.warning("No picture can be decoded here: the recording is damaged at this place.")
        return
    st.session_state[shown.key] = frame.t
    _draw(picture, shown, frame, seen_in_frame(seen, frame.t), frozenset(layers))


def _frame(shown: _Shown, t: float) -> Frame | None:
    frame = _stepper().frame(shown.video, max(0.0, t - shown.at))
    return None if frame is None else moved(frame, shown.at)


def _buttons(shown: _Shown, seen: list[Observation], now: float) -> float:
    """The moment that the pressed button asks for; where none was pressed, `now`."""
    here = _frame(shown, now)
    earlier, later = looked_at_around(seen, now)
    targets = (
        ("◀◀ Looked at", "Down", "The frame before that the software looked at", earlier),
        ("◀ One frame", "Left", "One frame back", here.before if here else None),
        ("One frame ▶", "Right", "One frame forth", here.after if here else None),
        ("Looked at ▶▶", "Up", "The next frame that the software looked at", later),
    )
    asked = now
    for column, (label, key, help_text, target) in zip(st.columns(4), targets, strict=True):
        pressed = column.button(
            label,
            key=f"{key} {shown.key}",
            help=help_text,
            shortcut=key,
            width="stretch",
            disabled=target is None,
            wrap=True,
        )
        if pressed and target is not None:
            asked = target
    return asked


def _draw(
    place: st.delta_generator.DeltaGenerator,
    shown: _Shown,
    frame: Frame,
    seen: Observation | None,
    layers: frozenset[str],
) -> None:
    layout = layout_of(Path(shown.item.review.folder))
    drawn = draw_over(frame.picture, seen, layout, shown.item.stored.finding.at, layers)
    if drawn.shape[1] > _WIDEST:
        drawn = cv2.resize(drawn, (_WIDEST, round(drawn.shape[0] * _WIDEST / drawn.shape[1])))  # type: ignore[assignment]
    _, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 88])
    looked = "with what the software saw in it" if seen is not None else "the software did not look at this frame"
    clock = f", clock {seen.clock.replace('T', ' ')}" if seen is not None and seen.clock else ""
    place.image(data.tobytes(), caption=f"{frame.t:.3f} s{clock}: {looked}", width="stretch")


def _marks(item: QueueItem, steps: list[Step]) -> list[Mark]:
    finding = item.stored.finding
    own = Mark(t=finding.t_start, t_end=finding.t_end, lane="finding", label=finding.title, cited=True)
    return [own] + [
        Mark(t=step.t, t_end=step.t_end, lane=plain_place(step.at), label=step.what, cited=step.cited, weak=step.weak)
        for step in steps
    ]
