"""Command `verifier recheck`."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import click

from verifier.domain.findings import Finding
from verifier.law.catalogue import RULEBOOKS
from verifier.review.day_options import DAY
from verifier.review.recheck import Rechecked

TO_REVIEW = 4


@click.command("recheck")
@click.argument("reviews", nargs=-1)
@click.option("--site", help="Only reviews of this site.")
@click.option("--from", "since", type=DAY, help="Only days of play from this one on.")
@click.option("--to", "until", type=DAY, help="Only days of play up to this one.")
@click.option("--house", type=click.Path(path_type=Path), help="House options to judge under (YAML).")
@click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="One house option; may be repeated.")
@click.option("--rulebook", type=click.Choice(RULEBOOKS), help="Rulebook to judge by (default: each log's own).")
@click.option("--save", is_flag=True, help="Keep the new findings in place of the stored ones.")
@click.option("--json", "as_json", is_flag=True, help="Write the changes as JSON.")
def recheck_command(
    reviews: tuple[str, ...],
    site: str | None,
    since: datetime | None,
    until: datetime | None,
    house: Path | None,
    settings: tuple[str, ...],
    rulebook: str | None,
    save: bool,
    as_json: bool,
) -> int:
    """Judge stored REVIEWS (ids; default: all) again, under changed house options, and report what changed."""
    import msgspec

    from verifier.formats.house import house_from
    from verifier.law.consistency import inconsistencies
    from verifier.review.recheck import chosen, recheck, stored_logs
    from verifier.store.repository import Store

    options = {**_from_file(house), **dict(map(_setting, settings))}
    house_from({name: value for name, value in options.items() if value is not None}, "house options")
    store = Store()
    picked = chosen(store, reviews, site, _iso(since), _iso(until))
    results = list(recheck(store, picked, options, rulebook, save))
    differing = inconsistencies(stored_logs(store, picked))
    if as_json:
        rows = {"reviews": msgspec.to_builtins(results), "inconsistent": msgspec.to_builtins(differing)}
        click.echo(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        for result in results:
            click.echo("\n".join(lines(result)))
        for each in differing:
            said = "; ".join(f"{value}: {', '.join(names)}" for value, names in each.values.items())
            click.echo(f"site {each.site}: {each.option} is not the same in all reviews ({each.clause}): {said}")
        count = f"{len(results)} review{'' if len(results) == 1 else 's'}"
        click.echo(f"{count} judged again, {sum(map(_is_changed, results))} changed")
    return TO_REVIEW if any(result.new or result.changed or result.same for result in results) else 0


def lines(result: Rechecked) -> list[str]:
    """Return a review's changes as lines in plain words."""
    where = f"{result.review}  site {result.site or '?'} table {result.table or '?'} {result.play_date or 'no date'}"
    found = [
        f"{where}: {len(result.new)} new, {len(result.gone)} gone, {len(result.changed)} changed, {result.same} same"
    ]
    found += [f"  + {_words(finding)}" for finding in result.new]
    found += [f"  - {_words(finding)}" for finding in result.gone]
    found += [
        f"  ~ {_words(each.after)} (was {each.before.verdict}: {each.before.worded_now().observed})"
        for each in result.changed
    ]
    return [*found, *(f"  ! {one}" for one in result.stale)]


def _words(finding: Finding) -> str:
    place = " ".join(p for p in (f"round {finding.round}" if finding.round is not None else "", finding.at or "") if p)
    return f"{finding.verdict} {finding.clause} {place}: {finding.worded_now().observed}"


def _is_changed(result: Rechecked) -> bool:
    return bool(result.new or result.gone or result.changed)


def _iso(day: datetime | None) -> str | None:
    return day.date().isoformat() if day else None


def _from_file(house: Path | None) -> dict[str, object]:
    import msgspec

    from verifier.formats.house import read_house

    return {} if house is None else dict(msgspec.to_builtins(read_house(house)))


def _setting(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not OPTION=VALUE", param_hint="--set")
    try:
        return name.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return name.strip(), value.strip()
