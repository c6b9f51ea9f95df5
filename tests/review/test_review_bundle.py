"""Evidence bundles: sound when untouched; each way of meddling is caught and told from the others."""

from __future__ import annotations

import hashlib
import io
import shutil
import struct
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from datetime import date
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from forging import by_other_hands
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from sqlalchemy import text

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.domain.findings import Unconfirmed
from verifier.review.bundle.collect import collect_document, collect_finding, collect_review, collect_week
from verifier.review.bundle.manifest import AUDIT, MANIFEST, README, SIGNATURE, Manifest, encode_manifest, sign_manifest
from verifier.review.bundle.pins import read_pin
from verifier.review.bundle.printing import print_verified
from verifier.review.bundle.shape import EPOCH
from verifier.review.bundle.verify import verify_bundle
from verifier.review.bundle.write import write_bundle
from verifier.review.products import keep_unconfirmed
from verifier.review.recording import Reviewed, review_recording
from verifier.review.retention.acts import purge
from verifier.store.audit.chain import Deed, Link, head_of, next_link
from verifier.store.audit.signing import Signer, fingerprint
from verifier.store.home import home
from verifier.store.kept import PURGED, digests_of, file_name
from verifier.store.papers import Document, Papers
from verifier.store.repository import Store

Files = dict[str, bytes]
MALLORY = Signer(Ed25519PrivateKey.generate())


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    video, layout, house = write_inputs(tmp_path)
    made = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding(), SHOWN))
    Store().add_verdict(made.findings[0].id, "confirmed", "Kim", "clear")
    Store().note("Lee", "view", "finding/another")
    Store().note("Kim", "view", f"finding/{made.findings[0].id}")
    return made


@pytest.fixture
def bundle(reviewed: Reviewed, tmp_path: Path) -> Path:
    target = tmp_path / "one.evidence.zip"
    write_bundle(Store(), collect_finding(Store(), reviewed.findings[0].id), target, "Kim")
    return target


def trusted() -> dict[str, str]:
    return {Store().signer().public: "us"}


def kinds(path: Path) -> set[str]:
    return {fault.kind for fault in verify_bundle(path, trusted()).faults}


def kinds_by(path: Path, keys: dict[str, str]) -> set[str]:
    return {fault.kind for fault in verify_bundle(path, keys).faults}


