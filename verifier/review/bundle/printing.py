"""Prints the result of a check."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from verifier.review.bundle.manifest import NOT_PROVEN
from verifier.review.bundle.verify import Verified
from verifier.store.audit.check import Fault

KIND_WORDS = {
    "edited": "Edited",
    "deleted": "Deleted",
    "added": "Added",
    "swapped": "Swapped",
    "reordered": "Reordered",
    "truncated": "Cut off",
    "recomputed": "Computed anew",
    "backdated": "Dated back",
    "unknown_signer": "Unknown signer",
    "unsafe_path": "Unsafe path",
}


def verified_json(verified: Verified) -> str:
    """Return the result as JSON, with `sound` and what is not proven."""
    told = {"sound": verified.sound, "unchanged": verified.unchanged}
    fields = {**told, **msgspec.to_builtins(verified), "not_proven": NOT_PROVEN}
    return msgspec.json.format(msgspec.json.encode(fields)).decode()


def print_verified(bundle: Path, verified: Verified) -> None:
    """Print the result for people."""
    if verified.sound:
        click.echo(f"SOUND: {bundle.name} is as it was signed.")
    elif verified.unchanged:
        click.echo(f"UNCHANGED: {bundle.name} is unchanged since it was signed by an unknown key.")
    else:
        click.echo(f"NOT SOUND: {bundle.name}, {len(verified.faults)} faults.")
    print_faults(verified.faults)
    if verified.subject:
        click.echo(f"Subject: {verified.subject}; {verified.files} files; by {verified.made_by}, {verified.made_at}")
        click.echo(f"Signer: {verified.signer or 'not known here'}, fingerprint {verified.fingerprint}")
    for line in (*verified.originals, *verified.notes, NOT_PROVEN):
        click.echo(line)


def print_faults(faults: Iterable[Fault]) -> None:
    """One line for each fault."""
    for fault in faults:
        click.echo(f"  {KIND_WORDS[fault.kind]}: {fault.where}: {fault.says}.")
