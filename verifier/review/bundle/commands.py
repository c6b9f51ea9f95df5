"""`verifier evidence`: export, verify, and what pins the audit log outside."""

from __future__ import annotations

from pathlib import Path

import click

_FILE = click.Path(path_type=Path)
EXIT_FAULTS = 4


@click.group("evidence")
def evidence_group() -> None:
    """Export evidence bundles and check them; show the signing key and the head of the audit log."""


@evidence_group.command("export")
@click.option("--finding", help="One finding, by its id.")
@click.option("--review", help="A whole review, by its id.")
@click.option("--document", type=int, help="One document, by its number in `verifier retention list`.")
@click.option("--week", help="One site's ISO week, for example 2026-W47.")
@click.option("--site", help="The site of the week, where several were reviewed.")
@click.option("--out", type=_FILE, required=True, help="The bundle to write: NAME.evidence.zip.")
@click.option("--by", default=None, help="A name for the bundle; the log names the user of this computer.")
def export_command(
    finding: str | None,
    review: str | None,
    document: int | None,
    week: str | None,
    site: str | None,
    out: Path,
    by: str | None,
) -> int:
    """Write a signed bundle of a finding, a review, a document or a week."""
    from verifier.review.bundle.collect import collect_document, collect_finding, collect_review, collect_week
    from verifier.review.bundle.write import write_bundle
    from verifier.review.people.makers import at_the_command_line
    from verifier.store.repository import Store

    if sum(one is not None for one in (finding, review, document, week)) != 1:
        raise click.UsageError("Name one of --finding, --review, --document and --week.")
    store = Store()
    if finding is not None:
        collected = collect_finding(store, finding)
    elif review is not None:
        collected = collect_review(store, review)
    elif document is not None:
        collected = collect_document(store, document)
    else:
        collected = collect_week(store, week or "", site)
    who = at_the_command_line(by or "")
    manifest = write_bundle(store, collected, out, who.shown, who.actor)
    click.echo(f"Evidence bundle: {out} ({len(manifest.files)} files, audit log to entry {manifest.audit.head.seq})")
    for path in manifest.absent:
        click.echo(f"No longer there: {path}")
    for says in manifest.lost:
        click.echo(f"Lost: {says}. The bundle says so and is not sound.", err=True)
    for says in manifest.beside:
        click.echo(f"Not as it was made, and not in the bundle: {says}. The bundle says so and is not sound.", err=True)
    return EXIT_FAULTS if manifest.lost or manifest.beside else 0


@evidence_group.command("verify")
@click.argument("bundle", type=_FILE)
@click.option("--key", "keys", multiple=True, help="A public key to trust (64 digits); may be repeated.")
@click.option("--pin", type=_FILE, help="A head of the audit log, as `verifier evidence head` printed it before.")
@click.option("--original", type=_FILE, help="The recording, to compare with the hash taken at ingest.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_command(bundle: Path, keys: tuple[str, ...], pin: Path | None, original: Path | None, as_json: bool) -> int:
    """Check a bundle without the database. Exit code 0 if it is unchanged, 4 if something was done to it.

    The signer must be a key given with --key, this installation's own, or one trusted with `verifier evidence trust`;
    where none of these is known the signer stays open, and the bundle is called unchanged, not sound.
    """
    from verifier.review.bundle.pins import known_keys, read_pin
    from verifier.review.bundle.printing import print_verified, verified_json
    from verifier.review.bundle.verify import verify_bundle
    from verifier.review.bundle.whole import with_original

    verified = verify_bundle(bundle, known_keys(keys), read_pin(pin) if pin else None)
    if original is not None:
        verified = with_original(verified, original)
    if as_json:
        click.echo(verified_json(verified))
    else:
        print_verified(bundle, verified)
    return 0 if verified.unchanged else EXIT_FAULTS


@evidence_group.command("key")
def key_command() -> int:
    """Print this installation's public key and its fingerprint."""
    from verifier.store.audit.signing import fingerprint
    from verifier.store.repository import Store

    public = Store().signer().public
    click.echo(f"{public}\nFingerprint: {fingerprint(public)}")
    return 0


@evidence_group.command("trust")
@click.argument("key")
@click.option("--name", required=True, help="Whose key it is.")
def trust_command(key: str, name: str) -> int:
    """Trusts another installation's public KEY, after its fingerprint was compared."""
    from verifier.store.audit.signing import checked_public, fingerprint, trust
    from verifier.store.database import home

    trust(home() / "keys", key, name)
    click.echo(f"Trusted: {name}, fingerprint {fingerprint(checked_public(key))}")
    return 0


@evidence_group.command("head")
def head_command() -> int:
    """Print the signed head of the audit log as JSON: keep it elsewhere, and give it to --pin later."""
    import msgspec

    from verifier.review.bundle.pins import head_or_refuse
    from verifier.store.repository import Store

    click.echo(msgspec.json.encode(head_or_refuse(Store())).decode())
    return 0


@evidence_group.command("pin")
@click.option("--reason", required=True, help="Why: which backup was put back, or where the database was moved to.")
def pin_command(reason: str) -> int:
    """Pins the audit log as it stands now, after a backup was put back on purpose; the log keeps the reason."""
    import msgspec

    from verifier.review.people.makers import at_the_command_line
    from verifier.store.repository import Store

    was = Store().renew_pin(at_the_command_line().actor, reason)
    click.echo(f"Pinned anew; before: {msgspec.json.encode(was).decode() if was is not None else 'nothing readable'}")
    return 0


@evidence_group.command("log")
@click.option("--pin", help="A head of the audit log that was kept elsewhere: a file, or ENTRY:HASH from a document.")
def log_command(pin: str | None) -> int:
    """Check the audit log, and all rows and files of the store against it.

    Exit code 0 if all is as it was made, 4 if something was done to it.
    """
    from verifier.review.bundle.pins import told_pin
    from verifier.review.bundle.printing import print_faults
    from verifier.review.bundle.whole import whole_check
    from verifier.store.repository import Store

    checked = whole_check(Store(), told_pin(pin) if pin else None)
    told = "no faults" if not checked.faults else f"{len(checked.faults)} faults"
    click.echo(f"Audit log: {checked.entries} entries, {checked.things} rows and files compared, {told}")
    print_faults(checked.faults)
    for note in checked.notes:
        click.echo(f"  Note: {note}.")
    return EXIT_FAULTS if checked.faults else 0
