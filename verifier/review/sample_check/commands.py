"""`verifier sample-check`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from verifier.review.day_options import DAY, MOMENT
from verifier.review.reading_options import Told, reading_of, reading_options

if TYPE_CHECKING:
    from verifier.review.sample_check.values import Checked, Cover, ItemVerdict, SampleReport

_FILE = click.Path(path_type=Path)
_MARKS = {"pass": "✓ pass", "fail": "✗ FAIL", "cannot_tell": "? cannot tell", "not_applicable": "– not applicable"}


class OnSample(Told):
    """What a person tells of the sample, as click reads it: how it is read, and what stands on the cover sheet."""

    by: str
    organization: str
    trigger: str
    changed: datetime | None
    equipment: str
    submitted: datetime | None


@click.command("sample-check")
@click.argument("video", type=_FILE)
@click.option("--layout", type=_FILE, help="The table's layout file (YAML): needed for the regions in view.")
@click.option("--house", type=_FILE, help="The site's house options (YAML): time zone and known error of the clock.")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--pdf", type=_FILE, help="Write cover sheet, items and stills as PDF.")
@click.option("--stills", type=_FILE, help="Folder for the stills that show why.")
@click.option("--made", type=MOMENT, help="When VIDEO began.")
@click.option("--other", type=_FILE, help="The second recorder's recording, for the ten minutes of overlap.")
@click.option("--reference", type=_FILE, help="A still of the clear table from this camera.")
@click.option("--judge", multiple=True, metavar="ITEM=pass|fail", help="A person's word on what cannot be told.")
@click.option("--by", default="", help="Who checks.")
@click.option("--organization", default="", help="For the cover sheet.")
@click.option("--trigger", default="", help="Why: new site, camera or table moved, equipment changed.")
@click.option("--changed", type=DAY, help="Day of that change: the sample is due 14 days later.")
@click.option("--equipment", default="", help="Camera and recorder.")
@click.option("--submitted", type=DAY, help="Day of the submission.")
@click.option("--keep", is_flag=True, help="Keep the check in the store as the table's next submission.")
@click.option("--reason", default="", help="Why it is submitted again.")
def sample_check_command(
    video: Path,
    layout: Path | None,
    house: Path | None,
    as_json: bool,
    pdf: Path | None,
    stills: Path | None,
    made: datetime | None,
    other: Path | None,
    reference: Path | None,
    judge: tuple[str, ...],
    keep: bool,
    reason: str,
    **told: Unpack[OnSample],
) -> int:
    """Check the sample recording VIDEO as the attorney general evaluates it.

    Exit code 0 if all items pass, 4 if one fails or a person must look.
    """
    import msgspec

    from verifier.formats.house import read_house
    from verifier.review.sample_check.check import check_sample
    from verifier.review.sample_check.files import judged

    judgements = _judgements(judge)
    checked = check_sample(
        video,
        layout,
        cover=_cover(told),
        made=made,
        other=other,
        reference=reference,
        house=read_house(house) if house is not None else None,
        how=reading_of(told),
    )
    checked = msgspec.structs.replace(checked, report=judged(checked.report, judgements, told["by"]))
    _write(checked, pdf, stills, keep, reason)
    _print(checked.report, as_json)
    return checked.report.exit_code


def _print(report: SampleReport, as_json: bool) -> None:
    from verifier.review.sample_check.files import report_json

    if as_json:
        click.echo(report_json(report))
        return
    for item in report.items:
        click.echo(f"{_MARKS[item.verdict]:<17} {item.title}: {item.says} {item.measured}".rstrip())


def _cover(told: OnSample) -> Cover:
    from verifier.review.sample_check.values import Cover

    return Cover(
        organization=told["organization"],
        trigger=told["trigger"],
        changed=_day(told["changed"]),
        equipment=told["equipment"],
        submitted=_day(told["submitted"]),
        by=told["by"],
    )


def _day(value: datetime | None) -> str:
    return value.date().isoformat() if value else ""


def _judgements(texts: tuple[str, ...]) -> dict[str, ItemVerdict]:
    from verifier.domain.errors import BadInput

    words: dict[str, ItemVerdict] = {"pass": "pass", "fail": "fail"}
    pairs = [text.partition("=")[::2] for text in texts]
    for key, verdict in pairs:
        if verdict not in words:
            raise BadInput(f"--judge {key}", "says neither pass nor fail", "write it as ITEM=pass or ITEM=fail")
    return {key: words[verdict] for key, verdict in pairs}


def _write(checked: Checked, pdf: Path | None, stills: Path | None, keep: bool, reason: str) -> None:
    from verifier.formats.files import write_file
    from verifier.formats.whole import make_folder
    from verifier.review.documents.keeping import DRAFT
    from verifier.review.sample_check.files import history_of, jpeg_of, keep_sample, rules_of_table, sample_pdf
    from verifier.store.database import home
    from verifier.store.repository import Store

    history = history_of(Store(), checked.report) if keep or pdf else []
    version = (history[0].version + 1 if history else 1) if keep else DRAFT
    if pdf is not None:
        make_folder(pdf.parent)
        write_file(pdf, sample_pdf(checked, history, version, rules=rules_of_table(Store(), checked.report)))
    if stills is not None:
        make_folder(stills)
        for name, picture in checked.pictures.items():
            write_file(stills / f"{name}.jpg", jpeg_of(picture))
    if keep:
        kept = keep_sample(Store(), checked, home() / "documents", reason)
        click.echo(f"Kept as submission {kept.document.version}: {kept.files['pdf']}", err=True)