def unpacked(path: Path) -> Files:
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def packed(files: Files, path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as bundle:
        for name, content in files.items():
            bundle.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return path


def first(files: Files, ending: str) -> str:
    return next(name for name in files if name.endswith(ending))


def edited(files: Files) -> Files:
    name = first(files, "verdicts.json")
    return {**files, name: files[name].replace(b"confirmed", b"rejected!")}


def relisted(files: Files) -> Files:
    """The list computed anew to fit the files, without the key."""
    manifest = msgspec.json.decode(files[MANIFEST], type=Manifest)
    entries = [
        msgspec.structs.replace(one, sha256=hashlib.sha256(files[one.path]).hexdigest(), size=len(files[one.path]))
        for one in manifest.files
    ]
    return {**files, MANIFEST: encode_manifest(msgspec.structs.replace(manifest, files=entries))}


def swapped(files: Files) -> Files:
    stills = [name for name in files if name.endswith(".jpg")][:2]
    return {**files, stills[0]: files[stills[1]], stills[1]: files[stills[0]]}


def reordered(files: Files) -> Files:
    names = list(files)
    names[3], names[4] = names[4], names[3]
    return {name: files[name] for name in names}


def links_changed(change: Callable[[list[Link]], list[Link]]) -> Callable[[Files], Files]:
    """The audit log changed and the list computed anew, so that only the chain and the signature tell."""

    def meddle(files: Files) -> Files:
        links = [msgspec.json.decode(line, type=Link) for line in files[AUDIT].splitlines()]
        log = b"".join(msgspec.json.encode(link) + b"\n" for link in change(links))
        return relisted({**files, AUDIT: log})

    return meddle


def another_actor(link: Link) -> Link:
    assert link.deed is not None
    return msgspec.structs.replace(link, deed=msgspec.structs.replace(link.deed, actor="Mallory"))


MEDDLING: dict[str, tuple[Callable[[Files], Files], set[str]]] = {
    "a file edited": (edited, {"edited"}),
    "a file edited and the list with it": (lambda files: relisted(edited(files)), {"recomputed"}),
    "a file deleted": (lambda files: {k: v for k, v in files.items() if not k.endswith(".mp4")}, {"deleted"}),
    "the signature deleted": (lambda files: {k: v for k, v in files.items() if k != SIGNATURE}, {"deleted"}),
    "a file added": (lambda files: {**files, "more.txt": b"more"}, {"added"}),
    "two stills swapped": (swapped, {"swapped"}),
    "files reordered": (reordered, {"reordered"}),
    "the log shortened": (links_changed(lambda links: links[:-1]), {"truncated", "recomputed"}),
    "an entry deleted": (links_changed(lambda links: [links[0], *links[2:]]), {"deleted", "recomputed"}),
    "entries reordered": (links_changed(lambda links: [links[1], links[0], *links[2:]]), {"reordered", "recomputed"}),
    "an entry edited": (links_changed(lambda links: [another_actor(links[0]), *links[1:]]), {"edited", "recomputed"}),
    "the manifest made unreadable": (lambda files: {**files, MANIFEST: b"{"}, {"edited"}),
    "a path that leads out": (lambda files: {**files, "../evil.txt": b"x"}, {"unsafe_path", "added"}),
    "an absolute path": (lambda files: {**files, "/etc/evil": b"x"}, {"unsafe_path", "added"}),
    "a path of Windows": (lambda files: {**files, "C:\\evil.txt": b"x"}, {"unsafe_path", "added"}),
}


def test_an_untouched_bundle_is_sound(bundle: Path) -> None:
    verified = verify_bundle(bundle, trusted())
    assert verified.sound
    assert (verified.signer, verified.made_by) == ("us", "Kim")


@pytest.mark.parametrize("name", MEDDLING)
def test_meddling_is_caught_and_told_apart(bundle: Path, tmp_path: Path, name: str) -> None:
    meddle, expected = MEDDLING[name]
    assert kinds(packed(meddle(unpacked(bundle)), tmp_path / "bad.zip")) == expected


def test_everything_computed_anew_with_another_key_is_an_unknown_signer(bundle: Path, tmp_path: Path) -> None:
    files = edited(unpacked(bundle))
    links = [msgspec.json.decode(line, type=Link) for line in files[AUDIT].splitlines()]
    made: list[Link] = []
    for link in links:
        deed = link.deed or Deed(at=made[-1].deed.at if made and made[-1].deed else "", actor="", act="")
        made.append(next_link(link.seq, made[-1].hash if made else link.previous, deed, MALLORY))
    files[AUDIT] = b"".join(msgspec.json.encode(link) + b"\n" for link in made)
    manifest = msgspec.json.decode(relisted(files)[MANIFEST], type=Manifest)
    chain = msgspec.structs.replace(manifest.audit, head=head_of(made[-1]))
    files[MANIFEST] = encode_manifest(msgspec.structs.replace(manifest, audit=chain))
    files[SIGNATURE] = msgspec.json.encode(sign_manifest(files[MANIFEST], MALLORY))
    bad = packed(files, tmp_path / "bad.zip")
    assert kinds(bad) == {"unknown_signer"}
    old = head_of(links[-1])
    assert {fault.kind for fault in verify_bundle(bad, {}, old).faults} == {"recomputed"}
    assert kinds_by(bad, {Store().signer().public: "us", MALLORY.public: "a trusted hall"}) == set()
    open_question = verify_bundle(bad, {})
    assert open_question.unchanged and not open_question.sound
    assert "Who signed is not known here" in open_question.notes[0]


def test_a_bundle_cut_off_is_told_and_another_file_is_refused(bundle: Path, tmp_path: Path) -> None:
    content = bundle.read_bytes()
    (tmp_path / "cut.zip").write_bytes(content[: len(content) * 2 // 3])
    assert kinds(tmp_path / "cut.zip") == {"truncated"}
    (tmp_path / "letter.zip").write_text("Dear reviewer")
    with pytest.raises(BadInput, match="no evidence bundle"):
        verify_bundle(tmp_path / "letter.zip", {})


def test_a_name_that_stands_twice_is_caught(bundle: Path, tmp_path: Path) -> None:
    files = unpacked(bundle)
    with pytest.warns(UserWarning), zipfile.ZipFile(packed(files, tmp_path / "bad.zip"), "a") as bad:
        bad.writestr(first(files, ".mp4"), b"another clip")
    assert kinds(tmp_path / "bad.zip") == {"added", "edited"}


def test_a_link_in_the_place_of_a_file_is_caught(bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(packed(unpacked(bundle), tmp_path / "bad.zip"), "a") as bad:
        info = zipfile.ZipInfo("passwords")
        info.external_attr = 0o120777 << 16
        bad.writestr(info, "/etc/passwd")
    assert kinds(tmp_path / "bad.zip") == {"unsafe_path", "added"}


def test_it_holds_what_belongs_to_the_finding_and_seals_the_rest_of_the_log(bundle: Path, reviewed: Reviewed) -> None:
    files = unpacked(bundle)
    root = f"review-{reviewed.review.id}"
    assert {f"{root}/{name}" for name in ("review.json", "findings.json", "verdicts.json", "events.jsonl")} <= set(
        files
    )
    assert {Path(name).suffix for name in files} >= {".mp4", ".jpg"}
    assert b'"Kh"' in files[f"{root}/events.jsonl"]
    assert len(files[f"{root}/observations.jsonl"].splitlines()) > 5
    links = [msgspec.json.decode(line, type=Link) for line in files[AUDIT].splitlines()]
    assert [link.deed.act if link.deed else "sealed" for link in links] == [
        "prepare",
        "ingest",
        "verdict",
        "sealed",
        "view",
        "export",
    ]
    assert b"Lee" not in files[AUDIT]


def test_a_clip_that_is_gone_is_told(reviewed: Reviewed, tmp_path: Path) -> None:
    one = reviewed.findings[0]
    (Path(reviewed.review.folder) / str(one.clip)).unlink()
    write_bundle(Store(), collect_finding(Store(), one.id), tmp_path / "b.zip", "Kim")
    verified = verify_bundle(tmp_path / "b.zip", trusted())
    assert [fault.kind for fault in verified.faults] == ["deleted"], "nobody purged it"
    assert "nothing removed it" in verified.faults[0].says
    assert "no longer there" in verified.notes[0]


def other_clip(reviewed: Reviewed) -> Path:
    return Path(reviewed.review.folder) / str(reviewed.findings[1].clip)


def test_what_was_exchanged_in_the_same_review_is_told_in_a_findings_bundle(
    reviewed: Reviewed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Case log_check_forged: whoever relies on one finding must know that another's clip was exchanged."""
    clip, target = other_clip(reviewed), tmp_path / "one.evidence.zip"
    clip.write_bytes(b"another film")
    assert run(["evidence", "export", "--finding", reviewed.findings[0].id, "--out", str(target)]) == 4
    assert clip.name in capsys.readouterr().err
    verified = verify_bundle(target, trusted())
    assert not verified.sound
    assert [clip.name in fault.says for fault in verified.faults] == [True]
    said = unpacked(target)[README].decode()
    assert "NOT SOUND, whatever the checks below say" in said and clip.name in said


def test_a_finding_that_was_added_or_reworded_beside_it_is_told(reviewed: Reviewed, tmp_path: Path) -> None:
    with by_other_hands(f"sqlite:///{home() / 'verifier.sqlite'}") as connection:
        connection.execute(text("UPDATE findings SET dealer = 'Mallory' WHERE seq = 2"))
    target = tmp_path / "one.evidence.zip"
    write_bundle(Store(), collect_finding(Store(), reviewed.findings[0].id), target, "Kim")
    assert kinds(target) == {"edited"}
    with pytest.raises(BadInput, match="it is not signed"):
        write_bundle(Store(), collect_finding(Store(), reviewed.findings[1].id), tmp_path / "two.zip", "Kim")


def test_what_was_purged_or_exchanged_elsewhere_says_nothing_of_a_finding(reviewed: Reviewed, tmp_path: Path) -> None:
    clip = other_clip(reviewed)
    store = Store()
    with store.acting("Kim", "purge", "clip", {}, {file_name(clip): PURGED}):
        clip.unlink()
    elsewhere = home() / "evidence" / "another" / "clip.mp4"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(b"another film")
    target = tmp_path / "one.evidence.zip"
    write_bundle(store, collect_finding(store, reviewed.findings[0].id), target, "Kim")
    assert verify_bundle(target, trusted()).sound


def test_what_was_purged_is_told_and_is_no_fault(reviewed: Reviewed, tmp_path: Path) -> None:
    item, today = f"evidence/{reviewed.review.id}", date(2030, 1, 1)
    assert purge(Store(), item, "kim", "its time is over", today)
    write_bundle(Store(), collect_finding(Store(), reviewed.findings[0].id), tmp_path / "b.zip", "Kim")
    verified = verify_bundle(tmp_path / "b.zip", trusted())
    assert verified.sound
    assert "no longer there" in verified.notes[0]
    assert run(["evidence", "log"]) == 0


def test_a_clip_exchanged_by_somebody_who_holds_the_key_is_not_what_the_log_tells(bundle: Path, tmp_path: Path) -> None:
    files = unpacked(bundle)
    files[first(files, ".mp4")] = b"another film"
    files["SHA256SUMS"] = b"".join(
        f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()
        for name, content in files.items()
        if name not in (MANIFEST, SIGNATURE, "SHA256SUMS")
    )
    files = relisted(files)
    files[SIGNATURE] = msgspec.json.encode(sign_manifest(files[MANIFEST], Store().signer()))
    verified = verify_bundle(packed(files, tmp_path / "bad.zip"), trusted())
    assert [(fault.kind, fault.where) for fault in verified.faults] == [("edited", first(files, ".mp4"))]
    assert "that audit entry" in verified.faults[0].says


def test_a_log_by_another_trusted_key_makes_a_bundle_unsound(bundle: Path, tmp_path: Path) -> None:
    files = unpacked(bundle)
    links = [msgspec.json.decode(line, type=Link) for line in files[AUDIT].splitlines()]
    made: list[Link] = []
    for link in links:
        deed = link.deed or Deed(at=made[-1].deed.at if made and made[-1].deed else "", actor="", act="")
        made.append(next_link(link.seq, made[-1].hash if made else link.previous, deed, MALLORY))
    files[AUDIT] = b"".join(msgspec.json.encode(link) + b"\n" for link in made)
    manifest = msgspec.json.decode(relisted(files)[MANIFEST], type=Manifest)
    chain = msgspec.structs.replace(manifest.audit, head=head_of(made[-1]))
    files[MANIFEST] = encode_manifest(msgspec.structs.replace(manifest, audit=chain))
    files[SIGNATURE] = msgspec.json.encode(sign_manifest(files[MANIFEST], Store().signer()))
    assert kinds_by(packed(files, tmp_path / "bad.zip"), {**trusted(), MALLORY.public: "a trusted hall"}) == {
        "unknown_signer"
    }


def test_a_review_and_a_week_hold_all_findings(reviewed: Reviewed, tmp_path: Path) -> None:
    whole = collect_review(Store(), reviewed.review.id)
    week = collect_week(Store(), "2026-W47", None)
    assert set(whole.files) == set(week.files)
    write_bundle(Store(), week, tmp_path / "week.zip", "Kim")
    assert kinds(tmp_path / "week.zip") == set()
    with pytest.raises(BadInput, match="no review is stored"):
        collect_week(Store(), "2026-W46", None)
    with pytest.raises(BadInput, match="not in the store"):
        collect_finding(Store(), "nothing-0001")


def test_what_one_look_alone_told_is_sealed_with_its_review(reviewed: Reviewed, tmp_path: Path) -> None:
    name = f"review-{reviewed.review.id}/unconfirmed.json"
    assert name not in collect_review(Store(), reviewed.review.id).files
    folder = Path(reviewed.review.folder)
    keep_unconfirmed(folder, [Unconfirmed(look="first", told=finding())])
    files = digests_of(folder, ["unconfirmed.json"])
    Store().note("verifier", "ingest", f"review/{reviewed.review.id}", files=files)
    for collected in (collect_review(Store(), reviewed.review.id), collect_week(Store(), "2026-W47", None)):
        target = tmp_path / f"{collected.subject.partition('/')[0]}.zip"
        manifest = write_bundle(Store(), collected, target, "Kim")
        (entry,) = [one for one in manifest.files if one.path == name]
        kept = (Path(reviewed.review.folder) / "unconfirmed.json").read_bytes()
        assert (entry.sha256, unpacked(target)[name]) == (hashlib.sha256(kept).hexdigest(), kept)
        assert packed({**unpacked(target), name: kept + b" "}, target) and kinds(target) == {"edited"}
    assert name not in collect_finding(Store(), reviewed.findings[0].id).files


def test_evidence_is_never_written_over(bundle: Path, reviewed: Reviewed) -> None:
    with pytest.raises(BadInput, match="never written over"):
        write_bundle(Store(), collect_review(Store(), reviewed.review.id), bundle, "Kim")


def test_the_commands(reviewed: Reviewed, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, pin = tmp_path / "a.evidence.zip", tmp_path / "head.json"
    assert run(["evidence", "export", "--review", reviewed.review.id, "--out", str(target)]) == 0
    capsys.readouterr()
    assert run(["evidence", "head"]) == 0
    pin.write_text(capsys.readouterr().out)
    assert run(["evidence", "verify", str(target), "--pin", str(pin), "--original", str(tmp_path / "video.mp4")]) == 0
    assert "byte for byte" in capsys.readouterr().out
    assert run(["evidence", "verify", str(target), "--original", str(tmp_path / "layout.yaml"), "--json"]) == 4
    assert msgspec.json.decode(capsys.readouterr().out)["sound"] is False
    assert run(["evidence", "log", "--pin", str(pin)]) == 0
    assert run(["evidence", "verify", str(tmp_path / "layout.yaml")]) == 2
    assert run(["evidence", "export", "--out", str(target)]) == 2


def _printed_commands(readme: str) -> str:
    """The commands that README.txt tells a person to type, as one script that ends where one of them fails."""
    return "set -e\n" + "\n".join(line.strip() for line in readme.splitlines() if line.startswith(" " * 7)) + "\n"


@pytest.mark.skipif(not all(shutil.which(tool) for tool in ("sha256sum", "openssl")), reason="tools are missing")
def test_a_document_is_checked_elsewhere_without_this_software(reviewed: Reviewed, tmp_path: Path) -> None:
    (tmp_path / "sample.pdf").write_bytes(b"%PDF of the check")
    digest = hashlib.sha256(b"%PDF of the check").hexdigest()
    body = '{"recording": "sample.mp4", "sha256": "ab12"}'
    paper = Document(
        kind="sample",
        site="0123",
        period="table 6",
        made_by="Kim",
        body=body,
        folder=str(tmp_path),
        files={"sample.pdf": digest},
    )
    number = Papers(Store()).add_document(paper).id
    target, there = tmp_path / "sample.evidence.zip", tmp_path / "there"
    assert run(["evidence", "export", "--document", str(number), "--out", str(target)]) == 0
    with zipfile.ZipFile(target) as bundle:
        bundle.extractall(there)
    script = _printed_commands((there / README).read_text())
    assert "ab12  sample.mp4" in (there / README).read_text()
    assert {word for word in script.split() if word in ("sha256sum", "openssl", "xxd")} == {"sha256sum", "openssl"}

    def accepted() -> tuple[bool, str]:
        done = subprocess.run(["sh", "-c", script], cwd=there, capture_output=True, text=True)
        return done.returncode == 0, done.stdout

    sound, told = accepted()
    assert sound and told.splitlines()[-1] == fingerprint(Store().signer().public)
    assert "Signature Verified Successfully" in told
    for name, content in _meddled(there):
        kept = (there / name).read_bytes() if (there / name).exists() else None
        (there / name).write_bytes(content)
        assert accepted()[0] is False, name
        (there / name).unlink() if kept is None else (there / name).write_bytes(kept)
    assert accepted()[0]
    (there / ".hidden").symlink_to("sample.pdf")
    assert accepted()[0] is False, "a hidden link"
    with pytest.raises(BadInput, match="not in the store"):
        collect_document(Store(), number + 1)


def _meddled(there: Path) -> list[tuple[str, bytes]]:
    """Files of an unpacked bundle with what somebody made of them: each must be told by the recipe."""
    paper = next(there.glob("documents/*/sample.pdf")).relative_to(there).as_posix()
    sums, manifest = (there / "SHA256SUMS").read_bytes(), (there / MANIFEST).read_bytes()
    other = (there / SIGNATURE).read_bytes().replace(b'"signature":"', b'"signature":"00')
    return [
        (paper, b"%PDF of another"),
        (".hidden", b"x"),
        ("documents/more.txt", b"x"),
        ("SHA256SUMS", sums.replace(sums[:4], b"0000")),
        (MANIFEST, manifest.replace(b"sample.mp4", b"other.mp4")),
        (SIGNATURE, other),
        (README, (there / README).read_bytes() + b" "),
    ]


def hidden_between(data: bytes) -> bytes:
    """A whole local file between two others, that no table of contents lists."""
    extra = io.BytesIO()
    with zipfile.ZipFile(extra, "w") as more:
        more.writestr("hidden.txt", b"hidden")
    local = extra.getvalue()[: extra.getvalue().index(b"PK\x01\x02")]
    begin = data.index(b"PK\x01\x02")
    end = bytearray(data[data.index(b"PK\x05\x06") :])
    end[16:20] = struct.pack("<L", struct.unpack("<L", end[16:20])[0] + len(local))
    return data[:begin] + local + data[begin : data.index(b"PK\x05\x06")] + bytes(end)


def in_front(data: bytes) -> bytes:
    """Something before the first file: zipfile corrects the places by itself."""
    return b"PK\x03\x04 something" + data


def behind(data: bytes) -> bytes:
    return data + b"something"


def as_a_comment(data: bytes) -> bytes:
    return data[:-2] + struct.pack("<H", 6) + b"hidden"


def in_an_extra_field(data: bytes) -> bytes:
    """Another name for the first file, which some programs show (field 0x7075 of Info-ZIP)."""
    name = b"other.txt"
    field = struct.pack("<2HBL", 0x7075, 5 + len(name), 1, zlib.crc32(b"manifest.json")) + name
    length, first = len(field), data.index(b"PK\x01\x02")
    table = data[first : data.index(b"PK\x05\x06")]
    size = 46 + struct.unpack("<H", table[28:30])[0]
    changed = table[:30] + struct.pack("<H", length) + table[32:size] + field + table[size:]
    end = bytearray(data[data.index(b"PK\x05\x06") :])
    end[12:16] = struct.pack("<L", len(changed))
    return data[:first] + changed + bytes(end)


@pytest.mark.parametrize("hide", [hidden_between, in_front, behind, as_a_comment, in_an_extra_field])
def test_what_programs_that_list_files_do_not_show_makes_it_unsound(
    bundle: Path, hide: Callable[[bytes], bytes]
) -> None:
    bundle.write_bytes(hide(bundle.read_bytes()))
    assert "added" in kinds(bundle)


def fewer_told(data: bytes) -> bytes:
    end = data.index(b"PK\x05\x06")
    return data[: end + 8] + struct.pack("<2H", 1, 1) + data[end + 12 :]


def test_a_table_that_lists_more_than_it_says_makes_it_unsound(bundle: Path) -> None:
    bundle.write_bytes(fewer_told(bundle.read_bytes()))
    assert kinds(bundle) == {"added"}


def a_table_that_ends_elsewhere(data: bytes) -> bytes:
    """The end says that the table begins later than it does: each file's place lies that much earlier."""
    where = data.rindex(b"PK\x05\x06")
    begin = int.from_bytes(data[where + 16 : where + 20], "little")
    return data[: where + 16] + (begin + 50_000).to_bytes(4, "little") + data[where + 20 :]


def a_file_that_begins_behind_the_end(data: bytes) -> bytes:
    """The table says of its first file that it begins beyond the bundle."""
    where = data.index(b"PK\x01\x02")
    return data[: where + 42] + (len(data) * 2).to_bytes(4, "little") + data[where + 46 :]


@pytest.mark.parametrize("moved", [a_table_that_ends_elsewhere, a_file_that_begins_behind_the_end])
def test_places_outside_of_the_bundle_are_a_result_and_no_traceback(
    bundle: Path, moved: Callable[[bytes], bytes]
) -> None:
    bundle.write_bytes(moved(bundle.read_bytes()))
    assert "added" in kinds(bundle)


def table_changed(data: bytes, extra: bytes, packed: int = 0) -> bytes:
    """The table's first file with another extra field, and with more bytes in its place; the end fits again."""
    first, end = data.index(b"PK\x01\x02"), data.rindex(b"PK\x05\x06")
    table = data[first:end]
    size = 46 + struct.unpack("<H", table[28:30])[0]
    length = struct.pack("<L", struct.unpack("<L", table[20:24])[0] + packed)
    changed = table[:20] + length + table[24:30] + struct.pack("<H", len(extra)) + table[32:size] + extra + table[size:]
    tail = bytearray(data[end:])
    tail[12:16] = struct.pack("<L", len(changed))
    return data[:first] + changed + bytes(tail)


def in_a_field_for_sizes(data: bytes) -> bytes:
    """Behind the name, as if it were sizes beyond 4 GiB: zipfile takes none of it, since the usual fields hold them."""
    return table_changed(data, struct.pack("<2H", 1, 24) + b"hidden for the insiders.")


def packed_anew(data: bytes, more: bytes) -> bytes:
    """All files packed again, the first with something behind the end of what is packed."""
    source, target = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    files = [(name, source.read(name)) for name in source.namelist()]
    with zipfile.ZipFile(target, "w") as bundle:
        for name, content in files:
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            bundle.writestr(info, content)
            if more and name == files[0][0]:
                assert bundle.fp is not None
                bundle.fp.write(more)
                bundle.start_dir = bundle.fp.tell()
                info.compress_size += len(more)
    changed = bytearray(target.getvalue())
    changed[18:22] = struct.pack("<L", struct.unpack("<L", changed[18:22])[0] + len(more))
    return bytes(changed)


def behind_a_packed_content(data: bytes) -> bytes:
    return packed_anew(data, b"hidden")


def another_name_in_its_own_header(data: bytes) -> bytes:
    """Programs that read from the beginning show another name of the first file than those that read the table."""
    return data.replace(b"manifest.json", b"manifest.JSON", 1)


def another_date(data: bytes) -> bytes:
    where = data.index(b"PK\x01\x02")
    return data[: where + 12] + struct.pack("<2H", 0, (2026 - 1980) << 9 | 11 << 5 | 17) + data[where + 16 :]


FORGED = {
    "a field for sizes": (in_a_field_for_sizes, "added"),
    "behind a packed content": (behind_a_packed_content, "added"),
    "another name inside": (another_name_in_its_own_header, "edited"),
    "another date": (another_date, "edited"),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_stands_in_no_signed_place_makes_it_unsound(bundle: Path, name: str) -> None:
    forge, kind = FORGED[name]
    bundle.write_bytes(packed_anew(bundle.read_bytes(), b""))
    assert kinds(bundle) == set(), "packing alone forges nothing"
    bundle.write_bytes(forge(bundle.read_bytes()))
    assert kind in kinds(bundle)


@pytest.mark.parametrize("name", [MANIFEST, SIGNATURE, AUDIT])
def test_what_is_nested_too_deeply_is_a_result_and_no_traceback(bundle: Path, tmp_path: Path, name: str) -> None:
    files = unpacked(bundle)
    files[name] = b'{"format": ' + b"[" * 3000
    assert "edited" in kinds(packed(files, tmp_path / "deep.zip"))


@pytest.mark.parametrize("content", ["[" * 3000, '{"seq": ' + "[" * 3000])
def test_a_head_that_is_nested_too_deeply_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "head.json").write_text(content)
    with pytest.raises(BadInput, match="is no head"):
        read_pin(tmp_path / "head.json")


@pytest.mark.parametrize("more", [b', "note": "paid"}', b"}   ", b', "key": "00"}'])
def test_a_signature_holds_nothing_else(bundle: Path, tmp_path: Path, more: bytes) -> None:
    files = unpacked(bundle)
    files[SIGNATURE] = files[SIGNATURE][:-1] + more
    assert "edited" in kinds(packed(files, tmp_path / "more.zip"))


def test_it_is_called_sound_only_by_a_known_key(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_verified(bundle, verify_bundle(bundle, {}))
    told = capsys.readouterr().out
    assert "SOUND" not in told
    assert told.startswith("UNCHANGED: one.evidence.zip is unchanged since it was signed by an unknown key.")
    print_verified(bundle, verify_bundle(bundle, trusted()))
    assert capsys.readouterr().out.startswith("SOUND: ")


def test_another_computer_needs_neither_database_nor_key(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    public = Store().signer().public
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "elsewhere"))
    assert run(["evidence", "verify", str(bundle)]) == 0
    assert "not known here" in capsys.readouterr().out
    assert run(["evidence", "verify", str(bundle), "--key", public]) == 0
    assert run(["evidence", "verify", str(bundle), "--key", MALLORY.public]) == 4
    assert run(["evidence", "trust", public, "--name", "Fargo"]) == 0
    assert run(["evidence", "verify", str(bundle)]) == 0
    assert "Fargo" in capsys.readouterr().out
    assert not (tmp_path / "elsewhere" / "verifier.sqlite").exists()
