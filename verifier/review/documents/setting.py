"""Sets a document as PDF with Typst: the wheel carries compiler and fonts, nothing is fetched."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import typst

from verifier.domain.errors import BadInput
from verifier.review.bundle.whole import head_faults
from verifier.store.repository import Store

TEMPLATES = Path(__file__).parent.parent / "templates"
COMMON = "common.typ"
_SHOWN: Final = 32
"""Hexadecimal digits (128 bits) of a hash that a document shows: enough that no other can be made to fit."""


def log_head(store: Store) -> str:
    """Where the audit log ends, for the foot of a document: on paper it is a pin that nobody can change."""
    head = store.audit_head()
    return f"{head.seq}:{head.hash[:_SHOWN]}" if head is not None else "0"


def log_foot(store: Store) -> str:
    """Return the end of the audit log for a document made from the store's rows, with what is not as the entries made
    it.

    Such a document is made and kept, and tells on every page what a reader must know of it.
    """
    faults = [*head_faults(store), *store.compare(files=False).faults]
    if not faults:
        return log_head(store)
    more = f", and {len(faults) - 1} faults more" if len(faults) > 1 else ""
    told = f"{faults[0].where} {faults[0].says}{more}"
    return f"{log_head(store)}. Made from what is not as it was kept ({told}): the page Evidence tells all"


def set_pdf(template: str, data: object, pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return the PDF of `data` (anything that msgspec turns into JSON) by a template of `templates/`.

    `pictures` are JPEG or PNG files by the name under which the template shows them. The same data gives the same PDF.
    """
    content = msgspec.json.encode(data).decode()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in (template, COMMON):
            shutil.copyfile(TEMPLATES / source, folder / source)
        for picture, encoded in (pictures or {}).items():
            (folder / picture).write_bytes(encoded)
        try:
            made = typst.compile(
                str(folder / template), root=name, format="pdf", sys_inputs={"data": content}, ignore_system_fonts=True
            )
        except typst.TypstError as error:
            raise BadInput(template, f"the document could not be set ({error})", "install the package again") from error
    assert isinstance(made, bytes)
    return made
