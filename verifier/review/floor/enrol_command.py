"""`verifier enrol`: learns a table's own card faces and chips."""

from __future__ import annotations

import getpass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verifier.review.day_options import DAY

if TYPE_CHECKING:
    from verifier.domain.enrolment import Enrolment
    from verifier.review.floor.enrolling import Enrolled
    from verifier.store.floor import Floor

_FILE = click.Path(path_type=Path)


@click.command("enrol")
@click.argument("video", type=_FILE)
@click.option("--layout", type=_FILE, help="The table's layout file (YAML) [default: the newest of --table].")
@click.option("--out", type=_FILE, help="File to write the enrolment to (JSON).")
@click.option("--table", metavar="SITE/TABLE", help="Keep it with this table.")
@click.option("--since", type=DAY, help="First day of these cards [default: the day of VIDEO].")
@click.option("--play", is_flag=True, help="VIDEO shows ordinary play, no show of a deck.")
@click.option("--decks", type=click.IntRange(1, 8), default=1, show_default=True, help="Decks shown.")
@click.option("--order", metavar="SUITS", help="One deck is laid suit by suit, ace to king: shdc.")
@click.option("--chips", metavar="COLOURS", help="One chip of each is laid down, in this order: white,red,green.")
@click.option("--by", default=None, help="Who (default: the user of this computer).")
def enrol_command(
    video: Path,
    layout: Path | None,
    out: Path | None,
    table: str | None,
    since: datetime | None,
    play: bool,
    decks: int,
    order: str | None,
    chips: str | None,
    by: str | None,
) -> int:
    """Learns a table's own card faces from VIDEO: somebody lays each card of a deck face up before the camera.

    Faces that are not seen well enough are named, and are read as before. With --chips it also learns the table's
    chips; VIDEO may then show chips alone.
    """
    from verifier.formats.enrolment import write_enrolment
    from verifier.recording.probe import check_readable
    from verifier.review.floor.enrolling import enrol, order_of
    from verifier.store.floor import Floor
    from verifier.store.repository import Store

    _check_asked(out, table, order, one_shown=decks == 1 and not play)
    named = _named_chips(chips, play=play)
    laid = order_of(order) if order is not None else None
    floor = Floor(Store()) if table is not None else None
    place = _kept_place(floor, table) if floor is not None and table is not None else None
    check_readable(video)
    path = _layout_of(floor, place, layout)
    _check_unlike(out, video, path)
    made = enrol(video, path, learnt_from="play" if play else "show", decks=decks, order=laid, chips=named)
    if out is not None:
        write_enrolment(out, made.enrolment)
    _print(made)
    if floor is not None and place is not None:
        _keep(floor, place, made.enrolment, _first_day(video, made.enrolment, since), by or getpass.getuser())
    return 0


def _keep(floor: Floor, place: tuple[str, str], made: Enrolment, day: str, by: str) -> None:
    """Keep what was learnt with the table from `day` on, and in what is kept of later days; print each version."""
    told = _with_kept(floor, place, made, day)
    for begin, one in [(day, told), *_later(floor, place, told, day)]:
        kept = floor.add_cards(*place, one, by, since=begin)
        click.echo(f"Kept: site {place[0]}, table {place[1]}, cards {kept.version}, since {begin}")


def _named_chips(chips: str | None, *, play: bool) -> list[str]:
    """Return the colours of the chips that are laid. Raises BadInput for other words, and where VIDEO shows play."""
    from verifier.domain.errors import BadInput
    from verifier.review.floor.enrolling import chips_of

    if chips is not None and play:
        raise BadInput("--chips", "is for chips that are shown", "leave it away, or --play")
    return chips_of(chips) if chips is not None else []


def _check_asked(out: Path | None, table: str | None, order: str | None, *, one_shown: bool) -> None:
    """Raise BadInput if the options exclude each other; `one_shown`: VIDEO shows one deck, and no play."""
    from verifier.domain.errors import BadInput

    if order is not None and not one_shown:
        raise BadInput("--order", "is for one deck that is shown", "leave it out, or leave out --play and --decks")
    if out is None and table is None:
        raise BadInput("verifier enrol", "does not know where to keep what it learns", "give --table, --out or both")


def _first_day(video: Path, told: Enrolment, since: datetime | None) -> str:
    """Return the first day of the cards. Raises BadInput if neither a person nor the picture's clock tells it."""
    from verifier.domain.errors import BadInput

    day = since.date().isoformat() if since else told.day
    if day is None:
        cause = "its picture shows no clock, so that the first day of these cards is not known"
        raise BadInput(video, cause, "give it with --since")
    return day


