"""Sets a document as PDF with Typst: the wheel carries compiler and fonts, nothing is fetched."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec
import typst

from verifier.domain.errors import BadInput

TEMPLATES = Path(__file__).parent.parent / "templates"
COMMON = "common.typ"


def set_pdf(template: str, data: object, pictures: Mapping[str, bytes] | None = None) -> bytes:
    """The PDF of `data` (anything that msgspec turns into JSON) by a template of `templates/`.

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
