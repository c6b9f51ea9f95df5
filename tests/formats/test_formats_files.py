import os
import threading
from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.formats.events import read_events
from verifier.formats.files import replacing
from verifier.formats.findings import read_findings, read_unconfirmed
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.formats.observations import open_observations
from verifier.formats.whole import make_folder

READERS = [read_events, open_observations, read_findings, read_unconfirmed, read_layout, read_house]


@pytest.mark.parametrize("read", READERS)
def test_every_reader_names_a_file_that_is_not_there(tmp_path, read):
    path = tmp_path / "none.jsonl"
    with pytest.raises(BadInput, match="there is no such file") as caught:
        read(path)
    assert caught.value.source == str(path)


@pytest.mark.parametrize("read", READERS)
def test_every_reader_refuses_a_folder(tmp_path, read):
    with pytest.raises(BadInput, match="this is a folder"):
        read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
@pytest.mark.parametrize("read", READERS)
def test_no_reader_waits_for_the_writer_of_a_named_pipe(tmp_path, read):
    """night_stoppers: a layout that is a pipe would keep whoever reads it for ever."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(BadInput, match="named pipe"):
            read(tmp_path / name)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="descriptors as files")
def test_a_pipe_of_the_shell_is_read_to_its_end(tmp_path):
    """`<(...)`, whose writer may be late."""
    ours, theirs = os.pipe()
    late = threading.Timer(0.2, lambda: (os.write(theirs, b"deck_count: 6\n"), os.close(theirs)))
    late.start()
    try:
        assert read_house(f"/dev/fd/{ours}").deck_count == 6
    finally:
        late.join()
        os.close(ours)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"\xff\xfe\x00", b"\x00", b"{}", b"[]", b"null", b"{", b"a: [", b"- 1"]
)
def test_every_reader_refuses_what_is_not_its_format(tmp_path, read, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    if read is read_house and content == b"{}":
        return
    with pytest.raises(BadInput):
        read(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("read", READERS)
def test_every_reader_names_a_file_that_may_not_be_read(tmp_path, read):
    path = tmp_path / "secret"
    path.write_text("{}")
    path.chmod(0)
    with pytest.raises(BadInput, match="may not be read"):
        read(path)


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(RuntimeError), replacing(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_into_a_missing_folder_names_it(tmp_path):
    with pytest.raises(BadInput, match="folder to write to does not exist"), replacing(tmp_path / "no" / "file"):
        pass


def test_a_write_over_a_folder_is_refused(tmp_path):
    (tmp_path / "file").mkdir()
    with pytest.raises(BadInput, match="folder, expected a file to write"), replacing(tmp_path / "file"):
        pass


@pytest.mark.parametrize(("folder", "file"), [(0o755, 0o644), (0o700, 0o600), (0o750, 0o640)])
def test_a_written_file_is_as_private_as_its_folder(tmp_path, folder, file):
    (place := tmp_path / "here").mkdir()
    place.chmod(folder)
    before = os.umask(0o022)
    try:
        with replacing(place / "file") as stream:
            stream.write(b"x")
        make_folder(place / "more" / "still")
    finally:
        os.umask(before)
    assert (place / "file").stat().st_mode & 0o777 == file
    assert {one.stat().st_mode & 0o777 for one in (place / "more", place / "more" / "still")} == {folder}
