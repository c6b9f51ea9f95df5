"""Names of files as text: any name can be written down, shown, and found again.

A file system takes nearly every byte in a name. JSON, the database and a terminal do not. So a path is written down in
one form everywhere, with escapes for what is not plain text; `path_of` leads back to the file.
"""

from __future__ import annotations

import hashlib
import os
import re
import string
import unicodedata
from pathlib import Path
from typing import Final

_ESCAPED: Final = re.compile(rb"\\x([0-9a-f]{2})")
_LOOKS_ESCAPED: Final = re.compile(r"\\(?=x[0-9a-f]{2})")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of what is no text: controls, marks of direction, undecodable bytes, line separators."""

_PLAIN: Final = frozenset(string.ascii_lowercase + string.digits)
_LONGEST_PART: Final = 90
"""Letters of one part; a name of three parts stays below the 255 bytes that most file systems take."""


def path_text(path: Path | str) -> str:
    r"""Return a path as text that can be written down anywhere: each byte that is no text becomes a backslash, `x` and
    two hexadecimal digits.

    A backslash of the name itself that would read as such an escape is `\x5c`. Other paths are their own text.
    """
    return shown(_LOOKS_ESCAPED.sub(r"\\x5c", str(path)))


def path_of(text: str) -> Path:
    """Return the path of a text that `path_text` made."""
    return Path(os.fsdecode(_ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), os.fsencode(text))))


def shown(text: str, keep: str = "") -> str:
    """Text for a person's eyes: what would steer the terminal, or is no text, is escaped, but for what `keep` holds.

    Text that was shown before stays as it is.
    """
    return "".join(one if one in keep or not is_hidden(one) else _escape(one) for one in text)


def file_part(text: str, keep: str = "") -> str:
    """Return a text as a part of a file's name. Different texts give different parts, also where capitals are not told
    apart.

    Small letters and digits stay, and so do the signs in `keep`. A capital is `+` and the small letter, a space is `.`,
    any other byte is `_` and two hexadecimal digits. A long text is cut and ends with `~` and its hash.
    """
    plain = (_PLAIN | frozenset(keep)) - {one.swapcase() for one in keep if one.isalpha()}
    part = "".join(one if one in plain else _spelt(one, plain) for one in text) or "_"
    digest = hashlib.sha256(os.fsencode(text)).hexdigest()[:32]
    return part if len(part) <= _LONGEST_PART else f"{part[: _LONGEST_PART - 33]}~{digest}"


def _spelt(letter: str, plain: frozenset[str]) -> str:
    if letter.isascii() and letter.isupper() and letter.lower() in plain:
        return f"+{letter.lower()}"
    return "." if letter == " " else "".join(f"_{byte:02x}" for byte in os.fsencode(letter))


def is_hidden(letter: str) -> bool:
    """Tell whether a character is no text: it steers what shows it, or nobody sees it."""
    return unicodedata.category(letter) in _HIDDEN


def _escape(letter: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(letter))
