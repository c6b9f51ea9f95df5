"""The tasks that engines run. Each reads and writes files and can be done again anywhere; none touches the store."""

from __future__ import annotations

import errno
import time
import traceback
from typing import Literal

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of
from verifier.recording.identity import ExchangedError
from verifier.recording.space import NO_SPACE
from verifier.review.alike import Likeness
from verifier.review.batch.compare import compare
from verifier.review.floor.find import Place, find_place
from verifier.review.pipeline.chain import load_chain
from verifier.review.pipeline.conclude import conclude, conclude_unusable
from verifier.review.pipeline.examine import StillWrittenError, check_same, examine, probe_of
from verifier.review.pipeline.fit import unfit_at_once
from verifier.review.pipeline.folders import Folders, checkpoint_file
from verifier.review.pipeline.plan import SettingsChanged
from verifier.review.pipeline.segments import Beat, watch_segment, write_passed_over
from verifier.review.pipeline.values import Facts, RecordingSet, Segment, Source
from verifier.review.pipeline.watched import Checkpoints
from verifier.store.floor import GamingTable

Kind = Literal["input", "away", "refused", "changed", "disk", "killed", "hung", "memory", "bug"]
"""Why a task failed: its input is no good; the recording cannot be reached now, or never as things stand; it changed
while it was worked on; no space; its process was killed, said nothing for too long or needed too much memory; or this
program is wrong."""
_REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG, errno.EISDIR, errno.ENXIO})
"""Errors of the system that do not pass by waiting."""


class Setup(Struct, frozen=True, kw_only=True):
    """What every task of a night shares."""

    chain: str
    root: str
    length: float

    @property
    def folders(self) -> Folders:
        return Folders(path_of(self.root))


class Examine(Struct, frozen=True, tag=True):
    """Looks at a file: gives its Facts. With a `cause` it cannot be opened: it is hashed, and that is its error."""

    source: Source
    cause: str | None = None


class Watch(Struct, frozen=True, tag=True):
    """Watches a segment: writes its checkpoint."""

    source: Source
    facts: Facts
    segment: Segment
    config: str


class Compare(Struct, frozen=True, tag=True):
    """Compares the pictures of two files of one table: gives their Likeness.

    By their clocks `second` begins `claimed` seconds after `first`; `layout` tells where the burned-in clock stands.
    """

    layout: str | None
    first: Facts
    second: Facts
    claimed: float

    @property
    def names(self) -> tuple[str, str]:
        """The SHA-256 of both files."""
        return self.first.sha256, self.second.sha256


class Identify(Struct, frozen=True, tag=True):
    """Finds which of the kept tables a recording is of: gives its Place. `several_sites` as the whole floor has."""

    source: Source
    tables: list[GamingTable]
    several_sites: bool


class Conclude(Struct, frozen=True, tag=True):
    """Makes the review of a recording set, or (with a `cause`) of recordings that cannot be watched: it and
    `others`.
    """

    recording_set: RecordingSet
    config: str
    key: str
    cause: str | None = None
    others: list[RecordingSet] = []
    settings: str | None = None


Task = Identify | Examine | Compare | Watch | Conclude


class Done(Struct, frozen=True, kw_only=True, tag=True):
    """A task that ended well; `took` is seconds on the wall, by stage where there are several."""

    took: dict[str, float]
    facts: Facts | None = None
    likeness: Likeness | None = None
    place: Place | None = None

    @property
    def seconds(self) -> float:
        """Seconds on the wall, to the millisecond."""
        return round(sum(self.took.values()), 3)


class Failed(Struct, frozen=True, kw_only=True, tag=True):
    """A task that did not."""

    kind: Kind
    cause: str


Outcome = Done | Failed


def perform(setup: Setup, task: Task, beat: Beat) -> Outcome:
    """Run one task. This is the one place that catches whatever goes wrong with a recording: the night goes on."""
    began = time.monotonic()
    try:
        made, took = _run(setup, task, beat)
    except ExchangedError:
        return Failed(kind="changed", cause=str(StillWrittenError()))
    except SettingsChanged as error:
        return Failed(kind="changed", cause=error.cause)
    except BadInput as error:
        return _failed(error.__cause__ if isinstance(error.__cause__, OSError) else error, _told(task, error))
    except OSError as error:
        return _failed(error, str(error))
    except StillWrittenError as error:
        return Failed(kind="changed", cause=str(error))
    except MemoryError:
        return Failed(kind="memory", cause="it needs more memory than a worker may use")
    except Exception:  # noqa: BLE001 - said above
        return Failed(kind="bug", cause=traceback.format_exc())
    took = took or {type(task).__name__.lower(): time.monotonic() - began}
    if isinstance(made, Place):
        return Done(took=took, place=made)
    if isinstance(made, Likeness):
        return Done(took=took, likeness=made)
    return Done(took=took, facts=made)


def _told(task: Task, error: BadInput) -> str:
    """Return what is wrong, without the recording's own name, so that one fault of many recordings is reported once."""
    if isinstance(task, Identify):
        return error.cause
    if not isinstance(task, Watch) or error.source not in (task.facts.path, task.facts.path.rpartition("/")[2]):
        return str(error)
    return f"{error.where}: {error.cause}" if error.where else error.cause


def _failed(error: BaseException, told: str) -> Failed:
    if not isinstance(error, OSError):
        return Failed(kind="input", cause=told)
    if error.errno in _REFUSED:
        return Failed(kind="refused", cause=told)
    return Failed(kind="disk" if error.errno in NO_SPACE else "away", cause=told)


def _run(setup: Setup, task: Task, beat: Beat) -> tuple[Facts | Likeness | Place | None, dict[str, float]]:
    """Run a task; return its result, and how long its stages took where it has several."""
    chain, folders = load_chain(setup.chain), setup.folders
    if isinstance(task, Identify):
        return find_place(task.source, task.tables, chain, beat, several_sites=task.several_sites), {}
    if isinstance(task, Examine):
        return examine(task.source, chain, folders, beat, task.cause), {}
    if isinstance(task, Compare):
        return compare(task.first, task.second, task.claimed, task.layout, folders), {}
    if isinstance(task, Watch):
        _watch(setup, task, beat)
        return None, {}
    stage = folders.concluding(task.key)
    if task.cause is None:
        _check_same(task.recording_set)
        checkpoints = Checkpoints(task.recording_set, task.config, setup.length, folders, task.settings)
        made = conclude(checkpoints, chain, stage, lambda what, done, whole: beat(done))
        _check_same(task.recording_set)
    else:
        made = conclude_unusable([task.recording_set, *task.others], task.cause, stage)
    beat(task.recording_set.end)  # a worker whose night has ended writes nothing any more
    with checkpoint_file(folders.concluded(task.key)) as stream:
        stream.write(msgspec.json.encode(made))
    return None, made.took


def _check_same(recording_set: RecordingSet) -> None:
    """Raise StillWrittenError if a file of the recording set is not what was examined."""
    for part in recording_set.parts:
        check_same(part.facts)


def _watch(setup: Setup, task: Watch, beat: Beat) -> None:
    folders = setup.folders
    checkpoint = folders.segment(task.facts, task.config, task.segment)
    if unfit_at_once(task.source, task.facts):
        write_passed_over(checkpoint)
        return
    probe, bearings = probe_of(task.facts, folders), folders.bearings(task.facts, task.config)
    layout, own = path_of(task.source.layout or ""), task.source.enrolment
    enrolment = path_of(own) if own else None
    watch_segment(probe, task.segment, layout, load_chain(setup.chain), checkpoint, bearings, beat, enrolment)
