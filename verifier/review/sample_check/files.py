"""The check as JSON and PDF, and kept in the store as a version of the table's submission."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import msgspec

from verifier.domain.errors import BadInput
from verifier.recording.decode import Picture
from verifier.review.documents.keeping import Made, keep_document
from verifier.review.documents.notice import notice_of
from verifier.review.documents.rules import Rules, rules_at
from verifier.review.documents.setting import log_foot, set_pdf
from verifier.review.people.makers import Maker, at_the_command_line
from verifier.review.sample_check.values import Checked, Item, ItemVerdict, SampleReport
from verifier.store.papers import Document, Papers
from verifier.store.repository import Store

_QUALITY = 82


def report_builtins(report: SampleReport) -> dict[str, object]:
    """Return the report as plain values, with its counts and the day it is due."""
    cover = {**msgspec.to_builtins(report.cover), "due": report.cover.due}
    return {**msgspec.to_builtins(report), "cover": cover, "counts": report.counts}


def report_json(report: SampleReport) -> str:
    """Return the report as JSON for other programs."""
    fields = {"format": "verifier-sample-check", "version": 1, **report_builtins(report)}
    return msgspec.json.format(msgspec.json.encode(fields)).decode()


def sample_pdf(
    checked: Checked, history: list[Document], version: int = 1, head: str = "", rules: Rules | None = None
) -> bytes:
    """Cover sheet, items, earlier submissions and stills as PDF; `head` is where the audit log ends (`log_foot`).

    The version of a check that is not kept as a submission is `DRAFT` (documents/keeping.py).

    `rules` are those that the table is played by (default: North Dakota's).
    """
    pictures = {f"{name}.jpg": jpeg_of(picture) for name, picture in checked.pictures.items()}
    earlier = [
        {"version": one.version, "made_at": one.made_at, "reason": one.reason, **_outcome(one)} for one in history
    ]
    data = {
        "report": report_builtins(checked.report),
        "history": earlier,
        "version": version,
        "pictures": list(pictures),
        "notice": notice_of(rules or Rules()),
        "log_head": head,
        "rules": msgspec.to_builtins(rules or Rules()),
    }
    return set_pdf("sample.typ", data, pictures)


def _outcome(document: Document) -> dict[str, object]:
    body = msgspec.json.decode(document.body)
    return {"counts": body["counts"], "outcome": body["cover"]["outcome"]}


def history_of(store: Store, report: SampleReport) -> list[Document]:
    """Earlier checks of the same table, newest first."""
    return Papers(store).documents("sample", report.cover.site, period_of(report))


def rules_of_table(store: Store, report: SampleReport) -> Rules:
    """Return the rules that the table of a check is played by."""
    return rules_at(store, [report.cover.site], report.cover.table)


def keep_sample(store: Store, checked: Checked, out: Path, reason: str = "", maker: Maker | None = None) -> Made:
    """Keep the check as the table's next submission: PDF, JSON and stills in `out`, their hashes in the store.

    `maker` is who keeps it (default: who runs the command); the name on the cover is a statement.
    Raises BadInput if the table was checked before and no `reason` is given.
    """
    report = checked.report
    history = history_of(store, report)

    def make(version: int) -> dict[str, bytes]:
        stills = {f"{name}.jpg": jpeg_of(picture) for name, picture in checked.pictures.items()}
        pdf = sample_pdf(checked, history, version, log_foot(store), rules_of_table(store, report))
        return {"pdf": pdf, "json": report_json(report).encode(), **stills}

    body = msgspec.json.encode(report_builtins(report)).decode()
    by = maker or at_the_command_line(report.cover.by)
    return keep_document(
        store, "sample", report.cover.site, period_of(report), by.shown, body, out, make, reason, actor=by.actor
    )


def period_of(report: SampleReport) -> str:
    """Return what a check is kept under: its table."""
    return f"table {report.cover.table}"[:64]


def judged(report: SampleReport, judgements: Mapping[str, ItemVerdict], by: str) -> SampleReport:
    """Return the report with a person's word on items that the software cannot tell.

    Raises BadInput for an item that is none, and if nobody signs.
    """
    if judgements and not by.strip():
        raise BadInput("--judge", "needs a name", "say who judges with --by")
    unknown = set(judgements) - {item.key for item in report.items}
    if unknown:
        known = ", ".join(item.key for item in report.items)
        raise BadInput(f"--judge {min(unknown)}", "is no item", f"items are {known}")
    return msgspec.structs.replace(report, items=[_judged(item, judgements.get(item.key), by) for item in report.items])


def _judged(item: Item, verdict: ItemVerdict | None, by: str) -> Item:
    if verdict is None:
        return item
    if item.verdict != "cannot_tell":
        raise BadInput(
            f"--judge {item.key}", f"was measured: {item.verdict}", "judge only what the software cannot tell"
        )
    return msgspec.structs.replace(item, verdict=verdict, says=f"{item.says} {by} looked: {verdict}.")


def jpeg_of(picture: Picture) -> bytes:
    """Return a picture (h, w, 3) BGR as JPEG."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not done:
        raise BadInput("a still", "could not be encoded", "report this with the recording's size")
    return data.tobytes()