def _with_kept(floor: Floor, place: tuple[str, str], told: Enrolment, day: str) -> Enrolment:
    """Return the enrolment with the cards, or the chips, that the table has on that day, where it has none itself."""
    from msgspec import structs

    from verifier.formats.enrolment import read_enrolment
    from verifier.review.floor.files import enrolment_of

    table = floor.table(*place)
    file = enrolment_of(table, day) if table is not None else None
    before = read_enrolment(file) if file is not None else None
    if before is None:
        return told
    if not told.faces and before.faces:
        click.echo(f"The table's cards stay those of {before.video.name}.")
        told = structs.replace(told, faces=before.faces, learnt_from=before.learnt_from, decks=before.decks)
    if not told.chips and before.chips:
        click.echo(f"The table's chips stay those of {before.video.name}.")
        told = structs.replace(told, chips=before.chips)
    return told


def _later(floor: Floor, place: tuple[str, str], told: Enrolment, day: str) -> list[tuple[str, Enrolment]]:
    """Return what holds from each later day on, with those of the cards and chips of `told` that did not change there.

    Otherwise what is learnt would end where the other part of it begins.
    """
    table = floor.table(*place)
    if table is None:
        return []
    before = table.in_force("cards", day)
    last = before.enrolment if before is not None else None
    days = sorted({one.valid_from for one in table.of("cards") if one.valid_from > day})
    held = [(later, one.enrolment) for later in days if (one := table.in_force("cards", later)) is not None]
    same = [not one.faces or (last is not None and one.faces == last.faces) for _, one in held]
    cards = same.index(False) if False in same else len(same)
    same = [not one.chips or (last is not None and one.chips == last.chips) for _, one in held]
    chips = same.index(False) if False in same else len(same)
    found = [
        (later, _with_parts(one, told, cards=number < cards, chips=number < chips))
        for number, (later, one) in enumerate(held)
    ]
    return [(later, one) for (later, one), (_, old) in zip(found, held, strict=True) if one != old]


def _with_parts(one: Enrolment, told: Enrolment, *, cards: bool, chips: bool) -> Enrolment:
    """Return an enrolment with the cards, the chips or both of another one."""
    from msgspec import structs

    if cards and told.faces:
        one = structs.replace(one, faces=told.faces, learnt_from=told.learnt_from, decks=told.decks)
    return structs.replace(one, chips=told.chips) if chips and told.chips else one


def _print(made: Enrolled) -> None:
    from verifier.domain.enrolment import FACES

    told = made.enrolment
    if told.faces or not told.chips:
        click.echo(f"Learnt: {len(told.faces)} of {len(FACES)} faces, from {made.cards} cards.")
    if told.faces and told.missing:
        click.echo(f"Not seen well enough, read as before: {' '.join(told.missing)}")
    if told.chips:
        click.echo(f"Chips learnt: {' '.join(sorted(told.chips))}")
    if made.unnamed:
        click.echo(f"Cards without a sure name: {made.unnamed}")


def _kept_place(floor: Floor, table: str) -> tuple[str, str]:
    """Return site and name of a kept table. Raises BadInput if it is not kept."""
    from verifier.domain.errors import BadInput

    place = _place(table)
    if floor.table(*place) is None:
        raise BadInput(f"site {place[0]}, table {place[1]}", "is not kept", "keep it first: verifier tables import")
    return place


def _check_unlike(out: Path | None, *read: Path) -> None:
    """Raise BadInput if what is learnt would be written over a file that it is learnt from."""
    from verifier.domain.errors import BadInput

    if out is not None and out.exists() and any(out.samefile(one) for one in read if one.exists()):
        raise BadInput("--out", f"{out} is a file that is read", "name another file")


def _place(table: str) -> tuple[str, str]:
    from verifier.domain.errors import BadInput

    site, slash, name = table.rpartition("/")
    if not (site and slash and name):
        raise BadInput("--table", f"found {table!r}, expected SITE/TABLE", "write the site and the table: 0131/7")
    return site, name


def _layout_of(floor: Floor | None, place: tuple[str, str] | None, given: Path | None) -> Path:
    """Return the layout that is given, else the newest one of a kept table, as a file.

    Raises BadInput if there is none, and where it is that of another table.
    """
    from verifier.formats.layout import read_layout
    from verifier.review.floor.exchange import check_of_table

    path = given or _newest_layout(floor, place)
    if place is not None:
        check_of_table(read_layout(path), *place, path)
    return path


def _newest_layout(floor: Floor | None, place: tuple[str, str] | None) -> Path:
    from verifier.domain.errors import BadInput
    from verifier.review.floor.files import newest_layout

    kept = floor.table(*place) if floor is not None and place is not None else None
    if kept is None:
        raise BadInput("verifier enrol", "does not know where the table is in the picture", "give --layout")
    return newest_layout(kept)
